// Replays of finished games, and of game files from elsewhere.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { together } from "../guest.js";
import { arena, eventually, WINDOWS } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

/** @param {Guest} guest */
const bar = (guest) => guest.page.getByRole("region", { name: "Replay" });
/** @param {Guest} guest */
const slider = (guest) => bar(guest).getByRole("slider", { name: "Position" });

/** @param {Guest} guest @param {string} where */
const isAt = (guest, where) => guest.says(bar(guest).locator(".replay-time"), where);

/** @param {Guest} guest */
const speed = (guest) => bar(guest).getByRole("combobox", { name: "Speed" });

/** The link that would be copied. @param {Guest} guest */
async function link(guest) {
  await guest.page.evaluate(() => Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (/** @type {string} */ text) => (document.title = text) } }));
  await bar(guest).getByRole("button", { name: "Copy link" }).click();
  await eventually(async () => assert.match(await guest.page.title(), /^http/));
  return guest.page.title();
}

/** Downloads the game, and returns the name and the contents of the file. @param {Guest} guest @returns {Promise<[string, string]>} */
async function download(guest) {
  const [file] = await Promise.all([guest.page.waitForEvent("download"), guest.page.locator(".panel").getByRole("link", { name: "Export" }).click()]);
  return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
}

/** Drops a file on the page. @param {Guest} guest @param {string} name @param {string} text */
async function drop(guest, name, text) {
  await guest.page.evaluate(
    ([name = "", text = ""]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name));
      for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );
}

test("a finished game of chess is replayed, seeked, and shared at a given moment", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  await guest.type("f3", "e5", "g4");
  assert.ok(await bar(guest).isHidden(), "a game in progress is not a replay");
  await guest.type("Qh4#");
  await guest.ends("Game over", "Black wins by checkmate.");
  await isAt(guest, "4 of 4");

  // With the slider and with keys; the board follows.
  await slider(guest).fill("1");
  await guest.sees("f3", "white pawn");
  await guest.sees("e5", "empty");
  await isAt(guest, "1 of 4");
  await slider(guest).blur();
  await guest.page.keyboard.press("ArrowRight");
  await isAt(guest, "2 of 4");
  const shared = await link(guest);
  assert.equal(shared, `${world.server.origin}/g/${guest.id}?ply=2`);

  await guest.page.keyboard.press("Home");
  await isAt(guest, "0 of 4");
  await speed(guest).selectOption("8");
  await bar(guest).getByRole("button", { name: "Replay" }).click();
  await isAt(guest, "4 of 4");
  await guest.ends("Game over", "Black wins by checkmate.");
  await bar(guest).getByRole("button", { name: "Replay" }).waitFor();

  // A pause holds it where it is.
  await speed(guest).selectOption("0.25");
  await guest.page.locator("main").focus();
  await guest.page.keyboard.press("Space");
  await bar(guest).getByRole("button", { name: "Pause" }).waitFor();
  await guest.page.keyboard.press("p");
  await bar(guest).getByRole("button", { name: "Replay" }).waitFor();
  await guest.page.keyboard.press("+");
  assert.equal(await speed(guest).inputValue(), "0.5");

  const other = await world.guest(t);
  await other.page.goto(shared);
  await isAt(other, "2 of 4");
  await other.sees("e5", "black pawn");
  await other.sees("g2", "white pawn");
  assert.ok(await other.card.isHidden());
});

test("a finished game of kung fu chess is replayed tick by tick", async (t) => {
  const [ada, ben] = [await world.guest(t), await world.guest(t)];
  await together([ada, ben], "kung-fu", "ticks-per-square=2 rest=15");
  await ada.click("e2", "e4");
  await ben.sees("e4", "white pawn");
  await ben.click("d7", "d5");
  await ada.sees("d5", "black pawn");
  await ada.click("e4", "d5");
  await ben.sees("d5", "white pawn");
  await ben.resign();
  await ada.ends("You won", "White wins by resignation.");

  const eve = await world.guest(t);
  await eve.open(`/g/${ada.id}?at=0`);
  await eve.sees("e2", "white pawn");
  await eve.sees("e4", "empty");
  await eve.page.locator("main").focus();
  // From departure to departure.
  await eve.page.keyboard.press("ArrowRight");
  await eventually(async () => assert.match((await eve.label("e4")) ?? "", /white pawn on its way here/));
  await eve.page.keyboard.press("ArrowRight");
  await eventually(async () => assert.match((await eve.label("d5")) ?? "", /black pawn on its way here/));
  await eve.sees("e4", "white pawn");
  assert.match(await link(eve), /\?at=\d+\.\d$/);
  await eve.page.locator("main").focus();
  await eve.page.keyboard.press("ArrowLeft");
  await eve.sees("e2", "empty");
  await eve.page.keyboard.press("Home");
  await eve.sees("e2", "white pawn");
  await speed(eve).selectOption("8");
  await bar(eve).getByRole("button", { name: "Replay" }).click();
  await eve.sees("d5", "white pawn");
  await eve.ends("Game over", "White wins by resignation.");

  // The file shows the same.
  const [name, text] = await download(eve);
  assert.match(name, /\.json$/);
  await eve.open();
  await drop(eve, name, text);
  await eve.page.waitForURL("**/replay");
  await eve.sees("d5", "white pawn");
  await eve.page.keyboard.press("Home");
  await eve.sees("e2", "white pawn");
});

