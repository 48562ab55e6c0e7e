"""What every environment promises, as a test that anybody's can be put to."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np

from fourfold import expand

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold._env import Environment, State


def conformance(env: Environment, *, steps: int = 200, seed: int = 0) -> None:
    """Plays random games in an environment and raises AssertionError if a promise is broken.

    >>> import fourfold
    >>> conformance(fourfold.make("chess", num_envs=4, observation="packed"), steps=20)
    """
    first = env.reset(seed=seed)
    _check_shapes(env, first)
    kept, copies = [], []
    for index in range(steps):
        actions = env.sample()
        legal = _legal(env, actions)
        assert legal.all(), f"a sampled action is not legal at step {index}"
        state = env.step(actions)
        _check_shapes(env, state)
        if index % 17 == 0:
            kept.append(state)
            copies.append((state.rewards.copy(), state.terminated.copy()))
        assert not (state.terminated & state.truncated).any(), "terminated and truncated at once"
        ended = state.terminated | state.truncated
        assert ((state.ending >= 0) == ended).all(), "an ending without an end, or the other way round"
    for state, (rewards, terminated) in zip(kept, copies, strict=True):
        assert np.array_equal(state.rewards, rewards), "a state that was kept has changed"
        assert np.array_equal(state.terminated, terminated), "a state that was kept has changed"
    again = env.reset(seed=seed)
    assert np.array_equal(_bits(env, first), _bits(env, again)), "the seed does not decide the start"
    other: Environment = pickle.loads(pickle.dumps(env))
    for _ in range(10):
        mine, its = env.sample(), other.sample()
        assert np.array_equal(mine, its), "a pickled environment samples otherwise"
        assert np.array_equal(env.step(mine).rewards, other.step(its).rewards)
    assert env.positions == other.positions, "a pickled environment goes on otherwise"


def _check_shapes(env: Environment, state: State) -> None:
    games, players = env.num_envs, env.num_players
    assert state.rewards.shape == (games, players) and state.rewards.dtype == np.float32
    assert state.terminated.shape == (games,) and state.terminated.dtype == np.bool_
    assert state.truncated.shape == (games,) and state.truncated.dtype == np.bool_
    assert state.current_player.shape == (games,) and state.current_player.dtype == np.int32
    assert (state.current_player < players).all()
    for array in (state.rewards, state.terminated, state.observation, state.legal_action_mask):
        assert array is None or array.ctypes.data % 64 == 0, "an array is not aligned"


def _bits(env: Environment, state: State) -> NDArray[np.bool_]:
    mask = state.legal_action_mask
    if mask is None:
        return np.zeros(0, dtype=np.bool_)
    return mask if mask.dtype == np.bool_ else expand.mask(mask, env.num_actions)


def _legal(env: Environment, actions: NDArray[np.int32]) -> NDArray[np.bool_]:
    state = env._show()
    mask = _bits(env, state)
    if mask.size == 0:
        return np.ones(1, dtype=np.bool_)
    return np.take_along_axis(mask, actions[..., None], axis=-1)
