// The remaining Blokus pieces, and the tools for the held piece.

import { capital, plural } from "../app/names.js";
import { button, el, setText } from "../ui/dom.js";
import { iconButton } from "../ui/icons.js";
import { miniature } from "./tiles.js";

/** @import { Color, GameState } from "../app/protocol.js" */
/** @import { Cell } from "./tiles.js" */

/** How a piece is picked. @typedef {"mouse" | "touch" | "keys"} Means */

/**
 * The rack's callbacks.
 * @typedef {object} Callbacks
 * @property {(piece: string, how: Means) => void} pick
 * @property {(steps: number) => void} turn rotates it by quarter turns to the right
 * @property {() => void} flip
 * @property {() => void} next moves to another place where it fits
 * @property {() => void} frontier
 * @property {() => void} place
 * @property {(color: number) => void} show shows another color's pieces
 */

/**
 * What the rack shows.
 * @typedef {object} Shown
 * @property {GameState} state
 * @property {Color[]} colors
 * @property {number} color whose pieces are shown
 * @property {boolean} yours whether you may pick one
 * @property {Set<string> | null} fitting the pieces that fit somewhere, if known
 * @property {string | null} piece the held one
 * @property {Cell[]} cells its cells, as it is rotated
 * @property {boolean} frontier
 * @property {boolean} ready whether the held piece can be placed where it is
 * @property {string} line
 * @property {"" | "fits" | "wrong"} tone
 */

export class Rack {
  /** @param {Callbacks} callbacks */
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.tabs = el("div", { class: "rack-colors", role: "group", "aria-label": "Colors" });
    this.pieces = el("div", { class: "pieces", role: "group" });
    this.line = el("p", { class: "rack-line" });
    const tool = (/** @type {string} */ name, /** @type {string} */ drawing, /** @type {string} */ key, /** @type {() => void} */ press) =>
      iconButton(name, drawing, press, "button tool", key);
    this.pieceTools = [
      tool("Rotate left", "left", "Shift+R", () => callbacks.turn(-1)),
      tool("Rotate right", "right", "R", () => callbacks.turn(1)),
      tool("Flip", "mirror", "X", callbacks.flip),
      tool("Next legal placement", "next", "N", callbacks.next),
    ];
    this.frontier = tool("Frontier", "corners", "C", callbacks.frontier);
    this.placeButton = button("Place", callbacks.place, "button primary tool");
    this.tools = el("div", { class: "rack-tools", role: "group", "aria-label": "Selected piece" }, ...this.pieceTools, this.frontier, this.placeButton);
    this.root = el("section", { class: "rack", "aria-label": "Pieces" }, this.tabs, this.pieces, this.line, this.tools);
    this.drawn = { tabs: "", pieces: "" };
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
  }

  /** @param {Shown} shown */
  update(shown) {
    this.updateTabs(shown);
    this.updatePieces(shown);
    this.root.classList.toggle("watching", shown.state.you.length === 0);
    for (const tool of this.pieceTools) tool.disabled = !shown.piece;
    this.placeButton.disabled = !shown.ready;
    this.tools.hidden = Boolean(shown.state.outcome) && shown.state.you.length === 0;
    this.frontier.setAttribute("aria-pressed", String(shown.frontier));
    setText(this.line, shown.line);
    this.line.dataset.tone = shown.tone;
  }

  /** @param {Shown} shown */
  updateTabs({ colors, color }) {
    const drawn = JSON.stringify(colors.map(({ name, turn, score, left, done }) => [name, turn, score, left.length, done]));
    if (drawn !== this.drawn.tabs) {
      this.drawn.tabs = drawn;
      const focused = [...this.tabs.children].findIndex((child) => child === document.activeElement);
      this.tabs.replaceChildren(...colors.map((one, index) => this.tab(one, index)));
      if (focused >= 0) /** @type {HTMLElement | undefined} */ (this.tabs.children[focused])?.focus();
    }
    [...this.tabs.children].forEach((child, index) => child.setAttribute("aria-pressed", String(index === color)));
  }

  /**
   * @param {Color} color
   * @param {number} index
   */
  tab({ name, turn, score, left, done }, index) {
    const words = [name, turn ? "to move" : "", done ? "no more moves" : "", `${left.length} pieces left`, plural(score, "point")];
    const attributes = {
      type: "button", class: `rack-color seat-${index}${turn ? " acting" : ""}${done ? " done" : ""}`,
      "aria-label": words.filter(Boolean).join(", "), title: capital(name), click: () => this.callbacks.show(index),
    };
    return el("button", attributes, el("span", { class: "token" }), el("span", {}, String(left.length)));
  }

  /** @param {Shown} shown */
  updatePieces({ state, colors, color, yours, fitting, piece, cells }) {
    const { left, name } = colors[color] ?? { left: [], name: "" };
    const drawn = JSON.stringify([color, state.piece_shapes.length]);
    if (drawn !== this.drawn.pieces) {
      this.drawn.pieces = drawn;
      this.buttons = new Map(state.piece_shapes.map((shape) => [shape.name, this.piece(shape.name, color)]));
      this.pieces.replaceChildren(...this.buttons.values());
    }
    this.pieces.setAttribute("aria-label", `${capital(name)} pieces, ${left.length} left`);
    for (const shape of state.piece_shapes) {
      const node = this.buttons.get(shape.name);
      if (!node) continue;
      const has = left.includes(shape.name);
      const stuck = has && fitting !== null && !fitting.has(shape.name);
      const held = shape.name === piece;
      node.classList.toggle("placed", !has);
      node.classList.toggle("stuck", stuck);
      node.disabled = !has || !yours;
      node.setAttribute("aria-pressed", String(held));
      node.setAttribute("aria-label", `${shape.name}${has ? "" : ", on the board"}${stuck ? ", does not fit anywhere" : ""}`);
      const oriented = held ? cells : shape.cells.map(([row, column]) => /** @type {Cell} */ ([column, row]));
      const look = JSON.stringify(oriented);
      if (node.dataset.look === look) continue;
      node.dataset.look = look;
      node.firstElementChild?.replaceWith(miniature(oriented));
    }
  }

  /**
   * @param {string} name
   * @param {number} color
   */
  piece(name, color) {
    let touched = false;
    const pointerdown = (/** @type {PointerEvent} */ event) => (touched = event.pointerType === "touch");
    const click = (/** @type {MouseEvent} */ event) => {
      const byPointer = touched ? "touch" : "mouse";
      this.callbacks.pick(name, event.detail === 0 ? "keys" : byPointer);
    };
    return el("button", { type: "button", class: `piece seat-${color}`, title: name, pointerdown, click }, miniature([]));
  }
}
