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

from fourfold import _core, _deprecated
from fourfold._analysis import (
    FACTS,
    Analysis,
    Columns,
    Pawns,
    Side,
    analyze,
    analyze_batches,
)
from fourfold._board import Outcome, TableBoard

__all__ = [
    "BLACK",
    "FACTS",
    "WHITE",
    "Analysis",
    "Board",
    "Columns",
    "Outcome",
    "Pawns",
    "Side",
    "analyze",
    "analyze_batches",
]

WHITE = 0
BLACK = 1

__getattr__ = _deprecated.renamed(globals(), {"analyse": "analyze", "analyse_batches": "analyze_batches"})


class Board(TableBoard):
    """A game of chess: moves as text, and unlimited undo and redo.

    Codes are in UCI notation, texts in standard algebraic notation (SAN). Player 0 is White.

    >>> Board().svg(player=BLACK, size=320).startswith("<svg ")
    True
    >>> Board().perft(3)
    8902
    >>> Board().push("e2e5")
    Traceback (most recent call last):
    ...
    fourfold.IllegalMoveError: a pawn does not move from e2 to e5
    """

    def __init__(self, fen: str | None = None, *, chess960: bool = False) -> None:
        self._table = _core.Table.chess(fen, chess960)

    @staticmethod
    def _empty() -> _core.Table:
        return _core.Table.chess(None, False)

    @classmethod
    def from_pgn(cls, text: str) -> Board:
        """Reads a PGN with one game, and returns the board at its end.

        >>> Board.from_pgn("1. e4 e5 2. Nf3 *").moves
        ['e4', 'e5', 'Nf3']
        """
        return cls._read(text)

    @property
    def chess960(self) -> bool:
        """Whether this is a game of Chess960."""
        return self._table.is_chess960()

    @property
    def fen(self) -> str:
        """The position in FEN."""
        return self._table.fen()

    @property
    def pgn(self) -> str:
        """The game so far as PGN."""
        return self._table.pgn()

    @property
    def legal_sans(self) -> list[str]:
        """The legal moves in standard algebraic notation."""
        return self.legal_texts

    @property
    def moves_uci(self) -> list[str]:
        """The moves played, in UCI notation."""
        return self.move_codes

    @property
    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._table.is_check()

    @property
    def claimable(self) -> str | None:
        """The draw that the side to move may claim, or None."""
        return self._table.claimable()

    def analysis(self) -> Analysis:
        """Returns the analysis of the position: hanging and pinned pieces, forks, and so on.

        It is computed by the first call, and cached until the position changes.

        >>> Board("2q1k3/8/8/8/4N3/8/8/4K3 w - - 0 1").analysis().white.forks
        ['e4d6']
        """
        found = self._table.analysis()
        assert found is not None
        return Analysis._of(found)

    def piece_at(self, square: str) -> str | None:
        """Returns the piece on a square as its letter in FEN, or None.

        >>> Board().piece_at("d8")
        'q'
        """
        return self._pieces().get(square)

    def _pieces(self) -> dict[str, str]:
        return {
            square: letter.upper() if player == WHITE else letter.lower()
            for square, letter, player in self._table.pieces()
        }

    def __repr__(self) -> str:
        return f"Board({self.fen!r}{', chess960=True' if self.chess960 else ''})"

    def __str__(self) -> str:
        pieces = self._pieces()
        ranks = (" ".join(pieces.get(f"{file}{rank}", ".") for file in "abcdefgh") for rank in range(8, 0, -1))
        return "\n".join(ranks)
