// The game of docs/guide/adding-a-game.md in the arena. Run by `./test guide`, with a binary that has this game.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena } from "./harness.js";

const world = arena();

test("a game without bots is played on one screen, and inspected", async (t) => {
  const guest = await world.guest(t);
  await guest.open();
  const card = await guest.chooseKind("Hexapawn");
  assert.deepEqual(await card.getByRole("button").allTextContents(), ["A friend", "Same screen"]);
  await guest.create("self", { game: "Hexapawn" });
  await guest.sees("a3", "black pawn");
  await guest.click("b1", "b2");
  await guest.sees("b2", "white pawn");
  await guest.click("a3", "b2");
  await guest.sees("b2", "black pawn");
  await guest.click("a1", "b2");
  if (process.env.PICTURE) await guest.page.screenshot({ path: process.env.PICTURE });
  await guest.click("c3", "b2");
  await guest.click("c1", "b2");
  await guest.ends("Game over", "White wins by stalemate.");
  await guest.open("/environments?of=hexapawn");
  await guest.page.getByText('fourfold.make("hexapawn"').waitFor({ state: "attached" });
});
