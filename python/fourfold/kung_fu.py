"""Kung fu chess, one game at a time: chess without turns, in discrete ticks.

>>> game = Game("8x8 lightning")
>>> game.order(1, "P:1:6:4", (4, 4))
>>> [str(event) for event in game.advance_to(13)]
['t13 P:1:6:4 arrives 4,4']
>>> game.order(1, "P:1:6:4", (3, 4))
Traceback (most recent call last):
    ...
fourfold.IllegalMoveError: illegal order P:1:6:4->3,4 (resting): the piece is resting
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, Self

from fourfold import _checks, _core, _deprecated, _pictures

__all__ = ["Event", "Game", "Piece"]

_LAST_TICK = 2**48
_NUMBERS = ("ticks_per_square", "rest", "no_move", "no_capture", "no_draw_before")


@dataclasses.dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a tick. ``str(event)`` is a line of text."""

    tick: int
    type: str
    """``captured``, ``returns``, ``arrives``, ``becomes``, ``rested``, ``removed`` or ``over``."""
    piece: str | None
    """The name of the piece that it happened to."""
    by: str | None
    """The piece that captured it; None if that piece was captured in the same collision."""
    square: tuple[int, int] | None
    """Row and column."""
    role: str | None
    """The role that a pawn was promoted to."""
    winners: tuple[int, ...]
    """The winners when the game is over; empty for a draw."""
    text: str

    kind = _deprecated.attribute("kind", "role")
    what = _deprecated.attribute("what", "type", {"captured": "taken"})

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True, slots=True)
class Piece:
    """A piece and its status."""

    name: str
    """Role, player, row and column at the start; it never changes."""
    role: str
    player: int
    square: tuple[int, int]
    """Where it stands or, while it moves, where it started."""
    to: tuple[int, int] | None
    """The destination, while it moves."""
    flight: tuple[int, int] | None
    """The ticks of start and arrival, while it moves."""
    rested: int | None
    """The tick at which it can be ordered again, while it rests."""
    moved: bool
    status: str
    """``standing``, ``resting``, ``moving`` or ``gone``."""

    kind = _deprecated.attribute("kind", "role")


