// The top of every page: the way home, your name, sound, theme, help.

import { button, el, follow, write } from "./dom.js";
import { openHelp } from "./help.js";
import { icon, iconButton } from "./icons.js";
import { sentence } from "./names.js";
import { reasonOf } from "./socket.js";
import { isMuted, toggleMute } from "./sound.js";
import { nextTheme, setTheme, theme } from "./theme.js";

/** @import { Around } from "./game.js" */

const THEME_NAMES = { auto: "as the system", light: "light", dark: "dark" };

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
    const help = iconButton("Keys and help", "help", openHelp, "button icon plain");
    const study = el(
      "a",
      { class: "button plain study-link", href: "/study", title: "Study board", click: go("/study") },
      icon("study"),
      el("span", {}, "Study"),
    );
    const lobby = el(
      "a",
      { class: "button plain study-link", href: "/lobby", title: "Lobby", click: go("/lobby") },
      icon("lobby"),
      el("span", {}, "Lobby"),
    );
    const games = el(
      "a",
      { class: "button plain study-link games-link", href: "/you", title: "Your games", click: go("/you") },
      icon("games"),
      el("span", {}, "Your games"),
    );
    const environments = el(
      "a",
      { class: "button plain study-link environments-link", href: "/environments", title: "What an agent sees", click: go("/environments") },
      icon("planes"),
      el("span", {}, "Environments"),
    );
    const tools = el("div", { class: "tools" }, lobby, study, environments, games, this.name, this.form, this.sound, this.theme, help);
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
    this.known = "";
    this.update("");
  }

  /** @param {string} name yours */
  update(name) {
    this.known = name || this.known;
    this.name.classList.toggle("waiting", !this.known);
    write(this.name, this.known || "Guest");
    this.name.setAttribute("aria-label", `Your name: ${this.known || "Guest"}. Change it`);
    const [muted, chosen] = [isMuted(), theme()];
    dress(this.sound, muted ? "mute" : "sound", muted ? "Sound is off" : "Sound is on", "m");
    dress(this.theme, chosen, `Colours: ${THEME_NAMES[chosen]}`);
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
