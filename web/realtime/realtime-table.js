// Playing a real-time game: selecting pieces, ordering and planning moves, and drawing as time passes.

import { el, write } from "../ui/dom.js";
import { Flight } from "./piece-layer.js";
import { listen } from "../board/input.js";
import { capital, pieceName } from "../app/names.js";
import { reasonOf } from "../app/connection.js";
import { play } from "../app/sound.js";
import { say, warn } from "../app/announcements.js";
import { areYouOut, hasOpenSeat } from "../play/game-state.js";
import { Ticks } from "./game-time.js";

/** @import { Board } from "../board/board.js" */
/** @import { Edge, GameState, Piece, Position } from "../app/protocol.js" */
/** @import { Sender } from "../app/connection.js" */

/** Milliseconds until the targets of the selected piece are requested again. */
const ASK_AGAIN = 200;

export class Live {
  /**
   * @param {Board} board
   * @param {Sender} link
   */
  constructor(board, link) {
    this.board = board;
    this.link = link;
    this.ticks = new Ticks();
    this.flight = new Flight(board);
    /** @type {GameState | null} */
    this.state = null;
    /** The id of the selected piece. @type {number | null} */
    this.picked = null;
    /** Its target squares, once the server has sent them. @type {Set<string> | null} */
    this.targets = null;
    this.askTimer = 0;
    this.frame = 0;
    this.countdown = el("div", { class: "countdown", "aria-hidden": "true", hidden: true });
    board.over.append(this.countdown);
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
    if (state.time && state.time !== before?.time) this.ticks.hear(state.time);
    this.board.lay(state.board, bottom);
    this.board.root.classList.toggle("yours", state.you.length > 0 && !state.outcome);
    if (earlier?.pieces) return this.showAt(state, earlier, earlier.tick ?? 0);
    this.flight.set(state);
    if (this.picked !== null && !this.isMine(this.piece(this.picked))) this.pick(null);
    else if (this.picked !== null && state.pieces !== before?.pieces) this.askSoon();
    this.draw();
    this.run();
    if (before) this.tell(before, state);
    return undefined;
  }

  /**
   * Draws an earlier tick.
   * @param {GameState} state
   * @param {Position} earlier
   * @param {number} tick
   */
  showAt(state, { pieces = [], out }, tick) {
    cancelAnimationFrame(this.frame);
    this.countdown.hidden = true;
    this.flight.set({ ...state, pieces, out });
    this.flight.at(tick);
    this.pick(null);
    this.mark(state, pieces);
  }

  /** Draws the pieces, on every frame as long as anything moves. */
  run() {
    cancelAnimationFrame(this.frame);
    const moving = this.flight.at(this.ticks.tick());
    const wait = this.ticks.wait();
    const counting = wait > 0 && !this.state?.outcome;
    if (counting) write(this.countdown, String(Math.ceil(wait / 1000)));
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
    return this.state?.pieces?.find((piece) => piece.id === id);
  }

  /** @param {Piece | undefined} piece */
  isMine(piece) {
    const { state } = this;
    if (!state || !piece || state.outcome || hasOpenSeat(state) || areYouOut(state)) return false;
    return state.you.includes(piece.seat);
  }

  /**
   * Returns your piece on a square, or on its way there.
   * @param {string} square
   */
  mine(square) {
    const mine = (this.state?.pieces ?? []).filter((piece) => this.isMine(piece));
    return mine.find((piece) => !piece.flight && piece.square === square) ?? mine.find((piece) => piece.flight?.[0] === square);
  }

  // The `Hand` interface, see board/input.js

  selected() {
    const piece = this.picked === null ? undefined : this.piece(this.picked);
    return piece ? handle(piece) : null;
  }

