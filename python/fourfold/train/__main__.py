"""Trains a network by self-play: ``python -m fourfold.train chess``."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="python -m fourfold.train",
        description="Trains a network by self-play, from random weights and the rules alone. Writes a folder with the "
        "model, a checkpoint, and the figures of the run. Ctrl-C ends the run early; --resume continues it.",
        epilog="`python -m fourfold.train evaluate DIR` plays the model of a folder against bots (see its --help).",
    )
    made.add_argument("game", nargs="?", help="chess, four_player, blokus_duo or kung_fu; not with --resume")
    made.add_argument("--minutes", type=float, default=20.0, help="how long to train in total (default: %(default)s)")
    made.add_argument("--games", type=int, help="how many games to play at once")
    made.add_argument("--simulations", type=int, help="how many simulations to search for each move")
    made.add_argument("--net", metavar="BLOCKSxCHANNELS", help="the size of the network, such as 6x64")
    made.add_argument("--slots", type=int, help="how many legal actions of a position to search, the likeliest ones")
    made.add_argument("--seed", type=int, help="the seed of all random numbers (default: 0)")
    made.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: runs/GAME)")
    made.add_argument("--resume", type=Path, metavar="DIR", help="continue the run of this folder, with its settings")
    made.add_argument("--iterations", type=int, help="end after so many iterations in total instead of minutes")
    made.add_argument(
        "--evaluate-every", type=float, default=3.0, metavar="MINUTES", help="0: only at the end (default: %(default)s)"
    )
    made.add_argument(
        "--evaluation-games",
        type=int,
        default=40,
        help="games against each opponent; 0 for none (default: %(default)s)",
    )
    made.add_argument("--opponents", help="levels of bots to evaluate against, separated by commas")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. Returns its exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    return _evaluate(words[1:]) if words[:1] == ["evaluate"] else _train(words)


def _evaluate(words: list[str]) -> int:
    try:
        from fourfold.train import _evaluate
    except ImportError as error:
        parser().error(_missing(error))
    return _evaluate.main(words)


def _missing(error: ImportError) -> str:
    return f"training needs more packages: pip install 'fourfold[train]' ({error})"


def _ask_for_determinism() -> None:
    """Makes XLA use kernels for a GPU whose results do not differ from run to run, unless the user chose otherwise. Has
    an effect only before JAX first uses the GPU."""
    flags = os.environ.get("XLA_FLAGS", "")
    if "xla_gpu_deterministic_ops" not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} --xla_gpu_deterministic_ops=true".strip()


def _train(words: list[str]) -> int:
    made = parser()
    given = made.parse_args(words)
    if (given.game is None) == (given.resume is None):
        made.error("expected a game, or --resume DIR")
    if not given.minutes > 0 or (given.iterations is not None and given.iterations < 1):
        made.error("expected --minutes above 0, and at least 1 for --iterations")
    if not given.evaluate_every >= 0 or given.evaluation_games < 0:
        made.error("expected at least 0 for --evaluate-every and --evaluation-games")
    chosen = {name: getattr(given, name) for name in ("games", "simulations", "net", "slots", "seed")}
    if given.resume is not None and (fixed := [name for name, value in chosen.items() if value is not None]):
        made.error(f"--{fixed[0]} cannot change when a run is resumed: leave it out, or start a new run")
    _ask_for_determinism()
    try:
        from fourfold.train import _games, _loop, _run, _settings
    except ImportError as error:
        made.error(_missing(error))
    import jax

    import fourfold

    if given.game is not None and given.game not in _games.GAMES:
        made.error(f"unknown game {given.game!r}: expected one of {', '.join(_games.GAMES)}")
    try:
        if given.resume is not None:
            run, out = _run.Run.load(given.resume), given.out or given.resume
        else:
            on_gpu = jax.default_backend() == "gpu"
            run = _run.Run(_settings.make(given.game, on_gpu=on_gpu, **chosen))
            out = given.out or Path("runs") / given.game
            if (out / _run.CHECKPOINT).exists():
                made.error(f"{out} already has a run: continue it with --resume {out}, or choose another --out")
    except (ValueError, TypeError) as error:
        made.error(str(error))
    known = fourfold.Bot.levels(run.settings.game)
    opponents = given.opponents.split(",") if given.opponents else run.rules.game.defaults.opponents
    if unknown := [level for level in opponents if level not in known]:
        made.error(f"unknown level {unknown[0]!r}: expected some of {', '.join(known)}")
    plan = _loop.Plan(
        out=out,
        minutes=given.minutes,
        iterations=given.iterations,
        evaluate_every=given.evaluate_every if given.evaluation_games else 0.0,
        evaluation_games=given.evaluation_games,
        opponents=tuple(opponents) if given.evaluation_games else (),
        command=shlex.join(["python", "-m", "fourfold.train", *words]),
    )
    print(
        f"{run.settings.game} on {jax.devices()[0].device_kind}: {run.settings.games} games, network {run.settings.net}"
    )
    is_done = _loop.train(run, plan, _loop.terminal())
    print(f"{'done' if is_done else 'stopped'} after {run.progress.iterations} iterations; wrote {out}")
    if not is_done:
        length = f"--minutes {given.minutes:g}" if given.iterations is None else f"--iterations {given.iterations}"
        print(f"continue with: python -m fourfold.train --resume {shlex.quote(str(out))} {length}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
