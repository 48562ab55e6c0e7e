"""Comparisons of the environments in JAX with those in NumPy, and with Pgx."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

import fourfold
from fourfold._options import GameName
from fourfold.jax._env import Env, make
from fourfold.jax._state import State

FIELDS = {
    "observation": "observation",
    "scalars": "scalars",
    "pieces_left": "pieces_left",
    "tokens": "tokens",
    "legal_action_mask": "legal_action_mask",
    "legal_action_counts": "num_legal",
    "legal_actions": "legal_actions",
    "rewards": "rewards",
    "terminated": "terminated",
    "truncated": "truncated",
    "current_player": "current_player",
    "alive": "alive",
    "scores": "scores",
    "winner": "winner",
    "ending": "ending",
    "move_valid": "move_valid",
    "order_refused": "order_refused",
}
"""The fields of a state in NumPy, and what they are called in JAX."""

FORMATS = (("packed", "packed"), ("bool", "float32"), ("sparse", "uint8"), ("none", "float16"))
"""The formats of masks and observations that take turns."""

Platform = Literal["cpu", "gpu"]

_ILLEGAL = 64
"""One action in this many is replaced by one that may be illegal."""


def find_device(platform: Platform, index: int = 0) -> jax.Device:
    """Returns a device of JAX, for ``jax.default_device``. Raises RuntimeError if JAX does not have it."""
    try:
        found = jax.devices(platform)
    except RuntimeError:
        found = []
    if index < len(found):
        return found[index]
    number = f" with index {index}" if found else ""
    kind = "GPU" if platform == "gpu" else "CPU device"
    others = ", ".join(f"{device.platform}:{device.id}" for device in found or jax.devices())
    hint = ": install JAX for CUDA" if platform == "gpu" and not found else ""
    raise RuntimeError(f"JAX has no {kind}{number}, only {others}{hint}")


class Difference(NamedTuple):
    """An array that is not the same."""

    array: str
    step: int
    game: int
    """The first game in which it differs."""

    def __str__(self) -> str:
        return f"{self.array} differs at step {self.step} of game {self.game}"


def compare_with_numpy(
    game: GameName,
    options: dict[str, Any],
    *,
    games: int,
    steps: int,
    variant: int = 0,
    device: Literal["cuda-emulated"] | None = None,
) -> Iterator[Difference | None]:
    """Plays the same actions in JAX and in NumPy, and compares all arrays after each step of all games, and the bytes
    of the states in the end. Some actions are illegal. ``variant`` selects formats, autoreset and what an illegal
    action does. Yields a difference or None after each step, and stops at the first difference. Functions of JAX run
    on its default device."""
    mask, observation = FORMATS[variant % len(FORMATS)]
    autoreset = ("same_step", "next_step", "disabled")[variant % 3]
    illegal = ("lose", "ignore")[variant // len(FORMATS) % 2]
    given: Any = {"mask": mask, "observation": observation, "autoreset": autoreset, "illegal": illegal, **options}
    env = make(game, device=device, **given)
    keys = jax.random.split(jax.random.key(variant), games)
    halves = np.asarray(jax.vmap(lambda key: jax.random.bits(key, (2,), jnp.uint32))(keys)).astype(np.uint64)
    numpy: Any = fourfold.make(game, games, **given)
    seeds = (halves[:, 0] << np.uint64(32) | halves[:, 1]).tolist()
    init = jax.jit(jax.vmap(env.init))
    expected, found = numpy.reset(seed=seeds), init(keys)
    step = jax.jit(jax.vmap(env.step), donate_argnums=0)
    rng = np.random.default_rng(variant)
    for number in itertools.count():
        difference = _difference(expected, found, number)
        if difference is None and number >= steps:
            difference = _difference_of_states(numpy, env, found, number)
        yield difference
        if difference is not None or number >= steps:
            return
        if (expected.terminated | expected.truncated).all() and autoreset == "disabled":
            expected, found = numpy.reset(seed=seeds), init(keys)
        actions = numpy.sample()
        replaced = rng.random(actions.shape) < 1 / _ILLEGAL
        actions = np.where(replaced, rng.integers(-2, env.num_actions + 2, actions.shape, np.int32), actions)
        expected = numpy.step(actions)
        found = step(found, jnp.asarray(actions))


def _difference(expected: fourfold.State, found: State, step: int) -> Difference | None:
    for name, other in FIELDS.items():
        one, two = getattr(expected, name), getattr(found, other)
        if one is None or two is None:
            if one is not two:
                return Difference(name, step, 0)
            continue
        two = np.asarray(two)
        if one.dtype != two.dtype or one.shape != two.shape:
            return Difference(f"the type of {name}", step, 0)
        if not np.array_equal(one, two):
            return Difference(name, step, int(np.argwhere(one != two)[0][0]))
    return None


def _difference_of_states(numpy: Any, env: Env, found: State, step: int) -> Difference | None:
    one, two = numpy.states, env.to_numpy(found).states
    return None if np.array_equal(one, two) else Difference("states", step, int(np.argwhere(one != two)[0][0]))


class PgxResult(NamedTuple):
    """What was compared with Pgx."""

    games: int
    ended: int
    steps: int
    excepted: int
    """The number of games that were not compared to their end, see :class:`Repetitions`."""
    difference: Difference | None


class Repetitions:
    """Detects positions that count as repeated for us but not for Pgx, which hashes en passant squares that nobody can
    use."""

    def __init__(self) -> None:
        self.ours: Counter[object] = Counter()
        self.theirs: Counter[object] = Counter()

    def differ_after(self, fen: str) -> bool:
        """Adds a position, and returns whether it has occurred more often for us than for Pgx."""
        import chess

        board = chess.Board(fen)
        key = board._transposition_key()
        self.ours[key] += 1
        self.theirs[key, board.ep_square] += 1
        return self.ours[key] != self.theirs[key, board.ep_square]


def compare_with_pgx(games: int, *, seed: int = 0) -> PgxResult:
    """Plays whole games with the same random actions here, under ``preset="pgx"``, and in Pgx. Compares masks,
    observations, players, rewards, termination and numbers of steps after every step.

    Players are compared by color, because Pgx draws who plays White. Positions with more than 200 legal moves, which
    Pgx does not list completely, do not occur in these games.
    """
    import pgx

    theirs, ours = pgx.make("chess"), make("chess", preset="pgx")
    keys = jax.random.split(jax.random.key(seed), games)
    found, expected = jax.jit(jax.vmap(ours.init))(keys), jax.jit(jax.vmap(theirs.init))(keys)
    step, their_step = jax.jit(jax.vmap(ours.step)), jax.jit(jax.vmap(theirs.step))
    sample = jax.jit(lambda state, key: jax.vmap(ours.sample)(state, jax.random.split(key, games)))
    white = np.asarray(expected.current_player)
    pasts = [Repetitions() for _ in range(games)]
    excepted = np.array([past.differ_after(fen) for past, fen in zip(pasts, ours.positions(found), strict=True)])
    compared = 0
    for number in itertools.count():
        open_ = np.flatnonzero(~excepted)
        # Games that ended earlier are compared too, but not counted again.
        compared += int((~excepted & (np.asarray(found._step_count) == number)).sum())
        difference = _pgx_difference(found, expected, open_, white, number)
        over = np.asarray(found.terminated)
        if difference is not None or (over | excepted).all():
            return PgxResult(games, int(over.sum()), compared, int(excepted.sum()), difference)
        actions = sample(found, jax.random.key(number))
        found, expected = step(found, actions), their_step(expected, actions)
        for game, fen in enumerate(ours.positions(found)):
            if not over[game]:
                excepted[game] |= pasts[game].differ_after(fen)
    raise AssertionError("unreachable")


def _pgx_difference(
    found: State, expected: Any, open_: NDArray[np.intp], white: NDArray[np.int32], step: int
) -> Difference | None:
    rows = np.arange(len(white))
    rewards = np.asarray(expected.rewards)
    # Compiled by XLA, Pgx's division by 100 is a multiplication, off by one in the last place.
    exact, clock = np.s_[..., :118], np.s_[..., 118]
    observation, their_observation = np.asarray(found.observation), np.asarray(expected.observation)
    pairs = {
        "legal_action_mask": (found.legal_action_mask, expected.legal_action_mask),
        "observation": (observation[exact], their_observation[exact]),
        "current_player": (found.current_player, np.where(np.asarray(expected.current_player) == white, 0, 1)),
        "rewards": (found.rewards, np.stack([rewards[rows, white], rewards[rows, 1 - white]], 1)),
        "terminated": (found.terminated, expected.terminated),
        "truncated": (found.truncated, expected.truncated),
        "_step_count": (found._step_count, expected._step_count),
    }
    wrong = {name: np.asarray(one)[open_] != np.asarray(two)[open_] for name, (one, two) in pairs.items()}
    wrong["halfmove clock"] = np.abs(observation[clock] - their_observation[clock])[open_] > np.spacing(np.float32(1))
    for name, cells in wrong.items():
        if cells.any():
            return Difference(name, step, int(open_[np.argwhere(cells)[0][0]]))
    return None
