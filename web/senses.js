// What an agent sees, as the server tells it.

import { ask } from "./questions.js";

/** @import { Color, Man, Piece, Seat, Shape } from "./protocol.js" */

const DOOR = "/environments";

/** What a picture is called. @typedef {{group: string, name: string}} Caption */
/** A channel of an observation: a number for each square, or one for all. @typedef {Caption & {values: number | number[]}} Channel */
/** An array beside the planes. @typedef {{name: string, shape: number[], values: number[]}} Beside */

/**
 * A legal action: the plane of actions that it stands in, on which square of the view, the squares that it is about,
 * and how people write it.
 * @typedef {{id: number, plane: number | null, square: number | null, cells: number[], text: string}} Action
 */

/**
 * All that is shown of a position. Squares of the view are counted row by row.
 * @typedef {object} Sight
 * @property {string} game
 * @property {string} id of the environment, with its version
 * @property {Shape} board
 * @property {Seat[]} seats
 * @property {string} tints
 * @property {Man[]} men
 * @property {Color[]} colors
 * @property {number[]} out
 * @property {string[]} check
 * @property {Piece[]} pieces
 * @property {number} tick
 * @property {string} python
 * @property {string} position
 * @property {string | null} start
 * @property {string[]} moves
 * @property {string[]} latest
 * @property {number} seat who sees it
 * @property {string | null} over
 * @property {boolean} simultaneous
 * @property {[number, number, number]} shape
 * @property {Channel[]} channels
 * @property {Beside | null} beside
 * @property {(string | null)[]} squares
 * @property {number} actions
 * @property {number} allowed
 * @property {Caption[]} planes
 * @property {Action[]} legal
 */

/** Where to look: a start, moves from there, random ones behind them. @typedef {{game: string, position?: string | null, moves?: string[], random?: number, seed?: number, seat?: number | null}} Where */
/** @typedef {{games: number, observe: boolean, threads: number, steps: number, ended: number, seconds: number, per_second: number}} Run */

/**
 * @param {Where} where
 * @returns {Promise<Sight>}
 */
export function sense(where) {
  return ask({ t: "sense", ...where }, undefined, DOOR);
}

/**
 * A game of the arena as it stands.
 * @param {string} game
 * @param {number | null} seat
 * @returns {Promise<Sight>}
 */
export function followGame(game, seat) {
  return ask({ t: "follow", game, seat }, undefined, DOOR);
}

/**
 * Steps many games for a moment.
 * @param {string} game
 * @param {number} games
 * @param {boolean} observe
 * @returns {Promise<Run>}
 */
export function stepBatch(game, games, observe) {
  return ask({ t: "batch", game, games, observe }, undefined, DOOR);
}
