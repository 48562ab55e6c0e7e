// The page for an address that leads nowhere.

import { el, pageLink, pieceImage } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { Page } from "./page.js";

/** @import { AppContext } from "../play/game-page.js" */

/** @type {[string, string, string, string][]} */
const LINKS = [
  ["play", "Play", "/", "Chess, four-player chess, Blokus and kung fu chess"],
  ["lobby", "Lobby", "/lobby", "Open games and live games"],
  ["study", "Study board", "/study", "Analyze a position or a game"],
  ["games", "Your games", "/you", "Replay or resume your games"],
];

/**
 * @param {AppContext} context
 * @param {string} title
 * @param {string} why
 */
export function missing(context, title, why) {
  const links = LINKS.map(([drawing, name, href, about]) =>
    el("li", {}, pageLink(context, { class: "missing-link", href }, icon(drawing), el("span", {}, el("strong", {}, name), el("span", {}, about)))),
  );
  const board = el("div", { class: "missing-board colors-two", "aria-hidden": "true" }, pieceImage("K", 0, "missing-king"));
  return el("div", { class: "missing" }, board, el("h1", {}, title), el("p", {}, why), el("ul", { class: "missing-links" }, ...links));
}

export class MissingPage extends Page {
  /** @param {AppContext} context */
  constructor(context) {
    super();
    this.root = el("main", { tabindex: "-1" }, missing(context, "Page not found", `There is nothing at ${decode(location.pathname)}.`));
    document.title = "Page not found – Fourfold";
  }
}

/** @param {string} path */
function decode(path) {
  try {
    return decodeURI(path);
  } catch {
    return path; // Not every address is valid.
  }
}
