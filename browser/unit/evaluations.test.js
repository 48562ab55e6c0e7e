// The server's evaluations of positions: cached, and as text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { EvaluationCache, isFinished, percent, scoreText, scoreWords } from "../../web/study/evaluations.js";
import { server } from "./samples.js";

const { signal } = new AbortController();
const QUICK = { nodes: 20_000, lines: 3 };
const GOOD = { nodes: 400_000, lines: 3 };

test("a score is written in pawns with its sign", () => {
  assert.equal(scoreText({ centipawns: 40 }, 540), "+0.4");
  assert.equal(scoreText({ centipawns: -412 }, 171), "−4.1");
  assert.equal(scoreText({ centipawns: 5 }, 505), "+0.1");
});

test("a score that rounds to zero has no sign", () => {
  for (const points of [0, 4, -4]) assert.equal(scoreText({ points }, 500), "0.0");
});

test("a large score is written without tenths", () => {
  assert.equal(scoreText({ centipawns: 994 }, 979), "+9.9");
  assert.equal(scoreText({ centipawns: 995 }, 979), "+10");
  assert.equal(scoreText({ centipawns: -1234 }, 9), "−12");
});

test("a mate is counted in moves, and one on the board is the result", () => {
  assert.equal(scoreText({ mate: 3 }, 1000), "M3");
  assert.equal(scoreText({ mate: -3 }, 0), "−M3");
  assert.equal(scoreText({ mate: 0 }, 1000), "1–0");
  assert.equal(scoreText({ mate: 0 }, 0), "0–1");
});

test("a score is described in words", () => {
  assert.equal(scoreWords({ centipawns: 40 }, 540), "White is ahead by 0.4");
  assert.equal(scoreWords({ centipawns: -1250 }, 8), "Black is ahead by 12.5");
  for (const points of [0, 4, -4]) assert.equal(scoreWords({ points }, 500), "Even");
  assert.equal(scoreWords({ centipawns: -5 }, 495), "Black is ahead by 0.1");
  assert.equal(scoreWords({ mate: 2 }, 1000), "White mates in 2");
  assert.equal(scoreWords({ mate: -1 }, 0), "Black mates in 1");
  assert.equal(scoreWords({ mate: 0 }, 1000), "White has won");
  assert.equal(scoreWords({ mate: 0 }, 0), "Black has won");
});

test("winning chances in thousandths are written in hundredths", () => {
  assert.deepEqual([0, 171, 500, 996, 1000].map(percent), ["0%", "17%", "50%", "100%", "100%"]);
});

test("a position is requested once for each effort", async (t) => {
  const asked = server(t, ({ nodes, moves }) => ({ t: "ok", score: { centipawns: moves.length }, winning_chances: 500, depth: 7, nodes, lines: [] }));
  const thoughts = new EvaluationCache();
  assert.equal(thoughts.find("start", ["e2e4"], QUICK), null);
  const first = await thoughts.request("start", ["e2e4"], QUICK, signal);
  assert.deepEqual([first.nodes, first.score], [20_000, { centipawns: 1 }]);
  assert.equal(await thoughts.request("start", ["e2e4"], QUICK, signal), first);
  assert.equal(thoughts.find("start", ["e2e4"], QUICK), first);
  assert.equal(asked.length, 1);
  assert.equal(thoughts.find("start", ["e2e4"], GOOD), null);
  assert.equal(thoughts.find("start", ["e2e4"], { ...QUICK, lines: 1 }), null);
  assert.equal(thoughts.find("start", [], QUICK), null);
  assert.equal(thoughts.find("other", ["e2e4"], QUICK), null);
  assert.equal((await thoughts.request("start", ["e2e4"], GOOD, signal)).nodes, 400_000);
  assert.deepEqual(asked.map(({ question }) => question), [
    { t: "analyze", start: "start", moves: ["e2e4"], nodes: 20_000, lines: 3 },
    { t: "analyze", start: "start", moves: ["e2e4"], nodes: 400_000, lines: 3 },
  ]);
});

test("a failed request is sent again", async (t) => {
  let answers = 0;
  const outlook = { t: "ok", score: { centipawns: 0 }, winning_chances: 500, depth: 1, nodes: 1, lines: [] };
  server(t, () => ((answers += 1) === 1 ? { t: "no", why: "the line is too long" } : outlook));
  const thoughts = new EvaluationCache();
  await assert.rejects(thoughts.request("start", [], QUICK, signal), /the line is too long/);
  assert.equal((await thoughts.request("start", [], QUICK, signal)).depth, 1);
});

test("the oldest of 4000 evaluations is evicted for a new one", () => {
  const thoughts = new EvaluationCache();
  for (let index = 0; index <= 4000; index += 1) thoughts.store(`20000 3 start ${index}`, /** @type {any} */ ({ depth: index }));
  assert.equal(thoughts.cached.size, 4000);
  assert.equal(thoughts.find("start", ["0"], QUICK), null);
  assert.equal(thoughts.find("start", ["1"], QUICK)?.depth, 1);
  assert.equal(thoughts.find("start", ["4000"], QUICK)?.depth, 4000);
});

test("a search that is continued adds up its nodes, keeps the deepest answer, and ends with a forced mate", async (t) => {
  const effort = { nodes: 32_000_000, lines: 1 };
  const line = { score: { centipawns: 10 }, winning_chances: 510, moves: [] };
  const answers = [{ depth: 20, nodes: 32_000_000 }, { depth: 19, nodes: 32_000_000 }, { depth: 21, nodes: 32_000_000 }, { depth: 30, nodes: 5_000_000 }];
  const asked = server(t, () => ({ t: "ok", score: line.score, winning_chances: 510, lines: [line], ...answers[asked.length - 1] }));
  const thoughts = new EvaluationCache();
  const seen = [await thoughts.request("start", [], effort, signal)];
  assert.equal(isFinished(/** @type {any} */ (seen[0]), effort.nodes), false);
  for (let step = 0; step < 3; step += 1) seen.push(await thoughts.continue("start", [], effort, signal));
  assert.deepEqual(seen.map(({ depth }) => depth), [20, 20, 21, 30]);
  assert.deepEqual(seen.map(({ nodes }) => nodes), [32_000_000, 64_000_000, 96_000_000, 101_000_000]);
  assert.deepEqual(seen.map((evaluation) => isFinished(evaluation, effort.nodes)), [false, false, false, true]);
  assert.equal(thoughts.find("start", [], effort), seen[3]);
  assert.equal(asked.length, 4);
});
