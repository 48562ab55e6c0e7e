"""Chess, one game at a time.

>>> board = Board()
>>> board.push("e4")
'e4'
>>> "e7e5" in board.legal_moves
True
>>> print(board)
r n b q k b n r
p p p p p p p p
. . . . . . . .
. . . . . . . .
. . . . P . . .
. . . . . . . .
P P P P . P P P
R N B Q K B N R
>>> board.undo()
>>> board.fen == Board().fen
True
"""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

from fourfold import _core

WHITE = 0
BLACK = 1


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """How a game has ended."""

    reason: str
    winners: tuple[int, ...]
    """The players that have won, 0 for White and 1 for Black; nobody in a draw."""


class Board:
    """A game of chess: moves as text, undo and redo without limit."""

    def __init__(self, fen: str | None = None, *, chess960: bool = False) -> None:
        self._table = _core.ChessTable(fen, chess960)

    @classmethod
    def from_pgn(cls, text: str) -> Board:
        """Reads a PGN with one game; the board stands at its end.

        >>> Board.from_pgn("1. e4 e5 2. Nf3 *").moves
        ['e4', 'e5', 'Nf3']
        """
        board = cls()
        board._table.read_pgn(text)
        return board

    @property
    def chess960(self) -> bool:
        """Whether it is a game of Chess960."""
        return self._table.is_chess960()

    @property
    def fen(self) -> str:
        """The position in FEN."""
        return self._table.fen()

    @property
    def pgn(self) -> str:
        """The game so far as PGN."""
        return self._table.pgn()

    def svg(self, *, player: int = WHITE, theme: Literal["light", "dark"] = "light", size: int = 400) -> str:
        """The board as a picture, ``size`` pixels wide, seen by a player.

        >>> Board().svg(player=BLACK, size=320).startswith("<svg ")
        True
        """
        if not 16 <= size <= 10_000:
            raise ValueError(f"size {size} is not from 16 to 10000")
        if player not in (WHITE, BLACK):
            raise IndexError(f"player {player} is not 0 or 1")
        return self._table.svg(player, theme, size)

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        return self.svg()

    @property
    def turn(self) -> int | None:
        """0 if White is to move, 1 if Black is, None if the game is over."""
        return self._table.turn()

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves in UCI notation, sorted."""
        return [uci for uci, _ in self._table.choices()]

    @property
    def legal_sans(self) -> list[str]:
        """The same moves in standard algebraic notation."""
        return [san for _, san in self._table.choices()]

    @property
    def moves(self) -> list[str]:
        """The moves played, in standard algebraic notation."""
        return [san for _, san in self._table.moves()[0]]

    @property
    def moves_uci(self) -> list[str]:
        """The moves played, in UCI notation."""
        return [uci for uci, _ in self._table.moves()[0]]

    def push(self, move: str) -> str:
        """Plays a move in SAN or UCI notation; returns it in SAN.

        >>> Board().push("e2e5")
        Traceback (most recent call last):
        ...
        fourfold.IllegalMoveError: a pawn does not move from e2 to e5
        """
        return self._table.play(move)[1]

    def undo(self) -> None:
        """Takes back the last move."""
        self._table.undo()

    def redo(self) -> None:
        """Plays the move again that was taken back last."""
        self._table.redo()

    def jump(self, ply: int) -> None:
        """Undoes or redoes until this many moves are played."""
        if ply < 0:
            raise _core.HistoryEndError(f"there is no ply {ply}")
        self._table.jump(ply)

    @property
    def ply(self) -> int:
        """How many moves are played."""
        return self._table.ply()

    @property
    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._table.is_check()

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, or None."""
        found = self._table.outcome()
        return None if found is None else Outcome(found[0], tuple(found[1]))

    @property
    def claimable(self) -> str | None:
        """The draw that the side to move may claim, or None."""
        return self._table.claimable()

    def perft(self, depth: int) -> int:
        """The number of sequences of exactly ``depth`` legal moves.

        >>> Board().perft(3)
        8902
        """
        if not 0 <= depth <= 30:
            raise ValueError(f"depth {depth} is not from 0 to 30")
        return self._table.perft(depth)

    def piece_at(self, square: str) -> str | None:
        """The piece on a square as FEN writes it, or None.

        >>> Board().piece_at("d8")
        'q'
        """
        return self._pieces().get(square)

    def _pieces(self) -> dict[str, str]:
        return {
            square: letter.upper() if seat == WHITE else letter.lower()
            for square, letter, seat in self._table.men()
        }

    def copy(self) -> Board:
        """Another board with the same game, what is undone included."""
        other = Board.__new__(Board)
        other._table = self._table.copy()
        return other

    def __getstate__(self) -> dict[str, Any]:
        pgn, undone = self._table.save()
        return {"pgn": pgn, "undone": undone}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._table = _core.ChessTable(None, False)
        self._table.load(state["pgn"], state["undone"])

    def __deepcopy__(self, memo: dict[int, Any]) -> Board:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self.fen == other.fen
            and self.chess960 == other.chess960
            and self.outcome == other.outcome
            and self._table.moves() == other._table.moves()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Board({self.fen!r}{', chess960=True' if self.chess960 else ''})"

    def __str__(self) -> str:
        pieces = self._pieces()
        ranks = (
            " ".join(pieces.get(f"{file}{rank}", ".") for file in "abcdefgh")
            for rank in range(8, 0, -1)
        )
        return "\n".join(ranks)
