// Playing a chess-like game: the selected piece, the premove, and the move that was sent.

import { say } from "../app/announcements.js";
import { pieceName } from "../app/names.js";
import { listen } from "../board/input.js";
import { pick } from "../board/promotion-picker.js";
import { canPremove, hasOpenSeat, isGray, isYourTurn, lastRound, legalMovesBetween, legalMovesFrom, pieceOn } from "./game-state.js";
import { TurnTable } from "./turn-table.js";

/** @import { Edge, GameState, LegalMove, Piece, Position } from "../app/protocol.js" */
/** @import { Board } from "../board/board.js" */
/** @import { MoveSender } from "./turn-table.js" */

/** @typedef {{from: string, to: string, promotion?: string | null}} Step */

/** @extends {TurnTable<Step>} */
export class ChessTable extends TurnTable {
  /**
   * @param {Board} board
   * @param {MoveSender} link
   */
  constructor(board, link) {
    super(board, link);
    /** @type {string | null} */
    this.selectedSquare = null;
    /** @type {(() => void) | null} */
    this.closePicker = null;
    listen(board, this);
  }

  /**
   * @param {GameState} state
   * @param {Position | null} earlier
   * @param {Edge} bottom
   */
  show(state, earlier, bottom) {
    const before = this.state;
    const moved = before?.moves.length !== state.moves.length || before?.id !== state.id;
    if (moved || state.outcome || bottom !== this.bottom) this.closePicker?.();
    this.setState(state, earlier, bottom);
    if (this.selectedSquare && !this.canPickUp(this.selectedSquare)) this.selectedSquare = null;
    this.draw();
    if (this.premove && isYourTurn(state)) this.playPremove(state, this.premove);
  }

  // The `BoardHandler` interface, see board/input.js

  selected() {
    return this.selectedSquare;
  }

  /** @param {string} square */
  canPickUp(square) {
    const { state } = this;
    if (!state || state.outcome || hasOpenSeat(state) || this.earlier || this.pending) return false;
    const piece = pieceOn(state.pieces, square);
    return Boolean(piece && state.you.includes(piece.seat) && !state.eliminated.includes(piece.seat));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  isTarget(from, to) {
    if (!this.state) return false;
    if (isYourTurn(this.state)) return legalMovesBetween(this.state, from, to).length > 0;
    return canPremove(this.state) && !this.canPickUp(to);
  }

  /** @param {string | null} square */
  select(square) {
    if (square) this.premove = null;
    this.selectedSquare = square;
    this.draw();
    if (!square || !this.state) return;
    const piece = pieceOn(this.state.pieces, square);
    const targets = new Set(legalMovesFrom(this.state, square).map((choice) => choice.to));
    const moves = targets.size > 0 ? `can go to ${[...targets].join(", ")}` : "has no legal moves";
    const where = isYourTurn(this.state) ? moves : "choose a premove";
    if (piece) say(`${pieceName(piece.piece)} ${square} picked up, ${where}`);
  }

  cancel() {
    const canceled = Boolean(this.selectedSquare || this.premove);
    if (canceled) say("Canceled");
    this.selectedSquare = null;
    this.premove = null;
    this.draw();
    return canceled;
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  drop(from, to) {
    const { state } = this;
    this.selectedSquare = null;
    if (!state || this.earlier) return this.draw();
    if (isYourTurn(state)) return this.playBetween(from, to, legalMovesBetween(state, from, to));
    if (canPremove(state)) {
      this.premove = { from, to };
      say(`Premove: ${from} to ${to}`);
    }
    return this.draw();
  }

  /** Handles no keys. */
  key() {
    return false;
  }

  /**
   * @param {GameState} state
   * @param {Step} planned
   */
  playPremove(state, { from, to }) {
    this.premove = null;
    const choices = legalMovesBetween(state, from, to);
    if (choices.length > 0) {
      this.playBetween(from, to, choices);
    } else {
      this.draw();
      this.showProblem(from, "the premove is not legal");
    }
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {LegalMove[]} choices
   */
  async playBetween(from, to, choices) {
    const [choice, ...others] = choices;
    if (!choice) return this.play({ from, to }, from + to, from); // The server says why not.
    if (others.length === 0) return this.play(choice, choice.code, from);
    const seat = pieceOn(this.state?.pieces ?? [], from)?.seat ?? 0;
    this.pending = { from, to };
    this.draw();
    const { picked, close } = pick(this.board, choices, seat);
    this.closePicker = close;
    const answer = await picked;
    if (this.closePicker !== close) return undefined; // Another move is being made.
    this.closePicker = null;
    this.pending = null;
    if (answer) return this.play(answer, answer.code, from);
    return this.draw();
  }

  draw() {
    const { state, board } = this;
    if (!state) return;
    board.setLayout(state.board, this.bottom);
    board.root.classList.toggle("yours", state.you.length > 0 && !state.outcome);
    const position = this.earlier ?? this.position(state);
    board.setPieces(position.pieces, (seat) => isGray(state, position, seat));
    const several = state.seats.length > 2 && !this.pending;
    const last = several ? { moved: lastRound(state, position.ply) } : { last: position.last_move };
    board.setMarks({ ...last, check: position.check, ...this.marks(state) });
    board.setLabels((square) => this.label(state, position, square));
  }

  /**
   * Returns the position with the pending move.
   * @param {GameState} state
   * @returns {Position}
   */
  position(state) {
    const step = this.pending;
    const piece = step && pieceOn(state.pieces, step.from);
    if (!piece) return state;
    const rest = state.pieces.filter(({ square }) => square !== step.from && square !== step.to);
    const moved = { ...piece, square: step.to, piece: step.promotion ?? piece.piece };
    return { ...state, pieces: [...rest, moved], last_move: [step.from, step.to], check: [] };
  }

  /** @param {GameState} state */
  marks(state) {
    if (this.earlier) return {};
    const premove = this.premove ? [this.premove.from, this.premove.to] : [];
    const mine = state.pieces.map((piece) => piece.square).filter((square) => this.canPickUp(square));
    if (!this.selectedSquare) return { premove, mine };
    const targets = isYourTurn(state) ? legalMovesFrom(state, this.selectedSquare).map((choice) => choice.to) : [];
    const isTaken = (/** @type {string} */ square) => Boolean(pieceOn(state.pieces, square));
    const [capture, target] = [targets.filter(isTaken), targets.filter((square) => !isTaken(square))];
    return { premove, mine, selected: [this.selectedSquare], target, capture };
  }

  /**
   * @param {GameState} state
   * @param {Position} position
   * @param {string} square
   */
  label(state, position, square) {
    const piece = pieceOn(position.pieces, square);
    const parts = [square, piece ? this.pieceLabel(state, position, piece) : "empty"];
    if (position.check.includes(square)) parts.push("in check");
    if (this.earlier) return parts.join(", ");
    if (this.selectedSquare === square) parts.push("picked up");
    else if (this.selectedSquare && legalMovesBetween(state, this.selectedSquare, square).length > 0)
      parts.push(piece ? "can capture" : "can go here");
    else if (!this.selectedSquare && legalMovesFrom(state, square).length > 0) parts.push("can move");
    if (this.premove?.from === square) parts.push(`premove to ${this.premove.to}`);
    return parts.join(", ");
  }

  /**
   * @param {GameState} state
   * @param {Position} position
   * @param {Piece} piece
   */
  pieceLabel(state, position, piece) {
    const words = [state.seats[piece.seat]?.name, pieceName(piece.piece)];
    if (isGray(state, position, piece.seat)) words.unshift("gray");
    return words.filter(Boolean).join(" ");
  }
}
