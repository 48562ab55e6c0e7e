// Pointer input for Blokus: a mouse carries the held piece, a finger drags it.

/** @import { Board } from "../board/board.js" */
/** @import { Cell } from "./tiles.js" */

/**
 * @typedef {object} Carrier
 * @property {string | null} piece
 * @property {Cell | null} center
 * @property {() => Cell[]} coveredCells
 * @property {(at: Cell) => void} hover
 * @property {() => unknown} placePiece
 * @property {((event: PointerEvent) => void) | undefined} [press]
 */

/** A finger this close to the held piece, in cells, drags it. */
const NEAR = 1.5;

/**
 * @param {Board} board
 * @param {Carrier} carrier
 */
export function trackPointer(board, carrier) {
  const { root } = board;
  carrier.press = (event) => {
    if (!carrier.piece) return;
    if (event.pointerType === "touch") drag(board, carrier, event);
    else {
      carrier.hover(cellAt(board, event));
      carrier.placePiece();
    }
  };
  let last = "";
  root.addEventListener("pointermove", (event) => {
    // Browsers also report a resting mouse when something moves below it.
    const where = `${event.clientX} ${event.clientY}`;
    if (event.pointerType === "touch" || where === last) return;
    last = where;
    carrier.hover(cellAt(board, event));
  });
}

/**
 * A finger near the held piece drags it, and a tap there places it; a finger elsewhere moves it there.
 * @param {Board} board
 * @param {Carrier} carrier
 * @param {PointerEvent} down
 */
function drag(board, carrier, down) {
  const start = cellAt(board, down);
  const near = carrier.coveredCells().some(([column, row]) => Math.hypot(column - start[0], row - start[1]) <= NEAR);
  if (!near) carrier.hover(start);
  const from = carrier.center ?? start;
  let moved = !near;
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const mine = (/** @type {PointerEvent} */ event) => event.pointerId === down.pointerId;
  board.root.setPointerCapture(down.pointerId);
  board.root.addEventListener(
    "pointermove",
    (event) => {
      const now = cellAt(board, event);
      if (!mine(event) || (String(now) === String(start) && !moved)) return;
      moved = true;
      carrier.hover([from[0] + now[0] - start[0], from[1] + now[1] - start[1]]);
    },
    options,
  );
  board.root.addEventListener(
    "pointerup",
    (event) => {
      if (!mine(event)) return;
      stop.abort();
      if (!moved) carrier.placePiece();
    },
    options,
  );
  board.root.addEventListener("pointercancel", (event) => mine(event) && stop.abort(), options);
}

/**
 * Returns the cell of the view under a pointer, or the nearest one if it is off the board.
 * @param {Board} board
 * @param {PointerEvent} event
 * @returns {Cell}
 */
function cellAt(board, { clientX, clientY }) {
  const { view } = board;
  const box = board.root.getBoundingClientRect();
  if (!view || box.width === 0) return [0, 0];
  const column = Math.floor(((clientX - box.left) / box.width) * view.columns);
  const row = Math.floor(((clientY - box.top) / box.height) * view.rows);
  return [Math.max(0, Math.min(view.columns - 1, column)), Math.max(0, Math.min(view.rows - 1, row))];
}
