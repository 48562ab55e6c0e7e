// Clocks: they run for the side to move, gain the increment, and end the game.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually } from "../harness.js";

const world = arena();

/**
 * @param {import("../guest.js").Guest} guest
 * @param {string} seat
 */
function clock(guest, seat) {
  const face = guest.page.getByRole("timer", { name: `${seat} clock` });
  return {
    text: () => face.textContent(),
    runs: async () => ((await face.getAttribute("class")) ?? "").split(" ").includes("running"),
    /** Seconds. */
    async left() {
      const parts = ((await face.textContent()) ?? "").split(":").map(Number);
      return parts.reduce((sum, part) => 60 * sum + part, 0);
    },
  };
}

test("a clock of 3+2 counts down for the player to move", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { clock: "3+2" });
  const [white, black] = [clock(guest, "white"), clock(guest, "black")];
  assert.deepEqual([await white.text(), await black.text()], ["3:00", "3:00"]);
  await guest.type("e4", "e5");
  await eventually(async () => assert.ok(await white.runs()));
  assert.ok(!(await black.runs()));
  const [before, resting] = [await white.left(), await black.left()];
  await eventually(async () => assert.ok((await white.left()) <= before - 2));
  assert.equal(await black.left(), resting);
  await guest.type("Nf3");
  await eventually(async () => assert.ok(await black.runs()));
  assert.ok(!(await white.runs()));
  const [stopped, running] = [await white.left(), await black.left()];
  await eventually(async () => assert.ok((await black.left()) <= running - 2));
  assert.equal(await white.left(), stopped, "it does not run");
  await guest.resign();
  await guest.ends("Game over", "White wins by resignation.");
  await eventually(async () => assert.deepEqual([await white.runs(), await black.runs()], [false, false]));
});

test("running out of time ends the game", async (t) => {
  const guest = await world.guest(t);
  await guest.open();
  const [made] = await guest.raw([{ t: "create", game: "chess", opponent: "self", seat: null, clock: { initial: 1000, increment: 0 } }]);
  assert.equal(made.t, "ok");
  await guest.open(`/g/${made.game}`);
  await guest.ready();
  await guest.drag("e2", "e4");
  await guest.ends("Game over", /^White wins .*time/);
  assert.equal(await clock(guest, "black").text(), "0.0");
  assert.deepEqual(await guest.marked("mine"), []);
});

test("a game without clocks shows none", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { clock: "None" });
  assert.equal(await guest.page.getByRole("timer").count(), 0);
});

test("an earlier position shows the clocks of its move, also in a replay", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { clock: "3+2" });
  const [white, black] = [clock(guest, "white"), clock(guest, "black")];
  await guest.type("e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6");
  await guest.press("First position");
  await eventually(async () => assert.deepEqual([await white.text(), await black.text()], ["3:00", "3:00"]));
  assert.deepEqual([await white.runs(), await black.runs()], [false, false]);
  await guest.press("Back to the game");
  await eventually(async () => assert.ok(await white.runs()));
  await guest.resign();
  await guest.ends("Game over", "Black wins by resignation.");
  const end = [await white.text(), await black.text()];
  assert.notDeepEqual(end, ["3:00", "3:00"]);
  await guest.open(`/g/${guest.id}?ply=0`);
  await guest.ready();
  await eventually(async () => assert.deepEqual([await white.text(), await black.text()], ["3:00", "3:00"]));
  await guest.press("Next move");
  await guest.says(guest.page.locator(".replay-time"), "1 of 6");
  await eventually(async () => assert.match((await white.text()) ?? "", /^3:0\d$|^2:/));
  assert.equal(await black.text(), "3:00");
  await guest.page.keyboard.press("End");
  await eventually(async () => assert.deepEqual([await white.text(), await black.text()], end));
});
