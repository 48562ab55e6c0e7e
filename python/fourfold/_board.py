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

    @classmethod
    def _read(cls, text: str) -> Self:
        """Reads a file with one game, and returns the board at its end."""
        board = cls()
        board._table.read_pgn(text)
        return board

    @property
    def turn(self) -> int | None:
        """The player to move, numbered from 0; None if the game is over."""
        return self._table.turn()

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves as codes, sorted: ``e2e4``, or the cells of a placement, ``e9,f9,e10``."""
        return [code for code, _ in self._table.legal_moves()]

    @property
    def legal_texts(self) -> list[str]:
        """The legal moves in the notation of the game's files: ``Nf3``, ``Qg1xQn8+``, ``V3 e9,f9,e10``."""
        return [text for _, text in self._table.legal_moves()]

    @property
    def moves(self) -> list[str]:
        """The moves played, in the notation of the game's files."""
        return [text for _, text in self._table.moves()[0]]

    @property
    def move_codes(self) -> list[str]:
        """The moves played, as codes."""
        return [code for code, _ in self._table.moves()[0]]

    def push(self, move: str) -> str:
        """Plays a move, given in either notation, and returns it in the notation of the game's files."""
        return self._table.play(move)[1]

    def svg(self, *, player: int = 0, theme: _pictures.Theme = "light", size: int = 400) -> str:
        """Returns the board as SVG, ``size`` pixels wide, seen by a player."""
        return self._table.svg(self._checked_player(player), theme, _pictures.pixels(size))

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
        svg, duration = self._table.animation(
            self._checked_player(player),
            theme,
            _pictures.pixels(size),
            _pictures.milliseconds("seconds", seconds),
            _pictures.milliseconds("hold", hold),
        )
        return _pictures.Animation(svg, duration / 1000)

    def _checked_player(self, player: int) -> int:
        last = self._table.players() - 1
        if player not in range(last + 1):
            known = ", ".join(map(str, range(last)))
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


class MultiplayerBoard(TableBoard):
    """A game with points, in which the others play on when a player resigns."""

    @property
    def points(self) -> tuple[int, ...]:
        """The points of the players; in Blokus by advanced scoring."""
        return tuple(self._table.scores())

    def resign(self, player: int) -> None:
        """Resigns for a player, who then cannot win. The others play on. In four-player chess, the player's
        pieces turn gray."""
        self._table.withdraw(self._checked_player(player), False)

    def flag(self, player: int) -> None:
        """Withdraws a player who has run out of time, with the same effect as :meth:`resign`."""
        self._table.withdraw(self._checked_player(player), True)
