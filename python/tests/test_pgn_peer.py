"""python-chess reads the games of data/chess/pgn-cases.txt as we do, or the file says why not.

Our own reader is compared with the file in crates/chess/tests/it/lenient.rs.
"""

from __future__ import annotations

import io
import logging
from pathlib import Path
from typing import Any

import pytest

chess = pytest.importorskip("chess")
pgn = pytest.importorskip("chess.pgn")

CASES = Path(__file__).parents[2] / "data" / "chess" / "pgn-cases.txt"


def test_python_chess_agrees_with_the_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger("chess.pgn"), "disabled", True)
    agreed = excused = 0
    for part in CASES.read_text(encoding="utf-8").split("\n== ")[1:]:
        name, _, rest = part.partition("\n")
        lines = rest.splitlines()
        values = dict(line[2:].split(":", 1) for line in lines if line.startswith("= "))
        text = "".join(f"{line}\n" for line in lines if not line.startswith("= "))
        games, errors = read(text.replace("␍\n", "\r\n").replace("␍", "\r"))
        agrees = " | ".join(games) == values["games"].strip()
        if "python-chess" in values:
            assert not agrees or errors, f"{name}: python-chess agrees, so no reason is needed"
            excused += 1
        elif not errors:
            assert agrees, f"{name}: {games}"
            agreed += 1
    assert agreed >= 100, agreed
    assert excused <= 45, excused


def read(text: str) -> tuple[list[str], list[Exception]]:
    """Returns the moves and the result of each game, and what python-chess reports."""
    handle = io.StringIO(text, newline=None)
    games: list[str] = []
    errors: list[Exception] = []
    while (game := pgn.read_game(handle)) is not None:
        errors += game.errors
        if not game.errors:
            games.append(" ".join([*line(game, game.board()), game.headers["Result"]]))
    return games, errors


def line(node: Any, board: Any) -> list[str]:
    """Returns the moves after a node in UCI, with variations in parentheses."""
    words = []
    while node.variations:
        node, *others = node.variations
        words.append(board.uci(node.move))
        for other in others:
            after = board.copy()
            after.push(other.move)
            words.append(f"({' '.join([board.uci(other.move), *line(other, after)])})")
        board.push(node.move)
    return words
