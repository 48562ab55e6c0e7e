// Where squares and labels are, seen from every edge of a board.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turned, View } from "../../web/board/geometry.js";
import { shape } from "./samples.js";

const EDGES = /** @type {const} */ (["bottom", "left", "top", "right"]);
const BOARD = shape(8);
const CROSS = shape(14, 3);

/** @param {View} view @param {string[]} names */
const places = (view, ...names) => names.map((name) => [view.byName.get(name)?.column, view.byName.get(name)?.row]);

/** The squares in the corners of a view: top left, top right, bottom left, bottom right. @param {View} view */
const corners = (view) => {
  const [right, low] = [view.columns - 1, view.rows - 1];
  return [view.at(0, 0), view.at(right, 0), view.at(0, low), view.at(right, low)].map((placed) => placed?.name);
};

for (const [bottom, expected] of /** @type {const} */ ([
  ["bottom", ["a8", "h8", "a1", "h1"]],
  ["left", ["h8", "h1", "a8", "a1"]],
  ["top", ["h1", "a1", "h8", "a8"]],
  ["right", ["a1", "a8", "h1", "h8"]],
])) {
  test(`the 8x8 board is rotated, not mirrored, when the ${bottom} edge is at the bottom`, () => {
    assert.deepEqual(corners(new View(BOARD, bottom)), expected);
  });
}

test("a square has its column and row from the top left", () => {
  assert.deepEqual(places(new View(BOARD, "bottom"), "a1", "e4", "h8"), [[0, 7], [4, 4], [7, 0]]);
  assert.deepEqual(places(new View(BOARD, "top"), "a1", "e4", "h8"), [[7, 0], [3, 3], [0, 7]]);
  assert.deepEqual(places(new View(BOARD, "left"), "a1", "b1", "a2"), [[7, 7], [7, 6], [6, 7]]);
  assert.deepEqual(places(new View(BOARD, "right"), "a1", "b1", "a2"), [[0, 0], [0, 1], [1, 0]]);
});

test("a board that is not square changes its width and height when it is turned sideways", () => {
  const wide = { width: 3, height: 2, surface: "plain", rows: [["a2", "b2", "c2"], ["a1", "b1", "c1"]], files: ["a", "b", "c"], ranks: ["2", "1"] };
  for (const bottom of EDGES) {
    const view = new View(wide, bottom);
    const sideways = bottom === "left" || bottom === "right";
    assert.deepEqual([view.columns, view.rows], sideways ? [2, 3] : [3, 2], bottom);
  }
  assert.deepEqual(corners(new View(wide, "left")), ["c2", "c1", "a2", "a1"]);
  assert.deepEqual(corners(new View(wide, "right")), ["a1", "a2", "c1", "c2"]);
  assert.deepEqual(places(new View(wide, "left"), "b2", "b1"), [[0, 1], [1, 1]]);
});

test("a cell beside the board is not a square of the next row", () => {
  const view = new View(BOARD, "bottom");
  assert.equal(view.at(0, 1)?.name, "a7");
  for (const [column, row] of [[8, 0], [-1, 1], [0, -1], [0, 8]]) assert.equal(view.at(column ?? 0, row ?? 0), undefined, `${column}, ${row}`);
});

test("a1 is dark and h1 is light, and a square keeps its shade when the board is turned", () => {
  const first = new View(BOARD, "bottom");
  assert.deepEqual(["a1", "h1", "a8", "h8", "e4"].map((name) => first.byName.get(name)?.dark), [true, false, false, true, false]);
  assert.equal(first.squares.filter(({ dark }) => dark).length, 32);
  for (const bottom of EDGES) {
    for (const { name, dark } of new View(BOARD, bottom).squares) assert.equal(dark, first.byName.get(name)?.dark, `${name} from ${bottom}`);
  }
});

test("the cross has 160 squares and no corners, from every edge", () => {
  for (const bottom of EDGES) {
    const view = new View(CROSS, bottom);
    assert.deepEqual([view.columns, view.rows, view.squares.length, view.byName.size, view.cut], [14, 14, 160, 160, 3], bottom);
    assert.deepEqual(corners(view), [undefined, undefined, undefined, undefined]);
    for (const [column, row] of [[2, 2], [11, 2], [2, 11], [11, 11]]) assert.equal(view.at(column ?? 0, row ?? 0), undefined);
    for (const [column, row] of [[3, 2], [2, 3], [11, 3], [10, 13]]) assert.ok(view.at(column ?? 0, row ?? 0));
  }
  assert.equal(new View(BOARD, "bottom").cut, 0);
});

