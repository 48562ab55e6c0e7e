"""The programs in `python/examples` run and print what they should."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import io
import os
import pickle
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(autouse=True)
def can_import_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)


RUNS = {
    "random_games.py": (["--games", "200"], "200 games"),
    "train_step.py": (["--games", "32", "--steps", "600", "--epochs", "50"], "value of a queen: "),
    "annotate_pgn.py": ([], "White won by checkmate"),
}

LEARN = {
    "reinforce_chess.py": (["--games", "8", "--updates", "3", "--moves", "2"], "mates within 2 moves"),
    "self_play_blokus.py": (["--games", "4", "--rounds", "2", "--size", "5"], "wins against a random player"),
    "league_four_player.py": (["--games", "8", "--updates", "3", "--moves", "3"], "greedy bot"),
    "kung_fu_agents.py": (["--games", "4", "--updates", "2", "--steps", "6"], "mean return"),
}

PPO = ["--updates", "3", "--games", "8", "--hidden", "16", "--option", "size=5"]

TORCH_GPU = ["--device", "cuda-emulated", "--updates", "3", "--games", "8", "--size", "5"]

SHARED = ["curves.py", "policies.py", "training.py"]


def run(name: str, arguments: list[str], folder: Path) -> str:
    return run_and_show(name, arguments, folder)[0]


def run_and_show(name: str, arguments: list[str], folder: Path) -> tuple[str, str]:
    """Runs an example, and returns what it prints and its progress bar."""
    command = [sys.executable, "-P", "-W", "error", str(EXAMPLES / name), *arguments]
    # Can import the shared modules, as if it were run from its own folder.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(EXAMPLES), os.environ.get("PYTHONPATH", "")])}
    found = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=240, cwd=folder, env=environment
    )
    assert found.returncode == 0, found.stderr
    return found.stdout, found.stderr


def report(output: str) -> list[str]:
    """Returns the lines that an example prints after training."""
    lines = output.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("mean return against the random bot"))
    return lines[first:]


class Reader(pickle.Unpickler):
    """Reads a checkpoint, whose classes may belong to the program that wrote it."""

    def __init__(self, path: Path, program: str) -> None:
        super().__init__(io.BytesIO(path.read_bytes()))
        self.program = program

    def find_class(self, module: str, name: str) -> Any:
        return super().find_class(self.program if module == "__main__" else module, name)


def weights(path: Path) -> list[np.ndarray]:
    """Returns the weights and the state of the optimizer in a checkpoint."""
    state = Reader(path, path.stem).load()["state"]
    found = state[0].__getstate__() if isinstance(state, tuple) else (state.weights, state.moments)
    return [np.asarray(leaf) for leaf in jax.tree.leaves(found)]


def check_learning(name: str, arguments: list[str], folder: Path) -> str:
    """Checks the checkpoints, the progress bar and the report of an example that does several updates."""
    whole, parts = folder / "whole", folder / "parts"
    whole.mkdir()
    parts.mkdir()
    output, bar = run_and_show(name, arguments, whole)
    assert re.search(r"100%\|.*update", bar)
    assert re.search(r"mean return against the greedy bot: [+-]\d", output)
    stopped = run(name, [*arguments, "--stop-after", "1"], parts)
    assert "stopped after 1 of" in stopped and "at the start" not in stopped
    resumed = run(name, [*arguments, "--resume"], parts)
    assert "resumed after 1 of" in resumed
    # Training in two parts gives the same network as training in one.
    assert report(resumed) == report(output)
    one, other = (weights((part / name).with_suffix(".checkpoint")) for part in (whole, parts))
    assert len(one) > 10 and all(map(np.array_equal, one, other))
    return output


def test_every_example_is_run() -> None:
    assert sorted(path.name for path in EXAMPLES.glob("*.py")) == sorted(
        [*RUNS, *LEARN, *SHARED, "ppo_gymnasium.py", "torch_gpu.py"]
    )


@pytest.mark.parametrize("name", RUNS)
def test_example(name: str, tmp_path: Path) -> None:
    arguments, said = RUNS[name]
    assert said in run(name, arguments, tmp_path)


@pytest.mark.parametrize("framework", ["jax", "torch"])
@pytest.mark.parametrize("name", LEARN)
def test_learning_example(name: str, framework: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(framework) is None:
        pytest.skip(f"{framework} is not installed (./test --full)")
    arguments, said = LEARN[name]
    output = check_learning(name, [*arguments, "--framework", framework], tmp_path)
    assert said in output and "at the start" in output and f"seed 0, {framework}" in output
    assert (tmp_path / "whole" / name).with_suffix(".png").stat().st_size > 5_000


def test_ppo(tmp_path: Path) -> None:
    assert "mean result from" in check_learning("ppo_gymnasium.py", PPO, tmp_path)


def test_torch_on_a_gpu(tmp_path: Path) -> None:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed (./test --full)")
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    whole.mkdir()
    parts.mkdir()
    output, bar = run_and_show("torch_gpu.py", TORCH_GPU, whole)
    assert re.search(r"100%\|.*update", bar) and "mean result: " in output
    assert "stopped after 1 of" in run("torch_gpu.py", [*TORCH_GPU, "--stop-after", "1"], parts)
    assert report(run("torch_gpu.py", [*TORCH_GPU, "--resume"], parts)) == report(output)


def test_torch_on_a_gpu_says_what_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / "torch_gpu.py")]
    # No GPU is visible, whether there is one or not.
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert found.returncode == 1
    assert "needs PyTorch" in found.stderr or "PyTorch finds no GPU" in found.stderr


def test_ctrl_c_finishes_the_update_and_saves(tmp_path: Path) -> None:
    training = importlib.import_module("training")
    options = {"checkpoint": str(tmp_path / "file"), "save_every": 2, "stop_after": None}

    def updates(resume: bool, interrupted: int | None, total: int = 6) -> list[int]:
        run = training.Run(argparse.Namespace(**options, resume=resume), total, list)
        before = signal.getsignal(signal.SIGINT)
        for update in run:
            if update == interrupted:
                signal.raise_signal(signal.SIGINT)
            run.state.append(update)
        assert signal.getsignal(signal.SIGINT) is before
        assert run.finished == (interrupted is None)
        return list(run.state)

    assert updates(resume=False, interrupted=2) == [0, 1, 2]
    assert updates(resume=True, interrupted=None) == [0, 1, 2, 3, 4, 5]
    with pytest.raises(SystemExit, match="is from a training of 6 updates, not 7"):
        updates(resume=True, interrupted=None, total=7)


def test_a_game_from_a_file_is_annotated(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text("1. f3 e5 2. g4 Qh4# 0-1", encoding="utf-8")
    run = [sys.executable, "-P", str(EXAMPLES / "annotate_pgn.py"), str(file)]
    found = subprocess.run(run, capture_output=True, text=True, check=True)
    assert "Qh4#    checkmate" in found.stdout and "Black won by checkmate" in found.stdout
