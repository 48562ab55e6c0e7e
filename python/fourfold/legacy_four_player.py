"""The legacy interface of the four-player environment: the names and arrays of its original design document.

Squares are numbered from 0 to 159, row by row from the top left of Red's board; row 0 is rank 14.

>>> import fourfold
>>> env = fourfold.make("four_player", num_envs=2, preset="legacy")
>>> _ = env.reset(seed=0)
>>> state = four_player_state(env)
>>> state.board.shape, state.king_positions[0].tolist()
((2, 14, 14, 4), [[13, 7], [7, 0], [0, 6], [6, 13]])
>>> is_square_attacked(state.board[0], 11, 7, RED), is_in_check(state.board[0], BLUE)
(True, False)
>>> LEGAL_DEST["queen"].shape, BETWEEN.shape
((160, 45), (160, 160, 12))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourfold import _core
from fourfold.legacy import SLIDERS, between, reaches

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fourfold._env import Environment

EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(7)
RED, BLUE, YELLOW, GREEN = range(4)
BOARD_SIZE = 14
NUM_VALID_SQUARES = 160
PIECE_TYPE, OWNER, HAS_MOVED, EXISTS = range(4)
"""Indices into the last axis of ``board``."""

valid_square_mask: NDArray[np.bool_] = np.array(
    [[3 <= row <= 10 or 3 <= col <= 10 for col in range(BOARD_SIZE)] for row in range(BOARD_SIZE)]
)
"""(14, 14): the squares that exist."""
square_coords: NDArray[np.intp] = np.argwhere(valid_square_mask)
"""(160, 2): row and column of each square, by its number."""
square_numbers: NDArray[np.int32] = np.where(
    valid_square_mask, np.cumsum(valid_square_mask).reshape(BOARD_SIZE, BOARD_SIZE) - 1, -1
).astype(np.int32)
"""(14, 14): the number of each square, −1 where there is none."""

_TABLES = {
    name: np.array(rows, dtype=np.int16).reshape(-1, length) for name, length, rows in _core.legacy_four_player_tables()
}
BETWEEN: NDArray[np.int16] = _TABLES.pop("between").reshape(NUM_VALID_SQUARES, NUM_VALID_SQUARES, -1)
"""(160, 160, 12): the squares between two squares that a slider can move between, padded with −1."""
LEGAL_DEST_NEAR: NDArray[np.int16] = _TABLES.pop("near")
"""(160, 16): the destinations of a king or a knight."""
LEGAL_DEST_FAR: NDArray[np.int16] = _TABLES.pop("far")
"""(160, 37): the destinations of a queen that are not destinations of a king."""
LEGAL_DEST: dict[str, NDArray[np.int16]] = _TABLES
"""By piece, (160, most): destinations on an empty board, padded with −1; pawns by color."""


def can_move(piece: str, from_square: int, to_square: int) -> bool:
    """Returns whether a piece can move from one square to another on an empty board.

    >>> can_move("knight", 0, 15), can_move("rook", 0, 15)
    (False, False)
    """
    return to_square >= 0 and bool((LEGAL_DEST[piece][from_square] == to_square).any())


class FourPlayerState(NamedTuple):
    """A batch of games as arrays."""

    board: NDArray[np.int32]
    """(B, 14, 14, 4): type (0 empty, 1 pawn … 6 king; a one-point queen is 5), owner, has moved, exists."""
    current_player: NDArray[np.int32]
    player_scores: NDArray[np.int32]
    player_active: NDArray[np.bool_]
    move_count: NDArray[np.int32]
    en_passant: NDArray[np.int32]
    """(B, 4, 2, 2): en passant square and pawn of each player, as row and column; −1 for none."""
    king_positions: NDArray[np.int32]
    castling_rights: NDArray[np.bool_]
    """(B, 4, 2): kingside and queenside."""
    last_capture_move: NDArray[np.int32]
    promoted_pieces: NDArray[np.bool_]
    legal_action_mask: NDArray[np.bool_] | None
    """(B, actions); None if the environment has no boolean mask."""


def _array(env: Environment, name: str) -> NDArray[Any]:
    array = env.array(name)
    return array.astype(np.bool_) if name in ("player_active", "castling_rights", "promoted_pieces") else array


def four_player_state(env: Environment) -> FourPlayerState:
    """Returns the current state of an environment's games as arrays."""
    with env._lock:
        mask = env.current_state().legal_action_mask
        return FourPlayerState(
            **{name: _array(env, name) for name in FourPlayerState._fields[:-1]},
            legal_action_mask=None if mask is None or mask.dtype != np.bool_ else mask,
        )


