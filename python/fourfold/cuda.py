"""Checks that a GPU computes what the CPU does: `python -m fourfold.cuda check`.

Every game is played at random on both, in every preset and with the same seeds. All arrays of all steps are compared
with packed masks and observations. The other formats are made from the same packed data, so a part of the steps is
enough for them. Autoreset modes alternate, so that final observations and resets are compared too. In the end, so are
actions that are drawn by random logits, and the saved games.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import itertools
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

import fourfold
from fourfold import _core, _device, _progress, _threads
from fourfold._cuda import CudaEnvironment
from fourfold._env import Environment
from fourfold._options import GameName

PRESETS: list[tuple[GameName, dict[str, Any]]] = [
    ("chess", {"preset": "fide"}),
    ("chess", {"preset": "legacy"}),
    ("chess", {"preset": "pgx"}),
    ("four_player", {"preset": "standard"}),
    ("four_player", {"preset": "standard", "mode": "teams"}),
    ("four_player", {"preset": "legacy"}),
    ("blokus", {"players": 4}),
    ("blokus", {"players": 3}),
    ("blokus", {"players": 2}),
    ("blokus_duo", {"starts": "inner"}),
    ("blokus_duo", {"starts": "corners"}),
    ("kung_fu", {"speed": "standard"}),
    ("kung_fu", {"speed": "lightning"}),
    ("kung_fu_4p", {"speed": "standard"}),
    ("kung_fu_4p", {"speed": "lightning", "teams": True}),
]
"""The games and presets that are compared."""

PACKED = ("packed", "packed")
"""The format of masks and observations in which all steps are compared."""

OTHER_FORMATS = [("bool", "float32"), ("sparse", "uint8"), ("none", "float16"), ("none", "bfloat16")]
"""The formats in which only a part of the steps is compared."""

AUTORESET = ("same_step", "next_step", "disabled")

_PART = 50
"""One in so many steps is compared in each of the other formats."""
_OTHER_GAMES = 512
"""The most games per batch in the other formats: with fewer games, there are enough steps for games to end."""
_LEAST_BATCHES = 4
_RESET_EVERY = 16
"""The number of steps after which finished games are restarted if they do not restart by themselves."""
_CHUNK = 2**21
"""The most bytes that a thread copies to the host and compares at once. They should fit into its cache."""

_FINAL = ("final_games", "final_observation", "final_scalars", "final_pieces_left", "final_tokens")
_STATE = [
    field.name
    for field in dataclasses.fields(fourfold.State)
    if not field.name.startswith("_") and field.name not in _FINAL
]


class Difference(NamedTuple):
    """An array that is not the same on both devices."""

    array: str
    bytes: int
    """The number of differing bytes."""
    game: int | None
    """The first game that differs, if the array has a row for each game."""


class Failure(NamedTuple):
    """The arrays that differ after the first step with a difference."""

    formats: tuple[str, str]
    autoreset: str
    step: int
    differences: list[Difference]

    @property
    def bytes(self) -> int:
        """The number of differing bytes of all arrays."""
        return sum(difference.bytes for difference in self.differences)

    def __str__(self) -> str:
        first = self.differences[0]
        place = "" if first.game is None else f", game {first.game}"
        arrays = ", ".join(f"{name} ({count:,} bytes)" for name, count, _ in self.differences)
        return f"{'/'.join(self.formats)}, autoreset={self.autoreset}, first at step {self.step}{place}: {arrays}"


def to_bfloat16(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Rounds floats to bfloat16, to the nearest and then to the even one, and returns their bits."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def is_equal(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    """Compares the bytes of two arrays of the same size, most of them eight at a time."""
    wide = one.size // 8 * 8
    same = np.array_equal(one[:wide].view(np.uint64), other[:wide].view(np.uint64))
    return same and np.array_equal(one[wide:], other[wide:])


class Part(NamedTuple):
    """A part of an array, at most as large as a chunk."""

    name: str
    buffer: _core.DeviceBuffer
    offset: int
    """The first byte of the part in the buffer."""
    start: int
    """The first byte of the part in the array."""
    length: int
    expected: NDArray[Any]
    """The whole array of the CPU, flat: bytes, or floats if the GPU has them as bfloat16."""
    row: int
    """The number of bytes of each game."""

    def difference(self, found: NDArray[np.uint8]) -> Difference | None:
        """Compares the bytes of the part."""
        end = self.start + self.length
        if self.expected.dtype == np.float32:
            expected = to_bfloat16(self.expected[self.start // 2 : end // 2]).view(np.uint8)
        else:
            expected = self.expected[self.start : end]
        if is_equal(expected, found):
            return None
        wrong = np.flatnonzero(expected != found)
        return Difference(self.name, wrong.size, (self.start + int(wrong[0])) // self.row)


def parts_of(name: str, expected: NDArray[Any], found: fourfold.DeviceArray) -> Iterator[Part]:
    """Divides an array that has a row for each game. The array on the GPU must be contiguous and of the same size."""
    flat = np.ascontiguousarray(expected).reshape(-1)
    flat = flat if found._kind == "bfloat16" else flat.view(np.uint8)
    size = found.nbytes
    for start in range(0, size, _CHUNK):
        length = min(_CHUNK, size - start)
        yield Part(name, found._buffer, found._offset + start, start, length, flat, size // len(found))


def chunks_of(parts: list[Part]) -> Iterator[list[Part]]:
    """Collects parts that can be copied together, because each copy waits for the GPU."""
    chunk: list[Part] = []
    for part in parts:
        first = chunk[0] if chunk else part
        if part.buffer is not first.buffer or not 0 <= part.offset + part.length - first.offset <= _CHUNK:
            yield chunk
            chunk = []
        chunk.append(part)
    if chunk:
        yield chunk


class Comparison:
    """Compares arrays with those in the memory of a device, by several threads."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads)
        self._local = threading.local()

    def __enter__(self) -> Comparison:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def differences(self, parts: list[Part]) -> list[Difference]:
        """Returns the arrays that differ. Parts of the same array must be in order."""
        found: dict[str, Difference] = {}
        for name, count, game in itertools.chain.from_iterable(self._pool.map(self._compare, chunks_of(parts))):
            before = found.get(name, Difference(name, 0, game))
            found[name] = before._replace(bytes=before.bytes + count)
        return list(found.values())

    def _compare(self, parts: list[Part]) -> list[Difference]:
        if not hasattr(self._local, "memory"):
            # Reused, because the first access to new memory takes longer than the copy.
            self._local.memory = np.empty(_CHUNK, np.uint8)
        begin = parts[0].offset
        memory = self._local.memory[: parts[-1].offset + parts[-1].length - begin]
        parts[0].buffer.read(begin, memory)
        found = (part.difference(memory[part.offset - begin :][: part.length]) for part in parts)
        return [difference for difference in found if difference is not None]


