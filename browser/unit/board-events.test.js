// What is shown on the board after a move of four players, and their last moves.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./stubs.js";
import { color, four } from "./samples.js";

const { boardEvents } = await import("../../web/play/board-events.js");
const { lastRound } = await import("../../web/play/game-state.js");

/** @param {number} seat @param {string} code */
const move = (seat, code) => ({ seat, number: 1, text: code, code });
const ROUND = [move(0, "g2g3"), move(1, "b9c9"), move(2, "d13d12"), move(3, "m7l7")];
const KINGS = [["h1", 0], ["a7", 1], ["g14", 2], ["n8", 3]].map(([square, seat]) => ({ square, piece: "K", seat }));

test("a capture and its points are shown where the piece was captured", () => {
  const pawn = { piece: "P", seat: 3 };
  const before = four({ moves: ROUND, pieces: KINGS });
  const now = four({ moves: [...ROUND, move(0, "f1l7")], pieces: KINGS, scores: [1, 0, 0, 0], captured: [[pawn], [], [], []] });
  assert.deepEqual(boardEvents(before, now), [{ square: "l7", seat: 0, captured: [pawn], points: 1, eliminated: [] }]);
  assert.deepEqual(boardEvents(now, before), [], "a takeback");
  assert.deepEqual(boardEvents(now, now), []);
});

test("the second of two equal pieces counts as captured", () => {
  const [pawn, rook] = [{ piece: "P", seat: 3 }, { piece: "R", seat: 2 }];
  const before = four({ moves: ROUND, captured: [[rook, pawn], [], [], []] });
  const now = four({ moves: [...ROUND, move(0, "f1l7")], captured: [[rook, pawn, pawn], [], [], []] });
  assert.deepEqual(boardEvents(before, now)[0]?.captured, [pawn]);
});

test("an elimination is shown at the king, and points of others at theirs", () => {
  const before = four({ moves: ROUND, pieces: KINGS });
  const now = four({ moves: [...ROUND, move(0, "f1l7")], pieces: KINGS.slice(0, 3), scores: [0, 20, 0, 0], eliminated: [3] });
  assert.deepEqual(boardEvents(before, now), [
    { square: "a7", seat: 1, captured: [], points: 20, eliminated: [] },
    { square: "n8", seat: 3, captured: [], points: 0, eliminated: [3] },
  ]);
  assert.deepEqual(boardEvents(four({ pieces: KINGS }), four({ pieces: KINGS, eliminated: [2] }))[0]?.square, "g14", "without a move: a player resigned");
});

test("the last round has the latest move of every player who is still in it", () => {
  const [red, blue] = [move(0, "f1l7"), move(1, "a8f13")];
  const state = four({ moves: [...ROUND, red, blue] });
  const squares = (/** @type {ReturnType<typeof lastRound>} */ round) => round.map(({ owner, squares, latest }) => [owner, squares.join("-"), latest]);
  assert.deepEqual(squares(lastRound(state)), [[2, "d13-d12", false], [3, "m7-l7", false], [0, "f1-l7", false], [1, "a8-f13", true]]);
  assert.deepEqual(squares(lastRound(state, 2)), [[0, "g2-g3", false], [1, "b9-c9", true]]);
  assert.deepEqual(lastRound(state, 0), []);
  const alone = four({ moves: [move(3, "m7l7"), move(0, "a1a2"), move(1, "b1b2"), move(0, "c1c2")] });
  assert.deepEqual(squares(lastRound(alone)), [[3, "m7-l7", false], [1, "b1-b2", false], [0, "c1-c2", true]]);
});

test("in Blokus every color has a last piece", () => {
  const colors = ["blue", "yellow", "red", "green"].map((name, index) => color(name, index % 2));
  const state = four({ game: "blokus-2", colors, moves: [{ ...move(0, "a20,b20"), color: 0 }, { ...move(0, "t1"), color: 2 }] });
  assert.deepEqual(lastRound(state), [{ owner: 0, squares: ["a20", "b20"], latest: false }, { owner: 2, squares: ["t1"], latest: true }]);
});
