"""Arrays that are used again, but never while somebody still holds them."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_ALIGNMENT = 64

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
        self._free_count = self._count_of_free_block()

    def take(self) -> dict[str, NDArray[Any]]:
        """Arrays with the names of the layout that nobody else can see."""
        block = self._free_block()
        start = -block.ctypes.data % _ALIGNMENT
        return {
            name: block[start + offset : start + offset + length].view(dtype).reshape(shape)
            for name, offset, length, shape, dtype in self._parts
        }

    def _free_block(self) -> NDArray[np.uint8]:
        for index in range(len(self._blocks)):
            if sys.getrefcount(self._blocks[index]) == self._free_count:
                return self._blocks[index]
        self._blocks.append(self._new_block())
        return self._blocks[-1]

    def _new_block(self) -> NDArray[np.uint8]:
        return np.zeros(self._size + _ALIGNMENT, dtype=np.uint8)

    def _count_of_free_block(self) -> int:
        """What the interpreter counts for a block that only a list holds, asked as above."""
        blocks = [np.zeros(1, dtype=np.uint8)]
        return sys.getrefcount(blocks[0])
