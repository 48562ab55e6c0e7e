"""The base class of all boards."""

from __future__ import annotations

import dataclasses
from typing import Any, Self

from fourfold import _core, _pictures


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game."""

    reason: str
    winners: tuple[int, ...]
    """The players who have won, numbered from 0; empty for a draw."""


class TableBoard:
    """A game with moves as text, and unlimited undo and redo."""

    _table: _core.Table

    @staticmethod
    def _empty() -> _core.Table:
        """Returns a table to load a saved game into."""
        raise NotImplementedError

    def svg(self, *, player: int = 0, theme: _pictures.Theme = "light", size: int = 400) -> str:
        """Returns the board as SVG, ``size`` pixels wide, seen by a player."""
        return self._table.svg(self._seat(player), theme, _pictures.pixels(size))

    def animation(
        self,
        *,
        player: int = 0,
        theme: _pictures.Theme = "light",
        size: int = 400,
        seconds: float = 0.8,
        hold: float = 2.0,
    ) -> _pictures.Animation:
        """Returns the game so far as an animation. Each position is shown for ``seconds``, the last one for
        ``hold`` seconds longer. Notebooks play it; ``save`` writes it to a file."""
        film, duration = self._table.film(
            self._seat(player),
            theme,
            _pictures.pixels(size),
            _pictures.milliseconds("seconds", seconds),
            _pictures.milliseconds("hold", hold),
        )
        return _pictures.Animation(film, duration / 1000)

    def _seat(self, player: int) -> int:
        last = self._table.players() - 1
        if player not in range(last + 1):
            known = ", ".join(str(seat) for seat in range(last))
            raise IndexError(f"expected player {known} or {last}, got {player}")
        return player

    def _repr_svg_(self) -> str:
        """Shows the board in notebooks."""
        return self.svg()

    def undo(self) -> None:
        """Undoes the last move or withdrawal."""
        self._table.undo()

    def redo(self) -> None:
        """Redoes what was undone last."""
        self._table.redo()

    def jump(self, ply: int) -> None:
        """Undoes or redoes until ``ply`` moves have been played."""
        if ply < 0:
            raise _core.HistoryEndError(f"expected ply of at least 0, got {ply}")
        self._table.jump(ply)

    @property
    def ply(self) -> int:
        """The number of moves played."""
        return self._table.ply()

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game, or None if it is not over."""
        found = self._table.outcome()
        return None if found is None else Outcome(found[0], tuple(found[1]))

    def perft(self, depth: int) -> int:
        """Counts the sequences of exactly ``depth`` legal moves."""
        if not 0 <= depth <= 30:
            raise ValueError(f"expected depth from 0 to 30, got {depth}")
        return self._table.perft(depth)

    def copy(self) -> Self:
        """Returns a copy of the board, including undone moves."""
        other = type(self).__new__(type(self))
        other._table = self._table.copy()
        return other

    def __getstate__(self) -> dict[str, Any]:
        record, undone = self._table.save()
        return {"record": record, "undone": undone}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._table = self._empty()
        self._table.load(state["record"], state["undone"])

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._table.save() == other._table.save() and self.ply == other.ply

    __hash__ = None  # type: ignore[assignment]
