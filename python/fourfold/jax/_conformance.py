"""The test that every environment in JAX passes."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from fourfold.jax._env import Env
from fourfold.jax._state import State

_GAMES = 4


def conformance(env: Env, *, num_games: int = 8, max_steps: int = 2_000, seed: int = 0) -> None:
    """Plays random games and checks what everybody may rely on: types and shapes, masks, rewards, numbers of steps,
    illegal actions, finished games, and that ``jit``, ``vmap`` and ``scan`` change nothing.

    Like ``pgx.api_test``, but for all of our environments. Raises AssertionError if something is wrong. Games are
    stopped after ``max_steps`` steps.

    >>> import fourfold.jax
    >>> conformance(fourfold.jax.make("blokus_duo", size=7), num_games=2)
    """
    if env._kind.mask == "none":
        raise ValueError("expected an environment with masks: mask is 'none'")
    init, step, sample = jax.jit(env.init), jax.jit(env.step), jax.jit(env.sample)
    restarts = env._behavior["autoreset"] != "disabled"
    for game in range(num_games):
        key = jax.random.key(seed + game)
        state = init(key)
        _check_types(env, state)
        assert int(state.step_count) == 0, "a new game has 0 steps"
        assert not np.asarray(state.rewards).any(), "a new game has no rewards"
        assert not state.terminated and not state.truncated, "a new game is not over"
        movers = set()
        for number in range(max_steps):
            movers.add(int(state.current_player))
            over = bool(state.terminated | state.truncated)
            if over and not restarts:
                _check_finished(env, state, step)
                assert len(movers) > 1 or -1 in movers or number < 2, "several players have moved"
                break
            assert _any_legal(env, state), "there is a legal action"
            action = sample(state, jax.random.fold_in(key, number))
            assert _all_legal(env, state, action), "sampled actions are legal"
            after = step(state, action)
            _check_types(env, after)
            assert bool(after.move_valid), "legal actions are valid"
            expected = int(state.step_count) + 1
            assert int(after.step_count) in ((expected, 0) if restarts else (expected,)), "steps are counted"
            state = after
        if game == 0:
            _check_illegal(env, init(key), step)
            _check_transformations(env, key)


def _check_types(env: Env, state: State) -> None:
    for name, shape, kind in env._kind.arrays():
        array = getattr(state, name)
        found, expected = (array.shape, array.dtype), (shape, np.dtype(kind))
        assert found == expected, f"{name} has shape and type {found}, expected {expected}"
    simultaneous = env._kind.spec["simultaneous"]
    player = int(state.current_player)
    assert player == -1 if simultaneous else 0 <= player < env.num_players, f"there is a player {player}"
    assert np.isfinite(np.asarray(state.rewards)).all(), "rewards are finite"
    if env._kind.observation != "none":
        observed = env.observe(state)
        assert _same(observed, state.observation), "observe returns the observation of the state"
        assert observed.shape == (*env._kind.rows, *env.observation_shape), "observation_shape is right"


def _check_finished(env: Env, state: State, step: Any) -> None:
    """A finished game does not change, and any action is allowed."""
    if state.legal_action_mask is not None and env._kind.mask == "bool":
        assert bool(state.legal_action_mask.all()), "the mask of a finished game allows all actions"
    after = step(state, jnp.zeros(env._kind.rows, jnp.int32))
    assert not np.asarray(after.rewards).any(), "a step after the end has no rewards"
    for name, _, _ in env._kind.arrays():
        if name not in ("rewards", "_bytes", "_order_refused", "_move_valid"):
            assert _same(getattr(after, name), getattr(state, name)), f"{name} changed after the end"


def _check_illegal(env: Env, state: State, step: Any) -> None:
    """An illegal action loses the game, or does nothing."""
    after = step(state, jnp.full(env._kind.rows, env.num_actions, jnp.int32))
    assert not bool(after.move_valid), "an action out of range is not valid"
    if env._behavior["illegal"] == "ignore":
        assert _same(after.observation, state.observation), "an ignored action changes nothing"
        assert not np.asarray(after.rewards).any() and not after.terminated, "an ignored action has no effect"
    else:
        loser = 0 if env._kind.spec["simultaneous"] else int(state.current_player)
        assert bool(after.terminated), "an illegal action ends the game"
        assert float(after.rewards[loser]) == -1, "an illegal action loses the game"


def _check_transformations(env: Env, key: jax.Array) -> None:
    """One game at a time, many at once, and many steps in one compiled loop are the same."""
    keys = jax.random.split(key, _GAMES)
    noise = jax.random.split(jax.random.fold_in(key, 1), 5)

    def advance(state: State, key: jax.Array) -> tuple[State, Any]:
        action = env.sample(state, key)
        return env.step(state, action), action

    many = jax.vmap(env.init)(keys)
    looped, actions = jax.jit(
        lambda state: jax.lax.scan(lambda s, k: jax.vmap(lambda x: advance(x, k))(s), state, noise)
    )(many)
    for game in range(_GAMES):
        state = env.init(keys[game])
        for number, one in enumerate(noise):
            before = jax.tree.map(np.asarray, state)
            state, action = advance(state, one)
            assert _same(action, actions[number, game]), "the same action is drawn inside scan"
            again = env.step(jax.tree.map(jnp.asarray, before), action)
            assert _same_state(again, state), "the same step has the same result"
        assert _same_state(jax.tree.map(lambda array, game=game: array[game], looped), state), "vmap changes nothing"


def _any_legal(env: Env, state: State) -> bool:
    if env._kind.mask == "sparse":
        return bool((np.asarray(state.num_legal) > 0).any())
    return bool(np.asarray(state.legal_action_mask).any())


def _all_legal(env: Env, state: State, action: Any) -> bool:
    actions = np.asarray(action).reshape(-1)
    for row, one in enumerate(actions.tolist()):
        if env._kind.mask == "sparse":
            legal = one in np.asarray(state.legal_actions).reshape(len(actions), -1)[row].tolist()
        else:
            mask = np.asarray(state.legal_action_mask).reshape(len(actions), -1)[row]
            legal = bool(mask[one] if env._kind.mask == "bool" else mask[one // 8] >> (one % 8) & 1)
        if not legal:
            return False
    return True


def _same(one: Any, other: Any) -> bool:
    return np.array_equal(np.asarray(one), np.asarray(other))


def _same_state(one: State, other: State) -> bool:
    return jax.tree.structure(one) == jax.tree.structure(other) and all(
        map(_same, jax.tree.leaves(one), jax.tree.leaves(other))
    )
