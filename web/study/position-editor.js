// The position editor. The server says what is wrong with a position.

import { say } from "../app/announcements.js";
import { reasonOf } from "../app/connection.js";
import { capital, pieceName, sentence } from "../app/names.js";
import { checkPosition, positionAt } from "../app/requests.js";
import { Board } from "../board/board.js";
import { listen, trackPointer } from "../board/input.js";
import { pieceOn } from "../play/game-state.js";
import { button, el, pieceImage } from "../ui/dom.js";
import { START } from "./tree.js";

/** @import { Edge, Piece, Shape } from "../app/protocol.js" */
/** @import { CheckedPosition } from "../app/requests.js" */

const PIECES = ["K", "Q", "R", "B", "N", "P"];
const SIDES = ["white", "black"];
/** @type {[string, string][]} */
const CASTLING = [
  ["K", "White O-O"],
  ["Q", "White O-O-O"],
  ["k", "Black O-O"],
  ["q", "Black O-O-O"],
];

/** The selected piece to place; without a piece it is an eraser. @typedef {{piece: string | null, seat: number}} Brush */

export class PositionEditor {
  /**
   * @param {(fen: string) => void} done
   * @param {() => void} canceled
   */
  constructor(done, canceled) {
    this.done = done;
    this.board = new Board({ interactive: true, name: "Set up a position" });
    this.board.root.classList.add("yours");
    /** @type {Piece[]} */
    this.pieces = [];
    /** @type {string | null} */
    this.picked = null;
    /** @type {Brush | null} */
    this.brush = null;
    /** @type {CheckedPosition | null} */
    this.checked = null;
    /** The requested castling rights, including those that are impossible now. */
    this.castling = "";
    this.requestNumber = 0;
    /** @type {((event: PointerEvent) => void) | undefined} see `BoardHandler` in board/input.js */
    this.press = undefined;
    /** @type {(() => void) | undefined} */
    this.enter = undefined;
    /** @type {[Shape, Edge] | null} */
    this.layout = null;
    this.spares = SIDES.map((_, seat) => this.spareRow(seat));
    this.eraser = el("button", { type: "button", class: "button small", "aria-pressed": "false", click: () => this.selectBrush({ piece: null, seat: 0 }) }, "Eraser");
    this.turns = SIDES.map((_, seat) => el("input", { type: "radio", name: "turn", value: seat, change: () => this.check() }));
    this.rights = CASTLING.map(([letter]) =>
      el("input", {
        type: "checkbox", value: letter,
        change: (/** @type {Event} */ event) => this.setCastling(letter, /** @type {HTMLInputElement} */ (event.target).checked),
      }),
    );
    this.errors = el("div", { class: "errors", role: "status" });
    this.finish = button("Study this position", () => this.checked && this.done(this.checked.fen), "button primary");
    const labeled = (/** @type {HTMLInputElement} */ input, /** @type {string} */ text) => el("label", {}, input, el("span", {}, text));
    this.root = el(
      "section",
      { class: "editor", "aria-label": "Set up a position" },
      el("h1", { class: "study-title" }, "Set up a position"),
      el("p", { class: "notes" }, "Drag pieces onto, around and off the board, or select one here and click squares."),
      ...this.spares,
      el("div", { class: "actions" }, this.eraser, button("Empty board", () => this.set([]), "button small"), button("Start position", () => this.restart(), "button small")),
      el("fieldset", { class: "choice" }, el("legend", {}, "To move"), el("div", { class: "pills" }, ...this.turns.map((input, seat) => labeled(input, capital(SIDES[seat] ?? ""))))),
      el("fieldset", { class: "choice rights" }, el("legend", {}, "Castling rights"), ...this.rights.map((input, index) => labeled(input, CASTLING[index]?.[1] ?? ""))),
      this.errors,
      el("div", { class: "actions" }, this.finish, button("Cancel", canceled)),
    );
    listen(this.board, this);
  }

  /**
   * Starts with a position.
   * @param {Shape} shape
   * @param {Edge} bottom
   * @param {Piece[]} pieces
   * @param {number} turn
   * @param {string} castling
   */
  open(shape, bottom, pieces, turn, castling) {
    this.layout = [shape, bottom];
    this.castling = castling;
    this.turns.forEach((input, seat) => (input.checked = seat === turn));
    this.selectBrush(null);
    this.set(pieces);
  }

  /** @param {Edge} bottom */
  turn(bottom) {
    if (this.layout) this.layout = [this.layout[0], bottom];
    this.draw();
  }

  /** @param {Piece[]} pieces */
  set(pieces) {
    this.pieces = pieces;
    this.picked = null;
    this.draw();
    return this.check();
  }

  async restart() {
    const { pieces } = await positionAt(START, []);
    this.castling = "KQkq";
    const [white] = this.turns;
    if (white) white.checked = true;
    this.set(pieces);
  }

  /**
   * @param {string} letter
   * @param {boolean} on
   */
  setCastling(letter, on) {
    this.castling = this.castling.replace(letter, "") + (on ? letter : "");
    this.check();
  }

  /** Asks the server what is wrong; only the latest answer counts. */
  async check() {
    const number = ++this.requestNumber;
    const turn = this.turns.findIndex((input) => input.checked);
    try {
      const checked = await checkPosition(this.pieces, Math.max(turn, 0), this.castling);
      if (number === this.requestNumber) this.showErrors(checked);
    } catch (error) {
      if (number === this.requestNumber) this.errors.replaceChildren(el("p", {}, sentence(reasonOf(error))));
    }
  }

