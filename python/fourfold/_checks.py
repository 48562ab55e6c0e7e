"""Argument checks with messages that say what was expected."""

from __future__ import annotations

import math
import operator
import secrets
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_INT32 = np.dtype(np.int32)


def integer(name: str, value: Any, minimum: int, maximum: int) -> int:
    """Checks that a value is an integer in a range, and returns it."""
    if isinstance(value, bool):
        raise TypeError(f"expected {name} to be an integer, got {value}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"expected {name} to be an integer, got {value!r}") from None
    if not minimum <= number <= maximum:
        raise ValueError(f"expected {name} from {minimum} to {maximum}, got {number}")
    return number


def number(name: str, value: Any) -> float:
    """Checks that a value is a finite number, and returns it."""
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise TypeError(f"expected {name} to be a number, got {value!r}")
    converted = float(value)
    if not math.isfinite(converted):
        raise ValueError(f"expected {name} to be finite, got {converted}")
    return converted


def seed(value: Any) -> int | None:
    """Checks that a value is a seed or None, and returns it."""
    return None if value is None else integer("seed", value, 0, 2**64 - 1)


def seed_or_entropy(value: Any) -> int:
    """Checks that a value is a seed, and returns it; without one, returns one from the operating system."""
    found = seed(value)
    return secrets.randbits(64) if found is None else found


def seeds(values: Any, count: int) -> list[int]:
    """Checks that values are seeds, one for each game, and returns them."""
    found = [integer("seed", value, 0, 2**64 - 1) for value in values]
    if len(found) != count:
        raise ValueError(f"expected {count} seeds, one for each game, got {len(found)}")
    return found


def one_of(name: str, value: Any, allowed: Iterable[str]) -> None:
    """Raises an error unless a value is one of the allowed strings."""
    names = list(allowed)
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"invalid {name} {value!r}: expected one of {', '.join(names)}")


def texts(name: str, values: Any) -> list[str]:
    """Checks that values are strings, and returns them as a list."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        what = "a string" if isinstance(values, str) else repr(values)
        raise TypeError(f"expected {name} to be a list of strings, got {what}")
    found = list(values)
    for index, value in enumerate(found):
        if not isinstance(value, str):
            raise TypeError(f"expected {name} to be a list of strings, got {value!r} at index {index}")
    return found


def integers(name: str, values: Any, shape: tuple[int, ...] | None = None) -> NDArray[np.int32]:
    """Converts integers to an array of 32-bit integers. Arrays of other packages are accepted if they
    support DLPack."""
    array = _array(name, values)
    if array.dtype is _INT32 and array.shape == shape and array.flags.c_contiguous:
        return array
    if shape is not None and array.shape != shape:
        raise ValueError(f"expected {name} to have shape {shape}, got {array.shape}")
    if array.dtype.kind not in "iu":
        large = None if isinstance(values, np.ndarray) else _large_number(values)
        if large is not None:
            raise ValueError(f"expected {name} to fit in 32 bits, got {large}")
        if array.size > 0 or isinstance(values, np.ndarray):
            raise TypeError(f"expected {name} to be integers, got {array.dtype}")
    given = np.asarray(array, dtype=np.int32, order="C")
    if array.dtype.itemsize >= 4 and array.dtype != np.int32:
        wrong = given != array
        if wrong.any():
            raise ValueError(f"expected {name} to fit in 32 bits, got {array[wrong][0]}")
    return given


def floats(name: str, values: Any) -> NDArray[np.float32]:
    """Converts numbers to an array of 32-bit floats. Arrays of other packages are accepted if they support
    DLPack."""
    if str(getattr(values, "dtype", None)) == "torch.bfloat16":
        # NumPy has no such type. JAX adds its own to NumPy, PyTorch does not.
        values = values.float()
    array = _array(name, values)
    if array.dtype.kind not in "fiu" and array.dtype.name != "bfloat16":
        raise TypeError(f"expected {name} to be floats, got {array.dtype}")
    return np.asarray(array, dtype=np.float32, order="C")


def booleans(name: str, values: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Converts booleans to an array."""
    array = _array(name, values)
    if array.dtype != np.bool_:
        raise TypeError(f"expected {name} to be booleans, got {array.dtype}")
    if array.shape != shape:
        raise ValueError(f"expected {name} to have shape {shape}, got {array.shape}")
    return np.ascontiguousarray(array)


def _array(name: str, values: Any) -> NDArray[Any]:
    if isinstance(values, np.ndarray):
        return values
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.from_dlpack(values)
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"cannot convert {name} to an array: {error}") from None


def _large_number(values: Any) -> int | None:
    """Returns the number that is too large for NumPy's integers, or None if something else is wrong."""
    numbers: list[Any] = np.array(values, dtype=object).ravel().tolist()
    if not numbers or any(isinstance(one, bool) or not isinstance(one, int) for one in numbers):
        return None
    return int(max(numbers, key=abs))
