// The requests of the environment inspector.

import { request } from "../app/requests.js";

/** @import { Color, Piece, RealtimePiece, Seat, Shape } from "../app/protocol.js" */

const ENDPOINT = "/environments";

/** The caption of a plane. @typedef {{group: string, name: string}} Caption */
/** A channel of an observation: one value for each square, or one for all. @typedef {Caption & {values: number | number[]}} Channel */
/** An additional array of the observation. @typedef {{name: string, shape: number[], values: number[]}} ExtraArray */

/**
 * A legal action: its action plane, its square of the view, the squares that it involves,
 * and its notation.
 * @typedef {{id: number, plane: number | null, square: number | null, cells: number[], text: string}} Action
 */

/**
 * Everything that is shown of a position. Squares of the view are numbered row by row.
 * @typedef {object} Inspection
 * @property {string} game
 * @property {string} id of the environment, with its version
 * @property {Shape} board
 * @property {Seat[]} seats
 * @property {string} seat_colors
 * @property {Piece[]} pieces
 * @property {Color[]} colors
 * @property {number[]} eliminated
 * @property {string[]} check
 * @property {RealtimePiece[]} realtime_pieces
 * @property {number} tick
 * @property {string} python
 * @property {string} position
 * @property {string | null} start
 * @property {string[]} moves
 * @property {string[]} latest
 * @property {number} seat the observer
 * @property {string | null} ending
 * @property {boolean} simultaneous
 * @property {[number, number, number]} shape
 * @property {Channel[]} channels
 * @property {ExtraArray | null} extra_array
 * @property {(string | null)[]} squares
 * @property {number} actions
 * @property {number} mask_count
 * @property {Caption[]} planes
 * @property {Action[]} legal
 */

/** A position: a start, moves from there, and then random moves. @typedef {{game: string, position?: string | null, moves?: string[], random?: number, seed?: number, seat?: number | null}} Where */
/** @typedef {{games: number, observe: boolean, threads: number, steps: number, ended: number, seconds: number, per_second: number}} Run */

/**
 * @param {Where} where
 * @returns {Promise<Inspection>}
 */
export function inspect(where) {
  return request({ t: "inspect", ...where }, undefined, ENDPOINT);
}

/**
 * Returns the current view of an arena game.
 * @param {string} game
 * @param {number | null} seat
 * @returns {Promise<Inspection>}
 */
export function followGame(game, seat) {
  return request({ t: "follow", game, seat }, undefined, ENDPOINT);
}

/**
 * Steps a batch of games for a moment.
 * @param {string} game
 * @param {number} games
 * @param {boolean} observe
 * @returns {Promise<Run>}
 */
export function stepBatch(game, games, observe) {
  return request({ t: "batch", game, games, observe }, undefined, ENDPOINT);
}
