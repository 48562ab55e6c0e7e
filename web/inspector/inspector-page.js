// The environment inspector: the observation planes and the action mask of a position or of a game in progress.

import { BatchPanel } from "./batch-panel.js";
import { copyButton } from "../ui/copy-button.js";
import { button, el, write } from "../ui/dom.js";
import { capital, sentence } from "../app/names.js";
import { Gallery } from "./planes.js";
import { followGame, sense } from "./inspector-requests.js";
import { actionsAt, SightBoard, viewerText } from "./inspector-board.js";
import { reasonOf } from "../app/connection.js";
import { wearTints } from "../play/game-state.js";
import { Tabs } from "../ui/tabs.js";

/** @import { Around } from "../play/game-page.js" */
/** @import { Item } from "./planes.js" */
/** @import { GameState } from "../app/protocol.js" */
/** @import { Action, Sight, Where } from "./inspector-requests.js" */

/** Milliseconds between random steps, and between updates of a real-time game. */
const PACE = 900;
const LIVE_PACE = 300;
/** How many actions are listed as text at most. */
const MOST_LISTED = 96;
/** The fewest and the most steps from the start to a random position. */
const RANDOM = [4, 40];

export class EnvironmentsPage {
  /** @param {Around} around */
  constructor(around) {
    this.around = around;
    const asked = new URLSearchParams(location.search);
    /** The id of the arena game to follow, if any. */
    this.id = asked.get("game");
    this.game = asked.get("of") ?? "chess";
    /** Where the position comes from. @type {Where} */
    this.where = { game: this.game, position: asked.get("position"), moves: [] };
    /** The seat that observes, in simultaneous games. @type {number | null} */
    this.seat = null;
    /** @type {Sight | null} */
    this.sight = null;
    /** The selected square of the view. @type {number | null} */
    this.chosen = null;
    this.closed = false;
    this.playing = false;
    this.timer = 0;
    /** Whether a request is pending, and whether another must follow it. */
    this.busy = false;
    this.stale = false;
    this.kinds = el("select", { id: "env-game", change: () => this.choose(this.kinds.value) });
    this.eyes = el("select", { id: "env-seat", change: () => this.look(Number(this.eyes.value)) });
    this.eyesField = field("Observer", this.eyes);
    this.board = new SightBoard({ choose: (square) => this.pick(square), play: (action) => this.play(action) });
    this.status = el("p", { class: "sight-status", role: "status" });
    this.fresh = button("Reset", () => this.restart(), "button");
    this.random = button("Random position", () => this.jump(), "button");
    this.step = button("Step", () => this.walk(), "button");
    this.run = button("Play", () => this.toggle(), "button primary");
    this.text = el("input", { type: "text", id: "env-position", spellcheck: "false", autocomplete: "off" });
    this.link = el("input", { type: "text", id: "env-follow", spellcheck: "false", autocomplete: "off", placeholder: "Link or ID of a game" });
    this.reason = el("p", { class: "reason", role: "alert" });
    this.channels = new Gallery("Observation", (item) => this.point(item));
    this.beside = new Gallery("Other arrays", () => {});
    this.mask = new Gallery("Legal actions", (item) => this.point(item));
    this.mask.root.classList.add("mask-gallery");
    this.all = el("input", { type: "checkbox", change: () => this.drawMask() });
    this.allText = el("span");
    this.count = el("p", { class: "mask-count" });
    this.list = el("ul", { class: "action-list", "aria-label": "Legal actions as text" });
    this.code = el("code");
    this.batch = new BatchPanel(() => this.sight?.game ?? this.game);
    this.tabs = this.makeTabs();
    this.root = el("main", { class: "env waiting", tabindex: "-1" }, this.aside(), this.tabs.root);
    this.hello();
    document.title = "Environment inspector – Fourfold";
    this.refresh();
  }

  aside() {
    const free = el("div", { class: "actions env-steps", role: "group", "aria-label": "Position" }, this.run, this.step, this.random, this.fresh);
    const place = form("Position as text", this.text, "Set", () => this.place(this.text.value));
    const followed = form("Follow a game", this.link, "Follow", () => this.follow(this.link.value));
    const stop = el("div", { class: "actions" }, button("Stop following", () => this.leave(), "button"), button("Open the game", () => this.around.open(`/g/${this.id}`), "button"));
    return el(
      "div",
      { class: "env-aside" },
      el("h1", {}, "Environment inspector"),
      el("div", { class: "env-choice" }, this.id ? null : field("Game", this.kinds), this.eyesField),
      el("div", { class: "env-board" }, this.board.root),
      this.status,
      this.id ? stop : free,
      this.reason,
      this.id ? null : place,
      this.id ? null : followed,
    );
  }

  makeTabs() {
    const mask = el("div", { class: "mask" }, this.count, el("label", { class: "check-line" }, this.all, this.allText), this.list, this.mask.root);
    const copy = copyButton("Copy", () => this.code.textContent ?? "");
    copy.classList.add("small");
    const python = el("section", { class: "python", "aria-label": "In Python" }, el("div", { class: "python-head" }, el("h2", {}, "Reproduce in Python"), copy), el("pre", { tabindex: "0" }, this.code));
    return new Tabs([
      { id: "observation", name: "Observation", body: el("div", {}, this.channels.root, this.beside.root) },
      { id: "mask", name: "Legal actions", body: mask },
      { id: "code", name: "Python and speed", body: el("div", { class: "code-tab" }, python, this.batch.root) },
    ]);
  }

