// Your games with their results, your ratings, and the leaderboards.

import { capital, plural } from "../app/names.js";
import { Page } from "../app/page.js";
import { ratingText, signed } from "../play/rating.js";
import { button, el, pageLink, selectField, setText } from "../ui/dom.js";
import { showError } from "../ui/toast.js";
import { gameDetails } from "./time-controls.js";

/** @import { LadderEntry, PlayedGame, Rating } from "../app/protocol.js" */
/** @import { AppContext } from "../play/game-page.js" */

export class HistoryPage extends Page {
  /** @param {AppContext} context */
  constructor(context) {
    super();
    this.context = context;
    this.asked = false;
    /** The id of the last game in the list. @type {string | null} */
    this.last = null;
    this.none = el("p", { class: "none" }, "You have not played any games yet.");
    this.list = el("ul", { class: "games", "aria-label": "Games" });
    this.more = button("Older games", () => this.load().catch(showError));
    this.unrated = el("p", { class: "muted" }, "None yet. Games against bots and people are rated unless you choose casual, or use takebacks or hints.");
    this.ratings = el("ul", { class: "ratings", "aria-label": "Ratings" });
    this.pool = el("select", { id: "ladder-pool", change: () => this.loadLadder().catch(showError) });
    this.ladder = el("ol", { class: "ladder", "aria-label": "Leaderboard" });
    this.ladderCard = el("section", { class: "side-card", "aria-label": "Leaderboard", hidden: true }, el("h2", {}, "Leaderboard"), selectField("Game", this.pool), this.ladder);
    const file = pageLink(context, { href: "/replay" }, "open a game file");
    this.root = el(
      "main",
      { class: "lobby waiting", tabindex: "-1" },
      el("div", { class: "lobby-head" }, el("h1", {}, "Your games"), el("p", {}, "Replay or resume your games, or ", file, ".")),
      el("div", { class: "lobby-lists" }, this.none, this.list, this.more),
      el("div", { class: "lobby-aside" }, el("section", { class: "side-card", "aria-label": "Your ratings" }, el("h2", {}, "Your ratings"), this.unrated, this.ratings), this.ladderCard),
    );
    this.hello();
    document.title = "Your games – Fourfold";
  }

  hello() {
    if (!this.context.hello() || this.asked) return;
    this.asked = true;
    this.load().catch(showError);
  }

  async load() {
    const { games = [], more = false, ratings = [] } = await this.context.link.send({ t: "history", before: this.last });
    if (this.last === null) this.showRatings(ratings);
    this.last = games.at(-1)?.id ?? this.last;
    this.list.append(...games.map((game) => this.row(game)));
    this.none.hidden = this.list.childElementCount > 0;
    this.more.hidden = !more;
    this.root.classList.remove("waiting");
  }

  /** @param {string} game */
  kind(game) {
    return this.context.hello()?.games.find(({ id }) => id === game);
  }

  /** @param {PlayedGame} game */
  row(game) {
    const kind = this.kind(game.game);
    const alone = game.you.length > 1 && game.you.length === game.players.length;
    const names = alone ? "Same screen" : game.players.map((player) => (player.kind === "open" ? "Open seat" : (player.name ?? "Guest"))).join(" – ");
    const what = [kind?.name ?? capital(game.game), ...gameDetails(kind, game), game.outcome ? capital(game.outcome.text) : "", date(game.since)];
    const [word, look] = result(game);
    const change = game.rating_change === null ? "" : ` ${signed(game.rating_change)}`;
    const open = button(game.over ? "Replay" : "Resume", () => this.context.open(`/g/${game.id}${game.over ? replayStart(kind?.realtime) : ""}`), "button small");
    open.setAttribute("aria-label", `${game.over ? "Replay" : "Resume"} ${names}: ${what[0]}, ${word}`);
    return el(
      "li",
      { class: "played" },
      el("div", { class: "game-players" }, names),
      el("div", { class: "game-details" }, ...what.filter(Boolean).map((text) => el("span", {}, text))),
      el("div", { class: `result-word ${look}` }, word, change && el("span", { class: "rating-change", title: "Rating change" }, change)),
      open,
    );
  }

  /** @param {Rating[]} ratings */
  showRatings(ratings) {
    this.unrated.hidden = ratings.length > 0;
    this.ratings.replaceChildren(
      ...ratings.map(({ name, rating, deviation, games }) =>
        el("li", {}, el("span", { class: "rating-name" }, name), ratingText(rating, deviation), el("span", { class: "muted" }, plural(games, "game"))),
      ),
    );
    this.pool.replaceChildren(...ratings.map(({ pool, name }) => el("option", { value: pool }, name)));
    this.ladderCard.hidden = ratings.length === 0;
    if (ratings.length > 0) this.loadLadder().catch(showError);
  }

  async loadLadder() {
    const pool = this.pool.value;
    const { players = [] } = await this.context.link.send({ t: "ladder", pool });
    if (pool === this.pool.value) this.showLadder(pool, /** @type {LadderEntry[]} */ (players));
  }

  /**
   * @param {string} pool
   * @param {LadderEntry[]} players
   */
  showLadder(pool, players) {
    const bots = this.kind(pool.split(" ")[0] ?? "")?.bots ?? [];
    this.ladder.replaceChildren(
      ...players.map(({ bot, name, rating, deviation }) => {
        const shown = el("span", { class: "rating-name" });
        setText(shown, bot === null ? (name ?? "Guest") : `${bots.find(({ id }) => id === bot)?.name ?? bot} bot`);
        return el("li", { class: bot === null ? null : "bot-entry" }, shown, ratingText(rating, deviation));
      }),
    );
  }
}

/**
 * Returns the query string with which a replay starts at the beginning.
 * @param {boolean | undefined} realtime
 */
function replayStart(realtime) {
  return realtime ? "?at=0" : "?ply=0";
}

/**
 * @param {PlayedGame} game
 * @returns {[string, string]} your result, and its class
 */
function result({ over, outcome, you }) {
  if (!over) return ["In progress", ""];
  if (!outcome) return ["Finished", ""];
  if (outcome.text === "game aborted") return ["Aborted", ""];
  if (outcome.winners.length === 0) return ["Draw", ""];
  if (you.length !== 1) return ["Finished", ""];
  return outcome.winners.includes(you[0] ?? -1) ? ["Won", "good"] : ["Lost", "bad"];
}

/** @param {number} time */
function date(time) {
  return time > 0 ? new Date(time).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" }) : "";
}
