// What the tables of all turn-based games share: the premove, and the move that was sent.

import { warn } from "../app/announcements.js";
import { reasonOf } from "../app/connection.js";
import { capital } from "../app/names.js";
import { findMove } from "./game-state.js";

/** @import { Command, Edge, GameState, Position } from "../app/protocol.js" */
/** @import { Board } from "../board/board.js" */

/** What executes moves: the connection, or a study. @typedef {{send: (command: Command) => Promise<unknown>}} MoveSender */

/** @template Step a move as it is drawn before the server has answered */
export class TurnTable {
  /**
   * @param {Board} board
   * @param {MoveSender} link
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
    /** A move for the next turn. @type {Step | null} */
    this.premove = null;
    /** A move that the server has not answered yet. @type {Step | null} */
    this.pending = null;
  }

  draw() {}

  /**
   * Sets what is shown, and clears the moves that were meant for another position.
   * @param {GameState} state
   * @param {Position | null} earlier
   * @param {Edge} bottom
   */
  setState(state, earlier, bottom) {
    const before = this.state;
    const moved = before?.moves.length !== state.moves.length || before?.id !== state.id;
    if (state.outcome || (before && state.moves.length < before.moves.length)) this.premove = null;
    if (moved || state.outcome) this.pending = null;
    [this.state, this.earlier, this.bottom] = [state, earlier, bottom];
  }

  /**
   * Shows the move at once, and reverts it if it is refused.
   * @param {Step} step
   * @param {string} code
   * @param {string} square where a refusal is explained
   */
  async play(step, code, square) {
    this.pending = step;
    this.draw();
    try {
      await this.link.send({ t: "move", move: code, ply: this.state?.moves.length ?? 0 });
      if (this.pending === step) this.pending = null;
    } catch (error) {
      this.pending = null;
      this.draw();
      this.showProblem(square, reasonOf(error));
    }
    this.draw();
  }

  /**
   * Plays a typed move: the code or the text of a legal move, or else the text as it is.
   * @param {string} text
   * @returns {Promise<void>} rejected with the reason if it is refused
   */
  async type(text) {
    if (!this.state) return;
    const { legal_moves, moves } = this.state;
    await this.link.send({ t: "move", move: findMove(legal_moves, text)?.code ?? text, ply: moves.length });
  }

  /**
   * @param {string} square
   * @param {string} why
   */
  showProblem(square, why) {
    this.board.showNote(square, capital(why));
    warn(why);
  }
}
