// The environment inspector: planes, masks, positions, games in progress, and batches.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LOOKS, violations } from "../axe.js";
import { together } from "../guest.js";
import { arena, eventually } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

/** @param {Guest} guest */
const status = (guest) => guest.page.locator(".inspector-status");

/** @param {Guest} guest @param {RegExp | string} name */
const plane = (guest, name) => guest.page.getByRole("button", { name });

/** @param {Guest} guest */
async function visit(guest, search = "") {
  await guest.open(`/environments${search}`);
  await guest.page.locator(".inspector:not(.waiting)").waitFor();
}

/** @param {Guest} guest @param {"Observation" | "Legal actions" | "Python and speed"} name */
const tab = (guest, name) => guest.page.getByRole("tab", { name: new RegExp(`^${name}`) });

/** Counts the squares that are drawn in a plane. @param {Guest} guest @param {RegExp} name */
function drawn(guest, name) {
  return plane(guest, name).locator("path.plane-on").evaluate((path) => (path.getAttribute("d")?.match(/M/g) ?? []).length);
}

// Sizes from the documentation of the environments, legal actions at the start from the rules.
for (const [game, shape, legal, actions, group, name, count] of /** @type {const} */ ([
  ["Chess", "(8, 8, 119)", 20, 4672, "Now", "my pawns", 8],
  ["Four-player chess", "(14, 14, 48)", 20, 17920, "Own pieces", "pawns", 8],
  ["Four-player teams", "(14, 14, 48)", 20, 19360, "Own pieces", "pawns", 8],
  ["Blokus", "(20, 20, 10)", 58, 30434, "Frontier", "own", 1],
  ["Blokus Duo", "(14, 14, 6)", 414, 13730, "Frontier", "own", 1],
  ["Kung fu chess", "(8, 8, 36)", 21, 4097, "Own pieces", "pawns standing", 8],
  ["Kung fu chess for four", "(12, 12, 68)", 23, 16385, "Own pieces", "pawns standing", 8],
])) {
  test(`${game} is shown with its planes and its mask`, async (t) => {
    const guest = await world.guest(t);
    await guest.open();
    await guest.page.getByRole("banner").getByRole("link", { name: "Inspector" }).click();
    await guest.page.getByRole("combobox", { name: "Game" }).selectOption(game);
    await guest.says(tab(guest, "Observation"), `Observation ${shape}`);
    await guest.says(tab(guest, "Legal actions"), `Legal actions ${legal} of ${actions}`);
    const channels = guest.page.getByRole("group", { name: "Observation" }).getByRole("button");
    assert.equal(await channels.count(), Number(/\d+(?=\))/.exec(shape)?.[0]));
    const own = new RegExp(`^${group}: ${name}, 1 on ${count} of `);
    assert.equal(await drawn(guest, own), count);
    await tab(guest, "Legal actions").click();
    const chips = guest.page.getByRole("list", { name: "Legal actions as text" });
    const shown = Math.min(legal, 96);
    await guest.says(chips.getByRole("listitem").last(), legal > 96 ? `and ${legal - 96} more` : /\d$/);
    assert.equal(await chips.locator(".chip").count(), shown);
    const marks = await guest.page.getByRole("group", { name: "Legal actions" }).locator("path.plane-on").evaluateAll((paths) => paths.map((path) => path.getAttribute("d")?.match(/M/g)?.length ?? 0));
    const waits = game.startsWith("Kung fu") ? 1 : 0;
    assert.equal(marks.reduce((sum, many) => sum + many, 0), legal - waits, "every action but the one to wait is in a picture");
  });
}

test("a selected square highlights its actions, and one of them is played", async (t) => {
  const guest = await world.guest(t);
  await visit(guest, "?of=chess");
  await guest.square("e2").click();
  await guest.says(guest.page.locator(".mask-count"), "20 of 4672 actions are legal, 2 at e2.");
  assert.deepEqual((await guest.marked("target")).sort(), ["e3", "e4"]);
  const lit = await guest.page.locator("path.plane-lit").evaluateAll((paths) => paths.filter((path) => path.getAttribute("d")).length);
  assert.equal(lit, 2);
  await guest.button("e2e4 2426").click();
  await guest.says(status(guest), "Observer: Black (to move). 20 legal actions.");
  await guest.sees("e4", "white pawn");
  // The history has moved on: the position before is one ply ago, as Black sees it.
  await tab(guest, "Observation").click();
  assert.equal(await drawn(guest, /^1 ply ago: their pawns, 1 on 8 of 64 squares$/), 8);
  await guest.drag("g8", "f6");
  await guest.says(status(guest), /^Observer: White/);
  await guest.press("Step");
  await guest.says(status(guest), /^Observer: Black/);
  await guest.press("Reset");
  await guest.says(status(guest), "Observer: White (to move). 20 legal actions.");
});

