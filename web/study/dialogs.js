// The dialogs that load a FEN or a PGN into a study, and that export it.

import { fileInput } from "../ui/file-input.js";
import { copyButton } from "../ui/copy-button.js";
import { button, el, setText } from "../ui/dom.js";
import { sentence } from "../app/names.js";
import { reasonOf } from "../app/connection.js";

/**
 * Asks for text or a file.
 * @param {(text: string) => Promise<void>} load rejected with the reason
 */
export function openLoadDialog(load) {
  const text = el("textarea", { id: "load-text", rows: "8", spellcheck: "false", autocomplete: "off", placeholder: "FEN or PGN" });
  const reason = el("p", { class: "reason", role: "alert" });
  const attempt = async () => {
    try {
      await load(text.value);
      dialog.close();
    } catch (error) {
      setText(reason, sentence(reasonOf(error)));
      text.focus();
    }
  };
  const file = fileInput(".pgn,.fen,.txt,text/plain", (chosen) => {
    text.value = chosen;
    attempt();
  });
  text.addEventListener("input", () => setText(reason, ""));
  const dialog = open(
    "Load a position or a game",
    el("label", { for: text.id }, "FEN or PGN, with variations and comments"),
    text,
    reason,
    el(
      "div",
      { class: "actions" },
      button("Load", attempt, "button primary"),
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
  const dialog = open(
    "Share and export",
    el("h3", {}, "This position"),
    field("FEN", fen),
    field("link", link),
    el("h3", {}, "The whole study"),
    whole,
    el("div", { class: "actions" }, copyButton("Copy PGN", () => whole.value, whole), save, button("Close", () => dialog.close())),
  );
  dialog.addEventListener("close", () => URL.revokeObjectURL(save.href));
}

/**
 * @param {string} title
 * @param {...Node} children
 */
function open(title, ...children) {
  const dialog = el("dialog", { class: "dialog exchange", "aria-label": title }, el("h2", {}, title), ...children);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
