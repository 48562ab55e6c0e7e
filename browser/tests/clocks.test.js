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

test("a custom clock with a delay is entered once, remembered, and stands still during the delay", async (t) => {
  const guest = await world.guest(t);
  await guest.open();
  await guest.openOptions("Chess");
  const card = guest.kind("Chess");
  const custom = card.getByRole("group", { name: "Custom clock" });
  assert.ok(await custom.isHidden());
  await card.getByRole("radio", { name: "1+0", exact: true }).check();
  await guest.says(card.locator("summary"), "Beginner bot (780) · random side · 1+0");
  await card.getByRole("radio", { name: "Custom", exact: true }).check();
  await guest.says(card.locator("summary"), "Beginner bot (780) · random side · 5 d3");
  for (const [field, value] of [["Minutes", "1"], ["Seconds", "15"], ["Increment", "2"], ["Delay", "600"]]) await custom.getByLabel(field ?? "").fill(value ?? "");
  await guest.says(card.locator("summary"), "Beginner bot (780) · random side · 1:15+2 d600");
  await guest.create("self");
  await guest.type("e4", "e5");
  const white = clock(guest, "white");
  await eventually(async () => assert.ok(await white.runs()));
  // Without the delay, two seconds would show on the clock.
  await guest.page.waitForTimeout(2500);
  assert.deepEqual([await white.text(), await clock(guest, "black").text()], ["1:15", "1:17"]);
  await guest.type("Nf3");
  await eventually(async () => assert.equal(await white.text(), "1:17"));

  // The lobby offers the same clock.
  await guest.open("/lobby");
  const form = guest.page.getByRole("region", { name: "New open game" });
  await form.getByRole("combobox", { name: "Clock" }).selectOption("Custom");
  assert.equal(await form.getByLabel("Delay").inputValue(), "600");
  await form.getByLabel("Increment").fill("0");
  await form.getByRole("button", { name: "Create game" }).click();
  await guest.status("Waiting for a player");
  const other = await guest.window();
  await other.open("/lobby");
  await other.says(other.page.getByRole("list", { name: "Open games" }).getByRole("listitem"), /Chess1:15 d600/);
  other.assertClean();
  await guest.press("Cancel game");
  await guest.openOptions("Chess");
  assert.ok(await card.getByRole("radio", { name: "Custom", exact: true }).isChecked());
  assert.deepEqual(await custom.getByRole("spinbutton").evaluateAll((inputs) => inputs.map((input) => /** @type {HTMLInputElement} */ (input).value)), ["1", "15", "0", "600"]);
  // The server says what it does not accept.
  for (const field of ["Minutes", "Seconds"]) await custom.getByLabel(field).fill("0");
  await card.getByRole("button", { name: "Two players, same screen" }).click();
  await guest.says(guest.page.locator(".toast"), "Expected an initial time from one second to 24 hours.");
});
