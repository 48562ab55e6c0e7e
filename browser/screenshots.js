// Takes pictures of every view, for a person to look at: node browser/screenshots.js OUTDIR
// Only the views and sizes with these prefixes: node browser/screenshots.js OUTDIR blokus phone

import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { Guest } from "./guest.js";
import { launch, PATIENCE, Server } from "./harness.js";
import { LEGAL, OPERA, studyOpera } from "./sample-games.js";

const SIZES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  laptop: { viewport: { width: 1100, height: 720 } },
  tablet: { viewport: { width: 820, height: 1180 }, hasTouch: true },
  small: { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  landscape: { viewport: { width: 844, height: 390 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};

/** The players whose games are listed. @type {import("playwright-core").BrowserContext | undefined} */
let others;

/** Each starts where the previous one left the page. @type {Record<string, (guest: Guest) => Promise<void>>} */
const VIEWS = {
  landing: async (guest) => {
    await guest.open();
    await guest.page.getByRole("img", { name: /^A live game: / }).waitFor();
    await guest.page.locator(".board .piece-image").first().waitFor();
  },
  lobby: async (guest) => {
    const games = [
      { game: "chess", opponent: "friend", clock: { initial: 300_000, increment: 3000 } },
      { game: "blokus", opponent: "friend" },
      { game: "kung-fu-12x12", opponent: "friend", rules: "lightning" },
      { game: "four-player", opponent: { bot: "random" }, clock: { initial: 600_000, increment: 0 } },
      { game: "kung-fu", opponent: { bot: "random" } },
    ];
    await others?.close();
    others = await guest.page.context().browser()?.newContext();
    for (const [index, game] of games.entries()) {
      const other = new Guest(/** @type {import("playwright-core").Page} */ (await others?.newPage()), guest.origin);
      await other.open();
      await other.raw([{ t: "name", name: ["Ada", "Béatrice", "Chidi", "Dorothea von Rodde", "Emmy"][index] }]);
      await other.make({ seat: 0, rules: undefined, listed: true, ...game });
    }
    await guest.open("/lobby");
    await guest.page.getByRole("list", { name: "Live games" }).getByRole("listitem").nth(1).waitFor();
  },
  missing: async (guest) => {
    guest.expected = /404/;
    await guest.open("/nothing/here");
    await guest.page.getByRole("heading", { name: "Page not found" }).waitFor();
  },
  "missing-game": async (guest) => {
    guest.expected = /404/;
    await guest.open("/g/aaaaaaaaaaaa");
    await guest.page.getByRole("heading", { name: "Game not found" }).waitFor();
  },
  "replay-file": async (guest) => {
    await guest.open("/replay");
    await guest.page.getByRole("heading", { name: "Open a game file" }).waitFor();
  },
  "replay-game": async (guest) => {
    await guest.paste(OPERA);
    await guest.page.getByRole("region", { name: "Replay" }).waitFor();
    await guest.page.keyboard.press("Home");
    for (let step = 0; step < 9; step += 1) await guest.page.keyboard.press("ArrowRight");
    await guest.says(guest.page.locator(".replay-time"), "9 of 33");
  },
  "replay-kung-fu": async (guest) => {
    await guest.make({ game: "kung-fu", rules: "ticks-per-square=30 rest=60", opponent: { bot: "random" }, seat: 0 });
    await guest.begins();
    await guest.click("e2", "e4");
    await guest.sees("e4", "white pawn");
    await guest.resign();
    await guest.card.waitFor();
    await guest.card.getByRole("button", { name: "Close" }).click();
    await guest.page.getByRole("slider", { name: "Position" }).fill("60");
    await guest.page.locator(".piece-image.flying").first().waitFor();
  },
  yours: async (guest) => {
    await guest.create("bot", { bot: "Random", seat: "White", clock: "5+3" });
    await guest.type("e4");
    await guest.recordHas(2);
    await guest.status("Your turn");
    await guest.resign();
    await guest.card.waitFor();
    await guest.create("self", { game: "Four-player chess" });
    await guest.open("/you");
    await guest.page.getByRole("list", { name: "Leaderboard" }).getByRole("listitem").first().waitFor();
  },
  "rated-end": async (guest) => {
    await guest.create("bot", { bot: "Random", seat: "White", clock: "5+3" });
    await guest.type("e4");
    await guest.recordHas(2);
    await guest.status("Your turn");
    await guest.resign();
    await guest.card.locator(".rated").waitFor();
  },
  "aborted-end": async (guest) => {
    await guest.create("bot", { bot: "Random", seat: "White", clock: "5+3" });
    await guest.abort();
    await guest.ends("Game aborted", /nobody wins/);
  },
  "rated-four": async (guest) => {
    await guest.create("bot", { game: "Four-player chess", bot: "Random", seat: "Red", clock: "5+3" });
    await guest.page.locator(".player .rating").nth(3).waitFor();
  },
  menu: async (guest) => {
    await guest.open("/");
    await guest.page.getByRole("region", { name: "Chess", exact: true }).waitFor();
    const menu = guest.button("Menu");
    if (await menu.isVisible()) await menu.click();
  },
  invitation: (guest) => guest.create("friend", { seat: "White", clock: "5+3" }),
  "invitation-network": async (guest) => {
    await guest.press("Share on the local network");
    await guest.page.getByRole("img", { name: /^QR code of / }).waitFor();
    await guest.page.getByRole("region", { name: "Invite" }).scrollIntoViewIfNeeded();
  },
  "invitation-four": async (guest) => {
    await guest.create("friend", { game: "Four-player chess", seat: "Blue" });
    await guest.page.getByRole("img", { name: /^QR code of / }).waitFor();
    await guest.page.getByRole("region", { name: "Invite" }).scrollIntoViewIfNeeded();
  },
  "invitation-closed": async (guest) => {
    await guest.press("Stop sharing on the network");
    await guest.button("Share on the local network").waitFor();
  },
  "takeback-request": async (guest) => {
    await guest.make({ game: "chess", rules: undefined, opponent: "friend", seat: 1, casual: true, clock: { initial: 300_000, increment: 0, delay: 3000 } });
    const friend = await friendOf(guest);
    await friend.press("Play as white");
    await friend.type("e4");
    await friend.press("Takeback");
    await guest.status("White asks to take back a move");
  },
  chat: async (guest) => {
    await guest.make({ game: "chess", rules: undefined, opponent: "friend", seat: 1 });
    const friend = await friendOf(guest);
    await friend.press("Play as white");
    await guest.button("Chat").waitFor();
    await guest.page.evaluate(() => scrollTo(0, 0));
    for (const person of [friend, guest]) {
      await person.press(/^Chat/);
      await person.press("Good luck");
    }
    await guest.page.getByRole("list", { name: "Messages" }).getByRole("listitem").nth(1).waitFor();
  },
  "chat-off": (guest) => guest.press("Turn off"),
  "custom-clock": async (guest) => {
    await guest.open();
    await guest.openOptions("Chess");
    await guest.kind("Chess").getByRole("radio", { name: "Custom", exact: true }).check();
    await guest.page.getByRole("group", { name: "Custom clock" }).first().scrollIntoViewIfNeeded();
  },
  game: async (guest) => {
    await guest.create("self", { clock: "10+0" });
    await guest.type("e4", "d5", "exd5", "e6", "dxe6", "Bd6", "exf7+");
    await guest.square("e8").click();
  },
  refusal: async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.notes(/check/, () => guest.drag("a7", "a6"));
  },
  promotion: async (guest) => {
    await guest.type("Kd7");
    await guest.click("f7", "g8");
    await guest.page.getByRole("dialog").waitFor();
  },
  earlier: async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.press("Previous move");
    await guest.button("Back to the game").waitFor();
  },
  end: async (guest) => {
    await guest.press("Back to the game");
    await guest.resign();
    await guest.card.waitFor();
  },
  bot: async (guest) => {
    await guest.create("bot", { seat: "Black", clock: "None" });
    await guest.recordHas(1);
    await guest.drag("g8", "f6");
    await guest.recordHas(3);
    await guest.drag("g7", "g5", "right");
    await guest.drag("e4", "e4", "right");
  },
  "bot-hint-question": async (guest) => {
    await guest.status("Your turn");
    await guest.press("Hint");
    await guest.page.getByRole("dialog", { name: "Show a hint?" }).waitFor();
  },
  "bot-hint": async (guest) => {
    await guest.press("Show hint");
    await guest.page.locator(".arrow.suggested").waitFor({ state: "attached" });
  },
  "four-invitation": (guest) => guest.create("friend", { game: "Four-player chess", seat: "Blue", clock: "10+0" }),
  "four-game": async (guest) => {
    for (const seat of ["red", "yellow", "green"]) await guest.press(`Add bot for ${seat}`);
    await guest.status("Your turn");
    await guest.type("b7-d7");
    await guest.recordHas(5);
    await guest.status("Your turn");
    await guest.square("a5").click();
  },
  "four-rules": async (guest) => {
    await guest.press("Rules");
    await guest.page.getByRole("dialog").waitFor();
  },
  "four-teams-rules": async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.create("bot", { game: "Four-player teams", bot: "Random", seat: "Red", clock: "5+3" });
    await guest.press("Rules");
    await guest.page.getByRole("dialog").waitFor();
  },
  "four-teams-rated-end": async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.status("Your turn");
    await guest.type("h2-h3");
    await guest.recordHas(4);
    await guest.status("Your turn");
    await guest.resign();
    await guest.card.locator(".rated").waitFor();
  },
  "four-one-out": async (guest) => {
    await guest.create("self", { game: "Four-player chess", clock: "5+3" });
    await guest.type("g2-g3", "b9-c9", "d13-d12", "m7-l7", "Bf1xl7", "Qa8xf13");
    await guest.status("Green to move");
    await guest.square("n5").click();
  },
  "four-standings": async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.resign();
    await guest.status("Red to move");
    await guest.resign();
    await guest.card.waitFor();
  },
  "four-teams": async (guest) => {
    await guest.create("self", { game: "Four-player teams" });
    await guest.type("f2-f3", "b9-d9", "i13-i12", "Nn5-l4", "Qg1-f2", "Qa8-c10", "Qh14xm9");
    await guest.card.getByRole("button", { name: "Close" }).click();
  },
  "duo-hand": async (guest) => {
    await guest.create("bot", { game: "Blokus Duo", bot: "Greedy", seat: "Purple", clock: "10+0" });
    await guest.status("Your turn");
    await guest.type("e10,f10,f9,g9,f8");
    await guest.recordHas(2);
    await guest.pick("W5");
    await guest.point("d8");
  },
  "duo-wrong": async (guest) => {
    await guest.page.keyboard.press("c");
    await guest.point("h10");
    await guest.page.locator(".verdict").waitFor();
  },
  "duo-hint": async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.page.keyboard.press("h");
    await guest.page.keyboard.press("Enter");
    await guest.page.locator(".held-piece.suggested").waitFor({ state: "attached" });
  },
  "duo-rules": async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.press("Rules");
    await guest.page.getByRole("dialog").waitFor();
  },
  "blokus-start": async (guest) => {
    await guest.create("friend", { game: "Blokus", seat: "Red", clock: "10+0" });
    for (const seat of ["blue", "yellow", "green"]) await guest.press(`Add bot for ${seat}`);
    await guest.status("Your turn");
  },
  "blokus-rules": async (guest) => {
    await guest.press("Rules");
    await guest.page.getByRole("dialog").waitFor();
  },
  "blokus-late": async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.create("self", { game: "Blokus for three" });
    await guest.placeMany(40);
    await guest.page.keyboard.press("3");
    await guest.page.keyboard.press("c");
  },
  "blokus-end": async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.placeMany();
    await guest.card.waitFor();
  },
  "blokus-pairs": async (guest) => {
    await guest.create("self", { game: "Blokus for two", clock: "10+0" });
    await guest.placeMany(13);
  },
  "kung-fu-countdown": async (guest) => {
    await guest.make({ game: "kung-fu", rules: "ticks-per-square=45 rest=450", opponent: { bot: "greedy" }, seat: 0 });
    await guest.page.locator(".countdown:not([hidden])").waitFor();
  },
  "kung-fu-game": async (guest) => {
    await guest.begins();
    for (const [from, to] of [["e2", "e3"], ["a2", "a4"], ["g1", "f3"], ["b1", "c3"]]) await guest.click(from, to);
    await guest.sees("e3", "white pawn");
    await guest.click("f1", "a6");
    await guest.click("e3", "e4");
    await guest.sees("a4", "white pawn");
    await guest.square("h2").click();
    await guest.page.locator(".cell.target").first().waitFor();
  },
  "kung-fu-refusal": async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.notes(/in the way/, () => guest.drag("a1", "c1"));
  },
  "kung-fu-four": async (guest) => {
    await guest.make({ game: "kung-fu-12x12", rules: "ticks-per-square=25 rest=250", opponent: { bot: "greedy" }, seat: 2 });
    await guest.begins();
    for (const [from, to] of [["b6", "d6"], ["a9", "c8"], ["b4", "c4"]]) await guest.click(from, to);
    await guest.sees("d6", "yellow pawn");
    await guest.click("d6", "e6");
    await guest.square("a4").click();
  },
  "kung-fu-end": async (guest) => {
    await guest.make({ game: "kung-fu", rules: "lightning", opponent: { bot: "greedy" }, seat: 1 });
    await guest.begins();
    await guest.click("a7", "a6");
    await guest.sees("a6", "black pawn");
    await guest.resign();
    await guest.card.waitFor();
  },
  "study-start": async (guest) => {
    await guest.open("/study?fen=" + encodeURIComponent("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    await guest.ready();
    await guest.fact("Attacked").waitFor();
    await guest.engineIsDone();
  },
  "study-facts": async (guest) => {
    await guest.paste("r3k2r/pbpp1pp1/1pn2n1p/3Np3/1bB1P1q1/2N2P2/PPPP2PP/R1BQ1RK1 b kq - 0 10");
    await guest.sees("g4", "black queen");
    for (const key of ["h", "e", "p", "d"]) await guest.page.keyboard.press(key);
    await guest.engineIsDone();
    await guest.fact("Hanging").hover();
  },
  "study-arrows": async (guest) => {
    await guest.press("Clear");
    await guest.paste("r3k2r/ppp2ppp/2n1bn2/2bqp3/4N3/2PB1N2/PP3PPP/R1BQ1RK1 w kq - 0 9");
    await guest.sees("e4", "white knight");
    for (const key of ["c", "y"]) await guest.page.keyboard.press(key);
  },
  "study-around": async (guest) => {
    await guest.press("Clear");
    for (const key of ["t", "l", "x", "r"]) await guest.page.keyboard.press(key);
    await guest.point("f6");
  },
  "study-game": async (guest) => {
    await guest.press("Clear");
    await guest.paste(LEGAL);
    await guest.says(guest.page.locator("h1"), "Légal – Saint Brie, 1–0");
    await guest.page.keyboard.press("e");
    for (let step = 0; step < 9; step += 1) await guest.page.keyboard.press("ArrowRight");
    await guest.says(guest.page.locator(".move[aria-current]"), "Nxe5!");
    await guest.page.locator(".graph-line").first().waitFor({ state: "attached" });
    await guest.engineIsDone();
  },
  "study-mistakes": async (guest) => {
    await guest.press("Clear");
    await studyOpera(guest);
    await guest.page.locator(".line").first().hover();
  },
  "study-engine-off": async (guest) => {
    await guest.page.keyboard.press("v");
    await guest.page.locator(".bar").waitFor({ state: "hidden" });
  },
  "study-editor": async (guest) => {
    await guest.page.keyboard.press("v");
    await guest.press("Set up");
    await guest.page.getByRole("button", { name: "white king", exact: true }).click();
    await guest.square("d5").click();
    await guest.says(guest.page.locator(".errors"), /king/);
  },
  "study-share": async (guest) => {
    await guest.press("Cancel");
    await guest.press("Share…");
    await guest.page.getByRole("dialog").waitFor();
  },
  "study-play": async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.press("Play from here…");
    await guest.page.getByRole("dialog", { name: "Play from here" }).waitFor();
  },
  "study-games": async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.paste(`${LEGAL}\n\n${OPERA}\n\n${"1. e4 e5 2. Qh7 *\n\n".repeat(1198)}`);
    const games = guest.page.getByRole("combobox", { name: "Game in the file" });
    await games.selectOption({ index: 2 });
    await guest.record(["e4", "e5"]);
    await guest.engineIsDone();
    await games.scrollIntoViewIfNeeded();
  },
  "env-chess": async (guest) => {
    await guest.open("/environments?of=chess&position=" + encodeURIComponent("r3k2r/pbpp1pp1/1pn2n1p/3Np3/1bB1P1q1/2N2P2/PPPP2PP/R1BQ1RK1 b kq - 3 10"));
    await guest.page.getByRole("tab", { name: /^Observation/ }).waitFor();
    await guest.page.getByRole("button", { name: /^Now: my pawns/ }).hover();
  },
  "env-mask": async (guest) => {
    await guest.square("f6").click();
    await guest.page.getByText("at f6.").waitFor();
  },
  "env-plane": async (guest) => {
    await guest.page.getByRole("button", { name: /^Knight: / }).first().click();
    await guest.page.getByRole("dialog").waitFor();
  },
  "env-code": async (guest) => {
    await guest.press("Close");
    await guest.page.getByRole("tab", { name: /^Python/ }).click();
    for (let run = 0; run < 3; run += 1) {
      await guest.press("Step a batch");
      await guest.page.locator(`.bars rect:nth-child(${run + 1})`).waitFor();
    }
  },
  "env-four": async (guest) => {
    await guest.open("/environments?of=four-player");
    await guest.button("Random position").click();
    await guest.page.locator(".inspector:not(.waiting)").waitFor();
  },
  "env-blokus": async (guest) => {
    await guest.open("/environments?of=blokus");
    await guest.page.locator(".inspector:not(.waiting)").waitFor();
    await guest.button("Random position").click();
    await guest.page.getByRole("button", { name: /^Own: free cells/ }).hover();
  },
  "env-blokus-mask": async (guest) => {
    await guest.page.getByRole("tab", { name: /^Legal/ }).click();
    await guest.page.locator(".chip").first().hover();
  },
  "env-kung-fu": async (guest) => {
    await guest.make({ game: "kung-fu-12x12", rules: "ticks-per-square=25 rest=250", opponent: { bot: "greedy" }, seat: 2 });
    await guest.begins();
    await guest.page.locator(".piece-image.flying").first().waitFor();
    await guest.page.getByRole("link", { name: "Environment inspector" }).click();
    await guest.page.getByRole("button", { name: /destinations, 1 on/ }).first().waitFor();
  },
  help: async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.open("/study");
    await guest.ready();
    await guest.press("Shortcuts and help");
    await guest.page.getByRole("dialog").waitFor();
  },
};

/** Another guest, on the page of the same game. @param {Guest} guest */
async function friendOf(guest) {
  const context = await browser.newContext();
  const friend = new Guest(await context.newPage(), guest.origin);
  await friend.open(`/g/${guest.id}`);
  return friend;
}

const [, , folder, only = "", sizes = ""] = process.argv;
if (!folder) throw new Error("usage: node browser/screenshots.js OUTDIR [START OF VIEWS [START OF SIZES]]");
await mkdir(folder, { recursive: true });
const [server, browser] = await Promise.all([Server.start(), launch()]);
try {
  for (const [device, size] of Object.entries(SIZES).filter(([device]) => device.startsWith(sizes))) {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      const context = await browser.newContext({ ...size, colorScheme, reducedMotion: "reduce" });
      context.setDefaultTimeout(PATIENCE);
      const guest = new Guest(await context.newPage(), server.origin);
      for (const [view, reach] of Object.entries(VIEWS).filter(([view]) => view.startsWith(only))) {
        await reach(guest);
        await guest.page.screenshot({ path: join(folder, `${view}-${device}-${colorScheme}.png`) });
      }
      await context.close();
      guest.assertClean();
    }
  }
} finally {
  await browser.close();
  await server.close();
}
