"""A batch of games as seen by one agent, which is one player in each game, or all of them in turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks, _opponents
from fourfold._core import IllegalActionError
from fourfold._env import Environment
from fourfold._make import make
from fourfold._opponents import Opponent
from fourfold._options import GameName
from fourfold._state import Illegal, ObservationFormat, State

PlayerChoice = int | Literal["random", "alternate"]
"""The agent's player in every game, or how it is chosen for each game."""

_MAX_STARTS = 100
"""How often to restart a game that the opponents end before the agent's first turn."""


class Agent:
    """One agent in every game of a batch. Finished games stay as they are until they are reset."""

    def __init__(
        self,
        game: GameName,
        num_envs: int,
        *,
        opponents: Opponent | Iterable[Opponent] | None,
        player: PlayerChoice,
        observation: ObservationFormat,
        illegal: Illegal,
        **options: Any,
    ) -> None:
        _checks.one_of("illegal", illegal, get_args(Illegal))
        _checks.one_of(
            "observation", observation, [format for format in get_args(ObservationFormat) if format != "none"]
        )
        # With illegal="ignore", the action −1 leaves a game unchanged while others are stepped.
        self.env = make(
            game,
            num_envs,
            device="cpu",
            observation="none",
            mask="bool",
            autoreset="disabled",
            illegal="ignore",
            **options,
        )
        self.format: ObservationFormat = observation
        self.illegal = illegal
        self.simultaneous = self.env._spec["simultaneous"]
        if opponents is None and self.simultaneous:
            raise ValueError(
                f"all players act at once in {game}, so a single agent needs opponents: 'random', 'wait', a level "
                "or a callable; to act for all players, use fourfold.pettingzoo.parallel_env or fourfold.make"
            )
        self._opponents = None if opponents is None else _opponents.prepare(opponents, self.env)
        self._chance = np.random.default_rng(0)
        self._choice: PlayerChoice = player
        if isinstance(player, str):
            _checks.one_of("player", player, ("random", "alternate"))
        else:
            self._choice = _checks.integer("player", player, 0, self.env.num_players - 1)
        self.seeded = False
        self._rows = np.arange(num_envs)
        self._games = np.zeros(num_envs, dtype=np.int64)
        self._players = np.zeros(num_envs, dtype=np.int64)
        self._early = np.zeros((num_envs, self.env.num_players), dtype=np.float32)
        self._lost = np.zeros(num_envs, dtype=np.bool_)
        self._state = self.env.current_state()

    # State

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether each game is over."""
        return self._state.terminated | self._state.truncated | self._lost

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Whether each game was ended by the rules or by an illegal action."""
        return self._state.terminated | self._lost

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Whether each game was truncated."""
        return self._state.truncated & ~self._lost

    @property
    def players(self) -> NDArray[np.int64]:
        """The agent's player in each game; if it acts for all players, the one that games are shown to."""
        return self._players

    @property
    def turn(self) -> NDArray[np.int32]:
        """The player that the agent acts for next."""
        return self._state.current_player.copy() if self._opponents is None else self._players.astype(np.int32)

    @property
    def mask(self) -> NDArray[np.int8]:
        """The agent's legal actions. In a finished game, all actions are legal."""
        mask = self._state.legal_action_mask
        own = mask[self._rows, self._players] if self.simultaneous else mask
        if self._lost.any():
            own = own | self._lost[:, None]
        return own.view(np.int8)

    @property
    def winner(self) -> NDArray[np.int32]:
        """The winner of each game; −1 if there is none."""
        return np.where(self._lost, np.int32(-1), self._state.winner)

    @property
    def ending(self) -> NDArray[np.int32]:
        """Why each game ended, as an index into the environment's endings; −1 if it has not."""
        return np.where(self._lost, np.int32(self.env.endings.index("illegal action")), self._state.ending)

    def observe(self, rows: NDArray[np.int64] | None = None) -> dict[str, NDArray[Any]]:
        """Returns the agent's observations of all games, or of those in ``rows``."""
        env = self.env if rows is None else self.env.gather(rows)
        if self._opponents is None:
            return _opponents.parts(env, None, self.format)
        players = self._players if rows is None else self._players[rows]
        if rows is None and not self.simultaneous and not self.over.any():
            # It is the agent's turn everywhere.
            return _opponents.parts(env, None, self.format)
        found: dict[str, NDArray[Any]] = {}
        for player in np.unique(players):
            observations = _opponents.parts(env, int(player), self.format)
            found = found or observations
            for name, part in observations.items():
                found[name][players == player] = part[players == player]
        return found

    # Play

    def reset(
        self,
        seed: int | None = None,
        *,
        where: NDArray[np.bool_] | None = None,
        positions: Sequence[str] | None = None,
    ) -> None:
        """Restarts all games, or those in ``where``, and lets the opponents play until the agent's turn."""
        fresh = np.ones(len(self._rows), dtype=np.bool_) if where is None else where
        if seed is not None:
            self.seeded = True
            self._games[:] = 0
            self._chance = np.random.default_rng(seed)
            self.env.reset(seed=seed)
        started = seed is not None and positions is None and fresh.all()
        for _ in range(_MAX_STARTS):
            self._state = self.env.current_state() if started else self.env.reset(mask=fresh, positions=positions)
            self._lost = self._lost & ~fresh
            self._assign_players(fresh)
            self._early[fresh] = 0
            self._state, early = self._play_opponents(self.env, self._state, self._players, ~fresh)
            self._early += early
            fresh = fresh & self.over
            if not fresh.any():
                return
            if positions is not None:
                break
            started = False
        raise ValueError(f"game {np.flatnonzero(fresh)[0]} is over before the agent's first turn")

    def _assign_players(self, fresh: NDArray[np.bool_]) -> None:
        """Chooses the agent's player in some games."""
        count = self.env.num_players
        if self._choice == "random":
            self._players[fresh] = self._chance.integers(count, size=np.count_nonzero(fresh))
        elif self._choice == "alternate":
            self._players[fresh] = (self._rows + self._games)[fresh] % count
        else:
            self._players[fresh] = self._choice
        self._games[fresh] += 1

    def step(self, actions: Any, *, restart: bool = False) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """Plays the agent's actions and the opponents' replies. Games that were already over stay as they
        are, or are restarted with ``restart``.

        Returns the agent's rewards and the rewards of all players. If the agent acts for all players, its
        reward is that of the player who has just moved.
        """
        given = _checks.integers("actions", actions, (len(self._rows),))
        idle = self.over
        wrong = ~self._legal(given) & ~idle
        if wrong.any() and self.illegal == "error":
            row = int(np.flatnonzero(wrong)[0])
            raise IllegalActionError(f"game {row}: action {given[row]} is not legal")
        if restart and idle.any():
            self.reset(where=idle)
        movers = self.turn
        rewards = np.zeros((len(self._rows), self.env.num_players), dtype=np.float32)
        pending = ~idle
        rewards[pending], self._early[pending] = self._early[pending], 0
        if self.illegal == "lose" and wrong.any():
            rewards[wrong] = 1 / (self.env.num_players - 1)
            rewards[wrong, movers[wrong]] = -1
            self._lost = self._lost | wrong
        played = np.where(idle | wrong, np.int32(-1), given)
        if self.simultaneous:
            actions_of_all = self._their_actions(self.env, self._state, played >= 0, self._players)
            actions_of_all[self._rows, self._players] = played
            played = actions_of_all
        self._state = self.env.step(played)
        rewards += self._state.rewards
        if self._opponents is not None:
            self._state, more = self._play_opponents(self.env, self._state, self._players, self._lost | idle)
            rewards += more
        return rewards[self._rows, movers].astype(np.float64), rewards

    def _legal(self, actions: NDArray[np.int32]) -> NDArray[np.bool_]:
        inside = (actions >= 0) & (actions < self.env.num_actions)
        mask = self._state.legal_action_mask
        chosen = np.where(inside, actions, 0)
        rows = (self._rows, self._players, chosen) if self.simultaneous else (self._rows, chosen)
        found: NDArray[np.bool_] = inside & mask[rows]
        return found

    # Opponents

    def _play_opponents(
        self, env: Environment, state: State, players: NDArray[np.int64], idle: NDArray[np.bool_]
    ) -> tuple[State, NDArray[np.float32]]:
        """Lets the opponents play until it is the agent's turn, or the game is over.

        If the agent is eliminated, they play on to the end, because its reward may depend on the result.
        """
        rewards = np.zeros((env.num_envs, env.num_players), dtype=np.float32)
        if self._opponents is None:
            return state, rewards
        rows = np.arange(env.num_envs)
        while True:
            waits = state.alive[rows, players] if self.simultaneous else state.current_player == players
            theirs = ~(waits | idle | state.terminated | state.truncated)
            count = np.count_nonzero(theirs)
            if count == 0:
                return state, rewards
            if 2 * count <= len(theirs):
                # Step only these games, so that the ones waiting cost nothing.
                few = np.flatnonzero(theirs)
                ahead = env.gather(few)
                _, more = self._play_opponents(
                    ahead, ahead.current_state(), players[few], np.zeros(len(few), dtype=np.bool_)
                )
                rewards[few] += more
                return env.scatter(few, ahead), rewards
            state = env.step(self._their_actions(env, state, theirs, players))
            rewards += state.rewards

    def _their_actions(
        self, env: Environment, state: State, where: NDArray[np.bool_], players: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Returns the opponents' actions in some games, and −1 in the others, which leaves them unchanged."""
        count = env.num_players
        if self.simultaneous:
            after = (np.arange(count) - players[:, None] - 1) % count
            theirs = where[:, None] & (after < count - 1)
            actions = np.where(where[:, None], np.int32(env.num_actions - 1), np.int32(-1))
            actions = np.broadcast_to(actions, after.shape).copy()
        else:
            after = (state.current_player - players - 1) % count
            theirs = where
            actions = np.full(env.num_envs, -1, dtype=np.int32)
        assert self._opponents is not None
        for index, opponent in enumerate(self._opponents):
            asked = theirs if len(self._opponents) == 1 else theirs & (after == index)
            if asked.any():
                actions[asked] = _opponents.reply(opponent, env, state, asked, self._chance, self.format)
        return actions
