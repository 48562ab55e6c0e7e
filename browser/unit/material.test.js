// The material lead in chess.

import assert from "node:assert/strict";
import { test } from "node:test";

import { materialLead } from "../../web/play/players.js";

const piece = (/** @type {string} */ letter, /** @type {number} */ seat) => ({ square: "a1", piece: letter, seat });

test("kings count for nothing, a queen for nine pawns", () => {
  const pieces = [piece("K", 0), piece("K", 1), piece("Q", 0), piece("R", 1), piece("P", 1)];
  assert.equal(materialLead(pieces, 0), 3);
  assert.equal(materialLead(pieces, 1), -3);
  assert.equal(materialLead([], 0), 0);
});
