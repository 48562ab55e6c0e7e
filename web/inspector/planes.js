// Thumbnails of planes in groups, and a dialog with the numbers of one plane.

import { capital } from "../app/names.js";
import { openDialog } from "../ui/dialog.js";
import { button, el, setText, svg } from "../ui/dom.js";
import { iconButton } from "../ui/icons.js";

/** @import { Caption } from "./inspector-requests.js" */

/** The size of a plane, and the names of its squares; null if a cell is not on the board. @typedef {{rows: number, columns: number, squares: (string | null)[]}} Grid */
/** A plane: its caption, its Python expression, its values, and highlighted squares. @typedef {Caption & {code: string, values: number | number[], lit?: Set<number>}} Item */

/**
 * Called with the plane under the pointer, or null.
 * @typedef {(item: Item | null) => void} Pointing
 */

/** Groups of thumbnails, which keep the focus when the values change. */
export class Gallery {
  /**
   * @param {string} name
   * @param {Pointing} point
   */
  constructor(name, point) {
    this.point = point;
    this.root = el("div", { class: "gallery", role: "group", "aria-label": name });
    /** @type {Thumbnail[]} */
    this.tiles = [];
    /** @type {{root: HTMLElement, count: HTMLElement, tiles: Thumbnail[]}[]} */
    this.groups = [];
    this.known = "";
    this.dialog = new PlaneDialog(() => this.tiles.filter(({ root }) => !root.hidden).map(({ item }) => item));
  }

  /**
   * @param {Item[]} items
   * @param {Grid} grid
   * @param {(item: Item) => boolean} [isShown]
   */
  show(items, grid, isShown = () => true) {
    const known = JSON.stringify([grid.rows, grid.columns, items.map(({ group, name }) => [group, name])]);
    if (known !== this.known) this.build(items, grid);
    this.known = known;
    items.forEach((item, index) => this.tiles[index]?.show(item, grid, isShown(item)));
    for (const { root, count, tiles } of this.groups) {
      root.hidden = tiles.every((tile) => tile.root.hidden);
      const legal = tiles.reduce((sum, { item }) => sum + (item.lit ? countNonzero(item.values) : 0), 0);
      setText(count, legal > 0 ? String(legal) : "");
    }
    this.dialog.update(items, grid);
  }

  /**
   * @param {Item[]} items
   * @param {Grid} grid
   */
  build(items, { columns }) {
    this.root.dataset.size = columns > 14 ? "large" : columns > 8 ? "middle" : "small";
    this.tiles = items.map((item) => new Thumbnail(item, { point: this.point, press: (chosen) => this.dialog.open(chosen) }));
    const names = [...new Set(items.map(({ group }) => group))];
    this.groups = names.map((name) => {
      const tiles = this.tiles.filter(({ item }) => item.group === name);
      const count = el("span", { class: "count" });
      const fit = [8, 7].find((many) => tiles.length % many === 0);
      const list = el("ul", { class: "planes", "data-fit": fit ?? null }, ...tiles.map(({ root }) => root));
      return { root: el("section", { class: "plane-group", "aria-label": capital(name) }, el("h2", {}, capital(name), " ", count), list), count, tiles };
    });
    this.root.replaceChildren(...this.groups.map(({ root }) => root));
  }
}

/** A thumbnail with its name. */
class Thumbnail {
  /**
   * @param {Item} item
   * @param {{point: Pointing, press: (item: Item) => void}} callbacks
   */
  constructor(item, { point, press }) {
    this.item = item;
    this.picture = new Picture();
    this.range = el("span", { class: "plane-range", "aria-hidden": "true" });
    this.button = el(
      "button",
      {
        type: "button",
        class: "plane",
        click: () => press(this.item),
        pointerenter: () => point(this.item),
        pointerleave: () => point(null),
        focus: () => point(this.item),
        blur: () => point(null),
      },
      this.picture.root,
      el("span", { class: "plane-name" }, item.name),
    );
    this.root = el("li", {}, this.button, this.range);
  }

  /**
   * @param {Item} item
   * @param {Grid} grid
   * @param {boolean} shown
   */
  show(item, grid, shown) {
    this.item = item;
    if (this.root.hidden === shown) this.root.hidden = !shown;
    if (!shown) return;
    this.picture.show(item.values, grid, item.lit);
    setText(this.range, rangeText(item.values));
    this.button.classList.toggle("empty", countNonzero(item.values) === 0);
    const label = `${capital(item.group)}: ${item.name}, ${summary(item.values)}`;
    if (this.button.getAttribute("aria-label") !== label) this.button.setAttribute("aria-label", label);
  }
}

/** Draws the values of a plane. */
class Picture {
  constructor() {
    this.ground = svg("path", { class: "plane-ground" });
    this.dark = svg("path", { class: "plane-dark" });
    this.on = svg("path", { class: "plane-on" });
    this.lit = svg("path", { class: "plane-lit" });
    this.parts = svg("g", { class: "plane-on" });
    this.root = svg("svg", { class: "picture", "aria-hidden": "true", "shape-rendering": "crispEdges" }, this.ground, this.dark, this.on, this.parts, this.lit);
    this.drawn = "";
  }

