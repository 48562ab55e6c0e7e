// Hints: the move that a strong player would make, shown on the board but not played.

import { say } from "../app/announcements.js";
import { cellsOf } from "../blokus/tiles.js";
import { openDialog } from "../ui/dialog.js";
import { button, el } from "../ui/dom.js";
import { showError } from "../ui/toast.js";

/** @import { Sender } from "../app/connection.js" */
/** @import { GameState, LegalMove } from "../app/protocol.js" */
/** @import { BlokusTable } from "../blokus/blokus-table.js" */
/** @import { Board } from "../board/board.js" */
/** @import { RealtimeTable } from "../realtime/realtime-table.js" */
/** @import { ChessTable } from "./chess-table.js" */

export class Hints {
  /**
   * @param {Board} board
   * @param {Sender} link
   * @param {() => void} changed
   */
  constructor(board, link, changed) {
    this.board = board;
    this.link = link;
    this.changed = changed;
    /** The suggested move, and the ply that it is for. @type {{choice: LegalMove, ply: number} | null} */
    this.hint = null;
    this.asking = false;
  }

  /**
   * Asks for a hint, or hides the one that is shown.
   * @param {GameState} state
   */
  async ask(state) {
    if (this.asking) return;
    if (this.shown(state)) {
      this.hint = null;
      say("Hint hidden");
      return this.changed();
    }
    this.asking = true;
    this.changed();
    const ply = state.moves.length;
    try {
      const { hint } = await this.link.send({ t: "hint", ply });
      if (hint) {
        this.hint = { choice: hint, ply };
        say(`Hint: ${hint.text}`);
        this.board.root.scrollIntoView({ block: "nearest" }); // On a phone the button is below the board.
      }
    } catch (error) {
      showError(error);
    }
    this.asking = false;
    return this.changed();
  }

  /**
   * Returns the hint that is shown, if any.
   * @param {GameState} state
   * @returns {LegalMove | null}
   */
  shown({ moves, legal_moves }) {
    const { choice, ply = -1 } = this.hint ?? {};
    return ply === moves.length && legal_moves.some(({ code }) => code === choice?.code) ? (choice ?? null) : null;
  }

  /**
   * @param {GameState} state
   * @param {boolean} earlier whether an earlier position is shown
   * @param {ChessTable | BlokusTable | RealtimeTable | null} table
   */
  draw(state, earlier, table) {
    const choice = earlier ? null : this.shown(state);
    const { view } = this.board;
    if (table && "layer" in table && view) {
      const color = state.colors.findIndex(({ turn }) => turn);
      return table.layer.setHint(choice ? cellsOf(view, choice.code.split(",")) : [], color);
    }
    return this.board.annotations.suggest(choice);
  }
}

/**
 * Asks whether to go on although a rated game becomes unrated.
 * @param {() => void} ask
 */
export function confirmUnrated(ask) {
  const proceed = () => {
    dialog.close();
    ask();
  };
  const show = button("Show hint", proceed, "button primary");
  show.autofocus = true;
  const dialog = openDialog(
    "Show a hint?",
    "",
    el("h2", {}, "Show a hint?"),
    el("p", {}, "The game will no longer be rated."),
    el("div", { class: "actions" }, show, button("Cancel", () => dialog.close())),
  );
}
