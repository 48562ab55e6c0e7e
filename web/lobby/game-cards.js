// The games on the home page: a card for each family, with buttons to play and options.

import { capital, inSentence, sentence } from "../app/names.js";
import { read, store } from "../app/preferences.js";
import { button, el, setText } from "../ui/dom.js";
import { checks, FAMILIES, gamePicture } from "./games.js";
import { CLOCKS, clockText, CUSTOM, CustomClock } from "./time-controls.js";

/** @import { GameKind, Opponent, TimeControl } from "../app/protocol.js" */
/** @import { GameEntry } from "./games.js" */

/** An option; `ariaLabel` is its accessible name if `name` says too little. @typedef {{id: string, name: string, about?: string, ariaLabel?: string}} Option */
/** @typedef {{opponent: Opponent, seat: number | null, clock: TimeControl | null, listed: boolean, casual: boolean, rules: string | undefined}} GameOptions */

/** Who may watch a game against a bot. */
const VISIBILITY = [
  { id: "lobby", name: "Anyone", about: "Listed in the lobby" },
  { id: "link", name: "Anyone with the link", about: "Not listed in the lobby" },
];

export const RATED = [
  { id: "rated", name: "Rated", about: "The result changes your rating" },
  { id: "casual", name: "Casual", about: "The result does not change your rating" },
];

/**
 * Creates a card for each family of games, and for each game without a family.
 * @param {GameKind[]} games
 * @param {(kind: GameKind, chosen: GameOptions) => void} create
 */
export function familyCards(games, create) {
  const known = new Set(FAMILIES.flatMap((family) => Object.keys(family.games)));
  const ungrouped = games.filter(({ id }) => !known.has(id)).map(({ id, name }) => ({ name, about: "", games: { [id]: { name, picture: checks } } }));
  return [...FAMILIES, ...ungrouped].flatMap((family) => {
    const members = Object.entries(family.games).flatMap(([id, entry]) => games.filter((game) => game.id === id).map((kind) => ({ kind, entry })));
    return members.length > 0 ? [familyCard(family.name, family.about, members, create)] : [];
  });
}

/**
 * @param {string} name
 * @param {string} about
 * @param {{kind: GameKind, entry: GameEntry}[]} members
 * @param {(kind: GameKind, chosen: GameOptions) => void} create
 */
function familyCard(name, about, members, create) {
  const cards = members.map(({ kind }) => new KindCard(kind, (chosen) => create(kind, chosen)).root);
  const mark = el("div", { class: "family-picture" });
  const head = el("div", { class: "family-head" }, mark, el("div", {}, el("h2", {}, name), el("p", {}, about)));
  const show = (/** @type {string} */ chosen) => {
    for (const [index, { kind, entry }] of members.entries()) {
      const card = cards[index];
      if (card) card.hidden = kind.id !== chosen;
      if (kind.id === chosen) mark.replaceChildren(gamePicture(entry));
    }
  };
  const first = members[0]?.kind.id ?? "";
  if (members.length > 1) {
    const options = members.map(({ kind, entry }) => ({ id: kind.id, name: entry.name, ariaLabel: `${entry.name}: ${kind.name}` }));
    const variant = choice(`family.${first}`, `${name} variant`, options, first, () => show(variant.value()));
    variant.root.classList.add("variant");
    head.append(variant.root);
    show(variant.value());
  } else show(first);
  return el("div", { class: "family" }, head, ...cards);
}

