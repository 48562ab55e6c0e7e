"""The benchmarks of `python -m fourfold.bench --device cuda`, also with `--only jax`."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

import fourfold
from fourfold import _bench_jax, _progress
from fourfold._bench_jax import PGX, Advance, fitting_steps
from fourfold._cuda import CudaEnvironment
from fourfold._options import GameName

GAMES = (256, 4096, 16384, 65536)
"""The batch sizes that are measured by default."""

FORMATS = (("bool", "float32"), ("bool", "bfloat16"), ("packed", "packed"), ("packed", "none"))
"""The formats of masks and observations."""

JAX_GAMES = (16384, 65536)
"""The batch sizes that are measured by default inside of JAX."""

JAX_FORMATS = (("bool", "float32"), ("packed", "packed"))
"""The formats of masks and observations that are measured inside of JAX."""

_SECONDS = 0.2
"""How long one run of a benchmark should take."""


def stepping(game: GameName, games: int, device: str, mask: str, observation: str) -> Advance:
    """Steps an environment with random legal actions."""
    make: Any = fourfold.make
    env: CudaEnvironment = make(game, games, device=device, mask=mask, observation=observation)
    env.reset(seed=0)

    def play(steps: int) -> None:
        for _ in range(steps):
            env.step(env.sample())
        env.synchronize()

    return Advance(play)


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
            found[PGX] = _bench_jax.pgx_chess(games, "gpu")
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


def measure_jax(device: str, place: Any, sizes: Sequence[int], rounds: int) -> None:
    """Prints the steps per second of chess inside compiled functions of JAX, which has the device as ``place``, and how
    they compare with those of ``fourfold.make`` on the same device, and with Pgx."""
    import jax

    with jax.default_device(place):
        for games in sizes:
            speeds = _bench_jax.take_turns(jax_contestants(games, device), games, rounds)
            _bench_jax.print_speeds(f"chess, {games:,} games", _reference(device), speeds, speeds)
        _bench_jax.print_overhead(*_bench_jax.call_overhead(device))


def jax_contestants(games: int, device: str) -> dict[str, Advance]:
    """Prepares what is measured next to JAX with one batch size, by name. Prints what is left out."""
    found: dict[str, Advance] = {}
    for mask, observation in JAX_FORMATS:
        found[f"{_reference(device)}, {mask}/{observation}"] = stepping("chess", games, device, mask, observation)
        found[f"JAX, {mask}/{observation}"] = _bench_jax.jax_stepping("chess", games, mask, observation, device)
    try:
        found[PGX] = _bench_jax.pgx_chess(games, "gpu")
    except Exception as error:  # keep going if Pgx is not installed or fails to start
        print(f"skipped: {PGX}, {games:,} games ({error})")
    return found


def _reference(device: str) -> str:
    return f'device="{device}"'
