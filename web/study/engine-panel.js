// The engine next to the board: an evaluation bar, and the best lines, whose moves can be played.

import { say } from "../app/announcements.js";
import { reasonOf } from "../app/connection.js";
import { read, store } from "../app/preferences.js";
import { pause } from "../app/requests.js";
import { button, el, setText, switchButton } from "../ui/dom.js";
import { isFinished, percent, scoreText, scoreWords } from "./evaluations.js";

/** @import { Edge, Move } from "../app/protocol.js" */
/** @import { Evaluation, PrincipalVariation } from "../app/requests.js" */
/** @import { EvaluationCache } from "./evaluations.js" */

/** How many nodes are searched: a quick answer first, then a good one, then deeper ones. The last is repeated, because the server continues it. */
const NODES = [30_000, 400_000, 2_000_000, 8_000_000, 32_000_000];
/** The answer that is announced to screen readers. */
const GOOD = 400_000;
const MAX_LINES = 5;
const DEFAULT_LINES = 3;
/** Milliseconds before the server is asked: a held key passes through many positions. */
const DELAY = 120;
const KEY = "v";

/**
 * The engine's callbacks.
 * @typedef {object} Callbacks
 * @property {(moves: Move[]) => void} play adds moves to the tree
 * @property {(move: Move | null) => void} point shows a move on the board, or none
 * @property {() => void} changed called when the engine is switched on or off
 */

/** Returns how many lines this browser shows. */
function savedCount() {
  const saved = Number(read("study.lines"));
  return saved >= 1 && saved <= MAX_LINES ? Math.floor(saved) : DEFAULT_LINES;
}

export class EnginePanel {
  /**
   * @param {EvaluationCache} cache
   * @param {Callbacks} callbacks
   */
  constructor(cache, callbacks) {
    this.cache = cache;
    this.callbacks = callbacks;
    this.on = read("study.engine") !== "off";
    /** The position that is analyzed. @type {{start: string, moves: string[]} | null} */
    this.position = null;
    this.wanted = "";
    /** @type {Evaluation | null} */
    this.evaluation = null;
    /** Whether `evaluation` is of this position: the bar keeps the previous one until a new one arrives. */
    this.fresh = false;
    /** Whether a better answer will follow. */
    this.working = false;
    this.error = "";
    /** Whether the search of this position was stopped. */
    this.stopped = false;
    this.count = savedCount();
    this.abort = new AbortController();
    this.score = el("span", { class: "bar-score", "aria-hidden": "true" });
    this.white = el("div", { class: "bar-white" });
    this.bar = el("div", { class: "bar", role: "img", "aria-label": "Evaluation" }, this.white, this.score);
    this.switch = switchButton("Engine", KEY, "Evaluation and best lines", () => this.toggle());
    this.about = el("span", { class: "engine-about" });
    this.stopping = button("Stop", () => this.toggleSearch(), "button small engine-stop");
    const counts = Array.from({ length: MAX_LINES }, (_, index) => String(index + 1));
    this.chooser = el(
      "select",
      { class: "graph-choice engine-count", "aria-label": "Number of lines", title: "Number of lines", change: () => this.setCount(Number(this.chooser.value)) },
      ...counts.map((count) => el("option", { value: count, selected: Number(count) === this.count }, count)),
    );
    this.lines = el("ol", { class: "lines", "aria-label": "Best lines", pointerleave: () => callbacks.point(null) });
    this.root = el("section", { class: "engine", "aria-label": "Engine" }, el("div", { class: "engine-head" }, this.switch, this.about, this.stopping, this.chooser), this.lines);
    this.draw();
  }

  toggle() {
    this.on = !this.on;
    store("study.engine", this.on ? null : "off");
    say(`Engine ${this.on ? "on" : "off"}`);
    this.wanted = "";
    if (!this.on) this.stop();
    this.callbacks.point(null);
    this.draw();
    this.callbacks.changed();
  }

  /** Stops the search, or continues it. */
  toggleSearch() {
    const { position } = this;
    if (!position) return;
    this.stopped = !this.stopped;
    this.abort.abort();
    this.draw();
    if (!this.stopped) this.start(position.start, position.moves);
  }

  /** @param {number} count how many lines to show */
  setCount(count) {
    this.count = count;
    store("study.lines", String(count));
    const { position } = this;
    this.abort.abort();
    this.stopped = false;
    if (position) this.start(position.start, position.moves);
    this.draw();
  }

  /**
   * @param {string} key
   * @returns {boolean} whether the engine handled it
   */
  key(key) {
    if (key === KEY) this.toggle();
    return key === KEY;
  }

  /** Stops the analysis. */
  stop() {
    this.abort.abort();
    this.wanted = "";
  }

