"""Arrays that are reused, but never while they are still referenced."""

from __future__ import annotations

import math
import sys
import threading
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_ALIGNMENT = 64
_MAX_BLOCKS = 4
"""The maximum number of blocks kept for reuse. If all of them are in use, further ones are allocated but not kept."""

Layout = dict[str, tuple[tuple[int, ...], DTypeLike]]


class Pool:
    """Blocks of memory that are divided into arrays.

    Every array handed out, and everything that shares its memory (slices, PyTorch tensors, JAX arrays),
    holds a reference to its block. A block is reused only when the pool holds the last reference.
    """

    def __init__(self, layout: Layout) -> None:
        self._parts: list[tuple[str, int, int, tuple[int, ...], np.dtype[Any]]] = []
        size = 0
        for name, (shape, kind) in layout.items():
            dtype = np.dtype(kind)
            length = math.prod(shape) * dtype.itemsize
            self._parts.append((name, size, length, shape, dtype))
            size += -(-length // _ALIGNMENT) * _ALIGNMENT
        self._size = size
        self._blocks: list[NDArray[np.uint8]] = []
        self._lock = threading.Lock()
        self._free_count = self._count_of_free_block()

    @property
    def names(self) -> list[str]:
        """The names of the arrays."""
        return [part[0] for part in self._parts]

    def take(self) -> dict[str, NDArray[Any]]:
        """Returns arrays with the names of the layout, in memory that nothing else references."""
        # A block looks free until its first array exists, so other threads must wait until then.
        with self._lock:
            block = self._free_block()
            start = -block.ctypes.data % _ALIGNMENT
            return {
                name: block[start + offset : start + offset + length].view(dtype).reshape(shape)
                for name, offset, length, shape, dtype in self._parts
            }

    def check(self, arrays: dict[str, Any]) -> None:
        """Raises an error unless the arrays have the shapes and types of those from :meth:`take`."""
        for name, _, _, shape, dtype in self._parts:
            array = arrays[name]
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
                raise ValueError(f"out: expected {name} to be {wanted}, got {found}")

    def _free_block(self) -> NDArray[np.uint8]:
        for index in range(len(self._blocks)):
            if sys.getrefcount(self._blocks[index]) == self._free_count:
                return self._blocks[index]
        block = np.zeros(self._size + _ALIGNMENT, dtype=np.uint8)
        if len(self._blocks) < _MAX_BLOCKS:
            self._blocks.append(block)
        return block

    def _count_of_free_block(self) -> int:
        """Returns the reference count of a block that only a list holds, measured as in `_free_block`."""
        blocks = [np.zeros(1, dtype=np.uint8)]
        return sys.getrefcount(blocks[0])
