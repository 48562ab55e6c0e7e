// Tabs: several panels, of which one is shown.

import { el, setText } from "./dom.js";

/** @typedef {{id: string, name: string, body: HTMLElement}} Tab */

export class Tabs {
  /** @param {Tab[]} tabs */
  constructor(tabs) {
    this.tabs = tabs.map(({ id, name, body }) => {
      const note = el("span", { class: "tab-note" });
      const tab = el("button", { type: "button", class: "tab", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, click: () => this.open(id) }, el("span", {}, name), " ", note);
      const panel = el("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }, body);
      return { id, tab, note, panel };
    });
    const list = el("div", { class: "tab-list", role: "tablist", keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) }, ...this.tabs.map(({ tab }) => tab));
    this.root = el("div", { class: "tabs" }, list, ...this.tabs.map(({ panel }) => panel));
    this.shown = "";
    this.open(tabs[0]?.id ?? "");
  }

  /** @param {string} shown */
  open(shown) {
    if (shown === this.shown) return;
    this.shown = shown;
    for (const { id, tab, panel } of this.tabs) {
      tab.setAttribute("aria-selected", String(id === shown));
      tab.tabIndex = id === shown ? 0 : -1;
      panel.hidden = id !== shown;
    }
  }

  /**
   * Sets a short note next to a tab's name.
   * @param {string} wanted
   * @param {string} text
   */
  note(wanted, text) {
    const note = this.tabs.find(({ id }) => id === wanted)?.note;
    if (note) setText(note, text);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = this.tabs.findIndex(({ id }) => id === this.shown);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    if (!next) return;
    this.open(next.id);
    next.tab.focus();
  }
}
