// A game's state, and queries about it that need no rules.

/** @import { LegalMove, Delta, Edge, GameState, Piece, Position } from "../app/protocol.js" */

/**
 * Returns the state after a delta, or null if an earlier delta was missed.
 * @param {GameState} state
 * @param {Delta} delta
 * @returns {GameState | null}
 */
export function applyDelta(state, delta) {
  if (delta.seq !== state.seq + 1) return null;
  const { moves, pieces, captured, colors, realtime_pieces, ...changed } = delta;
  const next = { ...state, ...changed };
  if (moves) next.moves = [...state.moves.slice(0, moves.keep), ...moves.add];
  if (pieces) {
    const squares = new Set(pieces.map(({ square }) => square));
    const kept = state.pieces.filter(({ square }) => !squares.has(square));
    next.pieces = [...kept, ...pieces.filter((piece) => !piece.gone)];
  }
  if (captured) next.captured = state.captured.map((list, seat) => captured[seat] ?? list);
  if (colors) next.colors = state.colors.map((color, index) => colors[index] ?? color);
  if (realtime_pieces) {
    const news = new Set(realtime_pieces.map(({ id }) => id));
    const kept = (state.realtime_pieces ?? []).filter(({ id }) => !news.has(id));
    next.realtime_pieces = [...kept, ...realtime_pieces.filter((piece) => !piece.gone)];
  }
  return next;
}

/**
 * Returns the seat that you act for: your seat that is to move, or else your first one that is not eliminated.
 * @param {GameState} state
 * @returns {number | null}
 */
export function actingSeat(state) {
  const among = (/** @type {(seat: number) => boolean} */ wanted) => state.you.find(wanted);
  return among((seat) => state.acting.includes(seat)) ?? among((seat) => !state.eliminated.includes(seat)) ?? state.you[0] ?? null;
}

/**
 * Whether you have seats, and all of them are eliminated.
 * @param {GameState} state
 */
export function areYouEliminated(state) {
  return state.you.length > 0 && state.you.every((seat) => state.eliminated.includes(seat));
}

/**
 * Whether a seat is on your team.
 * @param {GameState} state
 * @param {number} seat
 */
export function isPartner(state, seat) {
  const [mine, ...more] = state.you;
  if (mine === undefined || more.length > 0 || mine === seat) return false;
  return state.teams.some((team) => team.includes(mine) && team.includes(seat));
}

/**
 * Returns the seats that nobody has taken yet.
 * @param {GameState} state
 * @returns {number[]}
 */
export function openSeats(state) {
  return state.players.flatMap((player, seat) => (player.kind === "open" ? [seat] : []));
}

/**
 * Whether a player is still missing: nobody can move then.
 * @param {GameState} state
 */
export function hasOpenSeat(state) {
  return openSeats(state).length > 0;
}

/**
 * Whether a seat of yours may move now.
 * @param {GameState} state
 */
export function isYourTurn(state) {
  return !state.outcome && !hasOpenSeat(state) && state.you.some((seat) => state.acting.includes(seat));
}

/**
 * Whether you may premove.
 * @param {GameState} state
 */
export function canPremove(state) {
  return !state.outcome && !hasOpenSeat(state) && state.you.length > 0 && !areYouEliminated(state) && !isYourTurn(state);
}

/**
 * @param {GameState} state
 * @param {string} from
 * @returns {LegalMove[]}
 */
export function legalMovesFrom(state, from) {
  return state.legal_moves.filter((choice) => choice.from === from);
}

/**
 * @param {GameState} state
 * @param {string} from
 * @param {string} to
 * @returns {LegalMove[]}
 */
export function legalMovesBetween(state, from, to) {
  return state.legal_moves.filter((choice) => choice.from === from && choice.to === to);
}

/**
 * @param {Piece[]} pieces
 * @param {string} square
 * @returns {Piece | undefined}
 */
export function pieceOn(pieces, square) {
  return pieces.find((piece) => piece.square === square);
}

