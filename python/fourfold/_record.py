"""Whole games as Arrow and Parquet files."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks, _core, _layout, _play, _progress
from fourfold._buffers import Pool
from fourfold._env import Environment
from fourfold._make import made

Rows = Literal["steps", "games"]

_FORMATS = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow"}
_MAX_GAMES = 64
"""The number of games kept in memory until all of them have ended. Files do not depend on it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Recording:
    """What :func:`record` has written."""

    path: Path
    """The file."""
    games: int
    """The number of games in the file."""
    steps: int
    """The number of steps of these games."""
    rows: int
    """The number of rows in the file."""
    seed: int
    """The seed, which the same recording can be made with again."""


def record(
    env: Environment | str,
    path: str | os.PathLike[str],
    *,
    games: int | None = None,
    steps: int | None = None,
    players: Sequence[_play.Player] | int | None = None,
    rows: Rows = "steps",
    seed: int | None = None,
    shard: tuple[int, int] = (0, 1),
    progress: _progress.Progress = False,
    **options: Any,
) -> Recording:
    """Plays whole games and writes them to a file, as Parquet if its name ends with ``.parquet``, or as an Arrow IPC
    file if it ends with ``.arrow`` or ``.feather``. Needs pyarrow.

    ``env`` is an environment, or the name of a game, made with ``options``. Pass the number of ``games``, or a number
    of ``steps``: games are then played until the recording has at least as many, and the last one is complete.
    ``players`` are those of :func:`fourfold.rollout`; without them, all actions are random.

    With ``rows="steps"`` there is a row for each step and each player who acts, with packed observations and masks,
    which :mod:`fourfold.unpack` unpacks; with ``rows="games"`` there is a row for each game, with its moves as
    text. ``docs/guide/recording.md`` in the repository lists the columns.

    ``shard=(index, count)`` writes only one of ``count`` parts. In order, the parts have the rows of the whole recording:
    a game depends only on the seed and its index, if policies treat each row of a batch independently of the others.

    >>> import pyarrow.parquet, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = record("chess", f"{folder}/games.parquet", games=3, rows="games", seed=1, max_steps=4)
    ...     table = pyarrow.parquet.read_table(found.path)
    >>> found.games, found.steps, len(table["moves"][0].as_py())
    (3, 12, 4)
    """
    target, format = _target(path)
    arrow = _import_arrow(format)
    if isinstance(players, int):
        options, players = {**options, "players": players}, None
    table = made(env, options)
    _checks.one_of("rows", rows, get_args(Rows))
    index, count = _checked_shard(shard)
    if (games is None) == (steps is None):
        raise ValueError("expected either games or steps")
    if count > 1 and games is None:
        raise ValueError(
            "expected games, not steps, with shards: how many games are needed is known only after playing them"
        )
    if count > 1 and seed is None:
        raise ValueError("expected a seed with shards, so that all of them belong to the same games")
    number = _checks.seed_or_entropy(seed)
    seated = None if players is None else _play.player_list(players)
    if games is not None:
        total = _checks.integer("games", games, 0, 2**63 - 1)
        indices, wanted = range(total * index // count, total * (index + 1) // count), None
    else:
        indices, wanted = range(2**63 - 1), _checks.integer("steps", steps, 1, 2**63 - 1)
    columns = (_StepColumns if rows == "steps" else _GameColumns)(arrow, table)
    about = {
        "id": table.id,
        "version": _core.__version__,
        **{name: table.config[name] for name in ("game", "options", "start", "stream_offset", "illegal")},
        "players": None if seated is None else [_play.player_name(player) for player in seated],
        "rows": rows,
        "games": games,
        "steps": steps,
        "seed": number,
    }
    metadata = {"fourfold": json.dumps(about, default=str), "fourfold.shard": f"{index}/{count}"}
    goal = len(indices) if wanted is None else wanted
    report = _progress.callback(progress, goal, "games" if wanted is None else "steps")
    partial = target.with_name(f"{target.name}.partial")
    done = played = written = 0
    try:
        with _writer(arrow, partial, format, columns.schema.with_metadata(metadata)) as writer:
            for first in range(indices.start, indices.stop, _MAX_GAMES):
                batch = range(first, min(first + _MAX_GAMES, indices.stop))
                batch_steps = [*_play.play(table, seated, batch, number, columns.before_step)]
                found = _Results(batch, batch_steps)
                if wanted is not None:
                    found.keep_first(1 + int(np.searchsorted(np.cumsum(found.lengths), wanted - played)))
                added = columns.table(batch_steps, found)
                writer.write_table(added)
                done, written = done + len(found.lengths), written + len(added)
                played += int(found.lengths.sum())
                report(done if wanted is None else min(played, wanted), goal)
                if wanted is not None and played >= wanted:
                    break
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return Recording(path=target, games=done, steps=played, rows=written, seed=number)


def _target(path: Any) -> tuple[Path, str]:
    """Returns the file to write, and its format."""
    target = Path(path)
    if target.suffix not in _FORMATS:
        raise ValueError(f"expected a file name that ends with {', '.join(_FORMATS)}, got '{target}'")
    return target, _FORMATS[target.suffix]


def _import_arrow(format: str) -> Any:
    try:
        import pyarrow
        import pyarrow.ipc

        if format == "parquet":
            import pyarrow.parquet
    except ImportError:
        raise ImportError("recording games needs pyarrow: pip install pyarrow, or fourfold[arrow]") from None
    return pyarrow


def _writer(arrow: Any, path: Path, format: str, schema: Any) -> Any:
    """Returns a writer of tables."""
    if format == "parquet":
        return arrow.parquet.ParquetWriter(path, schema, compression="zstd")
    # Not compressed, so that it can be mapped into memory.
    return arrow.ipc.new_file(str(path), schema)


def _checked_shard(shard: Any) -> tuple[int, int]:
    """Checks the index and number of shards."""
    try:
        index, count = shard
    except (TypeError, ValueError):
        raise TypeError(f"expected shard to be (index, count), got {shard!r}") from None
    count = _checks.integer("the number of shards", count, 1, 2**31)
    return _checks.integer("the index of the shard", index, 0, count - 1), count


class _Results:
    """The results of the games of a batch, one row for each game."""

    def __init__(self, games: range, steps: list[_play.Step]) -> None:
        self.games = np.arange(games.start, games.stop)
        self.lengths = np.zeros(len(games), np.int32)
        self.fields: dict[str, NDArray[Any]] = {}
        returns = np.zeros((len(games), steps[0].after.rewards.shape[1]))
        for step in steps:
            rows = step.games - games.start
            returns[rows] += step.after.rewards
            self.lengths[rows] += 1
            ended = step.ended
            for name in ("winner", "ending", "terminated", "truncated", "scores"):
                values = getattr(step.after, name)
                self.fields.setdefault(name, np.zeros((len(games), *values.shape[1:]), values.dtype))
                self.fields[name][rows[ended]] = values[ended]
        self.fields["returns"] = returns.astype(np.float32)

    def keep_first(self, count: int) -> None:
        """Removes all games after the first ones."""
        self.games, self.lengths = self.games[:count], self.lengths[:count]
        self.fields = {name: values[:count] for name, values in self.fields.items()}

    def order(self, games: list[NDArray[np.int64]]) -> NDArray[np.int64]:
        """Returns the order that sorts rows by game, without those of removed games. ``games`` has the games of the
        rows of each step."""
        found = np.concatenate(games)
        return np.argsort(found, kind="stable")[: np.count_nonzero(found <= self.games[-1])]


class _Columns:
    """The columns of a file."""

    def __init__(self, arrow: Any, env: Environment) -> None:
        self._arrow, self._spec, self._endings = arrow, env._spec, env.endings
        self._shapes: dict[str, tuple[int, ...]] = {}
        fields = []
        for name, (dtype, shape) in self._layout().items():
            if 0 in shape:
                continue
            self._shapes[name] = shape
            metadata = {"shape": json.dumps(shape)} if shape else None
            fields.append(arrow.field(name, self._type(dtype, math.prod(shape) if shape else None), metadata=metadata))
        self.schema = arrow.schema(fields)

    def _layout(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Returns the type of each column, and the shape of its values."""
        raise NotImplementedError

    def before_step(self, env: Environment, actions: NDArray[np.int32], number: int) -> Any:
        """Returns what is recorded of the games before a step."""
        raise NotImplementedError

    def table(self, steps: list[_play.Step], results: _Results) -> Any:
        """Returns the rows of the games of a batch as an Arrow table."""
        raise NotImplementedError

    def _type(self, dtype: str, size: int | None) -> Any:
        if dtype == "ending":
            return self._arrow.dictionary(self._arrow.int8(), self._arrow.string())
        if dtype.startswith("list "):
            return self._arrow.list_(getattr(self._arrow, dtype.removeprefix("list "))())
        if dtype == "bytes":
            return self._arrow.binary(size)
        plain = getattr(self._arrow, dtype)()
        return plain if size is None else self._arrow.list_(plain, size)

    def _column(self, name: str, values: Any) -> Any:
        """Converts an array with one row for each row of the file."""
        arrow, kind = self._arrow, self.schema.field(name).type
        if not isinstance(values, np.ndarray):
            return values
        if arrow.types.is_dictionary(kind):
            indices = arrow.array(values.astype(np.int8), mask=values < 0)
            return arrow.DictionaryArray.from_arrays(indices, self._endings)
        if arrow.types.is_fixed_size_binary(kind):
            buffer = arrow.py_buffer(np.ascontiguousarray(values))
            return arrow.Array.from_buffers(kind, len(values), [None, buffer])
        if arrow.types.is_fixed_size_list(kind):
            flat = arrow.array(np.ascontiguousarray(values).reshape(-1), kind.value_type)
            return arrow.FixedSizeListArray.from_arrays(flat, kind.list_size)
        return arrow.array(values, kind)

    def _table(self, columns: dict[str, Any]) -> Any:
        arrays = [self._column(name, columns[name]) for name in self.schema.names]
        return self._arrow.Table.from_arrays(arrays, schema=self.schema)


class _StepColumns(_Columns):
    """A row for each step and each player who acts."""

    def _layout(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        spec = self._spec
        array = (
            {} if spec["scalar_array"] is None else {spec["scalar_array"][0]: ("float32", (*spec["scalar_array"][1],))}
        )
        return {
            "game": ("int64", ()),
            "step": ("int32", ()),
            "player": ("int8", ()),
            "action": ("int32", ()),
            "rewards": ("float32", (spec["players"],)),
            "terminated": ("bool_", ()),
            "truncated": ("bool_", ()),
            "observation": ("bytes", spec["planes"]),
            "scalars": ("float32", (spec["scalars"],)),
            **array,
            "legal_action_mask": ("bytes", (-(-spec["actions"] // 8),)),
            "winner": ("int8", ()),
            "ending": ("ending", ()),
            "returns": ("float32", (spec["players"],)),
        }

    def before_step(self, env: Environment, actions: NDArray[np.int32], number: int) -> Any:
        rows = actions.shape
        masks = Pool(_layout.mask_layout(self._spec, "packed", rows), _core.MaskBuffers, _layout.mask_fields).take()
        observations = Pool(_layout.observation_layout(self._spec, "packed", rows), _core.ObservationBuffers).take()
        env._batch.write_outputs(_core.ResultBuffers({}), masks.buffers, observations.buffers)
        found = {**_layout.fields(self._spec, "packed", observations.arrays), **masks.fields}
        return {name: found[name] for name in self._shapes if name in found}

    def table(self, steps: list[_play.Step], results: _Results) -> Any:
        parts: dict[str, list[NDArray[Any]]] = {name: [] for name in self._shapes}
        for step in steps:
            # In games with turns, there is one player per game.
            rows, *players = np.nonzero(step.acting)
            after = step.after
            found = {
                "game": step.games[rows],
                "step": np.full(len(rows), step.number, np.int32),
                "player": players[0] if players else step.before.current_player,
                "action": step.actions[step.acting],
                **{name: getattr(after, name)[rows] for name in ("rewards", "terminated", "truncated")},
                **{name: values[step.acting] for name, values in step.seen.items()},
            }
            for name, values in found.items():
                parts[name].append(values)
        order = results.order(parts["game"])
        columns = {name: np.concatenate(values)[order] for name, values in parts.items() if values}
        games = columns["game"] - results.games[0]
        return self._table(
            {**columns, **{name: values[games] for name, values in results.fields.items() if name not in columns}}
        )


class _GameColumns(_Columns):
    """A row for each game."""

    def _layout(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        players = (self._spec["players"],)
        return {
            "game": ("int64", ()),
            "start": ("string", ()),
            "moves": ("list string", ()),
            "actions": ("list int32", ()),
            "steps": ("int32", ()),
            "winner": ("int8", ()),
            "ending": ("ending", ()),
            "terminated": ("bool_", ()),
            "truncated": ("bool_", ()),
            "scores": ("float32", players),
            "returns": ("float32", players),
        }

    def before_step(self, env: Environment, actions: NDArray[np.int32], number: int) -> Any:
        moves = np.array(env.moves(actions), dtype=object).reshape(actions.shape)
        return (env.positions if number == 0 else None), moves

    def table(self, steps: list[_play.Step], results: _Results) -> Any:
        starts = steps[0].seen[0][: len(results.games)]
        order = results.order([step.games for step in steps])
        moves = np.concatenate([step.seen[1] for step in steps])[order]
        actions = np.concatenate([step.actions for step in steps])[order]
        each = math.prod(actions.shape[1:])
        ends = self._arrow.array(np.concatenate([[0], np.cumsum(results.lengths * each)]), self._arrow.int32())
        lists = self._arrow.ListArray.from_arrays
        return self._table(
            {
                "game": results.games,
                "start": self._arrow.array(starts),
                "moves": lists(ends, self._arrow.array(moves.reshape(-1), self._arrow.string())),
                "actions": lists(ends, self._arrow.array(actions.reshape(-1))),
                "steps": results.lengths,
                **results.fields,
            }
        )
