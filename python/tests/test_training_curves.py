"""The learning curves of the documentation."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fourfold.train import _curves, _report
from fourfold.train._curves import Row
from fourfold.train._run import Progress


def make_run(folder: Path, seed: int, evaluations: int, game: str = "kung_fu") -> Path:
    """Writes made-up figures as those of a run."""
    folder.mkdir()
    progress = Progress()
    for index in range(evaluations):
        for level, share in (("random", 1.0), ("greedy", 0.5)):
            score = share * (index + 1) / evaluations
            interval = {"low": max(0.0, score - 0.1), "high": min(1.0, score + 0.1)}
            match = {"minutes": 0.25 * index, "opponent": level, "games": 40, "score": score, **interval}
            progress.matches.append(match)
    _report.write(folder, "made up", game, 2, progress)
    about = {"game": game, "about": {"settings": {"seed": seed}}}
    (folder / "model.json").write_text(json.dumps(about))
    return folder


def test_runs_become_a_table_and_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = tmp_path / "docs"
    runs = [make_run(tmp_path / f"run{seed}", seed, 8) for seed in (1, 2)]
    assert _curves.main(tmp_path, ["add", "kung_fu", str(runs[0])]) == 0
    one = (docs / "pictures/training/kung_fu.svg").read_bytes()
    assert capsys.readouterr().out == "wrote docs/pictures/training/kung_fu.svg\n"
    assert _curves.main(tmp_path, ["add", "kung_fu", *map(str, runs)]) == 0
    picture = docs / "pictures/training/kung_fu.svg"
    both = picture.read_bytes()
    assert both != one and _curves.main(tmp_path, []) == 0 and picture.read_bytes() == both
    words = {element.text for element in ElementTree.fromstring(both).iter() if element.text}
    assert {"Kung Fu", "Rating", "Score against bots", "mean", "random", "greedy"} <= words
    rows = _curves.read(docs / "data/training/kung_fu.csv")
    # Adding a run again replaces it.
    assert [row.seed for row in rows] == [1] * 24 + [2] * 24
    rating, score = rows[7], rows[-1]
    assert rating.figure == "rating" and rating.low < rating.value < rating.high
    assert score == Row(2, 1.75, "greedy", 0.5, 0.4, 0.6)


def test_long_runs_are_thinned(tmp_path: Path) -> None:
    rows = _curves.of_run("kung_fu", make_run(tmp_path / "run", 7, 200))
    ratings = [row.minutes for row in rows if row.figure == "rating"]
    assert len(ratings) == 40 and (ratings[0], ratings[-1]) == (0.0, 49.75)
    assert len(rows) == 3 * 40


def test_the_mean_is_where_all_seeds_have_a_value() -> None:
    one = [Row(1, minutes, "rating", value, 0, 0) for minutes, value in ((0.0, 0.0), (2.0, 20.0), (4.0, 40.0))]
    other = [Row(2, minutes, "rating", value, 0, 0) for minutes, value in ((1.0, 0.0), (3.0, 0.0))]
    assert _curves.mean([one, other]) == ([1.0, 2.0, 3.0], [5.0, 10.0, 15.0])


def test_errors_say_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chess, empty = make_run(tmp_path / "chess", 1, 2, "chess"), tmp_path / "empty"
    damaged = make_run(tmp_path / "damaged", 1, 2)
    (damaged / "model.json").write_text("{}")
    table = tmp_path / "docs/data/training/chess.csv"
    table.parent.mkdir(parents=True)
    table.write_text("seed,minutes\n")
    for arguments, expected in [
        (["add", "checkers", str(chess)], "invalid choice: 'checkers'"),
        (["add", "kung_fu", str(chess)], "has a run of chess, not of kung_fu"),
        (["add", "kung_fu", str(empty)], "is not a run with evaluations: "),
        (["add", "kung_fu", str(damaged)], "cannot be read: 'game'"),
        ([], "expected the columns seed, minutes, figure, value, low, high, got seed, minutes"),
    ]:
        with pytest.raises(SystemExit):
            _curves.main(tmp_path, arguments)
        assert expected in capsys.readouterr().err
