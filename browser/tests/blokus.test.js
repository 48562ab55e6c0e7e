// Blokus: picking, rotating, flipping and placing pieces with mouse, finger and keyboard; whole games.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually, WINDOWS } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

const SEATS = ["blue", "yellow", "red", "green"];
const GREEN = "rgb(15, 122, 58)";
const RED = "rgb(193, 18, 31)";

/** The cells of the held piece, as columns and rows from its corner. @param {Guest} guest */
async function shape(guest) {
  const path = (await guest.heldPiece().locator(".tile-body").getAttribute("d")) ?? "";
  const cells = [...path.matchAll(/M(\d+) (\d+)/g)].map(([, column, row]) => [Number(column), Number(row)]);
  const [left, top] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis] ?? 0)));
  return cells.map(([column = 0, row = 0]) => `${column - (left ?? 0)},${row - (top ?? 0)}`).sort().join(" ");
}

/** @param {Guest} guest */
const outline = (guest) => guest.heldPiece().locator(".tile-outline").evaluate((path) => getComputedStyle(path).stroke);

/** @param {Guest} guest */
const line = (guest) => guest.page.locator(".rack-line");

/** @param {Guest} guest @param {string} name */
const piece = (guest, name) => guest.page.getByRole("region", { name: "Pieces" }).getByRole("button", { name: new RegExp(`^${name}(,|$)`) });

test("a held piece is green where it fits, and red with the reason where it does not", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { game: "Blokus Duo" });
  await guest.status("Purple to move");
  await guest.says(line(guest), "Choose a purple piece.");
  await guest.pick("I2");
  await guest.says(line(guest), "Choose a place for I2.");
  await guest.point("e10");
  await guest.heldPieceIs("fits");
  await eventually(async () => assert.equal(await outline(guest), GREEN));
  await guest.says(line(guest), "I2 fits here.");
  assert.ok(await guest.page.locator(".verdict").isHidden());

  await guest.point("b3");
  await guest.heldPieceIs("wrong");
  await eventually(async () => assert.equal(await outline(guest), RED));
  await guest.says(guest.page.locator(".verdict"), "The first piece must cover the start square e10");
  await guest.says(line(guest), "The first piece must cover the start square e10.");
  await guest.square("b3").click();
  assert.deepEqual(await guest.moves(), [], "it is not placed there");

  await guest.point("e10");
  await guest.heldPieceIs("fits");
  await guest.square("e10").click();
  await guest.recordHas(1);
  await guest.sees("e10", "purple");
  assert.ok(await piece(guest, "I2").first().isEnabled(), "orange has its own");
  await guest.type("j5");
  const covered = (await guest.moves())[0]?.split(" ")[1]?.split(",") ?? [];
  for (const [name, square, why] of [
    ["I1", covered[0], `${covered[0]} is occupied`],
    ["O4", "b3", "No cell touches a corner of the same color"],
  ]) {
    await guest.pick(name ?? "");
    await guest.point(square ?? "");
    await guest.says(guest.page.locator(".verdict"), new RegExp(`^${why}$`, "i"));
    await guest.page.keyboard.press("Escape");
  }
  assert.equal(await guest.heldPiece().count(), 0);
  await guest.pick("I1");
  const touching = covered.includes("d10") ? "c10" : "d10";
  await guest.point(touching);
  await guest.says(guest.page.locator(".verdict"), new RegExp(`^${touching} touches an edge of the same color$`, "i"));

  // The frontier, by button and key.
  const corners = guest.page.locator(".tiles .corner");
  assert.equal(await corners.count(), 0);
  await guest.press("Frontier");
  await eventually(async () => assert.equal(await corners.count(), 4));
  await guest.page.keyboard.press("c");
  await eventually(async () => assert.equal(await corners.count(), 0));

  await guest.press("First position");
  await guest.sees("e10", "empty");
  assert.equal(await guest.heldPiece().count(), 0, "no piece is held on an earlier position");
  await guest.press("Back to the game");
  await guest.press("Takeback");
  await guest.recordHas(1);
});

