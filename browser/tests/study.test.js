// The study board: loading and exporting, variations, facts on the board, the graph, the position editor.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { arena, BINARY, eventually, WINDOWS } from "../harness.js";

const world = arena();

const GAME = `[White "Légal"]
[Black "Saint Brie"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 $6 {pins} (3... Be7 {is safer} 4. O-O) (3... Nc6) 4. Nc3 g6 5. Nxe5! Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0`;
const MAIN = ["e4", "e5", "Nf3", "d6", "Bc4", "Bg4?!", "Be7", "O-O", "Nc6", "Nc3", "g6", "Nxe5!", "Bxd1", "Bxf7+", "Ke7", "Nd5#"];

/** @typedef {import("../guest.js").Guest} Guest */

/**
 * @param {Guest} guest
 * @param {string} [path]
 */
async function study(guest, path = "/study") {
  await guest.open(path);
  await guest.ready();
  await guest.fact("Hanging").waitFor();
}

/** The current move. @param {Guest} guest */
const current = (guest) => guest.page.locator(".move[aria-current]");

/** The binary's report on a position. @param {string} fen */
function report(fen) {
  const facts = "attacked,hanging,en_prise,pinned,pinned_pawns,skewered,developed,outposts,pawns,forks,see,material,mobility,king_ring,x_rays,attack_map";
  return JSON.parse(execFileSync(BINARY, ["analyze", "--format", "json", "--facts", facts, fen], { encoding: "utf8" }));
}

/** Facts that mark pieces, with their keys and where they are in a report. @type {[string, string, string][]} */
const ON_MEN = [
  ["a", "Attacked", "attacked"],
  ["h", "Hanging", "hanging"],
  ["e", "En prise", "en_prise"],
  ["p", "Pinned", "pinned"],
  ["n", "Pinned pawns", "pinned_pawns"],
  ["s", "Skewered", "skewered"],
  ["d", "Developed", "developed"],
  ["o", "Outposts", "outposts"],
  ["u", "Doubled pawns", "pawns.doubled"],
  ["i", "Isolated pawns", "pawns.isolated"],
  ["b", "Backward pawns", "pawns.backward"],
  ["k", "Backward and blocked", "pawns.backward_blocked"],
  ["g", "Passed pawns", "pawns.passed"],
];

/**
 * @param {Record<string, any>} side
 * @param {string} fact
 */
const part = (side, fact) => fact.split(".").reduce((value, name) => value[name], /** @type {any} */ (side));

