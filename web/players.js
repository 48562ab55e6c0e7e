// Who sits at the board: name, what lies beside the board, clock, at the side where they sit.

import { el, man, write } from "./dom.js";
import { turned } from "./geometry.js";
import { capital, pieceName, pieceRank } from "./names.js";
import { playerName } from "./state.js";

/** @import { Clocks } from "./clock.js" */
/** @import { Edge, GameState } from "./protocol.js" */

export class Players {
  /** @param {Clocks} clocks */
  constructor(clocks) {
    this.clocks = clocks;
    this.above = el("div", { class: "players above" });
    this.below = el("div", { class: "players below" });
    /** @type {Strip[]} */
    this.strips = [];
  }

  /**
   * @param {GameState} state
   * @param {string[][]} trays
   * @param {Edge} bottom
   */
  update(state, trays, bottom) {
    for (let seat = this.strips.length; seat < state.seats.length; seat += 1) {
      this.strips.push(new Strip(seat, this.clocks.face(seat)));
    }
    const { above, below } = this;
    /** @type {Record<Edge, [HTMLElement, number]>} */
    const places = { left: [above, 0], top: [above, 1], bottom: [below, 0], right: [below, 1] };
    for (const row of [above, below]) {
      row.classList.toggle("seats-4", state.seats.length > 2);
      row.classList.toggle("seats-2", state.seats.length <= 2);
    }
    this.strips.forEach((strip, seat) => {
      const [place, order] = places[turned(state.seats[seat]?.edge ?? "bottom", bottom)];
      if (strip.root.parentElement !== place) place.append(strip.root);
      strip.root.style.order = String(order);
      strip.update(state, trays[seat] ?? []);
    });
  }
}

class Strip {
  /**
   * @param {number} seat
   * @param {HTMLElement} clock
   */
  constructor(seat, clock) {
    this.seat = seat;
    this.name = el("div", { class: "name" });
    this.about = el("span", { class: "about" });
    this.tray = el("div", { class: "tray" });
    const token = el("span", { class: `token seat-${seat}`, "aria-hidden": "true" });
    const who = el("div", { class: "who" }, this.name, el("div", { class: "beside" }, this.about, this.tray));
    this.root = el("div", { class: "player", role: "group" }, token, who, clock);
    this.lying = "";
  }

  /**
   * @param {GameState} state
   * @param {string[]} tray
   */
  update(state, tray) {
    const { seat } = this;
    const [player, seatName] = [state.players[seat], state.seats[seat]?.name ?? ""];
    const open = player?.kind === "open";
    const mine = state.you.includes(seat);
    write(this.name, playerName(state, seat));
    write(this.about, this.role(state));
    this.root.setAttribute("aria-label", `${seatName}: ${playerName(state, seat)}`);
    this.root.classList.toggle("acting", !state.outcome && state.acting.includes(seat));
    this.root.classList.toggle("away", open || player?.here === false);
    this.root.classList.toggle("mine", mine);
    this.drawTray(state, tray);
  }

  /** @param {GameState} state */
  role(state) {
    const player = state.players[this.seat];
    const seat = capital(state.seats[this.seat]?.name ?? "");
    if (state.you.length === 1 && state.you[0] === this.seat) return `${seat}, you`;
    if (player?.kind === "bot") return `${seat}, bot`;
    if (player?.kind === "guest" && player.here === false) return `${seat}, away`;
    return seat;
  }

  /**
   * @param {GameState} state
   * @param {string[]} tray
   */
  drawTray(state, tray) {
    const lying = tray.join("");
    if (lying === this.lying) return;
    this.lying = lying;
    const sorted = [...tray].sort((a, b) => pieceRank(a) - pieceRank(b));
    // Of two seats, it is the other's men that lie here; of more, the server does not say whose.
    const owner = state.seats.length === 2 ? `${1 - this.seat}` : "out";
    const men = sorted.map((piece) => {
      const face = man(piece, 0, "taken");
      face.classList.replace("seat-0", `seat-${owner}`);
      return face;
    });
    const words = sorted.map(pieceName).join(", ");
    const spoken = el("span", { class: "unseen" }, words && `Beside the board: ${words}`);
    this.tray.replaceChildren(spoken, ...men);
  }
}
