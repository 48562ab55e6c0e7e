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
from fourfold._board import Outcome, TableBoard

__all__ = ["BLUE", "GREEN", "RED", "YELLOW", "Board", "Outcome"]

RED, BLUE, YELLOW, GREEN = range(4)

Mode = Literal["ffa", "teams"]
Setup = Literal["modern", "classic", "by", "byg", "rg"]

_FILES = "abcdefghijklmn"
_LETTERS = "rbyg"


class Board(TableBoard):
    """A game of four-player chess: moves as text, and unlimited undo and redo.

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
        board = cls()
        board._table.read_pgn(text)
        return board

    @property
    def fen4(self) -> str:
        """The position in FEN4."""
        return self._table.fen()

    @property
    def pgn4(self) -> str:
        """The game so far as PGN4."""
        return self._table.pgn()

    @property
    def turn(self) -> int | None:
        """The player to move: 0 Red, 1 Blue, 2 Yellow, 3 Green; None if the game is over."""
        return self._table.turn()

    @property
    def points(self) -> tuple[int, ...]:
        """The points of the four players."""
        return tuple(self._table.scores())

    @property
    def alive(self) -> tuple[bool, ...]:
        """Whether each player is still in the game."""
        out = self._table.out()
        return tuple(player not in out for player in range(4))

    @property
    def is_check(self) -> bool:
        """Whether the king of any player still in the game is attacked."""
        return self._table.is_check()

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves in coordinate notation, sorted: ``d2d4``, ``e7e8d``."""
        return [code for code, _ in self._table.choices()]

    @property
    def legal_texts(self) -> list[str]:
        """The legal moves in PGN4 notation: ``d2-d4``, ``Qg1xQn8+``."""
        return [text for _, text in self._table.choices()]

    @property
    def moves(self) -> list[str]:
        """The moves played, in PGN4 notation."""
        return [text for _, text in self._table.moves()[0]]

    @property
    def move_codes(self) -> list[str]:
        """The moves played, in coordinate notation."""
        return [code for code, _ in self._table.moves()[0]]

    def push(self, move: str) -> str:
        """Plays a move in coordinate or PGN4 notation, and returns it in PGN4 notation.

        >>> Board().push("h2h5")
        Traceback (most recent call last):
        ...
        fourfold.IllegalMoveError: a pawn does not move from h2 to h5
        """
        return self._table.play(move)[1]

    def resign(self, player: int) -> None:
        """Resigns for a player. The player's pieces turn gray, and the others play on."""
        self._table.leave(self._seat(player), False)

    def flag(self, player: int) -> None:
        """Withdraws a player who has run out of time, with the same effect as :meth:`resign`."""
        self._table.leave(self._seat(player), True)

    def piece_at(self, square: str) -> str | None:
        """Returns the piece on a square in FEN4 notation, without the mark for eliminated players, or None.

        >>> Board().piece_at("h1"), Board().piece_at("h7")
        ('rK', None)
        """
        return self._pieces().get(square)

    def _pieces(self) -> dict[str, str]:
        return {
            square: (_LETTERS[seat] if seat < 4 else "d") + letter.upper() for square, letter, seat in self._table.men()
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
