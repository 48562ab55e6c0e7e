// The status of a game, in one line.

import { capital, sentence } from "../app/names.js";
import { actingSeat, areYouEliminated, isYourTurn, openSeats } from "./game-state.js";

/** @import { GameState } from "../app/protocol.js" */

/** @param {GameState} state */
export function statusText(state) {
  if (state.outcome) return sentence(state.outcome.text);
  const watching = state.you.length === 0;
  const open = openSeats(state).length;
  if (open > 0) return waitingText(open, watching);
  if (state.time) return liveStatus(state, watching);
  const color = state.colors.find(({ turn }) => turn)?.name;
  const turn = `${capital(color ?? names(state, state.acting).join(", "))} to move`;
  if (watching) return `You are watching. ${turn}`;
  if (areYouEliminated(state)) return `You have been eliminated. ${turn}`;
  const asked = takebackStatus(state) || drawStatus(state);
  if (asked) return asked;
  if (state.you.length > 1 || !isYourTurn(state)) return turn;
  return color && state.colors.length > state.seats.length ? `Your turn: ${color}` : "Your turn";
}

/**
 * @param {GameState} state of a real-time game
 * @param {boolean} watching
 */
function liveStatus(state, watching) {
  if (state.time?.phase === "paused") return "Paused until a player returns";
  if (watching) return "You are watching";
  return areYouEliminated(state) ? "You have been eliminated" : drawStatus(state) || "Game in progress";
}

/**
 * @param {number} open
 * @param {boolean} watching
 */
function waitingText(open, watching) {
  if (watching) return open === 1 ? "A seat is open" : `${open} seats are open`;
  return open === 1 ? "Waiting for a player" : `Waiting for ${open} players`;
}

/** @param {GameState} state */
function drawStatus(state) {
  const mine = actingSeat(state);
  if (state.draw_offer === null || mine === null) return "";
  const others = state.draw_votes.filter((seat) => seat !== state.draw_offer && seat !== mine);
  if (state.draw_offer === mine && others.length === 0) return "";
  if (state.draw_offer === mine) return `${capital(names(state, others).join(", "))} agreed to a draw`;
  const offer = `${capital(names(state, [state.draw_offer]).join())} offers a draw`;
  return others.length > 0 ? `${offer}, ${names(state, others).join(", ")} agreed` : offer;
}

/** @param {GameState} state */
function takebackStatus(state) {
  if (state.takeback_offer === null || state.you.includes(state.takeback_offer)) return "";
  return `${capital(names(state, [state.takeback_offer]).join())} asks to take back a move`;
}

/**
 * @param {GameState} state
 * @param {number[]} seats
 */
function names(state, seats) {
  return seats.map((seat) => state.seats[seat]?.name ?? "");
}
