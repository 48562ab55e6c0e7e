"""Measures the formats of masks and observations: a step with sample, unpacking, observing, and one game at a time.

Run it with the package installed: ``python benchmarks/forms.py``. Prints medians in milliseconds.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import fourfold

FORMS: dict[str, dict[str, Any]] = {
    "float32 and a bool mask": {},
    "packed": {"packed": True},
    "a packed mask": {"mask": "packed", "observation": "none"},
    "a sparse mask": {"mask": "sparse", "observation": "none"},
}


def median(work: Callable[[], object], rounds: int) -> float:
    """Returns the median time of a call in milliseconds, after two calls that are not counted."""
    times = []
    for _ in range(rounds + 2):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times[2:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--num-envs", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=31)
    given = parser.parse_args()
    for name, options in FORMS.items():
        env = fourfold.make("chess", num_envs=given.num_envs, num_threads=1, **options)
        env.reset(seed=0)
        for _ in range(20):
            env.step(env.sample())
        print(f"step with sample, {name:24} {median(functools.partial(play, env, 1), given.rounds):8.2f}")
    env = fourfold.make("chess", num_envs=given.num_envs, num_threads=1, packed=True)
    state = env.reset(seed=0)
    unpack = median(lambda: fourfold.unpack.observation(state.observation, state.scalars, env), given.rounds)
    print(f"{'unpack.observation':42} {unpack:8.2f}")
    print(f"{'observe(format=float32)':42} {median(lambda: env.observe(format='float32'), given.rounds):8.2f}")
    logits = np.zeros((given.num_envs, env.num_actions), np.float32)
    print(f"{'sample_logits':42} {median(lambda: env.sample_logits(logits), given.rounds):8.2f}")
    single = fourfold.make("chess", num_threads=1)
    single.reset(seed=0)
    print(f"{'1,000 steps with sample of one game':42} {median(lambda: play(single, 1000), 9):8.2f}")


def play(env: fourfold.Environment, steps: int) -> None:
    for _ in range(steps):
        env.step(env.sample())


if __name__ == "__main__":
    main()
