// A game that is shared by its link: two people play, a third watches.

import assert from "node:assert/strict";
import { test } from "node:test";

import { violations } from "../axe.js";
import { arena, eventually } from "../harness.js";

const world = arena();

/**
 * Ada as White and Ben as Black in one game.
 * @param {import("node:test").TestContext} t
 * @param {{clock?: string, rating?: string}} [options]
 */
async function twoAtTable(t, options = {}) {
  const [ada, ben] = [await world.guest(t), await world.guest(t)];
  await ada.create("friend", { seat: "White", ...options });
  const link = ada.page.getByRole("textbox", { name: "Link to this game" });
  await eventually(async () => assert.equal(await link.inputValue(), `${world.server.origin}/g/${ada.id}`));
  await ada.status("Waiting for a player");
  await ben.page.goto(await link.inputValue());
  await ben.ready();
  await ben.press("Play as black");
  await ada.status("Your turn");
  await ben.status("White to move");
  assert.ok(await link.isHidden());
  return { ada, ben };
}

test("two guests play by link, agree on a draw, and change seats for a rematch", async (t) => {
  const { ada, ben } = await twoAtTable(t);
  await ada.drag("e2", "e4");
  await ben.record(["e4"]);
  await ben.status("Your turn");
  await ben.click("c7", "c5");
  await ada.record(["e4", "c5"]);
  await ada.drag("g1", "f3");
  await ben.record(["e4", "c5", "Nf3"]);
  assert.deepEqual(await ada.board(), await ben.board());

  await ada.press("Offer draw");
  await ada.button("Draw offered").waitFor();
  await ben.press("Decline");
  await ada.button("Offer draw").waitFor();
  await ben.type("d6");
  await ben.press("Offer draw");
  await ada.press("Accept draw");
  for (const guest of [ada, ben]) await guest.ends("Draw", "Draw by agreement.");

  const before = ada.id;
  await ada.card.getByRole("button", { name: "Rematch" }).click();
  await ada.card.getByRole("button", { name: "Rematch offered" }).waitFor();
  await ben.card.getByRole("button", { name: "Accept rematch" }).click();
  for (const guest of [ada, ben]) await guest.page.waitForURL((url) => url.pathname.startsWith("/g/") && !url.pathname.endsWith(`/${before}`));
  assert.equal(ada.id, ben.id);
  await ben.status("Your turn");
  await ada.status("White to move");
  await ben.type("d4");
  await ada.record(["d4"]);
  await ada.status("Your turn");
});

test("a player who resigns loses, and both players see it", async (t) => {
  const { ada, ben } = await twoAtTable(t);
  await ada.type("e4");
  await ben.type("e5");
  await ben.resign();
  await ben.ends("You lost", "White wins by resignation.");
  await ada.ends("You won", "White wins by resignation.");
  await ada.card.getByRole("button", { name: "Close" }).click();
  await ada.card.waitFor({ state: "hidden" });
});

test("a game that a player leaves in the first moves is aborted, not lost", async (t) => {
  const { ada, ben } = await twoAtTable(t);
  await ada.type("e4");
  assert.ok(await ben.button("Resign").isHidden());
  await ben.abort();
  for (const guest of [ada, ben]) await guest.ends("Game aborted", "Not every player had moved, so nobody wins or loses.");
  await ben.open("/you");
  await ben.says(ben.page.getByRole("list", { name: "Games" }).getByRole("listitem"), /Aborted/);
  await ben.page.getByText("None yet.").waitFor();
});

test("a casual game does not change ratings", async (t) => {
  const ada = await world.guest(t);
  await ada.open();
  await ada.openOptions("Chess");
  const card = ada.kind("Chess");
  await ada.says(card.locator("summary"), "Beginner bot (780) · random side · no clock");
  await card.getByRole("group", { name: "Mode" }).getByRole("radio", { name: "Casual" }).check();
  await ada.says(card.locator("summary"), "Beginner bot (780) · random side · no clock · casual");
  await card.getByRole("button", { name: "Play chess" }).click();
  await ada.ready();
  await ada.says(ada.page.locator(".notes"), "This game is unrated.");
  await ada.open();
  await ada.openOptions("Chess");
  assert.ok(await card.getByRole("group", { name: "Mode" }).getByRole("radio", { name: "Casual" }).isChecked(), "the choice is remembered");
});

test("in a casual game a move is taken back if the opponent agrees", async (t) => {
  const { ada, ben } = await twoAtTable(t, { rating: "Casual", clock: "10+0" });
  const eve = await world.guest(t);
  await eve.open(`/g/${ada.id}`);
  assert.ok(await ada.button("Takeback").isDisabled(), "there is no move yet");
  assert.ok(await ada.button("Hint").isHidden());
  await ada.type("e4");
  await ben.status("Your turn");
  await ada.press("Takeback");
  assert.ok(await ada.button("Takeback requested").isDisabled());
  await ben.status("White asks to take back a move");
  await ben.says(ben.page.locator("[aria-live=polite]"), "White asks to take back a move. Your turn.");
  assert.deepEqual(await violations(ben), []);
  await eve.status("You are watching. Black to move");
  await ben.press("Decline");
  await ada.button("Takeback").waitFor();
  await ada.says(ada.page.locator("[aria-live=polite]"), "Takeback declined.");
  assert.deepEqual(await ada.moves(), ["e4"]);

  // An answer on the board declines the request.
  await ada.press("Takeback");
  await ben.button("Accept takeback").waitFor();
  await ben.type("e5");
  await ada.status("Your turn");
  assert.ok(await ben.button("Accept takeback").isHidden());
  // Accepted, the game goes back to White's latest move.
  await ada.press("Takeback");
  await ben.press("Accept takeback");
  for (const guest of [ada, ben, eve]) await guest.record([]);
  await ben.says(ben.page.locator("[aria-live=polite]"), "Move taken back.");
  await ada.sees("e2", "white pawn");
  await ada.status("Your turn");
  await ada.type("d4");
  await ben.record(["d4"]);
});

