"""The programs in `python/examples` run, and say what they should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"

RUNS = {
    "random_games.py": (["--games", "200"], "200 games"),
    "train_step.py": (["--games", "32", "--steps", "600", "--epochs", "50"], "one queen more is worth"),
    "annotate_pgn.py": ([], "White won by checkmate"),
    "ppo_gymnasium.py": (["--updates", "3", "--games", "8", "--hidden", "16", "--option", "size=5"], "mean result from"),
}


def test_every_example_is_run() -> None:
    assert sorted(path.name for path in EXAMPLES.glob("*.py")) == sorted(RUNS)


@pytest.mark.parametrize("name", RUNS)
def test_example(name: str) -> None:
    arguments, said = RUNS[name]
    run = [sys.executable, "-P", "-W", "error", str(EXAMPLES / name), *arguments]
    found = subprocess.run(run, capture_output=True, text=True, check=False, timeout=120)
    assert found.returncode == 0, found.stderr
    assert said in found.stdout


def test_a_game_from_a_file_is_annotated(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text("1. f3 e5 2. g4 Qh4# 0-1", encoding="utf-8")
    run = [sys.executable, "-P", str(EXAMPLES / "annotate_pgn.py"), str(file)]
    found = subprocess.run(run, capture_output=True, text=True, check=True)
    assert "Qh4#    checkmate" in found.stdout and "Black won by checkmate" in found.stdout
