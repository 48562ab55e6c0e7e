"""Checks the environments in JAX: `python -m fourfold.jax check` and `python -m fourfold.jax pgx`.

`check` plays the same actions in JAX and in NumPy, in every game and preset, and compares all arrays of all steps.
With `--device cuda`, JAX runs on a GPU.
`pgx` plays whole games of chess here and in Pgx, and compares masks, observations, players, rewards and endings.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections.abc import Sequence

import jax

from fourfold import _progress
from fourfold.cuda import PRESETS
from fourfold.jax._check import FORMATS, compare_with_numpy, compare_with_pgx, find_device


def read(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parses the given arguments, or those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m fourfold.jax", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="compare JAX with NumPy")
    checking.add_argument("--games", type=int, default=128, help="games per batch (default: %(default)s)")
    checking.add_argument("--steps", type=int, default=1_000_000, help="steps of each game (default: %(default)s)")
    checking.add_argument("--game", choices=list(dict(PRESETS)), help="check only this game")
    checking.add_argument(
        "--device", choices=("cpu", "cuda"), help="where JAX runs (default: on a GPU if JAX has one, else on the CPU)"
    )
    pgx = commands.add_parser("pgx", help="compare chess with Pgx; needs pgx and chess (python-chess)")
    pgx.add_argument("--games", type=int, default=10_000, help="games to play (default: %(default)s)")
    pgx.add_argument("--batch", type=int, default=500, help="games per batch (default: %(default)s)")
    given = parser.parse_args(arguments)
    if min(given.games, getattr(given, "steps", 1), getattr(given, "batch", 1)) < 1:
        parser.error("expected at least 1 game, 1 step and 1 game per batch")
    return given


def check(games: int, steps: int, only: str | None) -> int:
    """Prints a row for each game and preset with a part of its steps, and returns the number of differences."""
    rows = [(game, options) for game, options in PRESETS if only in (None, game)]
    presets = {game: sum(name == game for name, _ in rows) for game, _ in rows}
    print(f"{'game':<14}{'options':<34}{'formats':<18}{'steps':>12}{'seconds':>9}   result", flush=True)
    failures = 0
    for variant, (game, options) in enumerate(rows):
        # All presets of a game together have the steps, and each has a part with each format and each effect of an
        # illegal action.
        batches = -(-steps // (presets[game] * 2 * len(FORMATS) * games))
        for part in range(2 * len(FORMATS)):
            began, difference = time.monotonic(), None
            report = _progress.callback(sys.stderr.isatty(), batches, f"batches of {game}", leave=False)
            number = variant + part
            compared = compare_with_numpy(game, options, games=games, steps=batches, variant=number)
            for done, difference in enumerate(compared):  # noqa: B007
                report(done, batches)
            text = ", ".join(f"{name}={value}" for name, value in options.items())
            formats = "/".join(FORMATS[number % len(FORMATS)])
            print(
                f"{game:<14}{text:<34}{formats:<18}{batches * games:>12,}{time.monotonic() - began:>9.1f}"
                f"   {'equal' if difference is None else difference}",
                flush=True,
            )
            failures += difference is not None
    return failures


def check_pgx(games: int, batch: int) -> int:
    """Prints what was compared with Pgx, and returns the number of differences."""
    report = _progress.callback(sys.stderr.isatty(), games, "games")
    steps = excepted = done = 0
    while done < games:
        result = compare_with_pgx(min(batch, games - done), seed=done)
        if result.difference is not None:
            print(f"batch from game {done}: {result.difference}")
            return 1
        done, steps, excepted = done + result.games, steps + result.steps, excepted + result.excepted
        report(done, games)
    print(
        f"{games:,} games, {steps:,} states compared, no difference; {games - excepted:,} games were compared to their "
        f"end, the others up to a repetition that Pgx does not count because of an en passant square"
    )
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns 1 if anything differs and 2 if JAX does not have the device."""
    given = read(arguments)
    if given.command == "check":
        device: contextlib.AbstractContextManager[object] = contextlib.nullcontext()
        if given.device is not None:
            try:
                device = jax.default_device(find_device("gpu" if given.device == "cuda" else "cpu"))
            except RuntimeError as error:
                print(error, file=sys.stderr)
                return 2
        with device:
            failures = check(given.games, given.steps, given.game)
        print(f"{failures} rows differ; each stopped there" if failures else "no difference")
    else:
        failures = check_pgx(given.games, given.batch)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
