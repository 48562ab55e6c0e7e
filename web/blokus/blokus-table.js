// Placing Blokus pieces: which piece is held, where it would go, and whether it fits.

import { say, warn } from "../app/announcements.js";
import { capital } from "../app/names.js";
import { listen } from "../board/input.js";
import { canPremove, hasOpenSeat, isYourTurn, lastRound } from "../play/game-state.js";
import { TurnTable } from "../play/turn-table.js";
import { IllegalReasons, Note } from "./illegal-reasons.js";
import { carryPiece } from "./pointer.js";
import { Rack } from "./rack.js";
import { cellsOf, extent, flip, key, normalize, TileLayer, turnLeft, turnRight } from "./tiles.js";

/** @import { Sender } from "../app/connection.js" */
/** @import { Color, Edge, GameState, LegalMove, Position } from "../app/protocol.js" */
/** @import { Board } from "../board/board.js" */
/** @import { Means } from "./rack.js" */
/** @import { Cell, Verdict } from "./tiles.js" */

/** A planned or sent placement: the squares that it covers, and its color. @typedef {{squares: string[], color: number}} Placement */

/** How far the wheel must turn to rotate the piece, in pixels, and how many pixels a line is. */
const NOTCH = 60;
const LINE = 32;

/** @extends {TurnTable<Placement>} */
export class BlokusTable extends TurnTable {
  /**
   * @param {Board} board
   * @param {Sender} link
   */
  constructor(board, link) {
    super(board, link);
    /** The held piece. @type {string | null} */
    this.piece = null;
    /** Its cells, rotated and flipped as it is seen. @type {Cell[]} */
    this.cells = [];
    /** The cell of the view that its center is on. @type {Cell | null} */
    this.center = null;
    /** Whether the keyboard moves it: then its place is announced. */
    this.byKeys = false;
    /** The color whose pieces were chosen to be shown, if any. @type {number | null} */
    this.chosenColor = null;
    this.frontier = false;
    /** The legal placements, by their squares. @type {Map<string, LegalMove>} */
    this.placements = new Map();
    /** Why placements are not legal. */
    this.reasons = new IllegalReasons(link, (squares) => this.onReason(squares));
    /** How far the wheel has turned since the last rotation. */
    this.wheeled = 0;
    this.layer = new TileLayer();
    board.cellLayer.after(this.layer.root);
    this.note = new Note(board);
    this.rack = new Rack({
      pick: (piece, how) => this.pick(piece, how),
      turn: (steps) => this.turn(steps < 0 ? turnLeft : turnRight),
      flip: () => this.turn(flip),
      next: () => this.next(1),
      frontier: () => this.showFrontier(),
      place: () => this.placePiece(),
      show: (color) => this.showColor(color),
    });
    listen(board, this);
    carryPiece(board, this);
    board.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    board.cellLayer.addEventListener("focusin", () => this.followFocus());
  }

  /**
   * @param {GameState} state
   * @param {Position | null} earlier
   * @param {Edge} bottom
   */
  show(state, earlier, bottom) {
    const before = this.state;
    if (before?.moves.length !== state.moves.length) {
      this.reasons.forget();
      this.chosenColor = null;
    }
    if (bottom !== this.bottom) this.center = null;
    if (before?.legal_moves !== state.legal_moves) this.placements = new Map(state.legal_moves.map((choice) => [key(choice.code.split(",")), choice]));
    this.setState(state, earlier, bottom);
    if (this.piece && !this.canTake(this.piece)) this.putBack();
    this.draw();
    this.playPremove(state);
  }

  // Queries

  /** Returns the color that you may place or plan for, or -1. */
  color() {
    const { state } = this;
    if (!state || this.earlier || this.pending || hasOpenSeat(state) || state.outcome) return -1;
    if (isYourTurn(state)) return state.colors.findIndex(({ turn }) => turn);
    const own = state.colors.flatMap(({ seat, done }, index) => (seat !== null && state.you.includes(seat) && !done ? [index] : []));
    return own.length === 1 && canPremove(state) ? (own[0] ?? -1) : -1;
  }

  /** @param {string} piece */
  canTake(piece) {
    return Boolean(this.state?.colors[this.color()]?.left.includes(piece));
  }

