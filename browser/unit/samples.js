// Boards, states and answers in the format of docs/arena/protocol.md, for the tests in this folder.

const FILES = [..."abcdefghijklmn"];

/**
 * A square board without `cut` by `cut` squares at each corner.
 * @param {number} size
 * @param {number} [cut]
 */
export function shape(size, cut = 0) {
  const files = FILES.slice(0, size);
  const ranks = files.map((_, row) => String(size - row));
  const isOuter = (/** @type {number} */ index) => index < cut || index >= size - cut;
  const rows = ranks.map((rank, y) => files.map((file, x) => (isOuter(x) && isOuter(y) ? null : file + rank)));
  return { width: size, height: size, surface: "checkered", rows, files, ranks };
}

/**
 * The initial state of a chess game between two guests, as White sees it.
 * @param {object} [changes]
 */
export function chess(changes = {}) {
  return {
    seq: 17, id: "7kq2m9x4t0ab", game: "chess", board: shape(8), seats: [{ name: "white", edge: "bottom" }, { name: "black", edge: "top" }],
    players: [{ kind: "guest", name: "Ada", connected: true }, { kind: "guest", name: "Ben", connected: true }], teams: [], eliminated: [], scores: [], seat_colors: "two",
    colors: [], piece_shapes: [], pieces: [], captured: [[], []], last_move: [], check: [], acting: [0], claim: null, opening: null, outcome: null, moves: [], clock: null,
    draw_offer: null, draw_votes: [], takeback_offer: null, takeback_votes: [], rematch: [], next: null, stored: true, watchers: 0, rated: true, abortable: false, ratings: [], you: [0], legal_moves: [], takeback: false, hint: false,
    ...changes,
  };
}

/**
 * The initial state of a four-player chess game, as Red sees it.
 * @param {object} [changes]
 */
export function four(changes = {}) {
  const names = ["red", "blue", "yellow", "green"];
  return chess({
    game: "four-player",
    board: shape(14, 3),
    seats: names.map((name, seat) => ({ name, edge: ["bottom", "left", "top", "right"][seat] })),
    players: names.map((name) => ({ kind: "guest", name: `Guest ${name}`, connected: true })),
    scores: [0, 0, 0, 0],
    captured: [[], [], [], []],
    ...changes,
  });
}

/**
 * A Blokus color.
 * @param {string} name
 * @param {number | null} seat
 * @param {boolean} [turn]
 */
export function color(name, seat, turn = false) {
  return { name, seat, turn, done: false, score: -89, squares: [], frontier: [], left: ["I1"] };
}

/**
 * Answers all requests of a test in place of the server.
 * @param {import("node:test").TestContext} t
 * @param {(question: any, path: string) => unknown} answer throws if the server does not answer
 * @returns {{path: string, question: any}[]} what was asked
 */
export function server(t, answer) {
  /** @type {{path: string, question: any}[]} */
  const asked = [];
  t.mock.method(globalThis, "fetch", async (/** @type {string} */ path, /** @type {{body: string}} */ { body }) => {
    const question = JSON.parse(body);
    asked.push({ path, question });
    const response = await answer(question, path);
    return { json: async () => response };
  });
  return asked;
}

/**
 * Replaces timeouts by ones that end when the test says so.
 * @param {import("node:test").TestContext} t
 * @returns {(milliseconds: number) => void} lets time pass
 */
export function timers(t) {
  /** @type {Map<number, {act: () => void, end: number}>} */
  const waiting = new Map();
  let [now, last] = [0, 0];
  t.mock.method(globalThis, "setTimeout", (/** @type {() => void} */ act, /** @type {number} */ time) => {
    waiting.set((last += 1), { act, end: now + time });
    return last;
  });
  t.mock.method(globalThis, "clearTimeout", (/** @type {number} */ timer) => waiting.delete(timer));
  return (milliseconds) => {
    now += milliseconds;
    for (const [timer, { act, end }] of waiting) {
      if (end > now) continue;
      waiting.delete(timer);
      act();
    }
  };
}

/** Waits until everything that is ready to run has run. */
export function settled() {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
