// Creates elements without markup in strings.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Creates an element with attributes and children. `true` sets an attribute without a value; `null`,
 * `undefined` and `false` omit it; a function is added as an event listener.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  setAttributes(node, attributes);
  add(node, children);
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Like `el`, for SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  setAttributes(node, attributes);
  add(node, children);
  return node;
}

/**
 * Draws a piece of the piece set in the colors of its seat.
 * @param {string} piece
 * @param {number} seat
 * @param {string} [classes]
 */
export function pieceImage(piece, seat, classes = "piece-image") {
  const use = svg("use", { href: `#piece-${piece}` });
  return svg("svg", { class: `${classes} seat-${seat}`, viewBox: "0 0 64 64", "aria-hidden": "true" }, use);
}

/**
 * Creates a button with a text label.
 * @param {string} text
 * @param {(event: MouseEvent) => void} press
 * @param {string} [classes]
 */
export function button(text, press, classes = "button") {
  return el("button", { type: "button", class: classes, click: press }, text);
}

/**
 * Creates a link that opens a page without a reload, unless a modifier key asks for a new tab or window.
 * @param {{open: (path: string) => void}} context
 * @param {Record<string, any>} attributes
 * @param {...Child} children
 */
export function pageLink(context, attributes, ...children) {
  const link = el("a", attributes, ...children);
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    context.open(link.pathname + link.search);
  });
  return link;
}

/**
 * Creates a button that switches something on and off; `aria-pressed` says which.
 * @param {string} name
 * @param {string} key the key that does the same
 * @param {string} title
 * @param {() => void} toggle
 */
export function switchButton(name, key, title, toggle) {
  const mark = el("span", { class: "switch-mark", "aria-hidden": "true" });
  return el("button", { type: "button", class: "switch", title, click: toggle }, mark, name, el("kbd", { "aria-hidden": "true" }, key));
}

/**
 * Creates a labeled drop-down list.
 * @param {string} name
 * @param {HTMLSelectElement} select
 */
export function selectField(name, select) {
  return el("div", { class: "select-field" }, el("label", { for: select.id }, name), select);
}

/**
 * Sets a text only if it changes, to avoid needless layout and announcements.
 * @param {Element} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * @param {Element} node
 * @param {Record<string, any>} attributes
 */
function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {Element} node
 * @param {Child[]} children
 */
function add(node, children) {
  for (const child of children) if (child) node.append(child);
}
