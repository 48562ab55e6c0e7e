// The board: squares, pieces and marks, drawn from the geometry that the server sends.

import { el, pieceImage, setText } from "../ui/dom.js";
import { Annotations } from "./annotations.js";
import { View } from "./geometry.js";

/** @import { Edge, Piece, Shape } from "../app/protocol.js" */

/**
 * @typedef {object} Marks
 * @property {string[]} [last]
 * @property {{owner: number, squares: string[], latest: boolean}[]} [moved] the last moves of several players, in their colors
 * @property {string[]} [check]
 * @property {string[]} [selected]
 * @property {string[]} [target]
 * @property {string[]} [capture]
 * @property {string[]} [premove]
 * @property {string[]} [mine] squares whose pieces may be picked up
 */

/** @typedef {{node: SVGSVGElement, piece: Piece}} DrawnPiece */

/** @type {Exclude<keyof Marks, "moved">[]} */
const MARKS = ["last", "check", "selected", "target", "capture", "premove", "mine"];
const NOTE_TIME = 3200;
/** A finger hides squares that are narrower than this, in pixels. */
const SMALL = 34;
/** Slightly longer than the transition of a piece that is put down, in milliseconds. */
const PUT_TIME = 120;

export class Board {
  /** @param {{interactive: boolean, name: string}} options */
  constructor({ interactive, name }) {
    this.interactive = interactive;
    this.cellLayer = el("div", { class: "cells" });
    this.pieceLayer = el("div", { class: "piece-layer", "aria-hidden": "true" });
    this.annotations = new Annotations();
    /** Holds pickers, notes and the result card. */
    this.overlay = el("div", { class: "board-overlay" });
    this.focusRing = el("div", { class: "focus-ring", "aria-hidden": "true", hidden: true });
    this.root = el("div", { class: "board" }, this.cellLayer, this.pieceLayer, this.annotations.root, this.focusRing, this.overlay);
    this.cellLayer.addEventListener("focusin", () => this.drawFocus());
    this.cellLayer.addEventListener("focusout", () => (this.focusRing.hidden = true));
    this.cellLayer.setAttribute("role", interactive ? "grid" : "img");
    this.setName(name);
    /** @type {View | null} */
    this.view = null;
    /** @type {Shape | null} */
    this.shape = null;
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map();
    /** @type {DrawnPiece[]} */
    this.drawn = [];
    /** The square with the keyboard focus. */
    this.focus = "";
    this.noteTimer = 0;
    /** @type {HTMLElement | null} */
    this.shownNote = null;
  }

  /** @param {string} name */
  setName(name) {
    this.cellLayer.setAttribute("aria-label", name);
  }

  /**
   * Lays out the squares, unless the layout is already current.
   * @param {Shape} shape
   * @param {Edge} bottom
   */
  setLayout(shape, bottom) {
    const known = shape === this.shape || JSON.stringify(shape) === JSON.stringify(this.shape);
    if (known && this.view?.bottom === bottom) return;
    this.shape = shape;
    const view = new View(shape, bottom);
    this.view = view;
    this.root.classList.toggle("checkered", shape.surface === "checkered");
    this.root.classList.toggle("cut", view.cut > 0);
    this.root.style.setProperty("--columns", String(view.columns));
    this.root.style.setProperty("--rows", String(view.rows));
    this.root.style.setProperty("--cut", String(view.cut));
    this.buildCells(view);
    this.annotations.setView(view);
    for (const drawn of this.drawn) this.place(drawn);
  }

  /** @param {View} view */
  buildCells(view) {
    this.cells.clear();
    const rows = Array.from({ length: view.rows }, (_, row) => {
      const names = Array.from({ length: view.columns }, (_, column) => view.at(column, row));
      const cells = names.map((placed, column) => {
        if (!placed) return null;
        const { below, beside } = view.labels(placed);
        const cell = el(
          "div",
          { class: placed.dark ? "cell dark" : "cell", "data-square": placed.name },
          below && el("span", { class: row === view.rows - 1 ? "file outer" : "file", "data-text": below }),
          beside && el("span", { class: column === 0 ? "rank outer" : "rank", "data-text": beside }),
        );
        cell.style.gridColumn = String(column + 1);
        cell.style.gridRow = String(row + 1);
        if (this.interactive) {
          cell.setAttribute("role", "gridcell");
          cell.setAttribute("aria-colindex", String(column + 1));
          cell.tabIndex = -1;
        }
        this.cells.set(placed.name, cell);
        return cell;
      });
      return el(
        "div",
        this.interactive ? { class: "row", role: "row", "aria-rowindex": row + 1 } : { class: "row" },
        ...cells,
      );
    });
    const focused = this.cellLayer.contains(document.activeElement);
    this.cellLayer.replaceChildren(...rows);
    this.setTabStop(
      this.cells.has(this.focus) ? this.focus : (view.at(0, view.rows - 1)?.name ?? view.squares[0]?.name ?? ""),
    );
    if (focused) this.cells.get(this.focus)?.focus({ preventScroll: true });
  }

