// The links for friends, bots for seats that nobody takes, and the truth about who can open a link.

import { copyButton } from "./copy.js";
import { button, el, write } from "./dom.js";
import { capital } from "./names.js";
import { openSeats } from "./state.js";

/** @import { GameState, Hello } from "./protocol.js" */

/** The seat that the address of the page names, or -1. */
export function invitedSeat() {
  const named = new URLSearchParams(location.search).get("seat");
  return named !== null && /^\d+$/.test(named) ? Number(named) : -1;
}

export class Invite {
  /** @param {(seat: number, bot: string) => void} fill gives a seat to a bot */
  constructor(fill) {
    this.fill = fill;
    this.link = el("input", {
      type: "text",
      readonly: true,
      "aria-label": "Link to this game",
      focus: () => this.link.select(),
    });
    this.copy = copyButton("Copy link", () => this.link.value, this.link);
    this.title = el("h2");
    /** One line for each open seat, where there are several. */
    this.seats = el("ul", { class: "open-seats" });
    this.scope = el("p", { class: "scope" });
    this.root = el(
      "section",
      { class: "invite", "aria-label": "Invite", hidden: true },
      this.title,
      el("div", { class: "field" }, this.link, this.copy),
      this.seats,
      this.scope,
    );
    this.drawn = "";
    /** @type {HTMLElement[]} */
    this.lines = [];
  }

  /**
   * @param {GameState} state
   * @param {Hello | null} hello
   */
  update(state, hello) {
    const open = openSeats(state);
    this.root.hidden = open.length === 0 || state.you.length === 0 || Boolean(state.outcome);
    if (this.root.hidden) return;
    const several = state.seats.length > 2;
    write(this.title, several ? "Send this link to friends" : "Send this link to a friend");
    this.link.value = `${location.origin}/g/${state.id}`;
    this.drawSeats(state, several ? open : [], hello);
    write(this.scope, scopeText(hello?.scope));
  }

  /**
   * A line for each open seat; one that is taken goes, and the others stay as they are.
   * @param {GameState} state
   * @param {number[]} open
   * @param {Hello | null} hello
   */
  drawSeats(state, open, hello) {
    const bot = hello?.games.find(({ id }) => id === state.game)?.bots.at(-1)?.id ?? "";
    const drawn = `${state.id} ${bot}`;
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.lines = state.seats.map((_, seat) => this.line(state, seat, bot));
      this.seats.replaceChildren(...this.lines);
    }
    this.seats.hidden = open.length === 0;
    this.lines.forEach((line, seat) => (line.hidden = !open.includes(seat)));
  }

  /**
   * @param {GameState} state
   * @param {number} seat
   * @param {string} bot
   */
  line(state, seat, bot) {
    const name = state.seats[seat]?.name ?? "";
    const token = el("span", { class: `token seat-${seat}`, "aria-hidden": "true" });
    const whose = () => el("span", { class: "unseen" }, ` for ${name}`);
    const copy = copyButton("Copy link", () => `${location.origin}/g/${state.id}?seat=${seat}`);
    copy.classList.add("small");
    copy.append(whose());
    const give = button("Bot", () => this.fill(seat, bot), "button small");
    give.append(whose());
    give.hidden = !bot;
    return el("li", {}, token, el("span", { class: "seat-name" }, capital(name)), copy, give);
  }
}

/** @param {Hello["scope"] | undefined} scope */
function scopeText(scope) {
  const here = /^(localhost$|127\.|\[::1\])/.test(location.hostname);
  if (scope === "network" && here)
    return (
      "This address works on this computer only. " +
      "Open the page by the computer's address in the network, and copy the link there."
    );
  return scope === "network"
    ? "It opens for all who reach this computer."
    : "Only this computer reaches this server: open the link in another browser here. " +
        "To invite others, start it with --bind 0.0.0.0";
}
