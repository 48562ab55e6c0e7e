// Stateless requests over HTTP, for studies and the environment inspector.

import { VERSION } from "./protocol.js";
import { Cut, Refused } from "./connection.js";

/** @import { Choice, GameState, Lying, Man, Move, Outcome, Piece, Position, Seat, Shape } from "./protocol.js" */

/** The largest request that the server accepts, in bytes. */
const LARGEST = 1024 * 1024;
/** Milliseconds before a busy server is asked again, and how often it is asked. */
const AGAIN = 700;
const MOST_TRIES = 20;

/** What a fact means. @typedef {{id: string, name: string, about: string}} Fact */
/** @typedef {{square: string, value?: number}} MarkedSquare */
/** @typedef {{from: string, to: string, value?: number}} Arrow */
/** A fact's marks for one side. @typedef {{count: number, squares: MarkedSquare[], area: string[], arrows: Arrow[]}} Marks */
/** @typedef {{id: string, sides: Marks[]}} Overlay */
/** @typedef {Record<string, {attackers: string[], defenders: string[]}>} AttackMap */

/**
 * Everything that is shown of a position.
 * @typedef {object} Look
 * @property {string} fen
 * @property {Shape} board
 * @property {Seat[]} seats
 * @property {string} tints
 * @property {Man[]} men
 * @property {Lying[][]} trays
 * @property {string[]} last_move
 * @property {string[]} check
 * @property {number[]} acting
 * @property {Outcome | null} outcome
 * @property {Move[]} moves
 * @property {Choice[]} choices
 * @property {Overlay[]} facts
 * @property {AttackMap} attack_map
 */

/** @typedef {{id: string, name: string, lines: {name: string, values: number[]}[]}} Series */

/** The effort of an analysis: how many nodes to search, and how many lines to return. @typedef {{nodes: number, lines: number}} Effort */
/** From White's point of view: centipawns, or moves to mate. @typedef {{points?: number, mate?: number}} Score */
/** @typedef {{score: Score, share: number, moves: Move[]}} Ahead */
/** The evaluation of a position; `share` is White's winning chances in thousandths. @typedef {{score: Score, share: number, depth: number, nodes: number, lines: Ahead[]}} Outlook */

/**
 * A move of a tree in wire format.
 * @typedef {{after: number | null, code: string, text: string, number: number, seat: number, nags: number[], before: string[], comments: string[]}} Branch
 */
/** @typedef {{start: string, tags: [string, string][], comments: string[], nodes: Branch[], result: string}} WireTree */
/** A real-time game, in the arena or in a file. @typedef {{game: string} | {text: string}} FilmSource */
/** What changed at a tick. @typedef {{tick: number, pieces: Piece[], out?: number[], trays?: Lying[][]}} Frame */
/** @typedef {{fen: string, faults: string[], squares: string[], castling: string, men: Man[]}} Arranged */

/**
 * @param {object} question
 * @param {AbortSignal} [signal] cancels it
 * @param {string} [door] the path of the endpoint
 * @returns {Promise<any>} rejected with `Refused`, or `Cut`
 */
export async function ask(question, signal, door = "/study") {
  const body = JSON.stringify(question);
  if (new Blob([body]).size > LARGEST) throw new Refused("the request is too large: at most 1 MB");
  for (let tries = 1; ; tries += 1) {
    const answer = await post(door, body, signal);
    if (answer.t === "ok") return answer;
    if (!answer.again || tries === MOST_TRIES || signal?.aborted) throw new Refused(answer.why);
    await pause(AGAIN);
  }
}

/**
 * @param {string} door
 * @param {string} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} rejected with `Cut`
 */
async function post(door, body, signal) {
  try {
    const response = await fetch(`${door}?v=${VERSION}`, { method: "POST", body, signal: signal ?? null });
    return await response.json();
  } catch {
    throw new Cut("the server is not responding");
  }
}

/**
 * @param {number} time in milliseconds
 * @returns {Promise<void>}
 */
export function pause(time) {
  return new Promise((resolve) => {
    setTimeout(resolve, time);
  });
}

/** @returns {Promise<Fact[]>} */
export async function facts() {
  return (await ask({ t: "facts" })).facts;
}

/**
 * Returns the position after moves from a start.
 * @param {string} start
 * @param {string[]} moves
 * @returns {Promise<Look>}
 */
export function look(start, moves) {
  return ask({ t: "look", start, moves });
}

/**
 * Returns the facts along a line.
 * @param {string} start
 * @param {string[]} moves
 * @returns {Promise<Series[]>}
 */
export async function series(start, moves) {
  return (await ask({ t: "series", start, moves })).series;
}

/**
 * Analyzes the position after moves from a start.
 * @param {string} start
 * @param {string[]} moves
 * @param {Effort} effort
 * @param {AbortSignal} signal
 * @returns {Promise<Outlook>}
 */
export function think(start, moves, effort, signal) {
  return ask({ t: "think", start, moves, ...effort }, signal);
}

/**
 * Parses a FEN or a PGN.
 * @param {string} text
 * @returns {Promise<WireTree & {more: number}>}
 */
export function readText(text) {
  return ask({ t: "read", text });
}

/**
 * Writes a tree as PGN.
 * @param {WireTree} tree
 * @returns {Promise<string>}
 */
export async function writeTree(tree) {
  return (await ask({ t: "write", ...tree })).text;
}

/**
 * Returns a game of the arena.
 * @param {string} game
 * @returns {Promise<WireTree & {more: number}>}
 */
export function openGame(game) {
  return ask({ t: "open", game });
}

/**
 * Returns the game in a file, as a spectator sees it.
 * @param {string} text
 * @returns {Promise<GameState>}
 */
export function replay(text) {
  return ask({ t: "replay", text });
}

/**
 * Returns the next positions of a file, starting after `from` moves.
 * @param {string} text
 * @param {number} from
 * @returns {Promise<Position[]>}
 */
export async function positions(text, from) {
  return (await ask({ t: "positions", text, from })).positions;
}

/**
 * Returns frames of a real-time game, starting with frame `from`.
 * @param {FilmSource} source
 * @param {number} from
 * @returns {Promise<{end: number, count: number, frames: Frame[]}>}
 */
export function film(source, from) {
  return ask({ t: "film", ...source, from });
}

/**
 * Checks a position that was set up by hand.
 * @param {Man[]} men
 * @param {number} turn
 * @param {string} castling
 * @returns {Promise<Arranged>}
 */
export function arrange(men, turn, castling) {
  return ask({ t: "arrange", men, turn, castling });
}
