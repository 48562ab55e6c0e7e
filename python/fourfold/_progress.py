"""Progress bars."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

Progress = bool | Callable[[int, int], None]
"""Whether to show a bar, or a function to call with the number done and the total."""


def callback(progress: Progress, total: int, unit: str, *, leave: bool = True) -> Callable[[int, int], None]:
    """Returns the function to call with the number done and the total.

    The bar is drawn by ``tqdm`` if it is installed, otherwise as a line on standard error. It stays at the end only if
    ``leave``.
    """
    if callable(progress):
        return progress
    if not progress:
        return lambda done, total: None
    try:
        from tqdm import tqdm
    except ImportError:
        return lambda done, total: _line(done, total, unit, leave)
    bar = tqdm(total=total, unit=unit, leave=leave)

    def report(done: int, total: int) -> None:
        bar.update(done - bar.n)
        if done >= total:
            bar.close()

    return report


def with_text(part: float, text: str) -> None:
    """Draws a bar for work that is described by more than a number, with a text that is cut to the width of the
    terminal."""
    line = f"{_bar(part)} {text}"[: shutil.get_terminal_size().columns - 1]
    print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


def _line(done: int, total: int, unit: str, leave: bool) -> None:
    end = "" if done < total else "\n" if leave else "\r\033[K"
    print(f"\r{_bar(done / max(total, 1))} {done:,} of {total:,} {unit}", end=end, file=sys.stderr, flush=True)


def _bar(part: float) -> str:
    full = int(30 * min(part, 1.0))
    return "━" * full + "─" * (30 - full)
