"""The small network of the learning examples, in JAX and in PyTorch.

Both versions have one hidden layer, logits for the actions, and a value for the observing player. ``learn`` uses
Adam to move the policy toward ``targets`` (a probability for each action), each row weighted by ``weights``, and
the value toward ``values``. For a policy gradient, the target is the action that was taken and the weight is its
advantage; for AlphaZero, the target is the policy of the search. Networks can be pickled, with the state of Adam.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Framework = Literal["jax", "torch"]

ENTROPY = 0.01
"""The weight of the entropy bonus."""


class Network(Protocol):
    """The interface of a network, in either framework."""

    def predict(self, observations: Any) -> tuple[Floats, Floats]:
        """Returns the logits (n, actions) and values (n,) of observations."""

    def learn(self, observations: Any, legal: Any, targets: Any, weights: Any, values: Any) -> float:
        """Performs one step of Adam and returns the loss."""

    def copy(self) -> Self:
        """Returns a copy, which does not change when the original learns."""


def make(framework: Framework, inputs: int, actions: int, *, hidden: int, rate: float, seed: int) -> Network:
    """Makes a network. The same seed gives the same initial weights in either framework."""
    rng = np.random.default_rng(seed)
    start = {
        "in": rng.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32),
        "in_bias": np.zeros(hidden, np.float32),
        "policy": rng.normal(0, 0.01, (hidden, actions)).astype(np.float32),
        "policy_bias": np.zeros(actions, np.float32),
        "value": rng.normal(0, 0.01, (hidden, 1)).astype(np.float32),
        "value_bias": np.zeros(1, np.float32),
    }
    return InJax(start, rate) if framework == "jax" else InTorch(start, rate)


def sample(logits: Floats, legal: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int32]:
    """Samples a legal action for each row from the logits. The Gumbel trick makes it unnecessary to normalize."""
    noise = rng.gumbel(size=logits.shape).astype(np.float32)
    chosen = np.where(legal, logits + noise, -np.inf).argmax(axis=-1)
    return np.asarray(chosen, dtype=np.int32)


def taken(actions: NDArray[np.int32], count: int) -> Floats:
    """Returns targets with probability 1 for the actions that were taken."""
    targets = np.zeros((len(actions), count), np.float32)
    targets[np.arange(len(actions)), actions] = 1
    return targets


class InJax:
    def __init__(self, start: dict[str, Floats], rate: float) -> None:
        import jax
        import jax.numpy as jnp

        def forward(weights: Any, observations: Any) -> Any:
            inner = jax.nn.relu(observations.reshape(len(observations), -1) @ weights["in"] + weights["in_bias"])
            value = jnp.tanh(inner @ weights["value"] + weights["value_bias"])
            return inner @ weights["policy"] + weights["policy_bias"], value[:, 0]

        def loss(weights: Any, observations: Any, legal: Any, targets: Any, strength: Any, values: Any) -> Any:
            logits, guessed = forward(weights, observations)
            shares = jax.nn.log_softmax(jnp.where(legal, logits, -1e9))
            policy = -(strength * (targets * shares).sum(axis=1)).mean()
            entropy = -(jnp.exp(shares) * jnp.where(legal, shares, 0)).sum(axis=1).mean()
            return policy + ((guessed - values) ** 2).mean() - ENTROPY * entropy

        def step(weights: Any, moments: Any, count: Any, *batch: Any) -> Any:
            found, slopes = jax.value_and_grad(loss)(weights, *batch)
            first, second = (
                jax.tree.map(lambda old, new, keep=keep, power=power: keep * old + (1 - keep) * new**power, old, slopes)
                for keep, power, old in ((0.9, 1, moments[0]), (0.999, 2, moments[1]))
            )
            scale = rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
            weights = jax.tree.map(lambda w, m, v: w - scale * m / (jnp.sqrt(v) + 1e-8), weights, first, second)
            return weights, (first, second), found

        self._rate = rate
        self._weights: Any = jax.tree.map(jnp.asarray, start)
        self._moments: Any = tuple(jax.tree.map(jnp.zeros_like, self._weights) for _ in range(2))
        self._count = 0
        self._forward, self._step = jax.jit(forward), jax.jit(step)

    def predict(self, observations: Any) -> tuple[Floats, Floats]:
        logits, values = self._forward(self._weights, observations)
        return np.asarray(logits), np.asarray(values)

    def learn(self, observations: Any, legal: Any, targets: Any, weights: Any, values: Any) -> float:
        self._count += 1
        batch = observations, legal, targets, weights, values
        self._weights, self._moments, loss = self._step(self._weights, self._moments, self._count, *batch)
        return float(loss)

    def copy(self) -> Self:
        # JAX arrays are immutable, so a shallow copy is enough.
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        return other

    def __getstate__(self) -> dict[str, Any]:
        import jax

        arrays = jax.tree.map(np.asarray, (self._weights, self._moments))
        return {"arrays": arrays, "count": self._count, "rate": self._rate}

    def __setstate__(self, state: dict[str, Any]) -> None:
        weights, moments = state["arrays"]
        InJax.__init__(self, weights, state["rate"])
        self._moments, self._count = moments, state["count"]


class InTorch:
    def __init__(self, start: dict[str, Floats], rate: float) -> None:
        import torch

        self._torch, self._rate = torch, rate
        self._weights = {name: torch.tensor(array, requires_grad=True) for name, array in start.items()}
        self._adam = torch.optim.Adam(list(self._weights.values()), lr=rate)

    def _forward(self, observations: Any) -> Any:
        weights = self._weights
        inner = self._torch.relu(observations.reshape(len(observations), -1) @ weights["in"] + weights["in_bias"])
        value = self._torch.tanh(inner @ weights["value"] + weights["value_bias"])
        return inner @ weights["policy"] + weights["policy_bias"], value[:, 0]

    def predict(self, observations: Any) -> tuple[Floats, Floats]:
        with self._torch.no_grad():
            logits, values = self._forward(self._torch.from_numpy(np.asarray(observations)))
        return logits.numpy(), values.numpy()

    def learn(self, observations: Any, legal: Any, targets: Any, weights: Any, values: Any) -> float:
        torch = self._torch
        observations, legal, targets, weights, values = (
            torch.from_numpy(np.asarray(array)) for array in (observations, legal, targets, weights, values)
        )
        logits, guessed = self._forward(observations)
        shares = torch.log_softmax(torch.where(legal, logits, -1e9), dim=1)
        policy = -(weights * (targets * shares).sum(dim=1)).mean()
        entropy = -(shares.exp() * torch.where(legal, shares, 0)).sum(dim=1).mean()
        loss = policy + ((guessed - values) ** 2).mean() - ENTROPY * entropy
        self._adam.zero_grad()
        loss.backward()
        self._adam.step()
        return float(loss.detach())

    def copy(self) -> Self:
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._weights = {name: weight.detach().clone() for name, weight in self._weights.items()}
        return other

    def __getstate__(self) -> dict[str, Any]:
        weights = {name: weight.detach().numpy() for name, weight in self._weights.items()}
        return {"weights": weights, "adam": self._adam.state_dict(), "rate": self._rate}

    def __setstate__(self, state: dict[str, Any]) -> None:
        InTorch.__init__(self, state["weights"], state["rate"])
        self._adam.load_state_dict(state["adam"])
