// Facts over a board: badges on pieces, arrows and rings. The server says what to draw.

import { arrowBetween } from "../board/annotations.js";
import { svg } from "../ui/dom.js";
import { badge, classOf } from "./fact-badges.js";

/** @import { Arrow, AttackMap, MarkedSquare, PositionReport } from "../app/requests.js" */
/** @import { Board } from "../board/board.js" */
/** @import { View } from "../board/geometry.js" */

/** How large a badge is, in squares. */
const SIZE = 0.15;
/** Where badges go, from the center of a square: the first fact that is shown has the first place on every piece. */
const PLACES = [
  [0.33, -0.33],
  [-0.33, -0.33],
  [0.33, 0.33],
  [-0.33, 0.33],
  [0.36, 0],
  [-0.36, 0],
  [0, 0.36],
  [0, -0.36],
];
/** Facts without badges on pieces. */
const ARROWS = new Set(["forks", "see", "attack_map"]);
/** Facts whose arrows are thin lines. */
const THIN = new Set(["x_rays"]);

export class FactOverlays {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.root = svg("svg", { class: "overlays", "aria-hidden": "true" });
    board.pieceLayer.after(this.root);
    /** The square whose attackers and defenders are shown. @type {string | null} */
    this.pointed = null;
    /** What was drawn last. @type {{report: PositionReport, shown: string[]} | null} */
    this.drawn = null;
    board.root.addEventListener("pointermove", (event) => this.point(board.squareAt(event.clientX, event.clientY)));
    board.root.addEventListener("pointerdown", (event) => this.point(board.squareAt(event.clientX, event.clientY)));
    board.root.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.point(null));
    board.cellLayer.addEventListener("focusin", (event) => {
      this.point(/** @type {HTMLElement} */ (event.target).dataset.square ?? null);
    });
  }

  /** @param {string | null} square */
  point(square) {
    if (square === this.pointed) return;
    this.pointed = square;
    if (this.drawn?.shown.includes("attack_map")) this.draw(this.drawn.report, this.drawn.shown);
  }

  /**
   * @param {PositionReport} report
   * @param {string[]} shown facts, in the order in which they were switched on
   */
  draw(report, shown) {
    this.drawn = { report, shown };
    const { view } = this.board;
    if (!view) return;
    this.root.setAttribute("viewBox", `0 0 ${view.columns} ${view.rows}`);
    const facts = shown.flatMap((id) => report.facts.filter((fact) => fact.id === id));
    const marks = facts.map(({ id, sides }) => ({
      id,
      area: sides.flatMap(({ area }) => area),
      arrows: sides.flatMap(({ arrows }) => arrows),
      squares: sides.flatMap(({ squares }) => squares),
    }));
    const placed = shown.filter((id) => !ARROWS.has(id));
    this.root.replaceChildren(
      ...marks.flatMap(({ id, area }) => area.map((square) => ring(view, id, square))),
      ...marks.flatMap(({ id, arrows }) => arrows.map((arrow) => pointer(view, id, arrow))),
      ...(shown.includes("attack_map") ? this.attackArrows(view, report.attack_map) : []),
      ...marks.flatMap(({ arrows }) => arrows.flatMap((arrow) => label(view, arrow))),
      ...marks.flatMap(({ id, squares }) => squares.map((mark) => this.pieceBadge(view, id, mark, placed.indexOf(id)))),
    );
  }

  /**
   * @param {View} view
   * @param {string} fact
   * @param {MarkedSquare} mark
   * @param {number} index
   */
  pieceBadge(view, fact, { square, value }, index) {
    const { column = 0, row = 0 } = view.byName.get(square) ?? {};
    const [x = 0, y = 0] = PLACES[index % PLACES.length] ?? [];
    const node = badge(fact, value === undefined ? undefined : String(value));
    node.setAttribute("transform", `translate(${column + 0.5 + x} ${row + 0.5 + y}) scale(${SIZE})`);
    node.dataset.square = square;
    node.dataset.fact = fact;
    return node;
  }

  /**
   * Draws arrows from the attackers and the defenders of the piece under the pointer.
   * @param {View} view
   * @param {AttackMap} map
   */
  attackArrows(view, map) {
    const to = this.pointed ?? "";
    const { attackers = [], defenders = [] } = map[to] ?? {};
    const line = (/** @type {string} */ from, /** @type {string} */ kind) => pointer(view, `attack_map ${kind}`, { from, to });
    return [...defenders.map((from) => line(from, "defends")), ...attackers.map((from) => line(from, "attacks"))];
  }
}

/**
 * Outlines a square that belongs to a fact.
 * @param {View} view
 * @param {string} fact
 * @param {string} square
 */
function ring(view, fact, square) {
  const { column = 0, row = 0 } = view.byName.get(square) ?? {};
  const box = { x: column + 0.05, y: row + 0.05, width: 0.9, height: 0.9, rx: 0.08 };
  return svg("rect", { class: `fact-area ${classOf(fact)}`, ...box, "data-square": square, "data-fact": fact });
}

/**
 * @param {View} view
 * @param {string} fact
 * @param {Arrow} arrow
 */
function pointer(view, fact, { from, to, value }) {
  const [id = fact] = fact.split(" ");
  const shape = arrowBetween(view, from, to, THIN.has(id) ? 0.4 : 0.8);
  const classes = `fact-arrow ${classOf(id)}${fact.slice(id.length)} ${verdict(value)}`;
  return svg("path", { class: classes, ...shape, "data-fact": id, "data-from": from, "data-to": to });
}

/** @param {number | undefined} value */
function verdict(value) {
  if (value === undefined) return "";
  return value > 0 ? "wins" : value < 0 ? "loses" : "even";
}

/**
 * Labels an arrow with what the capture wins.
 * @param {View} view
 * @param {Arrow} arrow
 * @returns {SVGElement | []}
 */
function label(view, { from, to, value }) {
  const [start, end] = [view.byName.get(from), view.byName.get(to)];
  if (!start || !end || value === undefined) return [];
  const [dx, dy] = [end.column - start.column, end.row - start.row];
  const share = Math.max(0.45, 1 - 0.62 / Math.hypot(dx, dy));
  const [x, y] = [start.column + 0.5 + dx * share, start.row + 0.5 + dy * share];
  const text = value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
  return svg(
    "g",
    { class: `fact-value ${verdict(value)}`, transform: `translate(${x} ${y})` },
    svg("rect", { x: -0.2, y: -0.14, width: 0.4, height: 0.28, rx: 0.14 }),
    svg("text", { x: 0, y: 0.075, "text-anchor": "middle" }, text),
  );
}
