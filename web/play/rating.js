// How ratings are shown.

import { el } from "../ui/dom.js";

/** Ratings with a larger deviation are provisional. */
const PROVISIONAL = 110;

/** @param {number} deviation */
export function isProvisional(deviation) {
  return deviation > PROVISIONAL;
}

/**
 * Shows a rating, with a question mark if it is provisional.
 * @param {number} rating
 * @param {number} deviation
 */
export function ratingText(rating, deviation) {
  const words = `${rating} ±${deviation}`;
  return el("span", { class: "rating", title: words }, el("span", { "aria-hidden": "true" }, `${rating}${isProvisional(deviation) ? "?" : ""}`), el("span", { class: "visually-hidden" }, words));
}

/**
 * Formats the change of a rating.
 * @param {number} number
 */
export function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "±0";
}
