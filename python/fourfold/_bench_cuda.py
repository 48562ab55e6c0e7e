"""The benchmarks of `python -m fourfold.bench --device cuda`."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

import fourfold
from fourfold import _progress
from fourfold._bench_jax import PGX, Advance, fitting_steps, pgx_chess
from fourfold._cuda import CudaEnvironment
from fourfold._options import GameName

GAMES = (256, 4096, 16384, 65536)
"""The batch sizes that are measured by default."""

FORMATS = (("bool", "float32"), ("bool", "bfloat16"), ("packed", "packed"), ("packed", "none"))
"""The formats of masks and observations."""

_SECONDS = 0.2
"""How long one run of a benchmark should take."""


def stepping(game: GameName, games: int, device: str, mask: str, observation: str) -> Advance:
    """Steps an environment with random legal actions."""
    make: Any = fourfold.make
    env: CudaEnvironment = make(game, games, device=device, mask=mask, observation=observation)
    env.reset(seed=0)

    def advance(steps: int) -> None:
        for _ in range(steps):
            env.step(env.sample())
        env.synchronize()

    return advance


def contestants(game: GameName, games: int, device: str) -> dict[str, Advance]:
    """Prepares what is measured with one game and batch size, by name. Prints what is left out."""
    found: dict[str, Advance] = {}
    for mask, observation in FORMATS:
        name = f"{mask}/{observation}"
        try:
            found[name] = stepping(game, games, device, mask, observation)
        except MemoryError as error:
            print(f"skipped: {game}, {games:,} games, {name} ({error})")
    if game == "chess":
        try:
            found[PGX] = pgx_chess(games, "gpu")
        except Exception as error:  # keep going if Pgx is not installed or fails to start
            print(f"skipped: {PGX}, {games:,} games ({error})")
    return found


def measure(device: str, names: Sequence[GameName], sizes: Sequence[int], rounds: int) -> None:
    """Prints the steps per second of every game, batch size and format, and how much faster than Pgx it is."""
    print(f"{'game':<14}{'games':>8}   {'masks/observations':<22}{'steps per second':>18}   faster than Pgx by")
    groups = [(game, games) for game in names for games in sizes]
    report = _progress.callback(sys.stderr.isatty(), rounds * len(groups), "rounds")
    done = 0
    for game, games in groups:
        runs = contestants(game, games, device)
        steps = {name: fitting_steps(advance, _SECONDS) for name, advance in runs.items()}
        speeds: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(rounds):
            # Take turns, because the machine may be busy.
            for name, advance in runs.items():
                started = time.perf_counter()
                advance(steps[name])
                speeds[name].append(steps[name] * games / (time.perf_counter() - started))
            done += 1
            report(done, rounds * len(groups))
        for name, values in speeds.items():
            ratio = ""
            if PGX in speeds and name != PGX:
                ratio = f"{statistics.median(a / b for a, b in zip(values, speeds[PGX], strict=True)):8.1f} ×"
            print(f"{game:<14}{games:>8,}   {name:<22}{statistics.median(values):>18,.0f}   {ratio}".rstrip())