test("in a rated game people do not take back moves, and the server says why", async (t) => {
  const { ada, ben } = await twoAtTable(t);
  await ada.type("e4");
  await ben.status("Your turn");
  for (const guest of [ada, ben]) assert.ok(await guest.button("Takeback").isHidden());
  const [, refusal] = await ada.raw([{ t: "watch", game: ada.id }, { t: "takeback" }]);
  assert.deepEqual([refusal.t, refusal.why], ["no", "takebacks are available only in casual games"]);
});

test("a third guest watches and cannot move anything", async (t) => {
  const { ada, ben } = await twoAtTable(t);
  const eve = await world.guest(t);
  await eve.open(`/g/${ada.id}`);
  await eve.ready();
  await eve.status("You are watching. White to move");
  assert.deepEqual(await eve.marked("mine"), []);
  await eve.drag("e2", "e4");
  await eve.square("e2").click();
  assert.deepEqual([await eve.marked("selected"), await eve.marked("target")], [[], []]);
  for (const name of ["Resign", "Offer draw", "Takeback", "Play as black"]) assert.ok(await eve.button(name).isHidden(), name);

  const commands = [{ t: "move", move: "e2e4", ply: 0 }, { t: "sit", seat: 1 }, ...["resign", "draw", "takeback", "rematch", "claim"].map((what) => ({ t: what }))];
  const [watching, ...answers] = await eve.raw([{ t: "watch", game: ada.id }, ...commands]);
  assert.equal(watching.t, "ok");
  for (const [index, answer] of answers.entries()) {
    assert.equal(answer.t, "no", commands[index]?.t);
    assert.ok(answer.why.length > 0);
  }
  await ada.drag("d2", "d4");
  await eve.record(["d4"]);
  await ben.status("Your turn");
  await eve.status("You are watching. Black to move");
});

test("a premove is played on its turn, an illegal one is dropped", async (t) => {
  const { ada, ben } = await twoAtTable(t);
  await ben.drag("e7", "e5");
  assert.deepEqual((await ben.marked("premove")).sort(), ["e5", "e7"]);
  assert.deepEqual(await ben.moves(), []);
  await ada.drag("e2", "e4");
  await ada.record(["e4", "e5"]);
  await ben.record(["e4", "e5"]);
  assert.deepEqual(await ben.marked("premove"), []);

  await ben.click("e5", "d4"); // There will be nothing to capture.
  assert.deepEqual((await ben.marked("premove")).sort(), ["d4", "e5"]);
  await ben.notes(/^The premove is not legal$/, () => ada.drag("g1", "f3"));
  await ben.record(["e4", "e5", "Nf3"]);
  assert.deepEqual(await ben.marked("premove"), []);
  await ben.status("Your turn");

  await ben.type("Nc6");
  await ben.click("a7", "a6");
  await ben.page.keyboard.press("Escape"); // Cancels the plan.
  assert.deepEqual(await ben.marked("premove"), []);
  await ada.type("Bb5");
  await ben.status("Your turn");
});

test("a held piece stays held while the opponent moves, and an earlier position stays in view", async (t) => {
  const { ada, ben } = await twoAtTable(t);
  const [from, to] = [await ben.middle("e7"), await ben.middle("e5")];
  await ben.page.mouse.move(from.x, from.y);
  await ben.page.mouse.down();
  await ben.page.mouse.move(to.x, to.y, { steps: 3 });
  await ada.drag("e2", "e4");
  await ben.record(["e4"]);
  await ben.page.mouse.up();
  await ada.record(["e4", "e5"]);

  await ben.page.keyboard.press("Home");
  await ben.sees("e2", "white pawn");
  await ada.drag("g1", "f3");
  await ben.record(["e4", "e5", "Nf3"]);
  await ben.sees("e2", "white pawn");
  await ben.press("Back to the game");
  await ben.sees("f3", "white knight");
  await ben.drag("b8", "c6");
  await ada.record(["e4", "e5", "Nf3", "Nc6"]);
});

test("two windows of one guest show the same game", async (t) => {
  const ada = await world.guest(t);
  await ada.create("self");
  const other = await ada.window();
  await other.open(`/g/${ada.id}`);
  await other.ready();
  await ada.drag("e2", "e4");
  await other.record(["e4"]);
  await other.drag("e7", "e5");
  await ada.record(["e4", "e5"]);
  other.assertClean();
});

test("a name with markup is shown as text", async (t) => {
  const name = "<img src=x onerror=a()>";
  const ada = await world.guest(t);
  await ada.open();
  await ada.page.getByRole("button", { name: /^Your name: Guest \d+/ }).click();
  await ada.page.getByRole("textbox", { name: "Your name" }).fill(name);
  await ada.press("Save");
  await ada.button(`Your name: ${name} (change)`).waitFor();
  await ada.create("friend", { seat: "White" });
  const ben = await world.guest(t);
  await ben.open(`/g/${ada.id}`);
  for (const guest of [ada, ben]) {
    await guest.says(guest.page.getByRole("group", { name: /^white: / }).locator(".name"), name);
    assert.equal(await guest.page.locator("img:not(.qr)").count(), 0);
  }
  await ada.page.reload();
  await ada.button(`Your name: ${name} (change)`).waitFor();
});
