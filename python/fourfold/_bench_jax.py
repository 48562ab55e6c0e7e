"""The benchmarks of `python -m fourfold.bench --only jax`: environments inside compiled loops, next to those of NumPy
and to Pgx."""

from __future__ import annotations

import dataclasses
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import fourfold
from fourfold import _core, _device, _progress
from fourfold._options import GameName


@dataclasses.dataclass(frozen=True)
class Advance:
    """Plays a number of steps and waits for them."""

    play: Callable[[int], None]
    block: int = 1
    """The number of steps must be a multiple of this."""

    def __call__(self, steps: int) -> None:
        if steps % self.block:
            raise ValueError(f"expected a multiple of {self.block} steps, got {steps}")
        self.play(steps)


FORMATS = (("packed", "packed"), ("bool", "float32"))
"""The formats of masks and observations."""

PGX = "Pgx, bool/float32"

BLOCK = 20
"""The number of steps of one compiled call on a GPU."""

_SECONDS = 0.4
"""How long one run of a benchmark should take."""


def use_one_core() -> None:
    """Limits this process, and so the threads of JAX, to one core where the system allows it. JAX must not have been
    imported yet."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def find_device(device: _core.Device) -> Any:
    """Returns the device of JAX that corresponds to one of ours. Raises RuntimeError if JAX does not have it."""
    _leave_memory()
    from fourfold.jax import _check

    place = device.dlpack_device
    return _check.find_device("cpu" if _device.device_name(place) == "cpu" else "gpu", place[1])


def _leave_memory() -> None:
    """Keeps JAX from taking most of the GPU's memory when it starts."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")


def _compiled_blocks(body: Any, carry: Any) -> Advance:
    """Returns a compiled loop over a body, for GPUs: a call plays a fixed number of steps. If the number were known
    only at run time, XLA would wait for the GPU after every step, to read whether there is another one."""
    import jax

    def play_block(carry: Any) -> Any:
        return jax.lax.scan(lambda carry, _: (body(carry), None), carry, length=BLOCK)[0]

    block = jax.jit(play_block, donate_argnums=0)

    def play(steps: int) -> None:
        nonlocal carry
        for _ in range(steps // BLOCK):
            carry = block(carry)
        jax.block_until_ready(carry)

    return Advance(play, BLOCK)


def _compiled(body: Any, carry: Any) -> Advance:
    """Returns a compiled loop over a body, for the CPU. All steps of a call are one function of XLA."""
    import jax

    loop = jax.jit(
        lambda steps, carry: jax.lax.fori_loop(0, steps, lambda _, carry: body(carry), carry), donate_argnums=1
    )

    def play(steps: int) -> None:
        nonlocal carry
        carry = jax.block_until_ready(loop(steps, carry))

    return Advance(play)


def jax_stepping(game: GameName, games: int, mask: str, observation: str, device: str = "cpu") -> Advance:
    """Steps an environment of ``fourfold.jax`` with random legal actions, on the default device of JAX, which must be
    this one."""
    import jax

    import fourfold.jax

    make: Any = fourfold.jax.make
    options = {"autoreset": "same_step", "num_threads": 1, "device": _emulated(device)}
    env = make(game, mask=mask, observation=observation, **options)

    def body(carry: tuple[Any, Any]) -> tuple[Any, Any]:
        state, key = carry
        key, choosing = jax.random.split(key)
        actions = jax.vmap(env.sample)(state, jax.random.split(choosing, games))
        return jax.vmap(env.step)(state, actions), key

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), games))
    return (_compiled if device == "cpu" else _compiled_blocks)(body, (state, jax.random.key(1)))


def _emulated(device: str) -> str | None:
    """Returns the device that ``fourfold.jax.make`` is given. It gets the others from JAX."""
    return device if device == "cuda-emulated" else None


def numpy_stepping(game: GameName, games: int, mask: str, observation: str) -> Advance:
    """Steps a NumPy environment with random legal actions, in arrays that are used again, as a compiled loop does."""
    make: Any = fourfold.make
    env = make(game, games, mask=mask, observation=observation, num_threads=1)
    state = env.reset(seed=0)

    def play(steps: int) -> None:
        nonlocal state
        for _ in range(steps):
            state = env.step(env.sample(), out=state)

    return Advance(play)


def pgx_chess(games: int, backend: str) -> Advance:
    """Steps the chess of Pgx with random legal actions, on the CPU or a GPU."""
    _leave_memory()
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
    return (_compiled if backend == "cpu" else _compiled_blocks)(body, (state, jax.random.PRNGKey(1)))


def fitting_steps(advance: Advance, seconds: float) -> int:
    """Returns how many steps take about this time, in whole blocks. Also loads and compiles everything."""
    steps = advance.block
    advance(steps)
    while True:
        started = time.perf_counter()
        advance(steps)
        passed = time.perf_counter() - started
        if passed >= seconds / 4:
            return max(1, round(steps / advance.block * seconds / passed)) * advance.block
        steps *= 4


def call_overhead(device: str = "cpu") -> tuple[float, float]:
    """Returns the microseconds that a compiled step of one game takes when it is called from Python, and inside a
    compiled loop, on the default device of JAX, which must be this one."""
    import jax

    import fourfold.jax

    make: Any = fourfold.jax.make
    options = {"autoreset": "same_step", "num_threads": 1, "device": _emulated(device)}
    env = make("chess", mask="packed", observation="none", **options)
    state = env.init(jax.random.key(0))
    action = env.sample(state, jax.random.key(0))
    step = jax.jit(env.step)

    def call(steps: int) -> None:
        for _ in range(steps):
            found = step(state, action)
        jax.block_until_ready(found)

    compiled = _compiled if device == "cpu" else _compiled_blocks
    loop = compiled(lambda state: env.step(state, action), jax.tree.map(jax.numpy.copy, state))
    times = []
    for advance in (Advance(call), loop):
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
    print_speeds(f"chess, {games:,} games, one core", "NumPy", speeds, beside)
    print_overhead(*call_overhead())


def print_speeds(title: str, reference: str, speeds: dict[str, list[float]], beside: dict[str, list[float]]) -> None:
    """Prints the steps per second of each run, and how JAX compares with the reference, and with Pgx in the rounds that
    ran beside it."""
    heading = f"   of {reference}"
    print(f"{title:<33}{'steps per second':>17}{heading}{'of Pgx':>11}")
    for name, values in speeds.items():
        others, pgx = speeds.get(name.replace("JAX", reference)), beside.get(PGX)
        is_jax = name.startswith("JAX")
        of_reference = _ratio(values, others) if is_jax and others else ""
        of_pgx = _ratio(beside[name], pgx) if is_jax and pgx else ""
        print(f"{name:<33}{statistics.median(values):>17,.0f}{of_reference:>{len(heading)}}{of_pgx:>11}".rstrip())


def print_overhead(called: float, looped: float) -> None:
    """Prints the microseconds of :func:`call_overhead`."""
    print(f"a step of one game: {called:.1f} µs per call of the compiled function, {looped:.1f} µs inside a loop")


def _ratio(values: list[float], others: list[float]) -> str:
    return f"{statistics.median(one / other for one, other in zip(values, others, strict=True)):.2f} ×"
