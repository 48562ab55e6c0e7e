"""The Python in these pages is run as doctests: `pytest docs`. Pages about a package that is not installed are left out."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

# Ray reads these when it is imported: tests write no token to the home folder and send no usage statistics.
os.environ.update(RAY_AUTH_MODE="disabled", RAY_USAGE_STATS_ENABLED="0")

NEEDS = {
    "analysis.md": "pyarrow",
    "guide/gpu.md": "jax",
    "guide/gymnasium.md": "gymnasium",
    "guide/jax.md": "jax",
    "guide/pettingzoo.md": "pettingzoo",
    "guide/pytorch.md": "torch",
    "guide/ray.md": "ray",
    "guide/recording.md": "pyarrow",
}

collect_ignore = [page for page, package in NEEDS.items() if find_spec(package) is None]
collect_ignore_glob = ["site/*"]

GAMES = """1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0

1. f3 e5 2. g4 Qh4# 0-1
"""


@pytest.fixture(autouse=True)
def a_folder_with_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages read `games.pgn`, and leave nothing in the tree."""
    (tmp_path / "games.pgn").write_text(GAMES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
