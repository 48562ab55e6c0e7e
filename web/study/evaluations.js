// Caches the server's evaluations of positions, and formats them.

import { analyze } from "../app/requests.js";

/** @import { Effort, Evaluation, Score } from "../app/requests.js" */

/** How many are cached. */
const CAPACITY = 4000;

export class EvaluationCache {
  constructor() {
    /** By position and effort. @type {Map<string, Evaluation>} */
    this.cached = new Map();
  }

  /**
   * Returns the cached evaluation of the position after moves from a start.
   * @param {string} start
   * @param {string[]} moves
   * @param {Effort} effort
   * @returns {Evaluation | null}
   */
  find(start, moves, effort) {
    return this.cached.get(keyOf(start, moves, effort)) ?? null;
  }

  /**
   * Like `find`, but asks the server if it is not cached.
   * @param {string} start
   * @param {string[]} moves
   * @param {Effort} effort
   * @param {AbortSignal} signal cancels it, on the server too
   * @returns {Promise<Evaluation>} rejected like other requests
   */
  async request(start, moves, effort, signal) {
    const known = this.find(start, moves, effort);
    if (known) return known;
    const evaluation = await analyze(start, moves, effort, signal);
    this.store(keyOf(start, moves, effort), evaluation);
    return evaluation;
  }

  /**
   * Asks again for an evaluation that is cached: the server continues its search.
   * @param {string} start
   * @param {string[]} moves
   * @param {Effort} effort
   * @param {AbortSignal} signal
   * @returns {Promise<Evaluation>} the deeper one
   */
  async continue(start, moves, effort, signal) {
    const before = this.find(start, moves, effort);
    const answer = await analyze(start, moves, effort, signal);
    const nodes = (before?.nodes ?? 0) + answer.nodes;
    const deeper = before && before.depth > answer.depth ? before : answer;
    const evaluation = { ...deeper, nodes, finished: isFinished(answer, effort.nodes) };
    this.store(keyOf(start, moves, effort), evaluation);
    return evaluation;
  }

  /**
   * @param {string} key
   * @param {Evaluation} evaluation
   */
  store(key, evaluation) {
    const [oldest] = this.cached.keys();
    if (this.cached.size >= CAPACITY && oldest !== undefined) this.cached.delete(oldest);
    this.cached.set(key, evaluation);
  }
}

/**
 * Whether an evaluation will not get better: the game is over, or a search that used up much fewer nodes than it
 * could has found a forced mate.
 * @param {Evaluation} evaluation
 * @param {number} nodes how many it could use
 */
export function isFinished({ lines, nodes: used, finished }, nodes) {
  return lines.length === 0 || (finished ?? used < nodes / 2);
}

/**
 * Formats a score: `+0.4`, `−M3`, `0–1`.
 * @param {Score} score
 * @param {number} chances White's winning chances, in thousandths
 */
export function scoreText({ centipawns = 0, mate }, chances) {
  if (mate === 0) return chances > 0 ? "1–0" : "0–1";
  if (mate !== undefined) return `${mate < 0 ? "−" : ""}M${Math.abs(mate)}`;
  const pawns = Math.abs(centipawns) / 100;
  const sign = pawns < 0.05 ? "" : centipawns > 0 ? "+" : "−";
  return sign + pawns.toFixed(pawns < 9.95 ? 1 : 0);
}

/**
 * Describes a score in words, for screen readers.
 * @param {Score} score
 * @param {number} chances White's winning chances, in thousandths
 */
export function scoreWords({ centipawns = 0, mate }, chances) {
  if (mate === 0) return chances > 0 ? "White has won" : "Black has won";
  if (mate !== undefined) return `${mate > 0 ? "White" : "Black"} mates in ${Math.abs(mate)}`;
  if (Math.abs(centipawns) < 5) return "Even";
  return `${centipawns > 0 ? "White" : "Black"} is ahead by ${(Math.abs(centipawns) / 100).toFixed(1)}`;
}

/**
 * Formats White's winning chances as a percentage.
 * @param {number} chances
 */
export function percent(chances) {
  return `${Math.round(chances / 10)}%`;
}

/**
 * @param {string} start
 * @param {string[]} moves
 * @param {Effort} effort
 */
function keyOf(start, moves, { nodes, lines }) {
  return [nodes, lines, start, ...moves].join(" ");
}
