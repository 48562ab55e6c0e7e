// Buttons that copy a text.

import { button, el, write } from "./dom.js";

const COPIED = 2000;

/**
 * A button that copies a text and says so for a while.
 * @param {string} label
 * @param {() => string} text
 * @param {HTMLInputElement | HTMLTextAreaElement} [shown] where it can be selected instead
 */
export function copyButton(label, text, shown) {
  const said = el("span", {}, label);
  let timer = 0;
  const press = async () => {
    const copied = await copyText(text(), shown);
    write(said, copied ? "Copied" : "Press Ctrl+C");
    clearTimeout(timer);
    timer = setTimeout(() => write(said, label), COPIED);
  };
  const node = button("", press, shown ? "button primary" : "button");
  node.append(said);
  return node;
}

/**
 * @param {string} text
 * @param {HTMLInputElement | HTMLTextAreaElement} [shown]
 * @returns {Promise<boolean>}
 */
async function copyText(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Where there is no clipboard: pages without TLS.
    const input = shown ?? document.body.appendChild(el("input", { type: "text", class: "unseen", "aria-hidden": "true" }));
    if (!shown) input.value = text;
    input.select();
    const copied = document.execCommand("copy");
    if (!shown) input.remove();
    return copied;
  }
}
