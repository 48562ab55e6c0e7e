// Stateless HTTP requests of the study board, the replays and the environment inspector.

import { Disconnected, Refused } from "./connection.js";
import { VERSION } from "./protocol.js";

/** @import { CapturedPiece, GameState, LegalMove, Move, Outcome, Piece, Position, RealtimePiece, Seat, Shape } from "./protocol.js" */

/** The largest request that the server accepts, in bytes. */
const MAX_REQUEST_BYTES = 1024 * 1024;
/** Milliseconds before a busy server is asked again, and how often it is asked. */
const RETRY_DELAY = 700;
const MAX_TRIES = 20;

/** What a fact means. @typedef {{id: string, name: string, about: string}} Fact */
/** @typedef {{square: string, value?: number}} MarkedSquare */
/** @typedef {{from: string, to: string, value?: number}} Arrow */
/** A fact's marks for one side. @typedef {{count: number, squares: MarkedSquare[], area: string[], arrows: Arrow[]}} Marks */
/** @typedef {{id: string, sides: Marks[]}} Overlay */
/** @typedef {Record<string, {attackers: string[], defenders: string[]}>} AttackMap */

/**
 * Everything that is shown of a position.
 * @typedef {object} PositionReport
 * @property {string} fen
 * @property {Shape} board
 * @property {Seat[]} seats
 * @property {string} seat_colors
 * @property {Piece[]} pieces
 * @property {CapturedPiece[][]} captured
 * @property {string[]} last_move
 * @property {string[]} check
 * @property {number[]} acting
 * @property {Outcome | null} outcome
 * @property {string | null} opening
 * @property {Move[]} moves
 * @property {LegalMove[]} legal_moves
 * @property {Overlay[]} facts
 * @property {AttackMap} attack_map
 */

/** @typedef {{id: string, name: string, lines: {name: string, values: number[]}[]}} Series */

/** The effort of an analysis: how many nodes to search, and how many lines to return. @typedef {{nodes: number, lines: number}} Effort */
/** From White's point of view: centipawns, or moves to mate. @typedef {{centipawns?: number, mate?: number}} Score */
/** @typedef {{score: Score, winning_chances: number, moves: Move[]}} PrincipalVariation */
/** The evaluation of a position; `winning_chances` is White's winning chances in thousandths; `finished` is set by the page once it cannot get better. @typedef {{score: Score, winning_chances: number, depth: number, nodes: number, lines: PrincipalVariation[], finished?: boolean}} Evaluation */

/**
 * A move of a tree in wire format.
 * @typedef {{after: number | null, code: string, text: string, number: number, seat: number, nags: number[], before: string[], before_commands?: MoveCommands, comments: string[], commands?: MoveCommands}} WireNode
 */
/**
 * What the commands in comments say; `comments` are the comments without them.
 * @typedef {{comments: string[], clock: string | null, elapsed: string | null, evaluation: string | null, shapes: {color: string, from: string, to: string}[]}} MoveCommands
 */
/** @typedef {{start: string, tags: [string, string][], comments: string[], commands?: MoveCommands, nodes: WireNode[], result: string}} WireTree */
/** A real-time game, in the arena or in a file. @typedef {{game: string} | {text: string}} ReplaySource */
/** What changed at a tick. @typedef {{tick: number, realtime_pieces: RealtimePiece[], eliminated?: number[], captured?: CapturedPiece[][]}} ReplayFrame */
/** @typedef {{fen: string, errors: string[], squares: string[], castling: string, pieces: Piece[]}} CheckedPosition */

/**
 * @param {object} message
 * @param {AbortSignal} [signal] cancels it
 * @param {string} [path] the path of the endpoint
 * @returns {Promise<any>} rejected with `Refused` or `Disconnected`
 */
export async function request(message, signal, path = "/study") {
  const body = JSON.stringify(message);
  if (new Blob([body]).size > MAX_REQUEST_BYTES) throw new Refused("the request is too large: at most 1 MB");
  for (let tries = 1; ; tries += 1) {
    const answer = await post(path, body, signal);
    if (answer.t === "ok") return answer;
    if (!answer.retry || tries === MAX_TRIES || signal?.aborted) throw new Refused(answer.why);
    await pause(RETRY_DELAY);
  }
}

/**
 * @param {string} path
 * @param {string} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} rejected with `Disconnected`
 */
async function post(path, body, signal) {
  try {
    const response = await fetch(`${path}?v=${VERSION}`, { method: "POST", body, signal: signal ?? null });
    return await response.json();
  } catch {
    throw new Disconnected("the server is not responding");
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
  return (await request({ t: "facts" })).facts;
}

/**
 * Returns the position after moves from a start.
 * @param {string} start
 * @param {string[]} moves
 * @returns {Promise<PositionReport>}
 */
export function positionAt(start, moves) {
  return request({ t: "position", start, moves });
}

/**
 * Returns the facts along a line.
 * @param {string} start
 * @param {string[]} moves
 * @returns {Promise<Series[]>}
 */
export async function series(start, moves) {
  return (await request({ t: "series", start, moves })).series;
}

/**
 * Analyzes the position after moves from a start.
 * @param {string} start
 * @param {string[]} moves
 * @param {Effort} effort
 * @param {AbortSignal} signal
 * @returns {Promise<Evaluation>}
 */
export function analyze(start, moves, effort, signal) {
  return request({ t: "analyze", start, moves, ...effort }, signal);
}

/** A tree that was read from a text: its `game`, the `games` around it from `first`, and `problems`, which could not be read. @typedef {WireTree & {games: string[], first: number, game: number, more: number, problems: string[]}} ReadTree */

/**
 * Parses a FEN or a PGN.
 * @param {string} text
 * @param {{game?: number, fen?: boolean}} [options] which game of a PGN; whether the text is meant as a FEN
 * @returns {Promise<ReadTree>}
 */
export function parseText(text, options = {}) {
  return request({ t: "read", text, ...options });
}

/**
 * Writes a tree as PGN.
 * @param {WireTree} tree
 * @returns {Promise<string>}
 */
export async function serializeTree(tree) {
  return (await request({ t: "write", ...tree })).text;
}

/**
 * Returns a game of the arena.
 * @param {string} game
 * @returns {Promise<ReadTree>}
 */
export function openGame(game) {
  return request({ t: "open", game });
}

/**
 * Returns the game in a file, as a spectator sees it.
 * @param {string} text
 * @returns {Promise<GameState>}
 */
export function replay(text) {
  return request({ t: "replay", text });
}

/**
 * Returns the next positions of a file, starting after `from` moves.
 * @param {string} text
 * @param {number} from
 * @returns {Promise<Position[]>}
 */
export async function positions(text, from) {
  return (await request({ t: "positions", text, from })).positions;
}

/**
 * Returns frames of a real-time game, starting with frame `from`.
 * @param {ReplaySource} source
 * @param {number} from
 * @returns {Promise<{end: number, count: number, frames: ReplayFrame[]}>}
 */
export function replayFrames(source, from) {
  return request({ t: "frames", ...source, from });
}

/**
 * Checks a position that was set up by hand.
 * @param {Piece[]} pieces
 * @param {number} turn
 * @param {string} castling
 * @returns {Promise<CheckedPosition>}
 */
export function checkPosition(pieces, turn, castling) {
  return request({ t: "check_position", pieces, turn, castling });
}
