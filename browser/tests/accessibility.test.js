// Accessibility: what axe-core finds on each view, in both themes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LOOKS, violations } from "../axe.js";
import { arena } from "../harness.js";

const world = arena();

for (const { device, viewport, colorScheme } of LOOKS) {
  test(`axe finds nothing on any view, ${colorScheme}, ${device}`, async (t) => {
    const guest = await world.guest(t, { colorScheme, viewport });
    /** @type {Record<string, string[]>} */
    const found = {};
    const check = async (/** @type {string} */ view) => (found[view] = await violations(guest));
    await guest.open();
    await guest.button("Play chess").waitFor();
    await guest.page.getByRole("img", { name: /^A live game: / }).waitFor();
    await check("landing");

    await guest.create("friend", { seat: "White" });
    await check("invitation");

    await guest.create("self", { clock: "5+3" });
    await guest.type("b4", "a5", "bxa5", "b6", "axb6", "Nf6", "b7", "Ng8");
    await check("game");
    await guest.square("b7").click();
    await check("picked up");
    await guest.square("a8").click();
    await guest.page.getByRole("dialog").waitFor();
    await check("picker");
    await guest.page.keyboard.press("Escape");
    await guest.notes(/pawn/, () => guest.drag("b7", "b6"));
    await check("refusal");
    await guest.press("First position");
    await guest.button("Back to the game").waitFor();
    await check("earlier position");
    await guest.press("Back to the game");
    await guest.resign();
    await guest.card.waitFor();
    await check("end");

    await guest.page.keyboard.press("?");
    await guest.page.getByRole("dialog").waitFor();
    await check("help");

    await guest.create("friend", { game: "Four-player chess", seat: "Red" });
    await check("invitation for three friends");
    await guest.create("self", { game: "Four-player chess", clock: "5+3" });
    await guest.type("g2-g3", "b9-c9", "d13-d12", "m7-l7", "Bf1xl7", "Qa8xf13");
    await guest.status("Green to move");
    await check("four players, one eliminated");
    await guest.resign();
    await guest.status("Red to move");
    await guest.resign();
    await guest.card.waitFor();
    await check("standings");

    await guest.make({ game: "kung-fu-12x12", rules: "lightning", opponent: { bot: "random" }, seat: 0 });
    await guest.begins();
    await guest.square("k6").click();
    await check("real-time game");

    await guest.create("self", { game: "Blokus Duo", clock: "5+3" });
    await guest.type("e10,e9,f9");
    await check("pieces to place");
    await guest.pick("X5");
    await guest.point("b2");
    await guest.page.locator(".verdict").waitFor();
    await check("a piece that does not fit");
    await guest.page.keyboard.press("c");
    await guest.page.keyboard.press("n");
    await guest.heldPieceIs("fits");
    await check("a piece that fits");

    await guest.open("/study");
    await guest.ready();
    await guest.fact("Hanging").waitFor();
    await guest.paste("1. e4 {first} e5 (1... c5! 2. Nf3) 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0");
    await guest.recordHas(9);
    for (const key of ["a", "c", "l", "r"]) await guest.page.keyboard.press(key);
    await guest.page.keyboard.press("End");
    await guest.status(/checkmate/);
    await check("study");
    await guest.page.keyboard.press("j");
    await guest.page.locator(".graph-mark.blunder").waitFor();
    await guest.page.keyboard.press("ArrowLeft");
    await guest.says(guest.page.locator(".bar-score"), "M1");
    await guest.engineIsDone();
    await guest.page.locator(".graph-progress").waitFor({ state: "hidden" });
    await check("study with lines and mistakes");
    await guest.press("Load…");
    await check("loading");
    await guest.press("Cancel");
    await guest.press("Share…");
    await guest.page.getByRole("dialog").waitFor();
    await check("sharing");
    await guest.press("Close");
    await guest.press("Set up");
    await guest.press("Empty board");
    await guest.says(guest.page.locator(".errors"), /no king/);
    await check("setting up");
    const clean = Object.fromEntries(Object.keys(found).map((view) => [view, []]));
    assert.deepEqual(found, clean);
  });
}
