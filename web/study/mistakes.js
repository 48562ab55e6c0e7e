// The mistakes of a line: the server analyzes one position after the other, and each move is graded by what it lost.

import { say } from "../app/announcements.js";
import { read, store } from "../app/preferences.js";
import { showError } from "../ui/toast.js";
import { scoreText } from "./evaluations.js";

/** @import { Effort, Evaluation } from "../app/requests.js" */
/** @import { EvaluationCache } from "./evaluations.js" */
/** @import { Node } from "./tree.js" */

/** The grade of a move that lost at least `least` percent of the winning chances. @typedef {{id: string, name: string, sign: string, least: number}} Grade */
/** @typedef {{grade: Grade, text: string}} Verdict */
/** The moves of one side: `accuracy` is 100 if no move lost anything. @typedef {{accuracy: number, counts: {grade: Grade, count: number}[]}} Summary */

/** Worst first; docs/arena/study.md has the same numbers. @type {Grade[]} */
const GRADES = [
  { id: "blunder", name: "Blunder", sign: "??", least: 20 },
  { id: "mistake", name: "Mistake", sign: "?", least: 10 },
  { id: "inaccuracy", name: "Inaccuracy", sign: "?!", least: 5 },
];
/** For one position of a line. @type {Effort} */
const EFFORT = { nodes: 120_000, lines: 1 };
const KEY = "j";

/** What the signs mean, in lost winning chances. */
export const LEGEND = GRADES.map(({ name, sign, least }) => `${sign} ${name.toLowerCase()}: ${least}% or more`).join(", ");

export class LineAnalyzer {
  /**
   * @param {EvaluationCache} cache
   * @param {() => void} changed
   */
  constructor(cache, changed) {
    this.cache = cache;
    this.changed = changed;
    this.on = read("study.mistakes") === "on";
    this.start = "";
    /** @type {Node[]} */
    this.line = [];
    /** The evaluations of the start and of the position after each move; null if unknown. @type {(Evaluation | null)[]} */
    this.evaluations = [];
    /** @type {Map<Node, Verdict>} */
    this.verdicts = new Map();
    this.abort = new AbortController();
    this.working = false;
  }

  toggle() {
    this.on = !this.on;
    store("study.mistakes", this.on ? "on" : null);
    say(`Mistakes ${this.on ? "on" : "off"}`);
    this.restart();
    this.changed();
  }

  /**
   * @param {string} key
   * @returns {boolean} whether it was handled
   */
  key(key) {
    if (key === KEY) this.toggle();
    return key === KEY;
  }

  /** How many positions are analyzed, and how many there are. */
  get progress() {
    return { known: this.evaluations.filter((evaluation) => evaluation !== null).length, all: this.line.length + 1 };
  }

  /**
   * Switches to a line, unless it is the current one.
   * @param {string} start
   * @param {Node[]} line
   */
  setLine(start, line) {
    const same = start === this.start && line.length === this.line.length && line.every((node, index) => node === this.line[index]);
    if (same) return;
    [this.start, this.line] = [start, line];
    this.restart();
  }

  /** Analyzes the line from its start. */
  restart() {
    this.stop();
    this.evaluations = [this.start, ...this.line].map((_, ply) => (this.on ? this.cache.find(this.start, this.codes(ply), EFFORT) : null));
    this.grade();
    if (this.on && this.line.length > 0) this.work((this.abort = new AbortController()).signal);
  }

  stop() {
    this.abort.abort();
    this.working = false;
  }

  /** @param {AbortSignal} signal */
  async work(signal) {
    this.working = true;
    const asked = this.evaluations.includes(null);
    try {
      for (const [ply, known] of this.evaluations.entries()) {
        if (known) continue;
        const evaluation = await this.cache.request(this.start, this.codes(ply), EFFORT, signal);
        if (signal.aborted) return;
        this.evaluations[ply] = evaluation;
        this.grade();
        this.changed();
      }
      if (asked) say(this.verdicts.size === 1 ? "1 mistake marked" : `${this.verdicts.size || "No"} mistakes marked`);
    } catch (error) {
      if (signal.aborted) return;
      showError(error);
    }
    this.working = false;
    this.changed();
  }

  /** @param {number} ply */
  codes(ply) {
    return this.line.slice(0, ply).map(({ code }) => code);
  }

  /**
   * Returns the accuracy and the number of mistakes of each side, by seat; null until all its moves are analyzed.
   * @returns {[Summary | null, Summary | null]}
   */
  summaries() {
    return [this.summary(0), this.summary(1)];
  }

  /** @param {number} seat */
  summary(seat) {
    const moves = this.line.map((node, ply) => ({ node, ply })).filter(({ node }) => node.seat === seat);
    const losses = moves.map(({ node, ply }) => loss(node, this.evaluations[ply], this.evaluations[ply + 1]));
    if (losses.length === 0 || losses.includes(null)) return null;
    const accuracy = losses.reduce((/** @type {number} */ sum, lost) => sum + accuracyOf(lost ?? 0), 0) / losses.length;
    const counts = GRADES.map((grade) => ({ grade, count: moves.filter(({ node }) => this.verdicts.get(node)?.grade === grade).length }));
    return { accuracy, counts };
  }

  grade() {
    this.verdicts = new Map();
    for (const [ply, node] of this.line.entries()) {
      const verdict = verdictOf(node, this.evaluations[ply], this.evaluations[ply + 1]);
      if (verdict) this.verdicts.set(node, verdict);
    }
  }
}

/**
 * Returns how much of the winning chances a move lost, in percent; nothing if it was the engine's choice. Null if unknown.
 * @param {Pick<Node, "code" | "seat">} move
 * @param {Evaluation | null} [before]
 * @param {Evaluation | null} [after]
 */
function loss({ code, seat }, before, after) {
  if (!before || !after) return null;
  if (before.lines[0]?.moves[0]?.code === code) return 0;
  const lost = (before.winning_chances - after.winning_chances) / 10;
  return Math.max(0, seat === 0 ? lost : -lost);
}

/**
 * Returns the accuracy of a move that lost so much of the winning chances: 100 for nothing, 64 for 10%, 40 for 20%, falling to 0.
 * @param {number} lost in percent
 */
export function accuracyOf(lost) {
  return Math.min(100, Math.max(0, 103.2 * Math.exp(-0.0435 * lost) - 3.2));
}

/**
 * @param {Node} node a move
 * @param {Evaluation | null} [before]
 * @param {Evaluation | null} [after]
 * @returns {Verdict | null}
 */
function verdictOf({ code, seat, text }, before, after) {
  const best = before?.lines[0]?.moves[0];
  if (!before || !after || !best || best.code === code) return null;
  const lost = loss({ code, seat }, before, after) ?? 0;
  const grade = GRADES.find(({ least }) => lost >= least);
  if (!grade) return null;
  const [was, is] = [before, after].map(({ score, winning_chances }) => scoreText(score, winning_chances));
  const words = `${grade.name}: ${text} lowers the winning chances by ${Math.round(lost)}% (${was} to ${is}); best was ${best.text}`;
  return { grade, text: `${words} (${grade.name.toLowerCase()}: ${grade.least}% or more)` };
}
