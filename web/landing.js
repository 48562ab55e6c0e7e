// The first page: a live board, and one press to play.

import { Board } from "./board.js";
import { Clocks } from "./clock.js";
import { button, el, follow, write } from "./dom.js";
import { lobbyText } from "./lobby.js";
import { capital, inSentence } from "./names.js";
import { Place } from "./place.js";
import { Players } from "./players.js";
import { read, store } from "./prefs.js";
import { reasonOf } from "./socket.js";
import { bottomEdge, isGrey, playerName, wearTints } from "./state.js";
import { CLOCKS } from "./timecontrols.js";
import { notice } from "./toast.js";

/** @import { Around } from "./game.js" */
/** @import { GameKind, GameState, Lobby, Opponent, TimeControl } from "./protocol.js" */

/** Who may watch a game against a bot. */
const SEEN = [
  { id: "lobby", name: "Everybody", about: "The lobby lists the game" },
  { id: "link", name: "Who has the link", about: "The lobby does not list it" },
];

export class LandingPage {
  /** @param {Around} around */
  constructor(around) {
    this.around = around;
    /** Whether a game is being made. */
    this.busy = false;
    this.board = new Board({ interactive: false, name: "A live game" });
    this.clocks = new Clocks();
    this.kinds = el("div", { class: "kinds" });
    this.watch = el(
      "a",
      { class: "watch", click: (/** @type {MouseEvent} */ event) => this.follow(event, this.watch.pathname) },
      "Watch this game",
    );
    this.lobbyWords = el("span", {}, "games that wait for a player");
    const lobby = el("a", { href: "/lobby", click: (/** @type {MouseEvent} */ event) => this.follow(event, "/lobby") }, "the lobby");
    this.study = el("a", { href: "/study", click: (/** @type {MouseEvent} */ event) => this.follow(event, "/study") }, "the study board");
    const environments = el("a", { href: "/environments", click: (/** @type {MouseEvent} */ event) => this.follow(event, "/environments") }, "the environments");
    this.place = new Place(this.board, new Players(this.clocks));
    const intro = el(
      "div",
      { class: "intro waiting" },
      el("h1", {}, "Sit down and play."),
      el("p", { class: "tagline" }, "Board games against bots or friends. No account, nothing to install."),
      this.kinds,
      el("p", { class: "study-line" }, "Or meet others: ", lobby, " – ", this.lobbyWords, "."),
      el("p", { class: "study-line" }, "Or look closely: ", this.study, " shows what is attacked, pinned, hanging, won."),
      el("p", { class: "study-line" }, "Or look through other eyes: ", environments, " show the planes and actions that agents learn from."),
      el(
        "p",
        { class: "live-line" },
        el("span", { class: "live-dot", "aria-hidden": "true" }),
        "On the board: a live game. ",
        this.watch,
      ),
    );
    this.root = el("main", { class: "landing", tabindex: "-1" }, this.place.root, intro);
    this.hello();
    document.title = "Fourfold";
  }

  /** The live game. */
  get id() {
    return this.around.hello()?.live ?? null;
  }

  hello() {
    const hello = this.around.hello();
    if (!hello || this.kinds.childElementCount > 0) return;
    this.root.querySelector(".waiting")?.classList.remove("waiting");
    this.kinds.replaceChildren(
      ...hello.games.map((kind) => new KindCard(kind, (...wish) => this.create(kind, ...wish)).root),
    );
    if (hello.live) this.watch.href = `/g/${hello.live}`;
    else this.watch.parentElement?.remove();
  }

  /** @param {Lobby} lobby */
  lobby(lobby) {
    write(this.lobbyWords, lobbyText(lobby));
  }

  /** @param {GameState} state */
  update(state) {
    const bottom = bottomEdge({ ...state, you: [] }, 0);
    wearTints(this.place.root, state);
    this.board.lay(state.board, bottom);
    this.board.set(state.men, (seat) => isGrey(state, state, seat));
    this.board.mark({ last: state.last_move, check: state.check });
    const names = state.seats.map((seat, index) => `${playerName(state, index)} as ${seat.name}`);
    this.board.name(`A live game: ${names.join(", ")}`);
    this.clocks.update(state);
    this.place.update(state, state, bottom);
  }

  /**
   * @param {GameKind} kind
   * @param {Opponent} opponent
   * @param {number | null} seat
   * @param {TimeControl | null} clock
   * @param {boolean} listed
   * @param {string} [rules]
   */
  async create(kind, opponent, seat, clock, listed, rules) {
    if (this.busy) return;
    this.busy = true;
    try {
      const { game } = await this.around.link.send({ t: "create", game: kind.id, opponent, seat, clock, rules, listed });
      if (game) this.around.open(`/g/${game}`);
    } catch (error) {
      notice(reasonOf(error));
    } finally {
      this.busy = false;
    }
  }

