// Where squares are drawn when a given edge of the board is at the bottom.

/** @import { Edge, Shape } from "../app/protocol.js" */

/**
 * @typedef {object} PlacedSquare
 * @property {string} name
 * @property {number} column in the view, from the left
 * @property {number} row in the view, from the top
 * @property {boolean} dark on a checkered board
 * @property {string} file the label of its column on the board
 * @property {string} rank the label of its row on the board
 */

/** A board as seen from one of its edges. */
export class View {
  /**
   * @param {Shape} shape
   * @param {Edge} bottom
   */
  constructor(shape, bottom) {
    const width = Math.max(...shape.rows.map((row) => row.length));
    const height = shape.rows.length;
    const sideways = bottom === "left" || bottom === "right";
    this.bottom = bottom;
    this.sideways = sideways;
    this.columns = sideways ? height : width;
    this.rows = sideways ? width : height;
    /** @type {PlacedSquare[]} */
    this.squares = [];
    /** @type {Map<string, PlacedSquare>} */
    this.byName = new Map();
    /** @type {Map<number, PlacedSquare>} */
    this.byCell = new Map();
    /** How many cells are missing at the corner of the first row: 0 for a rectangle. */
    this.cut = Math.max(0, (shape.rows[0] ?? []).findIndex((name) => name !== null));
    shape.rows.forEach((names, y) =>
      names.forEach((name, x) => {
        if (name === null) return;
        const [column, row] = turn(bottom, x, y, width, height);
        const dark = (x + height - 1 - y) % 2 === 0;
        const placed = { name, column, row, dark, file: shape.files[x] ?? "", rank: shape.ranks[y] ?? "" };
        this.squares.push(placed);
        this.byName.set(name, placed);
        this.byCell.set(row * this.columns + column, placed);
      }),
    );
  }

  /**
   * @param {number} column
   * @param {number} row
   * @returns {PlacedSquare | undefined}
   */
  at(column, row) {
    if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return undefined;
    return this.byCell.get(row * this.columns + column);
  }

  /**
   * Returns the labels of a square: only the lowest of a column and the leftmost of a row have one.
   * @param {PlacedSquare} square
   * @returns {{below: string, beside: string}}
   */
  labels(square) {
    const lowest = !this.squares.some((other) => other.column === square.column && other.row > square.row);
    const leftmost = !this.squares.some((other) => other.row === square.row && other.column < square.column);
    const [below, beside] = this.sideways ? [square.rank, square.file] : [square.file, square.rank];
    return { below: lowest ? below : "", beside: leftmost ? beside : "" };
  }
}

/** Clockwise. @type {Edge[]} */
export const EDGES = ["bottom", "left", "top", "right"];

/**
 * Returns where an edge of the board is in a view.
 * @param {Edge} edge
 * @param {Edge} bottom the edge at the bottom of the view
 * @returns {Edge}
 */
export function turned(edge, bottom) {
  const steps = EDGES.indexOf(edge) - EDGES.indexOf(bottom) + EDGES.length;
  return EDGES[steps % EDGES.length] ?? "bottom";
}

/**
 * @param {Edge} bottom
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @returns {[number, number]}
 */
function turn(bottom, x, y, width, height) {
  switch (bottom) {
    case "left":
      return [y, width - 1 - x];
    case "top":
      return [width - 1 - x, height - 1 - y];
    case "right":
      return [height - 1 - y, x];
    default:
      return [x, y];
  }
}
