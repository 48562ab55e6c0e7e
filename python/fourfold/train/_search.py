"""Gumbel search over the likeliest legal actions, for many games at once.

The search is that of Danihelka et al., "Policy improvement by planning with Gumbel" (2022), with a value for each player. In
games where all players act at once, each player selects from the statistics of its own actions, and a child belongs to the
actions of all of them. mctx keeps six numbers for each node and each of the thousands of actions of a game; here, a node has
slots for the likeliest legal ones.
"""

from __future__ import annotations

import dataclasses
import math
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from fourfold.train import _network
from fourfold.train._games import Array, Rules

EMPTY = -1e9
"""The logit of an empty slot."""
_VISITS = 50.0
"""How much values weigh against logits before any visit, in visits."""


@dataclasses.dataclass(frozen=True)
class Search:
    """How to search."""

    simulations: int
    slots: int
    considered: int = 16
    """How many actions of the root are considered at first."""
    value_scale: float = 0.5
    """How much values weigh against logits."""
    discount: float = 0.997
    """The discount factor per step."""


class Position(NamedTuple):
    """Positions with their evaluation. B is the number of games, R that of players who act, P that of players."""

    rows: Any
    """The states, as :meth:`fourfold.train._games.Rules.kept` returns them: arrays (B, …)."""
    acting: Array
    """(B, R): the players who act."""
    actions: Array
    """(B, R, slots): the likeliest legal actions, padded with −1."""
    logits: Array
    """(B, R, slots): their logits, EMPTY for empty slots."""
    values: Array
    """(B, P): the value of the position for each player."""


class Found(NamedTuple):
    """The result of a search."""

    slots: Array
    """(B, R): the slots of the chosen actions."""
    weights: Array
    """(B, R, slots): the improved policy."""
    values: Array
    """(B, P): the value of the improved policy for each player."""


class _Tree(NamedTuple):
    """Trees with N nodes each. The root is node 0."""

    nodes: Position
    """All arrays have N as second dimension."""
    visits: Array
    """(B, N, R, slots): how often each action was selected."""
    returns: Array
    """(B, N, R, slots): the mean return of each action for the player who acts."""
    means: Array
    """(B, N, P): the mean return from each node on."""
    counts: Array
    """(B, N): the number of values in that mean."""
    parents: Array
    """(B, N): the node above; −1 for none."""
    slots: Array
    """(B, N, R): the slots of the actions that led here."""
    rewards: Array
    """(B, N, P): their rewards."""
    is_over: Array
    """(B, N): whether the game is over."""


def evaluate(rules: Rules, tensors: _network.Tensors, state: Any, slots: int) -> Position:
    """Evaluates positions with a network."""
    observed, legal, acting = rules.observed(state), rules.legal(state), rules.acting(state)
    count, rows = acting.shape
    inputs = rules.inputs(jax.tree.map(lambda array: array.reshape(count * rows, *array.shape[2:]), observed))
    logits, values = _network.apply(tensors, *inputs)
    index = jnp.asarray(rules.game.policy.index)[jnp.maximum(legal, 0)]
    found = jnp.take_along_axis(logits.reshape(count, rows, -1), index, -1)
    found = jnp.where(legal >= 0, found, EMPTY)
    if found.shape[-1] > slots:
        found, places = jax.lax.top_k(found, slots)
        legal = jnp.take_along_axis(legal, places, -1)
    found = jnp.where(legal >= 0, found - found.max(-1, keepdims=True), EMPTY)
    values = _network.to_players(values.reshape(count, rows, -1), acting, rules.players)
    return Position(rules.kept(state), acting, legal, found, values)


def search(rules: Rules, tensors: _network.Tensors, root: Position, key: Array, options: Search, noise: float) -> Found:
    """Searches from positions. Without ``noise``, the result does not depend on the key; with 1, actions are drawn."""
    gumbel = noise * jax.random.gumbel(key, root.logits.shape)
    considered = _considered(root, options)
    tree = _planted(root, options.simulations)
    tree = jax.lax.fori_loop(
        0, options.simulations, partial(_simulate, rules, tensors, options, gumbel, considered), tree
    )
    visits, scores = tree.visits[:, 0], _scores(_at(tree, jnp.zeros(len(root.acting), jnp.int32)), options)
    most = visits == visits.max(-1, keepdims=True)
    is_slot = root.logits > EMPTY
    slots = jnp.where(most & is_slot, gumbel + root.logits + scores, -jnp.inf).argmax(-1)
    weights = jax.nn.softmax(jnp.where(is_slot, root.logits + scores, -jnp.inf))
    return Found(slots, weights, _root_values(tree, weights, options))