  /**
   * @param {number | number[]} values
   * @param {Grid} grid
   * @param {Set<number>} [lit]
   */
  show(values, grid, lit = new Set()) {
    const drawn = JSON.stringify([values, [...lit], grid.rows, grid.columns]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const { rows, columns, squares } = grid;
    this.root.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    this.ground.setAttribute("d", path(squares.flatMap((name, cell) => (name === null ? [] : [cell])), columns));
    this.dark.setAttribute("d", path(squares.flatMap((name, cell) => (name === null || ((cell % columns) + Math.floor(cell / columns)) % 2 === 0 ? [] : [cell])), columns));
    const each = valueList(values, rows * columns);
    this.on.setAttribute("d", path(each.flatMap((value, cell) => (value === 1 && !lit.has(cell) ? [cell] : [])), columns));
    this.lit.setAttribute("d", path([...lit], columns));
    this.parts.replaceChildren(
      ...each.flatMap((value, cell) => {
        if (value === 0 || value === 1) return [];
        return [svg("path", { d: path([cell], columns), "fill-opacity": strength(value) })];
      }),
    );
  }
}

/** A dialog with all numbers of a plane. */
class PlaneDialog {
  /** @param {() => Item[]} all returns the planes that can be shown */
  constructor(all) {
    this.all = all;
    /** @type {HTMLDialogElement | null} */
    this.dialog = null;
    /** @type {Item | null} */
    this.item = null;
    /** @type {Grid} */
    this.grid = { rows: 0, columns: 0, squares: [] };
    this.title = el("h2");
    this.code = el("code");
    this.about = el("p", { class: "muted" });
    this.body = el("div", { class: "plane-dialog-body", tabindex: "0" });
  }

  /** @param {Item} item */
  open(item) {
    this.item = item;
    const before = document.activeElement;
    const bar = el(
      "div",
      { class: "plane-dialog-bar" },
      iconButton("Previous plane", "back", () => this.step(-1)),
      iconButton("Next plane", "on", () => this.step(1)),
      button("Close", () => dialog.close(), "button"),
    );
    const dialog = openDialog("Plane", "plane-dialog", this.title, el("p", {}, this.code), this.body, this.about, bar);
    dialog.addEventListener("close", () => {
      this.dialog = null;
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    });
    dialog.addEventListener("keydown", (event) => {
      const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (direction) this.step(direction);
    });
    this.dialog = dialog;
    this.draw();
  }

  /** @param {number} direction */
  step(direction) {
    const all = this.all();
    const at = all.findIndex(({ code }) => code === this.item?.code);
    this.item = all[(at + direction + all.length) % all.length] ?? this.item;
    this.draw();
  }

  /**
   * Updates the plane that is shown.
   * @param {Item[]} items
   * @param {Grid} grid
   */
  update(items, grid) {
    this.grid = grid;
    const item = items.find(({ code }) => code === this.item?.code);
    if (!this.dialog || !item) return;
    this.item = item;
    this.draw();
  }

  draw() {
    const { item, grid } = this;
    if (!item) return;
    const { rows, columns, squares } = grid;
    setText(this.title, `${capital(item.group)}: ${item.name}`);
    setText(this.code, item.code);
    setText(this.about, `${capital(summary(item.values))}.`);
    const values = valueList(item.values, rows * columns);
    const lines = Array.from({ length: rows }, (_, row) =>
      el(
        "tr",
        {},
        ...values.slice(row * columns, (row + 1) * columns).map((value, column) => {
          const name = squares[row * columns + column];
          const cell = el("td", { class: value === 0 ? "zero" : "value", title: name ?? null }, shortNumber(value));
          if (value !== 0) cell.style.setProperty("--strength", strength(value));
          return cell;
        }),
      ),
    );
    const table = el("table", { class: columns > 14 ? "numbers tiny" : "numbers", "aria-label": "Values" }, el("tbody", {}, ...lines));
    this.body.replaceChildren(table);
  }
}

/**
 * @param {number | number[]} values
 * @param {number} count
 */
function valueList(values, count) {
  return Array.isArray(values) ? values : Array.from({ length: count }, () => values);
}

/** Counts the nonzero values; one value for all squares counts once. @param {number | number[]} values */
function countNonzero(values) {
  return Array.isArray(values) ? values.filter((value) => value !== 0).length : Number(values !== 0);
}

/**
 * Returns squares as one path.
 * @param {number[]} cells
 * @param {number} columns
 */
export function path(cells, columns) {
  return cells.map((cell) => `M${cell % columns} ${Math.floor(cell / columns)}h1v1h-1z`).join("");
}

/** Returns the opacity with which a value is drawn. @param {number} value */
export function strength(value) {
  return (0.2 + 0.8 * Math.min(1, Math.abs(value))).toFixed(3);
}

/** @param {number} value */
function shortNumber(value) {
  return String(Math.round(value * 1000) / 1000).replace(/^0\./, ".");
}

/** @param {number | number[]} values */
function rangeText(values) {
  if (!Array.isArray(values)) return values === 0 ? "0" : `all ${shortNumber(values)}`;
  const some = values.filter((value) => value !== 0);
  const [least, most] = [Math.min(...some), Math.max(...some)];
  return least === most ? `${some.length} × ${shortNumber(most)}` : `${shortNumber(least)} – ${shortNumber(most)}`;
}

/** Describes values in words. @param {number | number[]} values */
function summary(values) {
  if (!Array.isArray(values)) return values === 0 ? "0 everywhere" : `${values} everywhere`;
  const some = values.filter((value) => value !== 0);
  const [least, most] = [Math.min(...some), Math.max(...some)];
  return `${least === most ? most : `${least} to ${most}`} on ${some.length} of ${values.length} squares`;
}
