"""Whole games between policies, bots and random players, many at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from fourfold import _bots, _checks
from fourfold._bots import Bot
from fourfold._core import IllegalActionError
from fourfold._state import Rollout, State

if TYPE_CHECKING:
    from fourfold._env import Environment

_MAX_GAMES = 256
"""The number of games played at once, unless fewer are left. Results do not depend on it."""


class Policy(Protocol):
    """A function that plays: it receives the positions in which its player is to act, and returns an action for
    each.

    ``state`` has one row for each of the ``n`` positions, with the fields and formats of the environment. In
    simultaneous games it has a row for each player of the policy who is still in the game: observations and masks
    are then (n, …), and ``current_player`` is the player of the row. A policy that plays for several players is
    called once for all of them.

    Returns the actions (n,) as integers, or logits (n, num_actions) as floats. An action is then drawn as in
    :meth:`Environment.sample_logits`, with probabilities proportional to ``exp(logits)`` among the legal actions.
    Any array is accepted that NumPy can convert.

    >>> import fourfold, numpy as np
    >>> def first_legal(state: State) -> np.ndarray:
    ...     return state.legal_action_mask.argmax(axis=1)
    >>> fourfold.rollout("chess", 10, players=[first_legal, "random"], seed=0).games
    10
    """

    def __call__(self, state: State, /) -> Any:
        """Returns actions (n,) or logits (n, num_actions)."""


Player = str | Bot | Policy
"""The level of a bot, a bot, or a policy."""


def is_policy(player: Any) -> TypeGuard[Policy]:
    """Returns whether a player is a policy, not a bot or a level."""
    return callable(player) and not isinstance(player, str | Bot)


def player_list(players: Any) -> list[Any]:
    """Checks that players were given as a list, and returns it."""
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise TypeError(f"expected players to be a list with one entry per player, got {players!r}")
    return list(players)


def player_name(player: Any) -> str:
    """Returns the name of a player for tables and files."""
    if isinstance(player, Bot):
        return player.level if player._nodes is None else f"{player.level}, {player._nodes} nodes"
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """One step of some games, each of which is a row of the arrays."""

    games: NDArray[np.int64]
    """The index of each game."""
    number: int
    """The number of earlier steps in these games."""
    before: State
    acting: NDArray[np.bool_]
    """For each action, whether its player is to act; false for eliminated players of simultaneous games."""
    actions: NDArray[np.int32]
    seen: Any
    """What the function returned that was called before the step."""
    after: State

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Whether each game ended in this step."""
        return self.after.terminated | self.after.truncated


def play(
    env: Environment,
    players: Iterable[Any] | None,
    games: range,
    seed: int,
    before_step: Callable[[Environment, NDArray[np.int32], int], Any] = lambda env, actions, number: None,
) -> Iterator[Step]:
    """Plays games from the start positions of an environment. Without players, all actions are random.
    ``before_step`` is called with the environment that plays the games, the actions that were chosen, and the number
    of earlier steps.

    All randomness comes from the games' own random streams, so a game depends only on the players, the seed and its
    index, if policies treat each row independently of the others.
    """
    seats = _Seats(env, players)
    for first in range(games.start, games.stop, _MAX_GAMES):
        rows = np.arange(first, min(first + _MAX_GAMES, games.stop))
        batch = env._new_games(len(rows), outputs=seats.has_policies)
        state = batch.reset(seed=seed, first_game=first)
        number = 0
        while len(rows) > 0:
            actions, acting = seats.choose(batch, state)
            seen = before_step(batch, actions, number)
            try:
                after = batch.step(actions)
            except IllegalActionError as error:
                error.add_note(
                    f"step {number} of the games {rows[0]} to {rows[-1]}, counting those that have not ended"
                )
                raise
            step = Step(rows, number, state, acting, actions, seen, after)
            yield step
            number += 1
            state = after
            if step.ended.any():
                going = np.flatnonzero(~step.ended)
                rows = rows[going]
                if len(rows) > 0:
                    batch = batch.gather(going)
                    state = batch.current_state()


