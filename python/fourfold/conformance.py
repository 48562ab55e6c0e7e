"""A conformance test for environments, ours and others."""

from __future__ import annotations

import dataclasses
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold import _conformance_gymnasium, _layout, unpack
from fourfold._conformance_gymnasium import require as _require
from fourfold._core import IllegalActionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold._env import Environment
    from fourfold._state import State


def conformance(env: Any, *, steps: int = 200, seed: int = 0) -> None:
    """Plays random games in an environment and raises AssertionError if it violates its interface.

    For an environment with the interface of :class:`fourfold.Environment`, it checks the shapes, types and
    alignment of all arrays; that sampled actions are legal in every format of mask; that states that are kept do
    not change; that an illegal action changes nothing; and that seeds, saved states and pickles reproduce the
    same games.

    >>> import fourfold
    >>> conformance(fourfold.make("chess", num_envs=4, observation="packed"), steps=20)

    For any ``gymnasium.Env`` or ``gymnasium.vector.VectorEnv``, it checks that observations, including final
    ones, are in the observation space; that rewards are numbers; that ``terminated`` and ``truncated`` are
    booleans; that an ``action_mask`` in the infos, if there is one, is int8 and allows at least one action; that
    observations that are kept do not change; that the seed and the actions determine everything else; and that
    games restart as ``metadata["autoreset_mode"]`` says.

    >>> import gymnasium, fourfold.gymnasium
    >>> conformance(gymnasium.make("fourfold/Chess-v1"), steps=20)
    >>> conformance(gymnasium.make_vec("fourfold/BlokusDuo-v1", num_envs=2), steps=20)
    """
    if hasattr(env, "possible_agents"):
        raise TypeError(f"{type(env).__name__} has agents: use pettingzoo.test.api_test or parallel_api_test")
    if hasattr(env, "single_action_space"):
        _conformance_gymnasium.batched(env, steps, seed)
    elif hasattr(env, "action_space") and hasattr(env, "observation_space"):
        _conformance_gymnasium.single(env, steps, seed)
    else:
        missing = [name for name in _NEEDED if not hasattr(env, name)]
        if missing:
            raise TypeError(f"{type(env).__name__} is not an environment: it has no {', '.join(missing)}")
        _batch(env, steps, seed)


_NEEDED = [
    "config",
    "num_envs",
    "num_players",
    "num_actions",
    "endings",
    "positions",
    "reset",
    "step",
    "sample",
    "current_state",
    "observe",
    "save",
    "load",
    "clone",
]


