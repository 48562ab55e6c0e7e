// The end of a game, on the board.

import { button, el, write } from "./dom.js";
import { iconButton } from "./icons.js";
import { sentence } from "./names.js";
import { rematchText } from "./panel.js";

/** @import { Actions } from "./panel.js" */
/** @import { GameState } from "./protocol.js" */

export class Result {
  /** @param {Actions} actions */
  constructor(actions) {
    this.headline = el("h2");
    this.why = el("p");
    this.rematch = button("Rematch", () => actions.send({ t: "rematch" }), "button primary");
    this.export = el("a", { class: "button", download: true }, "Export");
    const fresh = button("New game", () => actions.open("/"));
    const close = iconButton("Close, show the board", "close", () => this.close(), "button icon close");
    const bar = el("div", { class: "actions" }, this.rematch, fresh, this.export);
    this.root = el(
      "section",
      { class: "result", "aria-label": "Result", hidden: true },
      close,
      this.headline,
      this.why,
      bar,
    );
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    /** Whether it was closed, to see the board. */
    this.closed = false;
  }

  close() {
    this.closed = true;
    this.root.hidden = true;
  }

  /**
   * @param {GameState} state
   * @param {boolean} earlier
   */
  update(state, earlier) {
    if (!state.outcome) this.closed = false;
    this.root.hidden = !state.outcome || earlier || this.closed;
    if (!state.outcome) return;
    write(this.headline, headline(state));
    write(this.why, sentence(state.outcome.text));
    this.rematch.hidden = state.you.length === 0 || state.next !== null;
    const [text, asked] = rematchText(state);
    write(this.rematch, text);
    this.rematch.disabled = asked;
    this.export.href = `/g/${state.id}/export`;
  }
}

/** @param {GameState} state */
function headline(state) {
  const { outcome, you } = state;
  if (!outcome) return "";
  if (outcome.winners.length === 0) return "Draw";
  if (you.length === 1) return outcome.winners.includes(you[0] ?? -1) ? "You won" : "You lost";
  return "Game over";
}
