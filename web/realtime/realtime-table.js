// Playing a real-time game: selecting pieces, orders and premoves, and drawing as time passes.

import { say, warn } from "../app/announcements.js";
import { reasonOf } from "../app/connection.js";
import { capital, pieceName } from "../app/names.js";
import { play } from "../app/sound.js";
import { listen } from "../board/input.js";
import { areYouEliminated, hasOpenSeat } from "../play/game-state.js";
import { el, setText } from "../ui/dom.js";
import { TickEstimator } from "./game-time.js";
import { PieceLayer } from "./piece-layer.js";

/** @import { Sender } from "../app/connection.js" */
/** @import { Edge, GameState, Position, RealtimePiece } from "../app/protocol.js" */
/** @import { Board } from "../board/board.js" */

/** Milliseconds until the targets of the selected piece are requested again. */
const TARGETS_DELAY = 200;

export class RealtimeTable {
  /**
   * @param {Board} board
   * @param {Sender} link
   */
  constructor(board, link) {
    this.board = board;
    this.link = link;
    this.ticks = new TickEstimator();
    this.pieceLayer = new PieceLayer(board);
    /** @type {GameState | null} */
    this.state = null;
    /** The id of the selected piece. @type {number | null} */
    this.selectedId = null;
    /** Its target squares, once the server has sent them. @type {Set<string> | null} */
    this.targets = null;
    this.askTimer = 0;
    this.frame = 0;
    this.countdown = el("div", { class: "countdown", "aria-hidden": "true", hidden: true });
    board.overlay.append(this.countdown);
    listen(board, this);
  }

  /**
   * @param {GameState} state
   * @param {Position | null} earlier an earlier tick to show
   * @param {Edge} bottom
   */
  show(state, earlier, bottom) {
    const before = this.state;
    this.state = state;
    if (state.time && state.time !== before?.time) this.ticks.onTime(state.time);
    this.board.setLayout(state.board, bottom);
    this.board.root.classList.toggle("yours", state.you.length > 0 && !state.outcome);
    if (earlier?.realtime_pieces) return this.showAt(state, earlier, earlier.tick ?? 0);
    this.pieceLayer.setPieces(state);
    if (this.selectedId !== null && !this.isMine(this.piece(this.selectedId))) this.setSelected(null);
    else if (this.selectedId !== null && state.realtime_pieces !== before?.realtime_pieces) this.requestTargetsSoon();
    this.draw();
    this.run();
    if (before) this.announceChanges(before, state);
    return undefined;
  }

  /**
   * Draws an earlier tick.
   * @param {GameState} state
   * @param {Position} earlier
   * @param {number} tick
   */
  showAt(state, { realtime_pieces = [], eliminated }, tick) {
    cancelAnimationFrame(this.frame);
    this.countdown.hidden = true;
    this.pieceLayer.setPieces({ ...state, realtime_pieces, eliminated });
    this.pieceLayer.drawAt(tick);
    this.setSelected(null);
    this.mark(state, realtime_pieces);
  }

  /** Draws the pieces, on every frame as long as anything moves. */
  run() {
    cancelAnimationFrame(this.frame);
    const moving = this.pieceLayer.drawAt(this.ticks.tick());
    const wait = this.ticks.wait();
    const counting = wait > 0 && !this.state?.outcome;
    if (counting) setText(this.countdown, String(Math.ceil(wait / 1000)));
    this.countdown.hidden = !counting;
    if ((moving && this.state?.time?.phase === "running") || counting) this.frame = requestAnimationFrame(() => this.run());
  }

  /** Handles no keys. */
  key() {
    return false;
  }

