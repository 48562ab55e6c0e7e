// Short notices at the bottom of the window, and the banner of a lost connection.

import { warn } from "../app/announcements.js";
import { reasonOf } from "../app/connection.js";
import { sentence } from "../app/names.js";
import { button, el, setText } from "./dom.js";

const TIME = 4000;
const toast = el("div", { class: "toast", "aria-hidden": "true", hidden: true });
const bannerText = el("span");
const reload = button("Reload", () => location.reload(), "button small");
const banner = el("div", { class: "banner", role: "status", hidden: true }, bannerText, reload);
/** A lasting warning that games are not being saved. */
const warning = el("div", { class: "banner", role: "status", hidden: true });
let timer = 0;

export function install() {
  document.body.append(toast, banner, warning);
}

/** @param {string | null} text null to hide it */
export function showWarning(text) {
  warning.hidden = text === null;
  setText(warning, text === null ? "" : sentence(text));
}

/** @param {string} text */
export function showNotice(text) {
  clearTimeout(timer);
  setText(toast, sentence(text));
  toast.hidden = false;
  warn(sentence(text));
  timer = setTimeout(() => (toast.hidden = true), TIME);
}

/**
 * Shows why something failed.
 * @param {unknown} error
 */
export function showError(error) {
  showNotice(reasonOf(error));
}

/**
 * @param {string | null} text null to hide it
 * @param {boolean} [final] whether only a reload helps
 */
export function showBanner(text, final = false) {
  banner.hidden = text === null;
  reload.hidden = !final;
  setText(bannerText, text ?? "");
}
