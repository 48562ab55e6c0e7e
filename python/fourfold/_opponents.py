"""Who sits in the other seats when one agent learns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks
from fourfold._bots import Bot

if TYPE_CHECKING:
    from fourfold._env import Environment, ObservationForm, State

Policy = Callable[[Any, NDArray[np.int8]], Any]
"""What a callable is: observations and action masks in, one row for each position that it is asked
about, and an action for each of them out."""

Opponent = str | Bot | Policy

Reply = Callable[["Environment", "State", NDArray[np.bool_]], Any]
"""Actions for the places where a mask over the actions of a batch is true."""


def seated(given: Opponent | Iterable[Opponent], env: Environment) -> list[Opponent]:
    """One opponent for all other seats, or a list with one for each, beginning after the agent."""
    if isinstance(given, str | Bot) or callable(given):
        players = [given]
    elif isinstance(given, Iterable):
        players = list(given)
        if len(players) != env.num_players - 1:
            raise ValueError(f"there are {env.num_players - 1} opponents, not {len(players)}")
    else:
        raise TypeError(f"opponents are levels of bots, bots or callables, not {given!r}")
    for player in players:
        # Whoever cannot play here is refused now, not in the middle of a game.
        reply(player, env, 0, "float32")
    return players


def reply(player: Opponent, env: Environment, seed: int, form: ObservationForm) -> Reply:
    """What a player does. The chance of a bot comes from this seed, whatever its own was."""
    simultaneous = env._spec["simultaneous"]
    game: str = env._config["game"]
    if player == "random":
        return lambda env, state, where: env.sample()[where]
    if player == "wait" and simultaneous:
        return lambda env, state, where: np.full(np.count_nonzero(where), env.num_actions - 1, np.int32)
    if isinstance(player, str | Bot) and simultaneous:
        raise ValueError(
            f"opponents in {game} are 'random', 'wait' or callables: everybody acts at once there, and its "
            "bots are asked on every tick, so that they do not play in environments yet"
        )
    if isinstance(player, str):
        bot = Bot(game, player, seed=seed)
        return lambda env, state, where: bot.act(env, where)[where]
    if isinstance(player, Bot):
        player._check(env)
        bot = Bot(game, player.level, seed=seed, nodes=player._nodes)
        return lambda env, state, where: bot.act(env, where)[where]
    if callable(player):
        policy = player
        return lambda env, state, where: _asked(policy, env, state, where, form)
    raise TypeError(f"an opponent is a level of bots, a bot or a callable, not {player!r}")


def _asked(
    policy: Policy, env: Environment, state: State, where: NDArray[np.bool_], form: ObservationForm
) -> NDArray[np.int32]:
    if not where.any():
        return np.empty(0, dtype=np.int32)
    assert state.legal_action_mask is not None
    mask = state.legal_action_mask[where].view(np.int8)
    seen = named({name: part[where] for name, part in parts(env, None, form).items()})
    actions = _checks.integers("an opponent's actions", policy(seen, mask), (len(mask),))
    inside = (actions >= 0) & (actions < env.num_actions)
    legal = inside & (mask[np.arange(len(mask)), np.where(inside, actions, 0)] == 1)
    if not legal.all():
        raise ValueError(f"an opponent plays {actions[~legal][0]}, which is not legal")
    return actions


def parts(env: Environment, player: int | None, form: ObservationForm) -> dict[str, NDArray[Any]]:
    """What a player sees, or everybody who acts, by the names that adapters use."""
    seen = env.observe(player, form)
    arrays = seen if isinstance(seen, tuple) else (seen,)
    return dict(zip(part_names(env, form), arrays, strict=True))


def part_names(env: Environment, form: ObservationForm) -> list[str]:
    """The parts of an observation: planes, what stands beside them, and scalars that are no planes."""
    beside = env._spec["beside"]
    names = ["observation", *([beside[0]] if beside is not None else [])]
    alone = form in ("packed", "uint8") and (env._spec["scalars"] > 0 or beside is None)
    return [*names, *(["scalars"] if alone else [])]


def named(seen: dict[str, NDArray[Any]]) -> Any:
    """An array if there is only one, or all by their names."""
    return seen["observation"] if len(seen) == 1 else seen
