// Board input: refusals, promotion, keyboard, arrows, stepping back.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

test("a refused move is reverted with its reason", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  await guest.notes(/pawn.*e2/i, () => guest.drag("e2", "e5"));
  await guest.pieceIsDrawnOn("e2");
  await guest.sees("e2", "white pawn");
  await guest.sees("e5", "empty");
  assert.deepEqual(await guest.moves(), []);
  const field = guest.page.getByRole("textbox", { name: "Type a move" });
  await field.fill("Ke3");
  await guest.press("Play");
  await guest.says(guest.page.locator(".typing .reason"), /.+/);
  assert.equal(await field.inputValue(), "Ke3", "the text stays, to be corrected");
  await guest.drag("e2", "e4");
  await guest.record(["e4"]);
});

test("a selected piece shows its targets, and can be put back", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  await guest.square("g1").click();
  assert.deepEqual(await guest.marked("selected"), ["g1"]);
  assert.deepEqual((await guest.marked("target")).sort(), ["f3", "h3"]);
  await guest.page.keyboard.press("Escape");
  assert.deepEqual(await guest.marked("target"), []);
  await guest.square("b1").click();
  await guest.square("d2").click(); // The other piece is selected instead.
  assert.deepEqual((await guest.marked("target")).sort(), ["d3", "d4"]);
  await guest.type("e4", "d5");
  await guest.square("e4").click();
  assert.deepEqual(await guest.marked("capture"), ["d5"]);
});

test("the right button cancels a drag", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  const { mouse } = guest.page;
  const [from, to] = [await guest.middle("e2"), await guest.middle("e4")];
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(to.x, to.y, { steps: 3 });
  await mouse.down({ button: "right" });
  await mouse.up({ button: "right" });
  await mouse.up();
  await guest.pieceIsDrawnOn("e2");
  assert.deepEqual([await guest.moves(), await guest.marked("selected")], [[], []]);
  await guest.drag("e2", "e4");
  await guest.record(["e4"]);
});

test("a pawn promotes to the chosen piece", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  const line = ["b4", "a5", "bxa5", "b6", "axb6", "Nf6", "b7", "Ng8"];
  await guest.type(...line);
  const picker = guest.page.getByRole("dialog", { name: "Promote to" });
  await guest.drag("b7", "a8");
  await picker.waitFor();
  assert.equal(await picker.getByRole("button").count(), 4);
  await guest.page.keyboard.press("Escape");
  await picker.waitFor({ state: "hidden" });
  await guest.sees("b7", "white pawn");
  await guest.click("b7", "a8");
  await picker.getByRole("button", { name: /^knight/ }).click();
  await guest.record([...line, "bxa8=N"]);
  await guest.sees("a8", "white knight");
  const tray = guest.page.getByRole("group", { name: /^white: / });
  assert.match((await tray.textContent()) ?? "", /Captured: rook, pawn, pawn/);
});

test("a game is created and played by keyboard", async (t) => {
  const guest = await world.guest(t);
  const { keyboard } = guest.page;
  await guest.open();
  await guest.button("Play chess").waitFor();
  await tabTo(guest, "summary");
  await keyboard.press("Enter"); // Opens the options.
  await tabTo(guest, 'input[value="any"]');
  await keyboard.press("ArrowRight"); // White
  await tabTo(guest, "button.primary", true);
  await keyboard.press("Enter");
  await guest.page.waitForURL(/\/g\//);
  await guest.status("Your turn");
  await tabTo(guest, "[role=gridcell]");
  await walkTo(guest, "e2");
  await keyboard.press("Enter");
  assert.match((await guest.label("e4")) ?? "", /can go here/);
  await walkTo(guest, "e4");
  await keyboard.press("Space");
  await eventually(async () => assert.equal((await guest.moves())[0], "e4"));
});

/**
 * @param {Guest} guest
 * @param {string} selector
 * @param {boolean} [back]
 */
async function tabTo(guest, selector, back = false) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await guest.page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
    await guest.page.keyboard.press(back ? "Shift+Tab" : "Tab");
  }
  assert.fail(`the keyboard does not reach ${selector}`);
}

/**
 * Moves the focus over the board to a square, with your own pieces at the bottom.
 * @param {Guest} guest
 * @param {string} square
 */
