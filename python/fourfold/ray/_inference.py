"""Policies that run in actors of their own, with the positions of many workers in one batch."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import ray

from fourfold._play import Policy
from fourfold._state import State


@dataclasses.dataclass(frozen=True)
class Inference:
    """A player whose policy runs in actors, for example on GPUs, which all workers of a rollout share.

    ``make_policy`` is called without arguments once in each of ``num_actors`` actors, and returns a
    :class:`fourfold.Policy`; load weights there. Positions that arrive while the policy computes form its next batch,
    of at most ``max_rows``. An actor whose machine is lost is started elsewhere.
    """

    make_policy: Callable[[], Policy]
    num_actors: int = 1
    num_cpus: float = 1
    num_gpus: float = 0
    max_rows: int = 4096

    def start(self) -> RemotePolicy:
        """Starts the actors, and returns the policy that asks them."""
        # One method call for each worker that waits.
        server = ray.remote(max_restarts=-1, max_task_retries=-1, max_concurrency=10_000)(_Server)
        placed = server.options(num_cpus=self.num_cpus, num_gpus=self.num_gpus)
        actors = [placed.remote(self.make_policy, self.max_rows) for _ in range(self.num_actors)]
        return RemotePolicy(actors, getattr(self.make_policy, "__name__", type(self.make_policy).__name__))


class RemotePolicy:
    """A policy that asks an actor."""

    def __init__(self, actors: list[Any], name: str) -> None:
        self.actors = actors
        self.calls = 0
        self.__name__ = name

    def __call__(self, state: State) -> Any:
        """Returns the answer of one of the actors, each in turn. Workers start with different ones."""
        self.calls += 1
        return ray.get(self.actors[(os.getpid() + self.calls) % len(self.actors)].act.remote(state))

    def stop(self) -> None:
        """Ends the actors."""
        for actor in self.actors:
            ray.kill(actor)


class _Server:
    def __init__(self, make_policy: Callable[[], Policy], max_rows: int) -> None:
        self.policy, self.max_rows = make_policy(), max_rows
        self.waiting: list[tuple[State, asyncio.Future[Any]]] = []
        self.serving: asyncio.Task[None] | None = None

    async def act(self, state: State) -> Any:
        answer = asyncio.get_running_loop().create_future()
        self.waiting.append((state, answer))
        if self.serving is None or self.serving.done():
            self.serving = asyncio.create_task(self.serve())
        return await answer

    async def serve(self) -> None:
        """Answers until nobody waits."""
        while self.waiting:
            count, rows = 1, len(self.waiting[0][0].terminated)
            while count < len(self.waiting) and rows + len(self.waiting[count][0].terminated) <= self.max_rows:
                rows += len(self.waiting[count][0].terminated)
                count += 1
            batch, self.waiting = self.waiting[:count], self.waiting[count:]
            try:
                # In a thread, so that requests arrive in the meantime.
                found = np.asarray(await asyncio.to_thread(self.policy, joined([state for state, _ in batch])))
                if found.shape[:1] != (rows,):
                    raise ValueError(f"expected a policy to return {rows} rows, got shape {found.shape}")
            except Exception as error:
                for _, answer in batch:
                    answer.set_exception(error)
                continue
            ends = np.cumsum([len(state.terminated) for state, _ in batch])
            for (_, answer), part in zip(batch, np.split(found, ends[:-1]), strict=True):
                answer.set_result(part)


def joined(states: list[State]) -> State:
    """Returns the rows of several states as one state."""
    if len(states) == 1:
        return states[0]
    fields: dict[str, Any] = {}
    for field in dataclasses.fields(State):
        parts = [getattr(state, field.name) for state in states]
        # Final observations belong to games that have ended, so they are not for policies.
        joinable = parts[0] is not None and not field.name.startswith(("_", "final_"))
        fields[field.name] = np.concatenate(parts) if joinable else None
    return State(**fields)
