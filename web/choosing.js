// Files that somebody chooses.

import { el } from "./dom.js";

/**
 * What opens the system's list of files; a button beside it clicks it.
 * @param {string} accept the kinds that are shown
 * @param {(text: string) => void} take what is done with what is in the chosen one
 */
export function fileInput(accept, take) {
  const input = el("input", { type: "file", class: "unseen", "aria-label": "A file", tabindex: "-1", accept });
  input.addEventListener("change", async () => {
    const [chosen] = input.files ?? [];
    if (chosen) take(await chosen.text());
  });
  return input;
}
