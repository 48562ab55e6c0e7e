// Trees of moves: lines, variations, deleting and restoring, and the wire format.

import assert from "node:assert/strict";
import { test } from "node:test";

import { START, Tree } from "../../web/study/tree.js";

/** @typedef {import("../../web/study/tree.js").Node} Node */

/**
 * A move in wire format.
 * @param {number | null} after
 * @param {number} number
 * @param {number} seat
 * @param {string} text
 * @param {object} [more]
 */
function branch(after, number, seat, text, more = {}) {
  return { after, code: `code of ${text}`, text, number, seat, nags: [], before: [], comments: [], ...more };
}

/** 1. e4 e5 (1... c5 2. Nf3 (2. c3 d5)) (1... e6) 2. Nf3 Nc6 */
const wire = () => ({
  start: START,
  tags: /** @type {[string, string][]} */ ([["White", "Ada"], ["Black", "Ben"]]),
  comments: ["the start"],
  result: "1-0",
  nodes: [
    branch(null, 1, 0, "e4", { comments: ["best by test"], nags: [1] }),
    branch(0, 1, 1, "e5"),
    branch(1, 2, 0, "Nf3"),
    branch(2, 2, 1, "Nc6"),
    branch(0, 1, 1, "c5", { before: ["the Sicilian"], comments: ["sharp"] }),
    branch(4, 2, 0, "Nf3"),
    branch(4, 2, 0, "c3", { nags: [5, 14] }),
    branch(6, 2, 1, "d5"),
    branch(0, 1, 1, "e6"),
  ],
});

/** @param {Tree} tree @param {number} index its place in the list */
const at = (tree, index) => /** @type {Node} */ (tree.nodes()[index]);
/** @param {(Node | null)[]} nodes */
const texts = (...nodes) => nodes.map((node) => node?.text ?? null);
/** @param {Tree} tree */
const line = (tree) => texts(...tree.line());

/** Plays moves from the current one. @param {Tree} tree @param {...string} moves */
function play(tree, ...moves) {
  for (const text of moves) {
    const ply = tree.ply;
    tree.go(tree.add({ code: `code of ${text}`, text, number: 1 + Math.floor(ply / 2), seat: ply % 2 }));
  }
}

