"""Learns the values of pieces from random games, with NumPy alone: `python train_step.py`.

Steps a batch of games with packed observations, assigns the results to the positions that led to them,
and fits a linear value function. The same loop can train a network in PyTorch or JAX.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import fourfold

ROLES = ["pawn", "knight", "bishop", "rook", "queen"]

Floats = NDArray[np.float32]


def features(state: fourfold.State) -> Floats:
    """Returns how many more pieces of each role the mover has than the opponent, and a 1 for the bias."""
    # The first 12 planes are the mover's pieces, then the opponent's, one bit per square.
    counts = np.unpackbits(state.observation[:, :12], axis=-1).sum(axis=-1, dtype=np.int32)
    ahead = counts[:, :5] - counts[:, 6:11]
    return np.concatenate([ahead, np.ones((len(ahead), 1))], axis=1, dtype=np.float32)


def collect(env: fourfold.Environment, steps: int, seed: int) -> tuple[Floats, Floats]:
    """Returns the features of positions, and the final results for the players to move."""
    inputs: list[Floats] = []
    played: list[tuple[NDArray[np.int32], NDArray[np.bool_], Floats]] = []
    state = env.reset(seed=seed)
    for _ in range(steps):
        inputs.append(features(state))
        mover = state.current_player
        state = env.step(env.sample())
        played.append((mover, state.terminated | state.truncated, state.rewards))

    # Go backward: the result of a position is that of the next game to end in its row of the batch.
    rows = np.arange(env.num_envs)
    result = np.full((env.num_envs, env.num_players), np.nan, dtype=np.float32)
    targets: list[Floats] = []
    for mover, ended, rewards in reversed(played):
        result[ended] = rewards[ended]
        targets.append(result[rows, mover])
    found, wanted = np.concatenate(inputs), np.concatenate(targets[::-1])
    decided = np.isfinite(wanted)
    return found[decided], wanted[decided]


def main() -> None:
    parser = argparse.ArgumentParser(description="Learns the values of the pieces from random games.")
    parser.add_argument("--games", type=int, default=512, help="number of games played in parallel")
    parser.add_argument("--steps", type=int, default=700, help="moves per game")
    parser.add_argument("--epochs", type=int, default=200)
    arguments = parser.parse_args()

    env = fourfold.make("chess", arguments.games, packed=True, mask="none")
    inputs, targets = collect(env, arguments.steps, seed=0)
    won = np.count_nonzero(targets) / len(targets)
    print(f"{len(inputs)} positions, {won:.0%} of them from decisive games")

    weights = np.zeros(inputs.shape[1], dtype=np.float32)
    for epoch in range(arguments.epochs + 1):
        values = np.tanh(inputs @ weights)
        if epoch % 50 == 0:
            print(f"epoch {epoch:3}: loss {np.mean((values - targets) ** 2):.4f}")
        slopes = (values - targets) * (1 - values**2)
        weights -= 0.2 * inputs.T @ slopes / len(inputs)
    for role, weight in zip(ROLES, weights[:5], strict=True):
        print(f"value of a {role}: {weight:+.3f}")


if __name__ == "__main__":
    main()
