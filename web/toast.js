// Short notices at the foot of the window, and the banner of a lost connection.

import { button, el, write } from "./dom.js";
import { sentence } from "./names.js";
import { warn } from "./speech.js";

const TIME = 4000;
const toast = el("div", { class: "toast", "aria-hidden": "true", hidden: true });
const bannerText = el("span");
const reload = button("Reload", () => location.reload(), "button small");
const banner = el("div", { class: "banner", role: "status", hidden: true }, bannerText, reload);
let timer = 0;

export function install() {
  document.body.append(toast, banner);
}

/** @param {string} text */
export function notice(text) {
  clearTimeout(timer);
  write(toast, sentence(text));
  toast.hidden = false;
  warn(sentence(text));
  timer = setTimeout(() => (toast.hidden = true), TIME);
}

/**
 * @param {string | null} text null when all is well
 * @param {boolean} [final] whether only a reload helps
 */
export function showBanner(text, final = false) {
  banner.hidden = text === null;
  reload.hidden = !final;
  write(bannerText, text ?? "");
}
