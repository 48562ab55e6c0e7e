// Board input: mouse, touch and keyboard events become the same few calls.

/** @import { Board } from "./board.js" */
/** @import { StrokeColor } from "./annotations.js" */

/**
 * What reacts to input on a board.
 * @typedef {object} BoardHandler
 * @property {() => string | null} selected the square of the selected piece
 * @property {(square: string) => boolean} canPickUp
 * @property {(from: string, to: string) => boolean} isTarget whether the move is legal, or possible as a premove
 * @property {(square: string | null) => void} select
 * @property {(from: string, to: string) => void} drop
 * @property {(from: string) => void} [discard] called for a piece that is dropped off the board, instead of putting it back
 * @property {() => boolean} cancel clears the selection and the premove; false if there was nothing to clear
 * @property {(event: PointerEvent) => void} [press] called instead of picking up the piece under the pointer
 * @property {() => void} [enter] called instead of picking up the piece on the focused square
 */

const RIGHT = 2;
/** The right button in `buttons`. */
const RIGHT_HELD = 2;

/**
 * @param {Board} board
 * @param {BoardHandler} handler
 */
export function listen(board, handler) {
  const { root } = board;
  root.addEventListener("contextmenu", (event) => event.preventDefault());
  guardClicks(board);
  root.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || board.overlay.contains(/** @type {Node} */ (event.target))) return;
    const square = board.squareAt(event.clientX, event.clientY);
    event.preventDefault(); // No focus and no text selection.
    const { activeElement } = document;
    const typing = activeElement instanceof HTMLInputElement;
    if (activeElement instanceof HTMLElement && (typing || board.cellLayer.contains(activeElement))) activeElement.blur();
    if (event.button === RIGHT || (event.button === 0 && event.ctrlKey)) pressRight(board, handler, event, square);
    else if (event.button === 0) pressLeft(board, handler, event, square);
  });
  board.cellLayer.addEventListener("keydown", (event) => pressKey(board, handler, event));
  board.cellLayer.addEventListener("focusin", (event) => {
    const cell = /** @type {HTMLElement} */ (event.target);
    if (cell.dataset.square) board.setTabStop(cell.dataset.square);
  });
}

/**
 * Ignores a click on something that opened over the squares while they were pressed.
 * @param {Board} board
 */
