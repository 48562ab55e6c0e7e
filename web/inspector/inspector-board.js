// The board of the environment inspector: the position as the observer sees it, and the plane under the pointer.

import { capital, pieceName, plural } from "../app/names.js";
import { TileLayer } from "../blokus/tiles.js";
import { Board } from "../board/board.js";
import { EDGES, View } from "../board/geometry.js";
import { listen } from "../board/input.js";
import { PieceLayer } from "../realtime/piece-layer.js";
import { svg } from "../ui/dom.js";
import { path, strength } from "./planes.js";

/** @import { Edge } from "../app/protocol.js" */
/** @import { Action, Inspection } from "./inspector-requests.js" */

/**
 * The board's callbacks.
 * @typedef {object} Callbacks
 * @property {(square: number | null) => void} choose selects a square of the view, or none
 * @property {(action: Action) => void} play
 */

export class InspectorBoard {
  /** @param {Callbacks} callbacks */
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.board = new Board({ interactive: true, name: "Position" });
    this.pieces = new PieceLayer(this.board);
    this.tiles = new TileLayer();
    this.board.cellLayer.after(this.tiles.root);
    this.planeOverlay = svg("svg", { class: "plane-overlay", "aria-hidden": "true" });
    this.board.pieceLayer.before(this.planeOverlay); // Below the pieces.
    /** @type {Inspection | null} */
    this.inspection = null;
    /** The selected square of the view. @type {number | null} */
    this.chosen = null;
    this.root = this.board.root;
    listen(this.board, this);
  }

  /**
   * @param {Inspection} inspection
   * @param {number | null} chosen
   */
  show(inspection, chosen) {
    const { board } = this;
    if (this.inspection?.game !== inspection.game) this.clear();
    this.inspection = inspection;
    this.chosen = chosen;
    board.setLayout(inspection.board, bottomOf(inspection));
    const isEliminated = (/** @type {number} */ seat) => inspection.eliminated.includes(seat) || seat >= inspection.seats.length;
    if (inspection.realtime_pieces.length > 0) {
      this.pieces.setPieces(/** @type {any} */ (inspection));
      this.pieces.drawAt(inspection.tick);
    } else {
      board.setPieces(inspection.pieces, isEliminated);
    }
    if (board.view) this.tiles.setPlaced(board.view, inspection.colors, ({ seat }) => seat !== null && inspection.eliminated.includes(seat), [], []);
    this.mark();
  }

  /** Removes the pieces of another game: they would glide across the board, or stay beside it. */
  clear() {
    this.pieces.clear();
    this.board.setPieces([]);
  }

  mark() {
    const { inspection, chosen, board } = this;
    if (!inspection) return;
    const name = (/** @type {number} */ cell) => inspection.squares[cell] ?? "";
    const mine = actionsAt(inspection, chosen);
    const occupied = new Set(inspection.pieces.map(({ square }) => square));
    const targets = mine.flatMap(({ cells }) => (inspection.colors.length > 0 ? cells : cells.slice(1))).map(name);
    board.setMarks({
      check: inspection.check,
      selected: chosen === null ? [] : [name(chosen)],
      target: targets.filter((square) => !occupied.has(square)),
      capture: targets.filter((square) => occupied.has(square)),
    });
    const standing = [...inspection.pieces, ...inspection.realtime_pieces.filter(({ flight }) => !flight)];
    const pieces = new Map(standing.map((piece) => [piece.square, piece]));
    const color = new Map(inspection.colors.flatMap(({ name: word, squares }) => squares.map((square) => [square, word])));
    const counts = new Map();
    for (const action of inspection.legal) for (const cell of anchors(inspection, action)) counts.set(name(cell), (counts.get(name(cell)) ?? 0) + 1);
    board.setLabels((square) => {
      const piece = pieces.get(square);
      const what = piece ? `${inspection.seats[piece.seat]?.name ?? "gray"} ${pieceName(piece.piece)}` : (color.get(square) ?? "empty");
      const count = counts.get(square);
      return [square, what, count ? plural(count, "legal action") : ""].filter(Boolean).join(", ");
    });
  }

  /**
   * Overlays the squares with values, or clears them.
   * @param {number | number[] | null} values
   */
  point(values) {
    const { inspection, board } = this;
    const { view } = board;
    if (!inspection || !view) return;
    this.planeOverlay.setAttribute("viewBox", `0 0 ${view.columns} ${view.rows}`);
    const each = values === null ? [] : inspection.squares.map((_, cell) => (Array.isArray(values) ? (values[cell] ?? 0) : values));
    this.planeOverlay.replaceChildren(
      ...each.flatMap((value, cell) => {
        const placed = view.byName.get(inspection.squares[cell] ?? "");
        return placed && value !== 0 ? [svg("path", { d: path([placed.row * view.columns + placed.column], view.columns), "fill-opacity": strength(value) })] : [];
      }),
    );
  }

  // The `BoardHandler` interface, see board/input.js

  /** Returns the square of the view with a given name. @param {string} square */
  cell(square) {
    return this.inspection?.squares.indexOf(square) ?? -1;
  }

  selected() {
    return this.chosen === null ? null : (this.inspection?.squares[this.chosen] ?? null);
  }

  /** @param {string} square */
  canPickUp(square) {
    return Boolean(this.inspection && actionsAt(this.inspection, this.cell(square)).length > 0);
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
    const { inspection } = this;
    if (!inspection || inspection.colors.length > 0) return [];
    const target = this.cell(to);
    return actionsAt(inspection, this.cell(from)).filter(({ cells }) => cells[1] === target);
  }

  /** @param {string | null} square */
  select(square) {
    this.callbacks.choose(square === null ? null : this.cell(square));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  drop(from, to) {
    const [action] = this.between(from, to);
    if (action) this.callbacks.play(action);
  }

  cancel() {
    const had = this.chosen !== null;
    if (had) this.callbacks.choose(null);
    return had;
  }
}

/**
 * Returns the squares that select an action: where a piece moves from, or all that a placement covers.
 * @param {Inspection} inspection
 * @param {Action} action
 */
function anchors(inspection, { cells }) {
  return inspection.colors.length > 0 ? cells : cells.slice(0, 1);
}

/**
 * Returns the legal actions at a square of the view.
 * @param {Inspection} inspection
 * @param {number | null} square
 * @returns {Action[]}
 */
export function actionsAt(inspection, square) {
  return square === null ? [] : inspection.legal.filter((action) => anchors(inspection, action).includes(square));
}

/**
 * Returns the edge that must be at the bottom for the board to match the view, or else the seat's edge.
 * @param {Inspection} inspection
 * @returns {Edge}
 */
function bottomOf({ board, squares, seats, seat }) {
  const matches = (/** @type {Edge} */ edge) => {
    const view = new View(board, edge);
    return squares.every((name, cell) => (view.at(cell % view.columns, Math.floor(cell / view.columns))?.name ?? null) === name);
  };
  return EDGES.find(matches) ?? seats[seat]?.edge ?? "bottom";
}

/**
 * Describes the observer.
 * @param {Inspection} inspection
 */
export function viewerText({ seats, seat, simultaneous, ending, colors }) {
  const turn = colors.find((color) => color.turn);
  const name = capital((simultaneous ? undefined : turn?.name) ?? seats[seat]?.name ?? "");
  if (ending) return `Observer: ${name}. Game over: ${ending}`;
  return simultaneous ? `Observer: ${name} (simultaneous moves)` : `Observer: ${name} (to move)`;
}
