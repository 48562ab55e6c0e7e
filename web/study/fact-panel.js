// The list of facts, each with its counts for both sides, a toggle and an explanation.

import { say } from "../app/announcements.js";
import { read, store } from "../app/preferences.js";
import { el, setText } from "../ui/dom.js";
import { badgePicture, classOf, keyOf } from "./fact-badges.js";

/** @import { Fact, PositionReport } from "../app/requests.js" */

const HINT = "Click facts, or press their letters, to show them on the board.";

export class FactPanel {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Fact[]} */
    this.facts = [];
    /** The facts on the board, in the order in which they were switched on. */
    this.shown = (read("study.facts") ?? "").split(" ").filter(Boolean);
    /** @type {Map<string, {row: HTMLElement, counts: HTMLElement[], sides: HTMLElement}>} */
    this.rows = new Map();
    this.list = el("ul", { class: "facts", "aria-label": "Facts" });
    this.about = el("p", { class: "fact-about" }, HINT);
    this.none = el("button", { type: "button", class: "button small plain", click: () => this.clear() }, "Clear");
    const tokens = [0, 1].map((seat) => el("span", { class: `token seat-${seat}`, "aria-hidden": "true" }));
    this.root = el(
      "section",
      { class: "fact-panel", "aria-label": "Analysis" },
      el("div", { class: "fact-head" }, el("h2", {}, "Analysis"), this.none, el("span", { class: "fact-sides" }, ...tokens)),
      this.list,
      this.about,
    );
  }

  /** @param {Fact[]} facts */
  setFacts(facts) {
    this.facts = facts;
    this.shown = this.shown.filter((id) => facts.some((fact) => fact.id === id));
    this.rows.clear();
    this.list.replaceChildren(...facts.map((fact) => this.row(fact)));
    this.update(null);
  }

  /** @param {Fact} fact */
  row({ id, name, about }) {
    const key = keyOf(id);
    const counts = [0, 1].map((seat) => el("span", { class: `fact-count seat-${seat}`, "aria-hidden": "true" }));
    const sides = el("span", { class: "visually-hidden fact-words" });
    const description = el("span", { class: "visually-hidden", id: `about-${classOf(id)}` }, about);
    const parts = [
      key ? badgePicture(id) : el("span", { class: "badge-picture" }),
      el("span", { class: "fact-name" }, name),
      sides,
      ...counts,
      el("kbd", { "aria-hidden": "true" }, key ?? ""),
    ];
    const explain = () => this.explain(name, about);
    const forget = () => setText(this.about, HINT);
    const handlers = { pointerenter: explain, focus: explain, pointerleave: forget, blur: forget };
    const row = key
      ? el("button", { type: "button", class: "fact", "aria-describedby": description.id, "data-fact": id, click: () => this.toggle(id), ...handlers }, ...parts)
      : el("div", { class: "fact", role: "group", "aria-describedby": description.id, "data-fact": id, ...handlers }, ...parts);
    this.rows.set(id, { row, counts, sides });
    return el("li", {}, row, description);
  }

  /**
   * @param {string} name
   * @param {string} about
   */
  explain(name, about) {
    this.about.replaceChildren(el("strong", {}, `${name}: `), about);
  }

  /** @param {PositionReport | null} report */
  update(report) {
    for (const [id, { row, counts, sides }] of this.rows) {
      const [white, black] = report?.facts.find((fact) => fact.id === id)?.sides ?? [];
      counts.forEach((node, side) => {
        const count = [white, black][side]?.count;
        setText(node, count === undefined ? "" : String(count));
        node.classList.toggle("zero", count === 0);
      });
      row.classList.toggle("uncounted", report !== null && !white);
      setText(sides, white && black ? `, white ${white.count}, black ${black.count}` : "");
      if (row instanceof HTMLButtonElement) row.setAttribute("aria-pressed", String(this.shown.includes(id)));
    }
    this.none.classList.toggle("waiting", this.shown.length === 0);
  }

  /** @param {string} id */
  toggle(id) {
    const on = !this.shown.includes(id);
    this.shown = on ? [...this.shown, id] : this.shown.filter((other) => other !== id);
    const fact = this.facts.find((fact) => fact.id === id);
    if (fact) say(`${fact.name} ${on ? `on. ${fact.about}` : "off"}`);
    this.save();
  }

  clear() {
    this.shown = [];
    this.save();
  }

  save() {
    store("study.facts", this.shown.join(" ") || null);
    this.changed();
  }

  /**
   * @param {string} key
   * @returns {boolean} whether it toggles a fact
   */
  key(key) {
    const fact = this.facts.find(({ id }) => keyOf(id) === key);
    if (fact) this.toggle(fact.id);
    return Boolean(fact);
  }
}