/** One game: buttons to play it, and options. */
class KindCard {
  /**
   * @param {GameKind} kind
   * @param {(chosen: GameOptions) => void} create
   */
  constructor(kind, create) {
    this.kind = kind;
    const { bots } = kind;
    const seats = [
      { id: "any", name: "Random" },
      ...kind.seats.map((name, seat) => ({ id: String(seat), name: capital(name) })),
    ];
    // The weakest level that does not move at random: newcomers can beat it.
    this.bot = this.choice("bot", "Opponent", bots, (bots[1] ?? bots[0])?.id ?? "");
    this.seat = this.choice("seat", "Your side", seats, "any");
    this.clock = this.choice("clock", "Clock", CLOCKS, "none");
    this.clock.root.classList.add("clock-choice");
    this.custom = new CustomClock(() => this.update());
    this.clock.root.append(this.custom.root);
    /** The options of its rules. Real-time games have no clocks, and their sides are alike. */
    this.rules = kind.choices.map(({ name, options }) => {
      const named = options.map((option) => ({ id: option.rules || "usual", name: option.name }));
      return this.choice(name.toLowerCase(), name, named, named[0]?.id ?? "");
    });
    this.rated = this.choice("rated", "Mode", RATED, "rated");
    this.visibility = this.choice("seen", "Spectators", VISIBILITY, "lobby");
    if (kind.realtime) for (const { root } of [this.seat, this.clock]) root.hidden = true;
    this.about = el("p", { class: "about-bot" });
    this.summary = el("summary");
    const start = (/** @type {Opponent} */ opponent, listed = false) => {
      const turns = { seat: this.chosenSeat(), clock: this.chosenClock(), rules: undefined };
      const chosen = kind.realtime ? { seat: null, clock: null, rules: this.chosenRules() } : turns;
      create({ opponent, listed, casual: this.rated.value() === "casual", ...chosen });
    };
    const two = kind.seats.length === 2;
    const play = labeledButton(`Play ${inSentence(kind.name)}`, "Play", () => start({ bot: this.bot.value() }, this.visibility.value() === "lobby"), "button primary");
    const friend = two ? labeledButton("Play a friend", "A friend", () => start("friend")) : labeledButton("Play friends", "Friends", () => start("friend"));
    const self = labeledButton(two ? "Two players, same screen" : "All players, same screen", "Same screen", () => start("self"));
    self.hidden = kind.realtime;
    // A game without bots is played on one screen or by link.
    for (const node of [play, this.bot.root, this.visibility.root]) node.hidden = bots.length === 0;
    this.root = el(
      "section",
      { class: "kind", "aria-label": kind.name },
      el("div", { class: "starts" }, play, friend, self),
      el(
        "details",
        { name: "options" },
        this.summary,
        el("div", { class: "options" }, this.bot.root, this.about, ...this.rules.map(({ root }) => root), this.seat.root, this.clock.root, this.rated.root, this.visibility.root),
      ),
    );
    this.update();
  }

  chosenSeat() {
    const value = this.seat.value();
    return value === "any" ? null : Number(value);
  }

  chosenClock() {
    const chosen = this.clock.value();
    return chosen === CUSTOM ? this.custom.clock() : (CLOCKS.find(({ id }) => id === chosen)?.clock ?? null);
  }

  chosenRules() {
    return this.rules.map((rule) => rule.value()).filter((words) => words !== "usual").join(" ");
  }

  /** Returns the names of the chosen rules. */
  ruleNames() {
    return this.kind.choices.map(({ options }, index) => {
      const value = this.rules[index]?.value();
      return options.find(({ rules }) => (rules || "usual") === value)?.name.toLowerCase() ?? "";
    });
  }

  update() {
    const bot = this.kind.bots.find(({ id }) => id === this.bot.value());
    setText(this.about, bot ? `${sentence(bot.about)} Rating ${bot.rating}.` : "");
    const side = this.kind.seats[this.chosenSeat() ?? -1] ?? "random side";
    const clock = clockText(this.chosenClock()) || "no clock";
    this.custom.root.hidden = this.clock.value() !== CUSTOM;
    const chosen = this.kind.realtime ? this.ruleNames() : [side, clock];
    if (this.rated.value() === "casual") chosen.push("casual");
    setText(this.summary, [bot ? `${bot.name} bot (${bot.rating})` : "", ...chosen].filter(Boolean).join(" · "));
  }

  /**
   * @param {string} what
   * @param {string} title
   * @param {Option[]} options
   * @param {string} usual
   */
  choice(what, title, options, usual) {
    return choice(`${this.kind.id}.${what}`, title, options, usual, () => this.update());
  }
}

/**
 * Creates a button whose accessible name says more than its text.
 * @param {string} name
 * @param {string} text
 * @param {() => void} press
 * @param {string} [classes]
 */
function labeledButton(name, text, press, classes) {
  const node = button(text, press, classes);
  node.setAttribute("aria-label", name);
  return node;
}

/**
 * Creates a row of radio buttons, and remembers the choice.
 * @param {string} key
 * @param {string} title
 * @param {Option[]} options
 * @param {string} usual
 * @param {() => void} changed
 */
function choice(key, title, options, usual, changed) {
  const stored = read(key);
  const chosen = options.find(({ id }) => id === stored)?.id ?? usual;
  const inputs = options.map(({ id, ariaLabel }) => {
    const change = () => {
      store(key, id);
      changed();
    };
    return el("input", { type: "radio", name: key, value: id, checked: id === chosen, "aria-label": ariaLabel ?? null, change });
  });
  const labels = options.map(({ name, about }, index) => el("label", { title: about ?? null }, inputs[index], el("span", {}, name)));
  const root = el("fieldset", { class: "choice" }, el("legend", {}, title), el("div", { class: "pills" }, ...labels));
  return { root, value: () => inputs.find((input) => input.checked)?.value ?? usual };
}
