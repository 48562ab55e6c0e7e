// Style sheets that are loaded on demand.

import { el } from "./dom.js";

/** @type {Map<string, Promise<void>>} */
const loaded = new Map();

/**
 * Loads a style sheet, once.
 * @param {string} name
 * @returns {Promise<void>} rejected if it cannot be loaded; it is then tried again
 */
export function loadSheet(name) {
  const known = loaded.get(name);
  if (known) return known;
  const sheet = el("link", { rel: "stylesheet", href: `/web/${name}` });
  const loading = new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    sheet.addEventListener("load", () => resolve());
    sheet.addEventListener("error", reject);
    document.head.append(sheet);
  });
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}
