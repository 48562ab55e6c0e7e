"""The learning curves that the examples print and save at the end."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_BARS = "▁▂▃▄▅▆▇█"


def report(
    title: str, what: str, values: Sequence[float], path: str, *, along: str = "update", every: float = 1
) -> None:
    """Prints a curve in one line, with the means of its first and last tenth, and saves a plot. ``every`` is
    the number of updates per value."""
    array = np.asarray(values, dtype=np.float64)
    few = np.array([part.mean() for part in np.array_split(array, min(60, len(array)))])
    span = np.ptp(few) or 1.0
    line = "".join(_BARS[round(float((value - few.min()) / span) * 7)] for value in few)
    tenth = max(1, len(array) // 10)
    print(f"{line}\n{what}: {array[:tenth].mean():.3f} at the start, {array[-tenth:].mean():.3f} at the end")
    save(title, what, array, pathlib.Path(path), along, every)


def save(title: str, what: str, values: NDArray[np.float64], path: pathlib.Path, along: str, every: float) -> None:
    try:
        import matplotlib
    except ImportError:
        print("no plot: install matplotlib to get one (pip install matplotlib)")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    wide = max(1, len(values) // 20)
    smooth = np.convolve(values, np.ones(wide) / wide, mode="valid")
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(every * np.arange(1, len(values) + 1), values, color="#bba183", linewidth=0.8)
    axes.plot(every * (np.arange(len(smooth)) + (wide + 1) / 2), smooth, color="#2b4a3a", linewidth=2.2)
    axes.set(title=title, xlabel=along, ylabel=what)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
    figure.savefig(path, dpi=130)
    pyplot.close(figure)
    print(f"saved {path}")
