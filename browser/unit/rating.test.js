// Ratings as text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { signed } from "../../web/play/rating.js";

test("a change of a rating always has a sign", () => {
  assert.deepEqual([162, -162, 1, -1, 0, -0].map(signed), ["+162", "−162", "+1", "−1", "±0", "±0"]);
});
