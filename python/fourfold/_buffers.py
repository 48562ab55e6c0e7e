"""Arrays that are used again, but never while somebody still holds them."""

from __future__ import annotations

import math
import sys
import threading
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_ALIGNMENT = 64
_MOST_BLOCKS = 4
"""More are made when somebody holds so many, but they are not kept for another time."""

Layout = dict[str, tuple[tuple[int, ...], DTypeLike]]


class Pool:
    """Blocks of memory that are cut into arrays.

    Every array that is handed out, and everything made from it (a slice, a tensor of PyTorch or JAX
    that shares its memory), holds a reference to its block. A block is used again only when the pool
    holds the last one.
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
        """Arrays with the names of the layout that nobody else can see."""
        # A block is free until its first array exists, so nobody else may look meanwhile.
        with self._lock:
            block = self._free_block()
            start = -block.ctypes.data % _ALIGNMENT
            return {
                name: block[start + offset : start + offset + length].view(dtype).reshape(shape)
                for name, offset, length, shape, dtype in self._parts
            }

    def check(self, arrays: dict[str, Any]) -> None:
        """Raises an error unless these are arrays as :meth:`take` gives them."""
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
                raise ValueError(f"out: {name} must be a writable, contiguous array, {dtype} {shape}, not {found}")

    def _free_block(self) -> NDArray[np.uint8]:
        for index in range(len(self._blocks)):
            if sys.getrefcount(self._blocks[index]) == self._free_count:
                return self._blocks[index]
        block = self._new_block()
        if len(self._blocks) < _MOST_BLOCKS:
            self._blocks.append(block)
        return block

    def _new_block(self) -> NDArray[np.uint8]:
        return np.zeros(self._size + _ALIGNMENT, dtype=np.uint8)

    def _count_of_free_block(self) -> int:
        """What the interpreter counts for a block that only a list holds, asked as above."""
        blocks = [np.zeros(1, dtype=np.uint8)]
        return sys.getrefcount(blocks[0])
