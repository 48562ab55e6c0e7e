"""Shapes and names of the arrays that masks and observations are written to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fourfold._buffers import Layout
from fourfold._state import AnyObservationFormat, MaskFormat, ObservationFormat, Spec


def status_layout(games: int, players: int, simultaneous: bool) -> Layout:
    """Returns the arrays of a state that are neither masks nor observations."""
    layout: Layout = {
        "rewards": ((games, players), np.float32),
        "scores": ((games, players), np.float32),
        "alive": ((games, players), np.bool_),
        "terminated": ((games,), np.bool_),
        "truncated": ((games,), np.bool_),
        "current_player": ((games,), np.int32),
        "winner": ((games,), np.int32),
        "ending": ((games,), np.int32),
        "move_valid": ((games,), np.bool_),
    }
    return {**layout, "order_refused": ((games, players), np.bool_)} if simultaneous else layout


def mask_layout(spec: Spec, format: MaskFormat, rows: tuple[int, ...]) -> Layout:
    """Returns the arrays that masks are written to, with ``rows`` as the leading dimensions."""
    actions = spec["actions"]
    layouts: dict[MaskFormat, Layout] = {
        "bool": {"mask_bools": ((*rows, actions), np.bool_)},
        "packed": {"mask_bits": ((*rows, -(-actions // 8)), np.uint8)},
        "sparse": {"mask_counts": (rows, np.int32), "mask_indices": ((*rows, spec["max_legal"]), np.int32)},
        "none": {},
    }
    return layouts[format]


def observation_layout(spec: Spec, format: ObservationFormat, rows: tuple[int, ...]) -> Layout:
    """Returns the arrays that observations are written to, with ``rows`` as the leading dimensions."""
    shape = spec["observation"]
    array, count = spec["scalar_array"], spec["scalars"]
    sizes: tuple[int, ...] = (count,)
    if array is not None:
        # The additional array, followed by the scalars.
        sizes = (math.prod(array[1]) + count,) if count > 0 else tuple(array[1])
    scalars: Layout = {"scalars": ((*rows, *sizes), np.float32)}
    # Scalars that are already channels are not repeated.
    extra = {} if array is None else scalars
    layouts: dict[ObservationFormat, Layout] = {
        "float32": {"float": ((*rows, *shape), np.float32), **extra},
        "float16": {"half": ((*rows, *shape), np.float16), **extra},
        "uint8": {"bytes": ((*rows, *shape), np.uint8), **scalars},
        "packed": {"packed": ((*rows, *spec["planes"]), np.uint8), **scalars},
        "none": {},
    }
    return layouts[format]


def columns(block: NDArray[Any], first: int, shape: tuple[int, ...]) -> NDArray[Any]:
    """Returns columns of the rows of an array, from ``first`` on, each row in a shape of its own."""
    return block[..., first : first + math.prod(shape)].reshape(*block.shape[:-1], *shape)


def split_scalars(
    spec: Spec,
    format: AnyObservationFormat,
    observations: Mapping[str, Any],
    columns: Callable[[Any, int, tuple[int, ...]], Any] = columns,
) -> tuple[Any, Any]:
    """Returns the scalars and the additional array, such as ``tokens``."""
    block, array = observations.get("scalars"), spec["scalar_array"]
    if block is None or array is None:
        return block, None
    if spec["scalars"] == 0:
        return None, block
    count = math.prod(array[1])
    scalars = columns(block, count, (spec["scalars"],)) if format in ("packed", "uint8") else None
    return scalars, columns(block, 0, tuple(array[1]))


def fields(
    spec: Spec,
    format: AnyObservationFormat,
    observations: Mapping[str, Any],
    columns: Callable[[Any, int, tuple[int, ...]], Any] = columns,
) -> dict[str, Any]:
    """Returns the fields of a state that hold observations."""
    planes = next(iter(observations.values()), None)
    scalars, values = split_scalars(spec, format, observations, columns)
    found = {"observation": planes, "scalars": scalars, "pieces_left": None, "tokens": None, "_numbers": None}
    array = spec["scalar_array"]
    if array is not None and array[0] in found:
        found[array[0]] = values
        if spec["scalars"] > 0:
            found["_numbers"] = observations.get("scalars")
    return found


def mask_fields(masks: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a state or of leaves that hold masks."""
    return {
        "legal_action_mask": masks.get("mask_bools", masks.get("mask_bits")),
        "legal_action_counts": masks.get("mask_counts"),
        "legal_actions": masks.get("mask_indices"),
    }


def flat(arrays: Mapping[str, NDArray[Any]], rows: int) -> dict[str, NDArray[Any]]:
    """Returns one-dimensional views of the first rows of arrays, as the native module expects them."""
    return {name: array[:rows].reshape(-1) for name, array in arrays.items()}
