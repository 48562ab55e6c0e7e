// The environment inspector: the observation planes and the action mask of a position or of a game in progress.

import { reasonOf } from "../app/connection.js";
import { capital, plural, sentence } from "../app/names.js";
import { Page } from "../app/page.js";
import { setColorScheme } from "../play/game-state.js";
import { copyButton } from "../ui/copy-button.js";
import { button, el, selectField, setText } from "../ui/dom.js";
import { Tabs } from "../ui/tabs.js";
import { BatchPanel } from "./batch-panel.js";
import { actionsAt, InspectorBoard, viewerText } from "./inspector-board.js";
import { followGame, inspect } from "./inspector-requests.js";
import { Gallery } from "./planes.js";

/** @import { GameState } from "../app/protocol.js" */
/** @import { AppContext } from "../play/game-page.js" */
/** @import { Action, Inspection, Where } from "./inspector-requests.js" */
/** @import { Item } from "./planes.js" */

/** Milliseconds between random steps, and between updates of a real-time game. */
const PACE = 900;
const LIVE_PACE = 300;
/** How many actions are listed as text at most. */
const MAX_LISTED = 96;
/** The fewest and the most steps from the start to a random position. */
const RANDOM = [4, 40];

export class InspectorPage extends Page {
  /** @param {AppContext} context */
  constructor(context) {
    super();
    this.context = context;
    const asked = new URLSearchParams(location.search);
    /** The id of the arena game to follow, if any. */
    this.id = asked.get("game");
    this.game = asked.get("of") ?? "chess";
    /** Where the position comes from. @type {Where} */
    this.where = { game: this.game, position: asked.get("position"), moves: [] };
    /** The seat that observes, in simultaneous games. @type {number | null} */
    this.seat = null;
    /** @type {Inspection | null} */
    this.inspection = null;
    /** The selected square of the view. @type {number | null} */
    this.chosen = null;
    this.closed = false;
    this.playing = false;
    this.timer = 0;
    /** Whether a request is pending, and whether another must follow it. */
    this.busy = false;
    this.stale = false;
    this.gameSelect = el("select", { id: "env-game", change: () => this.choose(this.gameSelect.value) });
    this.observer = el("select", { id: "env-seat", change: () => this.setObserver(Number(this.observer.value)) });
    this.observerField = selectField("Observer", this.observer);
    this.board = new InspectorBoard({ choose: (square) => this.pick(square), play: (action) => this.play(action) });
    this.status = el("p", { class: "inspector-status", role: "status" });
    this.reset = button("Reset", () => this.restart(), "button");
    this.random = button("Random position", () => this.randomPosition(), "button");
    this.step = button("Step", () => this.randomStep(), "button");
    this.run = button("Play", () => this.toggle(), "button primary");
    this.text = el("input", { type: "text", id: "env-position", spellcheck: "false", autocomplete: "off" });
    this.link = el("input", { type: "text", id: "env-follow", spellcheck: "false", autocomplete: "off", placeholder: "Link or ID of a game" });
    this.reason = el("p", { class: "reason", role: "alert" });
    this.channels = new Gallery("Observation", (item) => this.point(item));
    this.extra = new Gallery("Other arrays", () => {});
    this.mask = new Gallery("Legal actions", (item) => this.point(item));
    this.mask.root.classList.add("mask-gallery");
    this.all = el("input", { type: "checkbox", change: () => this.drawMask() });
    this.allText = el("span");
    this.count = el("p", { class: "mask-count" });
    this.list = el("ul", { class: "action-list", "aria-label": "Legal actions as text" });
    this.code = el("code");
    this.batch = new BatchPanel(() => this.inspection?.game ?? this.game);
    this.tabs = this.makeTabs();
    this.root = el("main", { class: "inspector waiting", tabindex: "-1" }, this.aside(), this.tabs.root);
    this.hello();
    document.title = "Environment inspector – Fourfold";
    this.refresh();
  }