  hello() {
    const hello = this.around.hello();
    if (!hello || this.kinds.childElementCount > 0) return;
    this.kinds.replaceChildren(...hello.games.map(({ id, name }) => el("option", { value: id }, name)));
    this.kinds.value = this.game;
  }

  // Choosing a position

  /** Called when the followed game has changed. @param {GameState} state */
  update(state) {
    this.refresh();
    clearTimeout(this.timer);
    if (state.time?.phase === "running") this.timer = setTimeout(() => this.update(state), LIVE_PACE);
  }

  /** @param {string} game */
  choose(game) {
    this.stop();
    this.game = game;
    this.seat = null;
    this.batch.clear();
    this.go({ game, position: null, moves: [] });
  }

  /** @param {number} seat */
  look(seat) {
    this.seat = seat;
    this.refresh();
  }

  restart() {
    this.stop();
    this.go({ game: this.game, position: null, moves: [] });
  }

  jump() {
    this.stop();
    const [least, most] = /** @type {[number, number]} */ (RANDOM);
    const random = least + Math.floor(Math.random() * (most - least + 1));
    this.go({ game: this.game, position: null, moves: [], random, seed: chance() });
  }

  /** Takes one random step. */
  walk() {
    return this.go({ ...this.where, random: 1, seed: chance() });
  }

  toggle() {
    if (this.playing) return this.stop();
    this.playing = true;
    write(this.run, "Pause");
    return this.tick();
  }

  async tick() {
    await this.walk();
    if (!this.playing || this.closed) return;
    if (this.sight?.over) this.stop();
    else this.timer = setTimeout(() => this.tick(), PACE);
  }

  stop() {
    this.playing = false;
    write(this.run, "Play");
    clearTimeout(this.timer);
  }

  /** @param {Action} action */
  play({ text }) {
    const { sight } = this;
    if (!sight || this.id) return;
    const wait = sight.legal.find(({ plane }) => plane === null)?.text ?? "";
    const step = sight.simultaneous ? sight.seats.map((_, seat) => (seat === sight.seat ? text : wait)).join(" ") : text;
    this.stop();
    this.go({ ...this.where, moves: [...(this.where.moves ?? []), step] });
  }

  /** @param {string} text a position */
  async place(text) {
    this.stop();
    const position = text.trim();
    if (position) await this.go({ game: this.game, position, moves: [] });
  }

