"""Conformance tests for any Gymnasium environment, single or vectorized."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def require(holds: bool | np.bool_, message: str) -> None:
    """Raises AssertionError with the message unless the condition holds."""
    # Not an assert statement, because `python -O` removes those.
    if not holds:
        raise AssertionError(message)


def leaves(data: Any) -> Iterator[NDArray[Any]]:
    """Yields all arrays and numbers in an observation, ordered by name."""
    if isinstance(data, dict):
        for name in sorted(data):
            yield from leaves(data[name])
    elif isinstance(data, tuple | list):
        for part in data:
            yield from leaves(part)
    else:
        yield np.asarray(data)


def same(one: Any, other: Any) -> bool:
    """Returns whether two observations are equal."""
    pairs = list(zip(leaves(one), leaves(other), strict=False))
    return len(pairs) == len(list(leaves(one))) == len(list(leaves(other))) and all(
        left.dtype == right.dtype and np.array_equal(left, right) for left, right in pairs
    )


class ObservationCopies:
    """Observations that a caller keeps, with copies of their initial contents."""

    def __init__(self) -> None:
        self._pairs: list[tuple[Any, Any]] = []

    def add(self, observation: Any) -> None:
        """Keeps an observation."""
        self._pairs.append((observation, copy.deepcopy(observation)))

    def check(self) -> None:
        """Raises an error if one of them has changed."""
        unchanged = all(same(observation, copied) for observation, copied in self._pairs)
        require(unchanged, "an earlier observation has changed")


def single(env: Any, steps: int, seed: int) -> None:
    """Tests a ``gymnasium.Env``."""
    space = env.action_space
    choose = _chooser(env, space, ())
    copies = ObservationCopies()
    runs: list[list[Any]] = []
    for _ in range(2):
        space.seed(seed)
        observation, info = _started(env, seed=seed)
        trace = [copy.deepcopy(observation)]
        copies.add(observation)
        for index in range(steps):
            observation, reward, terminated, truncated, info = _stepped(env, choose(info))
            require(bool(np.isfinite(float(reward))), "a reward is not a finite number")
            for name, value in (("terminated", terminated), ("truncated", truncated)):
                require(isinstance(value, bool | np.bool_), f"{name} is not a boolean")
            if index % 7 == 0:
                copies.add(observation)
            trace.append((copy.deepcopy(observation), float(reward), bool(terminated), bool(truncated)))
            if terminated or truncated:
                observation, info = _started(env)
                trace.append(copy.deepcopy(observation))
        runs.append(trace)
    _check_equal(*runs)
    copies.check()


def _check_equal(first: list[Any], second: list[Any]) -> None:
    """Checks that two runs with the same seed and actions are the same."""
    require(len(first) == len(second), "the same seed and actions give games of different lengths")
    for index, (one, other) in enumerate(zip(first, second, strict=True)):
        require(same(one, other), f"the same seed and actions give different results at step {index}")


def _stepped(env: Any, action: Any) -> Any:
    results = env.step(action)
    require(isinstance(results, tuple) and len(results) == 5, "step does not return five values")
    require(env.observation_space.contains(results[0]), "an observation is not in observation_space")
    return results


def _started(env: Any, **arguments: Any) -> tuple[Any, dict[str, Any]]:
    results = env.reset(**arguments)
    require(
        isinstance(results, tuple) and len(results) == 2, "reset does not return an observation and an info dictionary"
    )
    observation, info = results
    require(env.observation_space.contains(observation), "the observation of reset is not in observation_space")
    require(isinstance(info, dict), "info is not a dictionary")
    return observation, info


def _mask(info: dict[str, Any], shape: tuple[int, ...]) -> Any:
    mask = info["action_mask"]
    require(isinstance(mask, np.ndarray) and mask.dtype == np.int8, "action_mask is not an int8 array")
    require(mask.shape == shape, f"expected action_mask to have shape {shape}, got {mask.shape}")
    require(bool(np.isin(mask, (0, 1)).all()), "action_mask has values other than 0 and 1")
    require(bool(mask.any(axis=-1).all()), "a game has no legal action")
    return mask


def batched(env: Any, steps: int, seed: int) -> None:
    """Tests a ``gymnasium.vector.VectorEnv``."""
    mode = getattr(env.metadata.get("autoreset_mode"), "name", None)
    require(mode in ("SAME_STEP", "NEXT_STEP", "DISABLED"), "metadata does not declare autoreset_mode")
    copies = ObservationCopies()
    runs: list[list[Any]] = []
    for run in range(2):
        env.action_space.seed(seed)
        runs.append(list(_played(env, str(mode), steps, seed, copies if run == 0 else ObservationCopies())))
    _check_equal(*runs)
    copies.check()


def _played(env: Any, mode: str, steps: int, seed: int, copies: ObservationCopies) -> Iterator[Any]:
    games = env.num_envs
    choose = _chooser(env, env.single_action_space, (games,))
    observation, info = _started(env, seed=seed)
    copies.add(observation)
    yield copy.deepcopy(observation)
    before = np.zeros(games, dtype=np.bool_)
    for index in range(steps):
        observation, rewards, terminated, truncated, info = _stepped(env, choose(info))
        rewards = np.asarray(rewards)
        finite = rewards.shape == (games,) and bool(np.isfinite(rewards).all())
        require(finite, "rewards are not one finite number per game")
        for name, values in (("terminated", terminated), ("truncated", truncated)):
            fits = isinstance(values, np.ndarray) and values.shape == (games,) and values.dtype == np.bool_
            require(fits, f"{name} does not have one boolean per game")
        ended = terminated | truncated
        if index % 7 == 0:
            copies.add(observation)
        yield copy.deepcopy((observation, rewards, terminated, truncated))
        if mode == "SAME_STEP":
            _check_final(env, info, ended)
        elif mode == "NEXT_STEP":
            fresh = not rewards[before].any() and not ended[before].any()
            require(fresh, "a step that restarts a game has a reward or ends it")
        elif ended.any():
            observation, info = _started(env, options={"reset_mask": ended.copy()})
            yield copy.deepcopy(observation)
        before = ended


def _chooser(env: Any, single: Any, games: tuple[int, ...]) -> Callable[[dict[str, Any]], Any]:
    """Returns a function that draws actions, legal ones if there is a mask. ``single`` is the action space of a game,
    and ``games`` the number of games of a vectorized environment."""

    def choose(info: dict[str, Any]) -> Any:
        if "action_mask" not in info:
            return env.action_space.sample()
        require(hasattr(single, "n"), "there is an action_mask, but the action space is not Discrete")
        mask = _mask(info, (*games, int(single.n)))
        return env.action_space.sample(tuple(mask) if games else mask)

    return choose


def _check_final(env: Any, info: dict[str, Any], ended: NDArray[np.bool_]) -> None:
    """Checks that there are final observations of the games that have just ended, and of no others."""
    final = info.get("final_obs")
    if final is None:
        require(not ended.any(), "games have ended, but there is no final_obs")
        return
    shown = np.array([one is not None for one in final])
    require(np.array_equal(shown, ended), "final_obs does not match the games that have ended")
    require("final_info" in info, "there is final_obs but no final_info")
    inside = all(env.single_observation_space.contains(one) for one in final[ended])
    require(inside, "a final observation is not in single_observation_space")
