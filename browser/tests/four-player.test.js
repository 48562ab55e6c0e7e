// Games for four: friends with links to their seats, three bots, teams, one screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arena, eventually, WINDOWS } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

const SEATS = ["red", "blue", "yellow", "green"];
/** Blue mates Yellow, whose escape Red's bishop cuts off. */
const MATE = ["g2-g3", "b9-c9", "d13-d12", "m7-l7", "Bf1xl7", "Qa8xf13+"];

/** @param {Guest} guest @param {string} seat */
const card = (guest, seat) => guest.page.getByRole("group", { name: new RegExp(`^${seat}: `) });

/** @param {Guest} guest @param {string} seat */
const points = async (guest, seat) => (await card(guest, seat).locator(".points").textContent()) ?? "";

test("four guests play by links to their seats, to the end; one reloads in the middle", async (t) => {
  const guests = [await world.guest(t), await world.guest(t), await world.guest(t), await world.guest(t)];
  const [red, blue, yellow, green] = guests;
  await red.create("friend", { game: "Four-player chess", seat: "Red", clock: "10+0" });
  await red.status("Waiting for 3 players");
  for (const [seat, guest] of guests.entries()) {
    if (guest === red) continue;
    await Promise.all([red.button(`Copied for ${SEATS[seat]}`).waitFor(), red.press(`Copy link for ${SEATS[seat]}`)]);
    await guest.open(`/g/${red.id}?seat=${seat}`);
    await guest.ready();
    const offered = await guest.page.getByRole("group", { name: "Open seats" }).getByRole("button").allTextContents();
    assert.deepEqual(offered, [`Play as ${SEATS[seat]}`]);
    await guest.press(`Play as ${SEATS[seat]}`);
  }
  await red.status("Your turn");
  for (const [seat, guest] of guests.entries()) {
    await guest.says(card(guest, SEATS[seat] ?? "").locator(".about"), new RegExp(", you$"));
    const [own, far] = [["h1", "h14"], ["a7", "n7"], ["g14", "g1"], ["n8", "a8"]][seat] ?? [];
    assert.ok((await guest.middle(own)).y > (await guest.middle(far)).y, `the board is turned to ${SEATS[seat]}`);
  }

  for (const [ply, move] of MATE.slice(0, 5).entries()) {
    const mover = guests[ply % 4];
    await mover?.status("Your turn");
    await mover?.type(move);
  }
  assert.equal(await points(red, "red"), "1 pts");

  await yellow.recordHas(5);
  const [board, moves] = [await yellow.board(), await yellow.moves()];
  await yellow.page.reload();
  await yellow.record(moves);
  await yellow.status("Blue to move");
  assert.deepEqual(await yellow.board(), board);
  assert.match((await card(yellow, "yellow").textContent()) ?? "", /Yellow, you/);
  const clock = yellow.page.getByRole("timer", { name: "yellow clock" });
  assert.match((await clock.textContent()) ?? "", /^(9:\d\d|10:00)$/);
  assert.ok((await yellow.middle("g14")).y > (await yellow.middle("g1")).y);

  await blue.drag("a8", "f13");
  await blue.record(MATE);
  await yellow.status("You have been eliminated. Green to move");
  assert.equal(await points(green, "blue"), "21 pts");
  for (const guest of guests) {
    await guest.sees("e13", "gray yellow pawn");
    await guest.says(card(guest, "yellow").locator(".about"), "Yellow, eliminated");
  }
  for (const name of ["Resign", "Offer draw", "Takeback"]) assert.ok(await yellow.button(name).isHidden(), name);
  assert.deepEqual(await yellow.marked("mine"), []);

  await green.type("Nn5-l4");
  await red.status("Your turn");
  await red.resign();
  await red.status("You have been eliminated. Blue to move");
  await blue.type("b4-c4");
  await red.recordHas(8);
  await green.resign();
  for (const guest of guests) {
    const headline = guest === blue ? "You won" : "You lost";
    await guest.ends(headline, "Blue wins with 21 points.");
  }
  const standings = blue.card.getByRole("list", { name: "Standings" }).getByRole("listitem");
  const lines = (await standings.allTextContents()).map((line) => line.replace(/Guest \d+/, "Guest"));
  assert.deepEqual(lines, ["1.Guest Blue21 points", "2.Guest Red1 points", "3.Guest Yellow0 points", "3.Guest Green0 points"]);

  const before = `/g/${red.id}`;
  for (const guest of guests) await guest.card.getByRole("button", { name: /^(Rematch|Accept rematch)$/ }).click();
  for (const guest of guests) await guest.page.waitForURL((url) => url.pathname !== before);
  await green.status("Your turn");
});