function guardClicks({ root, overlay }) {
  let began = false;
  const isOver = (/** @type {Event} */ event) => overlay.contains(/** @type {Node} */ (event.target));
  root.addEventListener("pointerdown", (event) => (began = !isOver(event)), { capture: true });
  root.addEventListener(
    "click",
    (event) => {
      if (began && isOver(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
      began = false;
    },
    { capture: true },
  );
}

/**
 * @param {Board} board
 * @param {BoardHandler} handler
 * @param {PointerEvent} event
 * @param {string | null} square
 */
function pressLeft(board, handler, event, square) {
  board.annotations.clear();
  board.clearNote();
  if (handler.press) return handler.press(event);
  const selected = handler.selected();
  if (square && selected && square !== selected && handler.isTarget(selected, square)) {
    return handler.drop(selected, square);
  }
  if (!square || !handler.canPickUp(square)) {
    return void handler.cancel();
  }
  handler.select(square);
  return drag(board, handler, event, square, selected === square);
}

/**
 * @param {Board} board
 * @param {BoardHandler} handler
 * @param {PointerEvent} down
 * @param {string} from
 * @param {boolean} again whether it was already selected: a click then deselects it
 */
function drag(board, handler, down, from, again) {
  const byFinger = down.pointerType === "touch";
  const lifted = board.pickUp(from, byFinger);
  if (!byFinger) lifted?.carry(down.clientX, down.clientY);
  let left = false;
  const drop = trackPointer(board.root, down, {
    move: (event) => {
      if (event.buttons & RIGHT_HELD) return drop(); // The right button cancels.
      const over = board.squareAt(event.clientX, event.clientY);
      left ||= over !== from || isFar(down, event);
      board.setHover(over && handler.isTarget(from, over) ? over : null);
      if (left || !byFinger) lifted?.carry(event.clientX, event.clientY);
      return undefined;
    },
    up: (event) => {
      const to = board.squareAt(event.clientX, event.clientY);
      board.setHover(null);
      if (to && to !== from && handler.selected() === from) handler.drop(from, to);
      else if (!to && handler.discard) handler.discard(from);
      else if (!to || again || left) handler.select(null);
      lifted?.put();
    },
    lose: () => {
      board.setHover(null);
      handler.select(null);
      lifted?.put();
    },
  });
}

/**
 * @param {PointerEvent} down
 * @param {PointerEvent} now
 */
function isFar(down, now) {
  return Math.hypot(now.clientX - down.clientX, now.clientY - down.clientY) > 12;
}

/**
 * @param {Board} board
 * @param {BoardHandler} handler
 * @param {PointerEvent} down
 * @param {string | null} from
 */
function pressRight(board, handler, down, from) {
  if (handler.cancel() || !from) return;
  const color = strokeColor(down);
  board.annotations.preview({ from, to: from, color });
  trackPointer(board.root, down, {
    move: (event) => {
      const to = board.squareAt(event.clientX, event.clientY);
      board.annotations.preview(to ? { from, to, color } : null);
    },
    up: (event) => {
      const to = board.squareAt(event.clientX, event.clientY);
      if (to) board.annotations.toggle({ from, to, color });
      else board.annotations.preview(null);
    },
    lose: () => board.annotations.preview(null),
  });
}

/**
 * @param {MouseEvent} event
 * @returns {StrokeColor}
 */
function strokeColor({ shiftKey, altKey }) {
  if (shiftKey) return altKey ? "amber" : "red";
  return altKey ? "blue" : "green";
}

/**
 * Follows a pointer until it is released.
 * @param {HTMLElement} root
 * @param {PointerEvent} down
 * @param {{move: (event: PointerEvent) => void, up: (event: PointerEvent) => void, lose?: () => void}} on
 * @returns {() => void} stops following, as if the pointer had been lost
 */
export function trackPointer(root, down, on) {
  const stop = new AbortController();
  const { signal } = stop;
  root.setPointerCapture(down.pointerId);
  const lose = () => {
    if (signal.aborted) return;
    stop.abort();
    on.lose?.();
  };
  const listenTo = (/** @type {"pointermove" | "pointerup" | "pointercancel" | "lostpointercapture"} */ type, /** @type {(event: PointerEvent) => void} */ act) =>
    root.addEventListener(type, (event) => event.pointerId === down.pointerId && act(event), { signal });
  listenTo("pointermove", (event) => {
    if (event.buttons === 0) lose(); // It was released outside of the page.
    else on.move(event);
  });
  listenTo("pointerup", (event) => {
    stop.abort();
    on.up(event);
  });
  listenTo("pointercancel", lose);
  listenTo("lostpointercapture", lose);
  return lose;
}

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {Board} board
 * @param {BoardHandler} handler
 * @param {KeyboardEvent} event
 */
function pressKey(board, handler, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const step = STEPS[event.key];
  if (step) {
    moveFocus(board, step);
  } else if (handler.enter && (event.key === "Enter" || event.key === " ")) {
    handler.enter();
  } else if (event.key === "Enter" || event.key === " ") {
    const [square, selected] = [board.focus, handler.selected()];
    if (selected === square) handler.cancel();
    else if (selected && (handler.isTarget(selected, square) || !handler.canPickUp(square))) handler.drop(selected, square);
    else if (handler.canPickUp(square)) handler.select(square);
  } else if (event.key !== "Escape" || !handler.cancel()) {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Moves the focus by one square, skipping cells that are not on the board.
 * @param {Board} board
 * @param {[number, number]} step
 */
function moveFocus(board, [right, down]) {
  const { view } = board;
  const start = view?.byName.get(board.focus);
  if (!view || !start) return;
  let { column, row } = start;
  do {
    column += right;
    row += down;
    const next = view.at(column, row);
    if (next) {
      board.setTabStop(next.name);
      board.cells.get(next.name)?.focus();
      return;
    }
  } while (column >= 0 && row >= 0 && column < view.columns && row < view.rows);
}
