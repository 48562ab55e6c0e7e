// States and deltas, and the queries about them that need no rules.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as states from "../../web/play/game-state.js";
import { chess, color, four } from "./samples.js";

const E4 = { seat: 0, number: 1, text: "e4", code: "e2e4" };
const E5 = { seat: 1, number: 1, text: "e5", code: "e7e5" };
const C5 = { seat: 1, number: 1, text: "c5", code: "c7c5" };
const OVER = { winners: [0], reason: "resignation", text: "white wins by resignation" };
const OPEN = { kind: "open" };

test("a delta replaces the keys that it has and leaves the others", () => {
  const before = chess({ watchers: 2, scores: [1, 2] });
  const after = states.applyDelta(before, { seq: 18, acting: [1], scores: [3, 2], last_move: ["e2", "e4"] });
  assert.deepEqual(after, { ...before, seq: 18, acting: [1], scores: [3, 2], last_move: ["e2", "e4"] });
  assert.deepEqual([before.seq, before.acting], [17, [0]], "the previous state is unchanged");
});

test("a key can change to null", () => {
  assert.equal(states.applyDelta(chess({ draw_offer: 1 }), { seq: 18, draw_offer: null })?.draw_offer, null);
});

test("a skipped or repeated sequence number is rejected", () => {
  for (const seq of [16, 17, 19]) assert.equal(states.applyDelta(chess(), { seq, acting: [1] }), null, String(seq));
});

test("moves are kept up to a number, and new ones added", () => {
  const before = chess({ moves: [E4, E5] });
  assert.deepEqual(states.applyDelta(before, { seq: 18, moves: { keep: 2, add: [C5] } })?.moves, [E4, E5, C5]);
  assert.deepEqual(states.applyDelta(before, { seq: 18, moves: { keep: 1, add: [C5] } })?.moves, [E4, C5]);
  assert.deepEqual(states.applyDelta(before, { seq: 18, moves: { keep: 0, add: [] } })?.moves, [], "a takeback");
  assert.equal(states.applyDelta(before, { seq: 18, acting: [0] })?.moves, before.moves, "the same list, so that it is not drawn again");
});

test("pieces change by square", () => {
  const [rook, pawn, knight] = [
    { square: "a1", piece: "R", seat: 0 },
    { square: "e5", piece: "P", seat: 1 },
    { square: "f3", piece: "N", seat: 0 },
  ];
  const before = chess({ pieces: [rook, pawn, knight] });
  const taken = { ...knight, square: "e5" };
  assert.deepEqual(states.applyDelta(before, { seq: 18, pieces: [taken, /** @type {any} */ ({ square: "f3", gone: true })] })?.pieces, [rook, taken]);
  assert.equal(states.applyDelta(before, { seq: 18, acting: [1] })?.pieces, before.pieces);
  assert.deepEqual(before.pieces, [rook, pawn, knight], "the previous state is unchanged");
});

test("captured pieces and colors change one by one", () => {
  const pawn = { piece: "P", seat: 1 };
  const before = chess({ captured: [[], [{ piece: "N", seat: 0 }]], colors: [color("blue", 0), color("red", 1)] });
  const after = states.applyDelta(before, { seq: 18, captured: [[pawn], null], colors: [null, color("red", 1, true)] });
  assert.deepEqual(after?.captured, [[pawn], before.captured[1]]);
  assert.deepEqual(after?.colors.map(({ turn }) => turn), [false, true]);
});

test("pieces of a real-time game are updated one by one, and removed when they are gone", () => {
  const knight = { id: 9, piece: "N", seat: 0, square: "g1" };
  const pawn = { id: 17, piece: "P", seat: 1, square: "e5" };
  const flying = { ...knight, flight: ["f3", 127, 139] };
  const queen = { id: 30, piece: "Q", seat: 0, square: "d8" };
  const before = chess({ realtime_pieces: [knight, pawn] });
  const byId = (/** @type {any} */ state) => state.realtime_pieces.sort((/** @type {any} */ a, /** @type {any} */ b) => a.id - b.id);
  assert.deepEqual(byId(states.applyDelta(before, { seq: 18, realtime_pieces: [flying] })), [flying, pawn]);
  assert.deepEqual(byId(states.applyDelta(before, { seq: 18, realtime_pieces: [{ id: 17, gone: true }, queen] })), [knight, queen]);
  assert.deepEqual(byId(states.applyDelta(before, { seq: 18, realtime_pieces: [{ id: 99, gone: true }] })), [knight, pawn]);
  assert.equal(states.applyDelta(before, { seq: 18, missed: null })?.realtime_pieces, before.realtime_pieces);
  assert.deepEqual(before.realtime_pieces, [knight, pawn]);
});

