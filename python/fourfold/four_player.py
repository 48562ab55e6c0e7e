"""Four-player chess, one game at a time.

>>> board = Board()
>>> board.push("h2-h3")
'h2-h3'
>>> board.turn == BLUE, len(board.legal_moves)
(True, 20)
>>> board.resign(BLUE)
>>> board.alive
(True, False, True, True)
>>> board.undo(); board.undo()
>>> board.fen4 == Board().fen4
True
>>> Board(mode="teams", setup="classic").perft(2)
399
"""

from __future__ import annotations

from typing import Literal

from fourfold import _core
from fourfold._board import MultiplayerBoard, Outcome

__all__ = ["BLUE", "GREEN", "RED", "YELLOW", "Board", "Outcome"]

RED, BLUE, YELLOW, GREEN = range(4)

Mode = Literal["ffa", "teams"]
Setup = Literal["modern", "classic", "by", "byg", "rg"]

_FILES = "abcdefghijklmn"
_LETTERS = "rbyg"


class Board(MultiplayerBoard):
    """A game of four-player chess: moves as text, and unlimited undo and redo.

    Codes are coordinates (``d2d4``, ``e7e8d``), texts are in PGN4 notation (``d2-d4``, ``Qg1xQn8+``). Players are
    0 Red, 1 Blue, 2 Yellow, 3 Green.

    >>> Board().push("h2h5")
    Traceback (most recent call last):
    ...
    fourfold.IllegalMoveError: a pawn does not move from h2 to h5

    ``rules`` are words as on the rules page, such as ``"immediate walking-king quiet=50"``.
    """

    def __init__(
        self,
        fen4: str | None = None,
        *,
        mode: Mode = "ffa",
        setup: Setup = "modern",
        rules: str = "",
    ) -> None:
        if mode not in ("ffa", "teams"):
            raise ValueError(f"invalid mode {mode!r}: expected 'ffa' or 'teams'")
        self._table = _core.Table.four_player(fen4, setup, f"{mode} {rules}")

    @staticmethod
    def _empty() -> _core.Table:
        return _core.Table.four_player(None, "modern", "")

    @classmethod
    def from_pgn4(cls, text: str) -> Board:
        """Reads a PGN4 with one game, and returns the board at its end.

        >>> Board.from_pgn4("1. h2-h3 .. b7-c7 .. g13-g12 .. m8-l8").moves
        ['h2-h3', 'b7-c7', 'g13-g12', 'm8-l8']
        """
        return cls._read(text)

    @property
    def fen4(self) -> str:
        """The position in FEN4."""
        return self._table.fen()

    @property
    def pgn4(self) -> str:
        """The game so far as PGN4."""
        return self._table.pgn()

    @property
    def alive(self) -> tuple[bool, ...]:
        """Whether each player is still in the game."""
        eliminated = self._table.eliminated()
        return tuple(player not in eliminated for player in range(4))

    @property
    def is_check(self) -> bool:
        """Whether the king of any player still in the game is attacked."""
        return self._table.is_check()

    def piece_at(self, square: str) -> str | None:
        """Returns the piece on a square in FEN4 notation, without the mark for eliminated players, or None.

        >>> Board().piece_at("h1"), Board().piece_at("h7")
        ('rK', None)
        """
        return self._pieces().get(square)

    def _pieces(self) -> dict[str, str]:
        return {
            square: (_LETTERS[player] if player < 4 else "d") + letter.upper()
            for square, letter, player in self._table.pieces()
        }

    def __repr__(self) -> str:
        return f"Board({self.fen4!r})"

    def __str__(self) -> str:
        pieces = self._pieces()
        exists = {(file, rank) for file in range(14) for rank in range(14) if 3 <= file <= 10 or 3 <= rank <= 10}
        rows = (
            " ".join(
                pieces.get(f"{_FILES[file]}{rank + 1}", " .") if (file, rank) in exists else "  " for file in range(14)
            ).rstrip()
            for rank in range(13, -1, -1)
        )
        return "\n".join(rows)
