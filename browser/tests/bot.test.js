// Whole games with mouse and buttons, against a bot and alone on one screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually } from "../harness.js";

const world = arena();

/** Own moves before resigning. */
const ENOUGH = 15;

test("a whole game against a bot by clicks and drags", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { bot: "Random", seat: "White" });
  for (let own = 0; own < ENOUGH; own += 1) {
    await eventually(async () => assert.match((await guest.page.locator(".status").textContent()) ?? "", /Your turn|\./));
    if (await guest.card.isVisible()) break;
    const before = (await guest.moves()).length;
    assert.equal(before, 2 * own);
    await playAny(guest, own);
    await eventually(async () => assert.ok((await guest.moves()).length > before || (await guest.card.isVisible())));
    await eventually(async () => assert.ok((await guest.moves()).length > before + 1 || (await guest.card.isVisible())));
  }
  if (!(await guest.card.isVisible())) {
    await guest.resign();
    await guest.ends("You lost", "Black wins by resignation.");
  }
  await guest.card.waitFor();
  assert.ok((await guest.moves()).length > 0);
});

/**
 * Plays one of the moves that the page shows, a different one each turn, by clicks or by dragging.
 * @param {import("../guest.js").Guest} guest
 * @param {number} turn
 */
async function playAny(guest, turn) {
  const movable = guest.page.locator('[role=grid] [aria-label$=", can move"]');
  await movable.first().waitFor();
  const pieces = await movable.evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-square") ?? ""));
  const from = pieces[(7 * turn) % pieces.length] ?? "";
  await guest.square(from).click();
  const targets = [...(await guest.marked("target")), ...(await guest.marked("capture"))];
  assert.ok(targets.length > 0, `${from} has somewhere to go`);
  const to = targets[turn % targets.length] ?? "";
  if (turn % 2 === 0) await guest.square(to).click();
  else await guest.drag(from, to);
  const queen = guest.page.getByRole("dialog").getByRole("button", { name: /queen/ });
  if (await queen.isVisible()) await queen.click();
}

test("fool's mate on one screen, and a rematch", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  await guest.status("White to move");
  const game = [["f2", "f3", "f3"], ["e7", "e5", "e5"], ["g2", "g4", "g4"], ["d8", "h4", "Qh4#"]];
  for (const [index, [from, to]] of game.entries()) {
    await (index % 2 === 0 ? guest.drag(from, to) : guest.click(from, to));
    await guest.record(game.slice(0, index + 1).map(([, , text]) => text));
  }
  await guest.ends("Game over", "Black wins by checkmate.");
  await guest.status("Black wins by checkmate.");
  assert.match((await guest.label("e1")) ?? "", /white king, in check/);
  assert.deepEqual(await guest.marked("mine"), []);

  const exported = await guest.page.request.get(`/g/${guest.id}/export`.replace(/^/, world.server.origin));
  assert.match(await exported.text(), /1\. f3 e5 2\. g4 Qh4# 0-1/);

  const id = guest.id;
  await guest.card.getByRole("button", { name: "Rematch" }).click();
  await guest.page.waitForURL((url) => url.pathname !== `/g/${id}`);
  await guest.record([]);
  await guest.status("White to move");
});

test("a takeback against a bot returns to your last move", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { seat: "White" });
  const start = await guest.board();
  assert.ok(await guest.button("Takeback").isDisabled());
  await guest.drag("e2", "e4");
  await guest.recordHas(2);
  await guest.press("Takeback");
  await guest.record([]);
  assert.deepEqual(await guest.board(), start);
  await guest.status("Your turn");
  await guest.click("d2", "d4");
  await eventually(async () => assert.equal((await guest.moves())[0], "d4"));
});

test("a double click does not end a game", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  await guest.type("e4");
  await guest.button("Resign").dblclick();
  await guest.button("Confirm resignation").waitFor();
  await guest.button("Agree to a draw").dblclick();
  await guest.button("Confirm draw").waitFor();
  await guest.type("e5");
  await guest.record(["e4", "e5"]);
});

test("a takeback on one screen takes back one move", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self");
  await guest.type("e4", "e5");
  await guest.press("Takeback");
  await guest.record(["e4"]);
  await guest.sees("e7", "black pawn");
  await guest.status("Black to move");
});

test("the bot begins if the guest plays black", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { seat: "Black" });
  await guest.recordHas(1);
  await guest.status("Your turn");
  const [own, theirs] = [await guest.middle("e8"), await guest.middle("e1")];
  assert.ok(own.y > theirs.y, "one's own pieces are below");
});

test("a newcomer meets a weak bot, and later the last choice", async (t) => {
  const guest = await world.guest(t);
  await guest.open();
  const opponents = { Chess: "Beginner", Blokus: "Novice", "Four-player chess": "Novice", "Kung fu chess": "Novice" };
  for (const [game, level] of Object.entries(opponents)) {
    await guest.chooseKind(game);
    await guest.openOptions(game);
    assert.ok(await guest.kind(game).getByRole("radio", { name: level, exact: true }).isChecked(), game);
  }
  await guest.kind("Chess").getByRole("button", { name: "Play chess" }).click();
  await guest.ready();
  await guest.says(guest.page.locator(".player .name", { hasText: "Beginner" }), "Beginner");
  await guest.open();
  await guest.openOptions("Chess");
  await guest.kind("Chess").getByRole("radio", { name: "Expert" }).check();
  await guest.kind("Chess").getByRole("button", { name: "Play chess" }).click();
  await guest.ready();
  await guest.says(guest.page.locator(".player .name", { hasText: "Expert" }), "Expert");
  await guest.open();
  await guest.openOptions("Chess");
  assert.ok(await guest.kind("Chess").getByRole("radio", { name: "Expert" }).isChecked());
});

test("every level of every game is offered, and says how it plays", async (t) => {
  const guest = await world.guest(t);
  await guest.open();
  const games = await guest.page.evaluate(async () => {
    const socket = new WebSocket(`ws://${location.host}/ws?v=3`);
    const { data } = await new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }));
    socket.close();
    return JSON.parse(data).games;
  });
  assert.ok(games.length >= 8);
  for (const { name, bots } of games) {
    const card = guest.kind(name);
    await guest.openOptions(name);
    const levels = card.getByRole("group", { name: "Opponent" }).getByRole("radio");
    assert.equal(await levels.count(), bots.length, name);
    for (const bot of bots) {
      await card.getByRole("group", { name: "Opponent" }).getByRole("radio", { name: bot.name, exact: true }).check();
      await guest.says(card.locator(".about-bot"), `${bot.about[0].toUpperCase()}${bot.about.slice(1)}. Rating ${bot.rating}.`);
    }
  }
});
