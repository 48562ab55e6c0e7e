"""What the boards of all games share."""

from __future__ import annotations

import dataclasses
from typing import Any, Self

from fourfold import _core, _pictures


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """How a game has ended."""

    reason: str
    winners: tuple[int, ...]
    """The players that have won, by their seats from 0; nobody in a draw."""


class TableBoard:
    """A game on a table: moves as text, undo and redo without limit."""

    _table: _core.Table

    @staticmethod
    def _empty() -> _core.Table:
        """A table that a saved game can be loaded into."""
        raise NotImplementedError

    def svg(self, *, player: int = 0, theme: _pictures.Theme = "light", size: int = 400) -> str:
        """The board as a picture, ``size`` pixels wide, seen by a player."""
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
        """The game from its start until now as a film: each position is shown for so many ``seconds``, the
        last one ``hold`` seconds longer. Notebooks play it; ``save`` writes it to a file."""
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
            raise IndexError(f"player {player} is not {known} or {last}")
        return player

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        return self.svg()

    def undo(self) -> None:
        """Takes back the last step."""
        self._table.undo()

    def redo(self) -> None:
        """Does the step again that was taken back last."""
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
    def outcome(self) -> Outcome | None:
        """How the game has ended, or None."""
        found = self._table.outcome()
        return None if found is None else Outcome(found[0], tuple(found[1]))

    def perft(self, depth: int) -> int:
        """The number of sequences of exactly ``depth`` legal moves."""
        if not 0 <= depth <= 30:
            raise ValueError(f"depth {depth} is not from 0 to 30")
        return self._table.perft(depth)

    def copy(self) -> Self:
        """Another board with the same game, what is undone included."""
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
