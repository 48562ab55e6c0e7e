"""The commands that measure and compare the environments of JAX: `fourfold.bench --only jax` and `fourfold.jax`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

from fourfold import _bench_jax, bench  # noqa: E402
from fourfold._bench_jax import PGX  # noqa: E402
from fourfold.jax import __main__ as command  # noqa: E402
from fourfold.jax._check import FORMATS, find_device  # noqa: E402


def test_the_benchmark(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def without_pgx(games: int, backend: str) -> None:
        raise ImportError("no Pgx in this test")

    monkeypatch.setattr("fourfold._bench_jax._SECONDS", 0.001)
    monkeypatch.setattr("fourfold._bench_jax.use_one_core", lambda: None)
    monkeypatch.setattr("fourfold._bench_jax.pgx_chess", without_pgx)
    assert bench.main(["--only", "jax", "--num-envs", "3", "--rounds", "2"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "skipped: Pgx, bool/float32 (no Pgx in this test)"
    assert [line.split("  ")[0] for line in printed[2:-1]] == [
        f"{name}, {formats}" for formats in ("packed/packed", "bool/float32") for name in ("NumPy", "JAX")
    ]
    assert printed[3].endswith("×") and printed[-1].startswith("a step of one game: ")


def test_the_benchmark_on_a_gpu(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def pgx(games: int, backend: str) -> _bench_jax.Advance:
        assert backend == "gpu"
        if games == 2:
            raise ImportError("no Pgx in this test")
        return _bench_jax.Advance(lambda steps: time.sleep(steps / 100_000), _bench_jax.BLOCK)

    monkeypatch.setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    monkeypatch.setattr("fourfold._bench_jax._SECONDS", 0.001)
    monkeypatch.setattr("fourfold._bench_jax.pgx_chess", pgx)
    arguments = ["--only", "jax", "--device", "cuda-emulated", "--games", "2", "--games", "3", "--rounds", "2"]
    assert bench.main(arguments) == 0
    skipped, first, *printed = capsys.readouterr().out.splitlines()
    assert skipped == "skipped: Pgx, bool/float32, 2 games (no Pgx in this test)"
    assert first.split("  ")[0] == "chess, 2 games" and first.endswith('of device="cuda-emulated"     of Pgx')
    names = [
        f"{name}, {formats}"
        for formats in ("bool/float32", "packed/packed")
        for name in ('device="cuda-emulated"', "JAX")
    ]
    assert [line.split("  ")[0] for line in printed] == [*names, "chess, 3 games", *names, PGX, printed[-1]]
    # The rows of JAX have a ratio to the environment on the GPU, and one to Pgx if it ran.
    assert [line.count("×") for line in printed] == [0, 1, 0, 1, 0, 0, 2, 0, 2, 0, 0]
    assert printed[-1].startswith("a step of one game: ")


def test_arguments_of_the_benchmark_on_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    given = bench.read(["--only", "jax", "--device", "cuda", "--games", "5", "--game", "chess"])
    assert (given.only, given.device, given.games) == ("jax", "cuda", [5])
    for arguments, message in (
        ("--only search --device cuda", "expected --only jax or no --only with --device cuda, got --only search"),
        ("--only jax --device cuda --game blokus", "--only jax measures only chess, got --game blokus"),
        ("--only jax --games 5", "--game and --games need --device cuda"),
    ):
        with pytest.raises(SystemExit) as error:
            bench.read(arguments.split())
        assert error.value.code == 2 and message in capsys.readouterr().err
    # No machine has this many GPUs.
    assert bench.main(["--only", "jax", "--device", "cuda:999"]) == 2
    assert "CUDA" in capsys.readouterr().err


def test_a_loop_of_fixed_length_plays_the_requested_steps() -> None:
    played: list[int] = []

    def body(carry: Any) -> Any:
        jax.debug.callback(lambda step: played.append(int(step)), carry, ordered=True)
        return carry + 1

    advance = _bench_jax._compiled_blocks(body, jnp.int32(0))
    for blocks in (1, 3):
        advance(blocks * _bench_jax.BLOCK)
    jax.effects_barrier()
    assert played == list(range(4 * _bench_jax.BLOCK))
    with pytest.raises(ValueError, match="expected a multiple of 20 steps, got 21"):
        advance(21)
    steps = _bench_jax.fitting_steps(advance, 0.01)
    assert steps >= 20 and steps % 20 == 0


def test_the_command_compares(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["check", "--games", "4", "--steps", "32", "--game", "blokus_duo"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 2 + 4 * len(FORMATS) and printed[-1] == "no difference"
    assert all(line.endswith("equal") for line in printed[1:-1])
    with pytest.raises(SystemExit):
        command.main(["check", "--games", "0"])


def test_the_command_runs_on_a_device(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    devices: list[Any] = []

    def check(games: int, steps: int, only: str | None) -> int:
        devices.append(jax.config.jax_default_device)
        return 0

    monkeypatch.setattr(command, "check", check)
    assert command.main(["check"]) == command.main(["check", "--device", "cpu"]) == 0
    assert devices == [None, jax.devices("cpu")[0]]
    with pytest.raises(SystemExit):
        command.main(["check", "--device", "tpu"])
    capsys.readouterr()

    def without_gpu(platform: str | None = None) -> list[Any]:
        if platform == "gpu":
            raise RuntimeError("Unknown backend")
        return found(platform)

    found = jax.devices
    monkeypatch.setattr(jax, "devices", without_gpu)
    assert command.main(["check", "--device", "cuda"]) == 2
    assert capsys.readouterr().err == "JAX has no GPU, only cpu:0: install JAX for CUDA\n"
    with pytest.raises(RuntimeError, match="JAX has no CPU device with index 7, only cpu:0"):
        find_device("cpu", 7)


def test_a_comparison_runs_on_the_default_device() -> None:
    program = """
import jax
from fourfold.jax import _check

places = []
compare = _check._difference
def difference(expected, found, step):
    places.append({device for leaf in jax.tree.leaves(found) for device in leaf.devices()})
    return compare(expected, found, step)
_check._difference = difference
second = _check.find_device("cpu", 1)
with jax.default_device(second):
    assert list(_check.compare_with_numpy("chess", {}, games=2, steps=3)) == [None] * 4
assert places == [{second}] * 4
"""
    flags = {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    subprocess.run([sys.executable, "-c", program], env={**os.environ, **flags}, check=True)
