// The dialogs that load a FEN or a PGN into a study, and that export it.

import { copyButton } from "../ui/copy-button.js";
import { openDialog } from "../ui/dialog.js";
import { button, el } from "../ui/dom.js";
import { textForm } from "../ui/text-form.js";

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