test("a new tree is at the start of a game without moves", () => {
  const tree = new Tree();
  assert.equal(START, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  assert.deepEqual(tree.toWire(), { start: START, tags: [], comments: [], nodes: [], result: "*" });
  assert.deepEqual([tree.ply, tree.back(), tree.next(), tree.line(), tree.isVariation()], [0, null, null, [], false]);
  assert.equal(tree.end(), tree.root);
});

test("the first child is the main line", () => {
  const tree = new Tree(wire());
  assert.equal(tree.at, tree.root);
  assert.deepEqual(line(tree), ["e4", "e5", "Nf3", "Nc6"]);
  assert.deepEqual(texts(...at(tree, 0).children), ["e5", "c5", "e6"]);
  assert.equal(tree.end().text, "Nc6");
});

test("a tree can begin at any of its moves", () => {
  const tree = new Tree(wire(), 7);
  assert.deepEqual([tree.at.text, tree.ply], ["d5", 4]);
  assert.deepEqual(line(tree), ["e4", "c5", "c3", "d5"]);
  assert.equal(new Tree(wire(), 99).ply, 0);
});

test("back goes to the previous move, and stops at the start", () => {
  const tree = new Tree(wire(), 0);
  assert.equal(tree.back(), tree.root);
  tree.go(tree.root);
  assert.equal(tree.back(), null);
});

test("next goes to the variation that was visited last", () => {
  const tree = new Tree(wire(), 7);
  tree.go(at(tree, 0));
  assert.deepEqual(texts(tree.next()), ["c5"]);
  assert.deepEqual(line(tree), ["e4", "c5", "c3", "d5"]);
  assert.equal(tree.end().text, "d5");
  tree.go(at(tree, 3));
  tree.go(tree.root);
  assert.deepEqual(line(tree), ["e4", "e5", "Nf3", "Nc6"]);
});

test("the current line of a variation is remembered while another is shown", () => {
  const tree = new Tree(wire(), 7);
  tree.go(at(tree, 8));
  assert.deepEqual(line(tree), ["e4", "e6"]);
  tree.go(at(tree, 4));
  assert.deepEqual(line(tree), ["e4", "c5", "c3", "d5"]);
});

test("sibling finds the nearest move with variations", () => {
  const tree = new Tree(wire());
  const beside = (/** @type {number} */ index) => {
    tree.go(at(tree, index));
    return texts(tree.sibling(-1), tree.sibling(1));
  };
  assert.deepEqual(beside(1), [null, "c5"]);
  assert.deepEqual(beside(3), [null, "c5"], "from deeper in the main line");
  assert.deepEqual(beside(4), ["e5", "e6"]);
  assert.deepEqual(beside(5), ["e5", "c3"], "down to its own sibling, up to that of the move before");
  assert.deepEqual(beside(7), ["Nf3", "e6"]);
  assert.deepEqual(beside(8), ["c5", null]);
  tree.go(tree.root);
  assert.deepEqual(texts(tree.sibling(-1), tree.sibling(1)), [null, null]);
});

test("a new move continues the line, and another one in the same position starts a variation", () => {
  const tree = new Tree();
  play(tree, "e4", "e5");
  tree.go(/** @type {Node} */ (tree.back()));
  play(tree, "c5", "Nf3");
  assert.deepEqual(line(tree), ["e4", "c5", "Nf3"]);
  assert.deepEqual(texts(...tree.nodes()), ["e4", "e5", "c5", "Nf3"]);
  assert.deepEqual(tree.toWire().nodes[2], { after: 0, code: "code of c5", text: "c5", number: 1, seat: 1, nags: [], before: [], comments: [] });
  assert.ok(tree.isVariation());
});

test("add does not go to the move", () => {
  const tree = new Tree();
  tree.add({ code: "e2e4", text: "e4", number: 1, seat: 0 });
  assert.equal(tree.at, tree.root);
  assert.deepEqual(texts(tree.next()), ["e4"]);
});

test("an existing move is not added again", () => {
  const tree = new Tree(wire(), 0);
  const known = at(tree, 4);
  assert.equal(tree.add({ code: known.code, text: "c5", number: 1, seat: 1 }), known);
  assert.equal(tree.nodes().length, 9);
  assert.deepEqual(known.comments, ["sharp"]);
});

test("all moves after the first of a variation belong to it", () => {
  const tree = new Tree(wire());
  const found = tree.nodes().filter((node) => {
    tree.go(node);
    return tree.isVariation();
  });
  assert.deepEqual(texts(...found), ["c5", "Nf3", "c3", "d5", "e6"]);
});

test("a promoted variation becomes the main line, with its comments, and the previous main line comes second", () => {
  const tree = new Tree(wire(), 5);
  tree.promote();
  assert.deepEqual(texts(...at(tree, 0).children), ["c5", "e5", "e6"]);
  assert.equal(tree.at.text, "Nf3");
  assert.ok(!tree.isVariation());
  const [promoted] = at(tree, 0).children;
  assert.deepEqual([promoted?.before, promoted?.comments], [[], ["the Sicilian", "sharp"]], "only what begins a variation has comments before it");
});

test("a variation within another is promoted one level at a time", () => {
  const tree = new Tree(wire(), 7);
  tree.promote();
  assert.deepEqual(texts(...at(tree, 0).children), ["e5", "c5", "e6"]);
  assert.deepEqual(texts(.../** @type {Node} */ (at(tree, 0).children[1]).children), ["c3", "Nf3"]);
  assert.ok(tree.isVariation());
  tree.promote();
  assert.deepEqual(texts(...at(tree, 0).children), ["c5", "e5", "e6"]);
  assert.ok(!tree.isVariation());
  tree.go(tree.root);
  assert.deepEqual(line(tree), ["e4", "c5", "c3", "d5"]);
});

test("the third of three variations comes first, the others keep their order", () => {
  const tree = new Tree(wire(), 8);
  tree.promote();
  assert.deepEqual(texts(...at(tree, 0).children), ["e6", "e5", "c5"]);
});

test("nothing is promoted in the main line and at the start", () => {
  for (const place of [-1, 3]) {
    const tree = new Tree(wire(), place);
    tree.promote();
    assert.deepEqual(tree.toWire(), wire());
  }
});

test("deleting a move deletes all that follow, but not its variations", () => {
  const tree = new Tree(wire(), 4);
  tree.remove();
  assert.equal(tree.at.text, "e4");
  assert.deepEqual(texts(...tree.nodes()), ["e4", "e5", "Nf3", "Nc6", "e6"]);
  assert.deepEqual(line(tree), ["e4", "e5", "Nf3", "Nc6"]);
});

test("when the main line is deleted the next variation takes its place", () => {
  const tree = new Tree(wire(), 1);
  tree.remove();
  assert.deepEqual(texts(tree.next()), ["c5"]);
  tree.go(/** @type {Node} */ (tree.next()));
  assert.ok(!tree.isVariation());
});

test("the start cannot be deleted", () => {
  const tree = new Tree(wire());
  tree.remove();
  assert.deepEqual(tree.toWire(), wire());
  assert.equal(tree.at, tree.root);
});

test("a stored tree is restored with its current move", () => {
  const tree = new Tree(wire(), 6);
  const stored = tree.serialize();
  tree.remove();
  assert.equal(tree.nodes().length, 7);
  const restored = Tree.deserialize(stored);
  assert.deepEqual(restored?.toWire(), wire());
  assert.deepEqual([restored?.at.text, restored?.ply], ["c3", 3]);
});

test("the start is restored as the current position", () => {
  const restored = Tree.deserialize(new Tree(wire()).serialize());
  assert.equal(restored?.at, restored?.root);
  assert.equal(restored?.ply, 0);
});

test("text that is not a tree restores nothing", () => {
  const texts = [null, "", "null", "1. e4 e5", "{", '{"tree": null, "at": 0}', '{"tree": {"nodes": 3}, "at": 0}'];
  for (const text of texts) assert.equal(Tree.deserialize(text), null, String(text));
});

test("a tree is sent as it was received", () => {
  assert.deepEqual(new Tree(wire()).toWire(), wire());
  assert.deepEqual(new Tree(wire(), 7).toWire(), wire(), "whichever move is the current one");
});

test("moves in another order are sent with each parent first", () => {
  const mixed = [branch(null, 1, 0, "e4"), branch(0, 1, 1, "e5"), branch(0, 1, 1, "c5"), branch(1, 2, 0, "Nf3"), branch(2, 2, 0, "c3")];
  const { nodes } = new Tree({ ...wire(), nodes: mixed }).toWire();
  assert.deepEqual(nodes.map(({ after, text }) => [after, text]), [[null, "e4"], [0, "e5"], [1, "Nf3"], [0, "c5"], [3, "c3"]]);
});

test("several first moves are variations of each other", () => {
  const nodes = [branch(null, 1, 0, "e4"), branch(null, 1, 0, "d4")];
  const tree = new Tree({ ...wire(), nodes }, 1);
  assert.ok(tree.isVariation());
  assert.deepEqual(texts(tree.sibling(-1)), ["e4"]);
  assert.deepEqual(tree.toWire().nodes, nodes);
});

test("a tag is found by its name", () => {
  const tree = new Tree(wire());
  assert.deepEqual([tree.tag("White"), tree.tag("Black"), tree.tag("Event")], ["Ada", "Ben", ""]);
});
