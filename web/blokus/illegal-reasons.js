// Why a piece does not fit where it is: the server is asked once the piece stays in place.

import { capital } from "../app/names.js";
import { placeNote } from "../board/board.js";
import { el, setText } from "../ui/dom.js";
import { key } from "./tiles.js";

/** @import { Sender } from "../app/connection.js" */
/** @import { Board } from "../board/board.js" */
/** @import { Cell } from "./tiles.js" */

/** How long a piece stays in place before the server is asked, in milliseconds. */
const DELAY = 60;

export class IllegalReasons {
  /**
   * @param {Sender} link
   * @param {(squares: string[]) => void} onKnown called when the reason for these squares is known
   */
  constructor(link, onKnown) {
    this.link = link;
    this.onKnown = onKnown;
    /** Reasons by the squares that would be covered. @type {Map<string, string>} */
    this.known = new Map();
    this.asking = false;
    this.timer = 0;
  }

  /** Forgets all reasons, after the position has changed. */
  forget() {
    this.known = new Map();
    this.cancel();
  }

  /** @param {string[]} squares */
  of(squares) {
    return this.known.get(key(squares)) ?? "";
  }

  /** Cancels the scheduled request. */
  cancel() {
    clearTimeout(this.timer);
  }

  /**
   * Schedules a request, in place of any other.
   * @param {string[]} squares
   * @param {number} ply
   */
  schedule(squares, ply) {
    this.cancel();
    this.timer = setTimeout(() => this.request(squares, ply), DELAY);
  }

  /**
   * Sends one request at a time, so that a moving pointer does not flood the server.
   * @param {string[]} squares
   * @param {number} ply
   */
  async request(squares, ply) {
    if (this.asking) return this.schedule(squares, ply);
    this.asking = true;
    const { known } = this;
    try {
      const { why } = await this.link.send({ t: "try", move: squares.join(","), ply });
      known.set(key(squares), why ?? "the position has changed");
      this.onKnown(squares);
    } catch {
      // The position has changed, so the answer does not matter.
    } finally {
      this.asking = false;
    }
    return undefined;
  }
}

/** A note next to the held piece. */
export class Note {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.root = el("div", { class: "note verdict", "aria-hidden": "true", hidden: true });
    board.overlay.append(this.root);
  }

  /**
   * @param {Cell[]} cells of the piece
   * @param {string} text empty to hide it
   */
  write(cells, text) {
    const { root } = this;
    root.hidden = !text || cells.length === 0;
    if (root.hidden) return;
    setText(root, capital(text));
    placeNote(root, this.board.view ?? { columns: 1, rows: 1 }, cells, 3);
  }
}
