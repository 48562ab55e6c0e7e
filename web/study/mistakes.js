// The mistakes of a line: the server analyzes one position after the other, and each move is graded by what it lost.

import { read, store } from "../app/preferences.js";
import { reasonOf } from "../app/connection.js";
import { say } from "../app/announcements.js";
import { scoreText } from "./evaluations.js";
import { notice } from "../ui/toast.js";

/** @import { Effort, Outlook } from "../app/requests.js" */
/** @import { Thoughts } from "./evaluations.js" */
/** @import { Node } from "./tree.js" */

/** The grade of a move that lost at least `least` percent of the winning chances. @typedef {{id: string, name: string, sign: string, least: number}} Grade */
/** @typedef {{grade: Grade, text: string}} Verdict */

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

export class Judge {
  /**
   * @param {Thoughts} thoughts
   * @param {() => void} changed
   */
  constructor(thoughts, changed) {
    this.thoughts = thoughts;
    this.changed = changed;
    this.on = read("study.mistakes") === "on";
    this.start = "";
    /** @type {Node[]} */
    this.line = [];
    /** The evaluations of the start and of the position after each move; null if unknown. @type {(Outlook | null)[]} */
    this.outlooks = [];
    /** @type {Map<Node, Verdict>} */
    this.verdicts = new Map();
    this.leaving = new AbortController();
    this.working = false;
  }

  toggle() {
    this.on = !this.on;
    store("study.mistakes", this.on ? "on" : null);
    say(`Mistakes ${this.on ? "on" : "off"}`);
    this.begin();
    this.changed();
  }

  /**
   * @param {string} key
   * @returns {boolean} whether the judge handled it
   */
  key(key) {
    if (key === KEY) this.toggle();
    return key === KEY;
  }

  /** How many positions are analyzed, and how many there are. */
  get progress() {
    return { known: this.outlooks.filter((outlook) => outlook !== null).length, all: this.line.length + 1 };
  }

  /**
   * Switches to a line, unless it is the current one.
   * @param {string} start
   * @param {Node[]} line
   */
  follow(start, line) {
    const same = start === this.start && line.length === this.line.length && line.every((node, index) => node === this.line[index]);
    if (same) return;
    [this.start, this.line] = [start, line];
    this.begin();
  }

  /** Analyzes the line from its start. */
  begin() {
    this.rest();
    this.outlooks = [this.start, ...this.line].map((_, ply) => (this.on ? this.thoughts.find(this.start, this.codes(ply), EFFORT) : null));
    this.judge();
    if (this.on && this.line.length > 0) this.work((this.leaving = new AbortController()).signal);
  }

  rest() {
    this.leaving.abort();
    this.working = false;
  }

  /** @param {AbortSignal} signal */
  async work(signal) {
    this.working = true;
    const asked = this.outlooks.includes(null);
    try {
      for (const [ply, known] of this.outlooks.entries()) {
        if (known) continue;
        const outlook = await this.thoughts.ask(this.start, this.codes(ply), EFFORT, signal);
        if (signal.aborted) return;
        this.outlooks[ply] = outlook;
        this.judge();
        this.changed();
      }
      if (asked) say(this.verdicts.size === 1 ? "1 mistake marked" : `${this.verdicts.size || "No"} mistakes marked`);
    } catch (error) {
      if (signal.aborted) return;
      notice(reasonOf(error));
    }
    this.working = false;
    this.changed();
  }

  /** @param {number} ply */
  codes(ply) {
    return this.line.slice(0, ply).map(({ code }) => code);
  }

  judge() {
    this.verdicts = new Map();
    for (const [ply, node] of this.line.entries()) {
      const verdict = verdictOf(node, this.outlooks[ply], this.outlooks[ply + 1]);
      if (verdict) this.verdicts.set(node, verdict);
    }
  }
}

/**
 * @param {Node} node a move
 * @param {Outlook | null} [before]
 * @param {Outlook | null} [after]
 * @returns {Verdict | null}
 */
function verdictOf({ code, seat, text }, before, after) {
  const best = before?.lines[0]?.moves[0];
  if (!before || !after || !best || best.code === code) return null;
  const lost = (seat === 0 ? before.share - after.share : after.share - before.share) / 10;
  const grade = GRADES.find(({ least }) => lost >= least);
  if (!grade) return null;
  const [was, is] = [before, after].map(({ score, share }) => scoreText(score, share));
  const told = `${grade.name}: ${text} loses ${Math.round(lost)}% winning chances (${was} to ${is}); best was ${best.text}`;
  return { grade, text: `${told} (${grade.name.toLowerCase()}: ${grade.least}% or more)` };
}
