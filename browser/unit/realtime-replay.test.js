// The replay of a real-time game.

import "./stubs.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { chess, server, settled } from "./samples.js";

const { RealtimeReplay } = await import("../../web/realtime/realtime-replay.js");
const { said } = /** @type {any} */ (await import("../../web/app/announcements.js"));
const { noticed } = /** @type {any} */ (await import("../../web/ui/toast.js"));

beforeEach(() => [said, noticed].forEach((list) => list.splice(0)));

const PAWN = { id: 20, piece: "P", seat: 0, square: "e2" };
const ROOK = { id: 3, piece: "R", seat: 1, square: "a8" };
const FLYING = { ...PAWN, flight: ["e4", 31, 61] };
const RESTING = { ...PAWN, square: "e4", rest: [61, 91] };
const RESTED = { ...PAWN, square: "e4" };
const TAKEN = [[{ piece: "R", seat: 1 }], []];

/** Two pieces: the pawn departs at ticks 30 and 120; the rook is captured at tick 150, and its seat is eliminated. */
const FRAMES = [
  { tick: 0, realtime_pieces: [PAWN, ROOK], eliminated: [], captured: [[], []] },
  { tick: 30, realtime_pieces: [FLYING] },
  { tick: 61, realtime_pieces: [RESTING] },
  { tick: 91, realtime_pieces: [RESTED] },
  { tick: 120, realtime_pieces: [{ ...RESTED, flight: ["e5", 121, 140] }] },
  { tick: 140, realtime_pieces: [{ ...PAWN, square: "e5", rest: [140, 170] }] },
  { tick: 150, realtime_pieces: [{ id: 3, gone: true }], eliminated: [1], captured: TAKEN },
  { tick: 170, realtime_pieces: [{ ...PAWN, square: "e5" }] },
];
const END = 180;

/**
 * A replay of that game.
 * @param {import("node:test").TestContext} t
 * @param {number} [most] frames that the server sends at once
 */
function filming(t, most = 2000) {
  const asked = server(t, ({ from }) => ({ t: "ok", end: END, count: FRAMES.length, frames: FRAMES.slice(from, from + most) }));
  const changes = { count: 0 };
  const replay = new RealtimeReplay({ game: "7kq2m9x4t0ab" }, () => (changes.count += 1));
  replay.update(/** @type {any} */ (chess({ time: { phase: "over", rate: 30, from: 0, now: 6000 } })));
  return { replay, asked, changes };
}

test("at first the end of the game is shown", (t) => {
  const { replay, asked } = filming(t);
  assert.deepEqual([replay.ply, replay.at, replay.length, replay.perSecond, replay.position], [null, 180, 180, 30, null]);
  assert.deepEqual([replay.positionText(), replay.urlParameter()], ["0:06.0 of 0:06.0", ["at", "6.0"]]);
  assert.deepEqual(asked, []);
});

test("each tick shows what has changed up to it", async (t) => {
  const { replay } = filming(t);
  const pieces = async (/** @type {number} */ tick) => {
    await replay.go(tick);
    return replay.position?.realtime_pieces?.toSorted((a, b) => b.id - a.id);
  };
  assert.deepEqual(await pieces(0), [PAWN, ROOK]);
  assert.deepEqual(await pieces(29.9), [PAWN, ROOK]);
  assert.deepEqual(await pieces(30), [FLYING, ROOK]);
  assert.deepEqual(await pieces(60), [FLYING, ROOK]);
  assert.deepEqual(await pieces(61), [RESTING, ROOK]);
  assert.deepEqual(await pieces(100), [RESTED, ROOK]);
  assert.deepEqual((await pieces(179))?.map(({ id }) => id), [20]);
});

test("a position has its tick, the eliminated players and the captured pieces", async (t) => {
  const { replay } = filming(t);
  await replay.go(149);
  assert.deepEqual([replay.position?.tick, replay.position?.eliminated, replay.position?.captured], [149, [], [[], []]]);
  for (const tick of [150, 175]) {
    await replay.go(tick);
    assert.deepEqual([replay.position?.tick, replay.position?.eliminated, replay.position?.captured], [tick, [1], TAKEN]);
  }
  const { pieces, last_move, check, scores, colors } = /** @type {any} */ (replay.position);
  assert.deepEqual([pieces, last_move, check, scores, colors], [[], [], [], [], []], "keys of turn-based games are empty");
});

