// The lobby: open games, live games, and a form for a new open game.

import { capital, watchersText } from "../app/names.js";
import { Page } from "../app/page.js";
import { read, store } from "../app/preferences.js";
import { ratingText } from "../play/rating.js";
import { button, el, pageLink, selectField, setText } from "../ui/dom.js";
import { RATED } from "./game-cards.js";
import { oneAtATime } from "./one-at-a-time.js";
import { CLOCKS, CUSTOM, CustomClock, gameDetails } from "./time-controls.js";

/** @import { GameKind, Listing, Lobby, TimeControl } from "../app/protocol.js" */
/** @import { AppContext } from "../play/game-page.js" */
/** @import { Child } from "../ui/dom.js" */

/** A game in a list: its players, its name, details, and buttons. @typedef {[Child[], string, string[], HTMLElement[]]} Row */

export class LobbyPage extends Page {
  /** @param {AppContext} context */
  constructor(context) {
    super();
    this.context = context;
    this.runOnce = oneAtATime();
    this.waiting = new GameList("Open games", "No open games. Create one, and the first player to join plays you.", (game) => this.waitingRow(game));
    this.playing = new GameList("Live games", "No live games.", (game) => this.playingRow(game));
    this.newGame = new NewGameForm((...options) => this.create(...options));
    const yours = pageLink(context, { href: "/you" }, "your games");
    const open = pageLink(context, { href: "/replay" }, "Open a game file");
    this.root = el(
      "main",
      { class: "lobby waiting", tabindex: "-1" },
      el("div", { class: "lobby-head" }, el("h1", {}, "Lobby"), el("p", {}, "Join a game with one click, or watch one. See also ", yours, ".")),
      el("div", { class: "lobby-lists" }, this.waiting.root, this.playing.root),
      el("div", { class: "lobby-aside" }, this.newGame.root, el("p", { class: "muted" }, open, ", or drop it here.")),
    );
    this.hello();
    document.title = "Lobby – Fourfold";
  }

  hello() {
    const hello = this.context.hello();
    if (hello) this.newGame.fill(hello.games);
  }

  /** @param {Lobby} lobby */
  lobby(lobby) {
    this.root.classList.remove("waiting");
    this.waiting.show(lobby.waiting);
    this.playing.show(lobby.playing);
  }

  /**
   * @param {Listing} game
   * @returns {Row}
   */
  waitingRow(game) {
    const seat = game.players.findIndex(({ kind }) => kind === "open");
    const mine = game.you.length > 0;
    const seats = this.kind(game)?.seats ?? [];
    const players = names(game);
    const join = mine
      ? button("Return", () => this.context.open(`/g/${game.id}`), "button small")
      : button("Join", () => this.join(game, seat), "button small primary");
    join.setAttribute("aria-label", mine ? `Return to your ${this.title(game)}` : `Join ${players}: ${this.title(game)}, as ${seats[seat] ?? `player ${seat + 1}`}`);
    const cancel = button("Cancel", () => this.cancel(game), "button small");
    cancel.setAttribute("aria-label", `Cancel your ${this.title(game)}`);
    const isAlone = game.players.filter(({ kind }) => kind === "guest").length === 1;
    const buttons = mine && isAlone ? [cancel, join] : [join];
    return [namesWithRatings(game), this.title(game), [...gameDetails(this.kind(game), game), game.rated ? "" : "Casual", seatsText(game)], buttons];
  }

  /**
   * @param {Listing} game
   * @returns {Row}
   */
  playingRow(game) {
    const mine = game.you.length > 0;
    const watch = button(mine ? "Return" : "Watch", () => this.context.open(`/g/${game.id}`), "button small");
    watch.setAttribute("aria-label", `${mine ? "Return to" : "Watch"} ${names(game)}: ${this.title(game)}`);
    return [namesWithRatings(game), this.title(game), [...gameDetails(this.kind(game), game), game.rated ? "" : "Casual", watchersText(game.watchers)], [watch]];
  }

  /** @param {Listing} game */
  kind(game) {
    return this.context.hello()?.games.find(({ id }) => id === game.game);
  }

  /** @param {Listing} game */
  title(game) {
    return this.kind(game)?.name ?? capital(game.game);
  }

  /**
   * Takes a seat and opens the game.
   * @param {Listing} game
   * @param {number} seat
   */
  async join(game, seat) {
    await this.runOnce(async () => {
      const { link } = this.context;
      await link.send({ t: "watch", game: game.id });
      try {
        await link.send({ t: "sit", seat });
      } catch (error) {
        link.send({ t: "leave" }).catch(() => {}); // Without a connection nothing is watched anyway.
        throw error;
      }
      this.context.open(`/g/${game.id}`);
    });
  }

  /**
   * Ends your game that is waiting for players.
   * @param {Listing} game
   */
  async cancel(game) {
    await this.runOnce(async () => {
      const { link } = this.context;
      await link.send({ t: "watch", game: game.id });
      try {
        await link.send({ t: "abort" });
      } finally {
        link.send({ t: "leave" }).catch(() => {}); // Without a connection nothing is watched anyway.
      }
    });
  }

  /**
   * @param {string} game
   * @param {TimeControl | null} clock
   * @param {string | undefined} rules
   * @param {boolean} casual
   */
  async create(game, clock, rules, casual) {
    await this.runOnce(async () => {
      const made = await this.context.link.send({ t: "create", game, opponent: "friend", seat: null, clock, rules, listed: true, casual });
      if (made.game) this.context.open(`/g/${made.game}`);
    });
  }
}