test("in a replay of kung fu chess no button covers another, and playing moves none", async (t) => {
  const guest = await world.guest(t);
  await guest.make({ game: "kung-fu", rules: "ticks-per-square=30 rest=60", opponent: { bot: "random" }, seat: 0 });
  await guest.begins();
  await guest.click("e2", "e4");
  await guest.sees("e4", "white pawn");
  await guest.resign();
  await guest.card.getByRole("button", { name: "Close" }).click();
  const back = guest.button("Back to the game");
  const top = () => bar(guest).evaluate((node) => /** @type {HTMLElement} */ (node).offsetTop);
  for (const viewport of WINDOWS) {
    await guest.page.setViewportSize(viewport);
    assert.ok(await back.isDisabled());
    const before = await top();
    await slider(guest).fill("30");
    await guest.sees("e4", "empty");
    assert.equal(await top(), before);
    await guest.areApart(guest.page.locator(".panel").getByRole("button"));
    await back.click();
    await guest.sees("e4", "white pawn");
  }
});

test("going back in a finished game moves no buttons, not even in a low window", async (t) => {
  const guest = await world.guest(t, { viewport: { width: 844, height: 390 } });
  await guest.create("self");
  await guest.type("f3", "e5", "g4", "Qh4#");
  await guest.status("Black wins by checkmate.");
  const back = guest.button("Previous move");
  const below = async () => ((await back.boundingBox())?.y ?? NaN) - ((await guest.page.locator(".panel").boundingBox())?.y ?? NaN);
  const before = await below();
  await back.click();
  await guest.button("Back to the game").waitFor();
  assert.equal(await below(), before);
});

test("a game without moves has nothing to replay", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { bot: "Random", seat: "White" });
  await guest.abort();
  await guest.ends("Game aborted", /nobody wins/);
  assert.ok(await bar(guest).isHidden());
});

for (const [game, moves, extension, square, piece] of /** @type {[string, string[], RegExp, string, string][]} */ ([
  ["Chess", ["e4", "d5", "exd5"], /\.pgn$/, "d5", "white pawn"],
  ["Four-player chess", ["g2-g3", "b9-c9", "d13-d12", "m7-l7"], /\.pgn4$/, "g3", "red pawn"],
  ["Blokus Duo", ["e10,f10,f9,g9,f8"], /\.blksgf$/, "f9", "purple"],
])) {
  test(`${game} is exported before its end and opened as a replay`, async (t) => {
    const guest = await world.guest(t);
    await guest.create("self", { game });
    await guest.type(...moves);
    const [name, text] = await download(guest);
    assert.match(name, extension);
    await drop(guest, name, text);
    await guest.page.locator(".toast", { hasText: "Finish your game first" }).waitFor();

    await guest.open("/lobby");
    await drop(guest, name, text);
    await guest.page.waitForURL("**/replay");
    await guest.recordHas(moves.length);
    await guest.sees(square, piece);
    await isAt(guest, `${moves.length} of ${moves.length}`);
    await guest.page.keyboard.press("Home");
    await guest.sees(square, "empty");
    assert.ok(await bar(guest).getByRole("button", { name: "Copy link" }).isHidden(), "a file has no link");
    await guest.page.keyboard.press("ArrowRight");
    await isAt(guest, `1 of ${moves.length}`);
  });
}

test("a file with clocks shows those of the selected move", async (t) => {
  const guest = await world.guest(t);
  await guest.open("/lobby");
  await guest.paste('[White "Ada"] [Black "Ben"] [TimeControl "300"]\n\n1. e4 {[%clk 0:04:59]} e5 {[%clk 0:04:30]} 2. Nf3 {[%clk 0:04:40]} *');
  await guest.page.waitForURL("**/replay");
  const clocks = guest.page.getByRole("timer");
  const show = (/** @type {string} */ white, /** @type {string} */ black) =>
    eventually(async () => assert.deepEqual(new Set(await clocks.allTextContents()), new Set([white, black])));
  await show("4:40", "4:30");
  await guest.page.keyboard.press("Home");
  await show("5:00", "5:00");
  await guest.page.keyboard.press("ArrowRight");
  await show("4:59", "5:00");
  await guest.page.keyboard.press("ArrowRight");
  await show("4:59", "4:30");
});

test("a game is pasted or typed, refused with the reason if it is invalid, and opened in the study board if it is chess", async (t) => {
  const guest = await world.guest(t);
  await guest.open("/replay");
  await guest.page.getByRole("heading", { name: "Open a game file" }).waitFor();
  await guest.page.getByRole("textbox").fill("1. e4 e4");
  await guest.press("Open");
  await guest.says(guest.page.locator(".open-file-form .reason"), /^Line 1, column 7: 'e4' is not legal/);
  await guest.open("/lobby");
  await guest.paste("what a day");
  await guest.page.locator(".toast").waitFor();
  await guest.paste('[White "Légal"] [Black "Saint Brie"] [Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0');
  await guest.page.waitForURL("**/replay");
  await guest.says(guest.page.getByRole("group", { name: /^white: / }).locator(".name"), "Légal");
  await guest.ends("Game over", "White wins by checkmate.");
  await guest.page.keyboard.press("Home");
  await guest.card.waitFor({ state: "hidden" });
  await guest.press("Study");
  await guest.page.waitForURL("**/study");
  await guest.says(guest.page.locator("h1"), "Légal – Saint Brie, 1–0");
  // There, a file replaces the study.
  await drop(guest, "other.pgn", '[White "Ada"] [Black "Ben"]\n\n1. d4 *');
  await guest.says(guest.page.locator("h1"), /^Ada – Ben/);
});
