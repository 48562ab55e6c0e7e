"""Our environments in RLlib."""

from __future__ import annotations

from typing import Any

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