/** A list of games that is updated live and keeps the focus. */
class GameList {
  /**
   * @param {string} title
   * @param {string} none the text of an empty list
   * @param {(game: Listing) => Row} row
   */
  constructor(title, none, row) {
    this.row = row;
    this.count = el("span", { class: "count" });
    this.list = el("ul", { class: "games", "aria-label": title });
    this.none = el("p", { class: "none" }, none);
    this.root = el("section", { "aria-label": title }, el("h2", {}, title, " ", this.count), this.none, this.list);
    /** @type {Map<string, {drawn: string, node: HTMLElement}>} */
    this.rows = new Map();
  }

  /** @param {Listing[]} games */
  show(games) {
    setText(this.count, games.length > 0 ? String(games.length) : "");
    this.none.hidden = games.length > 0;
    const before = this.rows;
    this.rows = new Map(
      games.map((game) => {
        const drawn = JSON.stringify(game);
        const known = before.get(game.id);
        return [game.id, known?.drawn === drawn ? known : { drawn, node: this.draw(game) }];
      }),
    );
    const focused = [...before].find(([, { node }]) => node.contains(document.activeElement))?.[0];
    const nodes = [...this.rows.values()].map(({ node }) => node);
    if (nodes.some((node, index) => this.list.children[index] !== node) || nodes.length !== this.list.children.length) this.list.replaceChildren(...nodes);
    if (focused) this.rows.get(focused)?.node.querySelector("button")?.focus({ preventScroll: true });
  }

  /** @param {Listing} game */
  draw(game) {
    const [players, name, details, actions] = this.row(game);
    const words = details.filter(Boolean).map((text) => el("span", {}, text));
    return el("li", {}, el("div", { class: "game-players" }, ...players), el("div", { class: "game-details" }, el("span", { class: "game-kind" }, name), ...words), el("div", { class: "game-buttons" }, ...actions));
  }
}

/** The form for a new open game. */
class NewGameForm {
  /** @param {(game: string, clock: TimeControl | null, rules: string | undefined, casual: boolean) => void} create */
  constructor(create) {
    this.create = create;
    /** @type {GameKind[]} */
    this.kinds = [];
    this.game = el("select", { id: "offer-game", change: () => this.change() });
    this.clock = el("select", { id: "offer-clock", change: () => this.change() }, ...CLOCKS.map(({ id, name }) => el("option", { value: id }, id === "none" ? "No clock" : name)));
    this.clock.value = read("offer.clock") ?? "none";
    this.clockField = selectField("Clock", this.clock);
    this.custom = new CustomClock(() => {});
    this.rated = el("select", { id: "offer-rated" }, ...RATED.map(({ id, name }) => el("option", { value: id }, name)));
    this.rated.value = read("offer.rated") ?? "rated";
    /** @type {HTMLSelectElement[]} */
    this.rules = [];
    this.ruleFields = el("div", { class: "rule-fields" });
    this.root = el(
      "section",
      { class: "side-card", "aria-label": "New open game" },
      el("h2", {}, "New open game"),
      selectField("Game", this.game),
      this.ruleFields,
      this.clockField,
      this.custom.root,
      selectField("Mode", this.rated),
      button("Create game", () => this.open(), "button primary"),
      el("p", { class: "muted" }, "The game is listed here until someone joins. To play a friend by private link, start from the home page."),
    );
  }

  /** @param {GameKind[]} kinds */
  fill(kinds) {
    if (this.kinds.length > 0) return;
    this.kinds = kinds;
    this.game.replaceChildren(...kinds.map(({ id, name }) => el("option", { value: id }, name)));
    const known = read("offer.game");
    if (kinds.some(({ id }) => id === known)) this.game.value = known ?? "";
    this.change();
  }

  get kind() {
    return this.kinds.find(({ id }) => id === this.game.value);
  }

  change() {
    const { kind } = this;
    this.clockField.hidden = Boolean(kind?.realtime);
    this.custom.root.hidden = this.clockField.hidden || this.clock.value !== CUSTOM;
    this.rules = (kind?.choices ?? []).map(({ name, options }) =>
      el("select", { id: `offer-${name.toLowerCase()}` }, ...options.map((option) => el("option", { value: option.rules }, option.name))),
    );
    this.ruleFields.replaceChildren(...this.rules.map((select, index) => selectField(kind?.choices[index]?.name ?? "", select)));
  }

  open() {
    const { kind } = this;
    if (!kind) return;
    store("offer.game", kind.id);
    store("offer.clock", this.clock.value);
    store("offer.rated", this.rated.value);
    const chosen = this.clock.value;
    const clock = chosen === CUSTOM ? this.custom.clock() : (CLOCKS.find(({ id }) => id === chosen)?.clock ?? null);
    const rules = this.rules.map(({ value }) => value).filter(Boolean).join(" ");
    this.create(kind.id, kind.realtime ? null : clock, kind.realtime ? rules : undefined, this.rated.value === "casual");
  }
}

/** @param {Listing} game */
function names(game) {
  const known = game.players.flatMap((player) => (player.kind === "open" ? [] : [player.name ?? "Guest"]));
  return known.join(" – ");
}

/**
 * @param {Listing} game
 * @returns {Child[]}
 */
function namesWithRatings(game) {
  const known = game.players.flatMap((player, seat) => {
    const rated = game.ratings[seat];
    return player.kind === "open" ? [] : [[player.name ?? "Guest", rated ? " " : "", rated ? ratingText(rated.rating, rated.deviation) : ""]];
  });
  return known.flatMap((one, index) => (index > 0 ? [" – ", ...one] : one));
}

/** @param {Listing} game */
function seatsText(game) {
  const open = game.players.filter(({ kind }) => kind === "open").length;
  return game.players.length > 2 ? `${open} of ${game.players.length} seats open` : "";
}