def _batch(env: Environment, steps: int, seed: int) -> None:
    """Tests an environment with the interface of :class:`fourfold.Environment`."""
    state = env.reset(seed=seed)
    _check_state(env, state, stepped=False)
    _check_refusal(env, state)
    kept: list[tuple[State, dict[str, NDArray[Any]]]] = [(state, _copies(state))]
    played: list[NDArray[np.int32]] = []
    for index in range(steps):
        actions = env.sample()
        _check_sample(env, state, actions)
        played.append(actions.copy())
        state = env.step(actions)
        _check_state(env, state, stepped=True)
        if index % 17 == 0:
            kept.append((state, _copies(state)))
            _check_views(env, state)
            _check_refusal(env, state)
    for earlier, copies in kept:
        _require(_same(_arrays(earlier), copies), "an earlier state has changed")

    again = env.reset(seed=seed)
    _require(_same(_arrays(again), kept[0][1]), "the same seed gives different initial states")
    for index, actions in enumerate(played):
        again = env.step(actions)
        if index % 17 == 0:
            same = _same(_arrays(again), kept[1 + index // 17][1])
            _require(same, f"the same seed and actions give different results at step {index}")

    other: Environment = pickle.loads(pickle.dumps(env))
    third = env.clone()
    third.step(third.sample())
    shown = third.load(env.save())
    _require(_same(_arrays(shown), _arrays(env.current_state())), "a loaded state differs from the saved one")
    for name, copied in (("pickled", other), ("loaded", third)):
        _require(copied.positions == env.positions, f"a {name} environment has different positions")
    for _ in range(10):
        actions = env.sample()
        state = env.step(actions)
        for name, copied in (("pickled", other), ("loaded", third)):
            _require(np.array_equal(actions, copied.sample()), f"a {name} environment samples different actions")
            its = copied.step(actions)
            _require(_same(_arrays(state), _arrays(its)), f"a {name} environment gives different results")


def _arrays(state: State) -> dict[str, NDArray[Any]]:
    """Returns all arrays that a state has."""
    parts = ((field.name, getattr(state, field.name)) for field in dataclasses.fields(state))
    return {name: array for name, array in parts if array is not None}


def _copies(state: State) -> dict[str, NDArray[Any]]:
    return {name: array.copy() for name, array in _arrays(state).items()}


def _same(one: dict[str, NDArray[Any]], other: dict[str, NDArray[Any]]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def _over(env: Environment, state: State) -> NDArray[np.bool_]:
    """Returns whether each game is over. With ``autoreset="same_step"``, none is, because it has restarted."""
    if env.config["autoreset"] == "same_step":
        return np.zeros(env.num_envs, dtype=np.bool_)
    return state.terminated | state.truncated


def _check_state(env: Environment, state: State, *, stepped: bool) -> None:
    games, players = env.num_envs, env.num_players
    simultaneous = state.order_refused is not None
    if simultaneous:
        _require((state.current_player == -1).all(), "all players act at once, but current_player is not -1")
    arrays = _arrays(state)
    for name, (shape, dtype) in _layout.status_layout(games, players, simultaneous).items():
        found = arrays[name]
        fits = found.shape == shape and found.dtype == dtype
        _require(fits, f"expected {name} to be {np.dtype(dtype)} {shape}, got {found.dtype} {found.shape}")
    compact = state.final_games is not None and env.config["final"] == "rows"
    for name, array in arrays.items():
        if compact and name.startswith("final_"):
            _require(len(array) == len(arrays["final_games"]), f"{name} does not have one row per game that ended")
        elif name != "final_games":
            _require(len(array) == games, f"{name} does not have one row per game")
        _require(array.ctypes.data % 64 == 0, f"{name} is not aligned to 64 bytes")
        _require(np.isfinite(array).all(), f"{name} has values that are not finite")
        kind, size = array.dtype.kind, array.dtype.itemsize
        _require(kind not in "iu" or size <= 4, f"{name} has integers of more than 32 bits")

    player, winner, ending = state.current_player, state.winner, state.ending
    _require(((player >= -1) & (player < players)).all(), "current_player is out of range")
    _require(((winner >= -1) & (winner < players)).all(), "winner is out of range")
    _require(((ending >= -1) & (ending < len(env.endings))).all(), "ending is not an index into env.endings")
    _require(not (state.terminated & state.truncated).any(), "a game is both terminated and truncated")
    ended = state.terminated | state.truncated
    _require(((ending >= 0) == ended).all(), "ending is set for a game that has not ended, or not set for one that has")
    _require((state.terminated | (winner < 0)).all(), "winner is set for a game that is not terminated")
    _require(state.move_valid.all(), "a sampled action is reported as illegal")
    _check_final(env, state, ended if stepped else np.zeros_like(ended))
    _check_mask(env, state)


def _check_final(env: Environment, state: State, ended: NDArray[np.bool_]) -> None:
    config = env.config
    wanted = bool(ended.any()) and config["autoreset"] == "same_step" and config["observation"] != "none"
    final = state.final_observation
    _require((final is not None) == wanted, "final_observation is missing, or present although no game has ended")
    if final is None:
        return
    games = state.final_games
    _require(games is not None and np.array_equal(games, np.flatnonzero(ended)), "final_games has other games")
    if env.config["final"] == "padded":
        _require(not final[~ended].any(), "final_observation shows games that have not ended")
        final = final[ended]
    _require(len(final) == ended.sum(), "final_observation does not have one row for each game that has ended")
    _require(final.reshape(len(final), -1).any(axis=1).all(), "a final observation is empty")


def _check_mask(env: Environment, state: State) -> None:
    over = _over(env, state)
    bits = _bits(env, state)
    if bits is not None:
        _require(bits.any(axis=-1).all(), "a game has no legal action")
        _require(bits[over].all(), "the mask of a finished game is not all true")
        packed = state.legal_action_mask
        if packed is not None and packed.dtype == np.uint8:
            tail = np.unpackbits(packed, axis=-1, bitorder="little")[..., env.num_actions :]
            _require(not tail.any(), "a packed mask has bits beyond num_actions")
    counts, listed = state.legal_action_counts, state.legal_actions
    if counts is None or listed is None:
        return
    width = listed.shape[-1]
    _require(((counts >= 1) & (counts <= width)).all(), "legal_action_counts are out of range")
    used = np.arange(width) < counts[..., None]
    actions = (listed >= 0) & (listed < env.num_actions)
    padded = (used == actions).all() and (listed[~used] == -1).all()
    _require(padded, "legal_actions are not padded with −1 after legal_action_counts actions")
    ordered = np.sort(np.where(used, listed, -1 - np.arange(width)), axis=-1)
    _require((np.diff(ordered, axis=-1) > 0).all(), "legal_actions have an action twice")
    _require(used[over].all(), "legal_actions of a finished game are not full")


def _bits(env: Environment, state: State) -> NDArray[np.bool_] | None:
    """Returns the mask as booleans, if there is one."""
    mask = state.legal_action_mask
    return mask if mask is None or mask.dtype == np.bool_ else unpack.mask(mask, env.num_actions)


def _check_sample(env: Environment, state: State, actions: NDArray[np.int32]) -> None:
    _require(actions.dtype == np.int32, "sampled actions are not int32")
    in_range = (actions >= 0) & (actions < env.num_actions)
    _require(in_range.all(), "a sampled action is out of range")
    over = _over(env, state).reshape(-1, *[1] * (actions.ndim - 1))
    bits, listed = _bits(env, state), state.legal_actions
    if bits is not None:
        legal = np.take_along_axis(bits, actions[..., None], axis=-1)[..., 0]
    elif listed is not None:
        legal = (listed == actions[..., None]).any(axis=-1)
    else:
        return
    _require((legal | over).all(), "a sampled action is not legal")


_CURRENT = (
    *("observation", "scalars", "pieces_left", "tokens"),
    *("legal_action_mask", "legal_action_counts", "legal_actions", "current_player"),
)
"""The arrays that describe the state after a step, not the step itself."""


def _check_views(env: Environment, state: State) -> None:
    """Checks that ``current_state`` and ``observe`` return the same as the step did."""
    current = _arrays(env.current_state())
    stepped = _arrays(state)
    same = all(np.array_equal(current[name], stepped[name]) for name in _CURRENT if name in stepped)
    _require(same, "current_state and step return different values")
    if state.observation is not None:
        observed = env.observe()
        planes = observed[0] if isinstance(observed, tuple) else observed
        _require(np.array_equal(planes, state.observation), "observe and step return different observations")


def _check_refusal(env: Environment, state: State) -> None:
    """Checks that an illegal action is an error and changes nothing, if the environment is made that way."""
    if env.config["illegal"] != "error":
        return
    ongoing = np.flatnonzero(~_over(env, state))
    if len(ongoing) == 0:
        return
    game = int(ongoing[-1])
    actions = env.sample(seed=0).copy()
    bits, listed = _bits(env, state), state.legal_actions
    wrong = [env.num_actions, -1]
    if bits is not None:
        wrong.extend(np.flatnonzero(~bits[game].reshape(-1, env.num_actions)[0])[:1].tolist())
    elif listed is not None:
        legal = set(listed[game].reshape(-1, listed.shape[-1])[0].tolist())
        wrong.extend([action for action in range(env.num_actions) if action not in legal][:1])
    before = env.save()
    for action in wrong:
        actions[game] = action
        try:
            env.step(actions)
        except IllegalActionError:
            _require(env.save() == before, "an illegal action has changed the environment")
        else:
            raise AssertionError(f"the illegal action {action} was accepted")
