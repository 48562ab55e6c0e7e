// The moves of a study with their variations and comments, and stepping through them.

import { el } from "../ui/dom.js";
import { iconButton } from "../ui/icons.js";
import { scrollToItem, setCurrent, stepBar } from "../ui/step-bar.js";

/** @import { Verdict } from "./mistakes.js" */
/** @import { Node, Tree } from "./tree.js" */

/** The signs and meanings of NAGs (numeric annotation glyphs). @type {Record<number, [string, string]>} */
const SIGNS = {
  1: ["!", "good move"],
  2: ["?", "mistake"],
  3: ["!!", "brilliant move"],
  4: ["??", "blunder"],
  5: ["!?", "interesting move"],
  6: ["?!", "dubious move"],
  7: ["□", "forced move"],
  10: ["=", "equal"],
  13: ["∞", "unclear"],
  14: ["⩲", "White is slightly better"],
  15: ["⩱", "Black is slightly better"],
  16: ["±", "White is better"],
  17: ["∓", "Black is better"],
  18: ["+−", "White is winning"],
  19: ["−+", "Black is winning"],
};

/** NAGs that judge a move: they replace the engine's verdict. */
const JUDGMENTS = new Set([1, 2, 3, 4, 5, 6]);

/**
 * The callbacks of the list and its buttons.
 * @typedef {object} Actions
 * @property {(node: Node | null) => void} go
 * @property {() => void} flip
 * @property {() => void} promote
 * @property {() => void} remove
 */

export class Variations {
  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    /** @type {Tree | null} */
    this.tree = null;
    this.list = el("ol", { class: "tree", "aria-label": "Moves", tabindex: "0" });
    /** @type {Map<Node, HTMLButtonElement>} */
    this.buttons = new Map();
    /** The engine's verdicts on moves. @type {Map<Node, Verdict>} */
    this.verdicts = new Map();
    this.promote = iconButton("Promote this variation", "promote", actions.promote);
    this.remove = iconButton("Delete from here", "remove", actions.remove);
    const step = (/** @type {(tree: Tree) => Node | null} */ to) => () => this.tree && to(this.tree);
    const to = { first: step((tree) => tree.root), previous: step((tree) => tree.back()), next: step((tree) => tree.next()), last: step((tree) => tree.end()) };
    this.steps = stepBar(actions.go, to, "Last position", actions.flip, this.promote, this.remove);
    this.root = el("section", { class: "record", "aria-label": "Moves" }, this.list, this.steps.root);
  }

  /**
   * Draws the whole tree, after it has changed.
   * @param {Tree} tree
   */
  draw(tree) {
    this.tree = tree;
    this.buttons.clear();
    const lines = this.mainLine(tree);
    this.list.replaceChildren(...(lines.length > 0 ? lines : [el("li", { class: "empty" }, "Make a move, or load a game")]));
    this.update(tree);
  }

  /**
   * Marks the current move.
   * @param {Tree} tree
   */
  update(tree) {
    for (const [node, button] of this.buttons) setCurrent(button, node === tree.at);
    this.steps.update(!tree.at.parent, !tree.next());
    this.promote.disabled = !tree.isVariation();
    this.remove.disabled = !tree.at.parent;
    scrollToItem(this.list, this.buttons.get(tree.at));
  }

  /**
   * Shows two moves per row, with comments and variations below.
   * @param {Tree} tree
   * @returns {HTMLElement[]}
   */
  mainLine(tree) {
    /** @type {HTMLElement[]} */
    const lines = commentsOf(tree.root).map((text) => el("li", { class: "aside" }, comment(text)));
    /** @type {HTMLElement | null} */
    let row = null;
    for (let [node, ...others] = tree.root.children; node; [node, ...others] = node.children) {
      if (!row || node.seat === 0) {
        row = el("li", { class: "pair" }, el("span", { class: "number", "aria-hidden": "true" }, `${node.number}.`));
        if (node.seat > 0) row.append(el("span", { class: "gap", "aria-hidden": "true" }, "…"));
        lines.push(row);
      }
      row.append(this.move(node));
      const hanging = [...commentsOf(node).map(comment), ...others.map((other) => this.variation(other))];
      if (hanging.length > 0) {
        lines.push(el("li", { class: "aside" }, ...hanging));
        row = null;
      }
    }
    return lines;
  }

  /**
   * Shows a variation as running text, with nested ones in brackets.
   * @param {Node} first
   * @returns {HTMLElement}
   */
  variation(first) {
    const line = el("span", { class: "variation" }, ...(first.before_commands?.comments ?? first.before).map(comment));
    let numbered = true;
    /** @type {Node[]} */
    let others = [];
    for (/** @type {Node | undefined} */ let node = first; node; [node, ...others] = node.children) {
      if (node.seat === 0 || numbered) {
        line.append(el("span", { class: "number", "aria-hidden": "true" }, `${node.number}${node.seat === 0 ? "." : "…"}`));
      }
      line.append(this.move(node), ...commentsOf(node).map(comment), ...others.map((other) => this.variation(other)));
      numbered = commentsOf(node).length > 0 || others.length > 0;
    }
    return line;
  }

  /** @param {Node} node */
  move(node) {
    const button = el("button", { type: "button", class: "move", click: () => this.actions.go(node) });
    this.buttons.set(node, button);
    this.updateButton(node, button);
    return button;
  }

  /**
   * Shows a move with its signs.
   * @param {Node} node
   * @param {HTMLButtonElement} button
   */
  updateButton(node, button) {
    const signs = node.nags.map((nag) => SIGNS[nag]).filter((sign) => sign !== undefined);
    const verdict = node.nags.some((nag) => JUDGMENTS.has(nag)) ? undefined : this.verdicts.get(node);
    const words = [...signs.map(([, word]) => word), ...(verdict ? [verdict.text] : [])];
    const { clock, elapsed, evaluation } = node.commands ?? {};
    const recorded = [...(evaluation ? [`evaluation ${evaluation}`] : []), ...(clock ? [`clock ${clock}`] : []), ...(elapsed ? [`took ${elapsed}`] : [])];
    words.push(...recorded);
    button.setAttribute("aria-label", [`${node.number}, ${node.seat === 0 ? "white" : "black"} ${node.text}`, ...words].join(", "));
    button.title = words.join(", ");
    const text = node.text + signs.map(([sign]) => sign).join("");
    const shown = [evaluation, clock ?? elapsed].filter((value) => value !== null && value !== undefined);
    button.replaceChildren(
      text,
      ...(verdict ? [el("span", { class: `sign ${verdict.grade.id}` }, verdict.grade.sign)] : []),
      ...shown.map((value) => el("span", { class: "recorded" }, value)),
    );
  }

  /** @param {Map<Node, Verdict>} verdicts */
  setVerdicts(verdicts) {
    const before = this.verdicts;
    this.verdicts = verdicts;
    for (const [node, button] of this.buttons) if (before.get(node)?.text !== verdicts.get(node)?.text) this.updateButton(node, button);
  }
}

/**
 * Returns the comments after a move, without commands.
 * @param {Node} node
 */
function commentsOf(node) {
  return node.commands?.comments ?? node.comments;
}

/** @param {string} text */
function comment(text) {
  return el("span", { class: "comment" }, text);
}
