// Your games: results, ratings, and how to return to each game.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually, KILLED, WINDOWS } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

/** @param {Guest} guest */
const rows = (guest) => guest.page.getByRole("list", { name: "Games" }).getByRole("listitem");

/** Reloads the list until its first line matches: a game is settled a moment after its end. @param {Guest} guest @param {RegExp} text */
async function listed(guest, text) {
  await eventually(async () => {
    await guest.open("/you");
    await rows(guest).first().waitFor();
    assert.match((await rows(guest).first().textContent()) ?? "", text);
  });
}

test("a game against a bot is listed with its result and rating, and can be replayed", async (t) => {
  const guest = await world.guest(t);
  await guest.open("/you");
  await guest.page.getByText("You have not played any games yet.").waitFor();
  await guest.create("bot", { bot: "Random", seat: "White" });
  await guest.type("e4");
  await guest.recordHas(2);
  await guest.status("Your turn");
  await guest.page.getByRole("link", { name: "Your games" }).click();
  await guest.says(rows(guest), /In progress.*Resume$/);
  await guest.page.getByRole("button", { name: /^Resume Guest \d+ – Random: Chess/ }).click();
  await guest.status("Your turn");
  await guest.resign();
  await guest.ends("You lost", "Black wins by resignation.");

  await listed(guest, /^Guest \d+ – RandomChessBlack wins by resignation.*Lost −\d+Replay$/);
  const mine = guest.page.getByRole("list", { name: "Ratings" });
  await guest.says(mine, /^Chess\d+\?.*1 game$/);
  await guest.says(guest.page.getByRole("list", { name: "Leaderboard" }), /Random bot400400 ±50$/);
  await guest.page.getByRole("button", { name: /^Replay Guest \d+ – Random: Chess, Lost$/ }).click();
  await guest.says(guest.page.getByRole("region", { name: "Replay" }).locator(".replay-time"), "0 of 2");
  await guest.sees("e2", "white pawn");
});

test("two guests each see their own result, and a game on one screen is unrated", async (t) => {
  const [ada, ben] = [await world.guest(t), await world.guest(t)];
  await ada.create("friend", { seat: "White" });
  await ben.open(`/g/${ada.id}`);
  await ben.press("Play as black");
  await ada.type("f3");
  await ben.type("e5");
  await ada.type("g4");
  await ben.type("Qh4#");
  await ada.ends("You lost", "Black wins by checkmate.");
  await listed(ben, /Won \+100Replay$/);
  await listed(ada, /Lost −100Replay$/);
  await world.server.kill();
  ada.expected = ben.expected = KILLED;
  await world.server.open();
  await listed(ada, /Lost −100Replay$/);

  await ada.create("self");
  await ada.says(ada.page.locator(".notes"), "This game is unrated.");
  await ada.type("f3", "e5", "g4", "Qh4#");
  await listed(ada, /Black wins by checkmate.*FinishedReplay$/);
  assert.equal(await rows(ada).count(), 2);
});

test("players have ratings, and the result shows how they changed", async (t) => {
  const [ada, ben] = [await world.guest(t), await world.guest(t)];
  await ada.create("friend", { seat: "White" });
  const standing = (/** @type {Guest} */ guest, /** @type {string} */ seat) => guest.page.getByRole("group", { name: new RegExp(`^${seat}: `) }).locator(".standing");
  await ada.status("Waiting for a player");
  assert.equal(await standing(ada, "white").textContent(), "");
  await ben.open(`/g/${ada.id}`);
  await ben.press("Play as black");
  for (const guest of [ada, ben]) for (const seat of ["white", "black"]) await guest.says(standing(guest, seat), "1500?1500 ±350");
  await ada.type("f3");
  await ben.type("e5");
  await ada.type("g4");
  await ben.type("Qh4#");
  await ben.says(ben.card.locator(".rated"), /^Your rating 1600\?1600 ±\d+, \+100 \(provisional\)$/);
  await ada.says(ada.card.locator(".rated"), /^Your rating 1400\?1400 ±\d+, −100 \(provisional\)$/);
  for (const guest of [ada, ben]) await guest.says(standing(guest, "black"), /^1600\?.* \+100$/);

  await ada.create("bot", { bot: "Random", seat: "White" });
  await ada.says(standing(ada, "white"), /^1400\?/);
  await ada.says(standing(ada, "black"), "400400 ±50");
  await ada.type("e4");
  await ada.status("Your turn");
  await ada.press("Takeback");
  await ada.says(ada.page.locator(".notes"), "This game is unrated.");
  for (const seat of ["white", "black"]) assert.equal(await standing(ada, seat).textContent(), "");
});

test("names are not truncated next to ratings and what has changed them", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { bot: "Random", seat: "White", clock: "15+10" });
  await guest.type("e4");
  await guest.recordHas(2);
  await guest.status("Your turn");
  await guest.resign();
  await guest.page.locator(".mine .change").waitFor({ state: "attached" });
  for (const viewport of WINDOWS) {
    await guest.page.setViewportSize(viewport);
    await guest.playersAreComplete();
  }
  await guest.make({ game: "kung-fu", rules: "lightning", opponent: { bot: "random" }, seat: 0 });
  await guest.begins();
  await guest.click("e2", "e4");
  await guest.sees("e4", "white pawn");
  await guest.resign();
  await guest.page.locator(".mine .change").waitFor({ state: "attached" });
  for (const viewport of WINDOWS) {
    await guest.page.setViewportSize(viewport);
    await guest.playersAreComplete();
    const name = guest.page.locator(".mine .name");
    assert.ok(((await name.boundingBox())?.height ?? 99) < 30, "the name is in one line");
  }
});

test("on a phone a menu leads to all pages, and nothing is too wide", async (t) => {
  const guest = await world.guest(t, { viewport: { width: 390, height: 800 }, hasTouch: true });
  await guest.open();
  const menu = guest.button("Menu");
  const places = guest.page.getByRole("navigation", { name: "Main" });
  for (const width of [320, 390, 640]) {
    await guest.page.setViewportSize({ width, height: 800 });
    assert.ok(await places.isHidden());
    await menu.click();
    for (const name of ["Lobby", "Study", "Your games"]) assert.ok(await places.getByRole("link", { name, exact: true }).isVisible(), name);
    const over = await guest.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${over} pixels too wide at ${width}`);
    assert.equal(await menu.getAttribute("aria-expanded"), "true");
    await guest.page.keyboard.press("Escape");
    assert.ok(await places.isHidden());
    assert.ok(await menu.evaluate((node) => node === document.activeElement));
  }
  await menu.click();
  await guest.page.mouse.click(40, 700);
  assert.ok(await places.isHidden());
  await menu.click();
  await places.getByRole("link", { name: "Your games" }).click();
  await guest.page.getByRole("heading", { name: "Your games", exact: true }).waitFor();
  assert.ok(await places.isHidden());
  await guest.page.setViewportSize({ width: 1280, height: 800 });
  assert.ok((await places.isVisible()) && (await menu.isHidden()));
});
