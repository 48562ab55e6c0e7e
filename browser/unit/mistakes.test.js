// The mistakes of a line, by the evaluations of the positions before and after each move.

import "./stubs.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { store } from "../../web/app/preferences.js";
import { settled } from "./samples.js";

const { LineAnalyzer, LEGEND } = await import("../../web/study/mistakes.js");
const { said } = /** @type {any} */ (await import("../../web/app/announcements.js"));
const { noticed } = /** @type {any} */ (await import("../../web/ui/toast.js"));

beforeEach(() => {
  for (const list of [said, noticed]) list.splice(0);
  store("study.mistakes", "on");
});

/** @param {number} seat @param {string} text @returns {any} */
const move = (seat, text) => ({ code: `code of ${text}`, text, number: 1, seat });

/** The evaluation of a position, with a best move. @param {number} winning_chances White's winning chances @param {string} [best] @param {object} [score] @returns {any} */
const evaluation = (winning_chances, best, score = { centipawns: 0 }) => ({ score, winning_chances, depth: 7, nodes: 1, lines: best ? [{ score, winning_chances, moves: [move(0, best)] }] : [] });

/**
 * An analyzer of a line whose evaluations are all known.
 * @param {any[]} line
 * @param {object[]} evaluations of the start and after each move
 */
function judged(line, evaluations) {
  const find = (/** @type {string} */ _start, /** @type {string[]} */ moves) => evaluations[moves.length] ?? null;
  const analyzer = new LineAnalyzer(/** @type {any} */ ({ find, request: () => assert.fail("everything is cached") }), () => {});
  analyzer.setLine("start", line);
  return analyzer;
}

/** The grade of one move. @param {number} seat @param {number} before @param {number} after */
const grade = (seat, before, after) => {
  const node = move(seat, "a3");
  return judged([node], [evaluation(before, "e4"), evaluation(after, "e5")]).verdicts.get(node)?.grade.id ?? null;
};

test("a move is graded by the winning chances that it loses", () => {
  const grades = { 451: null, 450: "inaccuracy", 401: "inaccuracy", 400: "mistake", 301: "mistake", 300: "blunder", 0: "blunder" };
  for (const [after, expected] of Object.entries(grades)) {
    assert.equal(grade(0, 500, Number(after)), expected, `White from 500 to ${after}`);
    assert.equal(grade(1, 500, 1000 - Number(after)), expected, `Black from 500 to ${1000 - Number(after)}`);
  }
});

test("a move that gains winning chances has no grade", () => {
  assert.equal(grade(0, 500, 1000), null);
  assert.equal(grade(1, 500, 0), null);
});

test("the verdict says what was lost, what was best, and the limit of the grade", () => {
  const line = [move(0, "Bc4"), move(1, "Nf6")];
  const analyzer = judged(line, [evaluation(519, "Bc4", { centipawns: 20 }), evaluation(500, "g6", { centipawns: 0 }), evaluation(1000, "Qxf7#", { mate: 1 })]);
  assert.deepEqual([...analyzer.verdicts.keys()], [line[1]]);
  const verdict = analyzer.verdicts.get(line[1]);
  assert.equal(verdict?.text, "Blunder: Nf6 lowers the winning chances by 50% (0.0 to M1); best was g6 (blunder: 20% or more)");
  assert.equal(verdict?.grade.sign, "??");
});

test("the engine's best move is never marked", () => {
  const node = move(0, "e4");
  assert.equal(judged([node], [evaluation(900, "e4"), evaluation(100, "e5")]).verdicts.size, 0);
});

test("moves after the end, or with an unknown evaluation, are not marked", () => {
  const node = move(0, "a3");
  assert.equal(judged([node], [evaluation(900), evaluation(100, "e5")]).verdicts.size, 0);
  const unknown = new LineAnalyzer(/** @type {any} */ ({ find: () => null, request: () => new Promise(() => {}) }), () => {});
  unknown.setLine("start", [node]);
  assert.equal(unknown.verdicts.size, 0);
  assert.ok(unknown.working);
  unknown.stop();
  assert.ok(!unknown.working);
});

