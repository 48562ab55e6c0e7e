// Ratings as they are shown.

import { el } from "./dom.js";

/** A rating that is less sure than this is marked. */
const UNSURE = 110;

/**
 * A rating, with a mark where it is not sure yet.
 * @param {number} rating
 * @param {number} deviation
 */
export function ratingText(rating, deviation) {
  const unsure = deviation > UNSURE;
  const words = `${rating}, give or take ${deviation}`;
  return el("span", { class: "rating", title: words }, el("span", { "aria-hidden": "true" }, `${rating}${unsure ? "?" : ""}`), el("span", { class: "unseen" }, words));
}

/**
 * By how much a rating has changed.
 * @param {number} number
 */
export function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "±0";
}
