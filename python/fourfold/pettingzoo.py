"""PettingZoo environments: an agent for every player.

Games in which players take turns:

>>> import fourfold.pettingzoo
>>> env = fourfold.pettingzoo.env("four_player")
>>> env.reset(seed=0)
>>> for agent in env.agent_iter(8):
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
>>> env.agents, env.agent_selection
(['player_0', 'player_1', 'player_2', 'player_3'], 'player_0')

Kung fu chess, in which all players act at once:

>>> env = fourfold.pettingzoo.parallel_env("kung_fu")
>>> observations, infos = env.reset(seed=0)
>>> actions = {agent: env.action_space(agent).sample(infos[agent]["action_mask"]) for agent in env.agents}
>>> observations, rewards, terminations, truncations, infos = env.step(actions)
>>> observations["player_1"]["observation"].shape
(8, 8, 36)
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pettingzoo
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from fourfold import _checks, _core, _games, _opponents, _spaces
from fourfold._make import make
from fourfold._options import GameName
from fourfold._state import Illegal, ObservationFormat, State

__all__ = ["ParallelGame", "TurnGame", "env", "parallel_env", "raw_env"]

_RENDER_MODES = ["ansi"]


def env(game: GameName, **options: Any) -> AECEnv[str, Any, Any]:
    """Makes a turn-based environment with PettingZoo's wrapper that checks the order of calls."""
    made: AECEnv[str, Any, Any] = wrappers.OrderEnforcingWrapper(raw_env(game, **options))
    return made


def raw_env(game: GameName, **options: Any) -> TurnGame:
    """Makes a turn-based environment without the wrapper."""
    return TurnGame(game, **options)


def parallel_env(game: GameName = "kung_fu", **options: Any) -> ParallelGame:
    """Makes an environment in which all players act at once: ``kung_fu`` or ``kung_fu_4p``."""
    return ParallelGame(game, **options)