test("the legend lists the signs with their limits, the worst first, as docs/arena/study.md does", () => {
  assert.equal(LEGEND, "?? blunder: 20% or more, ? mistake: 10% or more, ?! inaccuracy: 5% or more");
  const page = readFileSync(new URL("../../docs/arena/study.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(.+)` \| (\w+) \| (\d+%) or more \|$/gm)];
  assert.equal(rows.map(([, sign, name, least]) => `${sign} ${name}: ${least} or more`).join(", "), LEGEND);
});

test("the positions of a line are requested one after the other, from the start", async () => {
  /** @type {[string, string[]][]} */
  const asked = [];
  /** @type {((evaluation: object) => void)[]} */
  const open = [];
  const changes = { count: 0 };
  const thoughts = {
    find: () => null,
    request: (/** @type {string} */ start, /** @type {string[]} */ moves) => {
      asked.push([start, moves]);
      return new Promise((resolve) => open.push(resolve));
    },
  };
  const analyzer = new LineAnalyzer(/** @type {any} */ (thoughts), () => (changes.count += 1));
  const line = [move(0, "a3"), move(1, "e5")];
  analyzer.setLine("start", line);
  assert.deepEqual([analyzer.progress, analyzer.working], [{ known: 0, all: 3 }, true]);
  for (const [index, answer] of [evaluation(500, "e4"), evaluation(380, "e5"), evaluation(390, "d4")].entries()) {
    assert.equal(asked.length, index + 1);
    open.shift()?.(answer);
    await settled();
    assert.deepEqual(analyzer.progress, { known: index + 1, all: 3 });
  }
  assert.deepEqual(asked, [["start", []], ["start", ["code of a3"]], ["start", ["code of a3", "code of e5"]]]);
  assert.deepEqual([analyzer.working, changes.count, said], [false, 4, ["1 mistake marked"]]);
  assert.equal(analyzer.verdicts.get(line[0])?.grade.id, "mistake");
});

test("the same line is not analyzed again, and another line cancels the analysis", async () => {
  /** @type {AbortSignal[]} */
  const signals = [];
  /** @type {((evaluation: object) => void)[]} */
  const open = [];
  const request = (/** @type {unknown} */ _start, /** @type {unknown} */ _moves, /** @type {unknown} */ _effort, /** @type {AbortSignal} */ signal) => {
    signals.push(signal);
    return new Promise((resolve) => open.push(resolve));
  };
  const analyzer = new LineAnalyzer(/** @type {any} */ ({ find: () => null, request }), () => {});
  const [e4, e5] = [move(0, "e4"), move(1, "e5")];
  analyzer.setLine("start", [e4]);
  analyzer.setLine("start", [e4]);
  assert.equal(signals.length, 1);
  analyzer.setLine("start", [e4, e5]);
  assert.deepEqual(signals.map(({ aborted }) => aborted), [true, false]);
  open.shift()?.(evaluation(500, "e4"));
  await settled();
  assert.deepEqual(analyzer.progress, { known: 0, all: 3 }, "the answer came for the line before");
});

test("cached evaluations are not requested again", async () => {
  /** @type {number[]} */
  const asked = [];
  const thoughts = {
    find: (/** @type {string} */ _, /** @type {string[]} */ { length }) => (length === 1 ? evaluation(500, "e5") : null),
    request: async (/** @type {string} */ _, /** @type {string[]} */ { length }) => {
      asked.push(length);
      return evaluation(500, "e4");
    },
  };
  const analyzer = new LineAnalyzer(/** @type {any} */ (thoughts), () => {});
  analyzer.setLine("start", [move(0, "e4"), move(1, "e5")]);
  assert.deepEqual(analyzer.progress, { known: 1, all: 3 });
  await settled();
  assert.deepEqual([asked, analyzer.progress, said], [[0, 2], { known: 3, all: 3 }, ["No mistakes marked"]]);
});

test("a failed request shows the reason and stops the analysis", async () => {
  const analyzer = new LineAnalyzer(/** @type {any} */ ({ find: () => null, request: () => Promise.reject(new Error("the server is not responding")) }), () => {});
  analyzer.setLine("start", [move(0, "e4")]);
  await settled();
  assert.deepEqual([noticed, analyzer.working], [["the server is not responding"], false]);
});

test("the key toggles the analysis and its marks", () => {
  const node = move(0, "a3");
  const analyzer = judged([node], [evaluation(500, "e4"), evaluation(100, "e5")]);
  assert.deepEqual([analyzer.on, analyzer.verdicts.size], [true, 1]);
  assert.ok(!analyzer.key("x"));
  assert.ok(analyzer.key("j"));
  assert.deepEqual([analyzer.on, analyzer.verdicts.size, analyzer.progress.known, said.at(-1)], [false, 0, 0, "Mistakes off"]);
  assert.ok(!judged([node], [evaluation(500, "e4"), evaluation(100, "e5")]).on, "it stays off for the next study");
  analyzer.toggle();
  assert.deepEqual([analyzer.on, analyzer.verdicts.size, said.at(-1)], [true, 1, "Mistakes on"]);
});