  /** @param {CheckedPosition} checked */
  showErrors(checked) {
    this.checked = checked;
    const { errors, squares, castling } = checked;
    this.errors.replaceChildren(...errors.map((error) => el("p", {}, sentence(error))));
    this.finish.disabled = errors.length > 0;
    this.rights.forEach((input) => {
      input.disabled = !castling.includes(input.value);
      input.checked = !input.disabled && this.castling.includes(input.value);
    });
    this.board.setMarks({ ...this.marks(), check: squares });
  }

  marks() {
    return { selected: this.picked ? [this.picked] : [], mine: this.pieces.map(({ square }) => square) };
  }

  draw() {
    if (!this.layout) return;
    this.board.setLayout(...this.layout);
    this.board.setPieces(this.pieces);
    this.board.setMarks({ ...this.marks(), check: this.checked?.squares ?? [] });
    this.board.setLabels((square) => {
      const found = pieceOn(this.pieces, square);
      return `${square}, ${found ? pieceLabel(found) : "empty"}${this.picked === square ? ", picked up" : ""}`;
    });
  }

  // The spare pieces

  /** @param {number} seat */
  spareRow(seat) {
    const name = SIDES[seat] ?? "";
    const pieces = PIECES.map((piece) => {
      const named = `${name} ${pieceName(piece)}`;
      const take = () => this.selectBrush({ piece, seat });
      const node = el("button", { type: "button", class: "spare", "aria-label": named, title: capital(named), "aria-pressed": "false", "data-piece": `${piece}${seat}`, click: take }, pieceImage(piece, seat, "face"));
      node.addEventListener("pointerdown", (event) => this.carry(event, { piece, seat }, node));
      return node;
    });
    return el("div", { class: "spares", role: "group", "aria-label": `${capital(name)} pieces` }, ...pieces);
  }

  /**
   * Selects a piece to place, or deselects it if it is already selected.
   * @param {Brush | null} brush
   */
  selectBrush(brush) {
    const same = brush && this.brush && brush.piece === this.brush.piece && brush.seat === this.brush.seat;
    this.brush = same ? null : brush;
    this.picked = null;
    const { brush: held } = this;
    this.press = held ? (event) => this.applyBrush(this.board.squareAt(event.clientX, event.clientY)) : undefined;
    this.enter = held ? () => this.applyBrush(this.board.focus) : undefined;
    for (const node of this.root.querySelectorAll(".spare")) {
      node.setAttribute("aria-pressed", String(Boolean(held?.piece) && node.getAttribute("data-piece") === `${held?.piece}${held?.seat}`));
    }
    this.eraser.setAttribute("aria-pressed", String(held?.piece === null));
    this.draw();
  }

  /**
   * Places the selected piece on a square, or removes it if the same piece is already there.
   * @param {string | null} square
   */
  applyBrush(square) {
    const { brush } = this;
    if (!brush || !square) return;
    const there = pieceOn(this.pieces, square);
    const same = there?.piece === brush.piece && there?.seat === brush.seat;
    this.setSquare(square, same ? null : brush);
  }

  /**
   * @param {string} square
   * @param {Brush | null} brush
   */
  setSquare(square, brush) {
    const rest = this.pieces.filter((piece) => piece.square !== square);
    const piece = brush?.piece;
    this.set(piece ? [...rest, { square, piece, seat: brush.seat }] : rest);
    say(piece ? `${pieceLabel({ square, piece, seat: brush.seat })} on ${square}` : `${square} is empty`);
  }

  /**
   * Drags a spare piece.
   * @param {PointerEvent} down
   * @param {Brush} brush
   * @param {HTMLElement} node
   */
  carry(down, brush, node) {
    if (down.button !== 0 || !down.isPrimary) return;
    /** @type {SVGSVGElement | null} */
    let carried = null;
    trackPointer(node, down, {
      move: (event) => {
        if (!carried && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 6) return;
        if (!carried && brush.piece) {
          carried = pieceImage(brush.piece, brush.seat, "carried");
          const size = this.board.root.getBoundingClientRect().width / (this.board.view?.columns ?? 8);
          carried.style.width = carried.style.height = `${size}px`;
          this.root.append(carried);
        }
        if (carried) carried.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
      },
      up: (event) => {
        const square = carried && this.board.squareAt(event.clientX, event.clientY);
        if (carried) node.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
        carried?.remove();
        if (square) this.setSquare(square, brush);
      },
      lose: () => carried?.remove(),
    });
  }

  // The `BoardHandler` interface, see board/input.js

  selected() {
    return this.picked;
  }

  /** @param {string} square */
  canPickUp(square) {
    return Boolean(pieceOn(this.pieces, square));
  }

  isTarget() {
    return true;
  }

  /** @param {string | null} square */
  select(square) {
    this.picked = square;
    this.draw();
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  drop(from, to) {
    const moved = pieceOn(this.pieces, from);
    const rest = this.pieces.filter(({ square }) => square !== from && square !== to);
    this.set(moved ? [...rest, { ...moved, square: to }] : rest);
  }

  /** @param {string} square */
  discard(square) {
    this.setSquare(square, null);
  }

  cancel() {
    const canceled = Boolean(this.picked || this.brush);
    this.selectBrush(null);
    return canceled;
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  key({ key }) {
    if (key === "Escape") return this.cancel();
    if ((key === "Delete" || key === "Backspace") && this.board.cellLayer.contains(document.activeElement)) {
      this.setSquare(this.board.focus, null);
      return true;
    }
    return false;
  }
}

/** @param {Piece} piece */
function pieceLabel({ piece, seat }) {
  return `${SIDES[seat] ?? ""} ${pieceName(piece)}`;
}
