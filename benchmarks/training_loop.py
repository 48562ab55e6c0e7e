"""Compares the loop of ``python -m fourfold.train chess`` with the same loop over the chess of Pgx, and measures the share of the
environment.

Run it with the package and Pgx installed, for a GPU with JAX for CUDA: ``python benchmarks/training_loop.py``. Both loops play the
same number of positions with networks of the same size, in alternating rounds; only the environment differs. On a GPU, the
share of the environment is that of its kernels in the time of all kernels, from a profile.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import pgx

from fourfold.train import _run, _settings
from fourfold.train._games import Array, Rules

KERNELS = ("begin", "check_rows", "finish", "sample_masks", "start", "write_")
"""The first letters of the names of our kernels on a GPU."""


class PgxState(NamedTuple):
    """What training reads of a state, for many games."""

    state: Any
    """The state of Pgx."""
    terminated: Array
    truncated: Array
    rewards: Array
    current_player: Array
    winner: Array
    step_count: Array


@dataclasses.dataclass(frozen=True)
class PgxChess(Rules):
    """The chess of Pgx as an environment to train with."""

    pgx: Any = dataclasses.field(default_factory=lambda: pgx.make("chess"))

    def kept(self, state: Any) -> Any:
        # What follows from the rest, and is large, is left out.
        return state.state.replace(observation=None, legal_action_mask=None)

    def start(self, keys: Array) -> Any:
        return self._wrapped(jax.vmap(self.pgx.init)(keys))

    def step(self, rows: Any, lists: Array, actions: Array) -> Any:
        # A step looks at the mask only to find illegal actions, and a search plays none.
        count = len(actions)
        whole = rows.replace(observation=jnp.zeros((count, 8, 8, 119)), legal_action_mask=jnp.ones((count, 4672), bool))
        return self._wrapped(jax.vmap(self.pgx.step)(whole, actions[:, 0]))

    def _wrapped(self, state: Any) -> PgxState:
        winner = jnp.where((state.rewards > 0).any(-1), state.rewards.argmax(-1), -1)
        results = (state.terminated, state.truncated, state.rewards, state.current_player, winner)
        return PgxState(state, *results, state._step_count)

    def legal(self, state: Any) -> Array:
        def listed(mask: Array) -> Array:
            (found,) = jnp.nonzero(mask, size=self.max_legal, fill_value=-1)
            return found

        return jax.vmap(listed)(state.state.legal_action_mask)[:, None]

    def observed(self, state: Any) -> dict[str, Array]:
        planes = state.state.observation[..., jnp.array(self.game.channels)]
        return {"observation": planes[:, None].astype(jnp.float16)}

    def inputs(self, observed: dict[str, Array]) -> tuple[Array, Array]:
        planes = observed["observation"].astype(jnp.float32)
        return jnp.concatenate([planes, jnp.ones_like(planes[..., :1])], -1), jnp.zeros((len(planes), 0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, help="how many games to play at once")
    parser.add_argument("--simulations", type=int, help="how many simulations to search for each move")
    parser.add_argument("--net", metavar="BLOCKSxCHANNELS", help="the size of the network, such as 6x64")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    on_gpu = jax.default_backend() == "gpu"
    chosen = {"games": given.games, "simulations": given.simulations, "net": given.net}
    settings = _settings.make("chess", on_gpu=on_gpu, seed=0, **chosen)
    # Pgx needs much memory for what is kept to learn from.
    settings = dataclasses.replace(settings, window=2 * settings.steps)
    own = _run.Run(settings)
    runs = {"fourfold": own, "pgx": _run.Run(settings, PgxChess(own.rules.game, own.rules.env))}
    size = f"{settings.games} games, {settings.simulations} simulations, network {settings.net}"
    print(f"chess on {jax.devices()[0].device_kind}: {size}")
    speeds: dict[str, list[float]] = {name: [] for name in runs}
    for index in range(given.rounds + 1):
        for name, run in runs.items():
            began = time.perf_counter()
            run.iterate(0.5)
            # The first round compiles.
            if index:
                speeds[name].append(settings.games * settings.steps / (time.perf_counter() - began))
    for name, found in speeds.items():
        print(f"{name:<10}{statistics.median(found):>12,.0f} positions/s")
    ratio = statistics.median(a / b for a, b in zip(*speeds.values(), strict=True))
    print(f"ratio     {ratio:>12.2f}")
    if on_gpu:
        mine, total = profile(own)
        print(f"the environment takes {mine / total:.1%} of the {total:.3f} s of all kernels in an iteration")


def profile(run: _run.Run) -> tuple[float, float]:
    """Returns the seconds that the kernels of the environment take in an iteration on a GPU, and those of all kernels."""
    with tempfile.TemporaryDirectory(prefix="fourfold-") as folder:
        with jax.profiler.trace(folder, create_perfetto_trace=True):
            run.iterate(0.5)
        (path,) = Path(folder).rglob("perfetto_trace.json.gz")
        events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    threads = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one.get("name") == "thread_name"}
    own = total = 0.0
    for event in events:
        if event.get("ph") == "X" and "Stream" in threads.get((event["pid"], event["tid"]), ""):
            total += event["dur"] / 1e6
            own += event["dur"] / 1e6 if event["name"].startswith(KERNELS) else 0.0
    return own, total


if __name__ == "__main__":
    main()
