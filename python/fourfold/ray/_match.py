"""Matches between bots, played on a cluster."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from fourfold import _checks, _core, _progress
from fourfold.ray import _shards
from fourfold.ray._store import Store

_SCHEMA = pyarrow.schema(
    [
        ("game", pyarrow.int64()),
        ("places", pyarrow.list_(pyarrow.float64())),
        ("nodes", pyarrow.list_(pyarrow.uint64())),
        ("moves", pyarrow.list_(pyarrow.uint64())),
        ("text", pyarrow.string()),
    ]
)

_Game = tuple[list[float], list[int], list[int], list[float], str]
"""The places, nodes, moves and seconds of each player, and the text of the game."""


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class MatchOutput:
    """The result of :func:`match`. Shown as the table of ``fourfold match``."""

    players: tuple[str, ...]
    places: tuple[tuple[float, ...], ...]
    """For each game, the place of each player; equal places are averaged."""
    texts: tuple[str, ...]
    """The games in the notation of their files."""
    table: str
    """The score, Elo difference and effort of each player. The effort is that of games played by this call."""
    sprt: str | None
    """What the sequential test says, if there is one."""

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.places)

    def __repr__(self) -> str:
        """Returns the table."""
        return self.table if self.sprt is None else f"{self.table}\n{self.sprt}"


def match(
    players: Sequence[str],
    *,
    games: int = 100,
    game: str = "chess",
    rules: str | None = None,
    nodes: int | None = None,
    movetime: int | None = None,
    plies: int | None = None,
    seed: int = 1,
    sprt: tuple[float, float] | None = None,
    out: str | os.PathLike[str] | None = None,
    filesystem: Any = None,
    games_per_shard: int = 8,
    progress: _progress.Progress = True,
) -> MatchOutput:
    """Lets bots play against each other on a Ray cluster. The games are those of ``fourfold match`` with the same
    arguments, whose names and meanings are the same: ``players`` are levels (``"master"``), levels with a node budget
    (``"expert@20000"``) or UCI engines (``"uci:COMMAND"``), which must be installed on every machine.

    ``sprt=(elo0, elo1)`` ends the match when the sequential test decides; games are counted in their order, so it
    ends after the same game on any cluster. With ``out``, a folder or URI that all machines see, the games are kept as
    Parquet files, up to the shard in which the test decided, and the same call continues where it stopped. With
    ``movetime``, games depend on the machines.
    """
    contest = _arguments(players, game, rules, nodes, movetime, plies, seed)
    bot_match = _core.Match(*contest)
    if sprt is not None:
        bot_match.sprt(*sprt, [])  # Reports invalid bounds before anything is played.
    seats = len(players)
    # As the command does: every player gets every seat.
    total = -(-_checks.integer("games", games, 1, 2**31) // seats) * seats
    each = -(-_checks.integer("games_per_shard", games_per_shard, 1, 2**31) // seats) * seats
    count = -(-total // each)
    store = None if out is None else Store(out, filesystem, count)
    if store:
        names = ("players", "game", "rules", "nodes", "movetime", "plies", "seed")
        run: dict[str, Any] = {
            "verb": "match",
            **dict(zip(names, contest, strict=True)),
            "games": total,
            "games_per_shard": each,
        }
        run["sprt"] = None if sprt is None else [*map(float, sprt)]
        store.begin(run)
    _shards.connect()
    shards = []
    for index in range(count):
        first, last = index * each, min((index + 1) * each, total)
        name = f"match shard {index} of {count} (games {first + 1} to {last})"
        shards.append((name, (contest, first, last, index, store)))
    report = _progress.callback(progress, total, "games")
    played: list[_Game] = []
    needed = count
    with contextlib.closing(_shards.run(_play_shard, shards)) as results:
        for index, found in enumerate(_shards.in_order(results)):
            played += found
            decided = -1 if sprt is None else bot_match.sprt(*sprt, [game[0] for game in played])[1]
            if decided >= 0:
                played = played[:decided]
                needed = index + 1
                report(total, total)
                break
            report(len(played), total)
    if store:
        store.keep_first(needed)
        store.end()
    return MatchOutput(
        players=tuple(bot_match.names),
        places=tuple(tuple(game[0]) for game in played),
        texts=tuple(game[4] for game in played),
        table=bot_match.standings(played),
        sprt=None if sprt is None else bot_match.sprt(*sprt, [game[0] for game in played])[2],
    )


def _arguments(
    players: Any, game: Any, rules: Any, nodes: Any, movetime: Any, plies: Any, seed: Any
) -> tuple[list[str], str, str | None, int | None, int | None, int | None, int]:
    """Checks the types of the arguments of a native match."""
    for name, value in (("game", game), ("rules", rules)):
        if not (isinstance(value, str) or (value is None and name == "rules")):
            raise TypeError(f"expected {name} to be a string, got {value!r}")

    def number(name: str, value: Any, minimum: int) -> int | None:
        return None if value is None else _checks.integer(name, value, minimum, 2**63 - 1)

    return (
        _checks.texts("players", players),
        game,
        rules,
        number("nodes", nodes, 1),
        number("movetime", movetime, 1),
        number("plies", plies, 0),
        _checks.integer("seed", seed, 0, 2**64 - 1),
    )


def _play_shard(contest: Any, first: int, last: int, index: int, store: Store | None) -> list[_Game]:
    """Plays the games of a shard, or reads them if they were played before."""
    if store and store.has(index):
        columns = store.read(index).to_pydict()
        idle = [0] * len(contest[0])
        # How long they took is not kept, so their nodes and moves must not count either.
        return [
            (places, idle, idle, [0.0] * len(idle), text)
            for places, text in zip(columns["places"], columns["text"], strict=True)
        ]
    played: list[_Game] = _core.Match(*contest).play(first, last, 1)
    if store:
        places, nodes, moves, _, texts = map(list, zip(*played, strict=True))
        columns = {"game": [*range(first, last)], "places": places, "nodes": nodes, "moves": moves, "text": texts}
        table = pyarrow.table(columns, schema=_SCHEMA)

        def write(path: Path) -> None:
            pyarrow.parquet.write_table(table, path, compression="zstd")

        store.write(index, write)
    return played
