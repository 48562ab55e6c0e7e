"""Checks and measures the functions for clusters: `python -m fourfold.ray check` and `python -m fourfold.ray bench`.

`check` starts a cluster of two nodes on this machine, kills one of them in the middle of a rollout, a match and an
analysis, and compares all files with those of one process.
`bench` measures two workers against one, what a shard costs, and the speed next to RLlib's sampling.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

# Ray reads these when it is imported: nodes that only this machine can reach need no token, and nothing is reported.
os.environ.setdefault("RAY_AUTH_MODE", "disabled")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

VERBS = ("rollout", "match", "analyze")
PARTS = ("workers", "analysis", "overhead", "inference", "rllib")


def read(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parses the given arguments, or those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m fourfold.ray", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="kill a node during each function, and compare the files")
    check.add_argument("--scale", type=float, default=1.0, help="amount of work (default: %(default)s)")
    check.add_argument("--only", choices=VERBS, help="check only this function")
    bench = commands.add_parser("bench", help="measure scaling, the overhead of shards, and the speed next to RLlib")
    bench.add_argument("--games", type=int, default=200_000, help="games of a rollout (default: %(default)s)")
    bench.add_argument("--rounds", type=int, default=3, help="times that each benchmark runs (default: %(default)s)")
    bench.add_argument("--seconds", type=float, default=60, help="length of a shard (default: %(default)s)")
    bench.add_argument("--only", choices=PARTS, action="append", help="run only this part; repeatable")
    given = parser.parse_args(arguments)
    if given.command == "check" and not 0.05 <= given.scale <= 1000:
        parser.error(f"expected --scale from 0.05 to 1000, got {given.scale}")
    if given.command == "bench" and (given.games < 2000 or given.rounds < 1 or given.seconds <= 0):
        parser.error("expected at least 2000 games, 1 round and more than 0 seconds")
    return given


def check(scale: float, only: str | None) -> int:
    """Prints a row for each function, and returns the number of differences."""
    from fourfold.ray import _check

    failures, screen = 0, sys.stdout
    print(f"{'function':<10}{'shards':>8}{'finished':>10}{'lost':>6}{'seconds':>9}   result", flush=True)
    with (
        tempfile.TemporaryDirectory(prefix="fourfold-") as made,
        # Ray prints the log of every node that is lost.
        contextlib.redirect_stdout(io.StringIO()),
        _check.started() as cluster,
    ):
        folder = Path(made)
        for name, verb in _check.verbs(folder, scale).items():
            if only not in (None, name):
                continue
            found = _check.check(cluster, verb, folder / name, progress=sys.stderr.isatty())
            print(
                f"{name:<10}{found.shards:>8}{found.finished:>10}{found.lost:>6}{found.seconds:>9.1f}"
                f"   {found.difference or 'equal'}",
                file=screen,
                flush=True,
            )
            failures += found.difference is not None
    print(f"{failures} functions differ" if failures else "all files have the same bytes as those of one process")
    return failures


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns 1 if anything differs and 2 if Ray is missing."""
    given = read(arguments)
    try:
        if given.command == "check":
            return 1 if check(given.scale, given.only) else 0
        from fourfold.ray import _bench
    except ImportError as error:
        print(error, file=sys.stderr)
        return 2
    _bench.measure(given.only or PARTS, given.games, given.rounds, given.seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
