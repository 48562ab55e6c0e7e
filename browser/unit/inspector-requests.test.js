// The requests of the environment inspector.

import assert from "node:assert/strict";
import { test } from "node:test";

import { followGame, inspect, stepBatch } from "../../web/inspector/inspector-requests.js";
import { Refused } from "../../web/app/connection.js";
import { server } from "./samples.js";

test("inspector requests use their own endpoint", async (t) => {
  const asked = server(t, () => ({ t: "ok", game: "chess" }));
  const where = { game: "chess", position: null, moves: ["e2e4"], random: 1, seed: 7, seat: null };
  assert.deepEqual(await inspect(where), { t: "ok", game: "chess" });
  await followGame("7kq2m9x4t0ab", 0);
  await stepBatch("chess", 64, true);
  assert.deepEqual(asked, [
    { path: "/environments?v=3", question: { t: "inspect", ...where } },
    { path: "/environments?v=3", question: { t: "follow", game: "7kq2m9x4t0ab", seat: 0 } },
    { path: "/environments?v=3", question: { t: "batch", game: "chess", games: 64, observe: true } },
  ]);
});

test("a refused position is rejected with its reason", async (t) => {
  server(t, () => ({ t: "no", why: "invalid FEN: no kings" }));
  await assert.rejects(inspect({ game: "chess", position: "8/8" }), (error) => error instanceof Refused && error.message === "invalid FEN: no kings");
});
