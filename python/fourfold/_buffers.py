"""Arrays that are reused, but never while they are still referenced."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

_ALIGNMENT = 64
_MAX_BLOCKS = 4
"""The maximum number of blocks kept for reuse. If all of them are in use, further ones are allocated but not kept."""

Layout = dict[str, tuple[tuple[int, ...], DTypeLike]]
Arrays = dict[str, NDArray[Any]]
Fields = dict[str, Any]

_Buffers = TypeVar("_Buffers")


class Block(Generic[_Buffers]):
    """Arrays that share one block of memory, the native buffers made of them, and the fields that show them."""

    __slots__ = ("arrays", "buffers", "fields")

    def __init__(self, arrays: Arrays, buffers: _Buffers, fields: Fields) -> None:
        self.arrays, self.buffers, self.fields = arrays, buffers, fields


class Pool(Generic[_Buffers]):
    """Blocks of memory that are divided into arrays.

    Whatever shares the memory of a block holds a reference to one of its parts: users, PyTorch and JAX to the
    arrays, slices to the memory. A block is reused only when all of these have no more references than when
    they were made.
    """

    def __init__(
        self,
        layout: Layout,
        native: Callable[[Arrays], _Buffers],
        fields: Callable[[Arrays], Fields] = lambda arrays: {**arrays},
    ) -> None:
        self._parts: list[tuple[str, int, int, tuple[int, ...], np.dtype[Any]]] = []
        size = 0
        for name, (shape, kind) in layout.items():
            dtype = np.dtype(kind)
            length = math.prod(shape) * dtype.itemsize
            self._parts.append((name, size, length, shape, dtype))
            size += -(-length // _ALIGNMENT) * _ALIGNMENT
        self._size = size
        self._native, self._fields = native, fields
        self._blocks: list[tuple[Block[_Buffers], list[Any], list[int]]] = []
        self._last = -1
        self._lock = threading.Lock()

    @property
    def names(self) -> list[str]:
        """The names of the arrays."""
        return [part[0] for part in self._parts]

    def take(self) -> Block[_Buffers]:
        """Returns arrays in memory that nothing else references."""
        # A block looks free until it is returned, so other threads must wait until then.
        with self._lock:
            blocks = self._blocks
            for _ in blocks:
                # The block that was returned last is the one most likely to be in use.
                self._last = (self._last + 1) % len(blocks)
                block, parts, counts = blocks[self._last]
                if [*map(sys.getrefcount, parts)] == counts:
                    return block
            return self._new_block()

    def wrap(self, arrays: Arrays) -> Block[_Buffers]:
        """Returns a block of arrays that do not belong to the pool."""
        native = self._native({name: array.reshape(-1) for name, array in arrays.items()})
        return Block(arrays, native, self._fields(arrays))

    def arrays_of(self, out: object, attributes: Iterable[str]) -> Arrays:
        """Returns arrays that are attributes of an object, in the order of the pool. Raises an error unless they have
        the shapes and types of those of the pool."""
        arrays: Arrays = {}
        for (name, _, _, shape, dtype), attribute in zip(self._parts, attributes, strict=False):
            array = getattr(out, attribute)
            fits = (
                isinstance(array, np.ndarray)
                and array.shape == shape
                and array.dtype == dtype
                and array.flags.c_contiguous
                and array.flags.writeable
            )
            if not fits:
                found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else array
                wanted = f"a writable, contiguous array, {dtype} {shape}"
                raise ValueError(f"out: expected {attribute} to be {wanted}, got {found}")
            arrays[name] = array
        return arrays

    def _new_block(self) -> Block[_Buffers]:
        memory = np.zeros(self._size + _ALIGNMENT, dtype=np.uint8)
        start = -memory.ctypes.data % _ALIGNMENT
        block = self.wrap(
            {
                name: memory[start + offset : start + offset + length].view(dtype).reshape(shape)
                for name, offset, length, shape, dtype in self._parts
            }
        )
        if len(self._blocks) < _MAX_BLOCKS:
            views = filter(_is_array, block.fields.values())
            parts = [*{id(part): part for part in (memory, block, *block.arrays.values(), *views)}.values()]
            del memory, views
            self._blocks.append((block, parts, []))
            # Only now everything has the references that it will have while the block is free. One to the block is
            # this function's; `take` has one, too, when it compares.
            self._blocks[-1][2].extend(map(sys.getrefcount, parts))
        return block


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)