test("a piece is rotated and flipped by keys, wheel and buttons", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { game: "Blokus Duo" });
  await guest.pick("F5");
  await guest.point("g8");
  const { keyboard, mouse } = guest.page;
  const turned = async (/** @type {() => Promise<unknown>} */ act) => {
    const before = await shape(guest);
    await act();
    await eventually(async () => assert.notEqual(await shape(guest), before));
    return shape(guest);
  };
  const first = await shape(guest);
  const wheel = (/** @type {number} */ much) => mouse.wheel(0, much);
  const right = await turned(() => keyboard.press("r"));
  assert.equal(await turned(() => keyboard.press("R")), first);
  assert.equal(await turned(() => wheel(100)), right);
  assert.equal(await turned(() => wheel(-100)), first);
  const mirrored = await turned(() => keyboard.press("x"));
  assert.equal(await turned(() => guest.press("Flip")), first, "the piece is still held in the same place");
  assert.equal(await turned(() => guest.press("Rotate right")), right);
  assert.equal(await turned(() => guest.press("Rotate left")), first);
  await guest.point("g8");
  await keyboard.down("Shift");
  assert.equal(await turned(() => wheel(100)), mirrored);
  await keyboard.up("Shift");
  const looks = new Set([await shape(guest)]);
  for (let quarter = 0; quarter < 3; quarter += 1) looks.add(await turned(() => keyboard.press("r")));
  await turned(() => keyboard.press("x"));
  for (let quarter = 0; quarter < 4; quarter += 1) looks.add(await turned(() => keyboard.press("r")));
  assert.equal(looks.size, 8, "F5 has eight orientations");
});

test("a game can be played by keyboard alone", async (t) => {
  const guest = await world.guest(t);
  const { keyboard } = guest.page;
  const spoken = guest.page.locator("[role=status][aria-live=polite]");
  await guest.create("self", { game: "Blokus Duo" });
  await keyboard.press("5"); // F5, at a place where it fits
  await guest.heldPieceIs("fits");
  assert.equal(await piece(guest, "F5").getAttribute("aria-pressed"), "true");
  await keyboard.press("5");
  assert.equal(await piece(guest, "I5").getAttribute("aria-pressed"), "true");
  await guest.says(spoken, /^I5 on \S+, \S+, \S+, \S+, \S+: fits/);
  const at = await guest.page.locator("[role=grid] :focus").getAttribute("data-square");
  for (let step = 0; step < 6; step += 1) await keyboard.press("ArrowUp");
  await guest.heldPieceIs("wrong");
  await guest.says(spoken, /: the first piece must cover the start square e10/);
  await keyboard.press("Enter");
  assert.deepEqual(await guest.moves(), []);
  for (let step = 0; step < 6; step += 1) await keyboard.press("ArrowDown");
  assert.equal(await guest.page.locator("[role=grid] :focus").getAttribute("data-square"), at);
  await keyboard.press("n");
  await guest.heldPieceIs("fits");
  await keyboard.press("Enter");
  await guest.recordHas(1);
  assert.match((await guest.moves())[0] ?? "", /^I5 /);
  await guest.status("Orange to move");
  await piece(guest, "X5").focus();
  await keyboard.press("Enter");
  await guest.heldPieceIs("fits");
  await keyboard.press("Escape");
  assert.equal(await guest.heldPiece().count(), 0);
  assert.equal(await guest.page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "X5");
});

