// Stepping through the positions of a game.

import "./stubs.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { chess, settled } from "./samples.js";

const { Replay } = await import("../../web/play/move-list.js");
const { said } = /** @type {any} */ (await import("../../web/app/announcements.js"));

beforeEach(() => said.splice(0));

/** A game with the given moves. @param {...string} texts */
function game(...texts) {
  const moves = texts.map((text, ply) => ({ seat: ply % 2, number: 1 + Math.floor(ply / 2), text, code: `code of ${text}` }));
  return /** @type {any} */ (chess({ moves }));
}

/** The answer to `look`; its square names the ply. @param {number} ply */
const position = (ply) => ({ ply, eliminated: [], scores: [], colors: [], pieces: [{ square: `after ${ply}`, piece: "P", seat: 0 }], last_move: [], check: [], captured: [] });

/**
 * A replay of a game, with what it requests and how often it reports a change.
 * @param {(ply: number) => Promise<object>} [look] how it is answered
 */
function replaying(look = async (ply) => ({ t: "ok", n: 1, ...position(ply) })) {
  /** @type {number[]} */
  const asked = [];
  const changes = { count: 0 };
  const send = (/** @type {any} */ { t, ply }) => {
    assert.equal(t, "position");
    asked.push(ply);
    return look(ply);
  };
  const replay = new Replay(/** @type {any} */ ({ send }), () => (changes.count += 1));
  replay.update(game("e4", "e5", "Nf3", "Nc6"));
  return { replay, asked, changes };
}

test("at first the latest position is shown", () => {
  const { replay, asked } = replaying();
  assert.deepEqual([replay.ply, replay.at, replay.length, replay.position, replay.positionText()], [null, 4, 4, null, "4 of 4"]);
  assert.deepEqual(replay.urlParameter(), ["ply", "4"]);
  assert.deepEqual(asked, []);
});

test("an earlier position is requested once", async () => {
  const { replay, asked, changes } = replaying();
  replay.go(1);
  await settled();
  assert.deepEqual([replay.at, replay.positionText(), replay.position], [1, "1 of 4", position(1)]);
  assert.deepEqual(replay.urlParameter(), ["ply", "1"]);
  replay.step(1);
  await settled();
  replay.step(-1);
  await settled();
  assert.deepEqual([replay.at, replay.position], [1, position(1)]);
  assert.deepEqual([asked, changes.count], [[1, 2], 3]);
  assert.deepEqual(said, ["After 1, e4", "After 1, e5", "After 1, e4"]);
});

test("keys that an answer lacks are empty", async () => {
  const { replay } = replaying(async () => ({ t: "ok", n: 1, pieces: position(0).pieces }));
  replay.go(0);
  await settled();
  assert.deepEqual(replay.position, position(0));
  assert.deepEqual(said, ["First position"]);
});

test("steps stop at both ends", async () => {
  const { replay, asked } = replaying();
  replay.go(-3);
  await settled();
  assert.equal(replay.at, 0);
  replay.step(-1);
  await settled();
  assert.equal(replay.at, 0);
  replay.go(Infinity);
  await settled();
  assert.deepEqual([replay.at, replay.ply, replay.position], [4, null, null]);
  replay.step(1);
  await settled();
  assert.equal(replay.ply, null);
  assert.deepEqual(asked, [0]);
  assert.equal(said.at(-1), "Latest position");
});

test("a held key requests one position at a time, and finally the wanted one", async () => {
  /** @type {(() => void)[]} */
  const open = [];
  const { replay, asked, changes } = replaying((ply) => new Promise((resolve) => open.push(() => resolve({ t: "ok", n: 1, ...position(ply) }))));
  for (const ply of [3, 2, 1, 0]) replay.go(ply);
  await settled();
  assert.deepEqual(asked, [3]);
  open.shift()?.();
  await settled();
  assert.deepEqual(asked, [3, 0]);
  assert.equal(changes.count, 0);
  open.shift()?.();
  await settled();
  assert.deepEqual([replay.position, changes.count, said], [position(0), 1, ["First position"]]);
});

test("returning to the game during a request shows the game", async () => {
  /** @type {(() => void)[]} */
  const open = [];
  const { replay } = replaying((ply) => new Promise((resolve) => open.push(() => resolve(position(ply)))));
  replay.go(1);
  replay.go(4);
  open.shift()?.();
  await settled();
  assert.deepEqual([replay.ply, replay.position], [null, null]);
});

test("a refused request returns to the game", async () => {
  const { replay, changes } = replaying(() => Promise.reject(new Error("not connected")));
  replay.go(1);
  await settled();
  assert.deepEqual([replay.ply, replay.position, changes.count], [null, null, 1]);
});

test("an earlier position stays in view when a move is made", async () => {
  const { replay, asked } = replaying();
  replay.go(1);
  await settled();
  replay.update(game("e4", "e5", "Nf3", "Nc6", "Bb5"));
  assert.deepEqual([replay.at, replay.length, replay.positionText()], [1, 5, "1 of 5"]);
  replay.go(4);
  await settled();
  replay.go(1);
  await settled();
  assert.deepEqual(asked, [1, 4]);
});

test("the latest position follows the game", () => {
  const { replay } = replaying();
  replay.update(game("e4", "e5", "Nf3", "Nc6", "Bb5"));
  assert.deepEqual([replay.ply, replay.at], [null, 5]);
});

test("a position that was taken back is left, and requested again after other moves", async () => {
  const { replay, asked } = replaying();
  for (const ply of [1, 3]) {
    replay.go(ply);
    await settled();
  }
  replay.update(game("e4", "e5"));
  assert.deepEqual([replay.ply, replay.position, replay.at], [null, null, 2]);
  replay.update(game("e4", "e5", "Bc4", "Nc6"));
  for (const ply of [1, 3]) {
    replay.go(ply);
    await settled();
  }
  assert.deepEqual(asked, [1, 3, 3], "earlier positions are still cached");
});

test("an answer from before other moves is not cached", async () => {
  /** @type {(() => void)[]} */
  const open = [];
  const { replay, asked } = replaying((ply) => new Promise((resolve) => open.push(() => resolve(position(ply)))));
  replay.go(1);
  replay.update(game("d4", "d5"));
  assert.equal(replay.ply, null);
  open.shift()?.();
  await settled();
  replay.go(1);
  assert.deepEqual(asked, [1, 1]);
});

test("a link selects a position", async () => {
  const links = { "ply=2": 2, "ply=0": 0, "ply=99": 4, "ply=-1": 4, "ply=two": 4, "ply=": 4, "at=2": 4 };
  for (const [words, at] of Object.entries(links)) {
    const { replay } = replaying();
    replay.openLink(new URLSearchParams(words));
    await settled();
    assert.equal(replay.at, at, words);
  }
});
