// Studies of files with several games, of links with a FEN, and games that start from a studied position.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually, WINDOWS } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

const GAMES = `[White "Ada"]
[Black "Ben"]
[Date "2026.01.02"]
[Result "1-0"]

1. e4 e5 1-0

[White "Cleo"]
[Black "Dan"]
[Result "*"]

1. d4 d5 2. Qd8 e6 *

[White "Eve"]
[Black "Fay"]
[Result "0-1"]

1. c4 0-1
`;

/** @param {Guest} guest */
async function study(guest, path = "/study") {
  await guest.open(path);
  await guest.ready();
}

test("each game of a file can be chosen, and the moves before an error are kept", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  const games = guest.page.getByRole("combobox", { name: "Game in the file" });
  assert.ok(await games.isHidden());
  await guest.paste(GAMES);
  await guest.record(["e4", "e5"]);
  assert.deepEqual(await games.locator("option").allTextContents(), ["1. Ada – Ben, 2026.01.02, 1-0", "2. Cleo – Dan, *", "3. Eve – Fay, 0-1"]);
  await games.selectOption({ index: 1 });
  await guest.record(["d4", "d5"]);
  await guest.says(guest.page.locator(".toast"), /^The moves before an error were kept: line \d+, column \d+: .*Qd8/);
  await guest.says(guest.page.locator(".study-title"), "Cleo – Dan");
  // The place of the error stays in the panel, and the games can be chosen after a reload.
  const problems = guest.page.locator(".problems");
  await guest.says(problems, /line \d+, column \d+: .*Qd8/);
  await guest.page.reload();
  await guest.record(["d4", "d5"]);
  await guest.says(problems, /line \d+, column \d+: .*Qd8/);
  assert.equal(await games.inputValue(), "1");
  await games.selectOption({ index: 2 });
  await guest.record(["c4"]);
  await problems.waitFor({ state: "hidden" });
  await guest.press("Undo");
  await guest.record(["d4", "d5"]);
  assert.equal(await games.inputValue(), "1");
  await guest.says(problems, /Qd8/);
  await guest.press("New");
  await games.waitFor({ state: "hidden" });
  await problems.waitFor({ state: "hidden" });
});

test("of a file with more games than are listed, each can be chosen by its number", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  const games = guest.page.getByRole("combobox", { name: "Game in the file" });
  const number = guest.page.getByRole("spinbutton", { name: /^Game/ });
  const title = guest.page.locator(".study-title");
  assert.ok(await number.isHidden());
  await guest.paste(Array.from({ length: 1001 }, (_, index) => `[White "${index + 1}"]\n\n1. e4 *\n\n`).join(""));
  await guest.says(title, "1 – ?");
  await guest.says(guest.page.locator("label", { has: number }), "Game  of 1,001");
  const choose = async (/** @type {string} */ text, /** @type {string} */ chosen) => {
    await number.fill(text);
    await number.press("Enter");
    await guest.says(title, `${chosen} – ?`);
    assert.equal(await number.inputValue(), chosen);
    assert.match((await games.locator("option:checked").textContent()) ?? "", new RegExp(`^${chosen}\\. ${chosen} – `));
  };
  await choose("777", "777");
  assert.equal(await games.locator("option").count(), 500);
  await games.selectOption({ index: 499 });
  await guest.says(title, "1000 – ?");
  await choose("5000", "1001");
  assert.equal(await games.locator("option").count(), 1);
  await choose("0", "1");
  await choose("", "1");
  await choose("1001", "1001");
  await guest.page.reload();
  await guest.says(title, "1001 – ?");
  assert.equal(await number.inputValue(), "1001");
  await choose("500", "500");
  await guest.press("Undo");
  await guest.says(title, "1001 – ?");
  await guest.paste("1. d4 *\n\n1. c4 *");
  await guest.record(["d4"]);
  await number.waitFor({ state: "hidden" });
});

test("a long notice is in the window", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  const toast = guest.page.locator(".toast");
  for (const viewport of WINDOWS) {
    await guest.page.setViewportSize(viewport);
    await guest.paste("1. e4 e5 2. Qh7 *");
    await eventually(async () => {
      const box = await toast.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= viewport.width, JSON.stringify([viewport, box]));
    });
  }
});