  /** Returns the cells of the view that the held piece would cover. @returns {Cell[]} */
  coveredCells() {
    const { view } = this.board;
    if (!this.piece || !this.center || !view) return [];
    const [width, height] = extent(this.cells);
    const [middle, row] = [this.center[0] - Math.floor(width / 2), this.center[1] - Math.floor(height / 2)];
    const left = Math.max(0, Math.min(view.columns - width, middle));
    const top = Math.max(0, Math.min(view.rows - height, row));
    return this.cells.map(([x, y]) => [x + left, y + top]);
  }

  /** @param {Cell[]} cells */
  squares(cells) {
    return cells.flatMap(([column, row]) => this.board.view?.at(column, row)?.name ?? []);
  }

  /** Returns whether the held piece fits where it is, and if not, why. @returns {{verdict: Verdict, why: string}} */
  check() {
    const { state } = this;
    if (!state || !isYourTurn(state)) return { verdict: "plan", why: "" };
    const covered = this.squares(this.coveredCells());
    if (this.placements.has(key(covered))) return { verdict: "fits", why: "" };
    return { verdict: "wrong", why: this.reasons.of(covered) };
  }

  // Actions

  /**
   * @param {string} piece
   * @param {Means} how
   */
  pick(piece, how) {
    if (piece === this.piece && how !== "keys") return void this.cancel();
    const shape = this.state?.piece_shapes.find(({ name }) => name === piece);
    if (!shape || !this.canTake(piece)) return undefined;
    this.piece = piece;
    this.cells = normalize(shape.cells.map(([row, column]) => [column, row]));
    this.premove = null;
    this.byKeys = how === "keys";
    this.center = null;
    // Without a hovering pointer it needs an initial place.
    if (how !== "mouse" && !this.next(1)) this.center = this.boardCenter();
    if (this.byKeys) this.focus();
    this.draw();
    return this.announcePlace();
  }

  /** Returns the center of the board. @returns {Cell} */
  boardCenter() {
    const { columns = 0, rows = 0 } = this.board.view ?? {};
    return [Math.floor(columns / 2), Math.floor(rows / 2)];
  }

  /** @param {(cells: Cell[]) => Cell[]} how */
  turn(how) {
    if (!this.piece) return;
    this.cells = how(this.cells);
    this.drawHeld();
    this.announcePlace();
  }

  /**
   * Moves to the next place where the piece fits, preferably without rotating it.
   * @param {number} step
   */
  next(step) {
    const { view } = this.board;
    if (!view || !this.piece) return false;
    const places = [...this.placements.values()].filter(({ from }) => from === this.piece).map(({ code }) => cellsOf(view, code.split(",")));
    const unrotated = places.filter((cells) => key(normalize(cells).map(String)) === key(this.cells.map(String)));
    const among = (unrotated.length > 0 ? unrotated : places).sort((a, b) => order(a) - order(b));
    const here = among.findIndex((cells) => key(cells.map(String)) === key(this.coveredCells().map(String)));
    const chosen = among.at(here < 0 ? 0 : (here + step) % among.length);
    if (!chosen) return false;
    this.cells = normalize(chosen);
    const [width, height] = extent(this.cells);
    const [left, top] = [Math.min(...chosen.map(([x]) => x)), Math.min(...chosen.map(([, y]) => y))];
    this.center = [left + Math.floor(width / 2), top + Math.floor(height / 2)];
    if (this.byKeys) this.focus();
    this.drawHeld();
    this.announcePlace();
    return true;
  }

  showFrontier() {
    this.frontier = !this.frontier;
    const shown = this.state?.colors[this.shownColor()];
    say(this.frontier && shown ? `Frontier of ${shown.name}: ${shown.frontier.join(", ") || "none"}` : "Frontier hidden");
    this.draw();
  }

  /** @param {number} color */
  showColor(color) {
    this.chosenColor = color;
    this.draw();
  }

  /** Places the held piece where it is, or plans to. */
  placePiece() {
    const { state } = this;
    const squares = this.squares(this.coveredCells());
    if (!state || !this.piece || squares.length === 0) return undefined;
    const placement = { squares, color: this.color() };
    if (!isYourTurn(state)) {
      this.putBack();
      this.premove = placement;
      say(`Planned: ${squares.join(", ")}`);
      return this.draw();
    }
    const { verdict, why } = this.check();
    if (verdict !== "fits") {
      warn(why || "the piece does not fit there");
      return undefined;
    }
    this.putBack();
    return this.playPlacement(placement);
  }

