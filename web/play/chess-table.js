// Playing a chess-like game: the selected piece, the planned move, and the move that was sent.

import { listen } from "../board/input.js";
import { capital, pieceName } from "../app/names.js";
import { pick } from "../board/promotion-picker.js";
import { reasonOf } from "../app/connection.js";
import { say, warn } from "../app/announcements.js";
import { choicesBetween, choicesFrom, hasOpenSeat, isGrey, isYourTurn, manOn, mayPlan } from "./game-state.js";

/** @import { Board } from "../board/board.js" */
/** @import { Choice, Command, Edge, GameState, Man, Position } from "../app/protocol.js" */

/** What executes moves: the connection, or a study. @typedef {{send: (command: Command) => Promise<unknown>}} Sender */
/** @typedef {{from: string, to: string, becomes?: string | null}} Step */

export class Table {
  /**
   * @param {Board} board
   * @param {Sender} link
   */
  constructor(board, link) {
    this.board = board;
    this.link = link;
    /** @type {GameState | null} */
    this.state = null;
    /** @type {Edge} */
    this.bottom = "bottom";
    /** The earlier position that is shown, if any. @type {Position | null} */
    this.earlier = null;
    /** @type {string | null} */
    this.picked = null;
    /** A move for the next turn. @type {Step | null} */
    this.planned = null;
    /** A move that the server has not answered yet. @type {Step | null} */
    this.pending = null;
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
    if (before && state.moves.length < before.moves.length) this.planned = null; // It was planned for another position.
    if (moved || state.outcome || bottom !== this.bottom) this.closePicker?.();
    if (moved || state.outcome) this.pending = null;
    this.state = state;
    this.earlier = earlier;
    this.bottom = bottom;
    if (state.outcome) this.planned = null;
    if (this.picked && !this.mayLift(this.picked)) this.picked = null;
    this.draw();
    if (this.planned && isYourTurn(state)) this.playPlanned(state, this.planned);
  }

  // The `Hand` interface, see board/input.js

  selected() {
    return this.picked;
  }