test("it is your turn if one of your seats acts in a game in progress without open seats", () => {
  assert.ok(states.isYourTurn(chess()));
  assert.ok(!states.isYourTurn(chess({ acting: [1] })));
  assert.ok(!states.isYourTurn(chess({ you: [] })));
  assert.ok(!states.isYourTurn(chess({ outcome: OVER })));
  assert.ok(!states.isYourTurn(chess({ players: [{ kind: "guest", name: "Ada" }, OPEN] })));
  assert.ok(states.isYourTurn(chess({ you: [0, 1], acting: [1] })), "on one screen");
});

test("a premove is possible while another seat acts, but not for spectators, for eliminated players, or when nobody can move", () => {
  assert.ok(states.canPremove(chess({ acting: [1] })));
  assert.ok(!states.canPremove(chess()), "it is your turn");
  assert.ok(!states.canPremove(chess({ acting: [1], you: [] })));
  assert.ok(!states.canPremove(chess({ acting: [1], outcome: OVER })));
  assert.ok(!states.canPremove(chess({ acting: [1], players: [{ kind: "guest", name: "Ada" }, OPEN] })));
  assert.ok(!states.canPremove(four({ acting: [1], eliminated: [0] })));
  assert.ok(states.canPremove(four({ acting: [1], eliminated: [2] })));
});

test("you act for your acting seat, or else for your first seat that is still in the game", () => {
  assert.equal(states.actingSeat(chess({ you: [1], acting: [0] })), 1);
  assert.equal(states.actingSeat(four({ you: [0, 1, 2, 3], acting: [2] })), 2);
  assert.equal(states.actingSeat(four({ you: [1, 3], acting: [0] })), 1);
  assert.equal(states.actingSeat(four({ you: [1, 3], acting: [0], eliminated: [1] })), 3, "an eliminated player is skipped");
  assert.equal(states.actingSeat(four({ you: [1], acting: [0], eliminated: [1] })), 1);
  assert.equal(states.actingSeat(chess({ you: [] })), null);
});

test("you are eliminated when all of your seats are", () => {
  assert.ok(states.areYouEliminated(four({ you: [1], eliminated: [1, 2] })));
  assert.ok(!states.areYouEliminated(four({ you: [1, 3], eliminated: [1] })));
  assert.ok(states.areYouEliminated(four({ you: [1, 3], eliminated: [3, 1] })));
  assert.ok(!states.areYouEliminated(four({ you: [], eliminated: [1] })), "a spectator is not eliminated");
});

test("a partner is another seat of your team", () => {
  const teams = [[0, 2], [1, 3]];
  const partners = (/** @type {number[]} */ you) => [0, 1, 2, 3].filter((seat) => states.isPartner(four({ you, teams }), seat));
  assert.deepEqual(partners([0]), [2]);
  assert.deepEqual(partners([3]), [1]);
  assert.deepEqual(partners([]), []);
  assert.deepEqual(partners([0, 1, 2, 3]), [], "a player with all the seats has no partner");
  assert.ok(!states.isPartner(four({ you: [0] }), 2), "in a game without teams");
});

test("open seats are those without a player", () => {
  const [red, , , green] = four().players;
  const state = four({ players: [red, OPEN, OPEN, green] });
  assert.deepEqual(states.openSeats(state), [1, 2]);
  assert.ok(states.hasOpenSeat(state));
  assert.deepEqual(states.openSeats(four()), []);
  assert.ok(!states.hasOpenSeat(four()));
});

test("legal moves are found by where they start, and by where they go", () => {
  const quiet = { code: "e7e8q", text: "e8=Q", from: "e7", to: "e8", promotion: "Q" };
  const queen = { code: "e7d8q", text: "exd8=Q", from: "e7", to: "d8", promotion: "Q" };
  const knight = { code: "e7d8n", text: "exd8=N", from: "e7", to: "d8", promotion: "N" };
  const other = { code: "d1d8", text: "Rxd8", from: "d1", to: "d8" };
  const state = chess({ legal_moves: [quiet, queen, knight, other] });
  assert.deepEqual(states.legalMovesFrom(state, "e7"), [quiet, queen, knight]);
  assert.deepEqual(states.legalMovesFrom(state, "h1"), []);
  assert.deepEqual(states.legalMovesBetween(state, "e7", "d8"), [queen, knight]);
  assert.deepEqual(states.legalMovesBetween(state, "d1", "d8"), [other]);
  assert.deepEqual(states.legalMovesBetween(state, "d8", "e7"), []);
});

