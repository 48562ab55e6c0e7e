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
  await guest.hint();
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

for (const viewport of [{ width: 1440, height: 900 }, { width: 820, height: 1180 }, { width: 390, height: 844 }, { width: 844, height: 390 }]) {
  test(`a hint warns that the game becomes unrated, and moves no button, ${viewport.width} by ${viewport.height}`, async (t) => {
    const guest = await world.guest(t, { viewport });
    await guest.create("bot", { bot: "Random", seat: "White", clock: "5+3" });
    await guest.status("Your turn");
    const notes = guest.page.locator(".notes");
    await guest.says(notes, "Rated. A hint or takeback makes it unrated.");
    const places = async () => [await guest.button("Hint").boundingBox(), await guest.button("Offer draw").boundingBox(), await guest.button("Abort game").boundingBox()];
    await guest.button("Hint").scrollIntoViewIfNeeded();
    await guest.page.evaluate(() => scrollTo(0, 0));
    const before = await places();
    await guest.page.keyboard.press("h");
    const dialog = guest.page.getByRole("dialog", { name: "Show a hint?" });
    await dialog.getByText("The game will no longer be rated.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await guest.says(notes, /^Rated/);
    assert.equal(await guest.page.locator(".arrow.suggested").count(), 0);
    assert.deepEqual(await places(), before);
    await guest.page.keyboard.press("h");
    await guest.page.keyboard.press("Enter");
    await hinted(guest);
    await guest.says(notes, "This game is unrated.");
    assert.deepEqual(await places(), before, "a second click hits the same button");
    await guest.page.keyboard.press("h");
    await guest.page.locator(".arrow.suggested").waitFor({ state: "detached" });
    await guest.page.keyboard.press("h"); // It is unrated already.
    await hinted(guest);
  });
}
