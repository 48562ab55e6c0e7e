// The list of moves, and stepping through it.

import { say } from "../app/announcements.js";
import { el, setText } from "../ui/dom.js";
import { scrollToItem, setCurrent, stepBar } from "../ui/step-bar.js";
import { cellsOf, miniature } from "../blokus/tiles.js";
import { moverName } from "./game-state.js";

/** @import { Sender } from "../app/connection.js" */
/** @import { GameState, Move, Position } from "../app/protocol.js" */
/** @import { View } from "../board/geometry.js" */

/** Which position of a game is shown. */
export class Replay {
  /**
   * @param {Sender} link
   * @param {() => void} changed
   */
  constructor(link, changed) {
    this.link = link;
    this.changed = changed;
    /** @type {Move[]} */
    this.moves = [];
    /** The ply that is shown, or null for the latest. @type {number | null} */
    this.ply = null;
    /** @type {Position | null} */
    this.position = null;
    /** @type {Map<number, Position>} */
    this.known = new Map();
    this.asking = false;
  }

  /** @param {GameState} state */
  update(state) {
    let same = 0;
    while (same < this.moves.length && this.moves[same]?.code === state.moves[same]?.code) same += 1;
    for (const ply of this.known.keys()) if (ply > same) this.known.delete(ply);
    if (this.ply !== null && (this.ply > same || this.ply >= state.moves.length)) this.showLatest();
    this.moves = state.moves;
  }

  /** The ply that is shown. */
  get at() {
    return this.ply ?? this.moves.length;
  }

  get length() {
    return this.moves.length;
  }

  /** Moves per second at normal speed. */
  get perSecond() {
    return 1;
  }

  /** Returns the current ply as text. */
  positionText() {
    return `${this.at} of ${this.length}`;
  }

  /** Returns the current ply as a URL parameter. @returns {[string, string]} */
  urlParameter() {
    return ["ply", String(this.at)];
  }

  /** @param {URLSearchParams} words the parameters of a link */
  openLink(words) {
    const ply = words.get("ply") ?? "";
    if (/^\d+$/.test(ply)) this.go(Number(ply));
  }

  /** @param {1 | -1} direction */
  step(direction) {
    this.go(this.at + direction);
  }

  /** Goes back to the latest position. */
  showLatest() {
    this.ply = null;
    this.position = null;
  }

  /** @param {number} ply */
  go(ply) {
    const wanted = Math.min(Math.max(ply, 0), this.moves.length);
    if (wanted === this.moves.length) this.showLatest();
    else this.ply = wanted;
    if (!this.asking) this.ask();
  }

  /** Requests the wanted position, one at a time, so that a held key does not flood the server. */
  async ask() {
    this.asking = true;
    while (this.ply !== null && !this.known.has(this.ply)) {
      const { ply, moves } = this;
      try {
        const seen = await this.link.send({ t: "position", ply });
        const { eliminated = [], scores = [], colors = [], pieces = [], last_move = [], check = [], captured = [], clocks } = seen;
        if (moves === this.moves) this.known.set(ply, { ply, eliminated, scores, colors, pieces, last_move, check, captured, ...(clocks ? { clocks } : {}) });
      } catch {
        if (this.ply === ply) this.showLatest();
      }
    }
    this.asking = false;
    this.position = this.ply === null ? null : (this.known.get(this.ply) ?? null);
    this.changed();
    const move = this.moves[this.at - 1];
    if (this.ply === null) say("Latest position");
    else say(move ? `After ${move.number}, ${move.text}` : "First position");
  }
}

export class MoveList {
  /**
   * @param {Replay} replay
   * @param {() => void} flip turns the board
   */
  constructor(replay, flip) {
    this.replay = replay;
    this.list = el("ol", { class: "moves", "aria-label": "Moves", tabindex: "0" });
    const to = { first: () => 0, previous: () => replay.at - 1, next: () => replay.at + 1, last: () => replay.moves.length };
    this.steps = stepBar((ply) => replay.go(ply), to, "Latest position", flip);
    this.root = el("section", { class: "record", "aria-label": "Moves" }, this.list, this.steps.root);
    /** @type {Move[]} */
    this.drawnMoves = [];
    /** @type {View | null} */
    this.view = null;
    /** The ply that is marked as current in the list. */
    this.shown = 0;
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.empty = el("li", { class: "empty" }, "No moves yet");
    this.list.append(this.empty);
  }

  /**
   * @param {GameState} state
   * @param {View | null} view as which the board is seen; pieces of Blokus are drawn likewise
   */
  update(state, view) {
    const { at } = this.replay;
    const turned = state.moves !== this.drawnMoves || at !== this.shown;
    if (state.moves !== this.drawnMoves || (state.colors.length > 0 && view !== this.view)) this.draw(state, view);
    this.shown = at;
    this.buttons.forEach((button, index) => setCurrent(button, index + 1 === at));
    this.steps.update(at === 0, at === state.moves.length);
    if (turned) scrollToItem(this.list, this.buttons[at - 1]);
  }

  /**
   * @param {GameState} state
   * @param {View | null} view
   */
  draw(state, view) {
    this.view = view;
    const focused = this.buttons.findIndex((button) => button === document.activeElement);
    this.drawnMoves = state.moves;
    const columns = state.colors.length || state.seats.length;
    this.list.classList.toggle("seats-4", columns > 2);
    this.buttons = state.moves.map((move, index) => {
      const name = `${move.number}, ${moverName(state, move)} ${move.text}`;
      const press = () => this.replay.go(index + 1);
      const attributes = { type: "button", class: `move seat-${move.color ?? move.seat}`, "aria-label": name, title: move.text, click: press };
      return el("button", attributes, ...(view && state.colors.length > 0 ? placementLabel(move, view) : [move.text]));
    });
    /** @type {Map<number, HTMLElement>} */
    const rows = new Map();
    state.moves.forEach((move, index) => {
      let row = rows.get(move.number);
      if (!row) {
        row = el("li", {}, el("span", { class: "number", "aria-hidden": "true" }, `${move.number}.`));
        row.style.setProperty("--seats", String(columns));
        rows.set(move.number, row);
      }
      const button = this.buttons[index];
      if (!button) return;
      button.style.gridColumn = String((move.color ?? move.seat) + 2);
      row.append(button);
    });
    this.list.replaceChildren(...(rows.size > 0 ? rows.values() : [this.empty]));
    setText(this.empty, "No moves yet");
    this.buttons[focused]?.focus({ preventScroll: true });
  }
}

/**
 * Shows a placement as its piece, as it lies on the board, and the piece's name. The squares are only for screen readers.
 * @param {Move} move
 * @param {View} view
 */
function placementLabel({ text, code }, view) {
  const [name = "", ...squares] = text.split(" ");
  return [miniature(cellsOf(view, code.split(","))), name, el("span", { class: "visually-hidden" }, ` ${squares.join(" ")}`)];
}
