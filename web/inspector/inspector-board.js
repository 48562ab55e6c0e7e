// The board of the environment inspector: the position as the observer sees it, and the plane that is pointed at.

import { Board } from "../board/board.js";
import { svg } from "../ui/dom.js";
import { Flight } from "../realtime/piece-layer.js";
import { View } from "../board/geometry.js";
import { listen } from "../board/input.js";
import { capital, pieceName } from "../app/names.js";
import { path, strength } from "./planes.js";
import { TileLayer } from "../blokus/tiles.js";

/** @import { Edge } from "../app/protocol.js" */
/** @import { Action, Sight } from "./inspector-requests.js" */

/** @type {Edge[]} */
const EDGES = ["bottom", "left", "top", "right"];

/**
 * The board's callbacks.
 * @typedef {object} Wishes
 * @property {(square: number | null) => void} choose selects a square of the view, or none
 * @property {(action: Action) => void} play
 */

export class SightBoard {
  /** @param {Wishes} wishes */
  constructor(wishes) {
    this.wishes = wishes;
    this.board = new Board({ interactive: true, name: "Position" });
    this.flight = new Flight(this.board);
    this.tiles = new TileLayer();
    this.board.cellLayer.after(this.tiles.root);
    this.seen = svg("svg", { class: "seen", "aria-hidden": "true" });
    this.board.manLayer.before(this.seen); // Below the pieces.
    /** @type {Sight | null} */
    this.sight = null;
    /** The selected square of the view. @type {number | null} */
    this.chosen = null;
    this.root = this.board.root;
    listen(this.board, this);
  }

  /**
   * @param {Sight} sight
   * @param {number | null} chosen
   */
  show(sight, chosen) {
    const { board } = this;
    this.sight = sight;
    this.chosen = chosen;
    board.lay(sight.board, bottomOf(sight));
    board.root.classList.toggle("laid", sight.colors.length > 0);
    const isOut = (/** @type {number} */ seat) => sight.out.includes(seat) || seat >= sight.seats.length;
    if (sight.pieces.length > 0) {
      this.flight.set(/** @type {any} */ (sight));
      this.flight.at(sight.tick);
    } else {
      board.set(sight.men, isOut);
    }
    if (board.view) this.tiles.lay(board.view, sight.colors, ({ seat }) => seat !== null && sight.out.includes(seat), [], []);
    this.mark();
  }

  mark() {
    const { sight, chosen, board } = this;
    if (!sight) return;
    const name = (/** @type {number} */ cell) => sight.squares[cell] ?? "";
    const mine = actionsAt(sight, chosen);
    const men = new Set(sight.men.map(({ square }) => square));
    const targets = mine.flatMap(({ cells }) => (sight.colors.length > 0 ? cells : cells.slice(1))).map(name);
    board.mark({
      check: sight.check,
      selected: chosen === null ? [] : [name(chosen)],
      target: targets.filter((square) => !men.has(square)),
      capture: targets.filter((square) => men.has(square)),
    });
    const standing = new Map(sight.men.map((man) => [man.square, man]));
    const flying = new Map(sight.pieces.filter(({ flight }) => !flight).map((piece) => [piece.square, piece]));
    const color = new Map(sight.colors.flatMap(({ name: word, squares }) => squares.map((square) => [square, word])));
    const counts = new Map();
    for (const action of sight.legal) for (const cell of anchors(sight, action)) counts.set(name(cell), (counts.get(name(cell)) ?? 0) + 1);
    board.label((square) => {
      const man = standing.get(square) ?? flying.get(square);
      const what = man ? `${sight.seats[man.seat]?.name ?? "gray"} ${pieceName(man.piece)}` : (color.get(square) ?? "empty");
      const count = counts.get(square);
      return [square, what, count ? `${count} legal ${count === 1 ? "action" : "actions"}` : ""].filter(Boolean).join(", ");
    });
  }

  /**
   * Overlays the squares with values, or clears them.
   * @param {number | number[] | null} values
   */
  point(values) {
    const { sight, board } = this;
    const { view } = board;
    if (!sight || !view) return;
    this.seen.setAttribute("viewBox", `0 0 ${view.columns} ${view.rows}`);
    const each = values === null ? [] : sight.squares.map((_, cell) => (Array.isArray(values) ? (values[cell] ?? 0) : values));
    this.seen.replaceChildren(
      ...each.flatMap((value, cell) => {
        const placed = view.byName.get(sight.squares[cell] ?? "");
        return placed && value !== 0 ? [svg("path", { d: path([placed.row * view.columns + placed.column], view.columns), "fill-opacity": strength(value) })] : [];
      }),
    );
  }

  // The `Hand` interface, see board/input.js

  /** Returns the square of the view with a given name. @param {string} square */
  cell(square) {
    return this.sight?.squares.indexOf(square) ?? -1;
  }

  selected() {
    return this.chosen === null ? null : (this.sight?.squares[this.chosen] ?? null);
  }

  /** @param {string} square */
  mayLift(square) {
    return Boolean(this.sight && actionsAt(this.sight, this.cell(square)).length > 0);
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  isTarget(from, to) {
    return this.between(from, to).length > 0;
  }

  /**
   * @param {string} from
   * @param {string} to
   * @returns {Action[]}
   */
  between(from, to) {
    const { sight } = this;
    if (!sight || sight.colors.length > 0) return [];
    const target = this.cell(to);
    return actionsAt(sight, this.cell(from)).filter(({ cells }) => cells[1] === target);
  }

  /** @param {string | null} square */
  select(square) {
    this.wishes.choose(square === null ? null : this.cell(square));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  drop(from, to) {
    const [action] = this.between(from, to);
    if (action) this.wishes.play(action);
  }

  cancel() {
    const had = this.chosen !== null;
    if (had) this.wishes.choose(null);
    return had;
  }
}

/**
 * Returns the squares that select an action: where a piece moves from, or all that a placement covers.
 * @param {Sight} sight
 * @param {Action} action
 */
function anchors(sight, { cells }) {
  return sight.colors.length > 0 ? cells : cells.slice(0, 1);
}

/**
 * Returns the legal actions at a square of the view.
 * @param {Sight} sight
 * @param {number | null} square
 * @returns {Action[]}
 */
export function actionsAt(sight, square) {
  return square === null ? [] : sight.legal.filter((action) => anchors(sight, action).includes(square));
}

/**
 * Returns the edge that must be at the bottom for the board to match the view, or else the seat's edge.
 * @param {Sight} sight
 * @returns {Edge}
 */
function bottomOf({ board, squares, seats, seat }) {
  const lies = (/** @type {Edge} */ edge) => {
    const view = new View(board, edge);
    return squares.every((name, cell) => (view.at(cell % view.columns, Math.floor(cell / view.columns))?.name ?? null) === name);
  };
  return EDGES.find(lies) ?? seats[seat]?.edge ?? "bottom";
}

/**
 * Describes the observer.
 * @param {Sight} sight
 */
export function viewerText({ seats, seat, simultaneous, over, colors }) {
  const turn = colors.find((color) => color.turn);
  const name = capital((simultaneous ? undefined : turn?.name) ?? seats[seat]?.name ?? "");
  if (over) return `Observer: ${name}. Game over: ${over}`;
  return simultaneous ? `Observer: ${name} (simultaneous moves)` : `Observer: ${name} (to move)`;
}
