// The rules in the page: in brief in the first game, in full on request.

import assert from "node:assert/strict";
import { test } from "node:test";

import { violations } from "../axe.js";
import { arena } from "../harness.js";

const world = arena();

/** @param {import("../guest.js").Guest} guest */
const brief = (guest) => guest.page.getByRole("region", { name: "How to play" });

for (const [game, hint, rule] of /** @type {[string, RegExp, RegExp][]} */ ([
  ["Four-player chess", /Score the most points/, /Stalemate20, to the stalemated player/],
  ["Four-player teams", /Red and Yellow against Blue and Green/, /captures a king/],
  ["Blokus", /cover the corner square/, /Single square last\+5 more/],
  ["Blokus Duo", /cover the start square/, /All pieces placed\+15/],
])) {
  test(`the rules of ${game} are in the page, with a hint in the first game`, async (t) => {
    const guest = await world.guest(t);
    await guest.create("bot", { game, bot: "Random" });
    await guest.says(brief(guest), hint);
    await guest.press("Rules");
    const dialog = guest.page.getByRole("dialog", { name: `Rules of ${game}` });
    await guest.says(dialog, rule);
    assert.equal(await dialog.evaluate((node) => node.scrollTop), 0, "it opens at the top");
    assert.deepEqual(await violations(guest), []);
    await guest.page.keyboard.press("Escape");
    await brief(guest).getByRole("button", { name: "Got it" }).click();
    await brief(guest).waitFor({ state: "hidden" });
    await guest.create("bot", { game, bot: "Random" });
    await guest.button("Rules").waitFor();
    assert.ok(await brief(guest).isHidden(), "not again");
  });
}

test("on a phone the terms of the rules do not extend into what they mean", async (t) => {
  const guest = await world.guest(t, { viewport: { width: 390, height: 844 } });
  for (const game of ["Four-player chess", "Four-player teams", "Blokus", "Blokus Duo"]) {
    await guest.create("self", { game });
    await guest.press("Rules");
    const terms = guest.page.getByRole("dialog").locator("dt");
    await terms.nth(5).waitFor();
    assert.deepEqual(await terms.evaluateAll((terms) => terms.filter((term) => term.scrollWidth > term.clientWidth).map((term) => term.textContent)), [], game);
  }
});

test("chess needs no rules, and kung fu chess shows them in every game", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { bot: "Random", seat: "White" });
  await guest.status("Your turn");
  assert.ok((await guest.button("Rules").isHidden()) && (await brief(guest).isHidden()));
  for (let game = 0; game < 2; game += 1) {
    await guest.make({ game: "kung-fu", rules: "lightning", opponent: { bot: "random" }, seat: 0 });
    await guest.says(brief(guest), /No turns\./);
    await guest.abort();
    await brief(guest).waitFor({ state: "hidden" });
  }
});