class Game:
    """A game of kung fu chess. Players are numbered from 1; squares are (row, column) from the top left.

    Rules are given as words, such as "12x12 lightning players=134 freeze", or as options. ``pieces`` is a list
    such as "K:1:7:4 R:1:7:7+moved K:2:0:4"; by default the game starts with full armies.

    >>> Game(board="12x12", speed="lightning", seats="134", eliminated="freeze", ticks_per_square=5).rules
    '12x12 standard ticks-per-square=5 rest=60 no-move=900 no-capture=1350 no-draw-before=2700 players=134 freeze'
    >>> Game("8x8 fast")
    Traceback (most recent call last):
        ...
    fourfold.PositionError: unknown or repeated rule 'fast': expected 8x8 or ...
    """

    @_deprecated.arguments(names={"tps": "ticks_per_square"})
    def __init__(
        self,
        rules: str = "",
        *,
        pieces: str | Sequence[str] = "",
        board: str | None = None,
        speed: str | None = None,
        ticks_per_square: int | None = None,
        rest: int | None = None,
        no_move: int | None = None,
        no_capture: int | None = None,
        no_draw_before: int | None = None,
        seats: str | None = None,
        teams: bool = False,
        eliminated: str | None = None,
        bots: str | None = None,
    ) -> None:
        words = [rules, board, speed, eliminated]
        numbers = (ticks_per_square, rest, no_move, no_capture, no_draw_before)
        named: list[tuple[str, Any]] = [*zip(_NUMBERS, numbers, strict=True), ("players", seats), ("bots", bots)]
        words += [f"{name.replace('_', '-')}={value}" for name, value in named if value is not None]
        words += ["teams"] if teams else []
        listed = pieces if isinstance(pieces, str) else " ".join(pieces)
        self._game = _core.KungFu(" ".join(word for word in words if word), listed)

    # Player actions

    def order(self, player: int, piece: str, to: tuple[int, int]) -> None:
        """Orders a piece, given by name, to a square. It starts on the next tick.

        Raises IllegalMoveError with the reason if the order is refused; the game is then unchanged.
        """
        row, column = to
        self._game.order(_player(player), piece, _integer("row", row), _integer("column", column))

    def resign(self, player: int) -> list[Event]:
        """Resigns for a player. Orders are then refused until the next tick."""
        return _events(self._game.resign(_player(player)))

    def draw(self, players: Iterable[int]) -> list[Event]:
        """Ends the game in a draw that these players agree on. All players who are neither eliminated nor
        bots must agree."""
        return _events(self._game.draw([_player(player) for player in players]))

    def legal_orders(self, player: int) -> list[str]:
        """Returns a player's legal orders as text, sorted.

        >>> Game().legal_orders(1)[:2]
        ['N:1:7:1->5,0', 'N:1:7:1->5,2']
        """
        return self._game.legal_orders(_player(player))

    # Time

    def tick(self) -> list[Event]:
        """Advances the game by one tick and returns the events."""
        return self.advance_to(self.now + 1)

    def advance_to(self, tick: int) -> list[Event]:
        """Advances the game to a tick, or until it is over, and returns the events."""
        return _events(self._game.advance_to(_tick(tick)))

    @property
    def now(self) -> int:
        """The number of ticks so far, thirty per second."""
        return self._game.now()

    @property
    def next_event(self) -> int | None:
        """The first tick at which something can happen without further orders; None if the game is over."""
        return self._game.next_event()

    # State

    @property
    def rules(self) -> str:
        """The rules in words."""
        return self._game.rules()

    @property
    def seats(self) -> tuple[int, ...]:
        """The players in the game."""
        return tuple(self._game.seats())

    @property
    def alive(self) -> tuple[int, ...]:
        """The players who still have a king."""
        return tuple(self._game.alive())

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The winners, empty for a draw; None while the game is in progress."""
        found = self._game.outcome()
        return None if found is None else tuple(found)

    @property
    def pieces(self) -> list[Piece]:
        """All pieces, including those that are gone."""
        return [Piece(*piece) for piece in self._game.pieces()]

    @property
    def state(self) -> str:
        """The complete state in one line."""
        return self._game.state()

    # Saving and replaying

    def snapshot(self) -> bytes:
        """Returns the complete state as bytes, without the history."""
        return self._game.snapshot()

    @classmethod
    def from_snapshot(cls, data: bytes) -> Self:
        """Restores a game from a snapshot. It continues like the original, but has no replay."""
        return cls._of(_core.KungFu.from_snapshot(data))

    def replay(self) -> str:
        """Returns the game so far as JSON: the rules, and everything that was accepted, with its tick."""
        return self._game.replay_text()

    def replay_bytes(self) -> bytes:
        """Returns the replay in a compact binary format."""
        return self._game.replay_bytes()

    @classmethod
    def from_replay(cls, data: str | bytes) -> Self:
        """Restores a game at the end of a replay, in either format.

        >>> game = Game("lightning")
        >>> game.order(1, "P:1:6:4", (4, 4))
        >>> _ = game.advance_to(40), game.resign(2)
        >>> again = Game.from_replay(game.replay())
        >>> again.state == game.state, again.winners, Game.from_replay(game.replay_bytes()).now
        (True, (1,), 40)
        """
        if isinstance(data, str):
            return cls._of(_core.KungFu.from_replay_text(data))
        return cls._of(_core.KungFu.from_replay_bytes(data))

    def seek(self, tick: int) -> Self:
        """Returns the game as it was at a tick, including everything accepted at that tick."""
        return self._of(self._game.seek(_tick(tick)))

    @property
    def events(self) -> list[Event]:
        """All events since the start."""
        return _events(self._game.events())

    def svg(self, *, player: int = 1, theme: _pictures.Theme = "light", size: int = 400) -> str:
        """Returns the board as SVG, ``size`` pixels wide, seen by a player. It shows moving pieces between
        squares, and how much rest is left."""
        return self._game.svg(self._index(player), theme, _pictures.pixels(size))

    def animation(
        self,
        *,
        player: int = 1,
        theme: _pictures.Theme = "light",
        size: int = 400,
        ticks: int = 3,
        speed: float = 1.0,
        hold: float = 2.0,
    ) -> _pictures.Animation:
        """Returns the game so far as an animation with a frame every ``ticks`` ticks, ``speed`` times as fast as
        it was played (thirty ticks per second).

        >>> game = Game("8x8 lightning")
        >>> game.order(1, "P:1:6:4", (4, 4))
        >>> _ = game.advance_to(60)
        >>> game.animation(speed=2.0)
        <fourfold animation of 3.0 s>
        """
        if not 1 <= ticks <= 100_000:
            raise ValueError(f"expected ticks from 1 to 100000, got {ticks}")
        if not 0.01 <= speed <= 1000:
            raise ValueError(f"expected speed from 0.01 to 1000, got {speed}")
        svg, duration = self._game.animation(
            self._index(player),
            theme,
            _pictures.pixels(size),
            ticks,
            _pictures.milliseconds("seconds per frame", ticks / 30 / speed),
            _pictures.milliseconds("hold", hold),
        )
        return _pictures.Animation(svg, duration / 1000)

    def _index(self, player: int) -> int:
        seats = self.seats
        if player not in seats:
            raise IndexError(f"unknown player {player}: expected one of {', '.join(map(str, seats))}")
        return seats.index(player)

    def _repr_svg_(self) -> str:
        """Shows the board in notebooks."""
        return self.svg()

    def copy(self) -> Self:
        """Returns a copy of the game."""
        return self._of(self._game.copy())

    @classmethod
    def _of(cls, game: _core.KungFu) -> Self:
        made = cls.__new__(cls)
        made._game = game
        return made

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, _: Any) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.snapshot() == other.snapshot()

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, bytes]:
        if self._game.has_replay():
            return {"replay": self.replay_bytes()}
        return {"snapshot": self.snapshot()}

    def __setstate__(self, state: dict[str, bytes]) -> None:
        if "replay" in state:
            self._game = _core.KungFu.from_replay_bytes(state["replay"])
        else:
            self._game = _core.KungFu.from_snapshot(state["snapshot"])

    def __repr__(self) -> str:
        winners = self.winners
        ended = "" if winners is None else ", over"
        return f"<fourfold.kung_fu.Game {self.rules}, tick {self.now}{ended}>"


def _events(events: list[_core._Event]) -> list[Event]:
    return [Event(*one[:6], tuple(one[6]), one[7]) for one in events]


def _player(player: int) -> int:
    return _integer("player", player)


def _integer(name: str, value: int) -> int:
    """Checks that a value is an integer. The rules refuse players and squares that do not exist."""
    return _checks.integer(name, value, -(2**62), 2**62)


def _tick(tick: int) -> int:
    return _checks.integer("tick", tick, 0, _LAST_TICK)