test("the search goes on after the deepest step", async (t) => {
  const guest = await world.guest(t);
  // Every answer uses up what was asked for, and is one move deeper than the last.
  let [depth, deep] = [5, 0];
  await guest.page.route(/\/study\?v=/, async (route) => {
    const asked = JSON.parse(route.request().postData() ?? "{}");
    if (asked.t !== "analyze") return route.continue();
    if (asked.nodes === 32_000_000) deep += 1;
    if (deep > 4) return undefined;
    depth += 1;
    const moves = [{ seat: 0, number: 1, text: "e4", code: "e2e4" }];
    const line = { score: { centipawns: 20 }, winning_chances: 519, moves };
    return route.fulfill({ json: { t: "ok", score: line.score, winning_chances: 519, depth, nodes: asked.nodes, lines: [line] } });
  });
  await study(guest);
  await guest.says(guest.page.locator(".engine-about"), "depth 13…");
  assert.equal(deep, 5);
  assert.equal(await guest.page.locator(".engine-about").getAttribute("title"), "128000000 positions searched");
});

test("a link with an invalid FEN says what is wrong with it", async (t) => {
  const guest = await world.guest(t);
  for (const [fen, why] of /** @type {[string, RegExp][]} */ ([
    ["garbage", /FEN.*garbage|garbage/],
    ["8/8/8/8/8/8/8/8 w - - 0 1", /has no king/],
  ])) {
    await study(guest, `/study?fen=${encodeURIComponent(fen)}`);
    const toast = guest.page.locator(".toast");
    await guest.says(toast, /^The link does not contain a valid FEN: /);
    assert.match((await toast.textContent()) ?? "", why);
    assert.doesNotMatch((await toast.textContent()) ?? "", /PGN|game/);
    await guest.sees("e2", "white pawn");
  }
});

test("arrows disappear when another position is shown", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  const arrows = guest.page.locator(".arrow.green");
  await guest.drag("e2", "e4", "right");
  await eventually(async () => assert.equal(await arrows.count(), 1));
  await guest.paste("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  await guest.sees("e2", "white pawn");
  await eventually(async () => assert.equal(await arrows.count(), 0));
});

test("a game can be played from a studied position", async (t) => {
  const guest = await world.guest(t);
  await study(guest, `/study?fen=${encodeURIComponent("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")}`);
  await guest.sees("e2", "white pawn");
  await guest.press("Play from here…");
  const dialog = guest.page.getByRole("dialog", { name: "Play from here" });
  assert.equal(await dialog.getByRole("combobox", { name: "Your side" }).inputValue(), "1", "the side to move");
  assert.equal(await dialog.getByRole("combobox", { name: "Bot" }).inputValue(), "beginner");
  await dialog.getByRole("button", { name: "Play the bot" }).click();
  await guest.page.waitForURL(/\/g\//);
  await guest.ready();
  await guest.status("Your turn");
  await guest.says(guest.page.locator(".notes"), "This game is unrated.");
  await guest.sees("e8", "black king");
  await guest.type("Kd7");
  await guest.recordHas(2);
  await guest.page.reload();
  await guest.recordHas(2);
});

test("the search goes deeper until it is stopped, with as many lines as wanted", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  const about = guest.page.locator(".engine-about");
  const searched = async () => Number.parseInt((await about.getAttribute("title")) ?? "0", 10);
  await eventually(async () => assert.ok((await searched()) > 1_000_000));
  await guest.press("Stop the search");
  await guest.says(about, /^depth \d+$/);
  const before = await searched();
  await guest.press("Continue the search");
  await eventually(async () => assert.ok((await searched()) > before));
  await guest.page.getByRole("combobox", { name: "Number of lines" }).selectOption("5");
  await eventually(async () => assert.equal((await guest.lines()).length, 5));
  await guest.page.reload();
  await eventually(async () => assert.equal((await guest.lines()).length, 5));
  await guest.page.getByRole("combobox", { name: "Number of lines" }).selectOption("1");
  await eventually(async () => assert.equal((await guest.lines()).length, 1));
});

test("both sides have an accuracy and counts of mistakes", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  await guest.paste("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0");
  await guest.recordHas(7);
  await guest.press(/^Mistakes/);
  const accuracy = guest.page.getByRole("group", { name: "Accuracy" }).locator("p");
  await eventually(async () => assert.equal(await accuracy.count(), 2));
  const [white, black] = await accuracy.allTextContents();
  assert.match(white ?? "", /^White: \d+% accuracy, 0 blunders, /);
  assert.match(black ?? "", /^Black: \d+% accuracy, 1 blunder, /);
  const percent = (/** @type {string | undefined} */ text) => Number(/(\d+)%/.exec(text ?? "")?.[1]);
  assert.ok(percent(white) > percent(black));
  await guest.page.keyboard.press("j");
  await guest.page.getByRole("group", { name: "Accuracy" }).waitFor({ state: "hidden" });
});
