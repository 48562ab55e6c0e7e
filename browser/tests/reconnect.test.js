// Returning to a game: after a reload, and after the server was killed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually, KILLED } from "../harness.js";

const world = arena();

test("a reload restores the game", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { bot: "Greedy", seat: "Black", clock: "5+3" });
  await guest.recordHas(1);
  await guest.status("Your turn");
  await guest.type("e5");
  await guest.recordHas(3);
  await guest.status("Your turn");
  const [board, moves] = [await guest.board(), await guest.moves()];

  await guest.page.reload();
  await guest.record(moves);
  await guest.status("Your turn");
  assert.deepEqual(await guest.board(), board);
  assert.match((await guest.page.getByRole("group", { name: /^black: / }).textContent()) ?? "", /Black, you/);
  assert.ok((await guest.middle("e8")).y > (await guest.middle("e1")).y);
  const clock = guest.page.getByRole("timer", { name: "black clock" });
  assert.match((await clock.textContent()) ?? "", /^[45]:\d\d$/);
  await guest.type("Nc6"); // Whatever the bot has played.
  await guest.recordHas(5);
});

test("the browser's back and forward buttons lead to the same games", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  await guest.type("e4");
  await guest.page.goBack();
  await guest.button("Play chess").waitFor();
  await guest.page.goForward();
  await guest.record(["e4"]);
  await guest.type("e5");
});

test("a game that does not exist is reported as not found", async (t) => {
  const guest = await world.guest(t);
  guest.expected = /404/;
  const response = await guest.page.goto(`${guest.origin}/g/nothinghere0`);
  assert.equal(response?.status(), 404);
  await guest.page.getByRole("heading", { name: "Game not found" }).waitFor();
  await guest.page.getByRole("main").getByRole("link", { name: /^Play/ }).click();
  await guest.button("Play chess").waitFor();
  await guest.create("self");
  assert.equal((await guest.page.goto(`${guest.origin}/g/${guest.id}`))?.status(), 200);
  await guest.ready();
});

test("play continues after the server was killed", async (t) => {
  const [ada, ben] = [await world.guest(t), await world.guest(t)];
  for (const guest of [ada, ben]) guest.expected = KILLED;
  await ada.create("friend", { seat: "White", clock: "10+0" });
  await ben.open(`/g/${ada.id}`);
  await ben.press("Play as black");
  await ada.status("Your turn");
  await ada.type("d4");
  await ben.record(["d4"]);
  await ben.type("d5");
  await ada.record(["d4", "d5"]);
  const board = await ada.board();

  await world.server.kill();
  const lost = (/** @type {import("../guest.js").Guest} */ guest) => guest.page.getByText("Connection lost. Reconnecting…");
  for (const guest of [ada, ben]) await lost(guest).waitFor();
  await ada.notes(/connect/i, () => ada.drag("c2", "c4"));
  await ada.pieceIsDrawnOn("c2");

  await world.server.open();
  for (const guest of [ada, ben]) await lost(guest).waitFor({ state: "hidden" });
  await ada.status("Your turn");
  assert.deepEqual(await ada.board(), board);
  await ada.drag("c2", "c4");
  await ben.record(["d4", "d5", "c4"]);
  await ben.drag("d5", "c4");
  await ada.record(["d4", "d5", "c4", "dxc4"]);
  const clock = ada.page.getByRole("timer", { name: "white clock" });
  await eventually(async () => assert.match((await clock.textContent()) ?? "", /^(9|10):\d\d$/));
});
