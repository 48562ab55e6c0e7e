// Your games: results, ratings, and the way back into each.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

/** @param {Guest} guest */
const rows = (guest) => guest.page.getByRole("list", { name: "Games" }).getByRole("listitem");

/** Opens the list anew until its first line is like this: a game is settled a moment after its end. @param {Guest} guest @param {RegExp} text */
async function listed(guest, text) {
  await eventually(async () => {
    await guest.open("/you");
    await rows(guest).first().waitFor();
    assert.match((await rows(guest).first().textContent()) ?? "", text);
  });
}

test("a game against a bot is in the list with its result and rating, and is played again from there", async (t) => {
  const guest = await world.guest(t);
  await guest.open("/you");
  await guest.page.getByText("You have not played yet.").waitFor();
  await guest.create("bot", { bot: "Random", seat: "White" });
  await guest.type("e4");
  await guest.recordHas(2);
  await guest.status("Your turn");
  await guest.page.getByRole("link", { name: "Your games" }).click();
  await guest.says(rows(guest), /Going on.*Go on$/);
  await guest.page.getByRole("button", { name: /^Go on with Guest \d+ – Random: Chess/ }).click();
  await guest.status("Your turn");
  await guest.resign();
  await guest.ends("You lost", "Black wins by resignation.");

  await listed(guest, /^Guest \d+ – RandomChessblack wins by resignation.*Lost −\d+Replay$/);
  const mine = guest.page.getByRole("list", { name: "Ratings" });
  await guest.says(mine, /^Chess\d+\?.*1 game$/);
  await guest.says(guest.page.getByRole("list", { name: "Ladder" }), /^Random bot8\d\d/);
  await guest.page.getByRole("button", { name: /^Replay Guest \d+ – Random: Chess, Lost$/ }).click();
  await guest.says(guest.page.getByRole("region", { name: "Replay" }).locator(".where"), "0 of 2");
  await guest.sees("e2", "white pawn");
});

test("two guests see their game each from their side, and a game at one board does not count", async (t) => {
  const [ada, ben] = [await world.guest(t), await world.guest(t)];
  await ada.create("friend", { seat: "White" });
  await ben.open(`/g/${ada.id}`);
  await ben.press("Play as black");
  await ada.type("f3");
  await ben.type("e5");
  await ada.type("g4");
  await ben.type("Qh4#");
  await ada.ends("You lost", "Black wins by checkmate.");
  await listed(ben, /Won \+162Replay$/);
  await listed(ada, /Lost −162Replay$/);
  await world.server.kill();
  ada.expected = ben.expected = /WebSocket|ERR_CONNECTION_REFUSED/;
  await world.server.open();
  await listed(ada, /Lost −162Replay$/);

  await ada.create("self");
  await ada.says(ada.page.locator(".notes"), "This game does not count for ratings.");
  await ada.type("f3", "e5", "g4", "Qh4#");
  await listed(ada, /black wins by checkmate.*OverReplay$/);
  assert.equal(await rows(ada).count(), 2);
});