/**
 * Whether a seat's pieces are gray: it is eliminated, or the game has no such seat.
 * @param {GameState} state
 * @param {Position} position
 * @param {number} seat
 */
export function isGray(state, position, seat) {
  return position.eliminated.includes(seat) || seat >= state.seats.length;
}

/**
 * Returns the edge at the bottom of the view, after the board was turned `turns` times.
 * @param {GameState} state
 * @param {number} turns
 * @returns {Edge}
 */
export function bottomEdge(state, turns) {
  const seat = ((state.you[0] ?? 0) + turns) % state.seats.length;
  return state.seats[seat]?.edge ?? "bottom";
}

/**
 * Finds the legal move that was typed: by its code or its text. Letter case, hyphens and the like do not matter
 * unless two moves differ only in them, as `bxc4` and `Bxc4` do.
 * @param {LegalMove[]} legalMoves
 * @param {string} typed
 * @returns {LegalMove | undefined}
 */
export function findMove(legalMoves, typed) {
  const bare = (/** @type {string} */ text) => text.trim().replace(/[+#!?]+$/, "");
  const loose = (/** @type {string} */ text) => bare(text).toLowerCase().replace(/^0-0(-0)?$/, (zeros) => zeros.replaceAll("0", "o")).replace(/[-=x]/g, "");
  const only = (/** @type {LegalMove[]} */ found) => (found.length === 1 ? found[0] : undefined);
  return (
    legalMoves.find(({ code, text }) => code === typed || bare(text) === bare(typed)) ??
    only(legalMoves.filter(({ code }) => code.toLowerCase() === typed.toLowerCase())) ??
    only(legalMoves.filter(({ text }) => loose(text) === loose(typed)))
  );
}

/**
 * Returns the squares of a move: from and to, or those that a placed piece covers.
 * @param {GameState} state
 * @param {{code: string}} move
 * @returns {string[]}
 */
export function squaresOf(state, { code }) {
  if (state.colors.length > 0) return code.split(",");
  return /^([a-z]\d+)([a-z]\d+)/.exec(code)?.slice(1) ?? [];
}

/**
 * Returns the latest move of every player, or of every color in Blokus, in the last round: with more than two
 * of them, several have moved since one's own move.
 * @param {GameState} state
 * @param {number} [ply] of an earlier position
 * @returns {{owner: number, squares: string[], latest: boolean}[]} the oldest first
 */
export function lastRound(state, ply = state.moves.length) {
  const owners = state.colors.length || state.seats.length;
  const moves = state.moves.slice(Math.max(0, ply - owners), ply).map((move) => ({ move, owner: move.color ?? move.seat }));
  const last = moves.filter(({ owner }, index) => !moves.slice(index + 1).some((later) => later.owner === owner));
  return last.map(({ move, owner }) => ({ owner, squares: squaresOf(state, move), latest: move === moves.at(-1)?.move }));
}

/**
 * Returns who made a move: the name of its color, or else of its seat.
 * @param {GameState} state
 * @param {{seat: number, color?: number}} move
 */
export function moverName(state, { seat, color }) {
  return (color === undefined ? state.seats[seat] : state.colors[color])?.name ?? "";
}

/**
 * Whether the study board can show a game.
 * @param {GameState} state
 */
export function canStudy({ game }) {
  return game === "chess";
}

/**
 * Sets the color scheme of a node that shows seats or colors.
 * @param {HTMLElement} node
 * @param {GameState} state
 */
export function setColorScheme(node, { seat_colors }) {
  const scheme = `colors-${seat_colors}`;
  if (node.classList.contains(scheme)) return;
  node.classList.remove(...[...node.classList].filter((name) => name.startsWith("colors-")));
  node.classList.add(scheme);
}

/**
 * Returns the name of the player in a seat.
 * @param {GameState} state
 * @param {number} seat
 */
export function playerName(state, seat) {
  const player = state.players[seat];
  return player && player.kind !== "open" ? (player.name ?? "Guest") : "Open seat";
}
