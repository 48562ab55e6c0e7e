"""Learns Blokus Duo from self-play, like AlphaZero: `python self_play_blokus.py`.

Every move is searched by `fourfold.Search` with the network's logits and values. The network learns the policy of the
search and the results of the games. The board is small so that it takes minutes, not days; the real one is `--size 14`.
Ctrl-C saves and stops; `--resume` continues.
"""

from __future__ import annotations

import argparse

import curves
import numpy as np
import policies
import training
from numpy.typing import NDArray

import fourfold


def seen_by(observation: NDArray[np.float32], pieces: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the planes and the pieces left as one row per position."""
    return np.concatenate([observation.reshape(len(pieces), -1), pieces.reshape(len(pieces), -1)], axis=1)


def search(net: policies.Network, tree: fourfold.Search) -> None:
    """Runs one search in all games. The values of the two players add up to 1. The search pads its leaves, so that
    JAX compiles the network once, although fewer and fewer games are still being played."""
    while (leaves := tree.leaves()) is not None:
        logits, values = net.predict(seen_by(leaves.observation, leaves.pieces_left))
        # The network predicts −1 to 1; the rewards of Blokus are shares of one win.
        share = (1 + values) / 2
        tree.backup(logits, np.stack([share, 1 - share], axis=1))


def self_play(
    net: policies.Network, env: fourfold.Environment, simulations: int, seed: int
) -> tuple[NDArray[np.float32], ...]:
    """Plays whole games, and returns the observations, legal actions, search policies and results."""
    tree = fourfold.Search(env, simulations, noise="gumbel", values="own", pad=True, seed=seed)
    state = env.reset(seed=seed)
    rows: list[tuple[NDArray[np.float32], ...]] = []
    movers: list[NDArray[np.int32]] = []
    going: list[NDArray[np.bool_]] = []
    over = state.terminated
    result = state.rewards.copy()
    while not over.all():
        search(net, tree)
        rows.append((seen_by(state.observation, state.pieces_left), state.legal_action_mask, tree.policy()))
        movers.append(state.current_player)
        going.append(~over)
        state = env.step(tree.actions())
        result[~over] += state.rewards[~over]
        over = over | state.terminated
    kept = np.concatenate(going)
    games = np.arange(env.num_envs)
    values = np.concatenate([2 * result[games, mover] - 1 for mover in movers])
    observations, legal, policy = (np.concatenate([row[index] for row in rows])[kept] for index in range(3))
    return observations, legal, policy, values[kept]


def play_bot(net: policies.Network, env: fourfold.Environment, level: str, seed: int) -> float:
    """Returns the win rate of the network without search against a bot, playing both sides."""
    rng = np.random.default_rng(seed)

    def choose(state: fourfold.State) -> NDArray[np.int32]:
        logits, _ = net.predict(seen_by(state.observation, state.pieces_left))
        return policies.sample(4 * logits, state.legal_action_mask, rng)

    return training.play_bot(env, level, choose, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--framework", choices=["jax", "torch"], default="jax")
    parser.add_argument("--size", type=int, default=7, help="number of rows and columns of the board")
    parser.add_argument("--games", type=int, default=64, help="number of games played in parallel")
    parser.add_argument("--rounds", type=int, default=40, help="rounds of self-play and training")
    parser.add_argument("--simulations", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    training.add_arguments(parser, "self_play_blokus")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}, {arguments.framework}, {arguments.size} by {arguments.size}")

    board = {"size": arguments.size, "starts": "inner" if arguments.size == 14 else "corners"}
    env = fourfold.make("blokus_duo", arguments.games, autoreset="disabled", **board)
    test = fourfold.make("blokus_duo", 4 * arguments.games, autoreset="disabled", **board)
    state = env.reset(seed=0)
    inputs = seen_by(state.observation, state.pieces_left).shape[1]

    def start() -> tuple[policies.Network, np.random.Generator, list[float]]:
        net = policies.make(arguments.framework, inputs, env.num_actions, hidden=128, rate=1e-3, seed=arguments.seed)
        return net, np.random.default_rng(arguments.seed), [play_bot(net, test, "random", 0)]

    run = training.Run(arguments, arguments.rounds, start)
    net, rng, curve = run.state
    for number in run:
        observations, legal, policy, values = self_play(net, env, arguments.simulations, number)
        for _ in range(2 * len(observations) // 256 + 1):
            picked = rng.integers(len(observations), size=256)
            net.learn(
                observations[picked],
                legal[picked],
                policy[picked],
                np.ones(256, np.float32),
                values[picked].astype(np.float32),
            )
        curve.append(play_bot(net, test, "random", number + 1))
        training.log(f"round {number:3}: {len(observations)} positions, {curve[-1]:.0%} wins against a random player")
    if not run.finished:
        return
    training.report_bots(lambda level: play_bot(net, test, level, arguments.seed))
    curves.report("Blokus Duo from self-play", "wins against a random player, without search", curve, arguments.plot)


if __name__ == "__main__":
    main()
