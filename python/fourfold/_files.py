"""Reading files of any game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Protocol

from fourfold import _core
from fourfold._board import Outcome


class Readable(Protocol):
    """A file object, binary or text."""

    def read(self, size: int, /) -> bytes | str: ...


class FileGame:
    """A game or a position of a file, from :func:`read_games`.

    If there is a problem in the file, the game ends before it. A game of which nothing could be read has no
    ``game`` and no ``start``.
    """

    __slots__ = ("_game",)

    def __init__(self, game: _core.FileGame) -> None:
        self._game = game

    @property
    def format(self) -> str:
        """The name of the format, such as ``PGN``."""
        return self._game.format()

    @property
    def number(self) -> int:
        """The number of the game in its file, counted from 1."""
        return self._game.number()

    @property
    def game(self) -> str | None:
        """The game: ``chess``, ``four-player``, ``four-player-teams``, ``blokus``, ``blokus-duo``, ``blokus-2``,
        ``blokus-3`` or ``kung-fu``."""
        return self._game.game()

    @property
    def tags(self) -> dict[str, str]:
        """The tags of the file, such as ``White``, without those that describe the start. EPD opcodes are tags too."""
        return dict(self._game.tags())

    @property
    def start(self) -> str | None:
        """The start position in the game's own notation or, for kung fu chess, the rules."""
        return self._game.start()

    @property
    def moves(self) -> list[str]:
        """The moves for people, such as ``Nf3``. Empty for kung fu chess, which has no turns."""
        return [text for _, text in self._game.moves()]

    @property
    def codes(self) -> list[str]:
        """The moves for programs, such as ``g1f3``."""
        return [code for code, _ in self._game.moves()]

    @property
    def result(self) -> str | None:
        """The result as the file writes it, such as ``1-0``."""
        return self._game.result()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or as recorded; None if it did not end."""
        outcome = self._game.outcome()
        return None if outcome is None else Outcome(outcome[0], tuple(outcome[1]))

    @property
    def problems(self) -> list[str]:
        """What is wrong with the game, with line and column or the number of the move."""
        return self._game.problems()

    def convert(self, format: str) -> bytes:
        """Returns the game in another format.

        Chess: ``pgn``, ``fen``, ``epd``, ``uci``, ``json``; four-player chess: ``pgn4``, ``fen4``, ``json``; Blokus:
        ``sgf``, ``positions``, ``json``; kung fu chess: ``json``, ``binary``.

        >>> import io
        >>> game = next(read_games(io.StringIO("1. e4 e5 *")))
        >>> game.convert("uci")
        b'position startpos moves e2e4 e7e5\\n'
        """
        return self._game.convert(format)

    def __len__(self) -> int:
        """The number of moves or, in kung fu chess, of accepted actions."""
        return self._game.plies()

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        problems = len(self.problems)
        known = f", {problems} problems" if problems else ""
        return f"<FileGame {self.number}: {self.game}, {len(self)} plies{known}>"


def read_games(source: str | os.PathLike[str] | Readable, *, strict: bool = False) -> Iterator[FileGame]:
    """Reads the games of a file in any format, one after another.

    ``source`` is a path or a file object. Reads PGN, PGN4, Blokus SGF, replays of kung fu chess, and lists of FEN,
    EPD, FEN4 or Blokus positions; the content decides the format. PGN, PGN4 and lists are read in memory that does
    not grow with the file. A game with a problem does not end the iteration: see `FileGame.problems`. What precedes
    the problem is read, unless ``strict``: then a game or position that deviates from its standard is not.

    Raises `OSError` if the file cannot be read, and `PositionError` if it has none of the formats.

    >>> import io
    >>> file = io.StringIO('[White "Ada"]\\n\\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\\n\\n[White "Ben"]\\n\\n1. d4 *\\n')
    >>> for game in read_games(file):
    ...     print(game.tags["White"], game.moves[-1], game.result)
    Ada Qxe5# 1-0
    Ben d4 *
    """
    reader: Any
    if isinstance(source, (str, os.PathLike)):
        reader = _core.GameReader.file(os.fspath(source), strict)
    elif hasattr(source, "read"):
        reader = _core.GameReader.stream(source, strict)
    else:
        raise TypeError(f"expected a path or a file object, got {type(source).__name__}")
    return map(FileGame, reader)
