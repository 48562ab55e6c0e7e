// A text that is typed, pasted or read from a file.

import { reasonOf } from "../app/connection.js";
import { sentence } from "../app/names.js";
import { el, setText } from "./dom.js";

/**
 * Creates the parts of a form for a text. The file input is hidden: a visible button must click it.
 * @param {Record<string, string>} attributes of the text area
 * @param {string} accept the accepted types of files, as in the `accept` attribute
 * @param {(text: string) => Promise<void>} load rejected with the reason
 */
export function textForm(attributes, accept, load) {
  const text = el("textarea", { ...attributes, spellcheck: "false", autocomplete: "off", input: () => setText(reason, "") });
  const reason = el("p", { class: "reason", role: "alert" });
  const submit = async () => {
    try {
      await load(text.value);
    } catch (error) {
      setText(reason, sentence(reasonOf(error)));
      text.focus();
    }
  };
  const file = el("input", { type: "file", class: "visually-hidden", "aria-label": "Choose a file", tabindex: "-1", accept });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    text.value = await chosen.text();
    submit();
  });
  return { text, reason, submit, file };
}
