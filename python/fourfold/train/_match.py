"""Matches of a network against bots."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import fourfold
from fourfold._evaluate import Match
from fourfold.train import _network, _search
from fourfold.train._games import Array, Rules

_OPENING = 2
"""The number of random moves of each player with which turn-based games start, so that they differ."""


@dataclasses.dataclass(frozen=True)
class Player:
    """A network that plays. With 0 simulations, it plays the likeliest action."""

    rules: Rules
    options: _search.Search

    def compile(self) -> Callable[[_network.Tensors, Array, Array], Array]:
        """Returns a compiled function from states as bytes to actions (B, rows)."""
        act: Callable[[_network.Tensors, Array, Array], Array] = jax.jit(self._act)
        return act

    def _act(self, tensors: _network.Tensors, rows: Array, key: Array) -> Array:
        state = jax.vmap(self.rules.env._from_bytes)(rows)
        root = _search.evaluate(self.rules, tensors, state, self.options.slots)
        if self.options.simulations == 0:
            slots = root.logits.argmax(-1)
        else:
            slots = _search.search(self.rules, tensors, root, key, self.options, noise=0.0).slots
        return jnp.take_along_axis(root.actions, slots[..., None], -1)[..., 0]


def play(
    rules: Rules,
    act: Callable[[_network.Tensors, Array, Array], Array],
    tensors: _network.Tensors,
    level: str,
    games: int,
    seed: int,
    stop: Callable[[], bool] = lambda: False,
) -> Match | None:
    """Plays games against a level of bots, equally many as each player. Returns None if it should stop."""
    make: Callable[..., Any] = fourfold.make
    env = make(rules.game.name, games, mask="none", observation="none", autoreset="disabled", **rules.game.options)
    bot = fourfold.Bot(rules.game.name, level, seed=seed)
    state = env.reset(seed=seed)
    players = rules.players
    own = np.arange(games) % players
    key = jax.random.key(seed)
    steps = 0
    opening = 0 if rules.is_simultaneous else _OPENING * players
    shape = (games, players) if rules.is_simultaneous else (games,)
    while not (is_over := state.terminated | state.truncated).all():
        if stop():
            return None
        if steps < opening:
            actions = env.sample()
        else:
            acting = np.arange(players) if rules.is_simultaneous else state.current_player
            is_own = acting == (own[:, None] if rules.is_simultaneous else own)
            rows = np.zeros((games, rules.env._kind.row_bytes), np.uint8)
            rows[:, : env.state_bytes] = env.states
            key, searching = jax.random.split(key)
            chosen = np.asarray(act(tensors, rows, searching)).reshape(shape)
            ongoing = ~(is_over[:, None] if rules.is_simultaneous else is_over)
            actions = np.where(is_own, chosen, np.maximum(bot.act(env, where=~is_own & ongoing), 0))
        state = env.step(actions.astype(np.int32))
        steps += 1
    by_side = []
    for player in range(players):
        winner = np.asarray(state.winner)[own == player]
        wins, draws = int((winner == player).sum()), int((winner < 0).sum())
        by_side.append((wins, draws, len(winner) - wins - draws))
    return Match(level, tuple(by_side), steps)
