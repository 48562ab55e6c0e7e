"""Several threads, and more games than fit in memory."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import fourfold
from fourfold import _threads


def together(*works: Callable[[], None], seconds: float = 120) -> None:
    """Runs each function on its own thread, and raises here what one of them raises."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(len(works))

    def run(work: Callable[[], None]) -> None:
        try:
            barrier.wait()
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds)
    assert not any(thread.is_alive() for thread in threads), "the threads wait for each other"
    if errors:
        raise errors[0]


@pytest.mark.parametrize("num_threads", [1, 2])
def test_every_call_may_come_from_any_thread(num_threads: int) -> None:
    env = fourfold.make("chess", num_envs=200, packed=True, illegal="ignore", num_threads=num_threads, max_steps=40)
    env.reset(seed=0)
    some = env.gather([0, 1])
    fen = fourfold.chess.Board().fen
    calls: list[Callable[[], object]] = [
        lambda: env.step(env.sample()),
        lambda: env.step(env.sample()),
        lambda: env.reset(mask=np.arange(200) % 7 == 0),
        lambda: env.reset(positions=[fen] * 200),
        lambda: env.scatter([5, 9], some),
        lambda: (env.observe(player=1, format="uint8"), env.positions),
        lambda: env.to_dialect("open_spiel", np.zeros(200, dtype=np.int32)),
        lambda: env.from_dialect("leela", np.zeros(200, dtype=np.int32)),
        lambda: env.load(env.save()),
        lambda: (pickle.dumps(env), copy.deepcopy(env), env.gather([3])),
        lambda: (env.rollout(20), fourfold.legacy.chess_state(env), env.current_state()),
    ]

    def repeat(call: Callable[[], object]) -> Callable[[], None]:
        def run() -> None:
            for _ in range(25):
                call()

        return run

    together(*map(repeat, calls))


def test_final_observations_match_their_step() -> None:
    """Each thread gets a consistent state of its own step."""
    env = fourfold.make("chess", num_envs=64, packed=True, illegal="ignore", max_steps=3, num_threads=1)
    env.reset(seed=0)

    def work() -> None:
        for _ in range(300):
            state = env.step(env.sample())
            ended = state.terminated | state.truncated
            assert (state.final_observation is not None) == bool(ended.any())
            if state.final_observation is not None and state.final_games is not None:
                assert np.array_equal(state.final_games, np.flatnonzero(ended))
                assert state.final_observation.any(axis=(1, 2)).all()

    together(work, work, work)


def test_steps_of_several_threads_are_played_one_after_the_other() -> None:
    env = fourfold.make("chess", num_envs=100, observation="none", mask="none", illegal="ignore", max_steps=10**6)
    env.reset(seed=0)
    lock = threading.Lock()
    valid = np.zeros(100, dtype=np.int64)

    def work() -> None:
        for _ in range(100):
            state = env.step(env.sample())
            with lock:
                valid[:] += state.move_valid & ~state.terminated

    env.reset(positions=["8/P6k/8/8/8/8/8/K7 w - - 0 1"] * 100)
    together(work, work)
    counts = env.array("step_counts")
    # Games that ended have restarted.
    assert (counts <= valid).all() and (counts == valid).any()


def test_concurrent_scatter_does_not_deadlock() -> None:
    one, other = (fourfold.make("chess", 64, illegal="ignore", observation="none") for _ in range(2))
    places = np.arange(64)

    def to() -> None:
        for _ in range(300):
            one.scatter(places, other)

    def fro() -> None:
        for _ in range(300):
            other.scatter(places, one)

    def itself() -> None:
        for _ in range(100):
            one.scatter(places[::-1], one)
            other.step(other.sample(seed=1))

    together(to, fro, itself)
    assert len(one.positions) == len(other.positions) == 64


def test_board_can_be_used_during_perft() -> None:
    board = fourfold.chess.Board()

    def count() -> None:
        assert board.copy().perft(5) == 4_865_609
        board.perft(5)

    def play() -> None:
        for _ in range(200):
            board.push("e4")
            board.undo()

    together(count, play)


def test_locks_are_not_part_of_a_copy() -> None:
    env = fourfold.make("chess", num_envs=3, num_threads=1)
    with env._lock:
        clone = env.clone()
        other = pickle.loads(pickle.dumps(env))
        together(lambda: clone.step(clone.sample()) and None, lambda: other.step(other.sample()) and None)


