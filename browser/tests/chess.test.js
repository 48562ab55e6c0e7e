// What the page shows of a game of chess besides the board: opening, material, and the exported file.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { arena, eventually } from "../harness.js";

const world = arena();

test("the opening has a name, and the panel does not move when it appears", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  const opening = guest.page.locator(".opening");
  assert.equal(await opening.textContent(), "");
  const list = guest.page.getByRole("region", { name: "Moves" }).or(guest.page.locator(".record")).first();
  const top = async () => Math.round((await list.boundingBox())?.y ?? 0);
  const before = await top();
  await guest.type("e4");
  await guest.says(opening, "B00 King's Pawn Game");
  assert.equal(await top(), before);
  await guest.type("e5", "Nf3", "Nc6", "Bb5");
  await guest.says(opening, "C60 Ruy Lopez");
  await guest.create("self", { game: "Blokus Duo" });
  assert.ok(await guest.page.locator(".opening").isHidden());
});

test("a move that is typed in lower case is played", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  await guest.type("e4", "e5", "nf3", "nc6", "bb5");
  await guest.record(["e4", "e5", "Nf3", "Nc6", "Bb5"]);
  await guest.sees("c6", "black knight");
});

test("the side with more material sees by how much", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  const lead = (/** @type {string} */ seat) => guest.page.getByRole("group", { name: new RegExp(`^${seat}: `) }).locator(".lead");
  assert.equal(await guest.page.locator(".lead").count(), 0);
  await guest.type("e4", "d5", "exd5");
  await guest.says(lead("white"), "+1 material");
  assert.equal(await lead("black").count(), 0);
  await guest.type("Qxd5", "Nc3", "Qxg2");
  await guest.says(lead("black"), "+1 material");
  await guest.type("Bxg2");
  await guest.says(lead("white"), "+8 material");
  await guest.page.keyboard.press("Home");
  await eventually(async () => assert.equal(await guest.page.locator(".lead").count(), 0));
});

test("the exported game has its date, clock and termination", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { clock: "5+3" });
  await guest.type("f3", "e5", "g4", "Qh4#");
  await guest.card.waitFor();
  const [file] = await Promise.all([guest.page.waitForEvent("download"), guest.card.getByRole("link", { name: "Export" }).click()]);
  const text = await readFile(await file.path(), "utf8");
  for (const part of [/\[Event "Casual game"\]/, /\[Date "20\d\d\.\d\d\.\d\d"\]/, /\[TimeControl "300\+3"\]/, /\[Termination "normal"\]/, /f3 \{ \[%clk 0:05:00\] \}/]) {
    assert.match(text, part);
  }
});
