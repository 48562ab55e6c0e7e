// A small picture for each game: its board with some pieces.

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

/** @type {Record<string, () => SVGElement[]>} */
const PICTURES = {
  chess: () => [...checks(), pieceImage("N", 0, 8, 8, 48)],
  "four-player": () => [cross(), ...AROUND.map(([x, y], seat) => pieceImage("P", seat, x, y, 16))],
  "four-player-teams": () => [cross(), ...AROUND.map(([x, y], seat) => pieceImage("P", seat % 2, x, y, 16))],
  blokus: () => placedPieces(BLOKUS),
  "blokus-2": () => placedPieces(BLOKUS.slice(0, 2)),
  "blokus-3": () => placedPieces(BLOKUS.slice(0, 3)),
  "blokus-duo": () => placedPieces(DUO),
  "kung-fu": () => [...checks(), ...streaks(), pieceImage("N", 0, 20, 10, 40)],
  "kung-fu-12x12": () => [cross(), ...AROUND.map(([x, y], seat) => pieceImage("N", seat, x - 2, y - 2, 20))],
};

/** The color schemes of games that do not use `two`. @type {Record<string, string>} */
const COLOR_SCHEMES = { "four-player": "four", "four-player-teams": "four", "kung-fu-12x12": "four", blokus: "blokus", "blokus-2": "blokus", "blokus-3": "blokus", "blokus-duo": "duo" };

/** @param {string} kind */
export function gamePicture(kind) {
  const picture = PICTURES[kind] ?? (() => checks());
  return svg("svg", { class: `game-picture colors-${COLOR_SCHEMES[kind] ?? "two"}`, viewBox: "0 0 64 64", "aria-hidden": "true" }, ...picture());
}

/** @param {string} piece @param {number} seat @param {number} x @param {number} y @param {number} size */
function pieceImage(piece, seat, x, y, size) {
  return svg("svg", { class: `seat-${seat}`, viewBox: "0 0 64 64", x, y, width: size, height: size }, svg("use", { href: `#piece-${piece}` }));
}

function checks() {
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
