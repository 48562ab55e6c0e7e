"""Whether the output survives the loss of a machine: what `python -m fourfold.ray check` runs."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import ray
from ray.cluster_utils import Cluster

import fourfold
from fourfold import _progress
from fourfold.chess import Board
from fourfold.ray import _shards
from fourfold.ray._analyze import analyze
from fourfold.ray._match import match
from fourfold.ray._rollout import rollout

Verb = Callable[..., Any]
"""One of the three functions, with all arguments but ``out`` and ``progress``."""


NOTICE_A_LOST_NODE = {
    "health_check_initial_delay_ms": 500,
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 500,
    "health_check_failure_threshold": 2,
}
"""Settings of Ray with which a lost node is noticed in a second or two instead of a quarter of a minute."""


@dataclasses.dataclass(frozen=True, slots=True)
class Checked:
    """What happened to a verb while a node was killed."""

    shards: int
    finished: int
    """How many shards were finished when the node was killed."""
    lost: int
    """How often the worker of a shard was lost."""
    seconds: float
    difference: str | None


def verbs(folder: Path, scale: float) -> dict[str, Verb]:
    """Returns the verbs to check, each with about 20 shards. ``scale`` is the amount of work."""
    pgn = write_pgn(folder, games=max(20, round(40 * scale)), copies=20)
    size = max(1, pgn.stat().st_size // 20)
    return {
        "rollout": functools.partial(
            rollout,
            "chess",
            ["greedy", "random"],
            games=round(4000 * scale),
            games_per_shard=round(200 * scale),
            seed=3,
        ),
        "match": functools.partial(
            match, ["greedy", "random"], games=round(800 * scale), games_per_shard=round(40 * scale), seed=7
        ),
        "analyze": functools.partial(analyze, pgn, "hanging,forks,see,en_prise,outposts", bytes_per_shard=size),
    }


def write_pgn(folder: Path, games: int, copies: int) -> Path:
    """Writes random games of 120 plies as PGN, several times each. Some of them cannot be read."""
    recording = folder / "games.parquet"
    fourfold.record("chess", recording, games=games, rows="games", seed=5, max_steps=120, num_threads=1)
    texts = []
    for index, moves in enumerate(pyarrow.parquet.read_table(recording)["moves"].to_pylist()):
        board = Board()
        for move in moves:
            board.push(move)
        text = board.pgn.replace("1. ", "1. Nf9 ", 1) if index % 7 == 3 else board.pgn
        texts.append(text.rstrip() + "\n\n")
    path = folder / "games.pgn"
    path.write_text("".join(texts) * copies)
    return path


@contextlib.contextmanager
def started() -> Iterator[Cluster]:
    """Starts a node with one CPU on this machine, and connects to it. Nodes can be added, and lost."""
    if ray.is_initialized():
        raise RuntimeError("expected no connection to Ray: the check starts nodes of its own")
    head = {"num_cpus": 1, "include_dashboard": False, "_system_config": NOTICE_A_LOST_NODE}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        ray.init(cluster.address, logging_level="error", log_to_driver=False)
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def check(cluster: Cluster, verb: Verb, folder: Path, progress: _progress.Progress = False) -> Checked:
    """Runs a verb on two nodes, kills the second one in the middle, and compares all files with those that this
    process makes by itself."""
    expected = folder / "one"
    with _shards.without_ray():
        verb(out=expected, progress=False)
    shards = len(_shard_names(expected))
    # A node that is killed between two shards loses none.
    for attempt in range(3):
        found = folder / f"two-{attempt}"
        began = time.perf_counter()
        finished, lost = _run_and_kill(cluster, verb, found, progress)
        seconds = time.perf_counter() - began
        difference = compare(expected, found)
        if difference or (lost and finished < shards):
            return Checked(shards, finished, lost, seconds, difference)
    return Checked(shards, finished, lost, seconds, "no shard was lost with the node: use a larger --scale")


def _run_and_kill(cluster: Cluster, verb: Verb, folder: Path, progress: _progress.Progress) -> tuple[int, int]:
    """Returns the number of shards that were finished when the node was killed, and how many were lost with it."""
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    finished = 0

    def kill() -> None:
        nonlocal finished
        while (finished := len(_shard_names(folder))) < 2:
            time.sleep(0.01)
        kill_node(cluster, second)

    lost = _Count()
    _shards.LOG.addHandler(lost)
    _shards.LOG.propagate = False
    try:
        # Starts the workers of both nodes, so that both are busy when the second node is killed.
        list(_shards.run(_wait, [(f"start {index}", (0.2,)) for index in range(4)]))
        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        verb(out=folder, progress=progress)
        killer.join()
    finally:
        _shards.LOG.removeHandler(lost)
        _shards.LOG.propagate = True
    return finished, lost.count


def kill_node(cluster: Cluster, node: Any) -> None:
    """Kills a node and its workers, which would otherwise finish what they do."""
    raylet = node.all_processes["raylet"][0].process.pid
    children = Path(f"/proc/{raylet}/task/{raylet}/children")
    workers = [int(pid) for pid in children.read_text().split()] if children.exists() else []
    cluster.remove_node(node, allow_graceful=False)
    for pid in workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def compare(expected: Path, found: Path) -> str | None:
    """Returns the first difference between the files of two folders, or None."""
    names, others = sorted(os.listdir(expected)), sorted(os.listdir(found))
    if names != others:
        changed = sorted(set(names) ^ set(others))
        return f"{changed[0]} is only in one of the folders"
    for name in names:
        one, other = (expected / name).read_bytes(), (found / name).read_bytes()
        if one != other:
            at = next(
                (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
            )
            return f"{name} differs at byte {at}"
    return None


def _shard_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("shard-*"))


def _wait(seconds: float) -> None:
    time.sleep(seconds)


class _Count(logging.Handler):
    """Counts messages."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1
