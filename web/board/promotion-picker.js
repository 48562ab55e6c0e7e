// The promotion picker: chooses between moves that differ only in what the piece becomes.

import { pieceName, pieceRank } from "../app/names.js";
import { el, pieceImage } from "../ui/dom.js";

/** @import { LegalMove } from "../app/protocol.js" */
/** @import { Board } from "./board.js" */

/**
 * Asks on the board, at the square where the piece goes.
 * @param {Board} board
 * @param {LegalMove[]} choices
 * @param {number} seat
 * @returns {{picked: Promise<LegalMove | null>, close: () => void}}
 */
export function pick(board, choices, seat) {
  const before = document.activeElement;
  const sorted = [...choices].sort((a, b) => pieceRank(a.promotion) - pieceRank(b.promotion));
  /** @type {(choice: LegalMove | null) => void} */
  let settle = () => {};
  const picked = new Promise((resolve) => (settle = resolve));
  const buttons = sorted.map((choice) => {
    const name = choice.promotion ? `${pieceName(choice.promotion)}, ${choice.text}` : choice.text;
    const face = choice.promotion ? pieceImage(choice.promotion, seat, "face") : choice.text;
    return el(
      "button",
      { type: "button", class: "pick", "aria-label": name, title: name, click: () => close(choice) },
      face,
    );
  });
  const list = el("div", { class: "picks", role: "dialog", "aria-label": "Promote to" }, ...buttons);
  const veil = el("div", { class: "veil", pointerdown: leave, keydown: press }, list);
  place(board, list, choices);
  board.overlay.append(veil);
  buttons[0]?.focus();
  return { picked: /** @type {Promise<LegalMove | null>} */ (picked), close: () => close(null) };

  /** @param {PointerEvent} event */
  function leave(event) {
    if (event.target === veil) close(null);
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const at = buttons.findIndex((button) => button === document.activeElement);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
    if (event.key === "Escape") close(null);
    else if (step) buttons[(at + step + buttons.length) % buttons.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {LegalMove | null} choice */
  function close(choice) {
    if (!veil.isConnected) return;
    veil.remove();
    if (before instanceof HTMLElement && before !== document.body) before.focus();
    settle(choice);
  }
}

/**
 * Places the list at the target, growing toward the center of the board.
 * @param {Board} board
 * @param {HTMLElement} list
 * @param {LegalMove[]} choices
 */
function place(board, list, choices) {
  const { view } = board;
  const placed = view?.byName.get(choices[0]?.to ?? "");
  if (!view || !placed) return;
  // Squares may be smaller than a button.
  list.style.left = `min(${(100 * placed.column) / view.columns}%, 100% - 44px)`;
  if (placed.row < view.rows / 2) {
    list.style.top = `${(100 * placed.row) / view.rows}%`;
  } else {
    list.style.bottom = `${100 - (100 * (placed.row + 1)) / view.rows}%`;
    list.classList.add("upward");
  }
}
