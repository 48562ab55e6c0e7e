"""Gymnasium environments: one agent, in one game or in a native batch of games.

>>> import gymnasium
>>> import fourfold.gymnasium
>>> env = gymnasium.make("fourfold/Chess-v1", opponents="greedy")
>>> observation, info = env.reset(seed=0)
>>> observation.shape, int(info["action_mask"].sum())
((8, 8, 119), 20)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

>>> envs = gymnasium.make_vec("fourfold/Blokus-v1", num_envs=64)
>>> observation, infos = envs.reset(seed=0)
>>> observation["observation"].shape, observation["pieces_left"].shape, infos["action_mask"].shape
((64, 20, 20, 10), (64, 4, 21), (64, 30434))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from fourfold import _checks, _deprecated, _games, _opponents, _pictures, _spaces
from fourfold._agent import Agent, PlayerChoice
from fourfold._games import register
from fourfold._opponents import Opponent
from fourfold._options import GameName
from fourfold._state import Autoreset, Illegal, ObservationFormat

__all__ = ["Env", "VectorEnv", "register"]

register()

_RENDER_MODES = ["ansi", "rgb_array"]
_RENDER_FPS = 4
_MODES = {mode.name.lower(): mode for mode in AutoresetMode}


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """One agent in many games, stepped by one native call. Made by ``gymnasium.make_vec``.

    ``opponents`` are the other players: ``"random"``, a level of :class:`fourfold.Bot`, a bot, a callable that takes
    observations and masks and returns actions, or a list with one of these for each other player, starting
    after the agent's. In kung fu chess, ``"wait"`` is an opponent that does nothing. With None the agent acts for
    all players in turn: it gets the observation of the player to move, and the reward of the player who has just moved.

    ``player`` is the agent's: a number, ``"random"`` for a random one in each game, or ``"alternate"``.
    ``illegal`` says what happens if an action of the agent is illegal: the agent loses the game ("lose"), the action
    is ignored ("ignore"), or an error is raised ("error"). ``autoreset`` is "next_step", Gymnasium's default,
    "same_step" or "disabled". ``observation`` is the format, and all other options are those of
    :func:`fourfold.make`. With ``mask_in_observation``, observations are dictionaries with an ``action_mask``; the
    infos always have the mask. ``render_mode`` is "ansi" for text, or "rgb_array" for pixels.
    """

    metadata: dict[str, Any] = {
        "render_modes": _RENDER_MODES,
        "render_fps": _RENDER_FPS,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    @_deprecated.arguments(names={"seat": "player"})
    def __init__(
        self,
        game: GameName,
        num_envs: int = 1,
        *,
        opponents: Opponent | Iterable[Opponent] | None = "random",
        player: PlayerChoice = 0,
        illegal: Illegal = "lose",
        autoreset: Autoreset = "next_step",
        observation: ObservationFormat = "float32",
        mask_in_observation: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        _checks.one_of("autoreset", autoreset, _MODES)
        if render_mode is not None:
            _checks.one_of("render_mode", render_mode, _RENDER_MODES)
        if render_mode == "rgb_array":
            _pictures.require_rasterizer()
        self._agent = Agent(
            game, num_envs, opponents=opponents, player=player, observation=observation, illegal=illegal, **options
        )
        self._masked = mask_in_observation
        self.num_envs = num_envs
        self.metadata = {**self.metadata, "autoreset_mode": _MODES[autoreset]}
        self.render_mode = render_mode
        parts = _spaces.observation_parts(self._agent.env, observation)
        if mask_in_observation:
            parts["action_mask"] = _spaces.mask(self._agent.env)
        self.single_observation_space = _spaces.single(parts)
        self.single_action_space = spaces.Discrete(self._agent.env.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Restarts all games.

        Options are ``reset_mask``, booleans that select games, and ``positions``, one text per game. A seed
        makes everything that follows reproducible; game i starts as game i of ``fourfold.make`` does with it.
        """
        super().reset(seed=seed)
        where, positions = _reset_options(options, self.num_envs)
        if seed is not None and where is not None:
            raise ValueError("a seed restarts all games: do not pass reset_mask with it")
        # The first games need a random seed if none is given.
        unseeded = seed is None and not self._agent.seeded
        if unseeded:
            self._agent.reset(int(self.np_random.integers(2**63)))
        if not unseeded or where is not None or positions is not None:
            self._agent.reset(seed, where=where, positions=positions)
        return self._observation(), self._infos(self._info())

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays an action of the agent in each game, and the opponents' replies.

        Infos have ``action_mask``, ``current_player`` (the player that the agent acts for), the ``rewards`` of all
        players, ``winner``, and ``ending``, an index into :attr:`endings`. With ``autoreset="same_step"``,
        ``final_obs`` and ``final_info`` describe the games that have just ended.
        """
        agent = self._agent
        mode = self.metadata["autoreset_mode"]
        reward, rewards = agent.step(actions, restart=mode is AutoresetMode.NEXT_STEP)
        terminated, truncated, over = agent.terminated, agent.truncated, agent.over
        ended: dict[str, Any] = {}
        if mode is AutoresetMode.SAME_STEP and over.any():
            final = np.full(self.num_envs, None, dtype=object)
            rows = np.flatnonzero(over)
            observations = self._named(agent.observe(rows), agent.mask[rows])
            for index, row in enumerate(rows):
                final[row] = _row(observations, index)
            info = {**self._info(), "rewards": rewards}
            ended = {
                "final_obs": final,
                "_final_obs": over,
                "final_info": self._infos(info, over),
                "_final_info": over,
            }
            agent.reset(where=over)
        infos = self._infos({**self._info(), "rewards": rewards})
        return self._observation(), reward, terminated, truncated, {**infos, **ended}

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the agent's legal actions (games, actions)."""
        return self._agent.mask.astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Returns each game as text if the render mode is ``ansi``, or as pixels (400, 400, 3), seen by the agent's
        player, if it is ``rgb_array``."""
        if self.render_mode is None:
            return None
        env, players = self._agent.env, self._agent.players
        if self.render_mode == "ansi":
            return tuple(_games.as_texts(env))
        return tuple(_pictures.rgb(env.svg(game, player=int(player))) for game, player in enumerate(players))

    @property
    def endings(self) -> list[str]:
        """The reasons why games can end."""
        return self._agent.env.endings

    @property
    def positions(self) -> list[str]:
        """The current position of each game as text."""
        return self._agent.env.positions

    def _observation(self) -> Any:
        return self._named(self._agent.observe(), self._agent.mask)

    def _named(self, parts: dict[str, NDArray[Any]], mask: NDArray[np.int8]) -> Any:
        return _opponents.named({**parts, "action_mask": mask} if self._masked else parts)

    def _info(self) -> dict[str, NDArray[Any]]:
        agent = self._agent
        return {
            "action_mask": agent.mask,
            "current_player": agent.turn,
            "winner": agent.winner,
            "ending": agent.ending,
        }

    def _infos(self, info: dict[str, NDArray[Any]], rows: NDArray[np.bool_] | None = None) -> dict[str, Any]:
        """Adds to each array a mask of the games that it describes."""
        described = np.ones(self.num_envs, dtype=np.bool_) if rows is None else rows
        return {**info, **{f"_{name}": described.copy() for name in info}}


class Env(gymnasium.Env[Any, Any]):
    """One agent in one game. Made by ``gymnasium.make``. The options are those of :class:`VectorEnv` except
    ``autoreset``. Callables among the opponents are given batches of one row."""

    metadata: dict[str, Any] = {"render_modes": _RENDER_MODES, "render_fps": _RENDER_FPS}

    @_deprecated.arguments(names={"seat": "player"})
    def __init__(self, game: GameName, **options: Any) -> None:
        self._games = VectorEnv(game, 1, autoreset="disabled", **options)
        self.render_mode = self._games.render_mode
        self.observation_space = self._games.single_observation_space
        self.action_space = self._games.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Restarts the game. The option ``positions`` is a list with one position as text."""
        super().reset(seed=seed)
        observation, infos = self._games.reset(seed=seed, options=options)
        return _row(observation, 0), self._info(infos)

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Plays an action of the agent and the opponents' replies. The info has the entries of
        :meth:`VectorEnv.step` for one game, but ``ending`` is text, or None while the game is in progress."""
        given = np.asarray(action)
        if given.size != 1:
            raise ValueError(f"expected action to be a single integer, got {action!r}")
        observation, reward, terminated, truncated, infos = self._games.step(given.reshape(1))
        info = {**self._info(infos), "rewards": infos["rewards"][0].copy()}
        return _row(observation, 0), float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the agent's legal actions, as ``MaskablePPO`` of sb3-contrib expects them.

        >>> env = Env("chess")
        >>> observation, info = env.reset(seed=0)
        >>> env.action_masks().shape, int(env.action_masks().sum())
        ((4672,), 20)
        """
        mask: NDArray[np.bool_] = self._games.action_masks()[0]
        return mask

    def render(self) -> Any:
        """Returns the game as text if the render mode is ``ansi``, or as pixels if it is ``rgb_array``."""
        texts = self._games.render()
        return None if texts is None else texts[0]

    @property
    def position(self) -> str:
        """The current position as text."""
        return self._games.positions[0]

    def _info(self, infos: dict[str, Any]) -> dict[str, Any]:
        ending = int(infos["ending"][0])
        return {
            "action_mask": infos["action_mask"][0],
            "current_player": int(infos["current_player"][0]),
            "winner": int(infos["winner"][0]),
            "ending": self._games.endings[ending] if ending >= 0 else None,
        }


def _reset_options(options: dict[str, Any] | None, games: int) -> tuple[NDArray[np.bool_] | None, Sequence[str] | None]:
    given = dict(options or {})
    mask, positions = given.pop("reset_mask", None), given.pop("positions", None)
    if given:
        raise ValueError(f"unknown reset options {', '.join(given)}: expected reset_mask or positions")
    where = None if mask is None else _checks.booleans("reset_mask", mask, (games,))
    return where, None if positions is None else _checks.texts("positions", positions)


def _row(observations: Any, index: int) -> Any:
    """Returns the row of one game."""
    if isinstance(observations, dict):
        return {name: part[index] for name, part in observations.items()}
    return observations[index]
