"""Learns kung fu chess, where both players act at the same time: `python kung_fu_agents.py`.

Both players of every game give orders in every step. One learns by REINFORCE, the other gives random orders. A captured
piece is worth a little, a captured king is worth the game. Ctrl-C saves and stops; `--resume` continues.
"""

from __future__ import annotations

import argparse

import curves
import numpy as np
import policies
import training
from numpy.typing import NDArray

import fourfold

HERE, THERE = 0, 1
"""The learner and the random player."""


FADING = 0.8
"""The discount factor per step."""


def ahead(state: fourfold.State) -> NDArray[np.float32]:
    """Returns how many more pieces the learner has, as a fraction of an army."""
    # Sixteen rows for the learner's pieces, then those of the opponent; the type of a captured piece is 0.
    alive = state.tokens[:, HERE, :, 0] > 0
    more = alive[:, :16].sum(axis=1) - alive[:, 16:].sum(axis=1)
    return np.asarray(more / 16, dtype=np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--framework", choices=["jax", "torch"], default="jax")
    parser.add_argument("--games", type=int, default=128, help="number of games played in parallel")
    parser.add_argument("--updates", type=int, default=150)
    parser.add_argument("--steps", type=int, default=24, help="steps per game, half a second each")
    parser.add_argument("--seed", type=int, default=0)
    training.add_arguments(parser, "kung_fu_agents")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}, {arguments.framework}")

    env = fourfold.make(
        "kung_fu",
        arguments.games,
        speed="lightning",
        interval=15,
        max_ticks=15 * arguments.steps,
        autoreset="disabled",
    )

    def start() -> tuple[policies.Network, np.random.Generator, list[float]]:
        size, seed = int(np.prod(env.observation_shape)), arguments.seed
        net = policies.make(arguments.framework, size, env.num_actions, hidden=128, rate=2e-3, seed=seed)
        return net, np.random.default_rng(seed), []

    run = training.Run(arguments, arguments.updates, start)
    net, rng, curve = run.state

    def choose(state: fourfold.State) -> NDArray[np.int32]:
        return policies.sample(net.predict(state.observation[:, HERE])[0], state.legal_action_mask[:, HERE], rng)

    rows = env.num_envs * arguments.steps // 3
    for update in run:
        state = env.reset(seed=int(rng.integers(2**32)))
        observations, legal, actions, going, gained = [], [], [], [], []
        over = state.terminated
        before = ahead(state)
        while not over.all():
            observations.append(state.observation[:, HERE])
            legal.append(state.legal_action_mask[:, HERE])
            orders = env.sample()
            orders[:, HERE] = choose(state)
            actions.append(orders[:, HERE].copy())
            going.append(~over)
            state = env.step(orders)
            now = ahead(state)
            gained.append(np.where(over, 0, state.rewards[:, HERE] + now - before))
            before, over = now, over | state.terminated | state.truncated
        kept = np.concatenate(going)
        # The discounted return after each order.
        to_come = [np.zeros(env.num_envs, np.float32)]
        for gain in reversed(gained):
            to_come.append((gain + FADING * to_come[-1]).astype(np.float32))
        values = np.concatenate(to_come[:0:-1])[kept]
        views = np.concatenate(observations)[kept]
        picked = rng.integers(len(views), size=rows)
        advantage = values[picked] - net.predict(views[picked])[1]
        advantage /= advantage.std() + 1e-6
        targets = policies.taken(np.concatenate(actions)[kept][picked], env.num_actions)
        net.learn(views[picked], np.concatenate(legal)[kept][picked], targets, advantage, values[picked])
        curve.append(float(np.sum(gained, axis=0).mean()))
        if update % max(1, arguments.updates // 15) == 0:
            won = (state.winner == HERE).mean(), (state.winner == THERE).mean()
            training.log(f"update {update:4}: mean return {curve[-1]:+.2f}, won {won[0]:.0%}, lost {won[1]:.0%}")
    if not run.finished:
        return
    training.report_bots(lambda level: training.play_bot(env, level, choose, arguments.seed, players=[HERE]))
    curves.report("Kung fu chess against a random player", "mean return", curve, arguments.plot)


if __name__ == "__main__":
    main()
