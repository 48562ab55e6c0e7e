"""The legacy interface of the chess environment: the names and arrays of its original design document.

>>> import fourfold
>>> env = fourfold.make("chess", num_envs=2, preset="legacy")
>>> _ = env.reset(seed=0)
>>> state = chess_state(env)
>>> state.boards[0, 7, 4], state.current_players[0]
(np.int32(6), np.int32(1))
>>> find_king(state.boards[0], WHITE)
(7, 4)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks, _core

if TYPE_CHECKING:
    from fourfold._env import Environment
    from fourfold._state import State

EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(7)
SLIDERS = (BISHOP, ROOK, QUEEN)
WHITE, BLACK = 1, -1
NUM_PLANES = 73

_PLANES = _core.chess_planes()
_LETTERS = {"N": KNIGHT, "B": BISHOP, "R": ROOK}

is_underpromotion_plane: NDArray[np.bool_] = np.array([letter is not None for _, _, letter in _PLANES])
is_knight_plane: NDArray[np.bool_] = np.array([abs(files * ranks) == 2 for files, ranks, _ in _PLANES])
is_queenlike_plane: NDArray[np.bool_] = ~is_underpromotion_plane & ~is_knight_plane
plane_delta_row: NDArray[np.int32] = np.array([-ranks for _, ranks, _ in _PLANES], dtype=np.int32)
"""The change of row on the mover's board, whose row 0 is the mover's eighth rank."""
plane_delta_col: NDArray[np.int32] = np.array([files for files, _, _ in _PLANES], dtype=np.int32)
plane_promotion_piece_type: NDArray[np.int32] = np.array(
    [0 if letter is None else _LETTERS[letter] for _, _, letter in _PLANES], dtype=np.int32
)


class ChessState(NamedTuple):
    """A batch of chess games as arrays. Row 0 is rank 8."""

    boards: NDArray[np.int32]
    """(B, 8, 8): 1 pawn … 6 king, negative for Black."""
    current_players: NDArray[np.int32]
    """(B,): 1 for White, −1 for Black."""
    castling_rights: NDArray[np.bool_]
    """(B, 4): White kingside and queenside, Black kingside and queenside."""
    en_passant_target: NDArray[np.int32]
    """(B, 2): row and column of the en passant square, (−1, −1) for none."""
    dones: NDArray[np.bool_]
    """(B,): whether the game is over, terminated or truncated."""
    winners: NDArray[np.int32]
    """(B,): 1 for White, −1 for Black, 0 for a draw and while the game is in progress."""


def chess_state(env: Environment, state: State | None = None) -> ChessState:
    """Returns the games of an environment as arrays.

    All arrays describe the current state. To see finished games, as in the original design, make the
    environment with ``autoreset="disabled"``; otherwise they may already have restarted. With ``state``, the
    result of a step, ``dones`` and ``winners`` describe the games of that step, but the boards may already
    be those of new games.

    >>> import fourfold
    >>> env = fourfold.make("chess", preset="legacy", autoreset="disabled")
    >>> for move in ["f3", "e5", "g4", "Qh4"]:
    ...     _ = env.step(env.actions([move]))
    >>> found = chess_state(env)
    >>> bool(found.dones[0]), int(found.winners[0])
    (True, -1)
    """
    with env._lock:
        if state is None:
            results = env._current_results()
            terminated, truncated, winner = (results[name] for name in ("terminated", "truncated", "winner"))
        else:
            terminated, truncated, winner = state.terminated, state.truncated, state.winner
        return ChessState(
            boards=env.array("boards"),
            current_players=env.array("current_players"),
            castling_rights=env.array("castling_rights").astype(np.bool_),
            en_passant_target=env.array("en_passant_target"),
            dones=terminated | truncated,
            winners=np.select([winner == 0, winner == 1], [1, -1], 0).astype(np.int32),
        )


def action_mask(state: State) -> NDArray[np.bool_]:
    """Returns the legal mask as (B, 8, 8, 73), indexed by the row and column that a piece moves from, on the
    mover's board, and the plane."""
    mask = state.legal_action_mask
    if mask is None or mask.dtype != np.bool_:
        raise ValueError("expected an environment with mask='bool'")
    by_file = mask.reshape(-1, 8, 8, NUM_PLANES)
    # Labels run file by file from the first rank; rows run from the eighth.
    return by_file.transpose(0, 2, 1, 3)[:, ::-1]


