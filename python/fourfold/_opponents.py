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
    from fourfold._state import ObservationForm, State

Policy = Callable[[Any, NDArray[np.int8]], Any]
"""Takes observations and action masks with one row per position, and returns an action for each row."""

Opponent = str | Bot | Policy

Seated = tuple[str, int | None] | Policy
"""The name of an opponent and its node budget, or a callable."""


def seated(given: Opponent | Iterable[Opponent], env: Environment) -> list[Seated]:
    """Returns one opponent for all other seats, or one for each, starting after the agent's."""
    players: list[Opponent]
    if isinstance(given, str | Bot) or callable(given):
        players = [given]
    elif isinstance(given, Iterable):
        players = list(given)
        if len(players) != env.num_players - 1:
            raise ValueError(f"expected {env.num_players - 1} opponents, got {len(players)}")
    else:
        raise TypeError(f"expected opponents to be levels, bots or callables, got {given!r}")
    return [_seated(player, env) for player in players]


def _seated(player: Opponent, env: Environment) -> Seated:
    """Raises an error now, not in the middle of a game, if an opponent cannot play here."""
    if not isinstance(player, str | Bot):
        if not callable(player):
            raise TypeError(f"expected an opponent to be a level, a bot or a callable, got {player!r}")
        return player
    if isinstance(player, str) and player != "random" and not (player == "wait" and env._spec["simultaneous"]):
        Bot(env._config["game"], player)
    return level(env, player)


def reply(
    player: Seated,
    env: Environment,
    state: State,
    where: NDArray[np.bool_],
    chance: np.random.Generator,
    form: ObservationForm,
) -> NDArray[np.int32]:
    """Returns a player's actions where a mask over the actions of a batch is true."""
    if not isinstance(player, tuple):
        return _asked(player, env, state, where, form)
    name, nodes = player
    if name == "random":
        return env.sample()[where]
    if name == "wait":
        return np.full(np.count_nonzero(where), env.num_actions - 1, dtype=np.int32)
    # Create a bot for each call, so that its randomness comes from our generator.
    bot = Bot(env._config["game"], name, seed=int(chance.integers(2**63)), nodes=nodes)
    return bot.act(env, where)[where]


def _asked(
    policy: Policy, env: Environment, state: State, where: NDArray[np.bool_], form: ObservationForm
) -> NDArray[np.int32]:
    assert state.legal_action_mask is not None
    mask = state.legal_action_mask[where].view(np.int8)
    seen = named({name: part[where] for name, part in parts(env, None, form).items()})
    actions = _checks.integers("an opponent's actions", policy(seen, mask), (len(mask),))
    inside = (actions >= 0) & (actions < env.num_actions)
    legal = inside & (mask[np.arange(len(mask)), np.where(inside, actions, 0)] == 1)
    if not legal.all():
        raise ValueError(f"an opponent chose the illegal action {actions[~legal][0]}")
    return actions


def parts(env: Environment, player: int | None, form: ObservationForm) -> dict[str, NDArray[Any]]:
    """Returns the observations of a player, or of all acting players, by the names that the adapters use."""
    seen = env.observe(player, form)
    arrays = seen if isinstance(seen, tuple) else (seen,)
    return dict(zip(part_names(env, form), arrays, strict=True))


def part_names(env: Environment, form: ObservationForm) -> list[str]:
    """Returns the parts of an observation: planes, the additional array, and scalars if they are separate."""
    beside = env._spec["beside"]
    names = ["observation", *([beside[0]] if beside is not None else [])]
    alone = form in ("packed", "uint8") and (env._spec["scalars"] > 0 or beside is None)
    return [*names, *(["scalars"] if alone else [])]


def named(seen: dict[str, NDArray[Any]]) -> Any:
    """Returns the array if there is only one, or all of them by name."""
    return seen["observation"] if len(seen) == 1 else seen