  /** @param {Placement} placement */
  playPlacement(placement) {
    const { squares } = placement;
    return this.play(placement, this.placements.get(key(squares))?.code ?? squares.join(","), squares[0] ?? "");
  }

  /** @param {GameState} state */
  playPremove(state) {
    const { premove } = this;
    if (!premove || !isYourTurn(state) || !state.colors[premove.color]?.turn) return;
    this.premove = null;
    this.playPlacement(premove);
  }

  putBack() {
    this.piece = null;
    this.center = null;
    this.byKeys = false;
  }

  cancel() {
    const { piece, byKeys } = this;
    const canceled = Boolean(piece || this.premove);
    if (canceled) say(piece ? `${piece} put back` : "Canceled");
    this.putBack();
    this.premove = null;
    this.draw();
    if (piece && byKeys) this.rack.buttons.get(piece)?.focus();
    return canceled;
  }

  // The `BoardHandler` interface, see board/input.js. Pieces on the board cannot be picked up.

  selected() {
    return null;
  }

  canPickUp() {
    return false;
  }

  isTarget() {
    return false;
  }

  select() {}

  drop() {}

  enter() {
    this.followFocus();
    this.placePiece();
  }

  /**
   * Called when a pointer is over a cell.
   * @param {Cell} at
   */
  hover(at) {
    if (!this.piece || String(at) === String(this.center)) return;
    this.center = at;
    this.byKeys = false;
    this.drawHeld();
  }

  /** Moves the held piece to the focused square. */
  followFocus() {
    const placed = this.board.view?.byName.get(this.board.focus);
    if (!this.piece || !placed) return;
    this.byKeys = true;
    this.center = [placed.column, placed.row];
    this.drawHeld();
    this.announcePlace();
  }

