// Names of pieces, which the server sends as letters, and helpers for texts.

/** Pieces by letter, in the order of the promotion picker. */
const PIECES = new Map([
  ["Q", "queen"],
  ["D", "one-point queen"],
  ["R", "rook"],
  ["B", "bishop"],
  ["N", "knight"],
  ["P", "pawn"],
  ["K", "king"],
]);
const ORDER = [...PIECES.keys()];

/** Names that stay capitalized. */
const PROPER = new Set(["Blokus", "Duo"]);

/**
 * @param {string} name of a game
 * @returns {string} as it is written in a sentence
 */
export function inSentence(name) {
  return name
    .split(" ")
    .map((word) => (PROPER.has(word) ? word : word.toLowerCase()))
    .join(" ");
}

/**
 * @param {string} piece
 * @returns {string} its name, or else its letter
 */
export function pieceName(piece) {
  return PIECES.get(piece) ?? piece;
}

/**
 * @param {string | null | undefined} piece
 * @returns {number} its place in a list of pieces
 */
export function pieceRank(piece) {
  const rank = ORDER.indexOf(piece ?? "");
  return rank < 0 ? ORDER.length : rank;
}

/**
 * @param {number | string} count
 * @param {string} noun
 * @returns {string} `1 point`, `12 points`
 */
export function plural(count, noun) {
  return `${count} ${noun}${String(count) === "1" ? "" : "s"}`;
}

/**
 * @param {number} watchers
 * @returns {string} `2 watching`; empty if nobody is
 */
export function watchersText(watchers) {
  return watchers > 0 ? `${watchers} watching` : "";
}

/**
 * @param {string} text
 * @returns {string} with its first letter capitalized
 */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * @param {string} text
 * @returns {string} capitalized, with a period at the end
 */
export function sentence(text) {
  return /[.!?]$/.test(text) ? capital(text) : `${capital(text)}.`;
}
