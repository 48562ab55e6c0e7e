"""The programs in `python/examples` run and print what they should."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"

RUNS = {
    "random_games.py": (["--games", "200"], "200 games"),
    "train_step.py": (["--games", "32", "--steps", "600", "--epochs", "50"], "value of a queen: "),
    "annotate_pgn.py": ([], "White won by checkmate"),
    "ppo_gymnasium.py": (
        ["--updates", "3", "--games", "8", "--hidden", "16", "--option", "size=5"],
        "mean result from",
    ),
}

LEARN = {
    "reinforce_chess.py": (["--games", "8", "--updates", "3", "--moves", "2"], "mates within 2 moves"),
    "self_play_blokus.py": (["--games", "4", "--rounds", "2", "--size", "5"], "wins against a random player"),
    "league_four_player.py": (["--games", "8", "--updates", "3", "--moves", "3"], "greedy bot"),
    "kung_fu_agents.py": (["--games", "4", "--updates", "2", "--steps", "6"], "mean return"),
}

SHARED = ["curves.py", "policies.py"]


def run(name: str, arguments: list[str], folder: Path) -> str:
    command = [sys.executable, "-P", "-W", "error", str(EXAMPLES / name), *arguments]
    # Can import the shared modules, as if it were run from its own folder.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(EXAMPLES), os.environ.get("PYTHONPATH", "")])}
    found = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=240, cwd=folder, env=environment
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_every_example_is_run() -> None:
    assert sorted(path.name for path in EXAMPLES.glob("*.py")) == sorted([*RUNS, *LEARN, *SHARED])


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
    output = run(name, [*arguments, "--framework", framework], tmp_path)
    assert said in output and "at the start" in output and f"seed 0, {framework}" in output
    assert (tmp_path / name).with_suffix(".png").stat().st_size > 5_000


def test_a_game_from_a_file_is_annotated(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text("1. f3 e5 2. g4 Qh4# 0-1", encoding="utf-8")
    run = [sys.executable, "-P", str(EXAMPLES / "annotate_pgn.py"), str(file)]
    found = subprocess.run(run, capture_output=True, text=True, check=True)
    assert "Qh4#    checkmate" in found.stdout and "Black won by checkmate" in found.stdout
