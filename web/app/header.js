// The header of every page: navigation, your name, sound, theme and help.

import { button, el, pageLink, setText } from "../ui/dom.js";
import { icon, iconButton, setIcon } from "../ui/icons.js";
import { reasonOf } from "./connection.js";
import { sentence } from "./names.js";
import { isMuted, toggleMute } from "./sound.js";
import { currentTheme, nextTheme, setTheme } from "./theme.js";

/** @import { AppContext } from "../play/game-page.js" */

const THEME_NAMES = { auto: "system", light: "light", dark: "dark" };

export class Header {
  /**
   * @param {AppContext} context
   * @param {(name: string) => Promise<void>} rename rejected with the reason
   */
  constructor(context, rename) {
    this.rename = rename;
    this.name = el("button", { type: "button", class: "button plain name-button waiting", click: () => this.edit() });
    this.input = el("input", {
      type: "text",
      name: "name",
      maxlength: "24",
      autocomplete: "nickname",
      "aria-label": "Your name",
    });
    this.reason = el("span", { class: "reason", role: "alert" });
    this.form = el(
      "form",
      { class: "name-form", hidden: true, submit: (/** @type {SubmitEvent} */ event) => this.save(event) },
      this.input,
      el("button", { type: "submit", class: "button small primary" }, "Save"),
      button("Cancel", () => this.edit(false), "button small"),
      this.reason,
    );
    this.form.addEventListener("keydown", (event) => event.key === "Escape" && this.edit(false));
    this.sound = el("button", { type: "button", class: "button icon plain", click: () => this.mute() });
    this.theme = el("button", { type: "button", class: "button icon plain", click: () => this.cycleTheme() });
    const help = iconButton("Shortcuts and help", "help", showHelp, "button icon plain");
    const link = (/** @type {string} */ name, /** @type {string} */ drawing, /** @type {string} */ path, title = name) =>
      pageLink(context, { class: "button plain nav-link", href: path, title }, icon(drawing), el("span", {}, name));
    const links = [
      link("Lobby", "lobby", "/lobby"),
      link("Study", "study", "/study", "Study board"),
      link("Inspector", "planes", "/environments", "Environment inspector"),
      link("Your games", "games", "/you"),
    ];
    /** A row of links, or a menu if there is no room for a row. */
    this.navigation = el("nav", { id: "main-navigation", class: "nav", "aria-label": "Main", click: () => this.openMenu(false) }, ...links);
    this.menu = iconButton("Menu", "menu", () => this.openMenu(!this.navigation.classList.contains("open")), "button icon plain menu-button");
    this.menu.setAttribute("aria-controls", this.navigation.id);
    this.openMenu(false);
    addEventListener("pointerdown", ({ target }) => target instanceof Node && !this.root.contains(target) && this.openMenu(false));
    const tools = el("div", { class: "tools" }, this.menu, this.navigation, this.name, this.form, this.sound, this.theme, help);
    this.root = el(
      "header",
      { class: "header" },
      pageLink(context, { class: "home-link", href: "/" }, el("span", { class: "logo", "aria-hidden": "true" }), "Fourfold"),
      tools,
    );
    this.root.addEventListener("keydown", (event) => event.key === "Escape" && this.closeMenu(event));
    this.known = "";
    this.update("");
  }

  /** @param {string} name your name, or "" if it has not changed */
  update(name) {
    this.known = name || this.known;
    this.name.classList.toggle("waiting", !this.known);
    setText(this.name, this.known || "Guest");
    this.name.setAttribute("aria-label", `Your name: ${this.known || "Guest"} (change)`);
    const [muted, chosen] = [isMuted(), currentTheme()];
    setIcon(this.sound, muted ? "mute" : "sound", muted ? "Sound is off" : "Sound is on", "m");
    setIcon(this.theme, chosen, `Theme: ${THEME_NAMES[chosen]}`);
  }

  /** @param {boolean} open */
  openMenu(open) {
    this.navigation.classList.toggle("open", open);
    this.menu.setAttribute("aria-expanded", String(open));
  }

  /** @param {KeyboardEvent} event */
  closeMenu(event) {
    if (!this.navigation.classList.contains("open")) return;
    event.preventDefault();
    this.openMenu(false);
    this.menu.focus();
  }

  mute() {
    toggleMute();
    this.update("");
  }

  cycleTheme() {
    setTheme(nextTheme());
    this.update("");
  }

  edit(open = true) {
    this.form.hidden = !open;
    this.name.hidden = open;
    setText(this.reason, "");
    if (!open) return this.name.focus();
    this.input.value = this.known;
    this.input.select();
    return this.input.focus();
  }

  /** @param {SubmitEvent} event */
  async save(event) {
    event.preventDefault();
    try {
      const name = this.input.value.trim();
      await this.rename(name);
      this.update(name);
      this.edit(false);
    } catch (error) {
      setText(this.reason, sentence(reasonOf(error)));
    }
  }
}

/** Shows the list of shortcuts, which few people need. */
export async function showHelp() {
  const { openHelp } = await import("./help.js");
  openHelp();
}
