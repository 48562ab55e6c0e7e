// Blokus pieces: rotated, flipped and drawn.

import { svg } from "../ui/dom.js";

/** @import { Color } from "../app/protocol.js" */
/** @import { View } from "../board/geometry.js" */

/** A column and a row. @typedef {[number, number]} Cell */
/** How the held piece looks: whether it fits where it is. @typedef {"fits" | "wrong" | "plan" | "sent"} Verdict */

/**
 * Moves cells to the top left corner, and sorts them row by row.
 * @param {Cell[]} cells
 * @returns {Cell[]}
 */
export function normalize(cells) {
  const left = Math.min(...cells.map(([column]) => column));
  const top = Math.min(...cells.map(([, row]) => row));
  const moved = cells.map(([column, row]) => /** @type {Cell} */ ([column - left, row - top]));
  return moved.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
}

/**
 * Rotates cells to the right by a quarter turn.
 * @param {Cell[]} cells
 */
export function turnRight(cells) {
  return normalize(cells.map(([column, row]) => [-row, column]));
}

/** @param {Cell[]} cells */
export function turnLeft(cells) {
  return normalize(cells.map(([column, row]) => [row, -column]));
}

/**
 * Exchanges left and right.
 * @param {Cell[]} cells
 */
export function flip(cells) {
  return normalize(cells.map(([column, row]) => [-column, row]));
}

/**
 * Returns the width and the height of a piece.
 * @param {Cell[]} cells
 * @returns {[number, number]}
 */
export function extent(cells) {
  return [1 + Math.max(...cells.map(([column]) => column)), 1 + Math.max(...cells.map(([, row]) => row))];
}

/**
 * Joins squares or cells into a text that does not depend on their order.
 * @param {string[]} parts
 */
export function key(parts) {
  return [...parts].sort().join(" ");
}

/**
 * Draws cells; those that share an edge become one shape with one outline.
 * @param {Cell[]} cells
 * @param {string} classes
 */
export function draw(cells, classes) {
  const ours = new Set(cells.map(String));
  const has = (/** @type {number} */ column, /** @type {number} */ row) => ours.has(`${column},${row}`);
  const parts = { body: "", "inner-edges": "", outline: "", studs: "", lit: "", shaded: "" };
  for (const [x, y] of cells) {
    parts.body += `M${x} ${y}h1v1h-1z`;
    parts.studs += `M${x + 0.24} ${y + 0.24}h.52v.52h-.52z`;
    parts.lit += `M${x + 0.24} ${y + 0.76}v-.52h.52`;
    parts.shaded += `M${x + 0.76} ${y + 0.24}v.52h-.52`;
    if (has(x + 1, y)) parts["inner-edges"] += `M${x + 1} ${y}v1`;
    else parts.outline += `M${x + 1} ${y}v1`;
    if (has(x, y + 1)) parts["inner-edges"] += `M${x} ${y + 1}h1`;
    else parts.outline += `M${x} ${y + 1}h1`;
    if (!has(x - 1, y)) parts.outline += `M${x} ${y}v1`;
    if (!has(x, y - 1)) parts.outline += `M${x} ${y}h1`;
  }
  const paths = Object.entries(parts).map(([part, d]) => svg("path", { class: `tile-${part}`, d }));
  return svg("g", { class: classes }, ...paths);
}

/** A small picture of a piece is a box of this many cells; the longest piece extends slightly beyond it. */
const BOX = 4.5;

/**
 * Draws a small picture of a piece.
 * @param {Cell[]} cells
 */
export function miniature(cells) {
  const normal = normalize(cells);
  const [width, height] = cells.length > 0 ? extent(normal) : [1, 1];
  const box = `${width / 2 - BOX / 2} ${height / 2 - BOX / 2} ${BOX} ${BOX}`;
  return svg("svg", { class: "miniature", viewBox: box, "aria-hidden": "true" }, draw(normal, ""));
}

/** The pieces on a board, drawn between its squares and the user's strokes. */
export class TileLayer {
  constructor() {
    this.placed = svg("g");
    this.marks = svg("g");
    this.hint = svg("g");
    this.heldPiece = svg("g");
    /** The held piece as it was drawn last. */
    this.drawnHeld = "";
    this.root = svg("svg", { class: "tiles", "aria-hidden": "true" }, this.placed, this.marks, this.hint, this.heldPiece);
  }

  /**
   * @param {View} view
   * @param {Color[]} colors
   * @param {(color: Color) => boolean} isGray
   * @param {{owner: number, squares: string[], latest: boolean}[]} moved the latest piece of each color
   * @param {number[]} frontiers the colors whose frontier is shown
   */
  setPlaced(view, colors, isGray, moved, frontiers) {
    this.root.setAttribute("viewBox", `0 0 ${view.columns} ${view.rows}`);
    this.placed.replaceChildren(
      ...colors.map((color, index) => draw(cellsOf(view, color.squares), `seat-${index}${isGray(color) ? " seat-eliminated" : ""}`)),
    );
    const lastMoveDots = moved.flatMap(({ owner, squares, latest }) =>
      cellsOf(view, squares).map(([x, y]) => svg("circle", { class: `last-move-dot seat-${owner}${latest ? " latest" : ""}`, cx: x + 0.5, cy: y + 0.5, r: latest ? 0.19 : 0.12 })),
    );
    // The start of a color is always shown, its frontier only on request.
    const corners = colors.flatMap(({ squares, frontier }, index) => {
      const shown = squares.length === 0 || frontiers.includes(index) ? cellsOf(view, frontier) : [];
      const classes = `${squares.length === 0 ? "start" : "corner"} seat-${index}`;
      return shown.map(([x, y]) => svg("rect", { class: classes, x: x + 0.3, y: y + 0.3, width: 0.4, height: 0.4, rx: 0.2 }));
    });
    this.marks.replaceChildren(...lastMoveDots, ...corners);
  }

  /**
   * Shows a hint for a placement; nothing without cells.
   * @param {Cell[]} cells
   * @param {number} color
   */
  setHint(cells, color) {
    this.hint.replaceChildren(...(cells.length > 0 ? [draw(cells, `held-piece suggested seat-${color}`)] : []));
  }

  /**
   * Shows the held piece where it would be placed; nothing without cells.
   * @param {Cell[]} cells
   * @param {number} color
   * @param {Verdict} verdict
   */
  setHeld(cells, color, verdict) {
    const drawn = `${cells.join(" ")} ${color} ${verdict}`;
    if (drawn === this.drawnHeld) return;
    this.drawnHeld = drawn;
    const held = cells.length === 0 ? [] : [draw(cells, `held-piece ${verdict} seat-${color}`)];
    if (held[0] && verdict === "wrong") held[0].append(svg("path", { class: "tile-cross", d: cells.map(crossed).join("") }));
    this.heldPiece.replaceChildren(...held);
  }
}

/** @param {Cell} cell */
function crossed([x, y]) {
  return `M${x + 0.3} ${y + 0.3}l.4 .4m0 -.4l-.4 .4`;
}

/**
 * @param {View} view
 * @param {string[]} squares
 * @returns {Cell[]}
 */
export function cellsOf(view, squares) {
  return squares.flatMap((square) => {
    const placed = view.byName.get(square);
    return placed ? [/** @type {Cell} */ ([placed.column, placed.row])] : [];
  });
}
