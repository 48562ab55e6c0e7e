"""How fast the functions for clusters are: what `python -m fourfold.ray bench` runs."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import pickle
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import ray

import fourfold
from fourfold import _progress
from fourfold.ray import _shards
from fourfold.ray._analyze import AnalysisOutput, analyze
from fourfold.ray._check import write_pgn
from fourfold.ray._inference import Inference
from fourfold.ray._rllib import random_legal_sampling
from fourfold.ray._rollout import rollout
from fourfold.ray._store import Store

FACTS = "hanging,pinned,material"

SHARDS = 40
"""The number of shards of a rollout, so that two workers end at about the same time."""


def measure(parts: Sequence[str], games: int, rounds: int, seconds: float) -> None:
    """Runs parts of the benchmark, and prints their results."""
    if ray.is_initialized():
        raise RuntimeError("expected no connection to Ray: the benchmark starts nodes of its own")
    known: dict[str, Callable[[], None]] = {
        "workers": lambda: workers(games, rounds),
        "analysis": lambda: analysis(rounds),
        "overhead": lambda: overhead(seconds, rounds),
        "inference": lambda: inference(rounds),
        "rllib": lambda: rllib(rounds),
    }
    for name, part in known.items():
        if name in parts:
            part()


@contextlib.contextmanager
def local(num_cpus: int) -> Iterator[None]:
    """Starts Ray on this machine, with workers that have imported everything."""
    ray.init(num_cpus=num_cpus, include_dashboard=False, logging_level="error", log_to_driver=False)
    try:
        with tempfile.TemporaryDirectory(prefix="fourfold-") as folder:
            rollout("chess", games=64 * num_cpus, games_per_shard=4, out=folder, progress=False)
        yield
    finally:
        ray.shutdown()


def alternate(runs: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Runs all functions in turn, several times, and returns the median of what each returns."""
    found: dict[str, list[float]] = {name: [] for name in runs}
    total = rounds * len(runs)
    report = _progress.callback(sys.stderr.isatty(), total, "runs", leave=False)
    for index, (name, run) in enumerate(list(runs.items()) * rounds):
        found[name].append(run())
        report(index + 1, total)
    return {name: statistics.median(values) for name, values in found.items()}


