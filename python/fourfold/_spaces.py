"""The Gymnasium spaces of observations and masks."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from fourfold import _opponents
from fourfold._env import Environment
from fourfold._state import ObservationFormat

_MOST = 2.0**32
"""An upper bound for all counts in observations, scaled or not."""


def observation_parts(env: Environment, format: ObservationFormat) -> dict[str, spaces.Space[Any]]:
    """Returns the space of each part of one player's observation of one game."""
    array = env._spec["scalar_array"]
    found: dict[str, spaces.Space[Any]] = {"observation": _planes(env, format)}
    for name in _opponents.part_names(env, format)[1:]:
        if name == "scalars":
            found[name] = spaces.Box(0, _MOST, (env._spec["scalars"],), np.float32)
        elif array is not None:
            most = 1 if name == "pieces_left" else _MOST
            found[name] = spaces.Box(0, most, tuple(array[1]), np.float32)
    return found


def _planes(env: Environment, format: ObservationFormat) -> spaces.Box:
    if format == "packed":
        return spaces.Box(0, 255, env._spec["planes"], np.uint8)
    high: NDArray[Any] = np.ones(env.observation_shape, dtype=format)
    if format != "uint8" and not env._spec["simultaneous"]:
        # In simultaneous games, scalars are timers of at most 1; elsewhere they are counts in hundreds.
        counts = [channel for channel, (kind, _) in enumerate(env.channels) if kind == "scalar"]
        high[..., counts] = min(_MOST, float(np.finfo(format).max))
    return spaces.Box(np.zeros_like(high), high, dtype=high.dtype.type)


def mask(env: Environment) -> spaces.Box:
    """Returns the space of a player's mask."""
    return spaces.Box(0, 1, (env.num_actions,), np.int8)


def single(parts: dict[str, spaces.Space[Any]]) -> spaces.Space[Any]:
    """Returns the space of the part if there is only one, or of all of them by name."""
    return parts["observation"] if len(parts) == 1 else spaces.Dict(parts)
