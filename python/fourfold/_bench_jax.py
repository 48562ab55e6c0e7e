"""The benchmarks of `python -m fourfold.bench --only jax`: environments inside compiled loops, next to those of NumPy
and to Pgx."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import fourfold
from fourfold import _progress
from fourfold._options import GameName

Advance = Callable[[int], None]
"""Plays a number of steps and waits for them."""

FORMATS = (("packed", "packed"), ("bool", "float32"))
"""The formats of masks and observations."""

PGX = "Pgx, bool/float32"

_SECONDS = 0.4
"""How long one run of a benchmark should take."""


def use_one_core() -> None:
    """Limits this process, and so the threads of JAX, to one core where the system allows it. JAX must not have been
    imported yet."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _compiled(body: Any, carry: Any) -> Advance:
    """Returns a compiled loop over a body. All steps of a call are one function of XLA."""
    import jax

    loop = jax.jit(
        lambda steps, carry: jax.lax.fori_loop(0, steps, lambda _, carry: body(carry), carry), donate_argnums=1
    )

    def advance(steps: int) -> None:
        nonlocal carry
        carry = jax.block_until_ready(loop(steps, carry))

    return advance


def jax_stepping(game: GameName, games: int, mask: str, observation: str) -> Advance:
    """Steps an environment of ``fourfold.jax`` with random legal actions."""
    import jax

    import fourfold.jax

    make: Any = fourfold.jax.make
    env = make(game, autoreset="same_step", mask=mask, observation=observation, num_threads=1)

    def body(carry: tuple[Any, Any]) -> tuple[Any, Any]:
        state, key = carry
        key, choosing = jax.random.split(key)
        actions = jax.vmap(env.sample)(state, jax.random.split(choosing, games))
        return jax.vmap(env.step)(state, actions), key

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), games))
    return _compiled(body, (state, jax.random.key(1)))


def numpy_stepping(game: GameName, games: int, mask: str, observation: str) -> Advance:
    """Steps a NumPy environment with random legal actions, in arrays that are used again, as a compiled loop does."""
    make: Any = fourfold.make
    env = make(game, games, mask=mask, observation=observation, num_threads=1)
    state = env.reset(seed=0)

    def advance(steps: int) -> None:
        nonlocal state
        for _ in range(steps):
            state = env.step(env.sample(), out=state)

    return advance


def pgx_chess(games: int, backend: str) -> Advance:
    """Steps the chess of Pgx with random legal actions, on the CPU or a GPU."""
    # Otherwise JAX takes most of the GPU's memory.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    import pgx
    from pgx.experimental import auto_reset

    if jax.default_backend() != backend:
        raise RuntimeError(f"JAX runs on {jax.default_backend()}, not on {backend}")
    env = pgx.make("chess")
    step = jax.vmap(auto_reset(env.step, env.init))

    def body(carry: tuple[Any, Any]) -> tuple[Any, Any]:
        state, key = carry
        key, choosing, starting = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choosing, logits)
        return step(state, actions, jax.random.split(starting, games)), key

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    return _compiled(body, (state, jax.random.PRNGKey(1)))


def fitting_steps(advance: Advance, seconds: float) -> int:
    """Returns how many steps take about this time. Also loads and compiles everything."""
    advance(1)
    steps = 1
    while True:
        started = time.perf_counter()
        advance(steps)
        passed = time.perf_counter() - started
        if passed >= seconds / 4:
            return max(1, round(steps * seconds / passed))
        steps *= 4


def call_overhead() -> tuple[float, float]:
    """Returns the microseconds that a compiled step of one game takes when it is called from Python, and inside a
    compiled loop."""
    import jax

    import fourfold.jax

    make: Any = fourfold.jax.make
    env = make("chess", mask="packed", observation="none", autoreset="same_step", num_threads=1)
    state = env.init(jax.random.key(0))
    action = env.sample(state, jax.random.key(0))
    step = jax.jit(env.step)

    def call(steps: int) -> None:
        for _ in range(steps):
            found = step(state, action)
        jax.block_until_ready(found)

    loop = _compiled(lambda state: env.step(state, action), jax.tree.map(jax.numpy.copy, state))
    times = []
    for advance in (call, loop):
        count = fitting_steps(advance, _SECONDS)
        started = time.perf_counter()
        advance(count)
        times.append((time.perf_counter() - started) / count * 1e6)
    return times[0], times[1]


def take_turns(runs: dict[str, Advance], games: int, rounds: int) -> dict[str, list[float]]:
    """Returns the steps per second of each run in each round. They take turns, because the machine may be busy."""
    steps = {name: fitting_steps(advance, _SECONDS) for name, advance in runs.items()}
    speeds: dict[str, list[float]] = {name: [] for name in runs}
    total = rounds * len(runs)
    report = _progress.callback(sys.stderr.isatty(), total, "runs")
    for done, (name, advance) in enumerate(list(runs.items()) * rounds, 1):
        started = time.perf_counter()
        advance(steps[name])
        speeds[name].append(steps[name] * games / (time.perf_counter() - started))
        report(done, total)
    return speeds


def measure(games: int, rounds: int) -> None:
    """Prints the steps per second on one core, and how they compare with NumPy, and then with Pgx."""
    use_one_core()
    ours: dict[str, Advance] = {}
    for mask, observation in FORMATS:
        ours[f"NumPy, {mask}/{observation}"] = numpy_stepping("chess", games, mask, observation)
        ours[f"JAX, {mask}/{observation}"] = jax_stepping("chess", games, mask, observation)
    speeds = take_turns(ours, games, rounds)
    beside: dict[str, list[float]] = {}
    try:
        # Only now: a process that has run Pgx is slower in NumPy, by a fifth.
        pgx = pgx_chess(games, "cpu")
        in_jax = {name: advance for name, advance in ours.items() if name.startswith("JAX")}
        beside = take_turns({**in_jax, PGX: pgx}, games, rounds)
        speeds[PGX] = beside[PGX]
    except Exception as error:  # keep going if Pgx is not installed or fails to start
        print(f"skipped: {PGX} ({error})")
    print(f"chess, {games:,} games, one core   {'steps per second':>17}{'of NumPy':>11}{'of Pgx':>11}")
    for name, values in speeds.items():
        is_jax = name.startswith("JAX")
        numpy = _ratio(values, speeds[name.replace("JAX", "NumPy")]) if is_jax else ""
        pgx_ratio = _ratio(beside[name], beside[PGX]) if is_jax and beside else ""
        print(f"{name:<32}{statistics.median(values):>18,.0f}{numpy:>11}{pgx_ratio:>11}".rstrip())
    called, looped = call_overhead()
    print(f"a step of one game: {called:.1f} µs per call of the compiled function, {looped:.1f} µs inside a loop")


def _ratio(values: list[float], others: list[float]) -> str:
    return f"{statistics.median(one / other for one, other in zip(values, others, strict=True)):.2f} ×"