  /**
   * Analyzes the position after moves from a start, unless it is the current one.
   * @param {string} start
   * @param {string[]} moves
   * @param {Edge} bottom
   */
  show(start, moves, bottom) {
    this.bar.classList.toggle("turned", bottom === "top");
    const wanted = [start, ...moves].join(" ");
    if (!this.on || wanted === this.wanted) return;
    this.stop();
    this.wanted = wanted;
    this.position = { start, moves };
    this.stopped = false;
    this.callbacks.point(null);
    this.start(start, moves);
  }

  /**
   * @param {string} start
   * @param {string[]} moves
   */
  start(start, moves) {
    this.abort = new AbortController();
    this.analyze(start, moves, this.abort.signal);
  }

  /**
   * @param {string} start
   * @param {string[]} moves
   * @param {AbortSignal} signal
   */
  async analyze(start, moves, signal) {
    const lines = this.count;
    const known = NODES.findLastIndex((nodes) => this.cache.find(start, moves, { nodes, lines }));
    const before = this.cache.find(start, moves, { nodes: NODES[known] ?? 0, lines });
    const finished = before !== null && isFinished(before, NODES[known] ?? 0);
    this.setEvaluation(before, !finished);
    if (finished) return;
    await pause(DELAY);
    try {
      for (let step = known + 1; !signal.aborted; step += 1) {
        const nodes = NODES[Math.min(step, NODES.length - 1)] ?? 0;
        const effort = { nodes, lines };
        const evaluation = await (step < NODES.length ? this.cache.request(start, moves, effort, signal) : this.cache.continue(start, moves, effort, signal));
        if (signal.aborted) return;
        const done = isFinished(evaluation, nodes);
        this.setEvaluation(evaluation, !done);
        const [line] = evaluation.lines;
        if (line && nodes === GOOD) say(`${scoreWords(evaluation.score, evaluation.winning_chances)}, best ${line.moves[0]?.text}`);
        if (done) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.error = reasonOf(error);
      this.draw();
    }
  }

  /**
   * @param {Evaluation | null} evaluation of this position
   * @param {boolean} working whether a better one will follow
   */
  setEvaluation(evaluation, working) {
    this.working = working;
    this.evaluation = evaluation ?? this.evaluation;
    this.fresh = evaluation !== null;
    this.error = "";
    this.draw();
  }

  draw() {
    const { on, evaluation, fresh } = this;
    this.root.classList.toggle("off", !on);
    this.bar.hidden = !on;
    this.switch.setAttribute("aria-pressed", String(on));
    this.lines.hidden = !on;
    const searching = this.working && !this.error;
    this.stopping.hidden = !on || !searching;
    this.chooser.hidden = !on;
    setText(this.stopping, this.stopped ? "Continue" : "Stop");
    this.stopping.setAttribute("aria-label", this.stopped ? "Continue the search" : "Stop the search");
    if (!on) return setText(this.about, "");
    setText(this.about, this.error || (!fresh ? "thinking…" : evaluation?.lines.length ? `depth ${evaluation.depth}${this.working && !this.stopped ? "…" : ""}` : "game over"));
    this.about.title = fresh && evaluation ? `${evaluation.nodes} positions searched` : "";
    if (evaluation) this.drawBar(evaluation);
    if (!fresh) setText(this.score, "…"); // The bar still shows the previous position.
    const lines = fresh ? (evaluation?.lines ?? []) : [];
    const rows = lines.map((line) => this.line(line));
    while (rows.length < this.count) rows.push(el("li", { class: "line", "aria-hidden": "true" }));
    return this.lines.replaceChildren(...rows);
  }

  /** @param {Evaluation} evaluation */
  drawBar({ score, winning_chances: chances, depth }) {
    const text = scoreText(score, chances);
    const words = `${scoreWords(score, chances)}; White's winning chances: ${percent(chances)}`;
    this.bar.style.setProperty("--share", `${chances / 10}%`);
    this.bar.classList.toggle("black-leads", chances < 500);
    this.bar.setAttribute("aria-label", `Evaluation: ${words}`);
    this.bar.title = `${words} (depth ${depth})`;
    setText(this.score, text.replace(/^[+−]/, ""));
  }

  /** @param {PrincipalVariation} line */
  line({ score, winning_chances: chances, moves }) {
    const side = chances >= 500 ? "white" : "black";
    const chip = el("span", { class: `line-score ${side}`, title: `White's winning chances: ${percent(chances)}` }, scoreText(score, chances));
    const steps = moves.flatMap((move, index) => {
      const { number, seat, text } = move;
      const numbered = seat === 0 || index === 0 ? [el("span", { class: "number", "aria-hidden": "true" }, `${number}${seat === 0 ? "." : "…"}`)] : [];
      const play = () => this.callbacks.play(moves.slice(0, index + 1));
      return [...numbered, el("button", { type: "button", class: "move", "aria-label": `Play to ${number}, ${text}`, click: play }, text)];
    });
    const point = () => this.callbacks.point(moves[0] ?? null);
    const forget = () => this.callbacks.point(null);
    return el("li", { class: "line", pointerenter: point, focusin: point, focusout: forget }, chip, el("span", { class: "line-moves" }, ...steps));
  }
}
