// The time controls on offer, and how they are written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CLOCKS, clockText, CUSTOM, customClock } from "../../web/lobby/time-controls.js";

test("a clock is written as minutes and seconds of increment", () => {
  assert.equal(clockText({ initial: 300_000, increment: 3000 }), "5+3");
  assert.equal(clockText({ initial: 600_000, increment: 0 }), "10+0");
  assert.equal(clockText({ initial: 90_000, increment: 1000 }), "1.5+1");
  assert.equal(clockText({ initial: 60_000, increment: 0 }), "1+0");
  assert.equal(clockText({ initial: 30_000, increment: 0 }), "0.5+0");
  assert.equal(clockText({ initial: 45_000, increment: 2000 }), "0:45+2");
  assert.equal(clockText({ initial: 605_000, increment: 0 }), "10:05+0");
  assert.equal(clockText(null), "");
});

test("a delay follows the minutes, as tournaments announce it", () => {
  assert.equal(clockText({ initial: 300_000, increment: 0, delay: 3000 }), "5 d3");
  assert.equal(clockText({ initial: 300_000, increment: 2000, delay: 3000 }), "5+2 d3");
  assert.equal(clockText({ initial: 300_000, increment: 2000, delay: 0 }), "5+2");
});

test("a custom clock is entered as minutes, seconds, increment and delay", () => {
  assert.deepEqual(customClock([5, 30, 2, 3]), { initial: 330_000, increment: 2000, delay: 3000 });
  assert.deepEqual(customClock([0, 45, 0, 0]), { initial: 45_000, increment: 0 });
});

test("no clock, six clocks and a custom one are offered, in milliseconds", () => {
  assert.deepEqual(CLOCKS.map(({ id, clock }) => [id, clock]), [
    ["none", null],
    ["1+0", { initial: 60_000, increment: 0 }],
    ["2+1", { initial: 120_000, increment: 1000 }],
    ["3+2", { initial: 180_000, increment: 2000 }],
    ["5+3", { initial: 300_000, increment: 3000 }],
    ["10+0", { initial: 600_000, increment: 0 }],
    ["15+10", { initial: 900_000, increment: 10_000 }],
    ["custom", null],
  ]);
});

test("an offered clock has the name under which a game with it is listed", () => {
  for (const { id, name, clock } of CLOCKS) assert.equal(name, clock ? clockText(clock) : id === CUSTOM ? "Custom" : "None");
});
