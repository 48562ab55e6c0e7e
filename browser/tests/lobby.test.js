// The lobby, and watching games.

import assert from "node:assert/strict";
import { test } from "node:test";

import { together } from "../guest.js";
import { arena, eventually, WINDOWS } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

/** @param {Guest} guest @param {"Open games" | "Live games"} name */
const games = (guest, name) => guest.page.getByRole("list", { name }).getByRole("listitem");

/** @param {Guest} guest @param {string} name */
async function rename(guest, name) {
  await guest.open();
  await guest.page.getByRole("button", { name: /^Your name: Guest \d+/ }).click();
  await guest.page.getByRole("textbox", { name: "Your name" }).fill(name);
  await guest.press("Save");
  await guest.button(`Your name: ${name} (change)`).waitFor();
}

/** @param {Guest} guest */
async function enter(guest) {
  await guest.page.getByRole("banner").getByRole("link", { name: "Lobby" }).click();
  await guest.page.getByRole("heading", { name: "Lobby" }).waitFor();
}

/** @param {Guest} guest @param {string} game */
async function offer(guest, game, clock = "No clock") {
  const form = guest.page.getByRole("region", { name: "New open game" });
  await form.getByRole("combobox", { name: "Game" }).selectOption(game);
  const clocks = form.getByRole("combobox", { name: "Clock" });
  if (await clocks.isVisible()) await clocks.selectOption(clock);
  await form.getByRole("button", { name: "Create game" }).click();
  await guest.page.waitForURL(/\/g\//);
}

test("an open game is listed in the lobby, joined, and then watched", async (t) => {
  const [ada, ben, eve] = [await world.guest(t), await world.guest(t), await world.guest(t)];
  await rename(ada, "Ada");
  await enter(ada);
  await ada.page.getByText("No open games.").waitFor();
  await rename(ben, "Ben");
  await enter(ben);
  await rename(eve, "Eve");
  await enter(eve);
  await offer(ada, "Chess", "5+3");
  await ada.status("Waiting for a player");

  // Everybody in the lobby sees it appear.
  for (const guest of [ben, eve]) await guest.says(games(guest, "Open games"), /^Ada 1500\?.*Chess5\+3Join$/);
  await ben.page.getByRole("button", { name: /^Join Ada: Chess, as (white|black)$/ }).click();
  await ben.page.waitForURL(`**/g/${ada.id}`);
  await ada.status(/^(Your turn|White to move)$/);
  await ben.status(/^(Your turn|White to move)$/);

  const playing = games(eve, "Live games");
  await eve.says(playing, /^(Ada|Ben) 1500\?.* – (Ada|Ben) 1500\?.*Chess5\+3Watch$/);
  assert.equal(await games(eve, "Open games").count(), 0);
  await eve.page.getByRole("button", { name: /^Watch (Ada – Ben|Ben – Ada): Chess$/ }).click();
  await eve.status("You are watching. White to move");
  for (const guest of [ada, ben, eve]) await guest.says(guest.page.locator(".watchers"), "1 watching");
  await ben.abort();
  await eve.ends("Game aborted", "Not every player had moved, so nobody wins or loses.");
  await enter(eve);
  await eve.page.getByText("No live games.").waitFor();
});

test("all players of a game are named in every window", async (t) => {
  const [ada, eve] = [await world.guest(t), await world.guest(t)];
  await rename(ada, "Dorothea von Rodde");
  await ada.make({ game: "four-player", rules: undefined, opponent: { bot: "random" }, seat: 0, listed: true });
  await eve.open("/lobby");
  const players = games(eve, "Live games").locator(".game-players");
  await eve.says(players, /^Dorothea von Rodde 1500.* – Random 400.* – Random 400.* – Random 400/);
  for (const viewport of WINDOWS) {
    await eve.page.setViewportSize(viewport);
    assert.ok(await players.evaluate((node) => node.scrollWidth <= node.clientWidth), `${viewport.width}`);
  }
  await ada.abort();
});

test("games by link are not listed in the lobby, and a game against a bot is listed unless the player chooses otherwise", async (t) => {
  const [ada, ben, eve] = [await world.guest(t), await world.guest(t), await world.guest(t)];
  await eve.open("/lobby");
  await ada.create("friend", { seat: "White" });
  await ben.open();
  await ben.openOptions("Chess");
  await ben.kind("Chess").getByRole("radio", { name: "Anyone with the link" }).check();
  await ben.create("bot", { seat: "White" });
  const carl = await world.guest(t);
  await carl.create("bot", { game: "Four-player chess", seat: "Red" });
  // The later game is listed, so the earlier one would be, too.
  await eve.says(games(eve, "Live games"), /^Guest \d+ 1500\?.* – .*Four-player chessWatch$/);
  assert.equal(await games(eve, "Open games").count(), 0);
  // The home page has a link to the lobby and summarizes it.
  await eve.open();
  await eve.says(eve.page.locator(".study-line").first(), "Play with others: the lobby – 1 live game.");
  await eve.page.getByRole("link", { name: "the lobby" }).click();
  await games(eve, "Live games").waitFor();
  // The game is no longer listed once its player leaves.
  await carl.open("/study");
  await eve.page.getByText("No live games.").waitFor();
});

test("a seat that someone else has just taken is refused with the reason", async (t) => {
  const [ada, ben] = [await world.guest(t), await world.guest(t)];
  await ada.open("/lobby");
  await offer(ada, "Blokus Duo");
  await ben.open("/lobby");
  const join = ben.page.getByRole("button", { name: /^Join Guest \d+: Blokus Duo/ });
  await join.waitFor();
  // Ben's page asks for a seat that does not exist.
  await ben.page.evaluate(() => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
      if (JSON.parse(String(text)).t === "sit") return send.call(this, String(text).replace(/"seat":\d/, '"seat":7'));
      return send.call(this, text);
    };
  });
  await join.click();
  await ben.page.locator(".toast", { hasText: "There is no seat 7" }).waitFor();
  await ben.page.getByRole("heading", { name: "Lobby" }).waitFor();
});