  /**
   * Moves the grid's single tab stop.
   * @param {string} square
   */
  setTabStop(square) {
    if (!this.interactive) return;
    const before = this.cells.get(this.focus);
    if (before) before.tabIndex = -1;
    const cell = this.cells.get(square);
    if (cell) cell.tabIndex = 0;
    this.focus = square;
  }

  /** Draws a ring around the focused square, if the browser would. */
  drawFocus() {
    const { activeElement } = document;
    const square = activeElement instanceof HTMLElement && activeElement.matches(":focus-visible") ? activeElement.dataset.square : undefined;
    const placed = square && this.view?.byName.get(square);
    this.focusRing.hidden = !placed;
    if (placed) this.focusRing.style.transform = `translate(${placed.column * 100}%, ${placed.row * 100}%)`;
  }

  /**
   * Labels the squares for screen readers.
   * @param {(square: string) => string} label
   */
  setLabels(label) {
    for (const [square, cell] of this.cells) {
      const text = label(square);
      if (cell.getAttribute("aria-label") !== text) cell.setAttribute("aria-label", text);
    }
  }

  /** @param {Marks} marks */
  setMarks(marks) {
    for (const mark of MARKS) {
      const squares = new Set(marks[mark] ?? []);
      for (const [square, cell] of this.cells) cell.classList.toggle(mark, squares.has(square));
    }
    /** @type {Map<string, string>} */
    const moved = new Map();
    for (const { owner, squares, latest } of marks.moved ?? []) {
      squares.forEach((square, index) => moved.set(square, `moved seat-${owner}${index > 0 ? " to" : ""}${latest ? " latest" : ""}`));
    }
    for (const [square, cell] of this.cells) {
      const classes = moved.get(square) ?? "";
      const before = cell.dataset.moved ?? "";
      if (classes === before) continue;
      if (before) cell.classList.remove(...before.split(" "));
      if (classes) cell.classList.add(...classes.split(" "));
      cell.dataset.moved = classes;
    }
  }

  /**
   * Marks the square that a dragged piece would go to.
   * @param {string | null} square
   */
  setHover(square) {
    for (const [name, cell] of this.cells) cell.classList.toggle("hover", name === square);
  }

  /**
   * Sets the pieces; those that moved glide to their new squares.
   * @param {Piece[]} pieces
   * @param {(seat: number) => boolean} isGray whether a seat's pieces are gray
   */
  setPieces(pieces, isGray = () => false) {
    const { stay, gone, added } = compare(this.drawn, pieces);
    for (const piece of added) {
      const from = removeNearest(gone, piece, this.view);
      if (from) {
        if (from.piece.piece !== piece.piece) from.node.firstElementChild?.setAttribute("href", `#piece-${piece.piece}`);
        from.piece = piece;
        this.pieceLayer.append(from.node); // Above the pieces that it passes.
        stay.push(from);
        this.place(from);
      } else {
        const drawn = { node: pieceImage(piece.piece, piece.seat), piece };
        this.place(drawn);
        this.pieceLayer.append(drawn.node);
        stay.push(drawn);
      }
    }
    for (const { node } of gone) node.remove();
    for (const { node, piece } of stay) node.classList.toggle("seat-eliminated", isGray(piece.seat));
    this.drawn = stay;
  }

  /** @param {DrawnPiece} drawn */
  place({ node, piece }) {
    const placed = this.view?.byName.get(piece.square);
    if (placed) node.style.transform = `translate(${placed.column * 100}%, ${placed.row * 100}%)`;
  }

  /**
   * Returns the square at a point of the window.
   * @param {number} x
   * @param {number} y
   * @returns {string | null}
   */
  squareAt(x, y) {
    return this.view?.at(...this.cellAt(x, y))?.name ?? null;
  }

  /**
   * Returns the column and row of the view at a point of the window; they may be off the board.
   * @param {number} x
   * @param {number} y
   * @returns {[number, number]}
   */
  cellAt(x, y) {
    const { columns = 0, rows = 0 } = this.view ?? {};
    const { left, top, width, height } = this.root.getBoundingClientRect();
    return [Math.floor(((x - left) / width) * columns), Math.floor(((y - top) / height) * rows)];
  }