  aside() {
    const free = el("div", { class: "actions inspector-steps", role: "group", "aria-label": "Position" }, this.run, this.step, this.random, this.reset);
    const place = form("Position as text", this.text, "Set", () => this.openText(this.text.value));
    const followed = form("Follow a game", this.link, "Follow", () => this.follow(this.link.value));
    const stop = el("div", { class: "actions" }, button("Stop following", () => this.leave(), "button"), button("Open the game", () => this.context.open(`/g/${this.id}`), "button"));
    return el(
      "div",
      { class: "inspector-aside" },
      el("h1", {}, "Environment inspector"),
      el("div", { class: "inspector-choice" }, this.id ? null : selectField("Game", this.gameSelect), this.observerField),
      el("div", { class: "inspector-board" }, this.board.root),
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
      { id: "observation", name: "Observation", body: el("div", {}, this.channels.root, this.extra.root) },
      { id: "mask", name: "Legal actions", body: mask },
      { id: "code", name: "Python and speed", body: el("div", { class: "code-tab" }, python, this.batch.root) },
    ]);
  }

  hello() {
    const hello = this.context.hello();
    if (!hello || this.gameSelect.childElementCount > 0) return;
    this.gameSelect.replaceChildren(...hello.games.map(({ id, name }) => el("option", { value: id }, name)));
    this.gameSelect.value = this.game;
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
    this.inspect({ game, position: null, moves: [] });
  }

  /** @param {number} seat */
  setObserver(seat) {
    this.seat = seat;
    this.refresh();
  }

  restart() {
    this.stop();
    this.inspect({ game: this.game, position: null, moves: [] });
  }

  randomPosition() {
    this.stop();
    const [least, most] = /** @type {[number, number]} */ (RANDOM);
    const random = least + Math.floor(Math.random() * (most - least + 1));
    this.inspect({ game: this.game, position: null, moves: [], random, seed: randomSeed() });
  }

  /** Takes one random step. */
  randomStep() {
    return this.inspect({ ...this.where, random: 1, seed: randomSeed() });
  }

  toggle() {
    if (this.playing) return this.stop();
    this.playing = true;
    setText(this.run, "Pause");
    return this.tick();
  }

  async tick() {
    await this.randomStep();
    if (!this.playing || this.closed) return;
    if (this.inspection?.ending) this.stop();
    else this.timer = setTimeout(() => this.tick(), PACE);
  }

  stop() {
    this.playing = false;
    setText(this.run, "Play");
    clearTimeout(this.timer);
  }

  /** @param {Action} action */
  play({ text }) {
    const { inspection } = this;
    if (!inspection || this.id) return;
    const wait = inspection.legal.find(({ plane }) => plane === null)?.text ?? "";
    const step = inspection.simultaneous ? inspection.seats.map((_, seat) => (seat === inspection.seat ? text : wait)).join(" ") : text;
    this.stop();
    this.inspect({ ...this.where, moves: [...(this.where.moves ?? []), step] });
  }

  /** @param {string} text a position */
  async openText(text) {
    this.stop();
    const position = text.trim();
    if (position) await this.inspect({ game: this.game, position, moves: [] });
  }

  /** @param {string} text a link or an id */
  follow(text) {
    const id = /([0-9a-z]+)\/?(?:[?#].*)?$/.exec(text.trim())?.[1];
    if (id) this.context.open(`/environments?game=${id}`);
  }

  /** Stops following the game, and stays at its position. */
  leave() {
    const { game, position } = this.inspection ?? { game: this.game, position: "" };
    this.context.open(`/environments?${new URLSearchParams({ of: game, ...(position ? { position } : {}) })}`);
  }

  // Showing a position

  /** @param {Where} where */
  async inspect(where) {
    this.chosen = null;
    try {
      const inspection = await inspect({ ...where, seat: where.game === this.where.game ? this.seat : null });
      if (this.closed || this.game !== where.game) return;
      this.where = { game: where.game, position: where.position ?? null, moves: inspection.moves };
      this.show(inspection);
    } catch (error) {
      this.showError(error);
    }
  }

  /** Updates the view, after the pending request if there is one. */
  async refresh() {
    if (this.busy) return void (this.stale = true);
    this.busy = true;
    try {
      do {
        this.stale = false;
        const inspection = await (this.id ? followGame(this.id, this.seat) : inspect({ ...this.where, seat: this.seat }));
        if (this.closed) return undefined;
        this.show(inspection);
      } while (this.stale);
    } catch (error) {
      this.showError(error);
    } finally {
      this.busy = false;
    }
    return undefined;
  }

  /** @param {unknown} error */
  showError(error) {
    if (this.closed) return;
    this.stop();
    this.root.classList.remove("waiting");
    setText(this.reason, sentence(reasonOf(error)));
  }

  /** @param {Inspection} inspection */
  show(inspection) {
    this.root.classList.remove("waiting");
    setText(this.reason, "");
    if (inspection.position !== this.inspection?.position) this.chosen = null;
    this.inspection = inspection;
    setColorScheme(this.root, /** @type {any} */ (inspection));
    this.board.show(inspection, this.chosen);
    setText(this.status, `${sentence(viewerText(inspection))} ${inspection.ending ? "The mask allows all actions." : `${plural(inspection.mask_count, "legal action")}.`}`);
    if (document.activeElement !== this.text) this.text.value = inspection.position;
    this.step.disabled = this.run.disabled = inspection.ending !== null;
    this.showObservers(inspection);
    this.drawChannels(inspection);
    this.drawMask();
    this.tabs.note("observation", `(${inspection.shape.join(", ")})`);
    this.tabs.note("mask", inspection.ending ? "all" : `${inspection.mask_count} of ${inspection.actions}`);
    setText(this.code, inspection.python);
  }

  /** @param {Inspection} inspection */
  showObservers({ seats, seat, simultaneous }) {
    this.observerField.hidden = !simultaneous;
    const names = seats.map(({ name }) => capital(name));
    if (names.join() !== [...this.observer.options].map(({ text }) => text).join()) {
      this.observer.replaceChildren(...names.map((name, index) => el("option", { value: index }, name)));
    }
    this.observer.value = String(seat);
  }

  /** @param {Inspection} inspection */
  drawChannels({ channels, extra_array: extra, shape: [rows, columns], squares, simultaneous, seat }) {
    const game = simultaneous ? `0, ${seat}` : "0";
    const items = channels.map((channel, index) => ({ ...channel, code: `state.observation[${game}, :, :, ${index}]` }));
    this.channels.show(items, { rows, columns, squares });
    this.extra.root.hidden = !extra;
    const [height = 0, width = 0] = extra?.shape ?? [];
    const item = { group: "other arrays", name: extra?.name ?? "", code: `state.${extra?.name}[${game}]`, values: extra?.values ?? [] };
    this.extra.show(extra ? [item] : [], { rows: height, columns: width, squares: Array.from({ length: height * width }, () => "") });
  }

  drawMask() {
    const { inspection } = this;
    if (!inspection) return;
    const { shape: [rows, columns], squares, planes, legal, actions } = inspection;
    const mine = new Set(actionsAt(inspection, this.chosen));
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
    setText(this.allText, `Show all ${planes.length} planes, including empty ones`);
    const where = this.chosen === null ? "" : `, ${mine.size} at ${squares[this.chosen] ?? ""}`;
    setText(this.count, inspection.ending ? `Game over: the mask allows all ${actions} actions.` : `${legal.length} of ${actions} actions are legal${where}.`);
    this.drawList(this.chosen === null ? legal : [...mine]);
  }

  /** @param {Action[]} actions */
  drawList(actions) {
    const chips = actions.slice(0, MAX_LISTED).map((action) => {
      const point = () => this.board.point(this.inspection?.squares.map((_, cell) => Number(action.cells.includes(cell))) ?? null);
      const clear = () => this.board.point(null);
      const inner = [el("span", {}, action.text), " ", el("span", { class: "action-id" }, String(action.id))];
      const attributes = { class: "chip", pointerenter: point, pointerleave: clear, focus: point, blur: clear };
      return el("li", {}, this.id ? el("span", attributes, ...inner) : el("button", { ...attributes, type: "button", title: "Play this action", click: () => this.play(action) }, ...inner));
    });
    const more = actions.length - chips.length;
    this.list.replaceChildren(...chips, ...(more > 0 ? [el("li", { class: "muted" }, `and ${more} more`)] : []));
  }

  /** @param {Item | null} item */
  point(item) {
    this.board.point(item ? item.values : null);
  }

  /** @param {number | null} square */
  pick(square) {
    this.chosen = square;
    if (this.inspection) this.board.show(this.inspection, square);
    if (square !== null) this.tabs.open("mask");
    this.drawMask();
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    if (key === "Escape") return this.board.cancel();
    if (this.id || (key !== " " && key !== "ArrowRight")) return false;
    if (document.activeElement instanceof HTMLElement && document.activeElement.closest("button, [role=grid], a, pre")) return false;
    if (key === " ") this.toggle();
    else if (!this.inspection?.ending) this.randomStep();
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
function randomSeed() {
  return Math.floor(Math.random() * 2 ** 48);
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
  return el("form", { class: "inspector-form", submit }, el("label", { for: input.id }, name), el("div", { class: "inspector-line" }, input, el("button", { type: "submit", class: "button" }, press)));
}