test("the replay is loaded once, in parts", async (t) => {
  const { replay, asked } = filming(t, 4);
  await Promise.all([replay.go(10), replay.go(70)]);
  await replay.go(130);
  assert.deepEqual(asked.map(({ question }) => question), [
    { t: "frames", game: "7kq2m9x4t0ab", from: 0 },
    { t: "frames", game: "7kq2m9x4t0ab", from: 4 },
  ]);
  assert.deepEqual(replay.position?.realtime_pieces?.find(({ id }) => id === 20)?.flight, ["e5", 121, 140]);
});

test("a tick before the start is the start, and one after the end is the end", async (t) => {
  const { replay, changes } = filming(t);
  await replay.go(-5);
  assert.deepEqual([replay.at, replay.position?.tick], [0, 0]);
  await replay.go(180);
  assert.deepEqual([replay.ply, replay.position, replay.at], [null, null, 180]);
  await replay.go(Infinity);
  assert.equal(replay.ply, null);
  assert.equal(changes.count, 3);
});

test("steps go from departure to departure, and to both ends", async (t) => {
  const { replay } = filming(t);
  await replay.go(0);
  const ways = [];
  for (const direction of /** @type {const} */ ([1, 1, 1, -1, -1, -1, -1])) {
    await replay.step(direction);
    ways.push(replay.at);
  }
  assert.deepEqual(ways, [30, 120, 180, 120, 30, 0, 0]);
  assert.deepEqual(said, ["0:01.0", "0:04.0", "0:06.0", "0:04.0", "0:01.0", "0:00.0", "0:00.0"].map((time) => `${time} of 0:06.0`));
});

test("a step from between two departures goes to the nearest in its direction", async (t) => {
  const { replay } = filming(t);
  await replay.go(70);
  await replay.step(-1);
  assert.equal(replay.at, 30);
  await replay.go(70);
  await replay.step(1);
  assert.equal(replay.at, 120);
});

test("times are written in minutes, seconds and tenths", async (t) => {
  const { replay } = filming(t);
  replay.length = 20_000;
  replay.ply = 1959;
  assert.equal(replay.positionText(), "1:05.3 of 11:06.6");
  assert.deepEqual(replay.urlParameter(), ["at", "65.3"]);
});

test("a link selects a time in seconds", async (t) => {
  const links = { "at=3.5": 105, "at=0": 0, "at=-2": 0, "at=99": 180, "at=soon": 180, "ply=3": 180 };
  for (const [words, at] of Object.entries(links)) {
    const { replay } = filming(t);
    replay.openLink(new URLSearchParams(words));
    await settled();
    assert.equal(replay.at, at, words);
  }
});

test("a replay that cannot be loaded shows the reason, and is loaded again the next time", async (t) => {
  let answers = 0;
  server(t, () => ((answers += 1) === 1 ? { t: "no", why: "there is no such game" } : { t: "ok", end: END, count: FRAMES.length, frames: FRAMES }));
  const replay = new RealtimeReplay({ text: "{}" }, () => {});
  replay.update(/** @type {any} */ (chess({ time: { phase: "over", rate: 30, from: 0, now: 6000 } })));
  await replay.go(40);
  assert.deepEqual([replay.ply, replay.position, noticed], [null, null, ["there is no such game"]]);
  await replay.go(40);
  assert.deepEqual([replay.ply, replay.position?.tick, noticed.length], [40, 40, 1]);
});

test("a step back from the end goes to the last departure", async (t) => {
  const { replay } = filming(t);
  await replay.step(-1);
  assert.equal(replay.at, 120);
});

test("more frames are loaded when the game has continued", async (t) => {
  let [end, count] = [100, 4];
  const asked = server(t, ({ from }) => ({ t: "ok", end, count, frames: FRAMES.slice(from, count) }));
  const replay = new RealtimeReplay({ game: "7kq2m9x4t0ab" }, () => {});
  const update = (/** @type {number} */ tick) =>
    replay.update(/** @type {any} */ (chess({ time: { phase: "running", rate: 30, from: 0, now: (tick * 1000) / 30 } })));
  update(100);
  await replay.step(-1);
  assert.equal(replay.at, 30);
  [end, count] = [180, FRAMES.length];
  replay.showLatest();
  update(180);
  await replay.step(-1);
  assert.equal(replay.at, 120);
  assert.deepEqual(asked.map(({ question }) => question.from), [0, 4]);
});