test("a draw needs the agreement of all players still in the game", async (t) => {
  const [red, yellow] = [await world.guest(t), await world.guest(t)];
  await red.create("friend", { game: "Four-player chess", seat: "Red" });
  await yellow.open(`/g/${red.id}`);
  await yellow.press("Play as yellow");
  await red.button("Add bot for blue").click();
  await red.button("Add bot for green").click();
  await red.status("Your turn");
  await red.press("Offer draw");
  await red.page.locator(".toast", { hasText: "Novice declines the draw." }).waitFor();

  await red.create("friend", { game: "Four-player teams", seat: "Red" });
  const others = [yellow, await world.guest(t), await world.guest(t)];
  for (const [index, guest] of others.entries()) {
    await guest.open(`/g/${red.id}`);
    await guest.press(`Play as ${SEATS[index + 1]}`);
  }
  const [blue, partner, green] = others;
  await red.status("Your turn");
  await red.says(card(red, "yellow").locator(".about"), "Yellow, partner");
  await red.press("Offer draw");
  await red.button("Draw offered").waitFor();
  await blue?.status("Red offers a draw");
  await blue?.press("Accept draw");
  await partner?.status("Red offers a draw, blue agreed");
  await partner?.press("Decline");
  await red.button("Offer draw").waitFor();
  await green?.press("Offer draw");
  for (const guest of [red, blue, partner]) await guest?.press("Accept draw");
  for (const guest of [red, ...others]) await guest.ends("Draw", "Draw by agreement.");
});

test("a game against three bots, which a player who resigned can watch", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { game: "Four-player chess", bot: "Greedy", seat: "Yellow" });
  await guest.recordHas(2);
  await guest.status("Your turn");
  await guest.type("g13-g12");
  await guest.recordHas(6);
  await guest.press("Takeback");
  await guest.recordHas(2);
  await guest.drag("h13", "h12");
  await guest.recordHas(6);
  await guest.status("Your turn");
  assert.equal((await guest.moves())[2], "h13-h12");
  await guest.resign();
  await guest.status(/^You have been eliminated\. \w+ to move$/);
  await guest.sees("e13", "gray yellow pawn");
  const before = (await guest.moves()).length;
  await eventually(async () => assert.ok((await guest.moves()).length > before + 3, "the bots play on"));
  await guest.press("New game");
  await guest.button("Play four-player chess").waitFor();
});

test("a mate ends a team game for both partners", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { game: "Four-player teams" });
  await guest.type("f2-f3", "b9-d9", "i13-i12", "Nn5-l4", "Qg1-f2", "Qa8-c10");
  assert.ok(await card(guest, "red").locator(".points").isHidden());
  await guest.type("Qh14xm9");
  await guest.ends("Game over", "Red and yellow win by checkmate.");
  assert.ok(await guest.card.getByRole("list", { name: "Standings" }).isHidden());
  assert.deepEqual(await guest.marked("check"), ["n8"]);

  await guest.create("bot", { game: "Four-player teams", bot: "Random", seat: "Green" });
  await guest.recordHas(3);
  await guest.status("Your turn");
  await guest.type("m10-l10"); // A pawn that no first move can pin, as h2-h3 pins that on m7.
  await guest.recordHas(4);
  await guest.resign();
  await guest.ends("You lost", "Red and yellow win by resignation.");
});

