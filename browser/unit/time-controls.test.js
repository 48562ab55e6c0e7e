// The time controls on offer, and how they are written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CLOCKS, clockText } from "../../web/lobby/time-controls.js";

test("a clock is written as minutes and seconds of increment", () => {
  assert.equal(clockText({ initial: 300_000, increment: 3000 }), "5+3");
  assert.equal(clockText({ initial: 600_000, increment: 0 }), "10+0");
  assert.equal(clockText({ initial: 90_000, increment: 1000 }), "1.5+1");
  assert.equal(clockText(null), "");
});

test("no clock and four clocks are offered, in milliseconds", () => {
  assert.deepEqual(CLOCKS.map(({ id, clock }) => [id, clock]), [
    ["none", null],
    ["3+2", { initial: 180_000, increment: 2000 }],
    ["5+3", { initial: 300_000, increment: 3000 }],
    ["10+0", { initial: 600_000, increment: 0 }],
    ["15+10", { initial: 900_000, increment: 10_000 }],
  ]);
});

test("an offered clock has the name under which a game with it is listed", () => {
  for (const { name, clock } of CLOCKS) assert.equal(name, clock ? clockText(clock) : "None");
});
