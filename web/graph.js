// The graph of a line: White's side is above the middle, Black's below. What it draws is data: names and numbers.

import { el, svg, write } from "./dom.js";
import { read, store } from "./prefs.js";

/** @import { Series } from "./questions.js" */

/** The box of the drawing; it is stretched to its place. */
const [WIDTH, HEIGHT] = [1000, 100];
/** Some pawns fill half of the height, even if nobody has taken anything. */
const LEAST = 3;
const BASE = "material";

export class Graph {
  /**
   * @param {(ply: number) => void} seek
   */
  constructor(seek) {
    this.seek = seek;
    /** @type {Series[]} */
    this.series = [];
    /** What is drawn beside the material. */
    this.beside = read("study.graph") ?? "en_prise";
    this.ply = 0;
    /** The moves in words, by ply. @type {string[]} */
    this.words = [];
    this.drawing = svg("svg", { class: "graph-drawing", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.slider = el(
      "div",
      { class: "graph-area", role: "slider", tabindex: "0", "aria-label": "Position in the game", "aria-valuemin": "0" },
      this.drawing,
    );
    this.legend = el("p", { class: "graph-legend" });
    this.choice = el("select", { class: "graph-choice", "aria-label": "Also in the graph", change: () => this.choose(this.choice.value) });
    this.root = el(
      "section",
      { class: "graph", "aria-label": "Graph of the game" },
      this.slider,
      el("div", { class: "graph-foot" }, this.legend, this.choice),
    );
    this.slider.addEventListener("keydown", (event) => this.press(event));
    this.slider.addEventListener("pointerdown", (event) => {
      this.slider.setPointerCapture(event.pointerId);
      this.point(event);
    });
    this.slider.addEventListener("pointermove", (event) => event.buttons === 1 && this.point(event));
  }

  /** How many moves the line has. */
  get length() {
    return this.words.length - 1;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.seek(Math.min(Math.max(this.ply + step, 0), this.length));
  }

  /** @param {PointerEvent} event */
  point(event) {
    const { left, width } = this.slider.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
    const ply = Math.round(share * this.length);
    if (ply !== this.ply) this.seek(ply);
  }

  /** @param {string} id */
  choose(id) {
    this.beside = id;
    store("study.graph", id);
    this.draw();
  }

  /**
   * @param {Series[]} series of the line, as far as they are known
   * @param {string[]} words the start and every move in words
   * @param {number} ply
   */
  show(series, words, ply) {
    const fresh = series !== this.series;
    [this.series, this.words, this.ply] = [series, words, ply];
    if (fresh) this.offer();
    this.draw();
  }

  offer() {
    const others = this.series.filter(({ id }) => id !== BASE);
    const options = [{ id: "", name: "Material only" }, ...others.map(({ id, name }) => ({ id, name: `and ${name.toLowerCase()}` }))];
    this.choice.replaceChildren(...options.map(({ id, name }) => el("option", { value: id, selected: id === this.beside }, name)));
  }

  draw() {
    const { length, ply } = this;
    this.root.classList.toggle("empty", length === 0);
    const base = this.series.find(({ id }) => id === BASE);
    const beside = this.series.find(({ id }) => id === this.beside && id !== BASE);
    const at = this.x(ply);
    this.drawing.replaceChildren(
      ...(base && length > 0 ? this.area(base) : []),
      svg("line", { class: "graph-middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      ...(beside && length > 0 ? this.lines(beside) : []),
      svg("line", { class: "graph-now", x1: at, x2: at, y1: 0, y2: HEIGHT }),
    );
    const values = [base, beside].flatMap((series) => (series ? [this.valueText(series)] : []));
    write(this.legend, length === 0 ? "The graph of the game comes with its moves." : values.join(" · "));
    this.slider.setAttribute("aria-valuemax", String(length));
    this.slider.setAttribute("aria-valuenow", String(ply));
    this.slider.setAttribute("aria-valuetext", [this.words[ply] ?? "", ...values].join(", "));
  }

  /** @param {number} ply */
  x(ply) {
    return this.length === 0 ? 0 : (ply / this.length) * WIDTH;
  }

  /**
   * What the series says where one is.
   * @param {Series} series
   */
  valueText({ name, lines }) {
    const values = lines.map(({ values }) => values[this.ply] ?? 0);
    const [only = 0, ...more] = values;
    if (more.length > 0) return `${name} ${values.join(" : ")}`;
    return `${name} ${only > 0 ? `+${only}` : only < 0 ? `−${-only}` : "even"}`;
  }

  /**
   * A lead as an area: White's above, Black's below.
   * @param {Series} series
   */
  area({ id, lines: [line] }) {
    const values = line?.values ?? [];
    const most = Math.max(LEAST, ...values.map(Math.abs));
    const y = (/** @type {number} */ value) => HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 4);
    const edge = steps(values.map((value, ply) => [this.x(ply), y(value)]));
    const whole = `${edge}H${WIDTH}V${HEIGHT / 2}H0Z`;
    const half = (/** @type {string} */ side, /** @type {number} */ top) =>
      svg("svg", { x: 0, y: top, width: WIDTH, height: HEIGHT / 2, viewBox: `0 ${top} ${WIDTH} ${HEIGHT / 2}`, preserveAspectRatio: "none" },
        svg("path", { class: `graph-lead ${side}`, d: whole }));
    return [half("white", 0), half("black", HEIGHT / 2), svg("path", { class: `graph-edge series-${id}`, d: edge })];
  }

  /**
   * A lead as a line, or two sides' numbers as lines away from the middle.
   * @param {Series} series
   */
  lines({ id, lines }) {
    const most = Math.max(LEAST, ...lines.flatMap(({ values }) => values.map(Math.abs)));
    const both = lines.length > 1;
    return lines.map(({ name, values }, index) => {
      const sign = both && index === 1 ? -1 : 1;
      const y = (/** @type {number} */ value) => HEIGHT / 2 - ((sign * value) / most) * (HEIGHT / 2 - 4);
      const edge = steps(values.map((value, ply) => [this.x(ply), y(value)]));
      const d = both ? `${edge}H${WIDTH}V${HEIGHT / 2}H0Z` : edge;
      return svg("path", { class: `graph-line series-${id}${both ? " filled" : ""}`, d, "data-name": name });
    });
  }
}

/**
 * A number changes with a move, not between two.
 * @param {[number, number][]} points
 */
function steps(points) {
  return points.map(([x, y], index) => (index === 0 ? `M${x} ${y}` : `H${x}V${y}`)).join("");
}
