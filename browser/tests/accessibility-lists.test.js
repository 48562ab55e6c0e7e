// Accessibility: what axe-core finds on pages of lists and on replays, in both themes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LOOKS, violations } from "../axe.js";
import { arena } from "../harness.js";

const world = arena();

for (const { device, viewport, colorScheme } of LOOKS) {
  test(`axe finds nothing on lists and replays, ${colorScheme}, ${device}`, async (t) => {
    const guest = await world.guest(t, { colorScheme, viewport });
    /** @type {Record<string, string[]>} */
    const found = {};
    const check = async (/** @type {string} */ view) => (found[view] = await violations(guest));
    await guest.open("/lobby");
    await guest.page.getByText("No open games.").waitFor();
    await check("lobby");
    await guest.create("self");
    await guest.open("/you");
    await guest.page.getByRole("list", { name: "Games" }).getByRole("listitem").first().waitFor();
    await check("your games");
    await guest.open("/replay");
    await guest.page.getByRole("heading", { name: "Open a game file" }).waitFor();
    await check("open a game file");
    await guest.paste("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0");
    await guest.page.getByRole("region", { name: "Replay" }).waitFor();
    await guest.page.keyboard.press("Home");
    await guest.card.waitFor({ state: "hidden" });
    await check("replay");
    const clean = Object.fromEntries(Object.keys(found).map((view) => [view, []]));
    assert.deepEqual(found, clean);
  });
}
