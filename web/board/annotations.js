// Arrows and circles that the user draws on the board.

import { svg } from "../ui/dom.js";

/** @import { View } from "./geometry.js" */

/** @typedef {"green" | "red" | "blue" | "amber"} StrokeColor */
/** @typedef {{from: string, to: string, color: StrokeColor}} Stroke */

/** How far from the center of its first square an arrow starts, in squares. */
const START = 0.28;
/** How far before the center of its last square it ends. */
const END = 0.1;
const SHAFT = 0.085;
const HEAD = 0.4;
const BARB = 0.25;

export class Annotations {
  constructor() {
    this.root = svg("svg", { class: "annotations", "aria-hidden": "true" });
    /** @type {Stroke[]} */
    this.strokes = [];
    /** Strokes that came with the position; the user's are drawn over them. @type {Stroke[]} */
    this.given = [];
    /** @type {Stroke | null} */
    this.previewed = null;
    /** A suggested move: a hint, or the engine's. @type {{from: string, to: string} | null} */
    this.suggested = null;
    /** @type {View | null} */
    this.view = null;
  }

  /** @param {View} view */
  setView(view) {
    this.view = view;
    this.root.setAttribute("viewBox", `0 0 ${view.columns} ${view.rows}`);
    this.draw();
  }

  /**
   * Shows a stroke while it is being drawn.
   * @param {Stroke | null} stroke
   */
  preview(stroke) {
    this.previewed = stroke;
    this.draw();
  }

  /**
   * Adds a stroke; drawing it again removes it, in another color replaces it.
   * @param {Stroke} stroke
   */
  toggle(stroke) {
    const same = this.strokes.find(({ from, to }) => from === stroke.from && to === stroke.to);
    this.strokes = this.strokes.filter((other) => other !== same);
    if (same?.color !== stroke.color) this.strokes.push(stroke);
    this.previewed = null;
    this.draw();
  }

  /**
   * Shows a suggested move below the user's strokes.
   * @param {{from: string, to: string} | null} move
   */
  suggest(move) {
    if (move?.from === this.suggested?.from && move?.to === this.suggested?.to) return;
    this.suggested = move && { from: move.from, to: move.to };
    this.draw();
  }

  /**
   * Shows strokes that came with the position.
   * @param {Stroke[]} strokes
   */
  give(strokes) {
    if (strokes.length === 0 && this.given.length === 0) return;
    this.given = strokes;
    this.draw();
  }

  clear() {
    if (this.strokes.length === 0 && !this.previewed) return;
    this.strokes = [];
    this.previewed = null;
    this.draw();
  }

  draw() {
    const strokes = [...this.given, ...this.strokes, ...(this.previewed ? [this.previewed] : [])];
    this.root.replaceChildren(...this.suggestion(), ...strokes.flatMap((stroke) => this.shape(stroke)));
  }

  /** @returns {SVGElement[]} */
  suggestion() {
    const { view, suggested } = this;
    const arrow = view && suggested && arrowBetween(view, suggested.from, suggested.to, 1.25);
    return arrow ? [svg("path", { class: "arrow suggested", ...arrow, "data-from": suggested.from, "data-to": suggested.to })] : [];
  }

  /**
   * @param {Stroke} stroke
   * @returns {SVGElement[]}
   */
  shape({ from, to, color }) {
    if (!this.view) return [];
    const start = this.view.byName.get(from);
    if (start && from === to) return [svg("circle", { class: `circle ${color}`, cx: start.column + 0.5, cy: start.row + 0.5, r: 0.44 })];
    const arrow = arrowBetween(this.view, from, to);
    return arrow ? [svg("path", { class: `arrow ${color}`, ...arrow })] : [];
  }
}

/**
 * Returns the outline of an arrow from one square to another, and its transform.
 * @param {View} view
 * @param {string} from
 * @param {string} to
 * @param {number} [scale] its thickness relative to the default
 * @returns {{d: string, transform: string} | null}
 */
export function arrowBetween(view, from, to, scale = 1) {
  const [start, end] = [view.byName.get(from), view.byName.get(to)];
  if (!start || !end || from === to) return null;
  const [dx, dy] = [end.column - start.column, end.row - start.row];
  const length = Math.hypot(dx, dy) - END;
  const degrees = (Math.atan2(dy, dx) * 180) / Math.PI;
  const [shaft, barb, neck] = [SHAFT * scale, BARB * scale, length - HEAD * scale];
  const d = `M${START} ${-shaft}H${neck}V${-barb}L${length} 0L${neck} ${barb}V${shaft}H${START}Z`;
  return { d, transform: `translate(${start.column + 0.5} ${start.row + 0.5}) rotate(${degrees})` };
}