for (const fen of [
  "r3k2r/pbpp1pp1/1pn2n1p/3Np3/1bB1P1q1/2N2P2/PPPP2PP/R1BQ1RK1 b kq - 0 10",
  "4rrk1/1p4pp/2p1b3/p2pN3/Pb1P1P2/1P2P1qB/2Q3P1/2R2RK1 w - - 3 24",
  "8/1p3kp1/p3p2p/P2pP1nP/1P1P2P1/2r1BK2/4R3/8 w - - 0 40",
]) {
  test(`facts match the squares and counts of the command line: ${fen}`, async (t) => {
    const guest = await world.guest(t);
    await study(guest, `/study?fen=${encodeURIComponent(fen)}`);
    const { white, black, attack_map } = report(fen);
    const { keyboard } = guest.page;
    for (const [key, name, id] of ON_MEN) {
      const both = [part(white, id), part(black, id)];
      await keyboard.press(key);
      await eventually(async () => assert.deepEqual(await guest.overlaid(id), both.flat().sort(), id));
      await guest.says(guest.fact(name).locator(".fact-words"), `, white ${both[0].length}, black ${both[1].length}`);
      assert.equal(await guest.fact(name).getAttribute("aria-pressed"), "true");
    }
    for (const [, , id] of ON_MEN) assert.deepEqual(await guest.overlaid(id), [...part(white, id), ...part(black, id)].sort(), `${id} is shown beside the others`);
    await keyboard.press("h");
    assert.deepEqual(await guest.overlaid("hanging"), []);
    await guest.press("Clear");
    assert.equal(await guest.page.locator(".overlays > *").count(), 0);

    const squares = (/** @type {string} */ code) => code.slice(0, 4);
    await keyboard.press("y");
    assert.deepEqual(await guest.arrows("forks"), [...new Set([...white.forks, ...black.forks].map(squares))].sort());
    await keyboard.press("c");
    const captures = { ...white.see, ...black.see };
    assert.deepEqual(await guest.arrows("see"), [...new Set(Object.keys(captures).map(squares))].sort());
    const values = Object.values(captures).map((value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0"));
    assert.deepEqual((await guest.page.locator(".fact-value").allTextContents()).sort(), values.sort());
    await guest.press("Clear");
    await keyboard.press("l");
    assert.deepEqual(await guest.overlaid("mobility"), Object.keys({ ...white.mobility, ...black.mobility }).sort());
    await keyboard.press("x");
    const seers = [white, black].flatMap(({ x_rays }) => Object.keys(x_rays).filter((square) => x_rays[square].length > 0));
    assert.deepEqual(await guest.overlaid("x_rays"), seers.sort());
    await guest.press("Clear");
    await keyboard.press("r");
    const rings = await guest.page.locator('.overlays .badge[data-fact="king_ring"]').allTextContents();
    assert.deepEqual(rings.sort(), [String(white.king_ring), String(black.king_ring)].sort());
    await guest.press("Clear");
    await keyboard.press("t");
    const [square, { attackers, defenders }] = Object.entries(/** @type {Record<string, any>} */ (attack_map)).find(([, { attackers, defenders }]) => attackers.length > 0 && defenders.length > 0) ?? ["", {}];
    await guest.point(square);
    await eventually(async () => assert.deepEqual(await guest.arrows("attack_map"), [...attackers, ...defenders].map((from) => from + square).sort()));
    assert.equal(await guest.page.locator(".fact-arrow.attacks").count(), attackers.length);
  });
}

test("a fact is explained on hover, and announced to screen readers", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  const about = guest.page.locator(".fact-about");
  await guest.fact("Skewered").hover();
  await guest.says(about, /^Skewered: Pieces attacked along a line/);
  await guest.fact("Passed pawns").focus();
  await guest.says(about, /^Passed pawns: Pawns with no enemy pawn ahead/);
  const described = await guest.fact("Hanging").getAttribute("aria-describedby");
  assert.match((await guest.page.locator(`#${described}`).textContent()) ?? "", /more attackers than defenders/);
  const looks = await guest.page.locator("button.fact .badge").evaluateAll((badges) =>
    badges.map((badge) => [badge.querySelector("path")?.getAttribute("d"), badge.textContent, getComputedStyle(badge).getPropertyValue("--fact")]),
  );
  for (const index of [0, 1, 2]) assert.equal(new Set(looks.map((look) => look[index])).size, looks.length, "shape, letter and color are a fact's own");
  const keys = await guest.page.locator("button.fact kbd").allTextContents();
  assert.equal(new Set([...keys, "f", "j", "m", "v", "?"]).size, keys.length + 5, "no key does two things");
});

test("a game with variations is pasted and stepped through", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  await guest.paste(GAME);
  await guest.record(MAIN);
  await guest.says(guest.page.locator("h1"), "Légal – Saint Brie, 1–0");
  const { keyboard } = guest.page;
  for (const move of MAIN.slice(0, 6)) {
    await keyboard.press("ArrowRight");
    await guest.says(current(guest), move);
  }
  await guest.sees("g4", "black bishop");
  await keyboard.press("ArrowDown");
  await guest.says(current(guest), "Be7");
  await guest.sees("e7", "black bishop");
  await keyboard.press("ArrowRight");
  await guest.sees("g1", "white king");
  await keyboard.press("ArrowDown");
  await guest.says(current(guest), "Nc6");
  await keyboard.press("ArrowUp");
  await keyboard.press("ArrowUp");
  await guest.says(current(guest), "Bg4?!");
  await keyboard.press("End");
  await guest.status("White wins by checkmate.");
  await keyboard.press("Home");
  await guest.status("White to move");
  assert.equal(await current(guest).count(), 0);
  await guest.press("3, black Be7");
  await guest.sees("e7", "black bishop");
  await guest.press("Promote this variation");
  await eventually(async () => assert.deepEqual((await guest.moves()).slice(5, 8), ["Be7", "Bg4?!", "Nc3"]));
  assert.equal(await guest.page.locator(".comment", { hasText: "is safer" }).count(), 1);
  await guest.press("Undo");
  await guest.record(MAIN);
});

test("a move makes a variation, which can be deleted and restored", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  await guest.drag("e2", "e4");
  await guest.record(["e4"]);
  await guest.click("e7", "e5");
  await guest.record(["e4", "e5"]);
  await guest.page.keyboard.press("ArrowLeft");
  await guest.sees("e5", "empty");
  await guest.drag("c7", "c5");
  await guest.record(["e4", "e5", "c5"]);
  await guest.drag("g1", "f3");
  await guest.record(["e4", "e5", "c5", "Nf3"]);
  await guest.page.keyboard.press("ArrowLeft");
  await guest.page.keyboard.press("ArrowLeft");
  await guest.drag("e7", "e5"); // The move is there already.
  await guest.says(current(guest), "e5");
  assert.equal((await guest.moves()).length, 4);
  await guest.notes(/Black|turn|holds/i, () => guest.drag("b8", "c6"));
  await guest.press("1, black c5");
  await guest.says(current(guest), "c5");
  await guest.press("Delete from here");
  await guest.record(["e4", "e5"]);
  await guest.page.keyboard.press("Control+z");
  await guest.record(["e4", "e5", "c5", "Nf3"]);
});