test("four players on one screen: resigning, earlier positions, flipping the board, keys", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { game: "Four-player chess" });
  for (const seat of SEATS) {
    await guest.status(`${seat[0]?.toUpperCase()}${seat.slice(1)} to move`);
    await eventually(async () => assert.match((await card(guest, seat).getAttribute("class")) ?? "", /acting/));
    await guest.type({ red: "h2-h3", blue: "b7-c7", yellow: "g13-g12", green: "m8-l8" }[seat] ?? "");
  }
  await guest.click("j1", "i3");
  await guest.record(["h2-h3", "b7-c7", "g13-g12", "m8-l8", "Nj1-i3"]);
  await guest.status("Blue to move");
  await guest.resign();
  await guest.sees("a7", "gray blue king");
  await guest.status("Yellow to move");
  await guest.page.getByRole("textbox", { name: "Type a move" }).fill("c7-d7");
  await guest.press("Play");
  await guest.page.locator(".reason", { hasText: "The pawn on c7 is gray: blue is eliminated." }).waitFor();
  await guest.notes(/^A pawn does not move from h13 to h10$/, () => guest.drag("h13", "h10"));
  await guest.press("First position");
  await guest.sees("a7", "blue king");
  await guest.press("Back to the game");
  await guest.sees("a7", "gray blue king");

  const low = async (/** @type {string} */ square) => (await guest.middle(square)).y;
  await guest.page.locator("main").focus();
  for (const [bottom, top] of [["h1", "h14"], ["a7", "n7"], ["g14", "g1"], ["n8", "a8"]]) {
    assert.ok((await low(bottom)) > (await low(top)), bottom);
    await guest.page.keyboard.press("f");
  }
  await guest.press("Takeback");
  await guest.recordHas(4);
  await guest.status("Red to move");
  await guest.sees("a7", "blue king");
});

test("everyone's last move is marked, and captures and eliminations are shown where they happen", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { game: "Four-player chess" });
  const marked = (/** @type {number} */ seat) =>
    guest.page.locator(`[role=grid] .cell.moved.seat-${seat}`).evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-square")).sort());
  const color = (/** @type {string} */ square) => guest.square(square).evaluate((cell) => getComputedStyle(cell).backgroundImage);
  await guest.type(...MATE.slice(0, 4));
  await eventually(async () => assert.deepEqual(await Promise.all([0, 1, 2, 3].map(marked)), [["g2", "g3"], ["b9", "c9"], ["d12", "d13"], ["l7", "m7"]]));
  assert.notEqual(await color("g3"), await color("c9"), "each in its player's color");
  const event = (/** @type {RegExp} */ text) => guest.page.locator(".board-event", { hasText: text });
  await Promise.all([event(/^\+1$/).waitFor(), guest.type("Bf1xl7")]);
  assert.deepEqual(await marked(0), ["f1", "l7"]);
  await Promise.all([event(/^\+21$/).waitFor(), event(/^Yellow eliminated$/).waitFor(), guest.type("Qa8xf13")]);
  const [king, note] = [await guest.middle("g14"), await event(/^Yellow eliminated$/).boundingBox()];
  assert.ok(note && Math.abs(note.x + note.width / 2 - king.x) < 2 * king.width && Math.abs(note.y - king.y) < 3 * king.height, "near the king");
  await guest.press("First position");
  await eventually(async () => assert.deepEqual(await Promise.all([0, 1, 2, 3].map(marked)), [[], [], [], []]));
  await guest.press("Next move");
  await eventually(async () => assert.deepEqual(await Promise.all([0, 1, 2, 3].map(marked)), [["g2", "g3"], [], [], []]));
  await event(/./).first().waitFor({ state: "detached" });
});

test("no label is truncated next to points and clocks", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { game: "Four-player chess", bot: "Random", seat: "Red", clock: "15+10" });
  await card(guest, "yellow").locator(".rating").waitFor();
  for (const viewport of WINDOWS) {
    await guest.page.setViewportSize(viewport);
    for (const seat of SEATS) assert.ok(await card(guest, seat).locator(".clock").isVisible(), `${viewport.width}: ${seat}`);
    await guest.playersAreComplete();
  }
});

