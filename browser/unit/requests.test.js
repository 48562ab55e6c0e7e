// HTTP requests to the server: how they are sent, refused and repeated.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as requests from "../../web/app/requests.js";
import { Disconnected, Refused } from "../../web/app/connection.js";
import { server, settled, timers } from "./samples.js";

const WHY = "the analysis queue is full: try again";

/** @param {unknown} kind @param {string} why */
const failure = (kind, why) => (/** @type {Error} */ error) => error.constructor === kind && error.message === why;

test("a request is posted as JSON with the protocol version", async (t) => {
  const asked = server(t, () => ({ t: "ok", facts: [] }));
  const { signal } = new AbortController();
  assert.deepEqual(await requests.request({ t: "facts" }, signal), { t: "ok", facts: [] });
  assert.deepEqual(asked, [{ path: "/study?v=3", question: { t: "facts" } }]);
  const [, options] = /** @type {any} */ (fetch).mock.calls[0].arguments;
  assert.deepEqual([options.method, options.signal], ["POST", signal]);
  await requests.request({ t: "inspect" }, undefined, "/environments");
  assert.equal(asked[1]?.path, "/environments?v=3");
});

test("a refusal is rejected with the server's reason", async (t) => {
  const asked = server(t, () => ({ t: "no", why: "a line has at most 2000 moves", retry: false }));
  await assert.rejects(requests.positionAt("start", []), failure(Refused, "a line has at most 2000 moves"));
  assert.equal(asked.length, 1);
});

test("a server that does not answer, or not in JSON, counts as disconnected", async (t) => {
  server(t, () => Promise.reject(new TypeError("fetch failed")));
  await assert.rejects(requests.facts(), failure(Disconnected, "the server is not responding"));
  t.mock.method(globalThis, "fetch", async () => ({ json: async () => JSON.parse("<!doctype html>") }));
  await assert.rejects(requests.facts(), failure(Disconnected, "the server is not responding"));
});

test("requests larger than a megabyte are not sent", async (t) => {
  const asked = server(t, () => ({ t: "ok" }));
  const frame = JSON.stringify({ t: "read", text: "" }).length;
  const most = 1024 * 1024 - frame;
  await requests.parseText("a".repeat(most));
  assert.equal(asked.length, 1);
  for (const text of ["a".repeat(most + 1), "é".repeat(most / 2 + 1)]) await assert.rejects(requests.parseText(text), /at most 1 MB/);
  assert.equal(asked.length, 1);
});

test("a request to a busy server is repeated after a delay", async (t) => {
  const pass = timers(t);
  let busy = 2;
  const asked = server(t, () => ((busy -= 1) >= 0 ? { t: "no", why: WHY, retry: true } : { t: "ok", score: { centipawns: 0 } }));
  const answer = requests.analyze("start", [], { nodes: 1000, lines: 1 }, new AbortController().signal);
  await settled();
  assert.equal(asked.length, 1);
  pass(699);
  await settled();
  assert.equal(asked.length, 1, "not at once");
  pass(1);
  await settled();
  assert.equal(asked.length, 2);
  pass(700);
  assert.deepEqual(await answer, { t: "ok", score: { centipawns: 0 } });
  assert.equal(asked.length, 3);
});

test("a request to a busy server is repeated at most 20 times", async (t) => {
  const pass = timers(t);
  const asked = server(t, () => ({ t: "no", why: WHY, retry: true }));
  const answer = assert.rejects(requests.facts(), failure(Refused, WHY));
  for (let tries = 0; tries < 25; tries += 1) {
    await settled();
    pass(700);
  }
  await answer;
  assert.equal(asked.length, 20);
});

test("an aborted request is not repeated", async (t) => {
  const leaving = new AbortController();
  const asked = server(t, () => {
    leaving.abort();
    return { t: "no", why: WHY, retry: true };
  });
  await assert.rejects(requests.analyze("start", [], { nodes: 1000, lines: 1 }, leaving.signal), failure(Refused, WHY));
  assert.equal(asked.length, 1);
});

test("pause waits for the given time", async (t) => {
  const pass = timers(t);
  let over = false;
  void requests.pause(120).then(() => (over = true));
  pass(119);
  await settled();
  assert.ok(!over);
  pass(1);
  await settled();
  assert.ok(over);
});

test("each request has the format of the protocol, and its answer is unwrapped", async (t) => {
  const answer = { facts: ["facts"], series: ["series"], text: "1. e4 *", positions: ["positions"], fen: "fen" };
  const asked = server(t, () => ({ t: "ok", ...answer }));
  const tree = { start: "start", tags: [], comments: [], nodes: [], result: "*" };
  const pieces = [{ square: "e1", piece: "K", seat: 0 }];
  const whole = { t: "ok", ...answer };
  for (const [response, question, expected] of /** @type {[Promise<unknown>, object, unknown][]} */ ([
    [requests.facts(), { t: "facts" }, ["facts"]],
    [requests.positionAt("start", ["e2e4"]), { t: "position", start: "start", moves: ["e2e4"] }, whole],
    [requests.series("start", ["e2e4"]), { t: "series", start: "start", moves: ["e2e4"] }, ["series"]],
    [requests.parseText("1. e4"), { t: "read", text: "1. e4" }, whole],
    [requests.serializeTree(tree), { t: "write", ...tree }, "1. e4 *"],
    [requests.openGame("7kq2m9x4t0ab"), { t: "open", game: "7kq2m9x4t0ab" }, whole],
    [requests.replay("1. e4"), { t: "replay", text: "1. e4" }, whole],
    [requests.positions("1. e4", 2), { t: "positions", text: "1. e4", from: 2 }, ["positions"]],
    [requests.replayFrames({ game: "7kq2m9x4t0ab" }, 0), { t: "frames", game: "7kq2m9x4t0ab", from: 0 }, whole],
    [requests.replayFrames({ text: "{}" }, 2000), { t: "frames", text: "{}", from: 2000 }, whole],
    [requests.checkPosition(pieces, 1, "KQ"), { t: "check_position", pieces, turn: 1, castling: "KQ" }, whole],
  ])) {
    assert.deepEqual(await response, expected);
    assert.deepEqual(asked.shift(), { path: "/study?v=3", question });
  }
});
