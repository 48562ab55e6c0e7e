// Pieces in flight and at rest: where each is drawn at a tick.

import { el, man as drawMan } from "../ui/dom.js";

/** @import { Board } from "../board/board.js" */
/** @import { GameState, Piece } from "../app/protocol.js" */

/** @typedef {{node: SVGSVGElement, drain: HTMLElement | null, piece: Piece}} Drawn */

/** How long a captured piece fades out, in milliseconds. */
const VANISH = 220;

export class Flight {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Map<number, Drawn>} */
    this.drawn = new Map();
  }

  /**
   * Puts the pieces of a state on the board.
   * @param {GameState} state
   */
  set(state) {
    const there = new Map((state.pieces ?? []).map((piece) => [piece.id, piece]));
    for (const [id, { node, drain }] of this.drawn) {
      if (there.has(id)) continue;
      this.drawn.delete(id);
      drain?.remove();
      node.classList.add("vanish");
      setTimeout(() => node.remove(), VANISH);
    }
    for (const piece of there.values()) this.update(piece, state.out.includes(piece.seat));
    this.board.standing = [...this.drawn.values()]
      .filter(({ piece }) => !piece.flight)
      .map(({ node, piece }) => ({ node, man: piece }));
  }

  /**
   * @param {Piece} piece
   * @param {boolean} out
   */
  update(piece, out) {
    let drawn = this.drawn.get(piece.id);
    if (!drawn) {
      drawn = { node: drawMan(piece.piece, piece.seat), drain: null, piece };
      drawn.node.classList.add("live");
      this.drawn.set(piece.id, drawn);
      this.board.manLayer.append(drawn.node);
    }
    const { node, piece: before } = drawn;
    if (before.piece !== piece.piece) node.firstElementChild?.setAttribute("href", `#man-${piece.piece}`);
    if (piece.flight && !before.flight) this.board.manLayer.append(node); // Above the pieces that it passes.
    drawn.piece = piece;
    node.classList.toggle("flying", Boolean(piece.flight));
    node.classList.toggle("seat-out", out);
    if (piece.rest && !drawn.drain) {
      drawn.drain = el("div", { class: "drain" });
      this.board.manLayer.prepend(drawn.drain);
    } else if (!piece.rest && drawn.drain) {
      drawn.drain.remove();
      drawn.drain = null;
    }
  }

  /**
   * Draws all pieces where they are at a tick.
   * @param {number} tick
   * @returns {boolean} whether anything still moves or rests
   */
  at(tick) {
    let moving = false;
    for (const { node, drain, piece } of this.drawn.values()) {
      const [column, row] = this.place(piece, tick);
      const transform = `translate(${100 * column}%, ${100 * row}%)`;
      if (!node.classList.contains("lifted") && node.style.transform !== transform) node.style.transform = transform;
      moving ||= Boolean(piece.flight ?? piece.rest);
      if (!drain || !piece.rest) continue;
      const [since, until] = piece.rest;
      const left = Math.min(1, Math.max(0, (until - tick) / Math.max(1, until - since)));
      drain.style.transform = transform;
      drain.style.setProperty("--left", left.toFixed(4));
    }
    return moving;
  }

  /**
   * Returns the column and row of the view where a piece is at a tick.
   * @param {Piece} piece
   * @param {number} tick
   * @returns {[number, number]}
   */
  place({ square, flight }, tick) {
    const squares = this.board.view?.byName;
    const from = squares?.get(square);
    if (!from) return [0, 0];
    const to = flight && squares?.get(flight[0]);
    if (!to) return [from.column, from.row];
    const [, start, arrive] = flight;
    const done = Math.min(1, Math.max(0, (tick - start) / Math.max(1, arrive - start)));
    return [from.column + done * (to.column - from.column), from.row + done * (to.row - from.row)];
  }
}
