"""The opponents of a learning agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks
from fourfold._bots import Bot, level

if TYPE_CHECKING:
    from fourfold._env import Environment
    from fourfold._state import ObservationFormat, State

Policy = Callable[[Any, NDArray[np.int8]], Any]
"""Takes observations and action masks with one row per position, and returns an action for each row."""

Opponent = str | Bot | Policy

PreparedOpponent = tuple[str, int | None, float | None] | Policy
"""The name of an opponent and its node budget, or a callable."""


def prepare(given: Opponent | Iterable[Opponent], env: Environment) -> list[PreparedOpponent]:
    """Returns one opponent for all other players, or one for each, starting after the agent's."""
    opponents: list[Opponent]
    if isinstance(given, str | Bot) or callable(given):
        opponents = [given]
    elif isinstance(given, Iterable):
        opponents = list(given)
        if len(opponents) != env.num_players - 1:
            raise ValueError(f"expected {env.num_players - 1} opponents, got {len(opponents)}")
    else:
        raise TypeError(f"expected opponents to be levels, bots or callables, got {given!r}")
    return [_prepare(opponent, env) for opponent in opponents]


def _prepare(opponent: Opponent, env: Environment) -> PreparedOpponent:
    """Raises an error now, not in the middle of a game, if an opponent cannot play here."""
    if not isinstance(opponent, str | Bot):
        if not callable(opponent):
            raise TypeError(f"expected an opponent to be a level, a bot or a callable, got {opponent!r}")
        return opponent
    if isinstance(opponent, str) and opponent != "random" and not (opponent == "wait" and env._spec["simultaneous"]):
        Bot(env._config["game"], opponent)
    return level(env, opponent)


def reply(
    opponent: PreparedOpponent,
    env: Environment,
    state: State,
    where: NDArray[np.bool_],
    chance: np.random.Generator,
    format: ObservationFormat,
) -> NDArray[np.int32]:
    """Returns an opponent's actions where a mask over the actions of a batch is true."""
    if not isinstance(opponent, tuple):
        return _ask(opponent, env, state, where, format)
    name, nodes, movetime = opponent
    if name == "random":
        return env.sample()[where]
    if name == "wait":
        return np.full(np.count_nonzero(where), env.num_actions - 1, dtype=np.int32)
    # Create a bot for each call, so that its randomness comes from our generator.
    bot = Bot(env._config["game"], name, seed=int(chance.integers(2**63)), nodes=nodes, movetime=movetime)
    return bot.act(env, where)[where]


def _ask(
    policy: Policy, env: Environment, state: State, where: NDArray[np.bool_], format: ObservationFormat
) -> NDArray[np.int32]:
    mask = state.legal_action_mask[where].view(np.int8)
    observations = named({name: part[where] for name, part in parts(env, None, format).items()})
    actions = _checks.integers("an opponent's actions", policy(observations, mask), (len(mask),))
    inside = (actions >= 0) & (actions < env.num_actions)
    legal = inside & (mask[np.arange(len(mask)), np.where(inside, actions, 0)] == 1)
    if not legal.all():
        raise ValueError(f"an opponent chose the illegal action {actions[~legal][0]}")
    return actions


def parts(env: Environment, player: int | None, format: ObservationFormat) -> dict[str, NDArray[Any]]:
    """Returns the observations of a player, or of all acting players, by the names that the adapters use."""
    observations = env.observe(player, format)
    arrays = observations if isinstance(observations, tuple) else (observations,)
    return dict(zip(part_names(env, format), arrays, strict=True))


def part_names(env: Environment, format: ObservationFormat) -> list[str]:
    """Returns the parts of an observation: planes, the additional array, and scalars if they are separate."""
    array = env._spec["scalar_array"]
    names = ["observation", *([array[0]] if array is not None else [])]
    alone = format in ("packed", "uint8") and (env._spec["scalars"] > 0 or array is None)
    return [*names, *(["scalars"] if alone else [])]


def named(observations: dict[str, NDArray[Any]]) -> Any:
    """Returns the array if there is only one, or all of them by name."""
    return observations["observation"] if len(observations) == 1 else observations
