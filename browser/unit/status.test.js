// The status line of a game.

import assert from "node:assert/strict";
import { test } from "node:test";

import { statusText } from "../../web/play/status.js";
import { chess, color, four } from "./samples.js";

const OPEN = { kind: "open" };
const ADA = { kind: "guest", name: "Ada", connected: true };
const TIME = { phase: "running", rate: 30, from: 0, now: 4210 };

/** Blokus for a number of players, with the color to move. @param {number} players @param {string} turn @param {object} [changes] */
function blokus(players, turn, changes) {
  const names = ["blue", "yellow", "red", "green"];
  const owner = (/** @type {number} */ index) => (players === 3 && index === 3 ? null : index % players);
  const seats = names.slice(0, players).map((name) => ({ name, edge: "bottom" }));
  return chess({ seats, players: seats.map(() => ADA), colors: names.map((name, index) => color(name, owner(index), name === turn)), ...changes });
}

test("the outcome is a sentence", () => {
  const outcome = { winners: [1], reason: "checkmate", text: "black wins by checkmate" };
  assert.equal(statusText(chess({ outcome })), "Black wins by checkmate.");
  assert.equal(statusText(chess({ outcome, you: [], players: [ADA, OPEN] })), "Black wins by checkmate.");
});

test("a player knows whose turn it is", () => {
  assert.equal(statusText(chess()), "Your turn");
  assert.equal(statusText(chess({ acting: [1] })), "Black to move");
  assert.equal(statusText(four({ you: [2], acting: [3] })), "Green to move");
});

test("on one screen the side to move is named", () => {
  assert.equal(statusText(chess({ you: [0, 1] })), "White to move");
  assert.equal(statusText(chess({ you: [0, 1], acting: [1] })), "Black to move");
});

test("spectators and eliminated players see their status", () => {
  assert.equal(statusText(chess({ you: [] })), "You are watching. White to move");
  assert.equal(statusText(four({ you: [2], eliminated: [2], acting: [3] })), "You have been eliminated. Green to move");
  assert.equal(statusText(four({ you: [1, 2], eliminated: [2], acting: [3] })), "Green to move", "one of two seats is still in the game");
});

test("a game waits for its players", () => {
  assert.equal(statusText(chess({ players: [ADA, OPEN] })), "Waiting for a player");
  assert.equal(statusText(four({ players: [ADA, OPEN, OPEN, OPEN] })), "Waiting for 3 players");
  assert.equal(statusText(chess({ you: [], players: [ADA, OPEN] })), "A seat is open");
  assert.equal(statusText(four({ you: [], players: [ADA, OPEN, OPEN, ADA] })), "2 seats are open");
  assert.equal(statusText(chess({ players: [ADA, OPEN], time: { ...TIME, phase: "waiting" } })), "Waiting for a player");
});

test("in Blokus the color is named", () => {
  assert.equal(statusText(blokus(4, "yellow", { acting: [1] })), "Yellow to move");
  assert.equal(statusText(blokus(4, "blue", { acting: [0] })), "Your turn");
  assert.equal(statusText(blokus(4, "red", { you: [], acting: [2] })), "You are watching. Red to move");
});

test("a player with several colors sees which one is to move", () => {
  assert.equal(statusText(blokus(2, "red", { acting: [0] })), "Your turn: red");
  assert.equal(statusText(blokus(3, "green", { acting: [0] })), "Your turn: green");
  assert.equal(statusText(blokus(2, "yellow", { acting: [1] })), "Yellow to move");
  assert.equal(statusText(blokus(2, "red", { you: [0, 1], acting: [0] })), "Red to move");
});

test("a draw offer is shown to the other player, not to the one who made it", () => {
  assert.equal(statusText(chess({ draw_offer: 1, draw_votes: [1] })), "Black offers a draw");
  assert.equal(statusText(chess({ draw_offer: 0, draw_votes: [0] })), "Your turn");
  assert.equal(statusText(chess({ draw_offer: 0, draw_votes: [0], acting: [1] })), "Black to move");
  assert.equal(statusText(chess({ draw_offer: 1, draw_votes: [1], you: [] })), "You are watching. White to move");
});

test("a takeback request is shown to the player who is asked", () => {
  assert.equal(statusText(chess({ takeback_offer: 1, takeback_votes: [1] })), "Black asks to take back a move");
  assert.equal(statusText(chess({ takeback_offer: 0, takeback_votes: [0], acting: [1] })), "Black to move");
  assert.equal(statusText(chess({ takeback_offer: 1, takeback_votes: [1], you: [] })), "You are watching. White to move");
  assert.equal(statusText(chess({ takeback_offer: 1, takeback_votes: [1], draw_offer: 1, draw_votes: [1] })), "Black asks to take back a move", "the draw can be answered later");
});

test("among four, the status says who has agreed so far", () => {
  assert.equal(statusText(four({ you: [2], draw_offer: 0, draw_votes: [0] })), "Red offers a draw");
  assert.equal(statusText(four({ you: [2], draw_offer: 0, draw_votes: [0, 1] })), "Red offers a draw, blue agreed");
  assert.equal(statusText(four({ you: [2], draw_offer: 0, draw_votes: [0, 1, 3] })), "Red offers a draw, blue, green agreed");
  assert.equal(statusText(four({ you: [0], draw_offer: 0, draw_votes: [0, 1, 3] })), "Blue, green agreed to a draw");
  assert.equal(statusText(four({ you: [1], draw_offer: 0, draw_votes: [0, 1] })), "Red offers a draw", "your own agreement is not repeated");
  assert.equal(statusText(four({ you: [2], eliminated: [2], draw_offer: 0, draw_votes: [0], acting: [1] })), "You have been eliminated. Blue to move");
});

test("real-time games have their own status", () => {
  assert.equal(statusText(chess({ acting: [], time: TIME })), "Game in progress");
  assert.equal(statusText(chess({ acting: [], time: TIME, you: [] })), "You are watching");
  assert.equal(statusText(four({ acting: [], time: TIME, eliminated: [0] })), "You have been eliminated");
  assert.equal(statusText(chess({ acting: [], time: TIME, draw_offer: 1, draw_votes: [1] })), "Black offers a draw");
  for (const you of [[], [0]]) assert.equal(statusText(chess({ acting: [], you, time: { ...TIME, phase: "paused" } })), "Paused until a player returns");
});