def _pieces(board: NDArray[np.int32], owners: Iterable[int]) -> NDArray[np.bool_]:
    return (board[..., PIECE_TYPE] > EMPTY) & np.isin(board[..., OWNER], list(owners))


def _padded(found: NDArray[np.bool_], length: int) -> NDArray[np.int32]:
    """Returns the numbers of the squares found on each board, padded with −1."""
    squares = found[..., valid_square_mask]
    # The stable sort puts the squares found first, in their order.
    order = np.argsort(~squares, axis=-1, kind="stable")[..., :length]
    padded = np.where(np.take_along_axis(squares, order, axis=-1), order, -1)
    return padded.astype(np.int32)


def get_my_piece_positions(board: NDArray[np.int32], player: int, max_pieces: int = 16) -> NDArray[np.int32]:
    """Returns the numbers of the squares of a player's pieces, padded with −1, for one board or each of many.

    The numbers are indices into ``LEGAL_DEST``, ``BETWEEN`` and ``square_coords``.
    """
    return _padded(_pieces(board, [player]), max_pieces)


def get_opponent_piece_positions(board: NDArray[np.int32], player: int, max_pieces: int = 48) -> NDArray[np.int32]:
    """Like :func:`get_my_piece_positions`, for the pieces of the other three players, including eliminated ones."""
    return _padded(_pieces(board, [other for other in range(4) if other != player]), max_pieces)


def find_king(board: NDArray[np.int32], player: int) -> tuple[int, int] | None:
    """Returns the row and column of a player's king, or None."""
    found = np.argwhere(_pieces(board, [player]) & (board[..., PIECE_TYPE] == KING))
    return None if len(found) == 0 else (int(found[0, 0]), int(found[0, 1]))


def is_path_clear(board: NDArray[np.int32], row: int, col: int, to_row: int, to_col: int) -> bool:
    """Returns whether all squares between two squares on a line are on the board and empty."""
    cells = between(row, col, to_row, to_col)
    return all(board[cell][EXISTS] and board[cell][PIECE_TYPE] == EMPTY for cell in cells)


_FORWARD = {RED: (-1, 0), BLUE: (0, 1), YELLOW: (1, 0), GREEN: (0, -1)}


def is_square_attacked(board: NDArray[np.int32], row: int, col: int, by_player: int) -> bool:
    """Returns whether a piece of a player attacks a square."""
    down, right = _FORWARD[by_player]
    for from_row, from_col in np.argwhere(_pieces(board, [by_player])).tolist():
        rows, cols = row - from_row, col - from_col
        piece = int(board[from_row, from_col, PIECE_TYPE])
        pawn = abs(rows) == abs(cols) == 1 and rows * down + cols * right == 1
        attacks = (rows, cols) != (0, 0) and reaches(piece, rows, cols, pawn=pawn)
        if attacks and (piece not in SLIDERS or is_path_clear(board, from_row, from_col, row, col)):
            return True
    return False


def is_in_check(
    board: NDArray[np.int32],
    player: int,
    player_active: NDArray[np.bool_] | None = None,
    *,
    teams: bool = False,
) -> bool:
    """Returns whether an active opponent attacks a player's king. In teams, the partner is not an opponent."""
    king = find_king(board, player)
    if king is None:
        return False
    friends = (player, (player + 2) % 4) if teams else (player,)
    others = [other for other in range(4) if other not in friends]
    living = [other for other in others if player_active is None or player_active[other]]
    return any(is_square_attacked(board, *king, other) for other in living)
