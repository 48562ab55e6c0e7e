// Invitations: links for friends, bots for open seats, and who can open the links.

import { capital } from "../app/names.js";
import { read, store } from "../app/preferences.js";
import { copyButton } from "../ui/copy-button.js";
import { button, el, selectField, setText } from "../ui/dom.js";
import { openSeats } from "./game-state.js";
import { ShareScope } from "./share-scope.js";

/** @import { GameState, Hello, Network } from "../app/protocol.js" */

/** Returns the seat in the page's URL, or -1. */
export function invitedSeat() {
  const named = new URLSearchParams(location.search).get("seat");
  return named !== null && /^\d+$/.test(named) ? Number(named) : -1;
}

export class Invite {
  /**
   * @param {(seat: number, bot: string) => void} fill gives a seat to a bot
   * @param {(open: boolean) => Promise<unknown>} turn opens the server to the network, or closes it; rejected with the reason
   */
  constructor(fill, turn) {
    this.fill = fill;
    /** The id of the game. */
    this.id = "";
    this.scope = new ShareScope(turn);
    this.scope.changed = () => this.drawLink();
    this.link = el("input", {
      type: "text",
      readonly: true,
      "aria-label": "Link to this game",
      focus: () => this.link.select(),
    });
    this.copy = copyButton("Copy link", () => this.link.value, this.link);
    this.title = el("h2");
    /** One line for each open seat, if the game has more than two seats. */
    this.seats = el("ul", { class: "open-seats" });
    this.level = el("select", { id: "invite-level", change: () => store(`${this.game}.bot`, this.level.value) });
    this.levelField = selectField("Bot level", this.level);
    this.game = "";
    this.root = el(
      "section",
      { class: "invite", "aria-label": "Invite", hidden: true },
      this.title,
      el("div", { class: "field" }, this.link, this.copy),
      this.levelField,
      this.seats,
      this.scope.root,
    );
    this.drawn = "";
    /** @type {HTMLElement[]} */
    this.lines = [];
  }

  /**
   * @param {GameState} state
   * @param {Hello | null} hello
   * @param {Network | null} network
   */
  update(state, hello, network) {
    const open = openSeats(state);
    this.root.hidden = open.length === 0 || state.you.length === 0 || Boolean(state.outcome);
    if (this.root.hidden) return;
    const several = state.seats.length > 2;
    setText(this.title, several ? "Send this link to friends" : "Send this link to a friend");
    this.id = state.id;
    this.scope.update(state.id, network);
    this.drawLink();
    this.drawSeats(state, several ? open : [], hello);
  }

  drawLink() {
    const link = `${this.scope.origin}/g/${this.id}`;
    if (this.link.value !== link) this.link.value = link;
  }

  /**
   * Shows a line for each open seat. Lines are hidden, not rebuilt, when a seat is taken.
   * @param {GameState} state
   * @param {number[]} open
   * @param {Hello | null} hello
   */
  drawSeats(state, open, hello) {
    const bots = hello?.games.find(({ id }) => id === state.game)?.bots ?? [];
    const drawn = `${state.id} ${bots.length}`;
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.game = state.game;
      this.lines = state.seats.map((_, seat) => this.line(state, seat, bots.length > 0));
      this.seats.replaceChildren(...this.lines);
      this.level.replaceChildren(...bots.map(({ id, name, rating }) => el("option", { value: id }, `${name} (${rating})`)));
      const known = read(`${state.game}.bot`);
      this.level.value = (bots.find(({ id }) => id === known) ?? bots[1] ?? bots[0])?.id ?? "";
    }
    this.levelField.hidden = open.length === 0 || bots.length === 0;
    this.seats.hidden = open.length === 0;
    this.lines.forEach((line, seat) => (line.hidden = !open.includes(seat)));
  }

  /**
   * @param {GameState} state
   * @param {number} seat
   * @param {boolean} hasBots
   */
  line(state, seat, hasBots) {
    const name = state.seats[seat]?.name ?? "";
    const token = el("span", { class: `token seat-${seat}`, "aria-hidden": "true" });
    const whose = () => el("span", { class: "visually-hidden" }, ` for ${name}`);
    const copy = copyButton("Copy link", () => `${this.scope.origin}/g/${state.id}?seat=${seat}`);
    copy.classList.add("small");
    copy.append(whose());
    const give = button("Add bot", () => this.fill(seat, this.level.value), "button small");
    give.append(whose());
    give.hidden = !hasBots;
    return el("li", {}, token, el("span", { class: "seat-name" }, capital(name)), copy, give);
  }
}