async function walkTo(guest, square) {
  const at = () => guest.page.evaluate(() => document.activeElement?.getAttribute("data-square") ?? "");
  for (let now = await at(); now !== square; now = await at()) {
    const [right, up] = [0, 1].map((index) => square.charCodeAt(index) - now.charCodeAt(index));
    const key = right ? (right > 0 ? "ArrowRight" : "ArrowLeft") : up > 0 ? "ArrowUp" : "ArrowDown";
    await guest.page.keyboard.press(key);
    assert.notEqual(await at(), now, `${key} goes on from ${now}`);
  }
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`the piece on the focused square is visible, ${colorScheme}`, async (t) => {
    const guest = await world.guest(t, { colorScheme });
    for (const [game, square] of [["Chess", "e2"], ["Four-player chess", "h14"], ["Kung fu chess", "e2"]]) {
      if (game === "Kung fu chess") {
        await guest.make({ game: "kung-fu", rules: "ticks-per-square=30 rest=60", opponent: { bot: "random" }, seat: 0 });
        await guest.begins();
      } else await guest.create("self", { game });
      await tabTo(guest, "[role=gridcell]");
      await walkTo(guest, square ?? "");
      assert.deepEqual((await stack(guest)).slice(0, 3), ["focus-ring", "piece-image", "cell"], game);
    }
  });
}

/** What is drawn at the focused square, from the top. @param {Guest} guest */
function stack(guest) {
  return guest.page.evaluate(() => {
    // Only what takes pointer events is found.
    for (const node of document.querySelectorAll(".piece-image, .focus-ring")) /** @type {HTMLElement} */ (node).style.pointerEvents = "all";
    const { x, y, width, height } = /** @type {Element} */ (document.activeElement).getBoundingClientRect();
    const kinds = ["cell", "piece-image", "focus-ring"];
    return document.elementsFromPoint(x + width / 2, y + height * 0.6).flatMap((node) => kinds.find((kind) => node.classList.contains(kind)) ?? []);
  });
}

test("keys step through the moves and back to the game", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  const start = await guest.board();
  await guest.type("e4", "e5", "Nf3", "Nc6");
  const latest = await guest.board();
  const { keyboard } = guest.page;
  const current = guest.page.locator(".move[aria-current]");
  await guest.page.locator(".status").click(); // Leaves the text field.

  await keyboard.press("ArrowLeft");
  await guest.sees("b8", "black knight");
  await guest.says(current, "Nf3");
  assert.deepEqual(await guest.marked("mine"), []);
  await keyboard.press("ArrowLeft");
  await guest.sees("g1", "white knight");
  await keyboard.press("ArrowRight");
  await guest.sees("f3", "white knight");
  await keyboard.press("Home");
  await eventually(async () => assert.deepEqual(await guest.board(), start));
  assert.equal(await current.count(), 0);
  await keyboard.press("End");
  await eventually(async () => assert.deepEqual(await guest.board(), latest));
  await guest.says(current, "Nc6");

  await guest.press("1, white e4");
  await guest.sees("e5", "empty");
  await guest.press("Back to the game");
  await eventually(async () => assert.deepEqual(await guest.board(), latest));
  await guest.drag("f1", "b5");
  await guest.record(["e4", "e5", "Nf3", "Nc6", "Bb5"]);
});

test("arrows and circles are drawn with the right button and cleared with the left", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  const [arrows, circles] = [guest.page.locator(".annotations .arrow"), guest.page.locator(".annotations .circle")];
  await guest.drag("g1", "f3", "right");
  await guest.drag("b1", "c3", "right");
  await guest.drag("e4", "e4", "right");
  assert.deepEqual([await arrows.count(), await circles.count()], [2, 1]);
  await guest.drag("g1", "f3", "right"); // The same arrow again removes it.
  assert.deepEqual([await arrows.count(), await circles.count()], [1, 1]);
  assert.deepEqual(await guest.moves(), []);
  await guest.square("e5").click();
  assert.deepEqual([await arrows.count(), await circles.count()], [0, 0]);
});

test("the board is flipped by button and key", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  const whiteIsBelow = async () => (await guest.middle("e1")).y > (await guest.middle("e8")).y;
  assert.ok(await whiteIsBelow());
  await guest.press("Flip board");
  assert.ok(!(await whiteIsBelow()));
  await guest.drag("e2", "e4");
  await guest.record(["e4"]);
  await guest.pieceIsDrawnOn("e4");
  await guest.page.keyboard.press("f");
  assert.ok(await whiteIsBelow());
});
