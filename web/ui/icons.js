// Icons for buttons.

import { el, svg } from "./dom.js";

/** Paths in a box of 24 by 24. @type {Record<string, string>} */
const PATHS = {
  first: "M6 5v14M18 6l-8 6 8 6z",
  back: "M15 6l-8 6 8 6z",
  on: "M9 6l8 6-8 6z",
  last: "M18 5v14M6 6l8 6-8 6z",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  flip: "M8 20V5m0 0L4 9m4-4 4 4M16 4v15m0 0 4-4m-4 4-4-4",
  left: "M7 5v5h5M7.5 9.5A7 7 0 1 1 6 16",
  right: "M17 5v5h-5M16.5 9.5A7 7 0 1 0 18 16",
  mirror: "M12 4v16M9 7l-5 10h5zM15 7l5 10h-5z",
  next: "M12 4v4M12 16v4M4 12h4M16 12h4M12 10.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  corners: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  close: "M6 6l12 12M18 6 6 18",
  help: "M9 9.2a3 3 0 1 1 4.4 2.7c-1 .5-1.4 1.1-1.4 2.1v.4M12 17.6v.1",
  sound: "M5 9.5v5h3l4.5 4v-13l-4.5 4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  mute: "M5 9.5v5h3l4.5 4v-13l-4.5 4zM16.5 9.5l5 5m0-5-5 5",
  auto: "M12 4a8 8 0 0 0 0 16zM12 4a8 8 0 0 1 0 16",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M6 6l1 1M17 17l1 1M18 6l-1 1M7 17l-1 1",
  dark: "M19 14.5A7.5 7.5 0 0 1 9.5 5 7.5 7.5 0 1 0 19 14.5z",
  promote: "M12 19V6m0 0-5 5m5-5 5 5M6 3h12",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
  lobby: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 19a5.5 5.5 0 0 1 11 0M16 11a2.5 2.5 0 1 0-1-4.8M15.5 14a5 5 0 0 1 6 5",
  games: "M12 5v7l4 2.5M4.5 12a7.5 7.5 0 1 0 2.4-5.5M4.5 5v3.5H8",
  menu: "M4 7h16M4 12h16M4 17h16",
  planes: "M4 8l8-4 8 4-8 4zM4 12l8 4 8-4M4 16l8 4 8-4",
  study: "M4 19h16M6 15l4-5 4 3 5-7",
  chat: "M5 5h14v10h-8l-4 4v-4H5z",
  edit: "M5 19l1-4L16.5 4.5l3 3L9 18z",
};

/**
 * Creates a button with an icon and an accessible name.
 * @param {string} name
 * @param {string} drawing
 * @param {() => void} press
 * @param {string} [classes]
 * @param {string} [key] the key that does the same, for the tooltip
 */
export function iconButton(name, drawing, press, classes = "button icon", key = "") {
  const button = el("button", { type: "button", class: classes, click: press });
  setIcon(button, drawing, name, key);
  return button;
}

/**
 * Sets the icon and the accessible name of a button.
 * @param {HTMLElement} button
 * @param {string} drawing
 * @param {string} name
 * @param {string} [key] the key that does the same, for the tooltip
 */
export function setIcon(button, drawing, name, key) {
  button.replaceChildren(icon(drawing));
  button.setAttribute("aria-label", name);
  button.title = key ? `${name} (${key})` : name;
}

/** @param {string} name */
export function icon(name) {
  const path = svg("path", { d: PATHS[name] ?? "" });
  return svg("svg", { class: `drawing drawing-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}
