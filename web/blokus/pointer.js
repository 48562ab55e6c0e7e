// Pointer input for Blokus: a mouse carries the held piece, a finger drags it.

import { trackPointer } from "../board/input.js";

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
export function carryPiece(board, carrier) {
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
  trackPointer(board.root, down, {
    move: (event) => {
      const now = cellAt(board, event);
      if (String(now) === String(start) && !moved) return;
      moved = true;
      carrier.hover([from[0] + now[0] - start[0], from[1] + now[1] - start[1]]);
    },
    up: () => {
      if (!moved) carrier.placePiece();
    },
  });
}

/**
 * Returns the cell of the view under a pointer, or the nearest one if it is off the board.
 * @param {Board} board
 * @param {PointerEvent} event
 * @returns {Cell}
 */
function cellAt(board, { clientX, clientY }) {
  const { columns = 1, rows = 1 } = board.view ?? {};
  const [column, row] = board.cellAt(clientX, clientY);
  return [Math.max(0, Math.min(columns - 1, column || 0)), Math.max(0, Math.min(rows - 1, row || 0))];
}