  /**
   * Makes a piece follow the pointer until it is put down.
   * @param {string} square
   * @param {boolean} byFinger whether to draw the piece larger and above the finger, which would hide it
   * @returns {{carry: (x: number, y: number) => void, put: () => void} | null}
   */
  pickUp(square, byFinger) {
    const drawn = this.drawn.find(({ piece }) => piece.square === square);
    if (!drawn || !this.view) return null;
    const { node } = drawn;
    const box = this.root.getBoundingClientRect();
    const [width, height] = [box.width / this.view.columns, box.height / this.view.rows];
    const [scale, raise] = byFinger ? [width < SMALL ? 2.4 : 1.7, width < SMALL ? 1.2 : 0.7] : [1.12, 0];
    node.classList.add("lifted");
    this.pieceLayer.append(node);
    return {
      carry: (x, y) => {
        const [left, top] = [x - box.left - width / 2, y - box.top - height * (0.5 + raise)];
        node.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
      },
      put: () => {
        node.classList.remove("lifted");
        node.classList.add("put");
        setTimeout(() => node.classList.remove("put"), PUT_TIME);
        this.place(drawn);
      },
    };
  }

  /**
   * Shows a short note at a square.
   * @param {string} square
   * @param {string} text
   */
  showNote(square, text) {
    this.clearNote();
    const placed = this.view?.byName.get(square);
    if (!placed || !this.view) return;
    const note = el("div", { class: "note", "aria-hidden": "true" });
    setText(note, text);
    placeNote(note, this.view, [[placed.column, placed.row]], 1);
    this.overlay.append(note);
    this.shownNote = note;
    this.noteTimer = setTimeout(() => this.clearNote(), NOTE_TIME);
  }

  clearNote() {
    clearTimeout(this.noteTimer);
    this.shownNote?.remove();
  }
}

/**
 * Places a note above cells of the view, or below them if they are too near to the top.
 * @param {HTMLElement} note
 * @param {{columns: number, rows: number}} view
 * @param {[number, number][]} cells columns and rows
 * @param {number} room how many rows a note above the cells needs
 */
export function placeNote(note, { columns, rows }, cells, room) {
  const [xs, ys] = [cells.map(([x]) => x), cells.map(([, y]) => y)];
  const middle = (Math.min(...xs) + Math.max(...xs) + 1) / 2 / columns;
  const [top, bottom] = [Math.min(...ys), 1 + Math.max(...ys)];
  note.style.left = `${100 * middle}%`;
  note.style.setProperty("--shift", `${-100 * middle}%`);
  note.style.top = top < room ? `${(100 * bottom) / rows}%` : "auto";
  note.style.bottom = top < room ? "auto" : `${100 - (100 * top) / rows}%`;
}

/**
 * Compares the drawn pieces with the wanted ones: which stay, which leave their squares, and which are new.
 * @param {DrawnPiece[]} drawn
 * @param {Piece[]} pieces
 */
function compare(drawn, pieces) {
  const wanted = new Map(pieces.map((piece) => [piece.square, piece]));
  /** @type {DrawnPiece[]} */
  const stay = [];
  /** @type {DrawnPiece[]} */
  const gone = [];
  for (const one of drawn) {
    const piece = wanted.get(one.piece.square);
    if (piece && piece.piece === one.piece.piece && piece.seat === one.piece.seat) {
      wanted.delete(piece.square);
      stay.push(one);
    } else {
      gone.push(one);
    }
  }
  return { stay, gone, added: [...wanted.values()] };
}

/**
 * Removes from `gone` and returns the piece that most likely became `piece`: it has the same seat, preferably
 * the same role, and is the nearest.
 * @param {DrawnPiece[]} gone
 * @param {Piece} piece
 * @param {View | null} view
 * @returns {DrawnPiece | undefined}
 */
function removeNearest(gone, piece, view) {
  const to = view?.byName.get(piece.square);
  let best = -1;
  let least = Infinity;
  gone.forEach((one, index) => {
    const from = view?.byName.get(one.piece.square);
    if (one.piece.seat !== piece.seat || !from || !to) return;
    const other = one.piece.piece === piece.piece ? 0 : 1000;
    const cost = other + Math.hypot(from.column - to.column, from.row - to.row);
    if (cost < least) [best, least] = [index, cost];
  });
  return best < 0 ? undefined : gone.splice(best, 1)[0];
}
