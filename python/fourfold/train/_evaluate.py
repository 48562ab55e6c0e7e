"""Matches of a finished network against bots: ``python -m fourfold.train evaluate``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import jax
import jax.numpy as jnp

import fourfold
from fourfold import _checks, _progress
from fourfold._evaluate import Evaluation
from fourfold.train import _export, _match
from fourfold.train._games import Rules
from fourfold.train._search import Search


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="python -m fourfold.train evaluate",
        description="Plays the network of a run against bots, with JAX on a GPU or a CPU, and prints its results. "
        "`fourfold match learned:DIR LEVEL` plays it without JAX.",
    )
    made.add_argument("model", type=Path, metavar="DIR", help="the folder with model.safetensors and model.json")
    made.add_argument("--games", type=int, default=100, help="games against each opponent (default: %(default)s)")
    made.add_argument(
        "--simulations",
        type=_numbers,
        default=[128],
        metavar="N[,N...]",
        help="simulations for each move; 0 plays the likeliest action (default: 128)",
    )
    made.add_argument("--opponents", metavar="LEVEL[,LEVEL...]", help="levels of bots (default: those of training)")
    made.add_argument("--seed", type=int, default=0, help="the seed of openings and bots (default: %(default)s)")
    return made


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        expected = "whole numbers separated by commas, such as 0,32,128"
        raise argparse.ArgumentTypeError(f"expected {expected}, got {text!r}") from None


def main(arguments: list[str]) -> int:
    """Runs the command. Returns its exit status."""
    made = parser()
    given = made.parse_args(arguments)
    half = jax.default_backend() == "gpu"
    try:
        game, tensors = _export.load(given.model, jnp.bfloat16 if half else jnp.float32)
        _checks.integer("games", given.games, 1, 1_000_000)
        for count in given.simulations:
            _checks.integer("simulations", count, 0, 10_000)
    except ValueError as error:
        made.error(str(error))
    known = fourfold.Bot.levels(game.name)
    opponents = given.opponents.split(",") if given.opponents else list(game.defaults.opponents)
    if unknown := [level for level in opponents if level not in known]:
        made.error(f"unknown level {unknown[0]!r}: expected some of {', '.join(known)}")
    rules = Rules(game, game.environment())
    total = len(given.simulations) * len(opponents)
    report = _progress.callback(sys.stderr.isatty(), total, "matches", leave=False)
    for index, simulations in enumerate(given.simulations):
        act = _match.Player(rules, Search(simulations, game.defaults.slots)).compile()
        matches = []
        for level in opponents:
            found = _match.play(rules, act, tensors, level, given.games, given.seed)
            assert found is not None, "a match ends early only if it is stopped"
            matches.append(found)
            report(index * len(opponents) + len(matches), total)
        name = f"{game.name}, {simulations} simulations" if simulations else f"{game.name}, policy only"
        print(Evaluation(name, tuple(matches)), flush=True)
    return 0
