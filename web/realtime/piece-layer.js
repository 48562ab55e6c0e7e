// Pieces in flight and at rest: where each is drawn at a tick.

import { el, pieceImage } from "../ui/dom.js";

/** @import { GameState, RealtimePiece } from "../app/protocol.js" */
/** @import { Board } from "../board/board.js" */

/** @typedef {{node: SVGSVGElement, rest: HTMLElement | null, piece: RealtimePiece}} Drawn */

/** How long a captured piece fades out, in milliseconds. */
const VANISH = 220;

export class PieceLayer {
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
  setPieces(state) {
    const there = new Map((state.realtime_pieces ?? []).map((piece) => [piece.id, piece]));
    for (const [id, { node, rest }] of this.drawn) {
      if (there.has(id)) continue;
      this.drawn.delete(id);
      rest?.remove();
      node.classList.add("vanish");
      setTimeout(() => node.remove(), VANISH);
    }
    for (const piece of there.values()) this.update(piece, state.eliminated.includes(piece.seat));
    this.board.drawn = [...this.drawn.values()]
      .filter(({ piece }) => !piece.flight)
      .map(({ node, piece }) => ({ node, piece }));
  }

  /** Removes all pieces at once. */
  clear() {
    for (const { node, rest } of this.drawn.values()) {
      node.remove();
      rest?.remove();
    }
    this.drawn.clear();
  }

  /**
   * @param {RealtimePiece} piece
   * @param {boolean} eliminated
   */
  update(piece, eliminated) {
    let drawn = this.drawn.get(piece.id);
    if (!drawn) {
      drawn = { node: pieceImage(piece.piece, piece.seat), rest: null, piece };
      drawn.node.classList.add("realtime");
      this.drawn.set(piece.id, drawn);
      this.board.pieceLayer.append(drawn.node);
    }
    const { node, piece: before } = drawn;
    if (before.piece !== piece.piece) node.firstElementChild?.setAttribute("href", `#piece-${piece.piece}`);
    if (piece.flight && !before.flight) this.board.pieceLayer.append(node); // Above the pieces that it passes.
    drawn.piece = piece;
    node.classList.toggle("flying", Boolean(piece.flight));
    node.classList.toggle("seat-eliminated", eliminated);
    if (piece.rest && !drawn.rest) {
      drawn.rest = el("div", { class: "rest" });
      this.board.pieceLayer.prepend(drawn.rest);
    } else if (!piece.rest && drawn.rest) {
      drawn.rest.remove();
      drawn.rest = null;
    }
  }

  /**
   * Draws all pieces where they are at a tick.
   * @param {number} tick
   * @returns {boolean} whether anything still moves or rests
   */
  drawAt(tick) {
    let moving = false;
    for (const { node, rest, piece } of this.drawn.values()) {
      const [column, row] = this.positionAt(piece, tick);
      const transform = `translate(${100 * column}%, ${100 * row}%)`;
      if (!node.classList.contains("lifted") && node.style.transform !== transform) node.style.transform = transform;
      moving ||= Boolean(piece.flight ?? piece.rest);
      if (!rest || !piece.rest) continue;
      const [since, until] = piece.rest;
      const left = Math.min(1, Math.max(0, (until - tick) / Math.max(1, until - since)));
      rest.style.transform = transform;
      rest.style.setProperty("--left", left.toFixed(4));
    }
    return moving;
  }

  /**
   * Returns the column and row of the view where a piece is at a tick.
   * @param {RealtimePiece} piece
   * @param {number} tick
   * @returns {[number, number]}
   */
  positionAt({ square, flight }, tick) {
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
