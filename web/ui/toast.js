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

/** The container of all notices: over the middle of the board, or below the header, where it hides neither navigation nor clocks. */
const notices = el("div", { class: "notices" }, banner, warning, toast);

export function install() {
  document.body.append(notices);
  addEventListener("resize", place);
  addEventListener("scroll", place, { passive: true });
}

/** Moves the notices onto the board, if a part of it can be seen, or else below the header. */
function place() {
  const board = document.querySelector(".board")?.getBoundingClientRect();
  const onBoard = board && board.height > 0 && board.top + board.height / 2 > 0 && board.top + board.height / 2 < innerHeight;
  notices.classList.toggle("on-board", Boolean(onBoard));
  if (!board || !onBoard) return;
  notices.style.setProperty("--board-x", `${board.left + board.width / 2}px`);
  notices.style.setProperty("--board-y", `${board.top + board.height / 2}px`);
  notices.style.setProperty("--board-width", `${board.width}px`);
}

/** @param {string | null} text null to hide it */
export function showWarning(text) {
  warning.hidden = text === null;
  place();
  setText(warning, text === null ? "" : sentence(text));
}

/** @param {string} text */
export function showNotice(text) {
  clearTimeout(timer);
  setText(toast, sentence(text));
  toast.hidden = false;
  place();
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
  place();
  reload.hidden = !final;
  setText(bannerText, text ?? "");
}