class Pair:
    """The same games on the CPU and on a GPU."""

    def __init__(
        self,
        game: GameName,
        games: int,
        device: str,
        formats: tuple[str, str],
        options: dict[str, Any],
        comparison: Comparison,
    ) -> None:
        self._comparison, self._autoreset = comparison, options["autoreset"]
        mask, observation = formats
        on_cpu = "float32" if observation == "bfloat16" else observation
        make: Any = fourfold.make
        self._cpu: Environment = make(game, games, mask=mask, observation=on_cpu, **options)
        self._gpu: CudaEnvironment = make(game, games, device=device, mask=mask, observation=observation, **options)
        self._gpu.reset(seed=0)
        self._cpu.reset(seed=0)
        self._steps = 0

    def step(self) -> list[Difference]:
        """Plays a random step on both and compares all arrays."""
        # The GPU works while the CPU does.
        actions = self._gpu.sample()
        found = self._gpu.step(actions)
        expected_actions = self._cpu.sample()
        expected = self._cpu.step(expected_actions)
        differences = self._compare(expected, found, parts_of("sample", expected_actions, actions))
        self._steps += 1
        if self._autoreset == "disabled" and self._steps % _RESET_EVERY == 0 and not differences:
            ended = expected.terminated | expected.truncated
            found = self._gpu.reset(mask=ended)
            differences = self._compare(self._cpu.reset(mask=ended), found)
        return differences

    def finish(self, *, logits: bool = False) -> list[Difference]:
        """Compares the saved games and, with ``logits``, actions that are drawn by random logits."""
        differences = []
        if logits:
            # Repeated, because drawing all of them would take longer than all steps. The rows still differ.
            few = np.random.default_rng(0).normal(scale=3, size=100_003).astype(np.float32)
            values = np.resize(few, (*self._cpu._action_shape, self._cpu.num_actions))
            found = self._gpu.sample_logits(values)
            parts = parts_of("sample_logits", self._cpu.sample_logits(values), found)
            differences = self._comparison.differences(list(parts))
        one, other = (np.frombuffer(env.save(), np.uint8) for env in (self._cpu, self._gpu))
        return differences + list(_compare_on_host("save", one, other, None))

    def _compare(
        self, expected: fourfold.State, found: fourfold.CudaState, others: Iterable[Part] = ()
    ) -> list[Difference]:
        parts, differences = list(others), []
        for block in found._blocks:
            whole = {id(array) for array in block.arrays.values()}
            for name, array in block.fields.items():
                # Tokens and scalars may be columns of one array, which is then also a field.
                if array is not None and id(array) in whole:
                    value = getattr(expected, name)
                    if value is None or value.shape != array.shape:
                        differences.append(Difference(name.strip("_"), array.nbytes, None))
                    else:
                        parts += parts_of(name.strip("_"), value, array)
        for name in _STATE:
            value = getattr(expected, name)
            if getattr(found, name) is None and value is not None:
                differences.append(Difference(name, value.nbytes, None))
        games = expected.final_games
        for name in _FINAL:
            value, array = getattr(expected, name), getattr(found, name)
            differences += _compare_on_host(name, value, None if array is None else array.numpy(), games)
        return self._comparison.differences(parts) + differences