  /** @param {string} square */
  mayLift(square) {
    return Boolean(this.mine(square));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  isTarget(from, to) {
    if (this.selected() !== from) return false;
    return this.targets ? this.targets.has(to) : !this.mayLift(to);
  }

  /** @param {string | null} square */
  select(square) {
    const piece = square ? this.mine(square) : undefined;
    this.pick(piece ?? null);
    if (piece) say(`${pieceName(piece.piece)} ${square} picked up`);
    this.draw();
  }

  cancel() {
    if (this.picked !== null) {
      const piece = this.piece(this.picked);
      if (piece && this.planned(piece.id)) this.send("cancel", piece, "");
      this.pick(null);
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
    this.pick(null);
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
   * @param {Piece} piece
   * @param {string} to
   */
  async send(t, piece, to) {
    const words = `${pieceName(piece.piece)} ${handle(piece)}`;
    try {
      await this.link.send(t === "cancel" ? { t, piece: piece.id } : { t, piece: piece.id, to });
      if (t === "cancel") say("Premove canceled");
      else say(t === "premove" ? `Premove: ${words} to ${to}` : `${words} to ${to}`);
    } catch (error) {
      this.complain(piece, reasonOf(error));
    }
  }

  /**
   * @param {Piece} piece
   * @param {string} why
   */
  complain(piece, why) {
    const now = this.piece(piece.id) ?? piece;
    this.board.note(handle(now), capital(why));
    warn(why);
  }

  // The selected piece

  /** @param {Piece | null} piece */
  pick(piece) {
    clearTimeout(this.askTimer);
    this.askTimer = 0;
    this.picked = piece?.id ?? null;
    this.targets = null;
    if (piece) this.ask();
  }

  askSoon() {
    this.askTimer ||= setTimeout(() => this.ask(), ASK_AGAIN);
  }

  async ask() {
    const { picked } = this;
    this.askTimer = 0;
    if (picked === null) return;
    try {
      const { to = [] } = await this.link.send({ t: "targets", piece: picked });
      if (this.picked === picked) this.targets = new Set(to);
    } catch {
      // The piece is gone, as the next state will say.
    }
    this.draw();
  }

  /** @param {number} id */
  planned(id) {
    return this.state?.premoves?.find((premove) => premove.piece === id);
  }

  // Drawing

  draw() {
    if (this.state) this.mark(this.state, this.state.pieces ?? []);
  }

  /**
   * @param {GameState} state
   * @param {Piece[]} pieces
   */
  mark(state, pieces) {
    const { board } = this;
    const standing = new Map(pieces.filter((piece) => !piece.flight).map((piece) => [piece.square, piece]));
    const premove = (state.premoves ?? []).flatMap(({ piece, to }) => {
      const own = this.piece(piece);
      return own ? [handle(own), to] : [];
    });
    const mine = pieces.filter((piece) => this.isMine(piece));
    const target = [...(this.targets ?? [])];
    board.mark({
      premove,
      mine: mine.map(handle),
      last: mine.flatMap((piece) => (piece.flight ? [piece.flight[0]] : [])),
      selected: [this.selected() ?? ""],
      target: target.filter((square) => !standing.has(square)),
      capture: target.filter((square) => standing.has(square)),
    });
    const coming = new Map(pieces.filter((piece) => piece.flight).map((piece) => [piece.flight?.[0], piece]));
    board.label((square) => this.label(state, square, standing.get(square), coming.get(square)));
  }

  /**
   * @param {GameState} state
   * @param {string} square
   * @param {Piece | undefined} piece
   * @param {Piece | undefined} coming
   */
  label(state, square, piece, coming) {
    const name = (/** @type {Piece} */ one) => `${state.seats[one.seat]?.name} ${pieceName(one.piece)}`;
    const parts = [square, piece ? name(piece) : "empty"];
    if (piece?.rest) parts.push("resting");
    if (coming) parts.push(`${name(coming)} on its way here`);
    const own = this.mine(square);
    const plan = own && this.planned(own.id);
    if (plan) parts.push(`premove to ${plan.to}`);
    if (own && own.id === this.picked) parts.push("picked up");
    else if (this.targets?.has(square)) parts.push(piece ? "can capture" : "can go here");
    else if (own && this.picked === null && !own.rest && !own.flight) parts.push("can move");
    return parts.join(", ");
  }

  /**
   * Plays sounds and makes announcements for what has happened.
   * @param {GameState} before
   * @param {GameState} now
   */
  tell(before, now) {
    if (before.pieces === now.pieces || !now.pieces || !before.pieces) {
      // No piece has changed.
    } else if (now.pieces.length < before.pieces.length) {
      play("take");
      const there = new Set(now.pieces.map(({ id }) => id));
      const lost = before.pieces.filter((piece) => !there.has(piece.id) && now.you.includes(piece.seat));
      if (lost.length > 0 && lost.length < 3) say(lost.map((piece) => `Your ${pieceName(piece.piece)} was captured.`).join(" "));
    } else if (now.pieces.some(({ id, flight }) => flight && !before.pieces?.some((old) => old.id === id && old.flight))) {
      play("move");
    }
    const { missed } = now;
    if (!missed || missed.tick === before.missed?.tick) return;
    const piece = this.piece(missed.piece);
    if (piece) this.complain(piece, missed.why);
  }
}

/**
 * Returns the square at which a piece can be grabbed: its own, or its destination if it is in flight.
 * @param {Piece} piece
 */
function handle(piece) {
  return piece.flight?.[0] ?? piece.square;
}
