"""The analysis written with python-chess agrees with docs/analysis.md."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

chess = pytest.importorskip("chess")

from python_chess_analysis import analyze  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "analysis.md"


def test_peer_matches_the_documentation() -> None:
    checked: Counter[str] = Counter()
    facts: dict[str, Any] = {}
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        key, _, value = line.partition(": ")
        if key == "position":
            facts = analyze(chess.Board(value))
            continue
        expected = [] if value == "none" else value.split()
        got = fact(facts, key)
        if got is not None:
            names = [chess.square_name(square) for square in got]
            assert names == expected, f"{PAGE.name}:{number}: {line}"
            checked[key.removeprefix("white ").removeprefix("black ")[:9]] += 1
    wanted = "pieces attacked hanging pinned pinned_pa skewered developed attackers defenders"
    assert checked.keys() >= set(wanted.split()), checked
    assert sum(checked.values()) > 60, checked


def fact(facts: dict[str, Any], key: str) -> list[int] | None:
    """Returns the squares of a fact by its name on the page, or None if the peer does not have it."""
    match key.split():
        case [("attackers" | "defenders") as which, name] if len(name) == 2:
            attackers, defenders = facts["attack_map"][chess.parse_square(name)]
            return list(chess.scan_forward(attackers if which == "attackers" else defenders))
        case [("white" | "black") as color, name] if name.startswith("pawns."):
            return facts[color]["pawns"][name.removeprefix("pawns.")]  # type: ignore[no-any-return]
        case [("white" | "black") as color, name]:
            return facts[color].get(name)  # type: ignore[no-any-return]
    return None
