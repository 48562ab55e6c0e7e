// The times on clocks, and the warning that time is low.

import "./stubs.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { Clocks, elapsed, timeText } = await import("../../web/play/clock.js");
const { said } = /** @type {any} */ (await import("../../web/app/announcements.js"));

const SECOND = 1000;

test("a clock shows minutes and seconds", () => {
  assert.equal(timeText(303 * SECOND), "5:03");
  assert.equal(timeText(180 * SECOND), "3:00");
  assert.equal(timeText(59 * SECOND), "0:59");
  assert.equal(timeText(600 * SECOND), "10:00");
});

test("a clock with hours shows them", () => {
  assert.equal(timeText(3723 * SECOND), "1:02:03");
  assert.equal(timeText(3600 * SECOND), "1:00:00");
  assert.equal(timeText(3599 * SECOND), "59:59");
});

test("a started second is still shown", () => {
  assert.equal(timeText(299_001), "5:00");
  assert.equal(timeText(3_599_500), "1:00:00");
  assert.equal(timeText(20_001), "0:21");
});

test("below twenty seconds tenths are shown, rounded down", () => {
  assert.equal(timeText(20 * SECOND), "0:20");
  assert.equal(timeText(19_999), "19.9");
  assert.equal(timeText(12_345), "12.3");
  assert.equal(timeText(5 * SECOND), "5.0");
  assert.equal(timeText(99), "0.0");
});

test("a clock that has run out shows zero", () => {
  assert.deepEqual([0, -1, -5000].map(timeText), ["0.0", "0.0", "0.0"]);
});

test("low time is announced once, and only for your own clock", () => {
  const clocks = new Clocks();
  clocks.yours = [1];
  for (const seat of [0, 1, 1]) clocks.announceLow(seat);
  assert.deepEqual(said, ["Less than 20 seconds left"]);
});

test("a clock stands still during the delay", () => {
  const clock = { initial: 300_000, increment: 0, delay: 3000, left: [300_000, 300_000], running: 0, delay_left: 2000 };
  assert.deepEqual([0, 1999, 2000, 2500].map((passed) => elapsed(clock, passed)), [0, 0, 0, 500]);
  assert.equal(elapsed({ ...clock, delay_left: 0 }, 700), 700);
});
