// How facts look. Each has its own shape, letter and color, so that no two differ only in hue.

import { svg } from "../ui/dom.js";

/** @typedef {{key: string, shape: string}} BadgeStyle */

/** The key that toggles a fact is also the letter on its badge. @type {Record<string, BadgeStyle>} */
const LOOKS = {
  attacked: { key: "a", shape: "circle" },
  hanging: { key: "h", shape: "down" },
  en_prise: { key: "e", shape: "burst" },
  pinned: { key: "p", shape: "square" },
  pinned_pawns: { key: "n", shape: "diamond" },
  skewered: { key: "s", shape: "hexagon" },
  forks: { key: "y", shape: "fork" },
  see: { key: "c", shape: "tag" },
  attack_map: { key: "t", shape: "ring" },
  x_rays: { key: "x", shape: "plus" },
  mobility: { key: "l", shape: "pill" },
  king_ring: { key: "r", shape: "octagon" },
  developed: { key: "d", shape: "up" },
  outposts: { key: "o", shape: "shield" },
  "pawns.doubled": { key: "u", shape: "double" },
  "pawns.isolated": { key: "i", shape: "pentagon" },
  "pawns.backward": { key: "b", shape: "low" },
  "pawns.backward_blocked": { key: "k", shape: "blocked" },
  "pawns.passed": { key: "g", shape: "house" },
};

/** Outlines in a box from -1 to 1, and the vertical offset of the letter from the center. @type {Record<string, [string, number]>} */
const SHAPES = {
  circle: ["M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z", 0],
  ring: [[1.3, 1.05, 0.88].map((radius) => `M${-radius} 0a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0Z`).join(""), 0],
  down: ["M-1.2 -.95H1.2L.15 1.15Q0 1.35 -.15 1.15Z", -0.25],
  up: ["M-1.2 1H1.2L.15 -1.1Q0 -1.3 -.15 -1.1Z", 0.35],
  square: ["M-.95 -.95H.95V.95H-.95Z", 0],
  diamond: ["M0 -1.3L1.3 0L0 1.3L-1.3 0Z", 0],
  hexagon: ["M-1.15 0L-.6 -1H.6L1.15 0L.6 1H-.6Z", 0],
  octagon: ["M-.45 -1.05H.45L1.05 -.45V.45L.45 1.05H-.45L-1.05 .45V-.45Z", 0],
  pentagon: ["M0 -1.15L1.15 -.3L.7 1H-.7L-1.15 -.3Z", 0.1],
  burst: [burst(10, 1.3, 0.95), 0],
  fork: ["M-1.1 -1.05L-.45 -.6L0 -1.15L.45 -.6L1.1 -1.05L.95 1H-.95Z", 0.2],
  tag: ["M-1.1 -.8H.6L1.35 0L.6 .8H-1.1Z", 0],
  plus: ["M-.7 -1.2H.7V-.7H1.2V.7H.7V1.2H-.7V.7H-1.2V-.7H-.7Z", 0],
  pill: ["M-.5 -.8H.5A.8 .8 0 0 1 .5 .8H-.5A.8 .8 0 0 1 -.5 -.8Z", 0],
  shield: ["M-1 -1.05Q0 -.75 1 -1.05V.1Q1 .9 0 1.25Q-1 .9 -1 .1Z", 0],
  double: ["M-.95 -1.15H.95V-.15L.7 0L.95 .15V1.15H-.95V.15L-.7 0L-.95 -.15Z", 0],
  low: ["M-1 -1.05H1V.35L0 1.2L-1 .35Z", -0.15],
  blocked: ["M-1 -1.05H1V.1L.25 .75H1V1.15H-1V.75H-.25L-1 .1Z", -0.25],
  house: ["M0 -1.25L1 -.35V1.05H-1V-.35Z", 0.2],
};

/**
 * A star with blunt points.
 * @param {number} points
 * @param {number} outer
 * @param {number} inner
 */
function burst(points, outer, inner) {
  const corner = (/** @type {number} */ index) => {
    const [angle, far] = [(index * Math.PI) / points, index % 2 ? inner : outer];
    return `${(far * Math.sin(angle)).toFixed(3)} ${(-far * Math.cos(angle)).toFixed(3)}`;
  };
  return `M${Array.from({ length: 2 * points }, (_, index) => corner(index)).join("L")}Z`;
}

/**
 * Returns the key that toggles a fact, or null if the fact cannot be drawn.
 * @param {string} fact
 * @returns {string | null}
 */
export function keyOf(fact) {
  return LOOKS[fact]?.key ?? null;
}

/**
 * Returns the class that sets a fact's color.
 * @param {string} fact
 */
export function classOf(fact) {
  return `fact-${fact.replace(/[._]/g, "-")}`;
}

/**
 * Draws a fact's badge in a box from -1 to 1 around the origin.
 * @param {string} fact
 * @param {string} [text] a number to show instead of the letter
 * @returns {SVGGElement}
 */
export function badge(fact, text) {
  const { key = "", shape = "circle" } = LOOKS[fact] ?? {};
  const [d, down] = SHAPES[text === undefined || fact === "king_ring" ? shape : "pill"] ?? ["", 0];
  const letter = text ?? key.toUpperCase();
  return svg(
    "g",
    { class: `badge ${classOf(fact)}` },
    svg("path", { class: "badge-shape", d, "fill-rule": "evenodd" }),
    svg("text", { class: "badge-text", x: 0, y: down + 0.42, "text-anchor": "middle" }, letter),
  );
}

/**
 * Draws a fact's badge as a separate image, for lists.
 * @param {string} fact
 */
export function badgePicture(fact) {
  return svg("svg", { class: "badge-picture", viewBox: "-1.5 -1.5 3 3", "aria-hidden": "true" }, badge(fact));
}