test("a study survives a reload, and is exported as a link and a file", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  await guest.paste(GAME);
  await guest.record(MAIN);
  await guest.press("3, black Nc6");
  await guest.sees("c6", "black knight");
  await guest.drag("d2", "d4");
  await eventually(async () => assert.equal(await current(guest).textContent(), "d4"));
  await guest.page.keyboard.press("h");
  const [before, board] = [await guest.moves(), await guest.board()];
  await guest.page.reload();
  await guest.record(before);
  await eventually(async () => assert.deepEqual(await guest.board(), board));
  await guest.says(current(guest), "d4");
  await eventually(async () => assert.equal(await guest.fact("Hanging").getAttribute("aria-pressed"), "true"));

  await guest.press("Share…");
  const dialog = guest.page.getByRole("dialog", { name: "Share and export" });
  const link = await dialog.getByRole("textbox", { name: "link" }).inputValue();
  const pgn = await dialog.getByRole("textbox", { name: "PGN" }).inputValue();
  assert.match(pgn, /\(\s3\.\.\. Nc6 4\. d4 \)/);
  await guest.press("Close");
  const friend = await world.guest(t);
  await friend.page.goto(link);
  await friend.ready();
  await eventually(async () => assert.deepEqual(await friend.board(), board));
  await friend.paste(pgn);
  await friend.record(before);
});

test("invalid text is refused with the reason, and nothing is lost", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  await guest.paste(GAME);
  await guest.record(MAIN);
  await guest.press("Load…");
  const dialog = guest.page.getByRole("dialog", { name: "Load a position or a game" });
  await dialog.getByRole("textbox").fill("4k3/8 w");
  await dialog.getByRole("button", { name: "Load", exact: true }).click();
  await guest.says(dialog.getByRole("alert"), /FEN/);
  assert.equal(await dialog.getByRole("textbox").inputValue(), "4k3/8 w", "the text stays, to be corrected");
  await dialog.getByRole("textbox").fill("4k3/8/8/8/8/8/4P3/4K3 b");
  await dialog.getByRole("button", { name: "Load", exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
  await guest.sees("e2", "white pawn");
  await guest.status("Black to move");
  await guest.press("Undo");
  await guest.record(MAIN);
  await guest.paste("rubbish");
  await guest.says(guest.page.locator(".toast"), /rubbish/);
  await guest.record(MAIN);
});

test("a finished game opens in the study board with one click, with its graph", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  await guest.type("e4", "d5", "exd5", "Qxd5", "Nc3", "Qxa2");
  await guest.resign();
  await guest.card.waitFor();
  const game = guest.id;
  await guest.press("Study");
  await guest.page.waitForURL(new RegExp(`/study/${game}$`));
  await guest.record(["e4", "d5", "exd5", "Qxd5", "Nc3", "Qxa2"]);
  const slider = guest.page.getByRole("slider", { name: "Position in the game" });
  await eventually(async () => assert.equal(await slider.getAttribute("aria-valuemax"), "6"));
  await slider.focus();
  await guest.page.keyboard.press("End");
  await guest.sees("a2", "black queen");
  await eventually(async () => assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^3… Qxa2, Material −1, En prise \d : \d$/));
  assert.equal(await slider.getAttribute("aria-valuenow"), "6");
  await guest.page.getByRole("combobox", { name: "Second series" }).selectOption({ label: "plus mobility" });
  await guest.says(guest.page.locator(".graph-legend"), /Mobility [+−]?\d+/);
  const box = await slider.boundingBox();
  assert.ok(box);
  await guest.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await guest.says(current(guest), "exd5");
  await guest.page.keyboard.press("ArrowLeft");
  await guest.says(current(guest), "d5");

  await guest.drag("g1", "f3"); // Stored for this game, without replacing the other study.
  await guest.recordHas(7);
  await guest.page.reload();
  await guest.recordHas(7);
  await guest.open("/study");
  await guest.ready();
  assert.deepEqual(await guest.moves(), []);
});

