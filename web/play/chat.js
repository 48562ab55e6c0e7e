// The chat with the other players: a button with the number of unread messages, and a small window. Loaded when it is needed.

import { say } from "../app/announcements.js";
import { reasonOf } from "../app/connection.js";
import { plural, sentence } from "../app/names.js";
import { read, store } from "../app/preferences.js";
import { button, el, setText } from "../ui/dom.js";
import { icon, iconButton } from "../ui/icons.js";
import { showError } from "../ui/toast.js";
import { playerName } from "./game-state.js";

/** @import { Sender } from "../app/connection.js" */
/** @import { ChatLine, ChatMessage, ChatStatus, GameState } from "../app/protocol.js" */

/** Sent as they are. */
export const PHRASES = ["Hello", "Good luck", "Well played", "Good game", "Thanks", "One moment"];
/** As the server counts them. */
const LONGEST_LINE = 140;
/** How many lines the window keeps. */
const MOST_LINES = 200;

export class Chat {
  /** @param {Sender} link */
  constructor(link) {
    this.link = link;
    /** @type {GameState | null} */
    this.state = null;
    /** Whether the chat was switched as this browser remembers. */
    this.restored = false;
    this.unread = 0;
    this.count = el("span", { class: "chat-count", "aria-hidden": "true", hidden: true });
    const words = el("span", { class: "chat-word" }, "Chat");
    this.button = el("button", { type: "button", class: "button small plain chat-button", "aria-expanded": "false", "aria-controls": "chat", click: () => this.toggle() }, icon("chat"), words, this.count);
    this.off = button("Turn off", () => this.enable(false), "button small plain");
    this.lines = el("ol", { class: "chat-lines", "aria-label": "Messages", tabindex: "0" });
    this.note = el("p", { class: "chat-note" });
    this.input = el("input", { type: "text", autocomplete: "off", maxlength: String(LONGEST_LINE), "aria-label": "Message", placeholder: "Message" });
    this.reason = el("p", { class: "reason", role: "alert" });
    const phrases = PHRASES.map((phrase) => button(phrase, () => this.send(phrase), "button small"));
    this.form = el(
      "form",
      { class: "chat-form", submit: (/** @type {SubmitEvent} */ event) => this.submit(event) },
      this.input,
      el("button", { type: "submit", class: "button" }, "Send"),
    );
    this.open = el("div", { class: "chat-open" }, this.lines, this.note, this.reason, el("div", { class: "chat-phrases", role: "group", "aria-label": "Quick phrases" }, ...phrases), this.form);
    const about = el("p", {}, "Chat is off: you do not see messages, and cannot send any.");
    this.closed = el("div", { class: "chat-closed" }, about, button("Turn on chat", () => this.enable(true), "button primary"));
    this.root = el(
      "section",
      { class: "chat", id: "chat", "aria-label": "Chat", tabindex: "-1", hidden: true, keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
      el("div", { class: "chat-head" }, el("h2", {}, "Chat"), this.off, iconButton("Close chat", "close", () => this.close(), "button icon plain")),
      this.open,
      this.closed,
    );
  }

  /** @param {GameState} state */
  update(state) {
    this.state = state;
    const { chat } = state;
    if (chat && !this.restored) this.restore(chat);
    this.button.hidden = !chat;
    if (!chat) this.root.hidden = true;
    this.open.hidden = !chat?.enabled;
    this.off.hidden = !chat?.enabled;
    this.closed.hidden = Boolean(chat?.enabled);
    const others = state.seats.length === 2 ? "Your opponent has" : "The other players have";
    const note = chat?.listeners === 0 ? `${others} the chat off.` : "";
    if (note !== this.note.textContent) {
      setText(this.note, note);
      this.showLatest(); // It takes room from the messages.
    }
    if (!chat?.enabled) this.unread = 0;
    this.drawCount();
  }

  /** @param {ChatMessage} message */
  receive({ all, lines }) {
    const { state } = this;
    if (!state) return;
    if (all) this.lines.replaceChildren();
    for (const line of lines) {
      const mine = state.you.includes(line.seat);
      const name = mine ? "You" : playerName(state, line.seat);
      this.lines.append(chatLine(line, name, mine));
      if (mine || all) continue;
      say(`${name}: ${line.text}`);
      if (this.root.hidden) this.unread += 1;
    }
    while (this.lines.children.length > MOST_LINES) this.lines.firstChild?.remove();
    this.showLatest();
    this.drawCount();
  }

  showLatest() {
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  drawCount() {
    this.count.hidden = this.unread === 0;
    setText(this.count, this.unread > 9 ? "9+" : String(this.unread));
    this.button.setAttribute("aria-label", this.unread > 0 ? `Chat, ${plural(this.unread, "unread message")}` : "Chat");
  }

  toggle() {
    if (!this.root.hidden) return this.close();
    this.root.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.unread = 0;
    this.drawCount();
    this.showLatest();
    // On a phone the keyboard would cover the messages.
    const target = matchMedia("(pointer: fine)").matches && !this.open.hidden ? this.input : this.root;
    return target.focus({ preventScroll: true });
  }

  close() {
    this.root.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.button.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.close();
  }

  /**
   * Switches the chat as in the last game.
   * @param {ChatStatus} chat
   */
  restore(chat) {
    this.restored = true;
    const remembered = read(keyOf(chat));
    const enabled = remembered === null ? chat.enabled : remembered === "on";
    if (enabled !== chat.enabled) this.link.send({ t: "enable_chat", enabled }).catch(showError);
  }

  /** @param {boolean} enabled */
  enable(enabled) {
    this.link.send({ t: "enable_chat", enabled }).catch(showError);
    if (this.state?.chat) store(keyOf(this.state.chat), enabled ? "on" : "off");
    this.root.focus({ preventScroll: true }); // The button disappears.
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    this.input.value = ""; // At once: the next message may be typed before the answer arrives.
    if (!(await this.send(text))) this.input.value ||= text;
  }

  /**
   * @param {string} text
   * @returns {Promise<boolean>} whether it was accepted
   */
  async send(text) {
    setText(this.reason, "");
    try {
      await this.link.send({ t: "chat", text });
      return true;
    } catch (error) {
      setText(this.reason, sentence(reasonOf(error)));
      return false;
    }
  }
}

/**
 * Returns where this browser remembers the switch. A chat that is on with friends may be off with strangers.
 * @param {ChatStatus} chat
 */
function keyOf({ listed }) {
  return listed ? "chat.strangers" : "chat.friends";
}

/**
 * @param {ChatLine} line
 * @param {string} name
 * @param {boolean} mine
 */
function chatLine({ seat, text }, name, mine) {
  const token = el("span", { class: `token seat-${seat}`, "aria-hidden": "true" });
  return el("li", { class: mine ? "mine" : null }, token, el("span", { class: "chat-name" }, name), " ", el("span", { class: "chat-text" }, text));
}