test("a piece is found by its square", () => {
  const pieces = [{ square: "e2", piece: "P", seat: 0 }, { square: "e7", piece: "P", seat: 1 }];
  assert.equal(states.pieceOn(pieces, "e7"), pieces[1]);
  assert.equal(states.pieceOn(pieces, "e4"), undefined);
});

test("pieces are gray if their seat is eliminated in the position that is shown, or if the game has no such seat", () => {
  const state = four({ eliminated: [1] });
  assert.deepEqual([0, 1, 2, 3, 4].map((seat) => states.isGray(state, state, seat)), [false, true, false, false, true]);
  const earlier = { ...state, eliminated: [] };
  assert.ok(!states.isGray(state, earlier, 1));
});

test("your edge is at the bottom, and each flip brings the next seat there", () => {
  const edges = (/** @type {object} */ state) => [0, 1, 2, 3, 4].map((turns) => states.bottomEdge(/** @type {any} */ (state), turns));
  assert.deepEqual(edges(four()), ["bottom", "left", "top", "right", "bottom"]);
  assert.deepEqual(edges(four({ you: [3] })), ["right", "bottom", "left", "top", "right"]);
  assert.deepEqual(edges(chess({ you: [1] })), ["top", "bottom", "top", "bottom", "top"]);
  assert.deepEqual(edges(chess({ you: [] })), ["bottom", "top", "bottom", "top", "bottom"], "a watcher sits with the first seat");
});

test("a move is named after its color, or else after its seat", () => {
  const colors = ["blue", "yellow", "red", "green"].map((name, index) => color(name, index % 2));
  assert.equal(states.moverName(chess(), E5), "black");
  assert.equal(states.moverName(chess({ colors }), { seat: 0, color: 2 }), "red");
  assert.equal(states.moverName(chess({ colors }), { seat: 0, color: 0 }), "blue");
  assert.equal(states.moverName(chess(), { seat: 7 }), "");
});

test("only chess games can be studied", () => {
  assert.ok(states.canStudy(chess()));
  assert.ok(!states.canStudy(four()));
});

test("a seat has its player's name", () => {
  const state = four({ players: [{ kind: "guest", name: "Ada" }, { kind: "bot", name: "Greedy" }, OPEN, { kind: "guest" }] });
  assert.deepEqual([0, 1, 2, 3, 4].map((seat) => states.playerName(state, seat)), ["Ada", "Greedy", "Open seat", "Guest", "Open seat"]);
});

test("a typed move is found without regard to case, marks and hyphens", () => {
  const move = (/** @type {string} */ code, /** @type {string} */ text) => ({ code, text, from: code.slice(0, 2), to: code.slice(2, 4) });
  const moves = [move("b8c6", "Nc6"), move("e1g1", "O-O"), move("e1c1", "O-O-O"), move("b5c4", "bxc4"), move("f1c4", "Bxc4+"), move("e7e8q", "e8=Q#"), move("e7e8n", "e8=N"), move("h2h3", "Nh2-h3")];
  const found = (/** @type {string} */ typed) => states.findMove(moves, typed)?.code;
  for (const typed of ["nc6", "Nc6", "NC6", "nc6!?", "b8c6", "B8C6", " nc6 "]) assert.equal(found(typed), "b8c6", typed);
  for (const typed of ["O-O", "0-0", "o-o", "oo"]) assert.equal(found(typed), "e1g1", typed);
  assert.equal(found("0-0-0"), "e1c1");
  assert.deepEqual([found("bxc4"), found("Bxc4"), found("Bxc4+")], ["b5c4", "f1c4", "f1c4"], "the case of b matters");
  assert.equal(found("bc4"), undefined, "a pawn or a bishop");
  assert.deepEqual([found("e8q"), found("e8=n"), found("e8")], ["e7e8q", "e7e8n", undefined]);
  assert.equal(found("nh2h3"), "h2h3");
  for (const typed of ["", "x", "Nc7", "0"]) assert.equal(found(typed), undefined, typed);
});
