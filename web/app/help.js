// The list of shortcuts and controls.

import { openDialog } from "../ui/dialog.js";
import { button, el } from "../ui/dom.js";

/** @type {[string, string][]} */
const KEYS = [
  ["← →", "previous move, next move"],
  ["Home End", "first position, latest position"],
  ["p, Space, + −", "replay: play, pause, faster, slower"],
  ["f", "flip the board"],
  ["h", "hint (turn-based games against bots and on one screen)"],
  ["m", "toggle sound"],
  ["Tab, then arrows", "move the focus on the board"],
  ["Enter or Space", "pick up a piece, put it down"],
  ["Esc", "put the piece back, cancel a premove"],
  ["?", "this list"],
];

/** @type {[string, string][]} */
const PIECES = [
  ["1 2 3 4 5", "next piece with that many squares"],
  ["r, Shift+r, x", "rotate right, rotate left, flip; also wheel and Shift+wheel"],
  ["n, Shift+n", "next legal placement, previous legal placement"],
  ["Enter, or a click", "place it"],
  ["c", "show the frontier: squares where the next piece can touch a corner"],
];

/** @type {[string, string][]} */
const STUDY = [
  ["↑ ↓", "previous variation, next variation"],
  ["a h e p …", "toggle a fact by its letter"],
  ["v", "toggle the engine: evaluation and best lines"],
  ["j", "toggle mistakes"],
  ["Ctrl+V", "load a FEN or a PGN"],
  ["Ctrl+Z", "undo a change to the study"],
];

/** @type {[string, string][]} */
const POINTER = [
  ["Drag, or click both squares", "move a piece; on other players' turns, or while it moves or rests, premove it"],
  ["Drop or paste a file", "open a game: PGN, PGN4, Blokus SGF or a kung fu chess replay"],
  ["Right click, right drag", "circle a square, draw an arrow"],
  ["… with Shift, Alt, both", "in red, blue, amber"],
];

export function openHelp() {
  const title = "Shortcuts and controls";
  const close = button("Close", () => dialog.close(), "button primary");
  const dialog = openDialog(
    title,
    "",
    el("h2", {}, title),
    table(KEYS),
    table(POINTER),
    el("h3", {}, "Blokus"),
    table(PIECES),
    el("h3", {}, "Study board"),
    table(STUDY),
    close,
  );
}

/** @param {[string, string][]} rows */
function table(rows) {
  return el("dl", {}, ...rows.flatMap(([key, meaning]) => [el("dt", {}, key), el("dd", {}, meaning)]));
}
