// The rules in three points, until the player knows them, and a button that opens all of them.

import { read, store } from "../app/preferences.js";
import { button, el } from "../ui/dom.js";
import { showError } from "../ui/toast.js";

/** @import { GameState } from "../app/protocol.js" */
/** @import { Rules } from "./rules.js" */

/** Chess needs no explanation. */
const KNOWN = new Set(["chess"]);

export class RulesCard {
  constructor() {
    this.game = "";
    /** @type {Rules | null} */
    this.rules = null;
    this.list = el("ul");
    this.dismiss = button("Got it", () => this.remember(), "button small");
    this.root = el("section", { class: "brief-rules", "aria-label": "How to play", hidden: true }, this.list, this.dismiss);
    this.button = button("Rules", () => this.open(), "button small plain rules-button");
    this.button.hidden = true;
  }

  /** @param {GameState} state */
  update(state) {
    if (state.game !== this.game) {
      this.game = state.game;
      if (!KNOWN.has(state.game)) this.load(state).catch(showError);
    }
    const playing = state.you.length > 0;
    if (state.outcome && playing && this.rules) this.remember();
    // Real-time games have room for it: they have no list of moves.
    const wanted = state.time ? !state.outcome : playing && !state.outcome && read(this.key) === null;
    this.root.hidden = !this.rules || !wanted;
    this.dismiss.hidden = Boolean(state.time);
    this.button.hidden = !this.rules || this.rules.sections.length === 0;
  }

  /** @param {GameState} state */
  async load(state) {
    const { rulesOf, briefRules } = await import("./rules.js");
    this.rules = rulesOf(state.game);
    this.list.replaceChildren(...(this.rules ? briefRules(this.rules) : []));
    this.update(state);
  }

  get key() {
    return `rules.${this.game}`;
  }

  remember() {
    store(this.key, "known");
    this.root.hidden = true;
  }

  async open() {
    const { openRules } = await import("./rules.js");
    if (this.rules) openRules(this.rules);
  }
}