  /** @param {string} text a link or an id */
  follow(text) {
    const id = /([0-9a-z]+)\/?(?:[?#].*)?$/.exec(text.trim())?.[1];
    if (id) this.around.open(`/environments?game=${id}`);
  }

  /** Stops following the game, and stays at its position. */
  leave() {
    const { game, position } = this.sight ?? { game: this.game, position: "" };
    this.around.open(`/environments?${new URLSearchParams({ of: game, ...(position ? { position } : {}) })}`);
  }

  // Showing a position

  /** @param {Where} where */
  async go(where) {
    this.chosen = null;
    try {
      const sight = await sense({ ...where, seat: where.game === this.where.game ? this.seat : null });
      if (this.closed || this.game !== where.game) return;
      this.where = { game: where.game, position: where.position ?? null, moves: sight.moves };
      this.show(sight);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Updates the view, after the pending request if there is one. */
  async refresh() {
    if (this.busy) return void (this.stale = true);
    this.busy = true;
    try {
      do {
        this.stale = false;
        const sight = await (this.id ? followGame(this.id, this.seat) : sense({ ...this.where, seat: this.seat }));
        if (this.closed) return undefined;
        this.show(sight);
      } while (this.stale);
    } catch (error) {
      this.refuse(error);
    } finally {
      this.busy = false;
    }
    return undefined;
  }

  /** @param {unknown} error */
  refuse(error) {
    if (this.closed) return;
    this.stop();
    this.root.classList.remove("waiting");
    write(this.reason, sentence(reasonOf(error)));
  }

  /** @param {Sight} sight */
  show(sight) {
    this.root.classList.remove("waiting");
    write(this.reason, "");
    if (sight.position !== this.sight?.position) this.chosen = null;
    this.sight = sight;
    wearTints(this.root, /** @type {any} */ (sight));
    this.board.show(sight, this.chosen);
    write(this.status, `${sentence(viewerText(sight))} ${sight.over ? "The mask allows all actions." : `${amount(sight.allowed, "legal action")}.`}`);
    if (document.activeElement !== this.text) this.text.value = sight.position;
    this.step.disabled = this.run.disabled = sight.over !== null;
    this.showEyes(sight);
    this.drawChannels(sight);
    this.drawMask();
    this.tabs.note("observation", `(${sight.shape.join(", ")})`);
    this.tabs.note("mask", sight.over ? "all" : `${sight.allowed} of ${sight.actions}`);
    write(this.code, sight.python);
  }

  /** @param {Sight} sight */
  showEyes({ seats, seat, simultaneous }) {
    this.eyesField.hidden = !simultaneous;
    const names = seats.map(({ name }) => capital(name));
    if (names.join() !== [...this.eyes.options].map(({ text }) => text).join()) {
      this.eyes.replaceChildren(...names.map((name, index) => el("option", { value: index }, name)));
    }
    this.eyes.value = String(seat);
  }

  /** @param {Sight} sight */
  drawChannels({ channels, beside, shape: [rows, columns], squares, simultaneous, seat }) {
    const game = simultaneous ? `0, ${seat}` : "0";
    const items = channels.map((channel, index) => ({ ...channel, code: `state.observation[${game}, :, :, ${index}]` }));
    this.channels.show(items, { rows, columns, squares });
    this.beside.root.hidden = !beside;
    const [height = 0, width = 0] = beside?.shape ?? [];
    const item = { group: "other arrays", name: beside?.name ?? "", code: `state.${beside?.name}[${game}]`, values: beside?.values ?? [] };
    this.beside.show(beside ? [item] : [], { rows: height, columns: width, squares: Array.from({ length: height * width }, () => "") });
  }

  drawMask() {
    const { sight } = this;
    if (!sight) return;
    const { shape: [rows, columns], squares, planes, legal, actions } = sight;
    const mine = new Set(actionsAt(sight, this.chosen));
    /** @type {Item[]} */
    const items = planes.map((plane, index) => ({ ...plane, code: `plane ${index}`, values: Array.from({ length: rows * columns }, () => 0), lit: new Set() }));
    for (const action of legal) {
      const item = items[action.plane ?? -1];
      if (!item || action.square === null) continue;
      /** @type {number[]} */ (item.values)[action.square] = 1;
      if (mine.has(action)) item.lit?.add(action.square);
    }
    const isShown = (/** @type {Item} */ { values }) => this.all.checked || (Array.isArray(values) && values.includes(1));
    this.mask.show(items.map((item) => (isEmpty(item) ? { ...item, values: 0 } : item)), { rows, columns, squares }, isShown);
    write(this.allText, `Show all ${planes.length} planes, including empty ones`);
    const where = this.chosen === null ? "" : `, ${mine.size} at ${squares[this.chosen] ?? ""}`;
    write(this.count, sight.over ? `Game over: the mask allows all ${actions} actions.` : `${legal.length} of ${actions} actions are legal${where}.`);
    this.drawList(this.chosen === null ? legal : [...mine]);
  }

  /** @param {Action[]} actions */
  drawList(actions) {
    const chips = actions.slice(0, MOST_LISTED).map((action) => {
      const point = () => this.board.point(this.sight?.squares.map((_, cell) => Number(action.cells.includes(cell))) ?? null);
      const clear = () => this.board.point(null);
      const inner = [el("span", {}, action.text), " ", el("span", { class: "action-id" }, String(action.id))];
      const hands = { class: "chip", pointerenter: point, pointerleave: clear, focus: point, blur: clear };
      return el("li", {}, this.id ? el("span", hands, ...inner) : el("button", { ...hands, type: "button", title: "Play this action", click: () => this.play(action) }, ...inner));
    });
    const more = actions.length - chips.length;
    this.list.replaceChildren(...chips, ...(more > 0 ? [el("li", { class: "soft" }, `and ${more} more`)] : []));
  }

  /** @param {Item | null} item */
  point(item) {
    this.board.point(item ? item.values : null);
  }

  /** @param {number | null} square */
  pick(square) {
    this.chosen = square;
    if (this.sight) this.board.show(this.sight, square);
    if (square !== null) this.tabs.open("mask");
    this.drawMask();
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    if (key === "Escape") return this.board.cancel();
    if (this.id || (key !== " " && key !== "ArrowRight")) return false;
    if (document.activeElement instanceof HTMLElement && document.activeElement.closest("button, [role=grid], a, pre")) return false;
    if (key === " ") this.toggle();
    else if (!this.sight?.over) this.walk();
    return true;
  }

  close() {
    this.closed = true;
    this.stop();
  }
}

/** @param {Item} item */
function isEmpty({ values }) {
  return Array.isArray(values) && !values.includes(1);
}

/** Returns a random seed. */
function chance() {
  return Math.floor(Math.random() * 2 ** 48);
}

/**
 * @param {number} count
 * @param {string} what
 */
function amount(count, what) {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

/**
 * @param {string} name
 * @param {HTMLSelectElement} select
 */
function field(name, select) {
  return el("div", { class: "select-field" }, el("label", { for: select.id }, name), select);
}

/**
 * Creates a form with one text field.
 * @param {string} name
 * @param {HTMLInputElement} input
 * @param {string} press
 * @param {() => void} act
 */
function form(name, input, press, act) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    act();
  };
  return el("form", { class: "env-form", submit }, el("label", { for: input.id }, name), el("div", { class: "env-line" }, input, el("button", { type: "submit", class: "button" }, press)));
}
