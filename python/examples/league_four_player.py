"""A league of four-player chess: `python league_four_player.py`.

A network learns by REINFORCE to score points. It plays half of its games against random players, and half against
earlier versions of itself. At the end, all members of the league, including a bot, play mixed games, and a table shows
their results. Ctrl-C saves and stops; `--resume` continues.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import curves
import numpy as np
import policies
import training
from numpy.typing import NDArray

import fourfold

PLANES = 28
"""The pieces of the four players, the observing player's first; the other planes are rights, points and counters."""

Member = Callable[[fourfold.Environment, fourfold.State], NDArray[np.int32]]
"""Chooses a move in every game of an environment. It is played only where it is the member's turn."""


def planes(state: fourfold.State) -> NDArray[np.float32]:
    return np.ascontiguousarray(state.observation[..., :PLANES])


def member(net: policies.Network, rng: np.random.Generator) -> Member:
    def act(env: fourfold.Environment, state: fourfold.State) -> NDArray[np.int32]:
        return policies.sample(net.predict(planes(state))[0], state.legal_action_mask, rng)

    return act


def chance(env: fourfold.Environment, state: fourfold.State) -> NDArray[np.int32]:
    return env.sample()


def episode(
    net: policies.Network, rival: Member, env: fourfold.Environment, rng: np.random.Generator
) -> tuple[NDArray[np.float32], list[tuple[NDArray[Any], ...]], list[NDArray[np.float32]]]:
    """Plays games in which the learner is one of the players. The others are random in the first half of the
    games, and a rival in the second half. Returns the points of each game, the steps and the rewards."""
    games = env.num_envs
    learner = rng.integers(4, size=games)
    first_half = np.arange(games) < games // 2
    state = env.reset(seed=int(rng.integers(2**32)))
    steps: list[tuple[NDArray[Any], ...]] = []
    gained: list[NDArray[np.float32]] = []
    over = state.terminated
    while not over.all():
        observations, legal = planes(state), state.legal_action_mask
        mine = policies.sample(net.predict(observations)[0], legal, rng)
        others = np.where(first_half, env.sample(), rival(env, state))
        turn = (state.current_player == learner) & ~over
        actions = np.where(turn, mine, others)
        steps.append((observations, legal, actions, turn))
        state = env.step(actions)
        gained.append(np.where(over, 0, state.rewards[np.arange(games), learner]))
        over = over | state.terminated | state.truncated
    return np.asarray(20 * np.sum(gained, axis=0)), steps, gained


def table(members: dict[str, Member], env: fourfold.Environment, rng: np.random.Generator) -> None:
    """Plays mixed games between all members and prints their mean points."""
    names, games = list(members), env.num_envs
    assigned = np.array([rng.permutation(len(names))[np.arange(4) % len(names)] for _ in range(games)])
    state = env.reset(seed=1)
    over = state.terminated
    while not over.all():
        who = assigned[np.arange(games), state.current_player]
        actions = np.zeros(games, np.int32)
        for index, name in enumerate(names):
            actions = np.where(who == index, members[name](env, state), actions)
        state = env.step(actions)
        over = over | state.terminated | state.truncated
    points = {name: state.scores[assigned == index] for index, name in enumerate(names)}
    print(f"\nmean points in {games} games between members of the league")
    for name, made in sorted(points.items(), key=lambda pair: -pair[1].mean()):
        print(f"{name:<16}{made.mean():6.2f} ± {made.std() / max(1, len(made)) ** 0.5:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--framework", choices=["jax", "torch"], default="jax")
    parser.add_argument("--games", type=int, default=64, help="number of games played in parallel")
    parser.add_argument("--updates", type=int, default=50)
    parser.add_argument("--moves", type=int, default=8, help="moves per player and game")
    parser.add_argument("--seed", type=int, default=0)
    training.add_arguments(parser, "league_four_player")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}, {arguments.framework}")

    env = fourfold.make("four_player", arguments.games, autoreset="disabled", max_steps=4 * arguments.moves)

    def start() -> tuple[policies.Network, np.random.Generator, dict[str, policies.Network], list[float]]:
        size, seed = 196 * PLANES, arguments.seed
        net = policies.make(arguments.framework, size, env.num_actions, hidden=128, rate=2e-3, seed=seed)
        return net, np.random.default_rng(seed), {"before": net.copy()}, []

    run = training.Run(arguments, arguments.updates, start)
    net, rng, league, curve = run.state
    rows = env.num_envs * arguments.moves // 2
    for update in run:
        rival = league[str(rng.choice(list(league)))]
        points, steps, gained = episode(net, member(rival, rng), env, rng)
        # The return after each move, until the end of the game.
        to_come = np.cumsum(gained[::-1], axis=0)[::-1].astype(np.float32)
        turns = np.concatenate([turn for *_, turn in steps])
        observations, legal, actions = (np.concatenate([step[index] for step in steps])[turns] for index in range(3))
        values = np.concatenate(list(to_come))[turns]
        picked = rng.integers(len(observations), size=rows)
        advantage = values[picked] - net.predict(observations[picked])[1]
        advantage /= advantage.std() + 1e-6
        targets = policies.taken(actions[picked], env.num_actions)
        net.learn(observations[picked], legal[picked], targets, advantage, values[picked])
        curve.append(float(points[: env.num_envs // 2].mean()))
        if update % max(1, arguments.updates // 15) == 0:
            rest = points[env.num_envs // 2 :].mean()
            training.log(f"update {update:4}: {curve[-1]:.2f} points against random players, {rest:.2f} in the league")
        if (update + 1) % max(1, arguments.updates // 3) == 0:
            league[f"update {update + 1}"] = net.copy()
    if not run.finished:
        return
    members = {name: member(one, rng) for name, one in league.items()}
    greedy = fourfold.Bot("four_player", "greedy", seed=arguments.seed)
    members |= {"random": chance, "greedy bot": lambda env, state: greedy.act(env)}
    table(members, env, rng)

    def choose(state: fourfold.State) -> NDArray[np.int32]:
        return member(net, rng)(env, state)

    training.report_bots(lambda level: training.play_bot(env, level, choose, arguments.seed))
    curves.report("Four-player chess", "points against random players", curve, arguments.plot)


if __name__ == "__main__":
    main()
