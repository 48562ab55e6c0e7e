// A game's state, and questions about it that need no rules.

/** @import { Choice, Delta, Edge, GameState, Man } from "./protocol.js" */

/**
 * The state after a change, or null if a number was missed.
 * @param {GameState} state
 * @param {Delta} delta
 * @returns {GameState | null}
 */
export function apply(state, delta) {
  if (delta.seq !== state.seq + 1) return null;
  const { moves, ...changed } = delta;
  const next = { ...state, ...changed };
  if (moves) next.moves = [...state.moves.slice(0, moves.keep), ...moves.add];
  return next;
}

/**
 * The seat that you speak for: the acting one of yours, or else your first.
 * @param {GameState} state
 * @returns {number | null}
 */
export function voice(state) {
  return state.you.find((seat) => state.acting.includes(seat)) ?? state.you[0] ?? null;
}

/**
 * Whether somebody is still missing: nobody moves then.
 * @param {GameState} state
 */
export function hasOpenSeat(state) {
  return state.players.some((player) => player.kind === "open");
}

/**
 * Whether a seat of yours may move now.
 * @param {GameState} state
 */
export function isYourTurn(state) {
  return !state.outcome && !hasOpenSeat(state) && state.you.some((seat) => state.acting.includes(seat));
}

/**
 * Whether you may plan a move for your next turn.
 * @param {GameState} state
 */
export function mayPlan(state) {
  return !state.outcome && !hasOpenSeat(state) && state.you.length > 0 && !isYourTurn(state);
}

/**
 * @param {GameState} state
 * @param {string} from
 * @returns {Choice[]}
 */
export function choicesFrom(state, from) {
  return state.choices.filter((choice) => choice.from === from);
}

/**
 * @param {GameState} state
 * @param {string} from
 * @param {string} to
 * @returns {Choice[]}
 */
export function choicesBetween(state, from, to) {
  return state.choices.filter((choice) => choice.from === from && choice.to === to);
}

/**
 * @param {Man[]} men
 * @param {string} square
 * @returns {Man | undefined}
 */
export function manOn(men, square) {
  return men.find((man) => man.square === square);
}

/**
 * The edge that a viewer wants at the bottom, after so many turns of the board.
 * @param {GameState} state
 * @param {number} turns
 * @returns {Edge}
 */
export function bottomEdge(state, turns) {
  const seat = ((state.you[0] ?? 0) + turns) % state.seats.length;
  return state.seats[seat]?.edge ?? "bottom";
}

/**
 * The name of whoever sits there.
 * @param {GameState} state
 * @param {number} seat
 */
export function playerName(state, seat) {
  const player = state.players[seat];
  return player && player.kind !== "open" ? (player.name ?? "Guest") : "Open seat";
}