for (const [game, move, square, piece] of /** @type {const} */ ([
  ["Chess", "e4", "e4", "white pawn"],
  ["Four-player chess", "g2-g3", "g3", "red pawn"],
  ["Blokus Duo", "e10,f10,f9,g9,f8", "f9", "purple"],
])) {
  test(`a spectator sees ${game} live and cannot play`, async (t) => {
    const [ada, eve] = [await world.guest(t), await world.guest(t)];
    await ada.create("self", { game, clock: "10+0" });
    await eve.open(`/g/${ada.id}`);
    await eve.status(/^You are watching\. /);
    await ada.type(move);
    await eve.recordHas(1);
    await eve.sees(square, piece);
    await eventually(async () => assert.deepEqual(await eve.board(), await ada.board()));
    assert.ok((await eve.page.getByRole("timer").first().textContent())?.includes(":"), "clocks are seen");
    assert.deepEqual([await eve.marked("mine"), await eve.marked("target")], [[], []]);
    for (const name of ["Resign", "Takeback", "Hint", "Agree to a draw"]) assert.ok(await eve.button(name).isHidden(), name);
    await ada.says(ada.page.locator(".watchers"), "1 watching");
    await eve.open();
    await ada.says(ada.page.locator(".watchers"), "");
  });
}

test("a spectator sees kung fu chess live, but no premoves", async (t) => {
  const [ada, ben, eve] = [await world.guest(t), await world.guest(t), await world.guest(t)];
  // The pawn rests for ten seconds, so that even a slow machine can plan its next move.
  await together([ada, ben], "kung-fu", "ticks-per-square=4 rest=300");
  await eve.open(`/g/${ada.id}`);
  await eve.status("You are watching");
  await ada.click("e2", "e4");
  await ada.plans("e4", "e5");
  await eve.sees("e4", "white pawn");
  assert.deepEqual([await eve.marked("premove"), await eve.marked("mine")], [[], []]);
  await ada.says(ada.page.locator(".watchers"), "1 watching");
  await eve.sees("e5", "white pawn");
});

for (const game of ["Chess", "Four-player chess", "Kung fu chess"]) {
  test(`a waiting game of ${game} can be canceled, in the lobby and on its page`, async (t) => {
    const [ada, ben] = [await world.guest(t), await world.guest(t)];
    await ben.open("/lobby");
    for (const place of ["page", "lobby"]) {
      await ada.open("/lobby");
      await offer(ada, game);
      await ada.status(/^Waiting for/);
      await eventually(async () => assert.equal(await games(ben, "Open games").count(), 1));
      assert.ok(await ben.page.getByRole("button", { name: /^Cancel/ }).isHidden(), "it is not Ben's");
      const { id } = ada;
      const [, answer] = await ben.raw([{ t: "watch", game: id }, { t: "abort" }]);
      assert.equal(answer.t, "no");
      if (place === "page") {
        await ada.press("Cancel game");
        await ada.button("Play chess").waitFor();
      } else {
        // The game is listed as long as its player is there.
        const other = await ada.window();
        await other.open("/lobby");
        await other.press(`Cancel your ${game}`);
        await other.page.getByText("No open games.").waitFor();
        await ada.ends("Game aborted", "It was canceled before it began.");
        await other.page.close();
      }
      await ben.page.getByText("No open games.").waitFor();
      await ada.open(`/g/${id}`);
      await ada.ends("Game aborted", "It was canceled before it began.");
      assert.ok(await ada.card.getByRole("button", { name: "Rematch" }).isHidden());
    }
  });
}

test("a bot gets a seat with the chosen level", async (t) => {
  const guest = await world.guest(t);
  await guest.create("friend", { game: "Four-player chess", seat: "Red" });
  const level = guest.page.getByRole("combobox", { name: "Bot level" });
  const names = (await level.locator("option").allTextContents()).map((text) => text.replace(/ \(\d+\)$/, ""));
  assert.ok(names.length >= 4, names.join());
  const name = (/** @type {string} */ seat) => guest.page.getByRole("group", { name: new RegExp(`^${seat}: `) }).locator(".name");
  await level.selectOption({ index: 0 });
  await guest.press("Add bot for blue");
  await guest.says(name("blue"), names[0] ?? "");
  await level.selectOption({ index: names.length - 1 });
  await guest.press("Add bot for yellow");
  await guest.says(name("yellow"), names.at(-1) ?? "");
});