def visit_sequence(considered: int, simulations: int) -> list[int]:
    """Returns for each simulation how often an action must have been visited before to be visited now, so that
    ``considered`` actions are halved until two are left, and all that are left are visited equally often.

    >>> visit_sequence(4, 8)
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    if considered <= 1:
        return list(range(simulations))
    sequence: list[int] = []
    visits, left = 0, considered
    while len(sequence) < simulations:
        times = max(1, int(simulations / (math.ceil(math.log2(considered)) * left)))
        for _ in range(times):
            sequence += [visits] * left
            visits += 1
        left = max(2, left // 2)
    return sequence[:simulations]


def _considered(root: Position, options: Search) -> Array:
    """Returns the sequences of visits (simulations, B, R), which depend on the number of legal actions."""
    table = np.array([visit_sequence(count, options.simulations) for count in range(options.considered + 1)])
    legal = jnp.minimum((root.logits > EMPTY).sum(-1), options.considered)
    return jnp.asarray(table.T)[:, legal]


def _planted(root: Position, simulations: int) -> _Tree:
    """Returns trees that consist of their roots, with room for more nodes."""

    def room(array: Array) -> Array:
        return jnp.zeros((len(array), simulations + 1, *array.shape[1:]), array.dtype).at[:, 0].set(array)

    nodes = jax.tree.map(room, root)
    count, rows = root.acting.shape
    size = simulations + 1
    return _Tree(
        nodes=nodes,
        visits=jnp.zeros(nodes.logits.shape),
        returns=jnp.zeros(nodes.logits.shape),
        means=nodes.values,
        counts=jnp.zeros((count, size)).at[:, 0].set(1),
        parents=jnp.full((count, size), -1),
        slots=jnp.full((count, size, rows), -1),
        rewards=jnp.zeros(nodes.values.shape),
        is_over=jnp.zeros((count, size), bool),
    )


class _Statistics(NamedTuple):
    """The statistics of one node of each tree."""

    logits: Array
    visits: Array
    returns: Array
    values: Array
    """(B, R): the value of the position for the players who act."""


def _at(tree: _Tree, node: Array) -> _Statistics:
    games = jnp.arange(len(node))
    values = jnp.take_along_axis(tree.nodes.values[games, node], tree.nodes.acting[games, node], -1)
    return _Statistics(tree.nodes.logits[games, node], tree.visits[games, node], tree.returns[games, node], values)


def _scores(found: _Statistics, options: Search) -> Array:
    """Returns what the returns of actions add to their logits. Actions that were not visited have the mean of the value
    of the position and the returns of the others."""
    visited = found.visits > 0
    prior = jax.nn.softmax(found.logits) * visited
    total = found.visits.sum(-1)
    others = (prior * found.returns).sum(-1) / jnp.maximum(prior.sum(-1), 1e-30)
    mean = (found.values + total * others) / (1 + total)
    completed = jnp.where(visited, found.returns, mean[..., None])
    return (_VISITS + found.visits.max(-1, keepdims=True)) * options.value_scale * completed


def _select_root(found: _Statistics, gumbel: Array, visits: Array, options: Search) -> Array:
    """Selects actions of the root: the best one of those with the right number of visits."""
    is_candidate = (found.visits == visits[..., None]) & (found.logits > EMPTY)
    return jnp.where(is_candidate, gumbel + found.logits + _scores(found, options), -jnp.inf).argmax(-1)


def _select(found: _Statistics, options: Search) -> Array:
    """Selects actions below the root, so that their visits approach the improved policy."""
    improved = jax.nn.softmax(found.logits + _scores(found, options))
    total = found.visits.sum(-1, keepdims=True)
    return jnp.where(found.logits > EMPTY, improved - found.visits / (1 + total), -jnp.inf).argmax(-1)


def _child(tree: _Tree, node: Array, slots: Array) -> tuple[Array, Array]:
    """Returns whether the actions lead to a node of the tree, and its index."""
    is_child = (tree.parents == node[:, None]) & (tree.slots == slots[:, None]).all(-1)
    return is_child.any(-1), is_child.argmax(-1)


def _simulate(
    rules: Rules,
    tensors: _network.Tensors,
    options: Search,
    gumbel: Array,
    considered: Array,
    index: Array,
    tree: _Tree,
) -> _Tree:
    """Adds a node to each tree, or visits the end of a game again."""
    games = jnp.arange(len(gumbel))
    new = index + 1

    def follow(carry: tuple[Array, Array, Array, Array]) -> tuple[Array, Array, Array, Array]:
        node, slots, _, is_done = carry
        exists, child = _child(tree, node, slots)
        at_end = exists & tree.is_over[games, child]
        stops = is_done | ~exists | at_end
        leaf = jnp.where(is_done, carry[2], jnp.where(at_end, child, new))
        node = jnp.where(stops, node, child)
        return node, jnp.where(stops[:, None], slots, _select(_at(tree, node), options)), leaf, stops

    start = jnp.zeros(len(games), jnp.int32)
    slots = _select_root(_at(tree, start), gumbel, considered[index], options)
    none = jnp.full(len(games), new, jnp.int32)
    parent, slots, leaf, _ = jax.lax.while_loop(
        lambda carry: ~carry[3].all(), follow, (start, slots, none, jnp.zeros(len(games), bool))
    )
    lists = tree.nodes.actions[games, parent]
    actions = jnp.take_along_axis(lists, slots[..., None], -1)[..., 0]
    state = rules.step(jax.tree.map(lambda array: array[games, parent], tree.nodes.rows), lists, actions)
    found = evaluate(rules, tensors, state, options.slots)
    is_over = state.terminated | state.truncated
    found = found._replace(values=jnp.where(is_over[:, None], 0.0, found.values))
    is_new = leaf == new
    tree = tree._replace(
        nodes=jax.tree.map(lambda array, own: array.at[:, new].set(own), tree.nodes, found),
        means=tree.means.at[:, new].set(found.values),
        counts=tree.counts.at[:, new].set(1.0),
        # A node that is not needed is not a child.
        parents=tree.parents.at[:, new].set(jnp.where(is_new, parent, -1)),
        slots=tree.slots.at[:, new].set(slots),
        rewards=tree.rewards.at[:, new].set(state.rewards),
        is_over=tree.is_over.at[:, new].set(is_over),
    )
    return _back_up(tree, leaf, options)


def _back_up(tree: _Tree, leaf: Array, options: Search) -> _Tree:
    """Adds the value of a leaf to the statistics of all nodes above it."""
    games, size = jnp.arange(len(leaf)), tree.parents.shape[1]
    rows = jnp.arange(tree.slots.shape[-1])

    def go_up(carry: tuple[Array, ...]) -> tuple[Array, ...]:
        visits, returns, means, counts, node, value = carry
        is_below = node > 0
        parent = jnp.where(is_below, tree.parents[games, node], 0)
        value = jnp.where(is_below[:, None], tree.rewards[games, node] + options.discount * value, value)
        # Nothing is written for games that are at their root.
        to = jnp.where(is_below, parent, size)
        count = counts[games, parent]
        mean = means[games, parent]
        means = means.at[games, to].set(mean + (value - mean) / (count + 1)[:, None], mode="drop")
        counts = counts.at[games, to].add(1.0, mode="drop")
        slots = tree.slots[games, node]
        place = (games[:, None], to[:, None], rows[None], slots)
        own = (games[:, None], parent[:, None], rows[None], slots)
        gained = jnp.take_along_axis(value, tree.nodes.acting[games, parent], -1)
        returns = returns.at[place].set(returns[own] + (gained - returns[own]) / (visits[own] + 1), mode="drop")
        visits = visits.at[place].add(1.0, mode="drop")
        return visits, returns, means, counts, parent, value

    start = (tree.visits, tree.returns, tree.means, tree.counts, leaf, tree.nodes.values[games, leaf])
    visits, returns, means, counts, _, _ = jax.lax.while_loop(lambda carry: (carry[4] > 0).any(), go_up, start)
    return tree._replace(visits=visits, returns=returns, means=means, counts=counts)


def _root_values(tree: _Tree, weights: Array, options: Search) -> Array:
    """Returns the values of the children of the root, weighted by the improved policy."""
    is_child = tree.parents == 0
    slots = jnp.maximum(tree.slots, 0)
    chances = jnp.take_along_axis(weights[:, None], slots[..., None], -1)[..., 0].prod(-1)
    chances = jnp.where(is_child, chances + 1e-9, 0.0)
    found = tree.rewards + options.discount * tree.means
    return (chances[..., None] * found).sum(1) / chances.sum(1)[:, None]