def actions_from_triples(from_row: Any, from_col: Any, plane: Any) -> NDArray[np.int32]:
    """Returns action ids from rows and columns on the mover's board, and planes: integers or arrays."""
    row, col, planes = (
        _checks.integers(name, part) for name, part in (("rows", from_row), ("columns", from_col), ("planes", plane))
    )
    try:
        np.broadcast_shapes(row.shape, col.shape, planes.shape)
    except ValueError:
        shapes = f"{row.shape}, {col.shape} and {planes.shape}"
        raise ValueError(f"cannot broadcast rows, columns and planes of shapes {shapes}") from None
    for name, found, limit in (("row", row, 8), ("column", col, 8), ("plane", planes, NUM_PLANES)):
        wrong = (found < 0) | (found >= limit)
        if wrong.any():
            raise ValueError(f"expected {name} from 0 to {limit - 1}, got {found[wrong][0]}")
    labels: NDArray[np.int32] = (col * 8 + (7 - row)) * NUM_PLANES + planes
    return labels


def step(env: Environment, from_row: Any, from_col: Any, plane: Any) -> State:
    """Plays actions given as triples.

    >>> import fourfold
    >>> env = fourfold.make("chess", num_envs=1, preset="legacy")
    >>> _ = step(env, [6], [4], [17])
    >>> env.positions[0].split()[0]
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR'
    """
    return env.step(actions_from_triples(from_row, from_col, plane))


def find_king(board: NDArray[np.int32], player: int) -> tuple[int, int] | None:
    """Returns the row and column of a player's king, or None."""
    found = np.argwhere(board == KING * player)
    return None if len(found) == 0 else (int(found[0, 0]), int(found[0, 1]))


def between(row: int, col: int, to_row: int, to_col: int) -> list[tuple[int, int]]:
    """Returns the squares between two squares, as rows and columns."""
    rows, cols = to_row - row, to_col - col
    if rows != 0 and cols != 0 and abs(rows) != abs(cols):
        raise ValueError("the squares are not on one line")
    steps = max(abs(rows), abs(cols))
    return [(row + rows * step // steps, col + cols * step // steps) for step in range(1, steps)]


def is_path_clear(board: NDArray[np.int32], row: int, col: int, to_row: int, to_col: int) -> bool:
    """Returns whether all squares between two squares on a line are empty."""
    return all(board[cell] == EMPTY for cell in between(row, col, to_row, to_col))


def reaches(piece: int, rows: int, cols: int, *, pawn: bool) -> bool:
    """Returns whether a piece attacks a square this many rows and columns away on an empty board. For pawns,
    which depend on the player, the answer is given."""
    straight = rows == 0 or cols == 0
    oblique = abs(rows) == abs(cols)
    return {
        PAWN: pawn,
        KNIGHT: abs(rows * cols) == 2,
        BISHOP: oblique,
        ROOK: straight,
        QUEEN: straight or oblique,
        KING: max(abs(rows), abs(cols)) == 1,
    }[piece]


def is_square_attacked(board: NDArray[np.int32], row: int, col: int, attacker: int) -> bool:
    """Returns whether a piece of a player attacks a square."""
    for from_row, from_col in np.argwhere(board * attacker > 0).tolist():
        rows, cols = row - from_row, col - from_col
        piece = abs(int(board[from_row, from_col]))
        pawn = rows == -attacker and abs(cols) == 1
        attacks = (rows, cols) != (0, 0) and reaches(piece, rows, cols, pawn=pawn)
        if attacks and (piece not in SLIDERS or is_path_clear(board, from_row, from_col, row, col)):
            return True
    return False