  close() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.askTimer);
  }

  // Pieces

  /** @param {number} id */
  piece(id) {
    return this.state?.realtime_pieces?.find((piece) => piece.id === id);
  }

  /** @param {RealtimePiece | undefined} piece */
  isMine(piece) {
    const { state } = this;
    if (!state || !piece || state.outcome || hasOpenSeat(state) || areYouEliminated(state)) return false;
    return state.you.includes(piece.seat);
  }

  /**
   * Returns your piece on a square, or on its way there.
   * @param {string} square
   */
  mine(square) {
    const mine = (this.state?.realtime_pieces ?? []).filter((piece) => this.isMine(piece));
    return mine.find((piece) => !piece.flight && piece.square === square) ?? mine.find((piece) => piece.flight?.[0] === square);
  }

  // The `BoardHandler` interface, see board/input.js

  selected() {
    const piece = this.selectedId === null ? undefined : this.piece(this.selectedId);
    return piece ? squareOf(piece) : null;
  }

  /** @param {string} square */
  canPickUp(square) {
    return Boolean(this.mine(square));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  isTarget(from, to) {
    if (this.selected() !== from) return false;
    return this.targets ? this.targets.has(to) : !this.canPickUp(to);
  }

  /** @param {string | null} square */
  select(square) {
    const piece = square ? this.mine(square) : undefined;
    this.setSelected(piece ?? null);
    if (piece) say(`${pieceName(piece.piece)} ${square} picked up`);
    this.draw();
  }

  cancel() {
    if (this.selectedId !== null) {
      const piece = this.piece(this.selectedId);
      if (piece && this.premoveOf(piece.id)) this.send("cancel", piece, "");
      this.setSelected(null);
      this.draw();
      return true;
    }
    const [last] = (this.state?.premoves ?? []).slice(-1);
    const piece = last && this.piece(last.piece);
    if (piece) this.send("cancel", piece, "");
    return Boolean(piece);
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  drop(from, to) {
    const piece = this.mine(from);
    this.setSelected(null);
    this.draw();
    if (!piece) return;
    this.send(piece.flight || piece.rest ? "premove" : "order", piece, to);
  }

  /**
   * Sends a typed order: two squares.
   * @param {string} text
   */
  async type(text) {
    const [, from = "", to = ""] = /^\s*[KQRBN]?([a-z]\d+)\s*[-x→ ]?\s*([a-z]\d+)\s*$/.exec(text) ?? [];
    const piece = this.mine(from);
    if (!from) throw new Error("expected two squares such as e2 e4");
    if (!piece) throw new Error(`you have no piece on ${from}`);
    await this.link.send({ t: piece.flight || piece.rest ? "premove" : "order", piece: piece.id, to });
  }

  /**
   * @param {"order" | "premove" | "cancel"} t
   * @param {RealtimePiece} piece
   * @param {string} to
   */
  async send(t, piece, to) {
    const words = `${pieceName(piece.piece)} ${squareOf(piece)}`;
    try {
      await this.link.send(t === "cancel" ? { t, piece: piece.id } : { t, piece: piece.id, to });
      if (t === "cancel") say("Premove canceled");
      else say(t === "premove" ? `Premove: ${words} to ${to}` : `${words} to ${to}`);
    } catch (error) {
      this.showProblem(piece, reasonOf(error));
    }
  }

  /**
   * @param {RealtimePiece} piece
   * @param {string} why
   */
  showProblem(piece, why) {
    const now = this.piece(piece.id) ?? piece;
    this.board.showNote(squareOf(now), capital(why));
    warn(why);
  }

  // The selected piece

  /** @param {RealtimePiece | null} piece */
  setSelected(piece) {
    clearTimeout(this.askTimer);
    this.askTimer = 0;
    this.selectedId = piece?.id ?? null;
    this.targets = null;
    if (piece) this.requestTargets();
  }

  requestTargetsSoon() {
    this.askTimer ||= setTimeout(() => this.requestTargets(), TARGETS_DELAY);
  }

  async requestTargets() {
    const { selectedId } = this;
    this.askTimer = 0;
    if (selectedId === null) return;
    try {
      const { to = [] } = await this.link.send({ t: "targets", piece: selectedId });
      if (this.selectedId === selectedId) this.targets = new Set(to);
    } catch {
      // The piece is gone, as the next state will say.
    }
    this.draw();
  }

  /** @param {number} id */
  premoveOf(id) {
    return this.state?.premoves?.find((premove) => premove.piece === id);
  }

  // Drawing

  draw() {
    if (this.state) this.mark(this.state, this.state.realtime_pieces ?? []);
  }

  /**
   * @param {GameState} state
   * @param {RealtimePiece[]} pieces
   */
  mark(state, pieces) {
    const { board } = this;
    const standing = new Map(pieces.filter((piece) => !piece.flight).map((piece) => [piece.square, piece]));
    const premove = (state.premoves ?? []).flatMap(({ piece, to }) => {
      const own = this.piece(piece);
      return own ? [squareOf(own), to] : [];
    });
    const mine = pieces.filter((piece) => this.isMine(piece));
    const target = [...(this.targets ?? [])];
    board.setMarks({
      premove,
      mine: mine.map(squareOf),
      last: mine.flatMap((piece) => (piece.flight ? [piece.flight[0]] : [])),
      selected: [this.selected() ?? ""],
      target: target.filter((square) => !standing.has(square)),
      capture: target.filter((square) => standing.has(square)),
    });
    const coming = new Map(pieces.filter((piece) => piece.flight).map((piece) => [piece.flight?.[0], piece]));
    board.setLabels((square) => this.label(state, square, standing.get(square), coming.get(square)));
  }

  /**
   * @param {GameState} state
   * @param {string} square
   * @param {RealtimePiece | undefined} piece
   * @param {RealtimePiece | undefined} coming
   */
  label(state, square, piece, coming) {
    const name = (/** @type {RealtimePiece} */ one) => `${state.seats[one.seat]?.name} ${pieceName(one.piece)}`;
    const parts = [square, piece ? name(piece) : "empty"];
    if (piece?.rest) parts.push("resting");
    if (coming) parts.push(`${name(coming)} on its way here`);
    const own = this.mine(square);
    const plan = own && this.premoveOf(own.id);
    if (plan) parts.push(`premove to ${plan.to}`);
    if (own && own.id === this.selectedId) parts.push("picked up");
    else if (this.targets?.has(square)) parts.push(piece ? "can capture" : "can go here");
    else if (own && this.selectedId === null && !own.rest && !own.flight) parts.push("can move");
    return parts.join(", ");
  }

  /**
   * Plays sounds and makes announcements for what has happened.
   * @param {GameState} before
   * @param {GameState} now
   */
  announceChanges(before, now) {
    if (before.realtime_pieces === now.realtime_pieces || !now.realtime_pieces || !before.realtime_pieces) {
      // No piece has changed.
    } else if (now.realtime_pieces.length < before.realtime_pieces.length) {
      play("capture");
      const there = new Set(now.realtime_pieces.map(({ id }) => id));
      const lost = before.realtime_pieces.filter((piece) => !there.has(piece.id) && now.you.includes(piece.seat));
      if (lost.length > 0 && lost.length < 3) say(lost.map((piece) => `Your ${pieceName(piece.piece)} was captured.`).join(" "));
    } else if (now.realtime_pieces.some(({ id, flight }) => flight && !before.realtime_pieces?.some((old) => old.id === id && old.flight))) {
      play("move");
    }
    const { missed } = now;
    if (!missed || missed.tick === before.missed?.tick) return;
    const piece = this.piece(missed.piece);
    if (piece) this.showProblem(piece, missed.why);
  }
}

/**
 * Returns the square at which a piece can be grabbed: its own, or its destination if it is in flight.
 * @param {RealtimePiece} piece
 */
function squareOf(piece) {
  return piece.flight?.[0] ?? piece.square;
}
