// The graph of a line, with White's lead above the middle and Black's below. Its series are just names and numbers.

import { read, store } from "../app/preferences.js";
import { el, setText, svg, switchButton } from "../ui/dom.js";
import { percent, scoreText } from "./evaluations.js";
import { LEGEND } from "./mistakes.js";

/** @import { Series } from "../app/requests.js" */
/** @import { LineAnalyzer, Summary } from "./mistakes.js" */

/** The box of the drawing, which is stretched to fit. */
const [WIDTH, HEIGHT] = [1000, 100];
/** Half of the height stands for at least this many pawns. */
const MIN_RANGE = 3;
const BASE = "material";
/** White's winning chances relative to 50%, in thousandths; they have their own scale. */
const EVALUATION = "evaluation";
const HALF = 500;

/**
 * @param {Summary} summary
 * @returns {string} `93% accuracy, 1 blunder, 2 mistakes, 0 inaccuracies`
 */
export function summaryText({ accuracy, counts }) {
  const words = counts.map(({ grade: { name }, count }) => `${count} ${count === 1 ? name.toLowerCase() : name.toLowerCase().replace(/y$/, "ie") + "s"}`);
  return [`${Math.round(accuracy)}% accuracy`, ...words].join(", ");
}

export class Graph {
  /**
   * @param {(ply: number) => void} seek
   * @param {LineAnalyzer} analyzer
   */
  constructor(seek, analyzer) {
    this.seek = seek;
    this.analyzer = analyzer;
    /** @type {Series[]} */
    this.series = [];
    this.ply = 0;
    /** The series that is drawn as an area. */
    this.base = BASE;
    /** The start and the moves as text, by ply. @type {string[]} */
    this.moveTexts = [];
    this.drawing = svg("svg", { class: "graph-drawing", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.slider = el(
      "div",
      { class: "graph-area", role: "slider", tabindex: "0", "aria-label": "Position in the game", "aria-valuemin": "0" },
      this.drawing,
    );
    this.legend = el("p", { class: "graph-legend" });
    this.marks = el("div", { class: "graph-marks" });
    this.progress = el("progress", { class: "graph-progress", "aria-label": "Analyzed positions" });
    const meaning = `Evaluation after each move, with mistakes marked by lost winning chances: ${LEGEND}`;
    this.mistakes = switchButton("Mistakes", "j", meaning, () => analyzer.toggle());
    this.choice = el("select", { class: "graph-choice", "aria-label": "Second series", change: () => this.choose(this.choice.value) });
    this.accuracy = el("div", { class: "graph-accuracy", role: "group", "aria-label": "Accuracy", hidden: true });
    this.root = el(
      "section",
      { class: "graph", "aria-label": "Graph of the game" },
      el("div", { class: "graph-box" }, this.slider, this.marks, this.progress),
      el("div", { class: "graph-foot" }, this.legend, this.mistakes, this.choice),
      this.accuracy,
    );
    this.slider.addEventListener("keydown", (event) => this.press(event));
    this.slider.addEventListener("pointerdown", (event) => {
      this.slider.setPointerCapture(event.pointerId);
      this.point(event);
    });
    this.slider.addEventListener("pointermove", (event) => event.buttons === 1 && this.point(event));
  }

  /** The number of moves in the line. */
  get length() {
    return this.moveTexts.length - 1;
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

  /** The series that is drawn over the area; remembered separately for material and evaluation. */
  get secondSeries() {
    return read(this.slot) ?? (this.base === BASE ? "en_prise" : "");
  }

  get slot() {
    return this.base === BASE ? "study.graph" : `study.graph.${this.base}`;
  }

  /** @param {string} id */
  choose(id) {
    store(this.slot, id);
    this.draw();
  }

  /**
   * @param {Series[]} series of the line, as far as known
   * @param {string[]} words the start and every move as text
   * @param {number} ply
   */
  show(series, words, ply) {
    const fresh = series !== this.series || this.base !== (this.analyzer.on ? EVALUATION : BASE);
    [this.series, this.moveTexts, this.ply] = [series, words, ply];
    this.base = this.analyzer.on ? EVALUATION : BASE;
    if (fresh) this.offer();
    this.draw();
  }

  offer() {
    const others = this.series.filter(({ id }) => id !== this.base);
    const options = [{ id: "", name: this.analyzer.on ? "Evaluation only" : "Material only" }, ...others.map(({ id, name }) => ({ id, name: `plus ${name.toLowerCase()}` }))];
    this.choice.replaceChildren(...options.map(({ id, name }) => el("option", { value: id, selected: id === this.secondSeries }, name)));
  }

  /** Shows the accuracy and the mistakes of both sides. */
  drawAccuracy() {
    const lines = this.analyzer.on ? this.analyzer.summaries() : [null, null];
    const texts = lines.flatMap((summary, seat) => (summary ? [`${["White", "Black"][seat]}: ${summaryText(summary)}`] : []));
    this.accuracy.hidden = texts.length === 0;
    if (texts.join() === [...this.accuracy.children].map((child) => child.textContent).join()) return;
    this.accuracy.replaceChildren(...texts.map((text) => el("p", {}, text)));
  }

  draw() {
    const { length, ply } = this;
    this.drawAccuracy();
    this.root.classList.toggle("empty", length === 0);
    const base = this.analyzer.on ? this.evaluation() : this.series.find(({ id }) => id === BASE);
    const beside = this.series.find(({ id }) => id === this.secondSeries && id !== this.base);
    const at = this.x(ply);
    this.drawing.replaceChildren(
      ...(base && length > 0 ? this.area(base) : []),
      svg("line", { class: "graph-middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      ...(beside && length > 0 ? this.lines(beside) : []),
      svg("line", { class: "graph-now", x1: at, x2: at, y1: 0, y2: HEIGHT }),
    );
    const values = [base, beside].flatMap((series) => (series ? [this.valueText(series)] : []));
    setText(this.legend, length === 0 ? "The graph appears once there are moves." : values.join(" · "));
    this.drawMarks();
    this.slider.setAttribute("aria-valuemax", String(length));
    this.slider.setAttribute("aria-valuenow", String(ply));
    this.slider.setAttribute("aria-valuetext", [this.moveTexts[ply] ?? "", ...values].join(", "));
  }

  /** Returns White's winning chances after each move, up to the first unknown one. @returns {Series} */
  evaluation() {
    const { evaluations } = this.analyzer;
    const known = evaluations.slice(0, evaluations.includes(null) ? evaluations.indexOf(null) : evaluations.length);
    return { id: EVALUATION, name: "Evaluation", lines: [{ name: "White's winning chances", values: known.map((evaluation) => (evaluation?.winning_chances ?? HALF) - HALF) }] };
  }

  /** Marks the mistakes on the curve. */
  drawMarks() {
    const { on, working, line, evaluations, verdicts, progress } = this.analyzer;
    this.mistakes.setAttribute("aria-pressed", String(on));
    this.progress.hidden = !on || !working;
    [this.progress.max, this.progress.value] = [progress.all, progress.known];
    const marks = line.flatMap((node, index) => {
      const [verdict, evaluation] = [verdicts.get(node), evaluations[index + 1]];
      if (!verdict || !evaluation) return [];
      const words = `${this.moveTexts[index + 1]}${verdict.grade.sign}`;
      const mark = el(
        "button",
        { type: "button", class: `graph-mark ${verdict.grade.id}`, tabindex: "-1", "aria-label": `${words}: ${verdict.grade.name}`, title: verdict.text, "data-ply": index + 1, click: () => this.seek(index + 1) },
        verdict.grade.sign,
      );
      mark.style.left = `${this.x(index + 1) / 10}%`;
      mark.style.top = `${this.y(evaluation.winning_chances - HALF, HALF)}%`;
      return [mark];
    });
    this.marks.replaceChildren(...marks);
  }

  /**
   * Returns how far down a value is drawn if `most` fills half of the height.
   * @param {number} value
   * @param {number} most
   */
  y(value, most) {
    return HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 4);
  }

  /** @param {number} ply */
  x(ply) {
    return this.length === 0 ? 0 : (ply / this.length) * WIDTH;
  }

  /**
   * Returns the current value of a series as text.
   * @param {Series} series
   */
  valueText({ id, name, lines }) {
    if (id === EVALUATION) return this.evaluationText();
    const values = lines.map(({ values }) => values[this.ply] ?? 0);
    const [only = 0, ...more] = values;
    if (more.length > 0) return `${name} ${values.join(" : ")}`;
    return `${name} ${only > 0 ? `+${only}` : only < 0 ? `−${-only}` : "even"}`;
  }

  /** Returns the current evaluation as text, with the progress of the analysis. */
  evaluationText() {
    const { evaluations, progress, working } = this.analyzer;
    const evaluation = evaluations[this.ply];
    const judged = working ? ` · ${progress.known} of ${progress.all} positions analyzed` : "";
    if (!evaluation) return `Evaluation${judged}`;
    return `Evaluation ${scoreText(evaluation.score, evaluation.winning_chances)}, White ${percent(evaluation.winning_chances)}${judged}`;
  }

  /**
   * Draws a lead as an area: White's above, Black's below.
   * @param {Series} series
   */
  area({ id, lines: [line] }) {
    const values = line?.values ?? [];
    if (values.length === 0) return [];
    const most = id === EVALUATION ? HALF : Math.max(MIN_RANGE, ...values.map(Math.abs));
    const points = values.map((value, ply) => /** @type {[number, number]} */ ([this.x(ply), this.y(value, most)]));
    const edge = id === EVALUATION ? slopes(points) : steps(points);
    const whole = `${edge}H${this.x(values.length - 1)}V${HEIGHT / 2}H0Z`;
    const half = (/** @type {string} */ side, /** @type {number} */ top) =>
      svg("svg", { x: 0, y: top, width: WIDTH, height: HEIGHT / 2, viewBox: `0 ${top} ${WIDTH} ${HEIGHT / 2}`, preserveAspectRatio: "none" },
        svg("path", { class: `graph-lead ${side}`, d: whole }));
    return [half("white", 0), half("black", HEIGHT / 2), svg("path", { class: `graph-edge series-${id}`, d: edge })];
  }

  /**
   * Draws a lead as a line, or both sides' numbers as areas above and below the middle.
   * @param {Series} series
   */
  lines({ id, lines }) {
    const most = Math.max(MIN_RANGE, ...lines.flatMap(({ values }) => values.map(Math.abs)));
    const both = lines.length > 1;
    return lines.map(({ name, values }, index) => {
      const sign = both && index === 1 ? -1 : 1;
      const edge = steps(values.map((value, ply) => [this.x(ply), this.y(sign * value, most)]));
      const d = both ? `${edge}H${WIDTH}V${HEIGHT / 2}H0Z` : edge;
      return svg("path", { class: `graph-line series-${id}${both ? " filled" : ""}`, d, "data-name": name });
    });
  }
}

/**
 * Connects points with steps: a count changes with a move, not between two.
 * @param {[number, number][]} points
 */
function steps(points) {
  return points.map(([x, y], index) => (index === 0 ? `M${x} ${y}` : `H${x}V${y}`)).join("");
}

/**
 * Connects points with straight lines.
 * @param {[number, number][]} points
 */
function slopes(points) {
  return points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
}
