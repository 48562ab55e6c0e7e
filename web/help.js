// The list of shortcuts and controls.

import { button, el } from "./dom.js";

/** @type {[string, string][]} */
const KEYS = [
  ["← →", "one move back, one on"],
  ["Home End", "first position, latest position"],
  ["p, Space, + −", "of a game that is over: play, pause, faster, slower"],
  ["f", "turn the board"],
  ["h", "a hint: what a strong player would do; against bots and at one board, in games with turns"],
  ["m", "sound on, sound off"],
  ["Tab, then arrows", "walk over the board"],
  ["Enter or Space", "pick a man up, put it down"],
  ["Esc", "put it back, forget a planned move"],
  ["?", "this list"],
];

/** @type {[string, string][]} */
const PIECES = [
  ["1 2 3 4 5", "next piece of so many squares"],
  ["r, Shift+r, x", "turn it right, left, flip it; wheel and Shift+wheel too"],
  ["n, Shift+n", "next place where it fits, the one before"],
  ["Enter, or a click", "lay it"],
  ["c", "show the frontier"],
];

/** @type {[string, string][]} */
const STUDY = [
  ["↑ ↓", "the variation above, the one below"],
  ["a h e p …", "switch a fact: its letter stands beside it"],
  ["v", "the engine: evaluation and best lines"],
  ["j", "the mistakes of the game"],
  ["Ctrl+V", "load a FEN or a PGN"],
  ["Ctrl+Z", "undo a change of the study"],
];

/** @type {[string, string][]} */
const HANDS = [
  ["Drag, or click and click", "move a man; while others think, or while it flies or rests, plan its next move"],
  ["Drop or paste a file", "look at a game: PGN, PGN4, Blokus SGF, a replay of kung fu chess"],
  ["Right button", "circle a square, or draw an arrow"],
  ["with Shift, Alt, both", "in red, blue, amber"],
];

/** @type {HTMLDialogElement | null} */
let dialog = null;

export function openHelp() {
  if (!dialog) {
    const close = button("Close", () => dialog?.close(), "button primary");
    dialog = el(
      "dialog",
      { class: "keys", "aria-labelledby": "help-title" },
      el("h2", { id: "help-title" }, "Keys and hands"),
      table(KEYS),
      table(HANDS),
      el("h3", {}, "Where pieces are laid"),
      table(PIECES),
      el("h3", {}, "On the study board"),
      table(STUDY),
      close,
    );
    dialog.addEventListener("click", (event) => event.target === dialog && dialog?.close());
    document.body.append(dialog);
  }
  if (!dialog.open) dialog.showModal();
}

/** @param {[string, string][]} lines */
function table(lines) {
  return el("dl", {}, ...lines.flatMap(([key, what]) => [el("dt", {}, key), el("dd", {}, what)]));
}
