"""Our environments in RLlib."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import ray

from fourfold import _core, _games


def register_environments() -> list[str]:
    """Registers every game with RLlib, and returns the names: those of Gymnasium and PettingZoo, such as
    ``fourfold/Chess-v1``, for several agents, and with ``/single`` behind them for one agent against a bot.

    The ``env_config`` of RLlib has the options of :mod:`fourfold.pettingzoo` or :mod:`fourfold.gymnasium`.
    """
    try:
        from ray.tune import register_env
    except ImportError as error:
        raise ImportError(f"RLlib is missing ({error}): pip install 'ray[rllib]' torch") from None
    names = []
    for game, (_, simultaneous) in _core.ENVIRONMENTS.items():
        for name, make in (
            (_games.IDS[game], _parallel if simultaneous else _turns),
            (f"{_games.IDS[game]}/single", _single),
        ):
            register_env(name, lambda config, game=game, make=make: make(game, config))
            names.append(name)
    return names


def _turns(game: Any, config: Any) -> Any:
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    from fourfold import pettingzoo

    return PettingZooEnv(pettingzoo.env(game, **config))


def _parallel(game: Any, config: Any) -> Any:
    from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv

    from fourfold import pettingzoo

    return ParallelPettingZooEnv(pettingzoo.parallel_env(game, **config))


def _single(game: Any, config: Any) -> Any:
    from fourfold import gymnasium

    return gymnasium.Env(game=game, **config)


@contextlib.contextmanager
def random_legal_sampling(num_runners: int) -> Iterator[Callable[[int], int]]:
    """Starts environment runners of RLlib for the PettingZoo environment of chess. Yields a function that samples so many
    steps with each of them, with random legal actions and without a network, and returns the number of steps. The
    runners reserve no CPU, because other work takes turns with them."""
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModule
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

    class RandomLegal(RLModule):  # type: ignore[misc, unused-ignore]
        framework = "torch"

        def setup(self) -> None:
            self.rng = np.random.default_rng(0)

        def compile(self, *_: Any, **__: Any) -> None:
            pass

        def _forward(self, batch: Any, **_: Any) -> Any:
            masks = np.asarray(batch["obs"]["action_mask"])
            return {"actions": np.array([self.rng.choice(np.flatnonzero(mask)) for mask in masks])}

    register_environments()
    config = (
        PPOConfig()
        .environment(_games.IDS["chess"])
        .multi_agent(policies={"all"}, policy_mapping_fn=lambda *_, **__: "all")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"all": RLModuleSpec(module_class=RandomLegal)}))
    )
    runner = ray.remote(num_cpus=0)(MultiAgentEnvRunner)
    runners = [runner.remote(config=config) for _ in range(num_runners)]

    def sample(steps: int) -> int:
        found = ray.get([one.sample.remote(num_timesteps=steps) for one in runners])
        return sum(len(episode) for episodes in found for episode in episodes)

    try:
        sample(100)
        yield sample
    finally:
        for one in runners:
            ray.kill(one)
