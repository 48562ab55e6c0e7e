"""Bots as opponents."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks, _core

if TYPE_CHECKING:
    from fourfold._env import Environment


class Bot:
    """A player of one game and level, for as many games at once as you like.

    ``nodes`` is how many positions it may look at for a move; without it, as many as its level is
    measured with. The same bot asked in the same way gives the same actions, on any number of threads:
    they follow from the seed, from how often :meth:`act` was called before, and from the games.

    >>> import fourfold
    >>> env = fourfold.make("chess", num_envs=2)
    >>> state = env.reset(positions=["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"] * 2)
    >>> env.moves(Bot("chess", "greedy").act(env))
    ['d1d8', 'd1d8']

    Bots play by the rules of the environment, whatever its options. In kung fu chess they pause between two
    orders as people do: in most steps they wait.
    """

    def __init__(self, game: str, level: str = "greedy", *, seed: int = 0, nodes: int | None = None) -> None:
        for name, value in (("game", game), ("level", level)):
            if not isinstance(value, str):
                raise TypeError(f"{name} is a name, not {value!r}")
        self._game, self._level = game, level
        self._nodes = None if nodes is None else _checks.whole("nodes", nodes, 1, 2**63)
        self._bot = _core.Bot(game, level, _checks.whole("seed", seed, 0, 2**64 - 1), self._nodes)
        # The native half takes one call at a time.
        self._lock = threading.Lock()

    @staticmethod
    def levels(game: str) -> dict[str, str]:
        """The levels of a game, the weakest first, and how each of them plays. Four-player chess has
        ``club`` in teams only.

        >>> Bot.levels("four_player")["greedy"]
        'takes what it can and looks one move ahead'
        """
        if not isinstance(game, str):
            raise TypeError(f"game is a name, not {game!r}")
        return {name: about for name, about, _ in _core.bot_levels(game)}

    @property
    def game(self) -> str:
        """The environment that it plays in, as :func:`make` calls it."""
        return self._game

    @property
    def level(self) -> str:
        """How well it plays."""
        return self._level

    @property
    def nodes(self) -> int:
        """How many positions it may look at for a move. For a level of four-player chess without a budget of
        its own it is what the level has in teams: alone, ``master`` looks at 50,000 in :meth:`act`."""
        if self._nodes is not None:
            return self._nodes
        return {name: nodes for name, _, nodes in _core.bot_levels(self._game)}[self._level]

    def act(self, env: Environment, where: Any = None) -> NDArray[np.int32]:
        """An action for each game, chosen for whoever is to move; where all act, (B, players): one for each.

        With ``where``, one boolean for each action, only those where it is true are asked, and the others
        have −1, which is no action. In a finished game it is 0, for all are allowed. The bot is told the
        positions as they stand: it does not know which of them came up before.

        >>> import fourfold
        >>> env = fourfold.make("blokus_duo", num_envs=2)
        >>> bot = Bot("blokus_duo", "greedy")
        >>> state = env.reset(seed=0)
        >>> while not state.terminated.any():
        ...     chosen = bot.act(env, where=state.current_player == 0)
        ...     state = env.step(np.where(chosen >= 0, chosen, env.sample()))
        """
        batch = getattr(env, "_batch", None)
        if not isinstance(batch, _core.Batch):
            raise TypeError(f"a bot plays in an Environment, not {type(env).__name__}")
        self._check(env)
        shape = env._action_shape
        mask = None if where is None else _checks.booleans("where", where, shape).reshape(-1)
        actions = np.empty(shape, dtype=np.int32)
        with self._lock, env._lock:
            self._bot.act(batch, mask, actions.reshape(-1))
        return actions

    def _check(self, env: Environment) -> None:
        """Raises an error unless it is the bot's game."""
        game = env._config["game"]
        if game != self._game:
            raise ValueError(f"a bot of {self._game} cannot play {game}")

    def __repr__(self) -> str:
        return f"<fourfold.Bot {self._game}, {self._level}, {self.nodes} nodes>"


def seated(env: Environment, players: Iterable[str | Bot]) -> list[tuple[str, int | None]]:
    """The level of each seat, and how many positions it may look at."""
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise TypeError(f"players are a list, one for each seat, not {players!r}")
    found: list[tuple[str, int | None]] = []
    for player in players:
        if isinstance(player, str):
            found.append((player, None))
        elif isinstance(player, Bot):
            player._check(env)
            found.append((player.level, player._nodes))
        else:
            raise TypeError(f"players are levels and bots, not {player!r}")
    return found
