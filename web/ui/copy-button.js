// Buttons that copy text.

import { button, el, setText } from "./dom.js";

const COPIED = 2000;

/**
 * Creates a button that copies text and briefly confirms it.
 * @param {string} label
 * @param {() => string} text
 * @param {HTMLInputElement | HTMLTextAreaElement} [shown] a field with the same text, for browsers without a clipboard
 */
export function copyButton(label, text, shown) {
  const labelText = el("span", {}, label);
  let timer = 0;
  const press = async () => {
    const copied = await copyText(text(), shown);
    setText(labelText, copied ? "Copied" : "Press Ctrl+C");
    clearTimeout(timer);
    timer = setTimeout(() => setText(labelText, label), COPIED);
  };
  const node = button("", press, shown ? "button primary" : "button");
  node.append(labelText);
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
    // Pages without TLS have no clipboard.
    const input = shown ?? document.body.appendChild(el("input", { type: "text", class: "visually-hidden", "aria-hidden": "true" }));
    if (!shown) input.value = text;
    input.select();
    const copied = document.execCommand("copy");
    if (!shown) input.remove();
    return copied;
  }
}
