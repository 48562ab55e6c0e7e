// The players around the board: name, rating, points, captured pieces and clock, at their sides.

import { capital, pieceName, plural } from "../app/names.js";
import { turned } from "../board/geometry.js";
import { el, pieceImage, setText } from "../ui/dom.js";
import { hasOpenSeat, isPartner, playerName } from "./game-state.js";
import { ratingText, signed } from "./rating.js";

/** @import { CapturedPiece, Color, Edge, GameState, Piece, Position, SeatRating } from "../app/protocol.js" */
/** @import { Clocks } from "./clock.js" */

/** What pieces are worth in pawns. @type {Record<string, number>} */
const VALUES = { P: 1, N: 3, B: 3, R: 5, Q: 9 };

/**
 * Returns a seat's material lead in chess, in pawns.
 * @param {Piece[]} pieces
 * @param {number} seat
 */
export function materialLead(pieces, seat) {
  return pieces.reduce((sum, { piece, seat: owner }) => sum + (owner === seat ? 1 : -1) * (VALUES[piece] ?? 0), 0);
}

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
   * @param {Position} position the position that is shown
   * @param {Edge} bottom
   */
  update(state, position, bottom) {
    for (let seat = this.strips.length; seat < state.seats.length; seat += 1) {
      this.strips.push(new Strip(seat, this.clocks.face(seat)));
    }
    const { above, below } = this;
    // At each player's right hand; in Blokus at the corner where the player starts, which is at the left hand.
    /** @type {Record<Edge, [HTMLElement, number]>} */
    const places = state.colors.length > 0
      ? { left: [above, 0], top: [above, 1], bottom: [below, 0], right: [below, 1] }
      : { top: [above, 0], right: [above, 1], left: [below, 0], bottom: [below, 1] };
    this.strips.forEach((strip, seat) => {
      const side = turned(state.seats[seat]?.edge ?? "bottom", bottom);
      const [place, order] = places[side];
      if (strip.root.parentElement !== place) place.append(strip.root);
      strip.root.style.order = String(order);
      strip.root.dataset.side = side;
      strip.update(state, position);
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
    this.rating = el("span", { class: "standing" });
    this.seatName = el("span", { class: "seat-word" });
    this.comma = el("span", { class: "comma" });
    this.role = el("span", { class: "role" });
    this.about = el("span", { class: "about" }, this.seatName, this.comma, this.role);
    this.tray = el("div", { class: "tray" });
    this.score = el("span");
    this.points = el("div", { class: "points" }, this.score, el("span", { class: "unit" }, " pts"));
    this.token = el("span", { class: "token", "aria-hidden": "true" });
    /** The token of a second color. */
    this.secondToken = el("span", { class: "token", "aria-hidden": "true", hidden: true });
    const tokens = el("div", { class: "tokens" }, this.token, this.secondToken);
    const who = el("div", { class: "player-info" }, el("div", { class: "name-line" }, this.name, this.rating), el("div", { class: "beside" }, this.about, this.tray));
    const meters = el("div", { class: "meters" }, this.points, clock);
    this.root = el("div", { class: `player seat-${seat}`, role: "group" }, tokens, who, meters);
    this.drawnTray = "";
    this.drawnRating = "";
  }

  /**
   * @param {GameState} state
   * @param {Position} position
   */
  update(state, position) {
    const { seat, root } = this;
    const [player, seatName] = [state.players[seat], state.seats[seat]?.name ?? ""];
    const open = player?.kind === "open";
    const eliminated = position.eliminated.includes(seat);
    setText(this.name, playerName(state, seat));
    this.drawRating(state.ratings[seat]);
    // There is little room for four names.
    const before = state.seats.length > 2 ? this.about : this.name;
    if (before.nextElementSibling !== this.rating) before.after(this.rating);
    const role = this.roleOf(state, eliminated);
    setText(this.seatName, capital(seatName));
    setText(this.comma, role && ", ");
    setText(this.role, role);
    root.classList.toggle("partner", role === "partner");
    const points = position.scores[seat];
    this.points.hidden = points === undefined;
    this.points.title = plural(points ?? 0, "point");
    setText(this.score, String(points ?? ""));
    root.setAttribute("aria-label", `${seatName}: ${playerName(state, seat)}`);
    root.classList.toggle("acting", !state.outcome && !hasOpenSeat(state) && state.acting.includes(seat));
    root.classList.toggle("won", Boolean(state.outcome?.winners.includes(seat)));
    root.classList.toggle("away", open || player?.connected === false);
    root.classList.toggle("mine", state.you.includes(seat));
    root.classList.toggle("eliminated", eliminated);
    this.token.classList.toggle("seat-eliminated", eliminated);
    if (position.colors.length > 0) this.showColors(position.colors, eliminated);
    else this.drawCaptured(position.captured[seat] ?? [], state.game === "chess" ? materialLead(position.pieces, seat) : 0);
  }

  /**
   * @param {GameState} state
   * @param {boolean} eliminated
   */
  roleOf(state, eliminated) {
    const player = state.players[this.seat];
    if (eliminated) return "eliminated";
    if (state.you.length === 1 && state.you[0] === this.seat) return "you";
    if (isPartner(state, this.seat)) return "partner";
    if (player?.kind === "bot") return "bot";
    return player?.kind === "guest" && player.connected === false ? "away" : "";
  }

  /**
   * Shows a seat's colors, and how many of their pieces are left.
   * @param {Color[]} colors
   * @param {boolean} eliminated
   */
  showColors(colors, eliminated) {
    const own = colors.flatMap((color, index) => (color.seat === this.seat ? [{ ...color, index }] : []));
    const [, second] = own;
    this.secondToken.hidden = !second;
    this.secondToken.className = `token seat-${second?.index}${eliminated ? " seat-eliminated" : ""}`;
    const left = own.reduce((sum, color) => sum + color.left.length, 0);
    const done = own.every((color) => color.done) && !eliminated ? ", no moves" : "";
    setText(this.tray, `${left} left${done}`);
  }

  /**
   * Shows the rating, and how much the game has changed it.
   * @param {SeatRating | undefined} standing
   */
  drawRating(standing) {
    const rated = JSON.stringify(standing ?? null);
    if (rated === this.drawnRating) return;
    this.drawnRating = rated;
    const { rating = 0, deviation = 0, rating_change = null } = standing ?? {};
    const change = rating_change === null ? null : el("span", { class: `change ${rating_change < 0 ? "down" : "up"}` }, ` ${signed(rating_change)}`);
    this.rating.replaceChildren(...(standing ? [ratingText(rating, deviation)] : []), ...(change ? [change] : []));
  }

  /**
   * @param {CapturedPiece[]} captured
   * @param {number} lead in material
   */
  drawCaptured(captured, lead) {
    const drawn = JSON.stringify([captured, lead]);
    if (drawn === this.drawnTray) return;
    this.drawnTray = drawn;
    this.tray.hidden = captured.length === 0 && lead <= 0;
    const pieces = captured.map(({ piece, seat }) => pieceImage(piece, seat, "captured"));
    const words = captured.map(({ piece }) => pieceName(piece)).join(", ");
    const spoken = el("span", { class: "visually-hidden" }, words && `Captured: ${words}`);
    const ahead = lead > 0 ? [el("span", { class: "lead", title: "Material lead" }, `+${lead}`, el("span", { class: "visually-hidden" }, " material"))] : [];
    this.tray.replaceChildren(spoken, ...pieces, ...ahead);
  }
}
