// Announcements for screen readers.

import { isYourTurn, moverName, pieceOn } from "../play/game-state.js";
import { el } from "../ui/dom.js";
import { capital, pieceName, plural, sentence } from "./names.js";

/** @import { GameState } from "./protocol.js" */

const polite = el("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
const urgent = el("div", { class: "visually-hidden", role: "alert" });

/** Adds the live regions to the page; they must exist before they are used. */
export function install() {
  document.body.append(polite, urgent);
}

/** @param {string} text */
export function say(text) {
  replaceText(polite, text);
}

/** @param {string} text */
export function warn(text) {
  replaceText(urgent, text);
}

/**
 * Sets a text, with a trailing space if it is the same as before: an unchanged text is not announced again.
 * @param {HTMLElement} region
 * @param {string} text
 */
function replaceText(region, text) {
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/**
 * Announces what has happened between two states of a game.
 * @param {GameState} before
 * @param {GameState} now
 */
export function announceChanges(before, now) {
  const said = [];
  if (now.moves.length > before.moves.length) {
    for (const move of now.moves.slice(before.moves.length)) said.push(`${moverName(now, move)}: ${move.text}.`);
    now.scores.forEach((score, seat) => {
      if (score !== before.scores[seat]) said.push(`${now.seats[seat]?.name} has ${plural(score, "point")}.`);
    });
    for (const square of now.check) {
      const piece = pieceOn(now.pieces, square);
      if (piece) said.push(`${now.seats[piece.seat]?.name} ${pieceName(piece.piece)} in check.`);
    }
  } else if (now.moves.length < before.moves.length) {
    said.push(before.outcome ? "A new game begins." : "Move taken back.");
  } else if (before.takeback_offer !== null && now.takeback_offer === null && !now.outcome) said.push("Takeback declined.");
  for (const seat of now.eliminated) if (!before.eliminated.includes(seat)) said.push(`${now.seats[seat]?.name} has been eliminated.`);
  if (now.draw_offer !== null && now.draw_offer !== before.draw_offer) said.push(`${now.seats[now.draw_offer]?.name} offers a draw.`);
  if (before.draw_offer !== null && now.draw_offer === null && !now.outcome) said.push("Draw declined.");
  if (now.takeback_offer !== null && now.takeback_offer !== before.takeback_offer) said.push(`${now.seats[now.takeback_offer]?.name} asks to take back a move.`);
  if (now.outcome && !before.outcome) said.push(sentence(now.outcome.text));
  else if (said.length > 0 && isYourTurn(now) && now.you.length === 1) said.push("Your turn.");
  if (said.length > 0) say(said.map(capital).join(" "));
}