test("a piece is dragged by touch, and placed by a tap", async (t) => {
  const guest = await world.guest(t, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await guest.create("self", { game: "Blokus" });
  await guest.status("Blue to move");
  const tap = async (/** @type {string} */ square) => {
    const { x, y } = await guest.middle(square);
    await guest.page.touchscreen.tap(x, y);
  };
  await piece(guest, "O4").tap();
  await guest.heldPieceIs("fits");
  await tap("k10");
  await guest.heldPieceIs("wrong");
  await guest.says(guest.page.locator(".verdict"), "The first piece must cover the start square a20");
  await guest.button("Next legal placement").tap();
  await guest.heldPieceIs("fits");
  await tap("a20");
  await guest.recordHas(1);
  assert.deepEqual(await guest.moves(), ["O4 a19,b19,a20,b20"]);
  await piece(guest, "I1").tap();
  await guest.button("Place").tap();
  await guest.recordHas(2);
  assert.deepEqual((await guest.moves())[1], "I1 t20");
});

test("every player is named at the corner where they start", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { game: "Blokus" });
  const starts = ["a20", "t20", "t1", "a1"];
  for (let turns = 0; turns < 4; turns += 1) {
    const board = await guest.page.locator(".board").boundingBox();
    for (const [seat, square] of starts.entries()) {
      const [start, named] = [await guest.middle(square), await guest.page.getByRole("group", { name: new RegExp(`^${SEATS[seat]}: `) }).boundingBox()];
      assert.ok(board && named);
      const [right, low] = [board.x + board.width / 2, board.y + board.height / 2];
      assert.deepEqual([named.x + named.width / 2 > right, named.y > low], [start.x > right, start.y > low], `${SEATS[seat]}, turned ${turns} times`);
    }
    await guest.press("Flip board");
  }
});

for (const viewport of [{ width: 390, height: 844 }, { width: 820, height: 1180 }, { width: 844, height: 390 }, { width: 1440, height: 900 }]) {
  test(`board and rack are both in a window of ${viewport.width} by ${viewport.height}`, async (t) => {
    const guest = await world.guest(t, { viewport, hasTouch: true });
    await guest.create("bot", { game: "Blokus", bot: "Random", seat: "Blue", clock: "10+0" });
    await guest.status("Your turn");
    const pieces = guest.page.locator(".rack .piece");
    assert.equal(await pieces.count(), 21);
    for (const node of [guest.page.locator(".board"), guest.button("Place"), pieces.first(), pieces.last()]) {
      const box = await node.boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= viewport.height, JSON.stringify(box));
      assert.ok(box.height >= 36, "large enough for a finger");
    }
  });
}

for (const game of ["Blokus Duo", "Blokus for two"]) {
  test(`players of ${game} are not truncated`, async (t) => {
    const guest = await world.guest(t);
    await guest.create("bot", { game, bot: "Random", clock: "10+0" });
    await guest.page.locator(".mine .rating").waitFor({ state: "attached" });
    for (const viewport of WINDOWS) {
      await guest.page.setViewportSize(viewport);
      await guest.playersAreComplete();
      const [clock, board] = [await guest.page.locator(".mine .clock").boundingBox(), await guest.page.locator(".board .cells").boundingBox()];
      assert.ok(clock && board && (clock.y >= board.y + board.height || clock.y + clock.height <= board.y || clock.x + clock.width < board.x - 12), "beside the labels of the board");
    }
  });
}

test("the move list shows every piece by its shape and name", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { game: "Blokus Duo" });
  await guest.type("e10,f10,f9,g9,f8");
  const move = guest.page.getByRole("list", { name: "Moves" }).getByRole("button");
  assert.equal(await move.evaluate((node) => /** @type {HTMLElement} */ (node).innerText.trim().split(/\s/)[0]), "F5");
  assert.ok(await move.evaluate((node) => node.scrollWidth <= node.clientWidth), "it is not cut off");
  const cells = async (/** @type {import("playwright-core").Locator} */ drawing) => {
    const found = [...((await drawing.locator(".tile-body").first().getAttribute("d")) ?? "").matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
    const [left, top] = [0, 1].map((axis) => Math.min(...found.map((cell) => cell[axis] ?? 0)));
    return found.map(([x = 0, y = 0]) => `${x - (left ?? 0)}${y - (top ?? 0)}`).sort();
  };
  const placed = guest.page.locator(".board .tiles");
  const before = await cells(move);
  assert.deepEqual(before, await cells(placed), "as it lies on the board");
  await guest.press("Flip board");
  await eventually(async () => assert.notDeepEqual(await cells(move), before));
  assert.deepEqual(await cells(move), await cells(placed));
});

