// The link for a friend, and the truth about who can open it.

import { button, el, write } from "./dom.js";

/** @import { GameState, Hello } from "./protocol.js" */

const COPIED = 2000;

export class Invite {
  constructor() {
    this.link = el("input", {
      type: "text",
      readonly: true,
      "aria-label": "Link to this game",
      focus: () => this.link.select(),
    });
    this.copy = button("Copy link", () => this.press(), "button primary");
    this.scope = el("p", { class: "scope" });
    const title = el("h2", {}, "Send this link to a friend");
    this.root = el(
      "section",
      { class: "invite", "aria-label": "Invite", hidden: true },
      title,
      el("div", { class: "field" }, this.link, this.copy),
      this.scope,
    );
    this.timer = 0;
  }

  /**
   * @param {GameState} state
   * @param {Hello | null} hello
   */
  update(state, hello) {
    const open = state.players.some((player) => player.kind === "open");
    this.root.hidden = !open || state.you.length === 0 || Boolean(state.outcome);
    if (this.root.hidden) return;
    this.link.value = `${location.origin}/g/${state.id}`;
    write(this.scope, scopeText(hello?.scope));
  }

  async press() {
    const copied = await copyText(this.link);
    write(this.copy, copied ? "Copied" : "Press Ctrl+C");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => write(this.copy, "Copy link"), COPIED);
  }
}

/** @param {Hello["scope"] | undefined} scope */
function scopeText(scope) {
  const here = /^(localhost$|127\.|\[::1\])/.test(location.hostname);
  if (scope === "network" && here)
    return (
      "This address works on this computer only. " +
      "Open the page by the computer's address in the network, and copy the link there."
    );
  return scope === "network"
    ? "It opens for all who reach this computer."
    : "Only this computer reaches this server: open the link in another browser here. " +
        "To invite others, start it with --bind 0.0.0.0";
}

/**
 * @param {HTMLInputElement} input
 * @returns {Promise<boolean>}
 */
async function copyText(input) {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.select();
    return document.execCommand("copy"); // Where there is no clipboard: pages without TLS.
  }
}