def workers(games: int, rounds: int) -> None:
    """Compares two workers with one, for statistics and for files."""
    for rows, text in ((None, "statistics"), ("games", "a row per game"), ("steps", "a row per step")):
        # Files take much longer, so there are fewer games.
        count = games if rows is None else max(games // 20, SHARDS)
        sizes: list[float] = []

        def speed(num_cpus: int, rows: Any = rows, count: int = count, sizes: list[float] = sizes) -> float:
            with local(num_cpus), tempfile.TemporaryDirectory(prefix="fourfold-") as folder:
                out = {} if rows is None else {"out": folder, "rows": rows}
                began = time.perf_counter()
                found: Any = rollout(
                    "chess", games=count, games_per_shard=count // SHARDS, seed=1, progress=False, **out
                )
                seconds = time.perf_counter() - began
                sizes += [sum(map(os.path.getsize, found.files)) / found.rows] if rows else []
                return count / seconds

        speeds = alternate({"one": functools.partial(speed, 1), "two": functools.partial(speed, 2)}, rounds)
        size = f", {sizes[0]:,.0f} bytes per row" if sizes else ""
        print(
            f"rollouts, {text + ':':<16}{speeds['one']:>10,.0f} games/s with one worker{speeds['two']:>10,.0f} with two, "
            f"ratio {speeds['two'] / speeds['one']:.2f}{size}",
            flush=True,
        )


def analysis(rounds: int) -> None:
    """Measures an analysis of PGN by two workers, and the bytes that it reads and writes."""
    with local(2), tempfile.TemporaryDirectory(prefix="fourfold-") as made:
        folder = Path(made)
        pgn = write_pgn(folder, games=200, copies=100)
        outputs: list[AnalysisOutput] = []

        def run() -> float:
            began = time.perf_counter()
            out = folder / str(len(outputs))
            outputs.append(analyze(pgn, FACTS, out=out, bytes_per_shard=2**19, progress=False))
            return outputs[-1].rows / (time.perf_counter() - began)

        speed, rows = alternate({"run": run}, rounds)["run"], outputs[0].rows
        written = sum(map(os.path.getsize, outputs[0].files))
        print(
            f"analysis of {FACTS}: {speed:,.0f} positions/s with two workers, which read {pgn.stat().st_size / rows:.1f} bytes "
            f"per position and write {written / rows:.1f}",
            flush=True,
        )


def overhead(seconds: float, rounds: int) -> None:
    """Measures what a shard costs beside playing its games: scheduling, copying and reading its file."""
    with local(2):
        began = time.perf_counter()
        rollout("chess", games=2000, games_per_shard=1, max_steps=1, progress=False)
        print(f"2,000 shards of one step: {(time.perf_counter() - began) / 2:.1f} ms for each", flush=True)
    games = 400
    with tempfile.TemporaryDirectory(prefix="fourfold-") as made, local(1):
        folder = Path(made)
        _one_shard(folder / "first", games)
        # Enough games for a shard of the wanted length.
        games = max(1, round(games * seconds / _one_shard(folder / "second", games)[1]))
        for number in range(rounds):
            wall, playing = _one_shard(folder / str(number), games)
            size = sum(path.stat().st_size for path in (folder / str(number)).glob("shard-*"))
            print(
                f"shard of {wall:.1f} s, {size / 1e6:.0f} MB: {1000 * (wall - playing):.0f} ms of it are not spent on its "
                f"games, {(wall - playing) / wall:.2%}",
                flush=True,
            )


def _one_shard(folder: Path, games: int) -> tuple[float, float]:
    """Returns the seconds from the call to the result of a shard, and those that its worker spent on the games."""
    store = Store(folder, None, 1)
    store.begin({})
    began = time.perf_counter()
    ((_, playing),) = _shards.run(_timed_shard, [("shard", (store, games))])
    return time.perf_counter() - began, playing


def _timed_shard(store: Store, games: int) -> float:
    spent: list[float] = []

    def write(path: Path) -> None:
        began = time.perf_counter()
        fourfold.record("chess", path, games=games, seed=1, num_threads=1)
        spent.append(time.perf_counter() - began)

    store.write(0, write)
    store.metadata(0)
    return spent[0]


class FirstLegal:
    """A policy that costs next to nothing, and writes down how many positions it saw in which CPU time."""

    def __init__(self, path: Path) -> None:
        self.path, self.rows, self.began = path, 0, time.process_time()

    def __call__(self, state: fourfold.State) -> Any:
        self.rows += len(state.terminated)
        self.path.write_text(f"{self.rows} {time.process_time() - self.began}")
        return np.asarray(state.legal_actions)[:, 0]


def inference(rounds: int) -> None:
    """Measures positions per second through an actor, and their bytes and costs."""
    options: dict[str, Any] = {"observation": "packed", "mask": "sparse", "max_steps": 100}
    size = len(pickle.dumps(fourfold.make("chess", 256, **options).reset(seed=0), protocol=5)) / 256
    block = np.zeros(2**27, np.uint8)
    with local(2), tempfile.TemporaryDirectory(prefix="fourfold-") as folder:
        report = Path(folder) / "report"
        player = Inference(functools.partial(FirstLegal, report), num_cpus=0)

        def positions() -> float:
            began = time.perf_counter()
            found = rollout("chess", player, games=4096, games_per_shard=512, seed=1, progress=False, **options)
            assert isinstance(found, fourfold.Rollout)
            return found.steps / (time.perf_counter() - began)

        def putting() -> float:
            began = time.perf_counter()
            ray.get(ray.put(block))
            return block.nbytes / (time.perf_counter() - began)

        found = alternate({"positions": positions, "put": putting}, rounds)
        rows, seconds = map(float, report.read_text().split())
    print(
        f"inference: two workers send {found['positions']:,.0f} positions/s of {size:,.0f} bytes to an actor, which spends "
        f"{1e6 * seconds / rows:.1f} µs of CPU on each; the object store takes {found['put'] / 1e9:.1f} GB/s from a process",
        flush=True,
    )


def rllib(rounds: int) -> None:
    """Compares rollouts with RLlib's sampling of the PettingZoo environment, both with random legal actions."""
    missing = [name for name in ("torch", "pettingzoo", "gymnasium") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipping RLlib: {', '.join(missing)} missing (pip install 'ray[rllib]' torch pettingzoo)", flush=True)
        return
    with local(2), tempfile.TemporaryDirectory(prefix="fourfold-") as folder, random_legal_sampling(2) as sample:
        count = 0

        def sampling() -> float:
            began = time.perf_counter()
            return sample(5000) / (time.perf_counter() - began)

        def recording() -> float:
            nonlocal count
            count += 1
            began = time.perf_counter()
            found = rollout(
                "chess", games=4000, games_per_shard=100, out=os.path.join(folder, str(count)), seed=1, progress=False
            )
            return found.rows / (time.perf_counter() - began)  # type: ignore[union-attr]

        found = alternate({"rllib": sampling, "fourfold": recording}, rounds)
    print(
        f"observations and masks of chess, two workers: {found['rllib']:,.0f} steps/s by RLlib from PettingZoo, "
        f"{found['fourfold']:,.0f} by rollout, ratio {found['fourfold'] / found['rllib']:.0f}",
        flush=True,
    )
