// The buttons that step through a list of moves, and scrolling such a list.

import { el } from "./dom.js";
import { iconButton } from "./icons.js";

/**
 * @template Target
 * @param {(target: Target) => void} go
 * @param {{first: () => Target, previous: () => Target, next: () => Target, last: () => Target}} to
 * @param {string} lastName
 * @param {() => void} flip
 * @param {...HTMLButtonElement} more buttons before the one that flips the board
 */
export function stepBar(go, to, lastName, flip, ...more) {
  const back = [iconButton("First position", "first", () => go(to.first())), iconButton("Previous move", "back", () => go(to.previous()))];
  const forward = [iconButton("Next move", "on", () => go(to.next())), iconButton(lastName, "last", () => go(to.last()))];
  const buttons = [...back, ...forward, ...more, iconButton("Flip board", "flip", flip)];
  const root = el("div", { class: "steps", role: "group", "aria-label": "Step through the moves" }, ...buttons);
  /** Disables the buttons that have no effect at the start or at the end. */
  const update = (/** @type {boolean} */ atStart, /** @type {boolean} */ atEnd) => {
    for (const button of back) button.disabled = atStart;
    for (const button of forward) button.disabled = atEnd;
  };
  return { root, update };
}

/**
 * Scrolls a list, but not the page, to an item, or to its start.
 * @param {HTMLElement} list
 * @param {HTMLElement | undefined} item
 */
export function scrollToItem(list, item) {
  if (!item) return list.scrollTo({ top: 0, left: 0 });
  const [inner, outer] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  const down = inner.bottom > outer.bottom ? inner.bottom - outer.bottom : Math.min(0, inner.top - outer.top);
  const right = inner.right > outer.right ? inner.right - outer.right : Math.min(0, inner.left - outer.left);
  return list.scrollBy({ top: down, left: right });
}

/**
 * Marks a button as the current one, or not.
 * @param {HTMLButtonElement} button
 * @param {boolean} current
 */
export function setCurrent(button, current) {
  if (current === button.hasAttribute("aria-current")) return;
  if (current) button.setAttribute("aria-current", "true");
  else button.removeAttribute("aria-current");
}
