"""Checks that a GPU computes what the CPU does: `python -m fourfold.cuda check`.

Every game is played at random on both, in every preset and with the same seeds. All arrays of all steps are compared, in
every format of masks and observations, and in the end the saved games.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fourfold
from fourfold import _device, _progress
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

FORMATS = [("bool", "float32"), ("packed", "packed"), ("sparse", "uint8"), ("none", "float16"), ("none", "bfloat16")]
"""The formats of masks and observations that are compared."""

_FIELDS = [field.name for field in dataclasses.fields(fourfold.State) if not field.name.startswith("_")]

Differences = collections.Counter[str]
"""The number of differing bytes of each array."""


def to_bfloat16(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Rounds floats to bfloat16, to the nearest and then to the even one, and returns their bits."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


class Pair:
    """The same games on the CPU and on a GPU."""

    def __init__(self, game: GameName, games: int, device: str, formats: tuple[str, str], options: Any) -> None:
        mask, self._format = formats
        on_cpu = "float32" if self._format == "bfloat16" else self._format
        make: Any = fourfold.make
        self._cpu: Environment = make(game, games, mask=mask, observation=on_cpu, **options)
        self._gpu: CudaEnvironment = make(game, games, device=device, mask=mask, observation=self._format, **options)
        self._cpu.reset(seed=0)
        self._gpu.reset(seed=0)
        self.differences: Differences = collections.Counter()

    def step(self) -> None:
        """Plays a random step on both and compares all arrays."""
        expected, found = self._cpu.sample(), self._gpu.sample()
        self._compare("sample", expected, found.numpy())
        self._compare_states(self._cpu.step(expected), self._gpu.step(found).numpy())

    def finish(self) -> None:
        """Compares the saved games."""
        saved = (np.frombuffer(env.save(), np.uint8) for env in (self._cpu, self._gpu))
        self._compare("save", *saved)

    def _compare_states(self, expected: fourfold.State, found: fourfold.State) -> None:
        for name in _FIELDS:
            self._compare(name, getattr(expected, name), getattr(found, name))

    def _compare(self, name: str, expected: NDArray[Any] | None, found: NDArray[Any] | None) -> None:
        if expected is None or found is None:
            if expected is not found:
                self.differences[name] += 1
            return
        if self._format == "bfloat16" and name.endswith("observation"):
            expected = to_bfloat16(expected)
        one, other = (np.ascontiguousarray(array).reshape(-1).view(np.uint8) for array in (expected, found))
        if one.shape != other.shape:
            self.differences[name] += max(one.size, other.size)
        elif not np.array_equal(one, other):
            self.differences[name] += int(np.count_nonzero(one != other))


def check(game: GameName, options: dict[str, Any], games: int, batches: int, device: str) -> Iterator[Differences]:
    """Plays ``batches`` steps of ``games`` games in all formats. After each step, yields the differences so far."""
    pairs = [Pair(game, games, device, formats, options) for formats in FORMATS]
    for step in range(batches):
        for pair in pairs:
            pair.step()
            if step + 1 == batches:
                pair.finish()
        yield sum((pair.differences for pair in pairs), collections.Counter())


def read(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parses the given arguments, or those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m fourfold.cuda", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="compare a GPU with the CPU", description=__doc__)
    checking.add_argument("--games", type=int, default=1000, help="games per batch")
    checking.add_argument("--steps", type=int, default=100_000, help="steps of each game and preset")
    checking.add_argument("--game", choices=list(dict(PRESETS)), help="check only this game")
    checking.add_argument("--device", default="cuda", help="cuda, cuda:1 and so on, or cuda-emulated")
    given = parser.parse_args(arguments)
    if given.games < 1 or given.steps < 1:
        parser.error("expected at least 1 game and 1 step")
    return given


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns 1 if anything differs and 2 if the device cannot be used."""
    given = read(arguments)
    chosen = [(game, options) for game, options in PRESETS if given.game in (None, game)]
    try:
        _device.open_device(given.device)
    except (RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    batches = -(-given.steps // given.games)
    total = len(chosen) * batches
    report = _progress.callback(sys.stderr.isatty(), total, "batches")
    rows: list[tuple[str, str, Differences]] = []
    for index, (game, options) in enumerate(chosen):
        for step, found in enumerate(check(game, options, given.games, batches, given.device)):
            report(index * batches + step + 1, total)
            differences = found
        text = ", ".join(f"{name}={value}" for name, value in options.items())
        rows.append((game, text, differences))
    print(f"{'game':<14}{'options':<30}{'steps':>14}{'differing bytes':>18}")
    for name, text, found in rows:
        arrays = f"   {', '.join(found)}" if found else ""
        print(f"{name:<14}{text:<30}{batches * given.games:>14,}{found.total():>18,}{arrays}")
    differing = sum(bool(found) for _, _, found in rows)
    formats = ", ".join(f"{mask}/{observation}" for mask, observation in FORMATS)
    print(f"each step in {len(FORMATS)} formats of masks and observations: {formats}")
    print(f"{differing} of {len(rows)} rows differ" if differing else "no difference")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