def _compare_on_host(
    name: str, expected: NDArray[Any] | None, found: NDArray[Any] | None, games: NDArray[np.int32] | None
) -> Iterator[Difference]:
    """Compares arrays on the host. ``games`` are those that the rows belong to."""
    if expected is None or found is None:
        if expected is not found:
            yield Difference(name, cast(Any, found if expected is None else expected).nbytes, None)
        return
    if expected.dtype == np.float32 and found.dtype != np.float32:
        expected = to_bfloat16(expected)
    one, other = (np.ascontiguousarray(array).reshape(-1).view(np.uint8) for array in (expected, found))
    if one.size != other.size:
        yield Difference(name, max(one.size, other.size), None)
    elif not is_equal(one, other):
        wrong = np.flatnonzero(one != other)
        game = None if games is None else int(games[int(wrong[0]) // (one.size // len(games))])
        yield Difference(name, wrong.size, game)


@dataclasses.dataclass(frozen=True)
class Row:
    """A game and preset, and how much of it is compared."""

    game: GameName
    options: dict[str, Any]
    autoreset: int
    """The index of the autoreset mode of packed arrays; the other formats have others."""
    games: int
    batches: int
    other_games: int
    other_batches: int

    @property
    def steps(self) -> int:
        """The number of steps in the format packed/packed."""
        return self.games * self.batches

    @property
    def other_steps(self) -> int:
        """The number of steps in each of the other formats."""
        return self.other_games * self.other_batches

    def check(self, device: str, comparison: Comparison) -> Iterator[tuple[int, Failure | None]]:
        """Plays all steps up to the first difference. Yields the number of steps of each batch, and the failure."""
        for index, formats in enumerate([*OTHER_FORMATS, PACKED], 1):
            other = formats is not PACKED
            games, batches = (self.other_games, self.other_batches) if other else (self.games, self.batches)
            autoreset = AUTORESET[(self.autoreset + (index if other else 0)) % len(AUTORESET)]
            pair = Pair(self.game, games, device, formats, {**self.options, "autoreset": autoreset}, comparison)
            for step in range(batches):
                differences = pair.step() or (pair.finish(logits=other) if step + 1 == batches else [])
                yield games, Failure(formats, autoreset, step, differences) if differences else None
                if differences:
                    return


def rows_of(games: int, steps: int, game: str | None) -> Iterator[Row]:
    """Yields the rows of the table. The presets of a game have different autoreset modes."""
    before: collections.Counter[str] = collections.Counter()
    other_games = min(games, _OTHER_GAMES)
    for name, options in PRESETS:
        if game in (None, name):
            other_batches = max(-(-steps // (_PART * other_games)), _LEAST_BATCHES)
            yield Row(name, options, before[name], games, -(-steps // games), other_games, other_batches)
            before[name] += 1


def read(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parses the given arguments, or those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m fourfold.cuda", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="compare a GPU with the CPU", description=__doc__)
    checking.add_argument("--games", type=int, default=4096, help="games per batch (default: %(default)s)")
    checking.add_argument(
        "--steps",
        type=int,
        default=1_000_000,
        help=f"steps of each game and preset with packed masks and observations (default: %(default)s); in each of the "
        f"{len(OTHER_FORMATS)} other formats, one {_PART}th of them, but at least {_LEAST_BATCHES} batches",
    )
    checking.add_argument("--game", choices=list(dict(PRESETS)), help="check only this game")
    checking.add_argument("--device", default="cuda", help="cuda, cuda:1 and so on, or cuda-emulated")
    given = parser.parse_args(arguments)
    if given.games < 1 or given.steps < 1:
        parser.error("expected at least 1 game and 1 step")
    return given


def run(row: Row, device: str, comparison: Comparison) -> Failure | None:
    """Checks a row, and shows the progress if standard error is a terminal."""
    done, failure = 0, None
    total = row.steps + len(OTHER_FORMATS) * row.other_steps
    # The row of the table takes the place of the bar.
    report = _progress.callback(sys.stderr.isatty(), total, f"steps of {row.game}", leave=False)
    for steps, failure in row.check(device, comparison):  # noqa: B007
        done += steps
        report(done, total)
    if done < total:
        report(total, total)
    return failure


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns 1 if anything differs and 2 if the device cannot be used."""
    given = read(arguments)
    try:
        _device.open_device(given.device)
    except (RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    rows = list(rows_of(given.games, given.steps, given.game))
    print(f"{'':<58}{'steps':>14}{'steps in each':>15}{'':>9}{'differing':>12}")
    columns = (
        f"{'game':<14}{'options':<32}{'autoreset':<12}{'packed':>14}{'other format':>15}{'seconds':>9}{'bytes':>12}"
    )
    print(columns, flush=True)
    failures = 0
    with Comparison(_threads.default_threads()) as comparison:
        for row in rows:
            began = time.monotonic()
            failure = run(row, given.device, comparison)
            text = ", ".join(f"{name}={value}" for name, value in row.options.items())
            print(
                f"{row.game:<14}{text:<32}{AUTORESET[row.autoreset]:<12}{row.steps:>14,}{row.other_steps:>15,}"
                f"{time.monotonic() - began:>9.1f}{0 if failure is None else failure.bytes:>12,}",
                flush=True,
            )
            if failure is not None:
                failures += 1
                print(f"    {failure}", flush=True)
    formats = ", ".join(f"{mask}/{observation}" for mask, observation in OTHER_FORMATS)
    print(f"other formats of masks and observations: {formats}, with other autoreset modes")
    print(f"{failures} of {len(rows)} rows differ; each stopped there" if failures else "no difference")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
