// The estimate of the time of a real-time game.

import assert from "node:assert/strict";
import { test } from "node:test";

import { TickEstimator } from "../../web/realtime/game-time.js";

const near = (/** @type {number} */ actual, /** @type {number} */ expected) => assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);

/** @param {number} now @param {object} [changes] */
const time = (now, changes = {}) => /** @type {any} */ ({ phase: "running", rate: 30, from: 0, now, ...changes });

/** An estimate on a page whose own time the test sets. @param {import("node:test").TestContext} t */
function page(t) {
  const clock = { now: 10_000 };
  t.mock.method(performance, "now", () => clock.now);
  return { clock, ticks: new TickEstimator() };
}

test("before the first message no time has passed", (t) => {
  const { ticks } = page(t);
  assert.deepEqual([ticks.now(), ticks.tick(), ticks.wait()], [0, 0, 0]);
});

test("time and ticks continue from a message", (t) => {
  const { clock, ticks } = page(t);
  ticks.onTime(time(4000));
  near(ticks.now(), 4000);
  near(ticks.tick(), 120);
  clock.now += 510;
  near(ticks.now(), 4510);
  near(ticks.tick(), 135.3);
});

test("the countdown lasts until the game starts", (t) => {
  const { clock, ticks } = page(t);
  ticks.onTime(time(0, { from: 3000 }));
  near(ticks.wait(), 3000);
  clock.now += 1200;
  near(ticks.wait(), 1800);
  clock.now += 2000;
  near(ticks.wait(), -200);
});

test("time stops unless the game is running", (t) => {
  for (const phase of ["waiting", "paused", "over"]) {
    const { clock, ticks } = page(t);
    ticks.onTime(time(4000, { phase, from: 5000 }));
    clock.now += 700;
    assert.deepEqual([ticks.now(), ticks.tick(), ticks.wait()], [4000, 120, 0], phase);
    t.mock.restoreAll();
  }
});

test("time stops where the last message says that the game is over", (t) => {
  const { clock, ticks } = page(t);
  ticks.onTime(time(4000));
  clock.now += 1000;
  ticks.onTime(time(4950, { phase: "over" }));
  clock.now += 1000;
  assert.equal(ticks.now(), 4950);
});

test("after a pause time continues from the message", (t) => {
  const { clock, ticks } = page(t);
  ticks.onTime(time(4000, { phase: "paused" }));
  clock.now += 300;
  ticks.onTime(time(4000));
  near(ticks.now(), 4000);
});

test("a faster message corrects the estimate, and the shown time follows without a jump", (t) => {
  const { clock, ticks } = page(t);
  ticks.onTime(time(4000));
  clock.now += 1000;
  near(ticks.now(), 5000);
  ticks.onTime(time(5100));
  near(ticks.now(), 5000);
  // The shown time catches up within 150 ms, in proportion to the time between two reads.
  clock.now += 15;
  near(ticks.now(), 5015 + 10);
  clock.now += 150;
  near(ticks.now(), 5165 + 100);
});

test("a delayed message hardly changes the estimate", (t) => {
  const { clock, ticks } = page(t);
  ticks.onTime(time(4000));
  clock.now += 1000;
  ticks.onTime(time(4800));
  clock.now += 1000;
  near(ticks.now(), 6000 - 0.02 * 200);
});

test("the shown time never goes back", (t) => {
  const { clock, ticks } = page(t);
  ticks.onTime(time(4000));
  let before = ticks.now();
  for (const delay of [0, 400, 20, 480, 5, 300, 0]) {
    clock.now += 100;
    ticks.onTime(time(clock.now - 6000 - delay));
    for (let frame = 0; frame < 6; frame += 1) {
      clock.now += 16;
      assert.ok(ticks.now() > before);
      before = ticks.now();
    }
  }
});

test("a difference of more than half a second is applied at once", (t) => {
  for (const [now, shown] of [[5600, 5600], [4400, 4400]]) {
    const { clock, ticks } = page(t);
    ticks.onTime(time(4000));
    clock.now += 1000;
    near(ticks.now(), 5000);
    ticks.onTime(time(now ?? 0));
    near(ticks.now(), shown ?? 0);
    t.mock.restoreAll();
  }
});

test("a new start time is applied at once", (t) => {
  const { clock, ticks } = page(t);
  ticks.onTime(time(4000));
  clock.now += 1000;
  near(ticks.now(), 5000);
  ticks.onTime(time(4900, { from: 7900 }));
  near(ticks.now(), 4900);
  near(ticks.wait(), 3000);
});
