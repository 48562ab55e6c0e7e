// Kung fu chess: four guests, a bot, premoves, refusals, a server that is killed.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { together } from "../guest.js";
import { arena, BINARY, eventually, KILLED } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

/** @param {Guest} guest @param {string} seat */
const strip = (guest, seat) => guest.page.getByRole("group", { name: new RegExp(`^${seat}: `) });

test("four guests play on the cross to the end, one reloads, and the replay ends the same", async (t) => {
  const guests = [await world.guest(t), await world.guest(t), await world.guest(t), await world.guest(t)];
  const [red, blue, yellow, green] = guests;
  await together(guests, "kung-fu-12x12", "ticks-per-square=2 rest=15");
  for (const [seat, [own, far]] of [["l6", "a6"], ["f1", "f12"], ["a7", "l7"], ["g12", "g1"]].entries()) {
    const guest = guests[seat];
    assert.ok((await guest.middle(own)).y > (await guest.middle(far)).y, `the board is turned to seat ${seat}`);
  }

  await red.click("k5", "j5");
  await blue.drag("h2", "h3");
  await green.click("e11", "e9");
  for (const guest of guests) {
    await guest.sees("j5", "red pawn");
    await guest.sees("h3", "blue pawn");
    await guest.sees("e9", "green pawn");
  }
  await yellow.page.reload();
  await yellow.begins();
  await yellow.sees("e9", "green pawn");
  await yellow.click("b6", "d6");
  await green.sees("d6", "yellow pawn");
  assert.deepEqual(await yellow.board(), await green.board());

  // The queen captures the king of Red, whose pieces leave the board.
  await blue.click("g1", "l6");
  await red.status("You have been eliminated");
  await yellow.sees("l6", "blue queen");
  await yellow.sees("j5", "empty");
  await green.says(strip(green, "red").locator(".about"), "Red, eliminated");
  assert.equal(await strip(green, "blue").locator(".captured").count(), 1);
  await green.resign();
  await yellow.resign();
  for (const guest of guests) await guest.ends(guest === blue ? "You won" : "You lost", "Blue wins by resignation.");

  const [file] = await Promise.all([blue.page.waitForEvent("download"), blue.card.getByRole("link", { name: "Export" }).click()]);
  assert.match(file.suggestedFilename(), /^kung-fu-12x12-\w+\.json$/);
  const path = join(world.server.folder, "replay.json");
  await file.saveAs(path);
  const { stdout } = await promisify(execFile)(BINARY, ["replay", "--events", path]);
  assert.match(stdout, /K:1:6:11 captured by Q:2:11:6\n/);
  assert.match(stdout, /\nend \d+ winner 2\n$/);

  const before = `/g/${red.id}`;
  for (const guest of guests) await guest.card.getByRole("button", { name: /^(Rematch|Accept rematch)$/ }).click();
  for (const guest of guests) await guest.page.waitForURL((url) => url.pathname !== before);
  await green.begins();
  assert.match((await strip(green, "red").textContent()) ?? "", /Red, you/);
});

test("premoves, refusals with a reason, and an agreed draw", async (t) => {
  const [white, black] = [await world.guest(t), await world.guest(t)];
  await together([white, black], "kung-fu", "ticks-per-square=4 rest=300");
  await white.notes(/^A piece is in the way, or one of yours is moving there$/, () => white.drag("a1", "a4"));
  await white.pieceIsDrawnOn("a1");
  await white.notes(/^This piece does not move like that$/, () => white.drag("b1", "b5"));

  await white.click("e2", "e4");
  await white.plans("e4", "e5");
  assert.deepEqual(await black.marked("premove"), [], "nobody else sees it");
  await black.sees("e4", "white pawn");
  await eventually(async () => assert.ok((await white.page.locator(".rest").count()) > 0, "the pawn rests"));
  await black.sees("e5", "white pawn");
  assert.deepEqual(await white.marked("premove"), []);

  // A canceled premove does not happen; an impossible one says why.
  await white.plans("e5", "e6");
  await white.page.keyboard.press("Escape");
  await eventually(async () => assert.deepEqual(await white.marked("premove"), []));
  await white.notes(/^This piece does not move like that$/, () => white.drag("e5", "a5"));

  // By keyboard, and by typing.
  await white.square("g1").focus();
  await white.page.keyboard.press("Enter");
  await eventually(async () => assert.deepEqual((await white.marked("target")).sort(), ["e2", "f3", "h3"]));
  await white.square("f3").focus();
  await white.page.keyboard.press("Enter");
  await black.sees("f3", "white knight");
  await black.page.getByRole("textbox", { name: "Type a move" }).fill("d7 d5");
  await black.press("Play");
  await white.sees("d5", "black pawn");
  await white.sees("e5", "white pawn");

  await white.press("Offer draw");
  await black.status("White offers a draw");
  await black.press("Accept draw");
  for (const guest of [white, black]) await guest.ends("Draw", "Draw by agreement.");
});

test("a bot plays without turns, and a player who has not moved can abort", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { game: "Kung fu chess", bot: "Greedy", speed: "Lightning" });
  assert.ok(await guest.button("Takeback").isHidden());
  const digit = guest.page.locator(".countdown");
  assert.match((await digit.textContent()) ?? "", /^[123]$/);
  await guest.begins();
  const before = await guest.board();
  await eventually(async () => assert.notDeepEqual(await guest.board(), before, "the bot has moved"));
  await guest.press("Offer draw");
  await guest.page.locator(".toast", { hasText: "Bots do not accept draws." }).waitFor();
  await guest.abort();
  await guest.ends("Game aborted", "Not every player had moved, so nobody wins or loses.");
  await guest.card.getByRole("button", { name: "Rematch" }).click();
  await guest.begins();
});

test("after the server was killed, the game is paused until a player returns", async (t) => {
  const [white, black, watcher] = [await world.guest(t), await world.guest(t), await world.guest(t)];
  white.expected = black.expected = watcher.expected = KILLED;
  await together([white, black], "kung-fu", "ticks-per-square=4 rest=30");
  await white.click("e2", "e4");
  await white.sees("e4", "white pawn");
  const path = `/g/${white.id}`;
  await white.open("/");
  await black.open("/");
  await world.server.kill();
  await world.server.open();
  await watcher.open(path);
  await watcher.status("Paused until a player returns");
  // At most the second before the kill is lost: the pawn may be in flight again, but its order is kept.
  assert.match((await watcher.label("e4")) ?? "", /^e4, (white pawn|empty, white pawn on its way here)/);
  await white.open(path);
  await white.begins();
  await watcher.status("You are watching");
  await watcher.sees("e4", "white pawn");
  await white.click("d2", "d3");
  await watcher.sees("d3", "white pawn");
});