test("a whole game of duo against the bot", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { game: "Blokus Duo", bot: "Greedy", seat: "Purple" });
  let turns = 0;
  const over = () => guest.card.isVisible();
  for (; turns < 21 && !(await over()); turns += 1) {
    await eventually(async () => assert.ok((await over()) || ((await guest.page.locator(".status").textContent()) ?? "").startsWith("Your turn")));
    if (await over()) break;
    const before = (await guest.moves()).length;
    // The largest piece that fits somewhere.
    for (const size of ["5", "4", "3", "2", "1"]) {
      await guest.page.keyboard.press(size);
      if (/\bfits\b/.test((await guest.heldPiece().getAttribute("class", { timeout: 500 }).catch(() => "")) ?? "")) break;
    }
    await guest.page.keyboard.press("Enter");
    await eventually(async () => assert.ok((await guest.moves()).length > before));
  }
  assert.ok(turns > 8, `${turns} turns`);
  await guest.says(guest.card.getByRole("heading"), /^You (won|lost|tied for first)$/);
  await guest.says(guest.card.locator("p"), /^(Purple|Orange|Purple and orange) wins? with -?\d+ points?( each)?\.$/);
  const standings = await guest.card.getByRole("list", { name: "Standings" }).getByRole("listitem").allTextContents();
  assert.equal(standings.length, 2);
  const file = await guest.page.evaluate(async (id) => (await fetch(`/g/${id}/export`)).text(), guest.id);
  assert.match(file, /^\(;GM\[Blokus Duo\]PB\[Guest \d+\]PW\[Greedy\]RE\[[BW0]/);
  assert.equal(file.match(/;[BW]\[/g)?.length, (await guest.moves()).length);
});

test("four guests in a classic game, to the end; one reloads in the middle", async (t) => {
  const guests = [await world.guest(t), await world.guest(t), await world.guest(t), await world.guest(t)];
  const [blue, yellow, red] = guests;
  await blue.create("friend", { game: "Blokus", seat: "Blue", clock: "10+0" });
  await blue.status("Waiting for 3 players");
  for (const [seat, guest] of guests.entries()) {
    if (guest === blue) continue;
    await guest.open(`/g/${blue.id}?seat=${seat}`);
    await guest.press(`Play as ${SEATS[seat]}`);
  }
  const starts = ["a20", "t20", "t1", "a1"];
  for (const [seat, guest] of guests.entries()) {
    await guest.status("Your turn");
    const [own, far] = [starts[seat] ?? "", starts[(seat + 2) % 4] ?? ""];
    const [here, there] = [await guest.middle(own), await guest.middle(far)];
    assert.ok(here.y > there.y && here.x < there.x, `${SEATS[seat]} starts at the bottom left`);
    await guest.pick("I5");
    await guest.point(own);
    await guest.heldPieceIs("fits");
    await guest.square(own).click();
    await guest.recordHas(seat + 1);
  }
  // A waiting player may plan; the piece is placed when the turn comes.
  await blue.status("Your turn");
  await yellow.pick("I1");
  await yellow.point("o19");
  await yellow.heldPieceIs("plan");
  await yellow.square("o19").click();
  await yellow.says(line(yellow), "You can plan your next yellow piece.");
  await blue.placeMany(5);
  await yellow.recordHas(6);
  assert.equal((await yellow.moves())[5], "I1 o19");

  await Promise.all(guests.map((guest) => guest.placeMany(24)));
  await red.recordHas(24);
  const [board, moves] = [await red.board(), await red.moves()];
  assert.equal(moves.length, 24);
  await red.page.reload();
  await red.record(moves);
  assert.deepEqual(await red.board(), board);
  await red.says(red.page.getByRole("group", { name: /^red: / }).locator(".about"), "Red, you");

  await Promise.all(guests.map((guest) => guest.placeMany()));
  for (const guest of guests) {
    await guest.says(guest.card.getByRole("heading"), /^You (won|lost|tied for first)$/);
    await guest.says(guest.card.locator("p"), /wins? with -?\d+ points?( each)?\.$/);
  }
  const scores = await blue.card.locator(".standing-points").allTextContents();
  const points = scores.map((text) => parseInt(text, 10));
  assert.deepEqual(points, [...points].sort((a, b) => b - a));
  assert.equal(points.length, 4);
});
