// Words for pieces, games and numbers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { capital, inSentence, pieceName, pieceRank, plural, sentence, watchersText } from "../../web/app/names.js";

test("pieces have names, and unknown ones their letters", () => {
  assert.deepEqual([..."KQRBNPD"].map(pieceName), ["king", "queen", "rook", "bishop", "knight", "pawn", "one-point queen"]);
  assert.equal(pieceName("X"), "X");
});

test("a picker offers the queen first and unknown pieces last", () => {
  const sorted = (/** @type {(string | null | undefined)[]} */ pieces) => [...pieces].sort((a, b) => pieceRank(a) - pieceRank(b));
  assert.deepEqual(sorted(["N", "R", "Q", "B"]), ["Q", "R", "B", "N"]);
  assert.deepEqual(sorted(["X", "R", "D", "Q"]), ["Q", "D", "R", "X"]);
  assert.deepEqual(sorted([null, "K", "P"]), ["P", "K", null]);
  assert.equal(pieceRank(undefined), pieceRank("X"));
});

test("names of games lose their capitals in a sentence, except for proper names", () => {
  assert.equal(inSentence("Chess"), "chess");
  assert.equal(inSentence("Four-player chess"), "four-player chess");
  assert.equal(inSentence("Kung fu chess for four"), "kung fu chess for four");
  assert.equal(inSentence("Blokus Duo"), "Blokus Duo");
});

test("one point is singular", () => {
  assert.deepEqual([0, 1, 2, 21, -1, -86].map((points) => plural(points, "point")), ["0 points", "1 point", "2 points", "21 points", "-1 points", "-86 points"]);
});

test("the text is empty without watchers", () => {
  assert.deepEqual([0, 1, 12].map(watchersText), ["", "1 watching", "12 watching"]);
});

test("a capital is put at the start only", () => {
  assert.deepEqual(["white wins", "White", "e4 is occupied", "ärger", ""].map(capital), ["White wins", "White", "E4 is occupied", "Ärger", ""]);
});

test("a sentence ends with one mark", () => {
  assert.equal(sentence("white wins by resignation"), "White wins by resignation.");
  assert.equal(sentence("the game is over."), "The game is over.");
  assert.equal(sentence("really?"), "Really?");
  assert.equal(sentence("stop!"), "Stop!");
});
