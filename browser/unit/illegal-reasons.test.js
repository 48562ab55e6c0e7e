// Asking the server why a piece does not fit.

import assert from "node:assert/strict";
import { test } from "node:test";

import { IllegalReasons } from "../../web/blokus/illegal-reasons.js";
import { settled, timers } from "./samples.js";

/** Reasons whose requests are answered when the test wants it. @param {import("node:test").TestContext} t */
function asking(t) {
  /** @type {any[]} */
  const asked = [];
  /** @type {string[][]} */
  const heard = [];
  /** @type {{resolve: (ok: object) => void, reject: (why: Error) => void}[]} */
  const open = [];
  const link = {
    send: (/** @type {object} */ command) => {
      asked.push(command);
      return new Promise((resolve, reject) => open.push({ resolve, reject }));
    },
  };
  const reasons = new IllegalReasons(/** @type {any} */ (link), (squares) => heard.push(squares));
  const answer = async (/** @type {string | null} */ why) => {
    open.shift()?.resolve({ t: "ok", n: 1, why });
    await settled();
  };
  return { reasons, asked, heard, open, answer, wait: timers(t) };
}

test("the reason is requested once a piece stays in place, for any order of its squares", async (t) => {
  const { reasons, asked, heard, answer, wait } = asking(t);
  reasons.schedule(["b3", "c3"], 4);
  assert.equal(reasons.of(["b3", "c3"]), "");
  wait(59);
  assert.deepEqual(asked, []);
  wait(1);
  assert.deepEqual(asked, [{ t: "try", move: "b3,c3", ply: 4 }]);
  await answer("b3 is occupied");
  assert.deepEqual(heard, [["b3", "c3"]]);
  assert.equal(reasons.of(["c3", "b3"]), "b3 is occupied");
  assert.equal(reasons.of(["c3"]), "");
});

test("no request is sent for a piece that moves on", (t) => {
  const { reasons, asked, wait } = asking(t);
  reasons.schedule(["b3"], 0);
  wait(40);
  reasons.schedule(["c3"], 0);
  wait(40);
  assert.deepEqual(asked, []);
  wait(20);
  assert.deepEqual(asked.map(({ move }) => move), ["c3"]);
});

test("no request is sent after the piece was put back", (t) => {
  const { reasons, asked, wait } = asking(t);
  reasons.schedule(["b3"], 0);
  reasons.cancel();
  wait(1000);
  assert.deepEqual(asked, []);
});

test("one request is sent at a time, and the latest follows", async (t) => {
  const { reasons, asked, answer, wait } = asking(t);
  reasons.schedule(["b3"], 0);
  wait(60);
  reasons.schedule(["c3"], 0);
  wait(60);
  wait(60);
  assert.deepEqual(asked.map(({ move }) => move), ["b3"]);
  await answer("b3 is occupied");
  wait(60);
  assert.deepEqual(asked.map(({ move }) => move), ["b3", "c3"]);
  await answer("c3 is occupied");
  assert.deepEqual([reasons.of(["b3"]), reasons.of(["c3"])], ["b3 is occupied", "c3 is occupied"]);
});

test("an answer about an earlier position is not kept for the new one", async (t) => {
  const { reasons, answer, wait } = asking(t);
  reasons.schedule(["b3"], 0);
  wait(60);
  reasons.forget();
  await answer("b3 is occupied");
  assert.equal(reasons.of(["b3"]), "");
});

test("if the server would allow the piece, the position has changed", async (t) => {
  const { reasons, answer, wait } = asking(t);
  reasons.schedule(["b3"], 0);
  wait(60);
  await answer(null);
  assert.equal(reasons.of(["b3"]), "the position has changed");
});

test("a failed request does not block others", async (t) => {
  const { reasons, asked, heard, open, wait } = asking(t);
  reasons.schedule(["b3"], 0);
  wait(60);
  open.shift()?.reject(new Error("the position has changed"));
  await settled();
  assert.deepEqual(heard, []);
  reasons.schedule(["c3"], 1);
  wait(60);
  assert.deepEqual(asked.at(-1), { t: "try", move: "c3", ply: 1 });
});
