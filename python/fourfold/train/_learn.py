"""Learning from self-play."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from fourfold.train import _network
from fourfold.train._games import Array, Rules
from fourfold.train._self_play import EMPTY_SLOT, Played, returns
from fourfold.train._settings import Settings

_WEIGHT_DECAY = 1e-4


class Learner(NamedTuple):
    """A network in training."""

    variables: dict[str, Any]
    optimizer: Any


class Losses(NamedTuple):
    """Means over the updates of an iteration."""

    policy: Array
    """How far the policy is from the improved one: the Kullback–Leibler divergence."""
    value: Array
    """The mean squared error of the values."""
    entropy: Array
    """The entropy of the improved policy."""


def _optimizer() -> optax.GradientTransformation:
    return optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.scale_by_adam(b2=0.99),
        # Not for biases and what scales channels.
        optax.add_decayed_weights(_WEIGHT_DECAY, mask=lambda weights: jax.tree.map(lambda one: one.ndim > 1, weights)),
    )


def start(network: _network.Network, rules: Rules, key: Array) -> Learner:
    """Returns random weights."""
    variables = _network.init(network, rules, key)
    return Learner(variables, _optimizer().init(variables["params"]))


def learn(
    network: _network.Network,
    rules: Rules,
    settings: Settings,
    learner: Learner,
    kept: Played,
    newest: Array,
    filled: Array,
    rate: Array,
    key: Array,
) -> tuple[Learner, Losses]:
    """Updates a network with positions from a ring of steps, of which ``filled`` are there and ``newest`` is the last."""
    targets = returns(kept, newest, settings)
    window, games, rows = kept.acting.shape

    def update(learner: Learner, key: Array) -> tuple[Learner, Losses]:
        ages, which, who, mirroring = jax.random.split(key, 4)
        step = (newest - jax.random.randint(ages, (settings.batch,), 0, filled)) % window
        game = jax.random.randint(which, (settings.batch,), 0, games)
        row = jax.random.randint(who, (settings.batch,), 0, rows)
        place = (step, game, row)
        cells, scalars = rules.inputs({name: array[place] for name, array in kept.observed.items()})
        target = _network.from_players(targets[step, game], kept.acting[place], network.value_outputs)
        weights = kept.weights[place].astype(jnp.float32)
        is_mirrored = jax.random.bernoulli(mirroring, shape=(settings.batch,))
        cells, actions = rules.mirrored(cells, kept.actions[place].astype(jnp.int32), is_mirrored)

        def loss(weights_: Any) -> tuple[Array, tuple[Any, Losses]]:
            variables = {**learner.variables, "params": weights_}
            (logits, values), changed = network.apply(variables, cells, scalars, True, mutable=["batch_stats"])
            index = jnp.asarray(rules.game.policy.index)[jnp.where(actions == EMPTY_SLOT, 0, actions)]
            found = jnp.take_along_axis(logits, index, -1)
            log = jax.nn.log_softmax(jnp.where(actions == EMPTY_SLOT, -jnp.inf, found))
            is_wanted = weights > 0
            crossed = -jnp.where(is_wanted, weights * jnp.where(is_wanted, log, 0), 0).sum(-1).mean()
            entropy = -jnp.where(is_wanted, weights * jnp.log(jnp.where(is_wanted, weights, 1)), 0).sum(-1).mean()
            error = ((values - target) ** 2).mean()
            return crossed + error, (changed["batch_stats"], Losses(crossed - entropy, error, entropy))

        gradients, (statistics, losses) = jax.grad(loss, has_aux=True)(learner.variables["params"])
        old = learner.variables["params"]
        changes, optimizer = _optimizer().update(gradients, learner.optimizer, old)
        new = jax.tree.map(lambda weight, change: weight - rate * change, old, changes)
        return Learner({"params": new, "batch_stats": statistics}, optimizer), losses

    # Inside a loop, XLA computes gradients of convolutions on a CPU 60 times as slowly.
    unroll = jax.default_backend() == "cpu"
    learner, losses = jax.lax.scan(update, learner, jax.random.split(key, settings.updates), unroll=unroll)
    return learner, jax.tree.map(lambda array: array.mean(), losses)