test("each player of four has their own first line at the bottom of the cross, from left to right", () => {
  const lowest = (/** @type {View} */ view) => [3, 4, 10].map((column) => view.at(column, 13)?.name);
  assert.deepEqual(lowest(new View(CROSS, "bottom")), ["d1", "e1", "k1"]);
  assert.deepEqual(lowest(new View(CROSS, "left")), ["a11", "a10", "a4"]);
  assert.deepEqual(lowest(new View(CROSS, "top")), ["k14", "j14", "d14"]);
  assert.deepEqual(lowest(new View(CROSS, "right")), ["n4", "n5", "n11"]);
});

test("files are written below the lowest squares and ranks beside the leftmost", () => {
  const labels = (/** @type {View} */ view, /** @type {string} */ name) => {
    const { below, beside } = view.labels(/** @type {any} */ (view.byName.get(name)));
    return [below, beside];
  };
  const white = new View(BOARD, "bottom");
  assert.deepEqual(["a1", "e1", "a5", "e4", "h8"].map((name) => labels(white, name)), [["a", "1"], ["e", ""], ["", "5"], ["", ""], ["", ""]]);
  const black = new View(BOARD, "top");
  assert.deepEqual(["h8", "e8", "h5", "a1"].map((name) => labels(black, name)), [["h", "8"], ["e", ""], ["", "5"], ["", ""]]);
  // Sideways, the ranks run along the bottom and the files up the side.
  const left = new View(BOARD, "left");
  assert.deepEqual(["a8", "a5", "e8", "h1"].map((name) => labels(left, name)), [["8", "a"], ["5", ""], ["", "e"], ["", ""]]);
  const right = new View(BOARD, "right");
  assert.deepEqual(["h1", "h5", "e1", "a8"].map((name) => labels(right, name)), [["1", "h"], ["5", ""], ["", "e"], ["", ""]]);
});

test("on the cross the arms have labels at their own ends", () => {
  const view = new View(CROSS, "bottom");
  const labels = ["d1", "k1", "a4", "c4", "d4", "n4", "d14", "a11"].map((name) => {
    const { below, beside } = view.labels(/** @type {any} */ (view.byName.get(name)));
    return [below, beside];
  });
  assert.deepEqual(labels, [["d", "1"], ["k", ""], ["a", "4"], ["c", ""], ["", ""], ["n", ""], ["", "14"], ["", "11"]]);
});

test("every file and every rank is labeled once, from every edge", () => {
  for (const board of [BOARD, CROSS]) {
    for (const bottom of EDGES) {
      const view = new View(board, bottom);
      const labels = view.squares.map((square) => view.labels(square));
      const sorted = (/** @type {string[]} */ texts) => texts.filter(Boolean).sort();
      const [below, beside] = bottom === "bottom" || bottom === "top" ? [board.files, board.ranks] : [board.ranks, board.files];
      assert.deepEqual(sorted(labels.map((label) => label.below)), [...below].sort(), bottom);
      assert.deepEqual(sorted(labels.map((label) => label.beside)), [...beside].sort(), bottom);
    }
  }
});

test("edges go around with the board", () => {
  assert.deepEqual(EDGES.map((edge) => turned(edge, "bottom")), ["bottom", "left", "top", "right"]);
  assert.deepEqual(EDGES.map((edge) => turned(edge, "left")), ["right", "bottom", "left", "top"]);
  assert.deepEqual(EDGES.map((edge) => turned(edge, "top")), ["top", "right", "bottom", "left"]);
  assert.deepEqual(EDGES.map((edge) => turned(edge, "right")), ["left", "top", "right", "bottom"]);
});

test("a seat sits on the side where its first line lies", () => {
  const firstLines = { bottom: "h1", left: "a7", top: "g14", right: "n8" };
  for (const bottom of EDGES) {
    const view = new View(CROSS, bottom);
    for (const edge of EDGES) {
      const { column = -1, row = -1 } = view.byName.get(firstLines[edge]) ?? {};
      const side = row === 13 ? "bottom" : row === 0 ? "top" : column === 0 ? "left" : "right";
      assert.equal(turned(edge, bottom), side, `${edge} from ${bottom}`);
    }
  }
});
