// The engine of the study board: the evaluation, the best lines, and the mistakes of a game.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually } from "../harness.js";

const world = arena();

const MATE_IN_TWO = "2r3k1/5ppp/8/8/8/8/3R4/K2R4 w - - 0 1";
const MATED = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";

/** @typedef {import("../guest.js").Guest} Guest */

/**
 * @param {Guest} guest
 * @param {string} [fen]
 */
async function study(guest, fen) {
  await guest.open(fen ? `/study?fen=${encodeURIComponent(fen)}` : "/study");
  await guest.ready();
  await guest.fact("Hanging").waitFor();
}

/** @param {Guest} guest */
const bar = (guest) => guest.page.locator(".bar");
/** @param {Guest} guest */
const current = (guest) => guest.page.locator(".move[aria-current]");

/** @param {Guest} guest */
async function judged(guest) {
  await guest.page.locator(".graph-box").waitFor();
  await guest.says(guest.page.locator(".graph-legend"), /^Evaluation \S+, White \d+%$/);
  await guest.page.locator(".graph-progress").waitFor({ state: "hidden" });
}

test("a mate in two is shown in the bar and the first line, and its moves can be clicked", async (t) => {
  const guest = await world.guest(t);
  await study(guest, MATE_IN_TWO);
  await guest.engineIsDone();
  await eventually(async () => assert.equal(await bar(guest).getAttribute("aria-label"), "Evaluation: White mates in 2; White's winning chances: 100%"));
  await guest.says(guest.page.locator(".bar-score"), "M2");
  const [first, second] = await guest.lines();
  assert.deepEqual(first, ["Rd8+", "Rxd8", "Rxd8#"]);
  await guest.page.locator(".line").first().hover();
  const arrow = guest.page.locator(".arrow.suggested");
  assert.deepEqual([await arrow.getAttribute("data-from"), await arrow.getAttribute("data-to")], ["d2", "d8"]);

  await guest.page.locator(".line").first().getByRole("button", { name: "Play to 1, Rxd8", exact: true }).click();
  await guest.record(["Rd8+", "Rxd8"]);
  await guest.says(current(guest), "Rxd8");
  await guest.says(guest.page.locator(".bar-score"), "M1");
  await guest.page.keyboard.press("Home");
  await eventually(async () => assert.deepEqual((await guest.lines())[1], second));
  await guest.page.locator(".line").nth(1).getByRole("button").first().click();
  await guest.record(["Rd8+", second?.[0] ?? "", "Rxd8"]);
  await guest.says(current(guest), second?.[0] ?? "");
  await guest.press("Undo");
  await guest.record(["Rd8+", "Rxd8"]);
});

test("the engine is switched off by key, stays off, and is switched on by its button", async (t) => {
  const guest = await world.guest(t);
  await study(guest, MATE_IN_TWO);
  await guest.engineIsDone();
  await guest.page.keyboard.press("v");
  await bar(guest).waitFor({ state: "hidden" });
  /** @type {string[]} */
  const asked = [];
  guest.page.on("request", (request) => asked.push(request.postData() ?? ""));
  await study(guest);
  await guest.page.locator(".graph-legend:not(:empty)").waitFor();
  assert.ok(await bar(guest).isHidden());
  const engine = guest.page.getByRole("button", { name: "Engine" });
  assert.equal(await engine.getAttribute("aria-pressed"), "false");
  assert.deepEqual(asked.filter((body) => body.includes('"analyze"')), []);
  await engine.click();
  await guest.says(guest.page.locator(".bar-score"), "M2");
});

test("after stepping through a game, the evaluation is that of the last position", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  await guest.paste("1. f3 e5 2. g4 Qh4# 0-1");
  await guest.recordHas(4);
  for (let step = 0; step < 4; step += 1) await guest.page.keyboard.press("ArrowRight");
  await guest.says(current(guest), "Qh4#");
  await guest.says(guest.page.locator(".engine-about"), "game over");
  await guest.says(guest.page.locator(".bar-score"), "0–1");
  assert.deepEqual(await guest.lines(), []);
  await guest.page.keyboard.press("ArrowLeft");
  await guest.says(guest.page.locator(".bar-score"), "M1");
  assert.equal((await guest.lines())[0]?.[0], "Qh4#");
  await guest.page.keyboard.press("f");
  assert.match((await bar(guest).getAttribute("class")) ?? "", /turned/);
});

test("a blunder is marked in the moves and in the graph, with its threshold", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  await guest.paste(MATED);
  await guest.recordHas(7);
  await guest.press(/^Mistakes/);
  await judged(guest);
  const moves = await guest.moves();
  assert.equal(moves[5], "Nf6??");
  assert.equal(moves[6], "Qxf7#");
  const mark = guest.page.locator('.graph-mark.blunder[data-ply="6"]');
  assert.match((await mark.getAttribute("title")) ?? "", /^Blunder: Nf6 lowers the winning chances by \d+% \(.+ to M1\); best was .+ \(blunder: 20% or more\)$/);
  await mark.click();
  await guest.says(current(guest), "Nf6??");
  await guest.says(guest.page.locator(".graph-legend"), "Evaluation M1, White 100%");
  assert.match((await current(guest).getAttribute("aria-label")) ?? "", /^3, black Nf6, Blunder: /);

  await guest.page.keyboard.press("j");
  await eventually(async () => assert.equal((await guest.moves())[5], "Nf6"));
  assert.equal(await guest.page.locator(".graph-mark").count(), 0);
  await guest.says(guest.page.locator(".graph-legend"), /^Material/);
});

test("annotations of a game are kept, and mistakes stay on for the next game", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  await guest.page.keyboard.press("j");
  await guest.paste(MATED.replace("Nf6", "Nf6!"));
  await guest.recordHas(7);
  await judged(guest);
  assert.equal((await guest.moves())[5], "Nf6!");
  await study(guest);
  await guest.paste(MATED);
  await eventually(async () => assert.equal((await guest.moves())[5], "Nf6??"));
});

test("going to another position cancels the analysis of the previous one", async (t) => {
  const guest = await world.guest(t);
  const thinks = (/** @type {import("playwright-core").Request} */ request, /** @type {string} */ moves) =>
    Boolean(request.postData()?.includes('"analyze"') && request.postData()?.includes(`"moves":${moves}`));
  // The analysis of the start never ends.
  await guest.page.route(/\/study\?v=/, (route) => (thinks(route.request(), "[]") ? undefined : route.continue()));
  const asked = guest.page.waitForRequest((request) => thinks(request, "[]"));
  const broken = guest.page.waitForEvent("requestfailed", (request) => thinks(request, "[]"));
  await study(guest);
  await asked;
  await guest.says(guest.page.locator(".engine-about"), "thinking…");
  await guest.drag("e2", "e4");
  await broken;
  await guest.says(guest.page.locator(".engine-about"), /^depth/);
  assert.equal((await guest.lines()).length, 3);
});
