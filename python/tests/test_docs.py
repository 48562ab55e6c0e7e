"""The Python code in the documentation runs: blocks with prompts as doctests, and the block in the README as it is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import peers
import pytest

import fourfold
from fourfold import bench

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("docs/**/*.md")), ROOT / "python/README.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_every_block_has_prompts() -> None:
    blocks = 0
    # `./test guide` runs the Python of this page, with the game that the page adds.
    pages = [page for page in PAGES if page.name != "adding-a-game.md"]
    for page in pages:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            assert block.startswith(">>> ") and block.endswith("\n\n"), f"{page}: not run:\n{block}"
            blocks += 1
    assert blocks > 20


def test_the_readme_runs() -> None:
    (block,) = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    names: dict[str, object] = {}

    def net(observation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        env = names["env"]
        assert isinstance(env, fourfold.Environment)
        n = len(observation)
        return np.zeros((n, env.num_actions), np.float32), np.zeros((n, env.num_players), np.float32)

    names["net"] = net
    exec(compile(block, "README.md", "exec"), names)
    assert isinstance(names["state"], fourfold.State)


def test_documented_benchmark_commands_are_valid() -> None:
    pages = [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    command = re.compile(r"`python (-m fourfold\.bench|benchmarks/peers\.py)( [^`…]*)?`")
    lines = [line for page in pages for line in command.findall(page.read_text(encoding="utf-8"))]
    for program, line in lines:
        (peers if program.endswith(".py") else bench).read(shlex.split(line))
    assert {program for program, _ in lines} == {"-m fourfold.bench", "benchmarks/peers.py"}
    assert len(lines) > 5
    for module in (bench, peers):
        with pytest.raises(SystemExit):
            module.read(["--games", "3"])