  /** Moves the focus to the held piece. */
  focus() {
    const name = this.center && this.board.view?.at(...this.center)?.name;
    if (!name) return;
    this.board.setTabStop(name);
    this.board.cells.get(name)?.focus({ preventScroll: true });
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!this.piece || event.ctrlKey) return;
    event.preventDefault();
    const delta = (event.deltaY || event.deltaX) * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1);
    this.wheeled = this.wheeled * delta < 0 ? delta : this.wheeled + delta;
    if (Math.abs(this.wheeled) < NOTCH) return;
    this.wheeled = 0;
    if (event.shiftKey) this.turn(flip);
    else this.turn(delta > 0 ? turnRight : turnLeft);
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether it was handled
   */
  key({ key }) {
    if (/^[1-5]$/.test(key)) return this.pickOfSize(Number(key));
    if (key === "c") this.showFrontier();
    else if (!this.piece) return false;
    else if (key === "r") this.turn(turnRight);
    else if (key === "R") this.turn(turnLeft);
    else if (key === "x") this.turn(flip);
    else if (key === "n") this.next(1);
    else if (key === "N") this.next(-1);
    else return false;
    return true;
  }

  /**
   * Picks the next piece with `size` squares, preferably one that fits somewhere.
   * @param {number} size
   */
  pickOfSize(size) {
    const { state } = this;
    const left = state?.colors[this.color()]?.left ?? [];
    const all = (state?.piece_shapes ?? []).filter(({ name, cells }) => cells.length === size && left.includes(name));
    const fitting = this.fitting();
    const some = fitting ? all.filter(({ name }) => fitting.has(name)) : all;
    const among = some.length > 0 ? some : all;
    const next = among[(among.findIndex(({ name }) => name === this.piece) + 1) % among.length];
    if (!next) return false;
    this.pick(next.name, "keys");
    return true;
  }

  /** Returns the pieces that fit somewhere, or null if it is not your turn. */
  fitting() {
    if (!this.state || !isYourTurn(this.state) || this.earlier) return null;
    return new Set([...this.placements.values()].map(({ from }) => from));
  }

  // Announcing and drawing

  /** Announces to screen readers where the held piece is. */
  announcePlace() {
    if (!this.piece || !this.byKeys) return;
    const { verdict, why } = this.check();
    const squares = this.squares(this.coveredCells()).join(", ");
    if (verdict === "wrong" && !why) return; // The reason has not arrived yet.
    say(`${this.piece} on ${squares}: ${verdict === "wrong" ? why : verdict === "fits" ? "fits" : "can be planned"}`);
  }

  /**
   * Called when the server has said why squares may not be covered.
   * @param {string[]} squares
   */
  onReason(squares) {
    this.drawHeld();
    if (key(this.squares(this.coveredCells())) === key(squares)) this.announcePlace();
  }

  draw() {
    const { state, board } = this;
    if (!state) return;
    board.setLayout(state.board, this.bottom);
    board.root.classList.toggle("yours", state.you.length > 0 && !state.outcome);
    const position = this.earlier ?? state;
    const shown = this.shownColor();
    const isGray = (/** @type {Color} */ { seat }) => seat !== null && position.eliminated.includes(seat);
    if (board.view) this.layer.setPlaced(board.view, position.colors, isGray, lastRound(state, this.earlier?.ply), this.frontier ? [shown] : []);
    const owners = new Map(position.colors.flatMap(({ name, squares }) => squares.map((square) => [square, name])));
    const corners = new Set(this.frontier ? position.colors[shown]?.frontier : []);
    board.setLabels((square) => [square, owners.get(square) ?? "empty", corners.has(square) ? "frontier" : ""].filter(Boolean).join(", "));
    this.drawHeld();
  }

  /** Returns the color whose pieces are shown. */
  shownColor() {
    const { state } = this;
    const own = this.color();
    if (this.chosenColor !== null || !state) return this.chosenColor ?? 0;
    if (own >= 0) return own;
    const turn = state.colors.findIndex(({ turn, seat }) => turn && (state.you.length === 0 || (seat !== null && state.you.includes(seat))));
    const mine = state.colors.findIndex(({ seat }) => seat !== null && state.you.includes(seat));
    return turn >= 0 ? turn : Math.max(0, mine);
  }

  /** Shows the held piece, and whether it fits. */
  drawHeld() {
    const { state, premove, pending } = this;
    if (!state) return;
    const placement = pending ?? (this.piece ? null : premove);
    const cells = placement ? cellsOf(/** @type {any} */ (this.board.view), placement.squares) : this.coveredCells();
    const { verdict, why } = this.check();
    this.layer.setHeld(cells, placement?.color ?? this.color(), placement ? (placement === pending ? "sent" : "plan") : verdict);
    this.board.root.classList.toggle("holding", Boolean(this.piece));
    const wrong = Boolean(this.piece && this.center) && verdict === "wrong";
    this.note.write(cells, wrong ? why : "");
    if (wrong && !why) this.reasons.schedule(this.squares(cells), state.moves.length);
    else this.reasons.cancel();
    this.rack.update({
      state, colors: (this.earlier ?? state).colors, color: this.shownColor(), yours: this.color() === this.shownColor(),
      fitting: this.color() === this.shownColor() ? this.fitting() : null, piece: this.piece, cells: this.cells,
      frontier: this.frontier, ready: Boolean(this.piece && this.center) && verdict !== "wrong",
      ...this.statusLine(verdict, why),
    });
  }

  /**
   * @param {Verdict} verdict
   * @param {string} why
   * @returns {{line: string, tone: "" | "fits" | "wrong"}}
   */
  statusLine(verdict, why) {
    const { state, piece } = this;
    const color = state?.colors[this.color()]?.name ?? "";
    if (!state || !color) return { line: this.premove ? "A piece is planned." : "", tone: "" };
    const yours = isYourTurn(state);
    if (!piece) return { line: yours ? `Choose ${/^[aeiou]/.test(color) ? "an" : "a"} ${color} piece.` : `You can plan your next ${color} piece.`, tone: "" };
    if (!this.center) return { line: `Choose a place for ${piece}.`, tone: "" };
    if (verdict === "fits") return { line: `${piece} fits here.`, tone: "fits" };
    if (verdict === "wrong") return { line: why ? `${capital(why)}.` : "The piece does not fit here.", tone: "wrong" };
    return { line: `${piece} would be placed here.`, tone: "" };
  }
}

/**
 * The order in which places are shown: from the bottom left.
 * @param {Cell[]} cells
 */
function order(cells) {
  return Math.min(...cells.map(([column, row]) => column - 1000 * row));
}
