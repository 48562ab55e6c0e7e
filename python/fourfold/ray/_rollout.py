"""Whole games, played on a cluster."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

from fourfold import _checks, _play, _progress, _record
from fourfold._env import Environment
from fourfold._make import make
from fourfold._options import GameName
from fourfold._state import Rollout
from fourfold.ray import _shards
from fourfold.ray._inference import Inference
from fourfold.ray._store import Store


@dataclasses.dataclass(frozen=True, slots=True)
class RolloutOutput:
    """The shards that :func:`rollout` has written."""

    path: str
    """The folder."""
    files: tuple[str, ...]
    """The Parquet files in the order of their games."""
    games: int
    rows: int
    seed: int
    """The seed, which makes the same shards again."""


def rollout(
    game: GameName,
    policy: _play.Player | Inference | Iterable[_play.Player | Inference] | None = None,
    *,
    games: int,
    out: str | os.PathLike[str] | None = None,
    filesystem: Any = None,
    rows: _record.Rows = "steps",
    seed: int | None = None,
    games_per_shard: int = 1000,
    num_cpus: int = 1,
    progress: _progress.Progress = True,
    **options: Any,
) -> RolloutOutput | Rollout:
    """Plays whole games on a Ray cluster.

    ``policy`` plays: a level of bots, a :class:`fourfold.Bot`, a :class:`fourfold.Policy` or an :class:`Inference`,
    which runs a policy in actors; a list has one for each player. Without it, all actions are random. Options are
    those of :func:`fourfold.make`.

    With ``out``, a folder or URI, games are written as Parquet files like those of :func:`fourfold.record`, one for each
    ``games_per_shard`` games, with ``rows`` for each of the ``"steps"`` or ``"games"``. All machines must see the same
    folder. If it has shards of the same call, only the missing ones are made. Without ``out``, only the statistics
    of :func:`fourfold.rollout` are returned.

    The games depend only on the arguments and ``seed``, not on the cluster, as long as policies treat each row of a
    batch independently of the others. ``num_cpus`` is the number of CPUs and threads of each worker.
    """
    total = _checks.integer("games", games, 0, 2**63 - 1)
    _checks.one_of("rows", rows, get_args(_record.Rows))
    each = _checks.integer("games_per_shard", games_per_shard, 1, 2**63 - 1)
    threads = _checks.integer("num_cpus", num_cpus, 1, 1024)
    # Reports invalid options here, not in a worker.
    table = make(game, **{**options, "num_threads": 1})
    players = _players(policy, table.num_players)
    count = max(1, -(-total // each))
    store = None if out is None else Store(out, filesystem, count)
    known = store.known_run() if store else None
    if seed is None and known is not None:
        seed = known.get("seed")
    number = _checks.seed_or_entropy(seed)
    if store:
        store.begin(
            {
                "verb": "rollout",
                "id": table.id,
                "options": {name: options[name] for name in sorted(options)},
                "players": None if players is None else [_name(player) for player in players],
                "games": total,
                "games_per_shard": each,
                "rows": rows,
                "seed": number,
            }
        )
    _shards.connect()
    started = {player: player.start() for player in players or () if isinstance(player, Inference)}
    seated = None if players is None else [started.get(player, player) for player in players] if started else players
    try:
        shards = []
        for index in range(count):
            first, last = total * index // count, total * (index + 1) // count
            name = f"rollout shard {index} of {count} (games {first} to {last - 1})"
            work = (game, {**options, "num_threads": threads}, seated, total, (index, count), number)
            shards.append((name, (*work, rows, store)))
        report = _progress.callback(progress, total, "games")
        done, written, statistics = 0, 0, Rollout(0, 0, (0,) * table.num_players, 0, dict.fromkeys(table.endings, 0))
        for index, found in _shards.run(_play_shard, shards, num_cpus=threads):
            done += total * (index + 1) // count - total * index // count
            if isinstance(found, Rollout):
                statistics = _sum(statistics, found)
            else:
                written += found
            report(done, total)
    finally:
        for remote in started.values():
            remote.stop()
    if store is None:
        return statistics
    store.end()
    return RolloutOutput(store.folder, tuple(map(store.path, range(count))), total, written, number)


def _play_shard(
    game: GameName,
    options: dict[str, Any],
    players: list[Any] | None,
    games: int,
    shard: tuple[int, int],
    seed: int,
    rows: _record.Rows,
    store: Store | None,
) -> Rollout | int:
    """Plays the games of a shard. Returns their statistics, or writes them and returns the number of rows."""
    index, count = shard
    env: Environment = make(game, **options)
    if store is None:
        indices = range(games * index // count, games * (index + 1) // count)
        return env._rollout(indices, seed, players, False)
    if not store.has(index):

        def write(path: Path) -> None:
            _record.record(env, path, games=games, players=players, rows=rows, seed=seed, shard=shard)

        store.write(index, write)
    return store.metadata(index)[0]


def _players(policy: Any, num_players: int) -> list[Any] | None:
    """Returns a player for each seat, or None for random play."""
    if policy is None:
        return None
    single = isinstance(policy, str | Inference) or callable(policy) or not isinstance(policy, Iterable)
    found = [policy] * num_players if single else list(policy)
    if len(found) != num_players:
        raise ValueError(f"expected {num_players} players, got {len(found)}")
    return found


def _name(player: Any) -> str:
    return _play.player_name(player.make_policy if isinstance(player, Inference) else player)


def _sum(one: Rollout, other: Rollout) -> Rollout:
    return Rollout(
        games=one.games + other.games,
        steps=one.steps + other.steps,
        wins=tuple(mine + theirs for mine, theirs in zip(one.wins, other.wins, strict=True)),
        truncated=one.truncated + other.truncated,
        endings={name: count + other.endings[name] for name, count in one.endings.items()},
    )
