// Hints: shown but not played, against bots and on one screen; not between people.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually } from "../harness.js";

const world = arena();

/** @typedef {import("../guest.js").Guest} Guest */

/** The arrow of a hint, as a move. @param {Guest} guest */
async function hinted(guest) {
  const arrow = guest.page.locator(".arrow.suggested");
  await arrow.waitFor({ state: "attached" });
  return `${await arrow.getAttribute("data-from")}${await arrow.getAttribute("data-to")}`;
}

test("a hint against a bot can be played, and disappears with the move", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { bot: "Random", seat: "White" });
  await guest.status("Your turn");
  await guest.press("Hint");
  const hint = await hinted(guest);
  assert.equal((await guest.moves()).length, 0);
  await guest.page.keyboard.press("h");
  await guest.page.locator(".arrow.suggested").waitFor({ state: "detached" });
  await guest.page.keyboard.press("h");
  assert.equal(await hinted(guest), hint, "the same position has the same hint");
  await guest.click(hint.slice(0, 2), hint.slice(2, 4));
  await guest.recordHas(2);
  await guest.page.locator(".arrow.suggested").waitFor({ state: "detached" });
});

test("on one screen the hint is for the player to move", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { clock: "10+0" });
  await guest.type("f3", "e5", "g4");
  await guest.press("Hint");
  assert.equal(await hinted(guest), "d8h4");
  await guest.press("Previous move");
  await guest.page.locator(".arrow.suggested").waitFor({ state: "detached" });
  await guest.press("Back to the game");
  assert.equal(await hinted(guest), "d8h4");
  await guest.type("Qh4#");
  await guest.button("Hint").waitFor({ state: "hidden" });
});

test("in Blokus the hint shows the squares", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { game: "Blokus Duo" });
  await guest.status("Purple to move");
  await guest.press("Hint");
  const hinted = guest.page.locator(".held-piece.suggested .tile-body");
  await hinted.waitFor({ state: "attached" });
  const cells = ((await hinted.getAttribute("d")) ?? "").split("z").filter(Boolean);
  assert.ok(cells.length >= 1 && cells.length <= 5, `${cells.length} cells`);
  await guest.recordHas(0);
});

test("there are no hints between people, even with raw commands", async (t) => {
  const [ada, bob] = [await world.guest(t), await world.guest(t)];
  await ada.create("friend", { seat: "White", clock: "5+3" });
  await bob.open(`/g/${ada.id}`);
  await bob.press("Play as black");
  await ada.status("Your turn");
  for (const guest of [ada, bob]) {
    assert.ok(await guest.button("Hint").isHidden());
    await guest.page.keyboard.press("h");
    const [, answer] = await guest.raw([{ t: "watch", game: ada.id }, { t: "hint", ply: 0 }]);
    assert.deepEqual([answer.t, answer.why], ["no", "hints are available only against bots and on one screen"]);
  }
  await eventually(async () => assert.equal(await ada.page.locator(".arrow.suggested").count(), 0));
});
