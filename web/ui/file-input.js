// Choosing a file.

import { el } from "./dom.js";

/**
 * Returns a hidden file input; a visible button must click it.
 * @param {string} accept the accepted types, as in the `accept` attribute
 * @param {(text: string) => void} onText called with the contents of the chosen file
 */
export function fileInput(accept, onText) {
  const input = el("input", { type: "file", class: "visually-hidden", "aria-label": "Choose a file", tabindex: "-1", accept });
  input.addEventListener("change", async () => {
    const [chosen] = input.files ?? [];
    if (chosen) onText(await chosen.text());
  });
  return input;
}