class _Seats:
    """The players of a game. A player with several seats is asked once for all of them."""

    def __init__(self, env: Environment, players: Iterable[Any] | None) -> None:
        given = [] if players is None else list(players)
        if players is not None and len(given) != env.num_players:
            raise ValueError(f"expected {env.num_players} players, got {len(given)}")
        simultaneous = env._spec["simultaneous"]
        self._seats: list[tuple[Bot | Policy, NDArray[np.bool_]]] = []
        for player in {id(player): player for player in given}.values():
            seats = np.array([one is player for one in given])
            if is_policy(player):
                self._seats.append((player, seats))
                continue
            level, nodes, movetime = _bots.level(env, player)
            # In games with turns, "random" draws any legal action. Elsewhere it waits at times, as the other bots do.
            if level != "random" or simultaneous:
                self._seats.append((Bot(env._config["game"], level, nodes=nodes, movetime=movetime), seats))
        self.has_policies = any(map(is_policy, given))

    def choose(self, env: Environment, state: State) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Returns the actions in all games, and which of them belong to players who are still in the game."""
        movers: NDArray[Any]
        if env._spec["simultaneous"]:
            acting = state.alive
            movers = np.broadcast_to(np.arange(env.num_players), acting.shape)
        else:
            movers = state.current_player
            acting = np.ones(movers.shape, np.bool_)
        actions = np.zeros(acting.shape, np.int32)
        chosen = np.zeros(acting.shape, np.bool_)
        # Random numbers must not depend on what is chosen in other games. So draw in all games, in the same way.
        logits = np.zeros((*acting.shape, env.num_actions), np.float32) if self.has_policies else None
        for player, seats in self._seats:
            where = acting & seats[movers]
            if not where.any():
                continue
            if isinstance(player, Bot):
                actions[where] = player._act(env, where, games_streams=True)[where]
                chosen |= where
                continue
            found = _answer(player, _rows(state, where, movers), int(np.count_nonzero(where)), env.num_actions)
            if found.ndim == 1:
                actions[where] = found
                chosen |= where
            elif logits is not None:
                logits[where] = found
        drawn = env.sample() if logits is None else env.sample_logits(logits)
        return np.where(chosen, actions, drawn), acting


def _answer(policy: Policy, state: State, count: int, num_actions: int) -> NDArray[Any]:
    """Returns the actions or logits of a policy."""
    array = _checks._array("what a policy returns", policy(state))
    if array.shape == (count, num_actions):
        return _checks.floats("a policy's logits", array)
    if array.shape != (count,):
        accepted = f"actions ({count},) or logits ({count}, {num_actions})"
        raise ValueError(f"expected a policy to return {accepted}, got shape {array.shape}")
    return _checks.integers("a policy's actions", array, (count,))


_ROWS_OF_ACTIONS = (
    "observation",
    "scalars",
    "pieces_left",
    "tokens",
    "legal_action_mask",
    "legal_action_counts",
    "legal_actions",
    "order_refused",
)
"""The fields of a state that have a row for each action. In simultaneous games, that is one for each player."""


def _rows(state: State, where: NDArray[np.bool_], movers: NDArray[Any]) -> State:
    """Returns the rows of a state in which a policy is to act."""
    if where.ndim == 1 and where.all():
        return state
    games = np.nonzero(where)[0]
    found: dict[str, Any] = {}
    for field in dataclasses.fields(state):
        array = getattr(state, field.name)
        if array is None or field.name.startswith("_"):
            found[field.name] = None
        else:
            found[field.name] = array[where] if field.name in _ROWS_OF_ACTIONS else array[games]
    return State(**{**found, "current_player": movers[where].astype(np.int32)})


def rollout(
    env: Environment, players: Iterable[Any], games: range, seed: int, report: Callable[[int, int], None]
) -> Rollout:
    """Plays whole games, and returns their statistics."""
    steps = truncated = done = 0
    wins = np.zeros(env.num_players, np.int64)
    endings = np.zeros(len(env.endings), np.int64)
    for step in play(env, players, games, seed):
        steps += len(step.games)
        ended, after = step.ended, step.after
        if not ended.any():
            continue
        done += int(np.count_nonzero(ended))
        truncated += int(np.count_nonzero(after.truncated))
        np.add.at(wins, after.winner[ended & (after.winner >= 0)], 1)
        np.add.at(endings, after.ending[ended & (after.ending >= 0)], 1)
        report(done, len(games))
    counts = dict(zip(env.endings, endings.tolist(), strict=True))
    return Rollout(games=len(games), steps=steps, wins=tuple(wins.tolist()), truncated=truncated, endings=counts)
