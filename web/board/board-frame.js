// A board with its players around it, and a mark at the side to move.

import { hasOpenSeat } from "../play/game-state.js";
import { el } from "../ui/dom.js";
import { turned } from "./geometry.js";

/** @import { Edge, GameState, Position } from "../app/protocol.js" */
/** @import { Players } from "../play/players.js" */
/** @import { Board } from "./board.js" */

export class BoardFrame {
  /**
   * @param {Board} board
   * @param {Players} players
   */
  constructor(board, players) {
    this.board = board;
    this.players = players;
    this.turn = el("div", { class: "turn", "aria-hidden": "true", hidden: true });
    board.root.append(this.turn);
    this.root = el("div", { class: "board-frame" }, players.above, board.root, players.below);
  }

  /**
   * Called after the board has been laid out.
   * @param {GameState} state
   * @param {Position} position the position that is shown
   * @param {Edge} bottom
   */
  update(state, position, bottom) {
    const { root, board } = this;
    const { columns = 1, rows = 1, cut = 0 } = board.view ?? {};
    for (const [name, value] of Object.entries({ columns, rows, cut })) root.style.setProperty(`--${name}`, String(value));
    root.classList.toggle("cross", cut > 0);
    root.classList.toggle("seats-4", state.seats.length > 2);
    root.classList.toggle("seats-2", state.seats.length <= 2);
    this.players.update(state, position, bottom);
    const acting = state.outcome || hasOpenSeat(state) || cut === 0 ? undefined : state.acting[0];
    this.turn.hidden = acting === undefined;
    this.turn.className = `turn seat-${acting}`;
    this.turn.dataset.side = turned(state.seats[acting ?? 0]?.edge ?? "bottom", bottom);
  }
}
