"""Self-play: games of the newest network against itself, and what is learned from them."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from fourfold.train import _network, _search
from fourfold.train._games import Array, Rules
from fourfold.train._settings import Settings


class Played(NamedTuple):
    """Steps of self-play: arrays (T, B, …). R is the number of players who act, P that of players."""

    observed: dict[str, Array]
    """(T, B, R, …): what the players who act observed."""
    acting: Array
    """(T, B, R): who they are."""
    actions: Array
    """(T, B, R, slots): the legal actions that were considered, as uint16; EMPTY_SLOT for none."""
    weights: Array
    """(T, B, R, slots): the improved policy."""
    values: Array
    """(T, B, P): the values that the search found."""
    rewards: Array
    """(T, B, P): the rewards of the step."""
    is_over: Array
    """(T, B): whether it ended the game."""
    is_random: Array
    """(T, B): whether an action was random, so that the rest of the game says little about this position."""


EMPTY_SLOT = 65535


class Summary(NamedTuple):
    """What happened in an iteration of self-play: sums over all games."""

    games: Array
    """The number of games that ended."""
    steps: Array
    """The number of their steps."""
    draws: Array
    """How many of them had no winner."""


def play(
    rules: Rules, settings: Settings, tensors: _network.Tensors, state: Any, key: Array
) -> tuple[Any, Played, Summary]:
    """Plays some steps of all games. Games that end start again."""
    options = settings.search()

    def step(state: Any, key: Array) -> tuple[Any, tuple[Played, Summary]]:
        searching, choosing, drawing, starting = jax.random.split(key, 4)
        root = _search.evaluate(rules, tensors, state, settings.slots)
        found = _search.search(rules, tensors, root, searching, options, noise=1.0)
        is_random, slots = _with_random(settings, state, root, found.slots, choosing, drawing)
        chosen = jnp.take_along_axis(root.actions, slots[..., None], -1)[..., 0]
        after = rules.step(root.rows, root.actions, chosen)
        is_over = after.terminated | after.truncated
        played = Played(
            observed=rules.observed(state),
            acting=root.acting,
            actions=root.actions.astype(jnp.uint16),
            weights=found.weights.astype(jnp.float16),
            values=found.values,
            rewards=after.rewards,
            is_over=is_over,
            is_random=is_random,
        )
        summary = Summary(
            games=is_over.sum(),
            steps=jnp.where(is_over, after.step_count, 0).sum(),
            draws=(is_over & (after.winner < 0)).sum(),
        )
        fresh = rules.start(jax.random.split(starting, len(is_over)))
        return _select(is_over, fresh, after), (played, summary)

    state, (played, summary) = jax.lax.scan(step, state, jax.random.split(key, settings.steps))
    return state, played, jax.tree.map(lambda array: array.sum(0), summary)


def _with_random(
    settings: Settings, state: Any, root: _search.Position, slots: Array, choosing: Array, drawing: Array
) -> tuple[Array, Array]:
    """Replaces the actions of some games by random ones. Returns which, and the slots."""
    chance = jnp.where(state.step_count < settings.opening, settings.opening_random, settings.late_random)
    is_random = jax.random.uniform(choosing, chance.shape) < chance
    count = (root.logits > _search.EMPTY).sum(-1)
    drawn = jnp.minimum((jax.random.uniform(drawing, count.shape) * count).astype(slots.dtype), count - 1)
    return is_random, jnp.where(is_random[:, None], drawn, slots)


def _select(condition: Array, one: Any, other: Any) -> Any:
    """Returns arrays (B, …) with the values of one tree where a condition (B,) holds, and of another elsewhere."""

    def select(a: Array, b: Array) -> Array:
        return jnp.where(condition.reshape(-1, *(1,) * (a.ndim - 1)), a, b)

    return jax.tree.map(select, one, other)


def returns(played: Played, newest: Array, settings: Settings) -> Array:
    """Returns what values are learned from, (T, B, P): λ-returns, which end where the game does, where an action was
    random, and at the newest step, whose index in the ring of steps is given."""
    count = len(played.values)
    order = (newest + 1 + jnp.arange(count)) % count

    def back(carry: tuple[Array, Array, Array], index: Array) -> tuple[tuple[Array, Array, Array], Array]:
        later, value, is_newest = carry
        mixed = settings.trace * later + (1 - settings.trace) * value
        found = played.rewards[index] + settings.discount * mixed
        ends = (played.is_random[index] | is_newest)[:, None]
        found = jnp.where(ends, played.values[index], found)
        found = jnp.where(played.is_over[index][:, None], played.rewards[index], found)
        return (found, played.values[index], jnp.zeros_like(is_newest)), found

    nothing = jnp.zeros_like(played.values[0])
    start = (nothing, nothing, jnp.ones(nothing.shape[:1], bool))
    _, found = jax.lax.scan(back, start, order, reverse=True)
    return jnp.zeros_like(played.values).at[order].set(found)
