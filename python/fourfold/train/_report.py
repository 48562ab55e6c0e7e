"""The figures of a run as files: a table, a picture, and TensorBoard where it is installed."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from typing import Any

from fourfold import Bot
from fourfold.train._rating import Rating, Result, estimate
from fourfold.train._run import Progress

METRICS, MATCHES, PICTURE = "metrics.parquet", "matches.parquet", "progress.png"


def ratings(game: str, players: int, progress: Progress) -> dict[float, Rating]:
    """Returns the rating of each evaluation, by its minute."""
    known = Bot.ratings(game)
    found: dict[float, list[Result]] = {}
    for match in progress.matches:
        result = Result(known[match["opponent"]], match["score"] * match["games"], match["games"], players)
        found.setdefault(match["minutes"], []).append(result)
    return {minutes: estimate(results) for minutes, results in found.items()}


def write(folder: Path, title: str, game: str, players: int, progress: Progress) -> None:
    """Writes the tables and the picture of a run."""
    import pyarrow
    import pyarrow.parquet

    rated = ratings(game, players, progress)
    if progress.metrics:
        rows = []
        for row in progress.metrics:
            found = rated.get(row["minutes"])
            rating, low, high = found or (None, None, None)
            rows.append({**row, "rating": rating, "rating_low": low, "rating_high": high})
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), folder / METRICS)
    if progress.matches:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(progress.matches), folder / MATCHES)
    _draw(folder / PICTURE, title, rated, progress)


def _draw(path: Path, title: str, rated: dict[float, Rating], progress: Progress) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plot

    figure, axes = plot.subplots(2, 2, figsize=(10, 6.4), layout="constrained", sharex=True)
    figure.suptitle(title)
    (rating, scores), (losses, games) = axes
    minutes = sorted(rated)
    low, high = ([getattr(rated[minute], name) for minute in minutes] for name in ("low", "high"))
    curve(rating, minutes, [rated[minute].rating for minute in minutes], low, high)
    finish(rating, "Rating")
    for level in dict.fromkeys(match["opponent"] for match in progress.matches):
        found = [match for match in progress.matches if match["opponent"] == level]
        minutes = [match["minutes"] for match in found]
        low, high = ([match[name] for match in found] for name in ("low", "high"))
        curve(scores, minutes, [match["score"] for match in found], low, high, label=level)
    finish(scores, "Score against bots", (0, 1))
    minutes = [row["minutes"] for row in progress.metrics]
    for name, label in (("policy_loss", "policy"), ("value_loss", "value"), ("entropy", "entropy")):
        losses.plot(minutes, _smooth([row[name] for row in progress.metrics]), label=label)
    finish(losses, "Losses")
    losses.set_ylim(bottom=0)
    lengths = [row["steps"] / row["games"] if row["games"] else math.nan for row in progress.metrics]
    games.plot(minutes, _smooth(lengths))
    finish(games, "Steps per game")
    games.set_xlim(left=0)
    for bottom in (losses, games):
        bottom.set_xlabel("minutes of training")
    figure.savefig(path, dpi=110)
    plot.close(figure)


def curve(
    axes: Any, minutes: list[float], values: list[float], low: list[float], high: list[float], **style: Any
) -> None:
    """Draws a line with its interval."""
    (line,) = axes.plot(minutes, values, **{"marker": "o", "markersize": 3, **style})
    axes.fill_between(minutes, low, high, color=line.get_color(), alpha=0.15, linewidth=0)


def finish(axes: Any, title: str, limits: tuple[float, float] | None = None) -> None:
    """Sets the title and the look of a diagram."""
    axes.set_title(title, fontsize=10, loc="left")
    if limits:
        axes.set_ylim(*limits)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
    if axes.get_legend_handles_labels()[1]:
        axes.legend(frameon=False, fontsize=8)


def _smooth(values: list[float], width: int = 20) -> list[float]:
    """Returns the means of the last values at each point, without those that are not numbers."""
    found = []
    for end in range(1, len(values) + 1):
        known = [value for value in values[max(0, end - width) : end] if not math.isnan(value)]
        found.append(sum(known) / len(known) if known else math.nan)
    return found


class TensorBoard:
    """Writes figures for TensorBoard, if a package that can is installed."""

    def __init__(self, folder: Path) -> None:
        self._writer: Any = None
        for package in ("tensorboardX", "torch.utils.tensorboard"):
            try:
                module = importlib.import_module(package)
            except ImportError:
                continue
            self._writer = module.SummaryWriter(str(folder / "tensorboard"))
            break

    def add(self, iteration: int, figures: dict[str, float]) -> None:
        """Writes figures of an iteration."""
        if self._writer is not None:
            for name, value in figures.items():
                self._writer.add_scalar(name, value, iteration)

    def close(self) -> None:
        """Writes what is left."""
        if self._writer is not None:
            self._writer.close()
