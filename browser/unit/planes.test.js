// How planes are drawn.

import assert from "node:assert/strict";
import { test } from "node:test";

import { path, strength } from "../../web/inspector/planes.js";

test("path draws unit squares, row by row", () => {
  assert.equal(path([], 8), "");
  assert.equal(path([0], 8), "M0 0h1v1h-1z");
  assert.equal(path([7, 8, 19], 8), "M7 0h1v1h-1zM0 1h1v1h-1zM3 2h1v1h-1z");
  assert.equal(path([19], 14), "M5 1h1v1h-1z");
});

test("a larger value is drawn more strongly, whatever its sign, and a small one is still visible", () => {
  assert.deepEqual([1, -1, 0.5, -0.25, 0].map(strength), ["1.000", "1.000", "0.600", "0.400", "0.200"]);
  assert.equal(strength(58), "1.000");
});