  /** @param {string} square */
  mayLift(square) {
    const { state } = this;
    if (!state || state.outcome || hasOpenSeat(state) || this.earlier || this.pending) return false;
    const man = manOn(state.men, square);
    return Boolean(man && state.you.includes(man.seat) && !state.out.includes(man.seat));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  isTarget(from, to) {
    if (!this.state) return false;
    if (isYourTurn(this.state)) return choicesBetween(this.state, from, to).length > 0;
    return mayPlan(this.state) && !this.mayLift(to);
  }

  /** @param {string | null} square */
  select(square) {
    if (square) this.planned = null;
    this.picked = square;
    this.draw();
    if (!square || !this.state) return;
    const man = manOn(this.state.men, square);
    const targets = new Set(choicesFrom(this.state, square).map((choice) => choice.to));
    const moves = targets.size > 0 ? `can go to ${[...targets].join(", ")}` : "has no legal moves";
    const where = isYourTurn(this.state) ? moves : "choose a premove";
    if (man) say(`${pieceName(man.piece)} ${square} picked up, ${where}`);
  }

  cancel() {
    const something = Boolean(this.picked || this.planned);
    if (something) say("Canceled");
    this.picked = null;
    this.planned = null;
    this.draw();
    return something;
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  drop(from, to) {
    const { state } = this;
    this.picked = null;
    if (!state || this.earlier) return this.draw();
    if (isYourTurn(state)) return this.playBetween(from, to, choicesBetween(state, from, to));
    if (mayPlan(state)) {
      this.planned = { from, to };
      say(`Premove: ${from} to ${to}`);
    }
    return this.draw();
  }

  /**
   * @param {string} text
   * @returns {Promise<void>} rejected with the reason if it is refused
   */
  async type(text) {
    if (this.state) await playTyped(this.link, this.state, text);
  }

  /** Handles no keys. */
  key() {
    return false;
  }

  /**
   * @param {GameState} state
   * @param {Step} planned
   */
  playPlanned(state, { from, to }) {
    this.planned = null;
    const choices = choicesBetween(state, from, to);
    if (choices.length > 0) {
      this.playBetween(from, to, choices);
    } else {
      this.draw();
      this.complain(from, "the premove is not legal");
    }
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {Choice[]} choices
   */
  async playBetween(from, to, choices) {
    const [choice, ...others] = choices;
    if (!choice) return this.play({ from, to }, from + to); // The server says why not.
    if (others.length === 0) return this.play(choice, choice.code);
    const seat = manOn(this.state?.men ?? [], from)?.seat ?? 0;
    this.pending = { from, to };
    this.draw();
    const { picked, close } = pick(this.board, choices, seat);
    this.closePicker = close;
    const answer = await picked;
    if (this.closePicker !== close) return undefined; // Another move is being made.
    this.closePicker = null;
    this.pending = null;
    if (answer) return this.play(answer, answer.code);
    return this.draw();
  }

  /**
   * Shows the move at once, and reverts it if it is refused.
   * @param {Step} step
   * @param {string} code
   */
  async play(step, code) {
    const ply = this.state?.moves.length ?? 0;
    this.pending = step;
    this.draw();
    try {
      await this.link.send({ t: "move", move: code, ply });
      if (this.pending === step) this.pending = null;
    } catch (error) {
      this.pending = null;
      this.draw();
      this.complain(step.from, reasonOf(error));
    }
    this.draw();
  }

  /**
   * @param {string} square
   * @param {string} why
   */
  complain(square, why) {
    this.board.note(square, capital(why));
    warn(why);
  }

  draw() {
    const { state, board } = this;
    if (!state) return;
    board.lay(state.board, this.bottom);
    board.root.classList.toggle("yours", state.you.length > 0 && !state.outcome);
    const position = this.earlier ?? this.position(state);
    board.set(position.men, (seat) => isGrey(state, position, seat));
    board.mark({ last: position.last_move, check: position.check, ...this.marks(state) });
    board.label((square) => this.label(state, position, square));
  }

  /**
   * Returns the position with the pending move.
   * @param {GameState} state
   * @returns {Position}
   */
  position(state) {
    const step = this.pending;
    const man = step && manOn(state.men, step.from);
    if (!man) return state;
    const rest = state.men.filter(({ square }) => square !== step.from && square !== step.to);
    const moved = { ...man, square: step.to, piece: step.becomes ?? man.piece };
    return { ...state, men: [...rest, moved], last_move: [step.from, step.to], check: [] };
  }

  /** @param {GameState} state */
  marks(state) {
    if (this.earlier) return {};
    const premove = this.planned ? [this.planned.from, this.planned.to] : [];
    const mine = state.men.map((man) => man.square).filter((square) => this.mayLift(square));
    if (!this.picked) return { premove, mine };
    const targets = isYourTurn(state) ? choicesFrom(state, this.picked).map((choice) => choice.to) : [];
    const isTaken = (/** @type {string} */ square) => Boolean(manOn(state.men, square));
    const [capture, target] = [targets.filter(isTaken), targets.filter((square) => !isTaken(square))];
    return { premove, mine, selected: [this.picked], target, capture };
  }

  /**
   * @param {GameState} state
   * @param {Position} position
   * @param {string} square
   */
  label(state, position, square) {
    const man = manOn(position.men, square);
    const parts = [square, man ? this.manLabel(state, position, man) : "empty"];
    if (position.check.includes(square)) parts.push("in check");
    if (this.earlier) return parts.join(", ");
    if (this.picked === square) parts.push("picked up");
    else if (this.picked && choicesBetween(state, this.picked, square).length > 0)
      parts.push(man ? "can capture" : "can go here");
    else if (!this.picked && choicesFrom(state, square).length > 0) parts.push("can move");
    if (this.planned?.from === square) parts.push(`premove to ${this.planned.to}`);
    return parts.join(", ");
  }

  /**
   * @param {GameState} state
   * @param {Position} position
   * @param {Man} man
   */
  manLabel(state, position, man) {
    const words = [state.seats[man.seat]?.name, pieceName(man.piece)];
    if (isGrey(state, position, man.seat)) words.unshift("gray");
    return words.filter(Boolean).join(" ");
  }
}

/**
 * Plays a typed move: the code or the text of a legal move, or else the text as it is.
 * @param {Sender} link
 * @param {GameState} state
 * @param {string} text
 * @returns {Promise<void>} rejected with the reason if it is refused
 */
export async function playTyped(link, { choices, moves }, text) {
  const bare = (/** @type {string} */ move) => move.replace(/[+#!?]+$/, "");
  const typed = bare(text);
  const choice = choices.find(({ code, text }) => code.toLowerCase() === typed.toLowerCase() || bare(text) === typed);
  await link.send({ t: "move", move: choice?.code ?? text, ply: moves.length });
}
