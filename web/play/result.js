// The result of a game, on the board.

import { capital, sentence } from "../app/names.js";
import { button, el, setText } from "../ui/dom.js";
import { iconButton } from "../ui/icons.js";
import { canStudy, hasOpenSeat, isPartner, playerName } from "./game-state.js";
import { rematchText } from "./panel.js";
import { isProvisional, ratingText, signed } from "./rating.js";

/** @import { GameState } from "../app/protocol.js" */
/** @import { Actions } from "./panel.js" */

/** The outcome of a game that was abandoned in its first moves. */
const ABORTED = "game aborted";

export class Result {
  /** @param {Actions} actions */
  constructor(actions) {
    this.headline = el("h2");
    this.reason = el("p");
    this.ratingChange = el("div", { class: "rated", hidden: true });
    this.standings = el("ol", { class: "standings", "aria-label": "Standings" });
    this.rematch = button("Rematch", () => actions.send({ t: "rematch" }), "button primary");
    this.export = el("a", { class: "button", download: true }, "Export");
    this.study = button("Study", actions.study, "button study-it");
    const fresh = button("New game", () => actions.open("/"));
    const close = iconButton("Close", "close", () => this.close(), "button icon close");
    const bar = el("div", { class: "actions" }, this.rematch, this.study, fresh, this.export);
    this.root = el(
      "section",
      { class: "result", "aria-label": "Result", hidden: true },
      close,
      this.headline,
      this.reason,
      this.ratingChange,
      this.standings,
      bar,
    );
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    this.drawn = "";
    /** Whether it was closed to see the board. */
    this.closed = false;
  }

  close() {
    this.closed = true;
    this.root.hidden = true;
  }

  /**
   * Shows how the game has changed your rating, once that is known.
   * @param {GameState} state
   */
  drawRating({ you, ratings }) {
    const [mine] = you.length === 1 ? you.map((seat) => ratings[seat]) : [];
    const ratingChange = mine?.rating_change ?? null;
    this.ratingChange.hidden = ratingChange === null;
    if (!mine || ratingChange === null) return;
    const change = el("span", { class: `change ${ratingChange < 0 ? "down" : "up"}` }, signed(ratingChange));
    const provisional = isProvisional(mine.deviation) ? " (provisional)" : "";
    this.ratingChange.replaceChildren("Your rating ", ratingText(mine.rating, mine.deviation), ", ", change, provisional);
  }

  /**
   * Lists the players by points; equal points share a rank.
   * @param {GameState} state
   */
  drawStandings(state) {
    const { scores } = state;
    this.standings.hidden = scores.length === 0;
    const ranked = scores.map((score, seat) => ({ score, seat })).sort((a, b) => b.score - a.score || a.seat - b.seat);
    const lines = ranked.map(({ score, seat }) => {
      const rank = 1 + scores.filter((other) => other > score).length;
      return { rank, score, seat, name: playerName(state, seat) };
    });
    const drawn = JSON.stringify(lines);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.standings.replaceChildren(
      ...lines.map(({ rank, score, seat, name }) =>
        el(
          "li",
          { class: state.you.includes(seat) && state.you.length === 1 ? "mine" : null },
          el("span", { class: "rank-number" }, `${rank}.`),
          el("span", { class: `token seat-${seat}`, "aria-hidden": "true" }),
          el("span", { class: "standing-name" }, name, " ", el("span", { class: "seat-word" }, capital(state.seats[seat]?.name ?? ""))),
          el("span", { class: "standing-points" }, String(score), el("span", { class: "visually-hidden" }, " points")),
        ),
      ),
    );
  }

  /**
   * @param {GameState} state
   * @param {boolean} earlier
   */
  update(state, earlier) {
    if (!state.outcome) this.closed = false;
    this.root.hidden = !state.outcome || earlier || this.closed;
    if (!state.outcome) return;
    setText(this.headline, headline(state));
    setText(this.reason, state.outcome.text === ABORTED ? abortText(state) : sentence(state.outcome.text));
    this.drawRating(state);
    this.drawStandings(state);
    this.export.hidden = state.id === "file";
    this.rematch.hidden = state.you.length === 0 || state.next !== null || hasOpenSeat(state);
    const [text, asked] = rematchText(state);
    setText(this.rematch, text);
    this.rematch.disabled = asked;
    this.study.hidden = !canStudy(state);
    this.export.href = `/g/${state.id}/export`;
  }
}

/** @param {GameState} state */
function abortText(state) {
  return hasOpenSeat(state) ? "It was canceled before it began." : "Not every player had moved, so nobody wins or loses.";
}

/** @param {GameState} state */
function headline(state) {
  const { outcome, you } = state;
  if (!outcome) return "";
  if (outcome.text === ABORTED) return "Game aborted";
  const { winners } = outcome;
  if (winners.length === 0) return "Draw";
  const [mine, ...more] = you;
  if (mine === undefined || more.length > 0) return "Game over";
  if (!winners.includes(mine)) return "You lost";
  const alone = winners.every((seat) => seat === mine || isPartner(state, seat));
  return alone ? "You won" : "You tied for first";
}
