"""Learns to mate with two queens by REINFORCE: `python reinforce_chess.py`, with JAX or with PyTorch.

Games start from positions in which White has a mate in one. White learns, Black moves at random. A game is truncated
after `--moves` moves, and a mate is worth 1. The loop is the same with either framework: `--framework torch`.
Ctrl-C saves and stops; `--resume` continues.
"""

from __future__ import annotations

import argparse
import re

import curves
import numpy as np
import policies
import training
from numpy.typing import NDArray

import fourfold

PLANES = 12
"""The current pieces of both sides; the other planes are history and counters."""


def starts(count: int, rng: np.random.Generator) -> list[str]:
    """Returns positions with two white queens and both kings in which White has a mate in one."""
    found: list[str] = []
    while len(found) < count:
        squares = rng.permutation(64)[:4]
        pieces = np.full(64, "1")
        pieces[squares] = list("KkQQ")
        rows = ("".join(row) for row in pieces.reshape(8, 8))
        fen = "/".join(re.sub("1+", lambda empty: str(len(empty[0])), row) for row in rows) + " w - - 0 1"
        try:
            board = fourfold.chess.Board(fen)
        except fourfold.PositionError:
            continue
        if any(text.endswith("#") for text in board.legal_sans):
            found.append(fen)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--framework", choices=["jax", "torch"], default="jax")
    parser.add_argument("--games", type=int, default=256, help="number of games played in parallel")
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--moves", type=int, default=1, help="White's moves per game")
    parser.add_argument("--seed", type=int, default=0)
    training.add_arguments(parser, "reinforce_chess")
    arguments = parser.parse_args()
    games, moves = arguments.games, arguments.moves
    print(f"seed {arguments.seed}, {arguments.framework}")

    rng = np.random.default_rng(arguments.seed)
    env = fourfold.make("chess", games, start=starts(256, rng), autoreset="disabled", max_steps=2 * moves)

    def start() -> tuple[policies.Network, np.random.Generator, list[float]]:
        size = 64 * PLANES
        net = policies.make(arguments.framework, size, env.num_actions, hidden=256, rate=2e-3, seed=arguments.seed)
        return net, rng, []

    run = training.Run(arguments, arguments.updates, start)
    net, rng, mates = run.state
    for update in run:
        state = env.reset(seed=int(rng.integers(2**32)))
        observations, legal, actions, going = [], [], [], []
        result = np.zeros(games, np.float32)
        over: NDArray[np.bool_] = np.zeros(games, bool)
        for _ in range(moves):
            observations.append(state.observation[..., :PLANES].copy())
            legal.append(state.legal_action_mask.copy())
            going.append(~over)
            chosen = policies.sample(net.predict(observations[-1])[0], legal[-1], rng)
            actions.append(chosen)
            for move in (chosen, None):
                state = env.step(env.sample() if move is None else move)
                # Ignore the rewards of games that were already over.
                result += np.where(over, 0, state.rewards[:, 0])
                over = over | state.terminated | state.truncated
        kept = np.concatenate(going)
        values = np.tile(result, moves)[kept]
        planes = np.concatenate(observations)[kept]
        masks, moved = np.concatenate(legal)[kept], np.concatenate(actions)[kept]
        for _ in range(moves):
            # Always the same number of rows, so that JAX compiles only once.
            picked = rng.choice(len(planes), games)
            # How much better the result was than predicted.
            advantage = values[picked] - net.predict(planes[picked])[1]
            advantage /= advantage.std() + 1e-6
            targets = policies.taken(moved[picked], env.num_actions)
            net.learn(planes[picked], masks[picked], targets, advantage, values[picked])
        mates.append(float((result == 1).mean()))
        if update % max(1, arguments.updates // 20) == 0:
            training.log(f"update {update:4}: mates in {mates[-1]:.0%} of {games} games")
    if not run.finished:
        return

    def choose(state: fourfold.State) -> NDArray[np.int32]:
        return policies.sample(net.predict(state.observation[..., :PLANES])[0], state.legal_action_mask, rng)

    training.report_bots(lambda level: training.play_bot(env, level, choose, arguments.seed, players=[0]))
    curves.report("Two queens against a king", f"mates within {moves} moves", mates, arguments.plot)


if __name__ == "__main__":
    main()