class _Game:
    """What both kinds of environments share: one game, its agents and their spaces."""

    def _begin(
        self,
        game: GameName,
        *,
        simultaneous: bool,
        observation: ObservationFormat = "float32",
        illegal: Illegal = "lose",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        _checks.one_of("observation", observation, ("float32", "float16", "uint8", "packed"))
        if render_mode is not None:
            _checks.one_of("render_mode", render_mode, _RENDER_MODES)
        self._env = make(
            game,
            1,
            device="cpu",
            observation="none",
            mask="bool",
            autoreset="disabled",
            illegal=illegal,
            num_threads=1,
            **options,
        )
        if self._env._spec["simultaneous"] != simultaneous:
            other = "turn-based: use env" if simultaneous else "simultaneous: use parallel_env"
            raise ValueError(f"{game} is {other}")
        self._format: ObservationFormat = observation
        self._seeded = False
        self.render_mode = render_mode
        self.possible_agents = [f"player_{player}" for player in range(self._env.num_players)]
        parts = _spaces.observation_parts(self._env, observation)
        # Each agent has its own space, so that it can be seeded separately.
        self.observation_spaces = {
            agent: spaces.Dict({**parts, "action_mask": _spaces.mask(self._env)}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self._env.num_actions) for agent in self.possible_agents}
        self.metadata = {
            "name": self._env.id,
            "render_modes": _RENDER_MODES,
            "is_parallelizable": simultaneous,
            "render_fps": 4,
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """Returns the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the action space of an agent."""
        return self.action_spaces[agent]

    def _restart(self, seed: int | None, options: dict[str, Any] | None) -> State:
        """Resets the game, with a random seed if there has been none yet."""
        positions = (options or {}).get("positions")
        if seed is not None or not self._seeded:
            state = self._env.reset(seed=secrets.randbits(63) if seed is None else seed)
            self._seeded = True
            if positions is None:
                return state
        return self._env.reset(positions=positions)

    def _player(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _observation(self, agent: str, mask: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
        """Returns the observation and the mask of an agent."""
        parts = _opponents.parts(self._env, self._player(agent), self._format)
        return {**{name: part[0] for name, part in parts.items()}, "action_mask": mask.astype(np.int8)}

    def render(self) -> Any:
        """Returns the game as text if the render mode is ``ansi``."""
        return None if self.render_mode is None else _games.as_texts(self._env)[0]


class TurnGame(_Game, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game whose players take turns. Options are those of :func:`fourfold.make` for the game, ``observation``
    (the format), ``illegal`` and ``render_mode``.

    Agents that are not to move have an empty mask, as in PettingZoo's own games. In free-for-all four-player chess,
    eliminated players are terminated at once. If rewards are paid at the end (``reward="rank"`` or ``"win"``), all
    agents stay until then.
    """

    def __init__(self, game: GameName, **options: Any) -> None:
        super().__init__()
        self._begin(game, simultaneous=False, **options)
        self._removes_eliminated = _games.removes_eliminated(self._env)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Restarts the game. The option ``positions`` is a list with one position as text."""
        self._state = self._restart(seed, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._update_agents()

    def step(self, action: Any) -> None:
        """Plays an action of the agent to move; None removes an agent that is terminated or truncated."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        given = np.asarray(action)
        if given.size != 1:
            raise ValueError(f"expected action to be a single integer, got {action!r}")
        self._state = self._env.step(given.reshape(1))
        self._cumulative_rewards[agent] = 0.0
        for one in self.agents:
            self.rewards[one] = float(self._state.rewards[0, self._player(one)])
        self._update_agents()
        self._accumulate_rewards()
        self._deads_step_first()

    def _update_agents(self) -> None:
        """Updates the attributes that PettingZoo expects from the state of the game."""
        state = self._state
        terminated, truncated = bool(state.terminated[0]), bool(state.truncated[0])
        out = {one: self._removes_eliminated and not state.alive[0, self._player(one)] for one in self.agents}
        self.terminations = {one: terminated or bool(out[one]) for one in self.agents}
        self.truncations = dict.fromkeys(self.agents, truncated)
        mover = f"player_{int(state.current_player[0])}"
        self.agent_selection = mover if mover in self.agents else self.agents[0]
        self.infos = {one: {"action_mask": self._mask(one).astype(np.int8)} for one in self.agents}

    def _mask(self, agent: str) -> NDArray[np.bool_]:
        state = self._state
        mask: NDArray[np.bool_] = state.legal_action_mask[0]
        over = bool(state.terminated[0] | state.truncated[0])
        moves = not over and int(state.current_player[0]) == self._player(agent)
        return mask if moves else np.zeros_like(mask)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Returns the observation and the mask of an agent."""
        return self._observation(agent, self._mask(agent))


class ParallelGame(_Game, ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A game whose players all act at once. Options are those of :func:`fourfold.make` for the game,
    ``observation`` (the format), ``illegal`` and ``render_mode``.

    All agents stay until the end, when rewards are paid. A player who has lost the king can only wait, and needs no
    action.
    """

    def __init__(self, game: GameName = "kung_fu", **options: Any) -> None:
        self._begin(game, simultaneous=True, **options)
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Restarts the game. The option ``positions`` is a list with one position as text."""
        state = self._restart(seed, options)
        self.agents = list(self.possible_agents)
        return self._observations_and_infos(state)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Plays one action per agent. Agents without an action wait."""
        env = self._env
        unknown = [agent for agent in actions if agent not in self.possible_agents]
        if unknown:
            raise ValueError(f"unknown agent {unknown[0]!r}: expected one of {', '.join(self.possible_agents)}")
        given = np.full((1, env.num_players), env.num_actions - 1, dtype=np.int64)
        for player, agent in enumerate(self.possible_agents):
            if actions.get(agent) is not None:
                given[0, player] = actions[agent]
        state = env.step(given)
        observations, infos = self._observations_and_infos(state)
        agents = list(self.agents)
        rewards = {agent: float(state.rewards[0, self._player(agent)]) for agent in agents}
        terminations = dict.fromkeys(agents, bool(state.terminated[0]))
        truncations = dict.fromkeys(agents, bool(state.truncated[0]))
        if state.terminated[0] or state.truncated[0]:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _observations_and_infos(self, state: State) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        observations: dict[str, Any] = {}
        infos: dict[str, dict[str, Any]] = {}
        for agent in self.agents:
            player = self._player(agent)
            observations[agent] = self._observation(agent, state.legal_action_mask[0, player])
            infos[agent] = {
                "action_mask": observations[agent]["action_mask"].copy(),
                "alive": bool(state.alive[0, player]),
            }
        return observations, infos


def _register() -> None:
    """Registers our environments with PettingZoo, which has a registry since version 1.27."""
    if not hasattr(pettingzoo, "register"):
        return
    for game, (_, simultaneous) in _core.ENVIRONMENTS.items():
        kind, made = ("parallel", "parallel_env") if simultaneous else ("aec", "env")
        known = pettingzoo.parallel_registry if simultaneous else pettingzoo.aec_registry
        if _games.IDS[game] not in known:
            pettingzoo.register(
                kind, _games.IDS[game], entry_point=f"fourfold.pettingzoo:{made}", kwargs={"game": game}
            )


_register()