test("a position is set up by hand, and the server says what is wrong", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  await guest.press("Set up");
  const errors = guest.page.locator(".errors");
  const finish = guest.button("Study this position");
  await guest.press("Empty board");
  await guest.says(errors, "White has no king.Black has no king.");
  assert.ok(await finish.isDisabled());
  const spare = (/** @type {string} */ name) => guest.page.getByRole("button", { name, exact: true });
  await spare("white king").click();
  await guest.square("e1").click();
  await spare("black king").click();
  await guest.square("e8").click();
  await guest.says(errors, "");
  await spare("black king").click(); // Deselected.
  await guest.sees("e8", "black king");

  const rook = await spare("white rook").boundingBox();
  assert.ok(rook);
  const to = await guest.middle("h1");
  await guest.page.mouse.move(rook.x + rook.width / 2, rook.y + rook.height / 2);
  await guest.page.mouse.down();
  await guest.page.mouse.move(to.x, to.y, { steps: 5 });
  await guest.page.mouse.up();
  await guest.sees("h1", "white rook");
  const castle = guest.page.getByRole("checkbox", { name: "White O-O", exact: true });
  await eventually(async () => assert.ok(await castle.isEnabled()));
  await castle.check();
  await guest.drag("h1", "e4");
  await guest.says(errors, "Black is in check but has just moved.");
  assert.deepEqual(await guest.marked("check"), ["e8"]);
  assert.ok(await castle.isDisabled());
  await guest.page.getByRole("radio", { name: "Black" }).check({ force: true });
  await guest.says(errors, "");

  const from = await guest.middle("e4");
  await guest.page.mouse.move(from.x, from.y);
  await guest.page.mouse.down();
  await guest.page.mouse.move(from.x, 20, { steps: 5 }); // Off the board.
  await guest.page.mouse.up();
  await guest.sees("e4", "empty");
  await finish.click();
  await guest.status(/draw by insufficient material/i);
  await guest.sees("e1", "white king");
  await guest.press("Undo");
  await guest.sees("d1", "white queen");
});

test("on a phone the board has the full width and nothing overflows", async (t) => {
  const guest = await world.guest(t, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await study(guest);
  await guest.paste(GAME);
  await guest.record(MAIN);
  const { width = 0 } = (await guest.page.locator(".board").first().boundingBox()) ?? {};
  assert.ok(width >= 388, `${width}`);
  const wide = () => guest.page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(await wide(), 390);
  await guest.square("e2").tap();
  await guest.square("e4").tap();
  await guest.says(current(guest), "e4");
  await guest.press("Next move");
  await guest.says(current(guest), "e5");
  await guest.fact("Developed").tap();
  await guest.says(guest.page.locator(".fact-about"), /^Developed: /);
  await guest.press("Set up");
  assert.equal(await wide(), 390);
  await guest.page.getByRole("button", { name: "white queen", exact: true }).tap();
  await guest.square("e5").tap();
  await guest.sees("e5", "white queen");
});

test("nothing is truncated or covered in any window, and the accuracy is in that of a desktop", async (t) => {
  const guest = await world.guest(t);
  await study(guest);
  await guest.paste(GAME);
  await guest.record(MAIN);
  await guest.press(/^Mistakes/);
  await guest.page.getByRole("group", { name: "Accuracy" }).waitFor();
  const labels = guest.page.locator(".fact-name, .engine-about:not(:empty), .graph-legend");
  for (const viewport of WINDOWS) {
    await guest.page.setViewportSize(viewport);
    await eventually(async () => {
      const cut = await labels.evaluateAll((labels) => labels.filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent));
      assert.deepEqual(cut, [], `${viewport.width}`);
    });
    await guest.areApart(guest.page.locator(".graph-legend, .graph-foot .switch, .graph-foot select, .graph-accuracy, .study .engine"));
    const board = await guest.page.locator(".board").first().boundingBox();
    assert.ok(board && board.width >= 0.7 * Math.min(viewport.width, viewport.height), `${viewport.width}: ${board?.width}`);
  }
  await guest.page.setViewportSize({ width: 1440, height: 900 });
  const beyond = () => guest.page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  await eventually(async () => assert.equal(await beyond(), 0));
  await guest.page.setViewportSize({ width: 1100, height: 720 });
  await eventually(async () => assert.equal(await beyond(), 0));
});

test("every page links to the study board", async (t) => {
  const guest = await world.guest(t);
  await guest.open();
  await guest.page.getByRole("link", { name: "the study board" }).click();
  await guest.page.waitForURL(/\/study$/);
  await guest.ready();
  await guest.page.goBack();
  await guest.button("Play chess").waitFor();
  await guest.page.getByRole("banner").getByRole("link", { name: "Study" }).click();
  await guest.page.waitForURL(/\/study$/);
  await guest.ready();
  await guest.open("/study/aaaaaaaaaaaa");
  await guest.ready();
  await guest.says(guest.page.locator(".toast"), "There is no game 'aaaaaaaaaaaa'.");
});