  /**
   * @param {MouseEvent} event
   * @param {string} path
   */
  follow(event, path) {
    follow(event, () => this.around.open(path));
  }

  key() {
    return false;
  }

  close() {
    this.clocks.stop();
  }
}

/** One kind of game: a button to play, and what may be chosen. */
class KindCard {
  /**
   * @param {GameKind} kind
   * @param {(opponent: Opponent, seat: number | null, clock: TimeControl | null, listed: boolean, rules?: string) => void} create
   */
  constructor(kind, create) {
    this.kind = kind;
    const { bots } = kind;
    const seats = [
      { id: "any", name: "Any" },
      ...kind.seats.map((name, seat) => ({ id: String(seat), name: capital(name) })),
    ];
    this.bot = this.choice("bot", "Opponent", bots, bots.at(-1)?.id ?? "");
    this.seat = this.choice("seat", "Your side", seats, "any");
    this.clock = this.choice("clock", "Clock", CLOCKS, "none");
    /** What its rules offer; a game without turns has no clocks, and its sides are alike. */
    this.rules = kind.choices.map(({ name, options }) => {
      const named = options.map((option) => ({ id: option.rules || "usual", name: option.name }));
      return this.choice(name.toLowerCase(), name, named, named[0]?.id ?? "");
    });
    this.seen = this.choice("seen", "Who may watch", SEEN, "lobby");
    if (kind.realtime) for (const { root } of [this.seat, this.clock]) root.hidden = true;
    this.about = el("p", { class: "about-bot" });
    this.summary = el("summary");
    const start = (/** @type {Opponent} */ opponent, listed = false) =>
      kind.realtime ? create(opponent, null, null, listed, this.ruleWish()) : create(opponent, this.seatWish(), this.clockWish(), listed);
    const play = button(
      `Play ${inSentence(kind.name)}`,
      () => start({ bot: this.bot.value() }, this.seen.value() === "lobby"),
      "button primary large",
    );
    const friend = button(kind.seats.length === 2 ? "Play a friend" : "Play friends", () => start("friend"));
    const self = button(kind.seats.length === 2 ? "Two at one board" : "All at one board", () => start("self"));
    self.hidden = kind.realtime;
    this.root = el(
      "section",
      { class: "kind", "aria-label": kind.name },
      play,
      el("div", { class: "others" }, friend, self),
      el(
        "details",
        { name: "options" },
        this.summary,
        el("div", { class: "options" }, this.bot.root, this.about, ...this.rules.map(({ root }) => root), this.seat.root, this.clock.root, this.seen.root),
      ),
    );
    this.update();
  }

  seatWish() {
    const value = this.seat.value();
    return value === "any" ? null : Number(value);
  }

  clockWish() {
    return CLOCKS.find(({ id }) => id === this.clock.value())?.clock ?? null;
  }

  ruleWish() {
    return this.rules.map((rule) => rule.value()).filter((words) => words !== "usual").join(" ");
  }

  /** What is chosen, by name. */
  ruleNames() {
    return this.kind.choices.map(({ options }, index) => {
      const value = this.rules[index]?.value();
      return options.find(({ rules }) => (rules || "usual") === value)?.name.toLowerCase() ?? "";
    });
  }

  update() {
    const bot = this.kind.bots.find(({ id }) => id === this.bot.value());
    write(this.about, bot ? `${bot.name} ${bot.about}.` : "");
    const side = this.kind.seats[this.seatWish() ?? -1] ?? "any side";
    const clock = this.clockWish() ? this.clock.value() : "no clock";
    const chosen = this.kind.realtime ? this.ruleNames() : [side, clock];
    write(this.summary, [bot ? `${bot.name} bot` : "", ...chosen].filter(Boolean).join(" · "));
  }

  /**
   * A row of choices of which one holds, and is remembered.
   * @param {string} what
   * @param {string} title
   * @param {{id: string, name: string, about?: string}[]} options
   * @param {string} usual
   */
  choice(what, title, options, usual) {
    const key = `${this.kind.id}.${what}`;
    const stored = read(key);
    const chosen = options.find(({ id }) => id === stored)?.id ?? usual;
    const inputs = options.map(({ id }) => {
      const change = () => {
        store(key, id);
        this.update();
      };
      return el("input", { type: "radio", name: key, value: id, checked: id === chosen, change });
    });
    const labels = options.map(({ name, about }, index) => el("label", { title: about ?? null }, inputs[index], el("span", {}, name)));
    const root = el("fieldset", { class: "choice" }, el("legend", {}, title), el("div", { class: "pills" }, ...labels));
    return { root, value: () => inputs.find((input) => input.checked)?.value ?? usual };
  }
}
