"""Plays random games and prints how they end: `python random_games.py --games 2000`."""

from __future__ import annotations

import argparse
import time

import curves

import fourfold


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", default="random_games.png", help="file for the plot")
    arguments = parser.parse_args()

    started = time.perf_counter()
    found = fourfold.rollout("chess", arguments.games, seed=arguments.seed)
    seconds = time.perf_counter() - started

    white, black = found.wins
    print(f"{found.games} games, {found.steps / found.games:.0f} moves each, {found.steps / seconds:,.0f} moves/s")
    print(f"White won {white}, Black won {black}, {found.draws} were drawn or truncated")
    for ending, count in sorted(found.endings.items(), key=lambda pair: -pair[1]):
        if count:
            print(f"{count / found.games:7.1%}  {ending}")

    # Shows how much the mean of a few games varies.
    few = max(1, arguments.games // 100)
    env = fourfold.make("chess")
    lengths = [env.rollout(few, seed=seed).steps / few for seed in range(100)]
    curves.report("Random chess", f"moves per game, mean of {few}", lengths, arguments.plot, along="sample")


if __name__ == "__main__":
    main()