test("a plane is opened with its values, also by keyboard", async (t) => {
  const guest = await world.guest(t);
  await visit(guest, "?of=chess");
  const rooks = plane(guest, /^Now: my rooks/);
  await rooks.focus();
  await guest.page.locator(".plane-overlay path").first().waitFor();
  assert.equal(await guest.page.locator(".plane-overlay path").count(), 2, "they are on the board");
  await guest.page.keyboard.press("Enter");
  const lens = guest.page.getByRole("dialog");
  await guest.says(lens.locator("h2"), "Now: my rooks");
  await guest.says(lens.locator("code"), "state.observation[0, :, :, 3]");
  const cells = await lens.locator("td").allTextContents();
  assert.deepEqual([cells.length, cells[56], cells[63], cells.filter((text) => text === "1").length], [64, "1", "1", 2]);
  await guest.page.keyboard.press("ArrowRight");
  await guest.says(lens.locator("h2"), "Now: my queens");
  await guest.page.keyboard.press("Escape");
  await lens.waitFor({ state: "hidden" });
  assert.ok(await rooks.evaluate((node) => node === document.activeElement), "the focus is back");
});

test("positions are pasted, refused with a reason, and chosen at random", async (t) => {
  const guest = await world.guest(t);
  await visit(guest, "?of=chess");
  const text = guest.page.getByRole("textbox", { name: "Position as text" });
  await text.fill("4k3/P7/8/8/8/8/8/4K3 w - - 12 40");
  await guest.press("Set");
  await guest.says(status(guest), "Observer: White (to move). 9 legal actions.");
  await plane(guest, /^The game: plies without a capture or a pawn move \/ 100, 0\.12 everywhere$/).waitFor();
  await tab(guest, "Legal actions").click();
  assert.equal(await guest.page.getByRole("region", { name: "Underpromotions" }).getByRole("button").count(), 3);
  await text.fill("4k3/8/8/8 w - - 0 1");
  await guest.press("Set");
  await guest.page.getByRole("alert").filter({ hasText: /^Invalid FEN/ }).waitFor();
  await guest.sees("a7", "white pawn");
  await tab(guest, "Python and speed").click();
  await guest.says(guest.page.locator(".python code"), /^import fourfold\n\nenv = fourfold\.make\("chess", autoreset="disabled"\)\nstate = env\.reset\(positions=\["4k3\/P7/);
  // At the end, every action is allowed and stepping is disabled.
  await text.fill("R3k3/8/4K3/8/8/8/8/8 b - - 0 1");
  await guest.press("Set");
  await guest.says(status(guest), "Observer: Black. Game over: checkmate. The mask allows all actions.");
  assert.ok(await guest.button("Step").isDisabled());
  await guest.press("Random position");
  await eventually(async () => assert.notEqual(await text.inputValue(), "R3k3/8/4K3/8/8/8/8/8 b - - 0 1"));
  const before = await text.inputValue();
  await guest.press("Play");
  await eventually(async () => assert.notEqual(await text.inputValue(), before));
  await guest.press("Pause");
});

test("a game is followed live, and its position is kept when following stops", async (t) => {
  const [ada, eve] = [await world.guest(t), await world.guest(t)];
  await ada.create("self", { game: "Chess" });
  await eve.open(`/g/${ada.id}`);
  await eve.page.getByRole("link", { name: "Environment inspector" }).click();
  await eve.says(status(eve), "Observer: White (to move). 20 legal actions.");
  await ada.type("e4");
  await eve.says(status(eve), "Observer: Black (to move). 20 legal actions.");
  await ada.type("e5", "Qh5");
  await eve.sees("h5", "white queen");
  await plane(eve, /^Now: their queens, 1 on 1 of 64 squares$/).waitFor();
  await plane(eve, /^3 plies ago: their pawns, 1 on 8 of 64 squares$/).waitFor();
  await ada.says(ada.page.locator(".watchers"), "1 watching");
  await eve.press("Stop following");
  await eve.page.waitForURL(/of=chess&position=/);
  await eve.sees("h5", "white queen");
  await ada.says(ada.page.locator(".watchers"), "");
  // By pasting its link.
  await eve.page.getByRole("textbox", { name: "Follow a game" }).fill(`${eve.origin}/g/${ada.id}?ply=2`);
  await eve.press("Follow");
  await eve.page.waitForURL(`**/environments?game=${ada.id}`);
  await eve.sees("h5", "white queen");
  await eve.open("/environments?game=aaaaaaaaaaaa");
  await eve.page.getByRole("alert").filter({ hasText: "There is no game 'aaaaaaaaaaaa'." }).waitFor();
});

test("kung fu chess is followed from another player's view, without premoves", async (t) => {
  const [ada, ben, eve] = [await world.guest(t), await world.guest(t), await world.guest(t)];
  // The pawn flies for more than a minute, so that it has not landed before the end of the test on a slow machine.
  await together([ada, ben], "kung-fu", "ticks-per-square=1000");
  await visit(eve, `?game=${ada.id}`);
  await ada.click("e2", "e4");
  await ada.plans("e4", "e5");
  await plane(eve, /^Own pieces: destinations, 1 on 1 of 64 squares$/).waitFor();
  // It keeps flying without further orders.
  const flight = plane(eve, /^Own pieces: fraction of flight completed, /);
  const before = await flight.getAttribute("aria-label");
  await eventually(async () => assert.notEqual(await flight.getAttribute("aria-label"), before));
  assert.deepEqual([await eve.marked("premove"), await eve.marked("mine")], [[], []]);
  await eve.page.getByRole("combobox", { name: "Observer" }).selectOption("Black");
  await plane(eve, /^Other pieces: destinations, 1 on 1 of 64 squares$/).waitFor();
  await eve.says(status(eve), /^Observer: Black \(simultaneous moves\)\./);
});

test("a batch is stepped, and its speed is shown", async (t) => {
  const guest = await world.guest(t);
  await visit(guest, "?of=blokus-duo");
  await tab(guest, "Python and speed").click();
  await guest.page.getByRole("combobox", { name: "Environments" }).selectOption("16");
  for (const runs of [1, 2]) {
    await guest.press("Step a batch");
    await eventually(async () => assert.equal(await guest.page.locator(".bars rect").count(), runs));
  }
  await guest.says(guest.page.locator(".speed"), /^[\d,]+ steps per second$/);
  await guest.says(guest.page.locator(".batch .muted"), /^16 games, [\d,]+ steps in 0\.\d\d s, [\d,]+ games? ended; /);
});

for (const { device, viewport, colorScheme } of LOOKS) {
  test(`axe finds nothing and nothing overflows, ${device}, ${colorScheme}`, async (t) => {
    const guest = await world.guest(t, { colorScheme, viewport });
    /** @type {Record<string, string[]>} */
    const found = {};
    const check = async (/** @type {string} */ view) => {
      found[view] = await violations(guest);
      const wide = await guest.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) found[view]?.push(`${wide} pixels too wide`);
    };
    for (const game of ["chess", "blokus", "kung-fu-12x12"]) {
      await visit(guest, `?of=${game}`);
      await check(`${game}, observation`);
      await tab(guest, "Legal actions").click();
      await check(`${game}, mask`);
      await guest.page.getByRole("group", { name: "Legal actions" }).getByRole("button").first().click();
      await guest.page.getByRole("dialog").waitFor();
      await check(`${game}, a plane`);
      await guest.press("Close");
      await tab(guest, "Python and speed").click();
      await guest.press("Step a batch");
      await guest.page.locator(".bars rect").waitFor();
      await check(`${game}, code`);
    }
    assert.deepEqual(found, Object.fromEntries(Object.keys(found).map((view) => [view, []])));
  });
}

test("another game leaves nothing of the one before on the page", async (t) => {
  const guest = await world.guest(t);
  await visit(guest);
  const pieces = guest.page.locator(".inspector .piece-layer > *");
  const choose = async (/** @type {string} */ game, /** @type {number} */ count) => {
    await guest.page.getByRole("combobox", { name: "Game" }).selectOption(game);
    await eventually(async () => assert.equal(await pieces.count(), count, game));
    const board = await guest.page.locator(".inspector .board").boundingBox();
    const boxes = await pieces.evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()));
    for (const { x, y } of boxes) {
      assert.ok(board && x > board.x - 1 && y > board.y - 1 && x < board.x + board.width && y < board.y + board.height, `${game}: ${x}, ${y}`);
    }
  };
  await choose("Four-player chess", 64);
  await choose("Kung fu chess", 32);
  await choose("Blokus", 0);
  await choose("Kung fu chess for four", 64);
  await choose("Chess", 32);
  await choose("Kung fu chess for four", 64);
  await choose("Four-player teams", 64);
});
