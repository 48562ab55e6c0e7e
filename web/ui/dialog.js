// Modal dialogs.

import { el } from "./dom.js";

/** @import { Child } from "./dom.js" */

/**
 * Opens a modal dialog. Closing it, or clicking outside of it, removes it.
 * @param {string} name the accessible name
 * @param {string} classes
 * @param {...Child} children
 */
export function openDialog(name, classes, ...children) {
  const dialog = el("dialog", { class: `dialog ${classes}`, "aria-label": name }, ...children);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && dialog.close());
  // Otherwise the first button gets the focus, and a long dialog is scrolled to it.
  dialog.tabIndex = -1;
  dialog.autofocus = !dialog.querySelector("[autofocus]");
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
