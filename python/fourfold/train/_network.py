"""The network: a residual tower with a policy and a value head.

Self-play, evaluation and the bots in Rust use it with batch normalization folded into the convolutions, as a dictionary of
tensors. docs/training.md describes them.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from fourfold.train._games import Array, Rules

EPSILON = 1e-5
Tensors = dict[str, Array]
"""The tensors of a network for play, by name."""


@dataclasses.dataclass(frozen=True)
class Size:
    """The size of a network."""

    blocks: int
    channels: int

    @staticmethod
    def parse(text: str) -> Size:
        """Reads a size such as ``6x64``."""
        blocks, x, channels = text.partition("x")
        if not x or not blocks.isdecimal() or not channels.isdecimal() or not (0 < int(blocks) < 100):
            raise ValueError(f"expected BLOCKSxCHANNELS such as 6x64, got {text!r}")
        if not 4 <= int(channels) <= 1024:
            raise ValueError(f"expected from 4 to 1024 channels, got {channels}")
        return Size(int(blocks), int(channels))

    def __str__(self) -> str:
        return f"{self.blocks}x{self.channels}"


class Network(nn.Module):  # type: ignore[misc]
    """A network in training, with batch normalization."""

    size: Size
    cells: int
    policy_planes: int
    policy_extra: int
    has_scalars: bool
    value_channels: int
    value_hidden: int
    value_outputs: int
    dtype: Any = jnp.float32

    @nn.compact  # type: ignore[untyped-decorator]
    def __call__(self, cells: Array, scalars: Array, train: bool) -> tuple[Array, Array]:
        """Returns logits, first those of cells and then those without one, and values."""

        def normalize(x: Array, name: str, scale: float = 1.0) -> Array:
            return nn.BatchNorm(
                use_running_average=not train,
                momentum=0.97,
                epsilon=EPSILON,
                scale_init=nn.initializers.constant(scale),
                dtype=self.dtype,
                name=f"{name}.norm",
            )(x)

        def convolve(x: Array, name: str, width: int, channels: int) -> Array:
            start = nn.initializers.variance_scaling(2.0, "fan_in", "normal")
            return nn.Conv(
                channels, (width, width), use_bias=False, kernel_init=start, dtype=self.dtype, name=f"{name}.conv"
            )(x)

        def dense(x: Array, name: str, count: int, scale: float) -> Array:
            start = nn.initializers.variance_scaling(scale, "fan_in", "normal")
            return nn.Dense(count, kernel_init=start, dtype=self.dtype, name=name)(x)

        channels = self.size.channels
        cells = cells.astype(self.dtype)
        h = convolve(cells, "stem", 3, channels)
        if self.has_scalars:
            added = nn.Dense(channels, use_bias=False, dtype=self.dtype, name="stem.scalars")(scalars)
            h = h + added[:, None, None, :]
        h = nn.relu(normalize(h, "stem"))
        for index in range(self.size.blocks):
            one, two = f"blocks.{index}.0", f"blocks.{index}.1"
            inner = nn.relu(normalize(convolve(h, one, 3, channels), one))
            # Blocks begin close to the identity.
            h = nn.relu(normalize(convolve(inner, two, 3, channels), two, 0.3) + h)
        p = nn.relu(normalize(convolve(h, "policy.conv", 3, channels), "policy.conv"))
        logits = dense(p, "policy.out", self.policy_planes, 0.01).reshape(len(p), -1)
        if self.policy_extra:
            extra = dense(p.mean((1, 2)), "policy.extra", self.policy_extra, 0.01)
            logits = jnp.concatenate([logits, extra], -1)
        v = nn.relu(normalize(convolve(h, "value.conv", 1, self.value_channels), "value.conv"))
        v = nn.relu(dense(v.reshape(len(v), -1), "value.hidden", self.value_hidden, 2.0))
        value = jnp.tanh(dense(v, "value.out", self.value_outputs, 0.01).astype(jnp.float32))
        return logits.astype(jnp.float32), value


def make(rules: Rules, size: Size, dtype: Any) -> Network:
    """Returns the network of a game."""
    height, width = rules.shape
    policy = rules.game.policy
    return Network(
        size=size,
        cells=height * width,
        policy_planes=policy.planes,
        policy_extra=policy.extra,
        has_scalars=rules.scalars > 0,
        value_channels=16 if height * width <= 64 else 8,
        value_hidden=128,
        value_outputs=1 if rules.players == 2 else rules.players,
        dtype=dtype,
    )


def init(network: Network, rules: Rules, key: Array) -> dict[str, Any]:
    """Returns random weights, and the statistics of batch normalization."""
    height, width = rules.shape
    cells = jnp.zeros((1, height, width, len(rules.game.channels) + 1))
    return dict(network.init(key, cells, jnp.zeros((1, rules.scalars)), False))


def fold(variables: dict[str, Any], dtype: Any) -> Tensors:
    """Folds batch normalization into the convolutions."""
    weights, statistics = variables["params"], variables["batch_stats"]
    found: Tensors = {}
    for name, one in weights.items():
        base, _, kind = name.rpartition(".")
        if kind == "norm":
            factor = one["scale"] * jax.lax.rsqrt(statistics[name]["var"] + EPSILON)
            kernel = weights[f"{base}.conv"]["kernel"] * factor
            # A convolution with one cell is a matrix.
            found[f"{base}.weight"] = kernel[0, 0] if kernel.shape[0] == 1 else kernel
            found[f"{base}.bias"] = one["bias"] - statistics[name]["mean"] * factor
            if base == "stem" and "stem.scalars" in weights:
                found["stem.scalars"] = weights["stem.scalars"]["kernel"] * factor
        elif kind != "conv" and name != "stem.scalars":
            found[f"{name}.weight"], found[f"{name}.bias"] = one["kernel"], one["bias"]
    return {name: tensor.astype(dtype) for name, tensor in found.items()}


def apply(tensors: Tensors, cells: Array, scalars: Array) -> tuple[Array, Array]:
    """Evaluates a network for play: returns logits, first those of cells and then those without one, and values."""
    dtype = tensors["stem.weight"].dtype

    def convolve(x: Array, name: str) -> Array:
        numbers = ("NHWC", "HWIO", "NHWC")
        found = jax.lax.conv_general_dilated(x, tensors[f"{name}.weight"], (1, 1), "SAME", dimension_numbers=numbers)
        return found + tensors[f"{name}.bias"]

    def dense(x: Array, name: str) -> Array:
        return x @ tensors[f"{name}.weight"] + tensors[f"{name}.bias"]

    h = convolve(cells.astype(dtype), "stem")
    if "stem.scalars" in tensors:
        h = h + (scalars.astype(dtype) @ tensors["stem.scalars"])[:, None, None, :]
    h = jax.nn.relu(h)
    index = 0
    while f"blocks.{index}.0.weight" in tensors:
        inner = jax.nn.relu(convolve(h, f"blocks.{index}.0"))
        h = jax.nn.relu(convolve(inner, f"blocks.{index}.1") + h)
        index += 1
    p = jax.nn.relu(convolve(h, "policy.conv"))
    logits = dense(p, "policy.out").reshape(len(p), -1)
    if "policy.extra.weight" in tensors:
        logits = jnp.concatenate([logits, dense(p.mean((1, 2)), "policy.extra")], -1)
    v = jax.nn.relu(dense(h, "value.conv")).reshape(len(h), -1)
    value = dense(jax.nn.relu(dense(v, "value.hidden")), "value.out")
    return logits.astype(jnp.float32), jnp.tanh(value.astype(jnp.float32))


def to_players(values: Array, acting: Array, players: int) -> Array:
    """Converts the values of rows (B, rows, outputs), from the view of the player who acts, to values of all players
    (B, players)."""
    if values.shape[1] == players:
        # All players act, each with a value of its own.
        return values[:, :, 0]
    relative = values[:, 0]
    if relative.shape[-1] == 1:
        relative = jnp.concatenate([relative, -relative], -1)
    turned = (jnp.arange(players) - acting) % players
    return jnp.take_along_axis(relative, turned, -1)


def from_players(values: Array, acting: Array, outputs: int) -> Array:
    """Converts values of all players (N, players) to those that a network should give to the acting player (N,)."""
    turned = (acting[:, None] + np.arange(outputs)) % values.shape[-1]
    return jnp.take_along_axis(values, turned, -1)
