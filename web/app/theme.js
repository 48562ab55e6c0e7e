// The theme: light, dark, or the system's.

import { read, store } from "./preferences.js";

/** @typedef {"auto" | "light" | "dark"} Theme */

/** @type {Theme[]} */
const THEMES = ["auto", "light", "dark"];

/** @returns {Theme} */
export function currentTheme() {
  return THEMES.find((theme) => theme === read("theme")) ?? "auto";
}

/** @param {Theme} theme */
export function setTheme(theme) {
  store("theme", theme === "auto" ? null : theme);
  install();
}

/** @returns {Theme} the next one */
export function nextTheme() {
  return THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length] ?? "auto";
}

/** Applies the stored theme. */
export function install() {
  const chosen = currentTheme();
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
