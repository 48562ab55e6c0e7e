// Blokus pieces: rotated, flipped, and placed on a view of the board.

import assert from "node:assert/strict";
import { test } from "node:test";

import { View } from "../../web/board/geometry.js";
import { cellsOf, extent, flip, key, normalize, turnLeft, turnRight } from "../../web/blokus/tiles.js";
import { shape } from "./samples.js";

/** @typedef {import("../../web/blokus/tiles.js").Cell} Cell */

/** The cells that are drawn as `#`. @param {...string} rows @returns {Cell[]} */
const cells = (...rows) => rows.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === "#" ? [/** @type {Cell} */ ([x, y])] : [])));

const L4 = cells("#.", "#.", "##");
const F5 = cells(".##", "##.", ".#.");

test("cells are counted from the top left corner, in reading order", () => {
  assert.deepEqual(normalize([[5, 9], [4, 8], [4, 9]]), [[0, 0], [0, 1], [1, 1]]);
  assert.deepEqual(normalize([[-1, -2]]), [[0, 0]]);
});

test("normalizing does not change its argument", () => {
  const given = /** @type {Cell[]} */ ([[5, 9], [4, 8]]);
  normalize(given);
  assert.deepEqual(given, [[5, 9], [4, 8]]);
});

test("turnRight rotates by a quarter turn", () => {
  assert.deepEqual(turnRight(L4), cells("###", "#.."));
  assert.deepEqual(turnRight(turnRight(L4)), cells("##", ".#", ".#"));
});

test("turnLeft rotates by a quarter turn", () => {
  assert.deepEqual(turnLeft(L4), cells("..#", "###"));
  assert.deepEqual(turnLeft(turnRight(F5)), F5);
});

test("four quarter turns give the same piece", () => {
  assert.deepEqual(turnRight(turnRight(turnRight(turnRight(F5)))), F5);
});

test("flipping exchanges left and right", () => {
  assert.deepEqual(flip(L4), cells(".#", ".#", "##"));
  assert.deepEqual(flip(F5), cells("##.", ".##", ".#."));
  assert.deepEqual(flip(flip(F5)), F5);
});

test("a piece has as many orientations as its symmetry allows", () => {
  const orientations = (/** @type {Cell[]} */ piece) => {
    const found = new Set();
    for (let [side, turned] = [0, piece]; side < 2; side += 1, turned = flip(turned)) {
      for (let quarter = 0; quarter < 4; quarter += 1, turned = turnRight(turned)) found.add(key(turned.map(String)));
    }
    return found.size;
  };
  assert.deepEqual([F5, L4, cells("##", "##"), cells("###"), cells(".#.", "###", ".#."), cells("##.", ".##")].map(orientations), [8, 8, 1, 2, 1, 4]);
});

test("the extent of a piece is its width and height", () => {
  assert.deepEqual([L4, F5, cells("####"), cells("#")].map(extent), [[2, 3], [3, 3], [4, 1], [1, 1]]);
});

test("squares have the same key in any order", () => {
  const squares = ["e9", "e10", "f9"];
  assert.equal(key(squares), key(["f9", "e9", "e10"]));
  assert.notEqual(key(squares), key(["e9", "e10", "f8"]));
  assert.deepEqual(squares, ["e9", "e10", "f9"], "the list itself is not sorted");
});

test("cellsOf skips unknown squares", () => {
  const board = shape(14);
  assert.deepEqual(cellsOf(new View(board, "bottom"), ["e10", "a1", "z9"]), [[4, 4], [0, 13]]);
  assert.deepEqual(cellsOf(new View(board, "top"), ["e10"]), [[9, 9]]);
  assert.deepEqual(cellsOf(new View(board, "left"), ["e10"]), [[4, 9]]);
});
