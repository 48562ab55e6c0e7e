// The games on the home page. This is the only list of games on the page: a game without an entry has a card of its own,
// with a plain board and no text.

import { svg } from "../ui/dom.js";

/** The cells of a piece of each color, in a grid of eight by eight. */
const BLOKUS = [
  [[0, 7], [1, 7], [1, 6], [2, 6], [2, 5]],
  [[0, 0], [0, 1], [1, 1], [1, 2], [2, 2]],
  [[7, 0], [6, 0], [6, 1], [5, 1], [5, 2]],
  [[7, 7], [7, 6], [6, 6], [6, 5], [5, 5]],
];
const DUO = [
  [[2, 5], [2, 6], [3, 5], [1, 5], [2, 4]],
  [[4, 3], [4, 2], [5, 2], [5, 1], [4, 1]],
];
/** Where the pieces of four players are. @type {[number, number][]} */
const AROUND = [[24, 44], [4, 24], [24, 4], [44, 24]];
const CROSS = "M20 2h24v18h18v24H44v18H20V44H2V20h18z";

/**
 * A game on a card: its name there, its color scheme if it is not `two`, and a small picture of its board with some pieces.
 * @typedef {{name: string, colors?: string, picture: () => SVGElement[]}} GameEntry
 */

/** The cards. Variants of a game share one. @type {{name: string, about: string, games: Record<string, GameEntry>}[]} */
export const FAMILIES = [
  {
    name: "Chess",
    about: "Bots from random to master level.",
    games: { chess: { name: "Chess", picture: () => [...checks(), pieceImage("N", 0, 8, 8, 48)] } },
  },
  {
    name: "Four-player chess",
    about: "Four players on a cross-shaped board.",
    games: {
      "four-player": { name: "Free-for-all", colors: "four", picture: () => [cross(), ...AROUND.map(([x, y], seat) => pieceImage("P", seat, x, y, 16))] },
      "four-player-teams": { name: "Teams", colors: "four", picture: () => [cross(), ...AROUND.map(([x, y], seat) => pieceImage("P", seat % 2, x, y, 16))] },
    },
  },
  {
    name: "Blokus",
    about: "Your pieces may touch only at corners.",
    games: {
      blokus: { name: "Four", colors: "blokus", picture: () => placedPieces(BLOKUS) },
      "blokus-3": { name: "Three", colors: "blokus", picture: () => placedPieces(BLOKUS.slice(0, 3)) },
      "blokus-2": { name: "Two", colors: "blokus", picture: () => placedPieces(BLOKUS.slice(0, 2)) },
      "blokus-duo": { name: "Duo", colors: "duo", picture: () => placedPieces(DUO) },
    },
  },
  {
    name: "Kung fu chess",
    about: "No turns: everyone moves at the same time.",
    games: {
      "kung-fu": { name: "Two", picture: () => [...checks(), ...streaks(), pieceImage("N", 0, 20, 10, 40)] },
      "kung-fu-12x12": { name: "Four", colors: "four", picture: () => [cross(), ...AROUND.map(([x, y], seat) => pieceImage("N", seat, x - 2, y - 2, 20))] },
    },
  },
];

/** @param {GameEntry} game */
export function gamePicture({ colors = "two", picture }) {
  return svg("svg", { class: `game-picture colors-${colors}`, viewBox: "0 0 64 64", "aria-hidden": "true" }, ...picture());
}

/** @param {string} piece @param {number} seat @param {number} x @param {number} y @param {number} size */
function pieceImage(piece, seat, x, y, size) {
  return svg("svg", { class: `seat-${seat}`, viewBox: "0 0 64 64", x, y, width: size, height: size }, svg("use", { href: `#piece-${piece}` }));
}

export function checks() {
  return [
    svg("rect", { class: "picture-light", x: 2, y: 2, width: 60, height: 60, rx: 10 }),
    svg("path", { class: "picture-dark", d: "M32 2h20a10 10 0 0 1 10 10v20H32zM32 32v30H12A10 10 0 0 1 2 52V32z" }),
  ];
}

function cross() {
  return svg("path", { class: "picture-light", d: CROSS });
}

function streaks() {
  return [svg("path", { class: "picture-streak", d: "M6 22h14M3 32h15M6 42h14" })];
}

/** @param {number[][][]} pieces */
function placedPieces(pieces) {
  const cells = pieces.map((piece, seat) =>
    svg("g", { class: `seat-${seat}` }, ...piece.map(([x = 0, y = 0]) => svg("rect", { class: "picture-cell", x: 4 + 7 * x, y: 4 + 7 * y, width: 7, height: 7, rx: 1 }))),
  );
  return [svg("rect", { class: "picture-plain", x: 2, y: 2, width: 60, height: 60, rx: 10 }), ...cells];
}
