// The header of every page: navigation, your name, sound, theme and help.

import { button, el, follow, write } from "../ui/dom.js";
import { openHelp } from "./help.js";
import { icon, iconButton } from "../ui/icons.js";
import { sentence } from "./names.js";
import { reasonOf } from "./connection.js";
import { isMuted, toggleMute } from "./sound.js";
import { nextTheme, setTheme, theme } from "./theme.js";

/** @import { Around } from "../play/game-page.js" */

const THEME_NAMES = { auto: "system", light: "light", dark: "dark" };

export class Header {
  /**
   * @param {Around} around
   * @param {(name: string) => Promise<void>} rename rejected with the reason
   */
  constructor(around, rename) {
    this.rename = rename;
    const go = (/** @type {string} */ path) => (/** @type {MouseEvent} */ event) => follow(event, () => around.open(path));
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
    this.theme = el("button", { type: "button", class: "button icon plain", click: () => this.turnTheme() });
    const help = iconButton("Shortcuts and help", "help", openHelp, "button icon plain");
    const place = (/** @type {string} */ name, /** @type {string} */ drawing, /** @type {string} */ path, title = name) =>
      el("a", { class: "button plain place-link", href: path, title, click: go(path) }, icon(drawing), el("span", {}, name));
    const places = [
      place("Lobby", "lobby", "/lobby"),
      place("Study", "study", "/study", "Study board"),
      place("Inspector", "planes", "/environments", "Environment inspector"),
      place("Your games", "games", "/you"),
    ];
    /** A row of links, or a menu if there is no room for a row. */
    this.places = el("nav", { id: "places", class: "places", "aria-label": "Main", click: () => this.openMenu(false) }, ...places);
    this.menu = iconButton("Menu", "menu", () => this.openMenu(!this.places.classList.contains("open")), "button icon plain menu-button");
    this.menu.setAttribute("aria-controls", this.places.id);
    this.openMenu(false);
    addEventListener("pointerdown", ({ target }) => target instanceof Node && !this.root.contains(target) && this.openMenu(false));
    const tools = el("div", { class: "tools" }, this.menu, this.places, this.name, this.form, this.sound, this.theme, help);
    this.root = el(
      "header",
      { class: "top" },
      el(
        "a",
        { class: "mark", href: "/", click: go("/") },
        el("span", { class: "logo", "aria-hidden": "true" }),
        "Fourfold",
      ),
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
    write(this.name, this.known || "Guest");
    this.name.setAttribute("aria-label", `Your name: ${this.known || "Guest"} (change)`);
    const [muted, chosen] = [isMuted(), theme()];
    dress(this.sound, muted ? "mute" : "sound", muted ? "Sound is off" : "Sound is on", "m");
    dress(this.theme, chosen, `Theme: ${THEME_NAMES[chosen]}`);
  }

  /** @param {boolean} open */
  openMenu(open) {
    this.places.classList.toggle("open", open);
    this.menu.setAttribute("aria-expanded", String(open));
  }

  /** @param {KeyboardEvent} event */
  closeMenu(event) {
    if (!this.places.classList.contains("open")) return;
    event.preventDefault();
    this.openMenu(false);
    this.menu.focus();
  }

  mute() {
    toggleMute();
    this.update("");
  }

  turnTheme() {
    setTheme(nextTheme());
    this.update("");
  }

  edit(open = true) {
    this.form.hidden = !open;
    this.name.hidden = open;
    write(this.reason, "");
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
      write(this.reason, sentence(reasonOf(error)));
    }
  }
}

/**
 * @param {HTMLElement} button
 * @param {string} drawing
 * @param {string} name
 * @param {string} [key]
 */
function dress(button, drawing, name, key) {
  button.replaceChildren(icon(drawing));
  button.setAttribute("aria-label", name);
  button.title = key ? `${name} (${key})` : name;
}
