// The dialogs that load a FEN or a PGN into a study, and that export it.

import { capital } from "../app/names.js";
import { copyButton } from "../ui/copy-button.js";
import { openDialog } from "../ui/dialog.js";
import { button, el, selectField } from "../ui/dom.js";
import { textForm } from "../ui/text-form.js";
import { showError } from "../ui/toast.js";

/** @import { GameKind, Opponent } from "../app/protocol.js" */

/**
 * Asks for text or a file.
 * @param {(text: string) => Promise<void>} load rejected with the reason
 */
export function openLoadDialog(load) {
  const { text, reason, submit, file } = textForm({ id: "load-text", rows: "8", placeholder: "FEN or PGN" }, ".pgn,.fen,.txt,text/plain", async (given) => {
    await load(given);
    dialog.close();
  });
  const dialog = openDialog(
    "Load a position or a game",
    "exchange",
    el("h2", {}, "Load a position or a game"),
    el("label", { for: text.id }, "FEN or PGN, with variations and comments"),
    text,
    reason,
    el(
      "div",
      { class: "actions" },
      button("Load", submit, "button primary"),
      button("Choose file…", () => file.click()),
      button("Cancel", () => dialog.close()),
      file,
    ),
  );
  text.focus();
}

/**
 * Asks against whom to play on from a position.
 * @param {GameKind} kind
 * @param {number} turn the seat to move
 * @param {(opponent: Opponent, seat: number) => Promise<void>} play rejected with the reason
 */
export function openPlayDialog(kind, turn, play) {
  const level = el("select", { id: "play-level" }, ...kind.bots.map(({ id, name, rating }, index) => el("option", { value: id, selected: index === 1 }, `${name} (${rating})`)));
  const side = el("select", { id: "play-side" }, ...kind.seats.map((name, seat) => el("option", { value: String(seat), selected: seat === turn }, capital(name))));
  const start = async (/** @type {Opponent} */ opponent) => {
    try {
      await play(opponent, Number(side.value));
      dialog.close();
    } catch (error) {
      showError(error);
    }
  };
  const dialog = openDialog(
    "Play from here",
    "exchange",
    el("h2", {}, "Play from here"),
    selectField("Your side", side),
    selectField("Bot", level),
    el(
      "div",
      { class: "actions" },
      button("Play the bot", () => start({ bot: level.value }), "button primary"),
      button("Play a friend", () => start("friend")),
      button("Cancel", () => dialog.close()),
    ),
  );
}

/**
 * Shows a study as FEN, link and PGN.
 * @param {string} fen the current position
 * @param {string} pgn the whole study
 */
export function openShareDialog(fen, pgn) {
  const link = `${location.origin}/study?fen=${encodeURIComponent(fen).replaceAll("%20", "+").replaceAll("%2F", "/")}`;
  const field = (/** @type {string} */ name, /** @type {string} */ text) => {
    const input = el("input", { type: "text", readonly: true, "aria-label": name, value: text, focus: () => input.select() });
    const copy = copyButton(`Copy ${name}`, () => input.value, input);
    copy.classList.remove("primary");
    return el("div", { class: "copy-line" }, input, copy);
  };
  const whole = el("textarea", { readonly: true, rows: "8", "aria-label": "PGN", spellcheck: "false" });
  whole.value = pgn;
  const save = el("a", { class: "button", download: "study.pgn", href: URL.createObjectURL(new Blob([pgn], { type: "text/plain" })) }, "Save PGN");
  const dialog = openDialog(
    "Share and export",
    "exchange",
    el("h2", {}, "Share and export"),
    el("h3", {}, "This position"),
    field("FEN", fen),
    field("link", link),
    el("h3", {}, "The whole study"),
    whole,
    el("div", { class: "actions" }, copyButton("Copy PGN", () => whole.value, whole), save, button("Close", () => dialog.close())),
  );
  dialog.addEventListener("close", () => URL.revokeObjectURL(save.href));
}
