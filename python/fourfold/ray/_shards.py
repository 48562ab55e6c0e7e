"""Shards as Ray tasks: how many run at once, what is retried, and what an error says."""

from __future__ import annotations

import collections
import contextlib
import contextvars
import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any, TypeVar

try:
    import ray
    import ray.exceptions
except ImportError:
    raise ImportError("fourfold.ray needs Ray and pyarrow: pip install fourfold[ray]") from None

Result = TypeVar("Result")

RETRIES = 3
"""How often a shard is tried again whose worker or machine was lost."""

_LOST = (
    ray.exceptions.WorkerCrashedError,
    ray.exceptions.NodeDiedError,
    ray.exceptions.LocalRayletDiedError,
    ray.exceptions.ObjectLostError,
    ray.exceptions.OutOfMemoryError,
)
"""What Ray raises if a process was lost, not if it failed."""

LOG = logging.getLogger("fourfold.ray")

_without_ray = contextvars.ContextVar("without_ray", default=False)


class ShardError(RuntimeError):
    """A shard could not be finished. Shards that were finished before stay, and the same call continues from there."""


def connect() -> None:
    """Connects to the cluster of ``RAY_ADDRESS``, or starts one on this machine, unless there is a connection."""
    if not (ray.is_initialized() or _without_ray.get()):
        ray.init()


@contextlib.contextmanager
def without_ray() -> Iterator[None]:
    """Runs all shards in this process, one after another, to compare their output with that of a cluster."""
    token = _without_ray.set(True)
    try:
        yield
    finally:
        _without_ray.reset(token)


def run(
    function: Callable[..., Result],
    shards: Sequence[tuple[str, tuple[Any, ...]]],
    *,
    num_cpus: float = 1,
) -> Generator[tuple[int, Result], None, None]:
    """Runs ``function`` for each shard on the cluster, and yields the index and result of each as it finishes.

    A shard has a name, for the dashboard and for errors, and the arguments of the function. Those that are not
    finished when the generator is closed are canceled.
    """
    if _without_ray.get():
        for index, (_, arguments) in enumerate(shards):
            yield index, function(*arguments)
        return
    task = ray.remote(num_cpus=num_cpus, max_retries=0)(function)
    waiting = collections.deque(range(len(shards)))
    lost = [0] * len(shards)
    running: dict[Any, int] = {}
    try:
        while waiting or running:
            # A few more than can run at once, so that no worker waits for this process.
            room = 2 + 2 * int(ray.cluster_resources().get("CPU", 1) / max(num_cpus, 0.01))
            while waiting and len(running) < room:
                index = waiting.popleft()
                name, arguments = shards[index]
                running[task.options(name=name).remote(*arguments)] = index
            done, _ = ray.wait([*running], num_returns=1, timeout=10)
            for reference in done:
                index = running.pop(reference)
                try:
                    found = ray.get(reference)
                except _LOST as error:
                    lost[index] += 1
                    why = _first_line(error)
                    if lost[index] > RETRIES:
                        hint = "if it ran out of memory, make shards smaller, or give them more CPUs so that fewer run at once"
                        raise _failed(
                            shards[index][0], f"its worker was lost {lost[index]} times: {why} ({hint})"
                        ) from error
                    LOG.warning("%s: its worker was lost: %s; retrying", shards[index][0], why)
                    waiting.appendleft(index)
                    continue
                except ray.exceptions.RayTaskError as error:
                    cause = error.cause if isinstance(error.cause, Exception) else error
                    raise _failed(shards[index][0], f"{type(cause).__name__}: {cause}") from cause
                except ray.exceptions.RayError as error:
                    raise _failed(shards[index][0], _first_line(error)) from error
                yield index, found
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        if running:
            # Until its worker has ended, a canceled task may still write.
            ray.wait([*running], num_returns=len(running), timeout=10)


def in_order(results: Iterable[tuple[int, Result]]) -> Generator[Result, None, None]:
    """Yields the results of shards in the order of their indices."""
    early: dict[int, Result] = {}
    due = 0
    for index, found in results:
        early[index] = found
        while due in early:
            yield early.pop(due)
            due += 1


def _first_line(error: Exception) -> str:
    """Returns what Ray says about a lost worker, without its advice on logs."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def _failed(name: str, why: str) -> ShardError:
    return ShardError(f"{name}: {why}")
