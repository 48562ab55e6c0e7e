"""The legacy interface inside functions that JAX compiles: the environments of the original design documents.

:class:`ChessEnv` steps a batch of games, :class:`FourPlayerChessEnv` one game, or many after ``jax.vmap``. Both play
the games of :func:`fourfold.jax.make` with ``preset="legacy"``. Constants, tables and queries are in
:mod:`fourfold.legacy` and :mod:`fourfold.legacy_four_player`; they are NumPy arrays, so apply ``jnp.asarray`` before
indexing them with values that are known only when a compiled function runs.

>>> env = FourPlayerChessEnv()
>>> state, obs = env.reset(jax.random.key(0))
>>> action = jnp.argmax(state.legal_action_mask)
>>> state, obs, reward, done, info = jax.jit(env.step)(jax.random.key(1), state, action)
>>> int(state.current_player), bool(info["move_valid"]), obs.shape
(1, True, (14, 14, 48))
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from fourfold import _checks, legacy, legacy_four_player
from fourfold.jax._env import Env, as_integers, make
from fourfold.jax._state import State
from fourfold.legacy import BLACK, NUM_PLANES, WHITE
from fourfold.legacy_four_player import NUM_VALID_SQUARES

__all__ = ["ACTION_SPACE_SIZE", "ChessEnv", "ChessState", "EnvParams", "EnvState", "FourPlayerChessEnv"]

ACTION_SPACE_SIZE = NUM_VALID_SQUARES * NUM_VALID_SQUARES * 4
"""The number of actions in four-player chess: ``(from · 160 + to) · 4 + promotion``."""

_BOOLEAN = ("castling_rights", "player_active", "promoted_pieces")
"""The arrays that the native functions return as integers, but the legacy interface has as booleans."""


class ChessState(NamedTuple):
    """A batch of chess games: the arrays of :class:`fourfold.legacy.ChessState`, the key and the native states.

    All arrays describe the native states. Changing one of them does not change a game.
    """

    boards: jax.Array
    current_players: jax.Array
    castling_rights: jax.Array
    en_passant_target: jax.Array
    dones: jax.Array
    winners: jax.Array
    rng: jax.Array
    """The key that the games were started with. Steps do not use it: chess is deterministic."""
    native: State
    """The states of :func:`fourfold.jax.make` that the other fields are derived from, without observations."""


class ChessEnv:
    """A batch of ``num_envs`` chess games without draws except stalemate, truncated after 100 steps.

    Finished games stay as they are; to restart them, use :func:`fourfold.jax.make` and
    :func:`fourfold.jax.auto_reset`. An illegal action loses the game, or is ignored with ``illegal="ignore"``.

    >>> env = ChessEnv(2)
    >>> state, observations, info = env.reset(jax.random.key(0))
    >>> env.get_action_mask(state).shape, observations.shape
    ((2, 8, 8, 73), (2, 8, 8, 119))
    >>> action = jnp.array([6, 6]), jnp.array([4, 3]), jnp.array([17, 17])
    >>> state, observations, rewards, dones, info = jax.jit(env.step)(state, action)
    >>> state.boards[0, 4].tolist(), state.en_passant_target.tolist()
    ([0, 0, 0, 0, 1, 0, 0, 0], [[5, 4], [5, 3]])
    """

    def __init__(
        self, num_envs: int = 1, *, illegal: Literal["lose", "ignore"] = "lose", num_threads: int | None = None
    ) -> None:
        self.num_envs = _checks.integer("num_envs", num_envs, 1, 2**24)
        self.env = make("chess", preset="legacy", illegal=illegal, num_threads=num_threads)

    def reset(self, rng: jax.Array) -> tuple[ChessState, jax.Array, dict[str, jax.Array]]:
        """Starts the games. Returns the state, the observations, and an empty dictionary."""
        _check_key("rng", rng)
        native = jax.vmap(self.env.init)(jax.random.split(rng, self.num_envs))
        return self._state(native, rng), native.observation, {}

    def step(
        self, state: ChessState, action: tuple[Any, Any, Any]
    ) -> tuple[ChessState, jax.Array, jax.Array, jax.Array, dict[str, jax.Array]]:
        """Plays one action in each game: row and column that a piece moves from, on the mover's board, and the plane,
        each of shape (B,). Row 0 is the mover's eighth rank.

        Returns the new state, its observations, the rewards of the players who moved, whether each game is over, and
        more about the step:

        - ``move_valid``: (B,): whether the action was legal. Numbers out of range are an illegal action.
        - ``truncated``: (B,): whether the game was truncated.
        - ``rewards``: (B, 2): the rewards of White and Black.
        """
        self._check(state)
        native = jax.vmap(self.env.step)(state.native, self._labels(action))
        rewards = jnp.take_along_axis(native.rewards, state.native.current_player[:, None], axis=1)[:, 0]
        info = {"move_valid": native.move_valid, "truncated": native.truncated, "rewards": native.rewards}
        stepped = self._state(native, state.rng)
        return stepped, native.observation, rewards, stepped.dones, info

    def get_action_mask(self, state: ChessState) -> jax.Array:
        """Returns the legal actions as booleans (B, 8, 8, 73), indexed like the actions of a step. All are true in a
        finished game.

        >>> env = ChessEnv()
        >>> state, _, _ = env.reset(jax.random.key(0))
        >>> env.get_action_mask(state)[0].sum(axis=-1)[6:].tolist()
        [[2, 2, 2, 2, 2, 2, 2, 2], [0, 2, 0, 0, 0, 0, 2, 0]]
        """
        self._check(state)
        return legacy.action_mask(state.native)  # type: ignore[arg-type]  # which works with the arrays of JAX too

    def _labels(self, action: tuple[Any, Any, Any]) -> Any:
        if not isinstance(action, tuple | list):
            raise TypeError(f"expected action to be a tuple of rows, columns and planes, got {type(action).__name__}")
        if len(action) != 3:
            raise ValueError(f"expected action to have 3 parts: rows, columns and planes, got {len(action)}")
        parts, inside = [], jnp.ones(self.num_envs, jnp.bool_)
        for name, part, limit in zip(("rows", "columns", "planes"), action, (8, 8, NUM_PLANES), strict=True):
            given = as_integers(name, part)
            if given.shape != (self.num_envs,):
                raise ValueError(f"expected {name} to have shape {(self.num_envs,)}, got {given.shape}")
            inside &= (given >= 0) & (given < limit)
            parts.append(given.astype(jnp.int32))
        row, col, plane = parts
        # A number out of range would be another square's action.
        return jnp.where(inside, (col * 8 + (7 - row)) * NUM_PLANES + plane, -1)

    def _state(self, native: State, rng: jax.Array) -> ChessState:
        names = legacy.ChessState._fields[:4]
        return ChessState(
            **jax.vmap(functools.partial(_arrays, self.env, names))(native),
            dones=native.terminated | native.truncated,
            winners=jnp.select([native.winner == 0, native.winner == 1], [WHITE, BLACK], 0).astype(jnp.int32),
            rng=rng,
            native=native.replace(observation=None),
        )

    def _check(self, state: ChessState) -> None:
        if not isinstance(state, ChessState):
            raise TypeError(f"expected a fourfold.jax.legacy.ChessState, got {type(state).__name__}")
        shape = _games(state.native)
        if shape != (self.num_envs,):
            raise ValueError(f"expected a state of shape {(self.num_envs,)}, got one of shape {shape}")
        jax.vmap(self.env._check)(state.native)


class EnvParams(NamedTuple):
    """The parameters of four-player chess."""

    max_moves: int = 500
    """The number of moves after which a game is truncated."""


class EnvState(NamedTuple):
    """A game of four-player chess: the arrays of :class:`fourfold.legacy_four_player.FourPlayerState` without their
    first axis, and the native state.

    A step checks the action by ``legal_action_mask``, which may be changed to forbid actions. The other arrays
    describe the native state; changing one of them does not change the game.
    """

    board: jax.Array
    current_player: jax.Array
    player_scores: jax.Array
    player_active: jax.Array
    move_count: jax.Array
    en_passant: jax.Array
    king_positions: jax.Array
    castling_rights: jax.Array
    last_capture_move: jax.Array
    promoted_pieces: jax.Array
    legal_action_mask: jax.Array
    """(102400,): the legal actions of the player to move. All are true in a finished game."""
    native: State
    """The state of :func:`fourfold.jax.make` that the other fields are derived from, without the observation, and
    without the mask, so that it is not there twice. The functions of ``env.env`` expect a state with a mask:
    ``state.native.replace(legal_action_mask=state.legal_action_mask)``."""


class FourPlayerChessEnv:
    """A game of four-player chess, free-for-all with the legacy points, truncated after ``params.max_moves`` steps.

    Finished games stay as they are; to restart them, use :func:`fourfold.jax.make` and
    :func:`fourfold.jax.auto_reset`. An illegal action is ignored.

    >>> env = FourPlayerChessEnv()
    >>> reset, step = jax.vmap(env.reset), jax.jit(jax.vmap(env.step))
    >>> keys = jax.random.split(jax.random.key(0), 3)
    >>> state, obs = reset(keys)
    >>> state, obs, reward, done, info = step(keys, state, jnp.zeros(3, jnp.int32))
    >>> state.board.shape, info["move_valid"].tolist()
    ((3, 14, 14, 4), [False, False, False])
    """

    valid_mask: NDArray[np.bool_] = legacy_four_player.valid_square_mask

    def __init__(self, params: EnvParams | None = None, *, num_threads: int | None = None) -> None:
        self.params = EnvParams() if params is None else params
        if not isinstance(self.params, EnvParams):
            raise TypeError(f"expected params to be a fourfold.jax.legacy.EnvParams, got {type(params).__name__}")
        self.env = make(
            "four_player",
            preset="legacy",
            actions="flat",
            max_steps=_checks.integer("max_moves", self.params.max_moves, 1, 2**32 - 1),
            num_threads=num_threads,
        )

    def reset(self, key: jax.Array) -> tuple[EnvState, jax.Array]:
        """Starts a game. Returns the state and the observation."""
        _check_key("key", key)
        native = self.env.init(key)
        return self._state(native), native.observation

    def step(
        self, key: jax.Array, state: EnvState, action: Any
    ) -> tuple[EnvState, jax.Array, jax.Array, jax.Array, dict[str, jax.Array]]:
        """Plays an action: ``(from · 160 + to) · 4 + promotion``. The key is not used.

        Returns the new state, its observation, the reward of the player who moved, whether the game is over, and more
        about the step:

        - ``move_valid``: Whether the action was legal.
        - ``done``: Whether the game is over.
        - ``rewards``: (4,): the rewards of all players.
        """
        self._check(state)
        before = state.native.replace(legal_action_mask=state.legal_action_mask)
        native = self.env.step(before, action)
        done = native.terminated | native.truncated
        info = {"move_valid": native.move_valid, "done": done, "rewards": native.rewards}
        return self._state(native), native.observation, native.rewards[state.native.current_player], done, info

    def _state(self, native: State) -> EnvState:
        return EnvState(
            **_arrays(self.env, EnvState._fields[:-2], native),
            legal_action_mask=native.legal_action_mask,
            native=native.replace(observation=None, legal_action_mask=None),
        )

    def _check(self, state: EnvState) -> None:
        if not isinstance(state, EnvState):
            raise TypeError(f"expected a fourfold.jax.legacy.EnvState, got {type(state).__name__}")
        shape = _games(state.native)
        if shape != ():
            raise ValueError(f"expected the state of one game, got one of shape {shape}: see jax.vmap")


def _games(native: Any) -> Any:
    """Returns the shape of a batch of native states; () for one game."""
    if not isinstance(native, State):
        raise TypeError(f"expected state.native to be a fourfold.jax.State, got {type(native).__name__}")
    return native.terminated.shape


def _arrays(env: Env, names: Iterable[str], native: State) -> dict[str, Any]:
    """Returns the visible arrays of a game by name."""
    arrays = {name: env.array(native, name) for name in names}
    return {name: array.astype(jnp.bool_) if name in _BOOLEAN else array for name, array in arrays.items()}


def _check_key(name: str, key: Any) -> None:
    """Raises an error unless a value is one key, of ``jax.random.key`` or of ``jax.random.PRNGKey``."""
    dtype = getattr(key, "dtype", None)
    typed = dtype is not None and jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key)
    if not typed and dtype != jnp.uint32:
        given = type(key).__name__ if dtype is None else dtype
        raise TypeError(f"expected {name} to be a key of jax.random.key, got {given}")
    if key.ndim != (0 if typed else 1):
        raise ValueError(f"expected {name} to be one key, got an array of shape {key.shape}")
