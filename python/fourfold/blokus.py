"""Blokus, one game at a time, and the symmetries and formats of its arrays.

>>> board = Board(variant="duo")
>>> board.push("e10,e9,f9")
'V3 e9,f9,e10'
>>> board.turn, board.color, len(board.legal_moves), board.points
(1, 1, 414, (-86, -89))
>>> board.frontier(0)
['d11', 'f11', 'g10', 'd8', 'g8']
>>> board.undo()
>>> board.position == Board(variant="duo").position
True
>>> Board(variant="classic").perft(2)
3364
"""

from __future__ import annotations

from collections.abc import Iterable

from fourfold import _core, _deprecated
from fourfold._blokus_arrays import Symmetry, cells, from_grid, grid_ids, symmetries, to_grid
from fourfold._board import MultiplayerBoard, Outcome

__all__ = [
    "Board",
    "Outcome",
    "Symmetry",
    "cells",
    "from_grid",
    "grid_ids",
    "symmetries",
    "to_grid",
]


class Board(MultiplayerBoard):
    """A game of Blokus: placements as text, and unlimited undo and redo.

    Codes are lists of cells (``e9,f9,e10``), texts start with the name of the piece (``V3 e9,f9,e10``).

    ``variant`` is ``classic`` (four players), ``classic-2``, ``classic-3``, ``duo``, or ``four-N`` or ``two-N``
    for other sizes, followed by ``+free`` for free starts. A position includes its variant.
    """

    def __init__(self, position: str | None = None, *, variant: str | None = None) -> None:
        named = "classic" if position is None else position.partition(" ")[0]
        self._table = _core.Table.blokus(position, named if variant is None else variant)

    @staticmethod
    def _empty() -> _core.Table:
        return _core.Table.blokus(None, "classic")

    @classmethod
    def from_sgf(cls, text: str) -> Board:
        """Reads a Blokus SGF with one game, and returns the board at its end.

        >>> Board.from_sgf("(;GM[Blokus Duo];B[e8,e9,e10];W[j5])").moves
        ['I3 e8,e9,e10', 'I1 j5']
        """
        return cls._read(text)

    @property
    def position(self) -> str:
        """The position as text, which starts with the variant."""
        return self._table.fen()

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self.position.partition(" ")[0]

    @property
    def size(self) -> int:
        """The number of rows and columns of the board."""
        return self.position.count("/") + 1

    @property
    def sgf(self) -> str:
        """The game so far as Blokus SGF."""
        return self._table.pgn()

    @property
    def color(self) -> int | None:
        """The color to move; None if the game is over."""
        turns = [turn for _, turn, *_ in self._table.colors()]
        return turns.index(True) if True in turns else None

    @property
    def colors(self) -> tuple[str, ...]:
        """The names of the colors, in the order of play."""
        return tuple(name for name, *_ in self._table.colors())

    @property
    def color_points(self) -> tuple[int, ...]:
        """The points of the colors, by advanced scoring."""
        return tuple(points for _, _, _, points, *_ in self._table.colors())

    @property
    def finished(self) -> tuple[bool, ...]:
        """Whether each color can no longer place a piece."""
        return tuple(finished for _, _, finished, *_ in self._table.colors())

    out = _deprecated.attribute("out", "finished")

    def squares(self, color: int) -> list[str]:
        """Returns the cells that a color covers, row by row from the top left."""
        return self._color(color)[4]

    def frontier(self, color: int) -> list[str]:
        """Returns the cells of which a color's next piece must cover at least one, row by row from the top left."""
        return self._color(color)[5]

    def pieces_left(self, color: int) -> list[str]:
        """Returns the names of the pieces that a color has left.

        >>> Board().pieces_left(0)[:6]
        ['I1', 'I2', 'I3', 'V3', 'I4', 'L4']
        """
        return self._color(color)[6]

    def _color(self, color: int) -> tuple[str, bool, bool, int, list[str], list[str], list[str]]:
        found = self._table.colors()
        if color not in range(len(found)):
            raise IndexError(f"expected color from 0 to {len(found) - 1}, got {color}")
        return found[color]

    @property
    def legal_ids(self) -> list[int]:
        """The legal placements as action ids of the environment with ``view="absolute"``, sorted."""
        return self._table.placement_ids()

    def push(self, move: str | int | Iterable[str]) -> str:
        """Places a piece, given as text, as an id from :attr:`legal_ids`, or by the names of its cells.

        >>> Board(variant="duo").push(["e10", "e9"])
        'I2 e9,e10'
        >>> Board().push("b20")
        Traceback (most recent call last):
        ...
        fourfold.IllegalMoveError: the first piece must cover the start square a20
        """
        if isinstance(move, int):
            move = self._named(move)
        return super().push(move if isinstance(move, str) else ",".join(move))

    def _named(self, number: int) -> list[str]:
        """Returns the names of the cells of an id."""
        size = self.size
        known = cells(size)
        if not 0 <= number < len(known):
            raise _core.IllegalMoveError(f"expected an id from 0 to {len(known) - 1}, got {number}")
        return [f"{chr(ord('a') + column)}{size - row}" for row, column in known[number]]

    def __repr__(self) -> str:
        return f"Board({self.position!r})"

    def __str__(self) -> str:
        rows = self.position.split(" ")[2]
        for empty in range(self.size, 0, -1):
            rows = rows.replace(str(empty), "." * empty)
        return "\n".join(" ".join(row) for row in rows.split("/"))