CGROUPS: list[tuple[str, dict[str, str], list[int]]] = [
    ("0::/\n", {"cpu.max": "200000 100000\n"}, [2]),
    ("0::/\n", {"cpu.max": "max 100000\n"}, []),
    ("0::/\n", {"cpu.max": "50000 100000\n"}, [1]),
    ("0::/\n", {"cpu.max": "350000 100000\n"}, [3]),
    ("0::/\n", {"cpu.max": "nonsense"}, []),
    ("0::/\n", {}, []),
    # The group's parent has the smaller limit.
    ("0::/jobs/7\n", {"jobs/7/cpu.max": "800000 100000", "jobs/cpu.max": "300000 100000"}, [8, 3]),
    # The path is the host's, the mount the container's.
    ("0::/docker/4f2a\n", {"cpu.max": "400000 100000"}, [4]),
    ("3:cpu,cpuacct:/\n", {"cpu,cpuacct/cpu.cfs_quota_us": "600000", "cpu,cpuacct/cpu.cfs_period_us": "100000"}, [6]),
    ("3:cpu:/a\n1:cpuset:/\n", {"cpu/a/cpu.cfs_quota_us": "90000", "cpu/a/cpu.cfs_period_us": "30000"}, [3]),
    ("3:cpu:/\n", {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, []),
    ("1:cpu:/\n0::/\n", {"unified/cpu.max": "500000 100000", "cpu/cpu.cfs_quota_us": "-1"}, [5]),
]


@pytest.mark.parametrize("membership, files, limits", CGROUPS)
def test_default_threads_respect_cgroups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, membership: str, files: dict[str, str], limits: list[int]
) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(membership)
    for name, text in files.items():
        path = tmp_path / "sys/fs/cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert list(_threads.cgroup_limits(tmp_path)) == limits
    monkeypatch.setattr(_threads, "_affinity", lambda: 7)
    assert _threads.default_threads({}, tmp_path) == min([7, *limits])


@pytest.mark.parametrize(
    "value, expected", [("3", 3), ("5,2", 5), (" 2 ", 2), ("64", 7), ("0", 7), ("-2", 7), ("two", 7), ("9" * 5000, 7)]
)
def test_default_threads_respect_openmp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, expected: int
) -> None:
    monkeypatch.setattr(_threads, "_affinity", lambda: 7)
    assert _threads.default_threads({"OMP_NUM_THREADS": value}, tmp_path) == expected


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs CPU affinity")
def test_default_threads_respect_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert fourfold.make("chess").num_threads == 1
    finally:
        os.sched_setaffinity(0, before)


def test_unpickled_environments_decide_about_threads_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_threads, "default_threads", lambda: 3)
    env, given = fourfold.make("chess"), fourfold.make("chess", num_threads=2)
    assert (env.num_threads, env.config["num_threads"]) == (3, None)
    assert env.clone().num_threads == env.gather([0]).num_threads == 3
    pickled = pickle.dumps((env, given))
    monkeypatch.setattr(_threads, "default_threads", lambda: 5)
    env, given = pickle.loads(pickled)
    assert (env.num_threads, env.config["num_threads"]) == (5, None)
    assert (given.num_threads, given.config["num_threads"]) == (2, 2)


def test_too_many_games_raise_memory_error() -> None:
    with pytest.raises(ValueError, match="expected num_envs from 1 to 16777216, got 16777217"):
        fourfold.make("chess", num_envs=2**24 + 1)
    program = """
import resource
import fourfold
env = fourfold.make("chess", num_envs=1000, num_threads=1)
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
try:
    fourfold.make("chess", num_envs=2**24, packed=True, num_threads=1)
except MemoryError as error:
    print(error)
try:
    env.gather([0] * 2**21)
except MemoryError as error:
    print(error)
try:
    # The games fit, their observations do not.
    fourfold.make("chess", num_envs=100_000, num_threads=1).reset(seed=0)
except MemoryError as error:
    print("observations")
env.reset(seed=0)
print(env.step(env.sample()).rewards.shape)
"""
    found = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    first, second, third, last = found.stdout.splitlines()
    assert first.startswith("not enough memory: 16777216 games need ") and first.endswith(" GB")
    assert second.startswith("not enough memory: 2097152 games need ")
    assert (third, last) == ("observations", "(1000, 2)")
