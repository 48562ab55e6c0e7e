"""Shapes and names of the arrays that masks and observations are written to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fourfold._buffers import Layout
from fourfold._state import MaskForm, ObservationForm, Spec

MASK_NAMES = {"bool": "mask_bools", "packed": "mask_bits"}
OBSERVATION_NAMES = {"float32": "float", "float16": "half", "uint8": "packed", "packed": "packed"}


def mask_layout(spec: Spec, form: MaskForm, rows: tuple[int, ...]) -> Layout:
    """Returns the arrays that masks are written to, with ``rows`` as the leading dimensions."""
    actions = spec["actions"]
    match form:
        case "bool":
            return {"mask_bools": ((*rows, actions), np.bool_)}
        case "packed":
            return {"mask_bits": ((*rows, -(-actions // 8)), np.uint8)}
        case "sparse":
            return {
                "mask_counts": (rows, np.int32),
                "mask_indices": ((*rows, spec["max_legal"]), np.int32),
            }
        case "none":
            return {}
    raise ValueError(f"unknown mask {form!r}")


def observation_layout(spec: Spec, form: ObservationForm, rows: tuple[int, ...]) -> Layout:
    """Returns the arrays that observations are written to, with ``rows`` as the leading dimensions."""
    shape = spec["observation"]
    beside, count = spec["beside"], spec["scalars"]
    sizes: tuple[int, ...] = (count,)
    if beside is not None:
        # The additional array, followed by the scalars.
        sizes = (math.prod(beside[1]) + count,) if count > 0 else tuple(beside[1])
    scalars: Layout = {"scalars": ((*rows, *sizes), np.float32)}
    # Scalars that are already channels are not repeated.
    extra = {} if beside is None else scalars
    match form:
        case "float32":
            return {"float": ((*rows, *shape), np.float32), **extra}
        case "float16":
            return {"half": ((*rows, *shape), np.float16), **extra}
        case "uint8":
            return {"packed": ((*rows, *shape), np.uint8), **scalars}
        case "packed":
            return {"packed": ((*rows, *spec["planes"]), np.uint8), **scalars}
        case "none":
            return {}
    raise ValueError(f"unknown observation {form!r}")


def numbers(
    spec: Spec, form: ObservationForm, seen: dict[str, Any]
) -> tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]:
    """Returns the scalars and the additional array, such as ``tokens``."""
    block, beside = seen.get("scalars"), spec["beside"]
    if block is None or beside is None:
        return block, None
    if spec["scalars"] == 0:
        return None, block
    count = math.prod(beside[1])
    tokens = block[..., :count].reshape(*block.shape[:-1], *beside[1])
    return (block[..., count:] if form in ("packed", "uint8") else None), tokens


def planes(seen: dict[str, Any]) -> NDArray[Any] | None:
    """Returns the planes, in whatever form they are."""
    for name in ("float", "half", "packed"):
        if name in seen:
            found: NDArray[Any] = seen[name]
            return found
    return None


def observation(form: ObservationForm, seen: dict[str, Any]) -> dict[str, Any]:
    """Returns the buffers that the native module writes observations to."""
    buffers: dict[str, Any] = {"form": form}
    for name in ("packed", "half", "float", "scalars"):
        array = seen.get(name)
        buffers[name] = None if array is None else array.reshape(-1)
    return buffers