test("who is eliminated is not truncated, not even next to a rating", async (t) => {
  const guest = await world.guest(t);
  await guest.create("self", { game: "Four-player chess", clock: "5+3" });
  await guest.type(...MATE);
  await guest.says(card(guest, "yellow").locator(".role"), "eliminated");
  for (const viewport of WINDOWS) {
    await guest.page.setViewportSize(viewport);
    await guest.playersAreComplete();
  }
  const moves = await guest.page.getByRole("list", { name: "Moves" }).getByRole("button").evaluateAll((moves) => moves.filter((move) => move.scrollWidth > move.clientWidth).map((move) => move.textContent));
  assert.deepEqual(moves, [], "nor are moves");

  await guest.create("bot", { game: "Four-player teams", bot: "Random", seat: "Red", clock: "5+3" });
  await guest.type("h2-h3");
  await guest.recordHas(4);
  await guest.status("Your turn");
  await guest.resign();
  await card(guest, "red").locator(".change").waitFor({ state: "attached" });
  for (const viewport of WINDOWS) {
    await guest.page.setViewportSize(viewport);
    await guest.playersAreComplete();
  }
});

test("the result is above what has just happened on the board", async (t) => {
  const guest = await world.guest(t, { viewport: { width: 390, height: 844 } });
  await guest.create("self", { game: "Four-player teams" });
  await guest.type("f2-f3", "b9-d9", "i13-i12", "Nn5-l4", "Qg1-f2", "Qa8-c10");
  await guest.type("Qh14xm9");
  await guest.card.waitFor();
  const above = await guest.page.locator(".board-event").evaluateAll((events) =>
    events.map((event) => {
      // In the middle of the result. They let the pointer through, which would hide them here.
      /** @type {HTMLElement} */ (event).style.cssText += "inset: 50% auto auto 50%; margin: 0; pointer-events: auto";
      const { x, y, width, height } = event.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".result, .board-event")?.className;
    }),
  );
  assert.deepEqual([...new Set(above)], ["result"]);
});

test("clocks are not behind the board while players are awaited", async (t) => {
  const guest = await world.guest(t, { viewport: { width: 1100, height: 720 } });
  await guest.create("friend", { game: "Four-player chess", seat: "Blue", clock: "10+0" });
  const board = await guest.page.locator(".board").boundingBox();
  assert.ok(board);
  const cell = board.width / 14;
  const isCut = (/** @type {number} */ from, /** @type {number} */ size) => from + size <= 3 * cell + 1 || from >= 11 * cell - 1;
  for (const seat of SEATS) {
    const clock = card(guest, seat).locator(".clock");
    await clock.waitFor();
    const box = await clock.boundingBox();
    assert.ok(box && isCut(box.x - board.x, box.width) && isCut(box.y - board.y, box.height), seat);
  }
  await guest.playersAreComplete();
});

test("the partner is named next to the rating", async (t) => {
  const guest = await world.guest(t);
  await guest.create("bot", { game: "Four-player teams", bot: "Random", seat: "Red" });
  const yellow = card(guest, "yellow");
  await yellow.locator(".rating").waitFor();
  for (const viewport of WINDOWS) {
    await guest.page.setViewportSize(viewport);
    const role = yellow.getByText("partner", { exact: true });
    assert.ok(await role.isVisible(), `${viewport.width}`);
    const [inner, outer] = [await role.boundingBox(), await yellow.boundingBox()];
    assert.ok(inner && outer && inner.width > 30 && inner.x + inner.width <= outer.x + outer.width, `${viewport.width}: inside`);
    await guest.playersAreComplete();
  }
});

test("a phone in landscape shows the whole board and all players", async (t) => {
  const guest = await world.guest(t, { viewport: { width: 844, height: 390 } });
  await guest.create("bot", { game: "Four-player chess", bot: "Random", seat: "Red", clock: "5+3" });
  await card(guest, "red").locator(".rating").waitFor();
  const nodes = [guest.page.locator(".board"), ...SEATS.map((seat) => card(guest, seat)), ...SEATS.map((seat) => card(guest, seat).locator(".clock"))];
  for (const node of nodes) {
    const box = await node.boundingBox();
    assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 844 && box.y + box.height <= 390, JSON.stringify(box));
  }
  assert.ok(((await nodes[0]?.boundingBox())?.width ?? 0) > 290, "and the board is large");
});
