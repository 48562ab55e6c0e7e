// A tree of moves: a start, a main line, variations, and the current move. It knows no rules.

/** @import { Move } from "../app/protocol.js" */
/** @import { MoveCommands, WireNode, WireTree } from "../app/requests.js" */

/**
 * @typedef {object} Node
 * @property {Node | null} parent null at the start
 * @property {Node[]} children the first is the main line
 * @property {Node | null} visited the child that was visited last
 * @property {string} code
 * @property {string} text
 * @property {number} number
 * @property {number} seat
 * @property {number[]} nags
 * @property {string[]} before
 * @property {MoveCommands} [before_commands]
 * @property {string[]} comments
 * @property {MoveCommands} [commands]
 */

/** The start of every study, until the server names another. */
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** @type {WireTree} */
const EMPTY = { start: START, tags: [], comments: [], nodes: [], result: "*" };

export class Tree {
  /**
   * @param {WireTree} [wire]
   * @param {number} [at] the index of the current move in the list; -1 at the start
   */
  constructor(wire = EMPTY, at = -1) {
    const { start, tags, comments, commands, nodes, result } = wire;
    this.start = start;
    this.tags = tags;
    this.result = result;
    /** @type {Node} */
    this.root = { parent: null, children: [], visited: null, code: "", text: "", number: 0, seat: 0, nags: [], before: [], comments, commands };
    /** @type {Node[]} */
    const made = [];
    for (const { after, ...move } of nodes) {
      const parent = (after === null ? this.root : made[after]) ?? this.root;
      const node = { parent, children: [], visited: null, ...move };
      parent.children.push(node);
      made.push(node);
    }
    /** @type {Node} */
    this.at = made[at] ?? this.root;
    this.go(this.at);
  }

  /**
   * Goes to a move; `next` leads there again from now on.
   * @param {Node} node
   */
  go(node) {
    this.at = node;
    for (let { parent } = node, child = node; parent; child = parent, { parent } = parent) parent.visited = child;
  }

  /**
   * Returns the moves that lead to a node.
   * @param {Node} node
   * @returns {Node[]}
   */
  path(node) {
    const path = [];
    for (let step = node; step.parent; step = step.parent) path.unshift(step);
    return path;
  }

  /** Returns the line through the current move, to its end. @returns {Node[]} */
  line() {
    const line = this.path(this.at);
    for (let next = nextOf(this.at); next; next = nextOf(next)) line.push(next);
    return line;
  }

  /** The number of moves that lead to the current position. */
  get ply() {
    return this.path(this.at).length;
  }

  /** @returns {Node | null} */
  back() {
    return this.at.parent;
  }

  /** @returns {Node | null} */
  next() {
    return nextOf(this.at);
  }

  /** Returns the end of the current line. @returns {Node} */
  end() {
    return this.line().at(-1) ?? this.root;
  }

  /**
   * Returns the next or previous variation, at the nearest move that has one.
   * @param {1 | -1} step
   * @returns {Node | null}
   */
  sibling(step) {
    for (const node of this.path(this.at).reverse()) {
      const siblings = node.parent?.children ?? [];
      const sibling = siblings[siblings.indexOf(node) + step];
      if (sibling) return sibling;
    }
    return null;
  }

  /**
   * Returns the node of a move in the current position: the existing one, or a new one, in a variation if
   * there is another move already.
   * @param {Move} move
   * @returns {Node}
   */
  add({ code, text, number, seat }) {
    const known = this.at.children.find((child) => child.code === code);
    if (known) return known;
    const node = { parent: this.at, children: [], visited: null, code, text, number, seat, nags: [], before: [], comments: [] };
    this.at.children.push(node);
    return node;
  }

  /** Whether the current move is off the main line. */
  isVariation() {
    return this.path(this.at).some((node) => node.parent?.children[0] !== node);
  }

  /** Makes the current variation the first of its siblings. */
  promote() {
    const node = this.path(this.at).reverse().find((step) => step.parent?.children[0] !== step);
    const siblings = node?.parent?.children;
    if (!node || !siblings) return;
    siblings.splice(siblings.indexOf(node), 1);
    siblings.unshift(node);
    // Only the first move of a variation has comments before it.
    const main = siblings[1];
    if (main && node.before.length > 0) [node.comments, node.before] = [[...node.before, ...node.comments], []];
  }

  /** Deletes the current move and all that follow it. */
  remove() {
    const { parent } = this.at;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== this.at);
    parent.visited = null;
    this.at = parent;
  }

  /** @returns {WireTree} */
  toWire() {
    /** @type {WireNode[]} */
    const nodes = [];
    /** @type {Map<Node, number>} */
    const places = new Map();
    for (const node of this.nodes()) {
      const { parent, children: _children, visited: _visited, ...move } = node;
      places.set(node, nodes.length);
      nodes.push({ after: places.get(/** @type {Node} */ (parent)) ?? null, ...move });
    }
    return { start: this.start, tags: this.tags, comments: this.root.comments, nodes, result: this.result };
  }

  /** Returns all moves, each after its parent. @returns {Node[]} */
  nodes() {
    const found = [];
    const open = [...this.root.children].reverse();
    for (let node = open.pop(); node; node = open.pop()) {
      found.push(node);
      open.push(...[...node.children].reverse());
    }
    return found;
  }

  /** Returns the tree as text, to be stored. */
  serialize() {
    return JSON.stringify({ tree: this.toWire(), at: this.nodes().indexOf(this.at) });
  }

  /**
   * @param {string | null} text
   * @returns {Tree | null}
   */
  static deserialize(text) {
    try {
      const { tree, at } = JSON.parse(text ?? "null");
      return new Tree(tree, at);
    } catch {
      return null;
    }
  }

  /** @param {string} name */
  tag(name) {
    return this.tags.find(([tag]) => tag === name)?.[1] ?? "";
  }
}

/**
 * @param {Node} node
 * @returns {Node | null}
 */
function nextOf(node) {
  return node.visited ?? node.children[0] ?? null;
}
