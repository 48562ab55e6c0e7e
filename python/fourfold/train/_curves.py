"""The learning curves in docs/training.md: tables of the figures of runs, and pictures of these tables.

``scripts/training-curves`` runs this module.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import fourfold
from fourfold.train import _export, _games, _report
from fourfold.train._run import Progress

_RATING = "rating"
_MOST = 40
"""The most evaluations of a run that are kept."""


class Row(NamedTuple):
    """A figure of a run after some minutes, with its 95% interval."""

    seed: int
    """The seed of the run."""
    minutes: float
    figure: str
    """``rating``, or the level of the bots against which the network scored."""
    value: float
    low: float
    high: float


def of_run(game: str, folder: Path) -> list[Row]:
    """Returns the figures of a run. Raises ValueError if it is one of another game, or was not evaluated."""
    import pyarrow.parquet

    try:
        description = json.loads((folder / _export.DESCRIPTION).read_text(encoding="utf-8"))
        own, seed = description["game"], int(description["about"]["settings"]["seed"])
        matches = pyarrow.parquet.read_table(folder / _report.MATCHES).to_pylist()
    except FileNotFoundError as error:
        raise ValueError(f"{folder} is not a run with evaluations: {error.filename} is missing") from None
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the run in {folder} cannot be read: {error}") from error
    if own != game:
        raise ValueError(f"{folder} has a run of {own}, not of {game}")
    minutes = sorted({match["minutes"] for match in matches})
    wanted = {minutes[round(index)] for index in np.linspace(0, len(minutes) - 1, min(len(minutes), _MOST))}
    matches = [match for match in matches if match["minutes"] in wanted]
    make: Callable[..., Any] = fourfold.make
    ratings = _report.ratings(game, make(game).num_players, Progress(matches=matches))
    rows = [Row(seed, round(at, 2), _RATING, *found) for at, found in ratings.items()]
    for match in matches:
        score = [round(match[name], 3) for name in ("score", "low", "high")]
        rows.append(Row(seed, round(match["minutes"], 2), match["opponent"], *score))
    return rows


def read(path: Path) -> list[Row]:
    """Reads a table. Raises ValueError if it is not one."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    if tuple(header) != Row._fields:
        raise ValueError(f"{path}: expected the columns {', '.join(Row._fields)}, got {', '.join(header)}")
    return [Row(int(line[0]), float(line[1]), line[2], *map(float, line[3:])) for line in lines]


def write(path: Path, rows: Iterable[Row]) -> None:
    """Writes a table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        by_seed: list[Row] = sorted(rows, key=lambda row: row.seed)
        writer.writerows(by_seed)


def draw(path: Path, title: str, rows: list[Row]) -> None:
    """Draws a table as an SVG: a line for each seed, and their mean if there are several."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plot

    # The same table gives the same file.
    with matplotlib.rc_context({"svg.hashsalt": "fourfold", "svg.fonttype": "none"}):
        figure, (rating, scores) = plot.subplots(1, 2, figsize=(10, 3.6), layout="constrained", sharex=True)
        figure.suptitle(title)
        levels = list(dict.fromkeys(row.figure for row in rows if row.figure != _RATING))
        _lines(rating, rows, _RATING, "C0", None)
        for index, level in enumerate(levels):
            _lines(scores, rows, level, f"C{index}", level)
        _report.finish(rating, "Rating")
        _report.finish(scores, "Score against bots", (0, 1))
        for axes in (rating, scores):
            axes.set_xlabel("minutes of training")
        rating.set_xlim(left=0)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})
        plot.close(figure)


def _lines(axes: Any, rows: list[Row], figure: str, color: str, label: str | None) -> None:
    """Draws the lines of a figure."""
    seeds: dict[int, list[Row]] = {}
    for row in rows:
        if row.figure == figure:
            seeds.setdefault(row.seed, []).append(row)
    if len(seeds) == 1:
        _report.curve(axes, *_columns(next(iter(seeds.values()))), color=color, label=label)
        return
    for found in seeds.values():
        _report.curve(axes, *_columns(found), color=color, linewidth=0.6, markersize=0)
    minutes, values = mean(list(seeds.values()))
    axes.plot(minutes, values, color=color, linewidth=1.8, label=label or "mean")


def _columns(rows: list[Row]) -> tuple[list[float], ...]:
    return tuple([float(getattr(row, name)) for row in rows] for name in ("minutes", "value", "low", "high"))


def mean(seeds: list[list[Row]]) -> tuple[list[float], list[float]]:
    """Returns the mean of the lines of several seeds, at all minutes at which one of them has a point and all have
    begun and not ended."""
    lines = [_columns(rows)[:2] for rows in seeds]
    first, last = max(minutes[0] for minutes, _ in lines), min(minutes[-1] for minutes, _ in lines)
    every = sorted({minute for minutes, _ in lines for minute in minutes if first <= minute <= last})
    values = np.mean([np.interp(every, minutes, found) for minutes, found in lines], axis=0)
    return every, values.tolist()


def main(root: Path, arguments: list[str] | None = None) -> int:
    """Runs the script for the documentation in a folder. Returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="scripts/training-curves",
        description="Draws docs/pictures/training/GAME.svg from each docs/data/training/GAME.csv.",
    )
    commands = parser.add_subparsers(dest="command")
    adding = commands.add_parser("add", help="first add the figures of runs to a table")
    adding.add_argument("game", choices=_games.GAMES)
    adding.add_argument("runs", nargs="+", type=Path, metavar="RUN_DIR", help="replaces what its seed had")
    given = parser.parse_args(arguments)
    tables = root / "docs/data/training"
    try:
        if given.command == "add":
            table = tables / f"{given.game}.csv"
            rows = read(table) if table.exists() else []
            for run in given.runs:
                new = of_run(given.game, run)
                rows = [row for row in rows if row.seed != new[0].seed] + new
            write(table, rows)
        for table in sorted(tables.glob("*.csv")):
            picture = root / f"docs/pictures/training/{table.stem}.svg"
            draw(picture, table.stem.replace("_", " ").title(), read(table))
            print(f"wrote {picture.relative_to(root)}")
    except ValueError as error:
        parser.error(str(error))
    return 0
