// What has just happened, shown on the square where it happened: captures, points and eliminations in games for more than two.

import { capital, plural } from "../app/names.js";
import { placeNote } from "../board/board.js";
import { el, pieceImage } from "../ui/dom.js";
import { squaresOf } from "./game-state.js";

/** @import { CapturedPiece, GameState } from "../app/protocol.js" */
/** @import { Board } from "../board/board.js" */

/** How long an event is shown, in milliseconds. Three bots may move in that time. */
const TIME = 4000;

/** Something that happened on a square. @typedef {{square: string, seat: number, captured: CapturedPiece[], points: number, eliminated: number[]}} BoardEvent */

/**
 * Returns what has happened between two states, by square.
 * @param {GameState} before
 * @param {GameState} now
 * @returns {BoardEvent[]}
 */
export function boardEvents(before, now) {
  if (now.seats.length < 3 || before.id !== now.id || now.moves.length < before.moves.length) return [];
  /** @type {Map<string, BoardEvent>} */
  const events = new Map();
  const at = (/** @type {string | undefined} */ square, /** @type {number} */ seat) => {
    if (!square) return null;
    const known = events.get(square) ?? { square, seat, captured: [], points: 0, eliminated: [] };
    events.set(square, known);
    return known;
  };
  const move = now.moves.length > before.moves.length ? now.moves.at(-1) : undefined;
  const to = move && squaresOf(now, move).at(-1);
  now.seats.forEach((_, seat) => {
    const mover = seat === move?.seat;
    const captured = mover ? added(before.captured[seat] ?? [], now.captured[seat] ?? []) : [];
    // The points of Blokus change with every piece, and are shown next to the players.
    const points = now.colors.length > 0 ? 0 : (now.scores[seat] ?? 0) - (before.scores[seat] ?? 0);
    const event = captured.length > 0 || points > 0 ? at(mover ? to : kingSquare(now, seat), seat) : null;
    if (event) {
      event.captured = captured;
      event.points = points;
    }
  });
  for (const seat of now.eliminated) {
    if (!before.eliminated.includes(seat)) at(kingSquare(now, seat) ?? kingSquare(before, seat) ?? to, seat)?.eliminated.push(seat);
  }
  return [...events.values()];
}

/**
 * Returns the pieces of `now` that are not in `before`.
 * @param {CapturedPiece[]} before
 * @param {CapturedPiece[]} now
 */
function added(before, now) {
  const rest = before.map((piece) => JSON.stringify(piece));
  return now.filter((piece) => {
    const index = rest.indexOf(JSON.stringify(piece));
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/**
 * @param {GameState} state
 * @param {number} seat
 */
function kingSquare({ pieces, realtime_pieces = [] }, seat) {
  return [...pieces, ...realtime_pieces].find((piece) => piece.seat === seat && piece.piece === "K")?.square;
}

/**
 * Shows events on the board for a moment. Screen readers get them from the announcements.
 * @param {Board} board
 * @param {GameState} state
 * @param {BoardEvent[]} events
 */
export function showEvents(board, state, events) {
  for (const { square, seat, captured, points, eliminated } of events) {
    const placed = board.view?.byName.get(square);
    if (!placed || !board.view) continue;
    const pieces = captured.map((one) => pieceImage(one.piece, one.seat, "captured"));
    const out = eliminated.map((one) => `${capital(state.seats[one]?.name ?? "")} eliminated`).join(", ");
    const note = el(
      "div",
      { class: "board-event", "aria-hidden": "true" },
      el("span", { class: `token seat-${seat}` }),
      ...pieces,
      points > 0 && el("strong", { title: plural(points, "point") }, `+${points}`),
      out && el("span", {}, out),
    );
    placeNote(note, board.view, [[placed.column, placed.row]], 1);
    board.overlay.append(note);
    stack(note, board.overlay);
    setTimeout(() => note.remove(), TIME);
  }
}

/**
 * Moves a note away from the others.
 * @param {HTMLElement} note
 * @param {HTMLElement} overlay
 */
function stack(note, overlay) {
  const { height } = note.getBoundingClientRect();
  const side = note.style.bottom === "auto" ? "marginTop" : "marginBottom";
  const others = [...overlay.querySelectorAll(".board-event")].filter((other) => other !== note);
  const isCovered = () => others.some((other) => overlaps(note.getBoundingClientRect(), other.getBoundingClientRect()));
  for (let line = 1; line <= others.length && isCovered(); line += 1) note.style[side] = `${line * (height + 4)}px`;
}

/** @param {DOMRect} one @param {DOMRect} other */
function overlaps(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
