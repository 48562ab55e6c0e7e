"""Arrays in the memory of a GPU, which is reused, but never while it is still referenced."""

from __future__ import annotations

import math
import re
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fourfold import _core

_ALIGNMENT = 256
_MAX_BLOCKS = 4
"""The maximum number of blocks kept for reuse, as in ``_buffers.py``."""

_CPU, _CUDA = 1, 2
"""Types of devices in DLPack."""

_KINDS = {
    "bool": (6, 8),
    "uint8": (1, 8),
    "int32": (0, 32),
    "float16": (2, 16),
    "bfloat16": (4, 16),
    "float32": (2, 32),
}
"""The code and the number of bits of each type in DLPack."""

DeviceLayout = dict[str, tuple[tuple[int, ...], str]]
"""The shape and the name of the type of each array."""


def open_device(name: Any) -> _core.Device:
    """Opens a device by its name."""
    found = re.fullmatch(r"cuda(?::(\d{1,4}))?", name) if isinstance(name, str) else None
    if found is not None:
        return _core.Device(int(found[1] or 0))
    if name == "cuda-emulated":
        return _core.Device(None)
    raise ValueError(
        f"invalid device {name!r}: expected 'cpu', 'cuda', 'cuda:1' and so on, or 'cuda-emulated' for tests"
    )


def device_name(place: tuple[int, int]) -> str:
    """Returns the name of a device that DLPack has as two numbers."""
    kind, index = place
    return f"cuda:{index}" if kind == _CUDA else "cpu" if kind == _CPU else f"the DLPack device {place}"


class DeviceArray:
    """An array in the memory of a GPU.

    Other packages use it without a copy: ``torch.from_dlpack(array)``, ``cupy.from_dlpack(array)`` or
    ``jax.dlpack.from_dlpack(array)``. :meth:`numpy` copies it to the host. Its values never change as long as it, or
    an array that shares its memory, is referenced.

    >>> import fourfold
    >>> env = fourfold.make("chess", num_envs=2, device="cuda-emulated")
    >>> env.reset(seed=0).current_player
    <fourfold.DeviceArray int32 (2,) on cuda-emulated>
    >>> env.reset(seed=0).current_player.numpy()
    array([0, 0], dtype=int32)
    """

    __slots__ = ("__weakref__", "_buffer", "_kind", "_offset", "_shape", "_strides")

    def __init__(
        self,
        buffer: _core.DeviceBuffer,
        offset: int,
        shape: tuple[int, ...],
        kind: str,
        strides: tuple[int, ...] | None = None,
    ) -> None:
        self._buffer, self._offset, self._shape, self._kind = buffer, offset, shape, kind
        # In elements, as DLPack has them.
        self._strides = _strides(shape) if strides is None else strides

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return self._shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self._shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements in NumPy. NumPy has no bfloat16: it is that of ``ml_dtypes`` if this package is
        installed, otherwise uint16, the bits."""
        return _bfloat16() if self._kind == "bfloat16" else np.dtype(self._kind)

    @property
    def device(self) -> str:
        """The name of the device: ``cuda:0``, for example."""
        place = self._buffer.dlpack_device
        return "cuda-emulated" if place[0] == _CPU else device_name(place)

    def numpy(self) -> NDArray[Any]:
        """Waits for the GPU and copies the array to the host."""
        dtype = self.dtype
        last = sum((count - 1) * stride for count, stride in zip(self._shape, self._strides, strict=True))
        memory = np.empty((1 + last) * dtype.itemsize if self.size > 0 else 0, np.uint8)
        self._buffer.read(self._offset, memory)
        strides = [stride * dtype.itemsize for stride in self._strides]
        found: NDArray[Any] = np.ndarray(self._shape, dtype, memory, strides=strides)
        return np.ascontiguousarray(found)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("an array on a GPU cannot become a NumPy array without a copy")
        found = self.numpy()
        return found if dtype is None else found.astype(dtype, copy=False)

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("an array without dimensions has no length")
        return self._shape[0]

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._buffer.dlpack_device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        place = self._buffer.dlpack_device
        if dl_device is not None and tuple(dl_device) != place:
            raise BufferError(f"the array is on {self.device}, not on {device_name(dl_device)}: copy it with numpy()")
        if copy:
            raise BufferError("expected copy to be False or None: the consumer can copy the array")
        if place[0] == _CUDA:
            if stream == 0:
                raise ValueError("invalid stream 0: expected 1 for the legacy default stream")
            # Everything is written on the legacy default stream. -1 means that the consumer takes care.
            if stream not in (None, 1, -1):
                _core.Device(place[1]).synchronize()
        return self._buffer.dlpack(self._offset, list(self._shape), list(self._strides), _KINDS[self._kind])

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        # Raises AttributeError where there is no such interface, so that `hasattr` is false.
        if self._buffer.dlpack_device[0] != _CUDA:
            raise AttributeError("the emulated device has no __cuda_array_interface__")
        if self._kind == "bfloat16":
            raise AttributeError("__cuda_array_interface__ has no bfloat16: use DLPack")
        size = self.dtype.itemsize
        return {
            "shape": self._shape,
            "typestr": self.dtype.str,
            "data": (self._buffer.pointer + self._offset, False),
            "strides": tuple(stride * size for stride in self._strides),
            "version": 3,
            # The legacy default stream.
            "stream": 1,
        }

    def __repr__(self) -> str:
        return f"<fourfold.DeviceArray {self._kind} {self._shape} on {self.device}>"

    def __reduce__(self) -> Any:
        raise TypeError("an array on a GPU cannot be pickled: pickle numpy()")

    def _is_contiguous(self) -> bool:
        return self._strides == _strides(self._shape)

    def _columns(self, first: int, shape: tuple[int, ...]) -> DeviceArray:
        """Returns columns of the rows of an array, from ``first`` on, each row in a shape of its own."""
        offset = self._offset + first * self.dtype.itemsize
        strides = (*self._strides[:-1], *_strides(shape))
        return DeviceArray(self._buffer, offset, (*self._shape[:-1], *shape), self._kind, strides)


def _strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _bfloat16() -> np.dtype[Any]:
    try:
        import ml_dtypes
    except ImportError:
        return np.dtype(np.uint16)
    found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return found


class DeviceBlock:
    """Arrays that share one buffer, the native description of them, and the fields that show them."""

    __slots__ = ("arrays", "buffer", "fields", "native")

    def __init__(self, buffer: _core.DeviceBuffer, offsets: dict[str, int], layout: DeviceLayout) -> None:
        self.buffer = buffer
        self.native = _core.CudaBuffers(buffer, offsets)
        self.arrays = {name: DeviceArray(buffer, offsets[name], shape, kind) for name, (shape, kind) in layout.items()}
        self.fields: dict[str, Any] = {}


class DevicePool:
    """Buffers of a device that are divided into arrays.

    Whatever shares the memory of a block holds a reference to one of its parts, or is known to the buffer if it was
    exported by DLPack. A block is reused only when nothing holds it.
    """

    def __init__(
        self,
        device: _core.Device,
        layout: DeviceLayout,
        fields: Callable[[Mapping[str, DeviceArray]], dict[str, Any]] = dict,
    ) -> None:
        self._device, self._layout, self._fields = device, layout, fields
        self._offsets: dict[str, int] = {}
        self._size = 0
        for name, (shape, kind) in layout.items():
            self._offsets[name] = self._size
            length = math.prod(shape) * _KINDS[kind][1] // 8
            self._size += -(-length // _ALIGNMENT) * _ALIGNMENT
        self._blocks: list[tuple[DeviceBlock, list[Any], list[int]]] = []
        self._last = -1
        self._lock = threading.Lock()

    def take(self) -> DeviceBlock:
        """Returns arrays in memory that nothing else references."""
        # A block looks free until it is returned, so other threads must wait until then.
        with self._lock:
            for index, (block, parts, counts) in enumerate(self._blocks):
                if [*map(sys.getrefcount, parts)] == counts and not block.buffer.exported:
                    # The block that was returned last is the one most likely to be in use.
                    self._blocks.append(self._blocks.pop(index))
                    return block
            return self._new_block()

    def new(self) -> DeviceBlock:
        """Returns arrays that do not belong to the pool."""
        block = DeviceBlock(self._device.alloc(self._size), self._offsets, self._layout)
        block.fields = self._fields(block.arrays)
        return block

    def _new_block(self) -> DeviceBlock:
        block = self.new()
        if len(self._blocks) < _MAX_BLOCKS:
            views = [value for value in block.fields.values() if isinstance(value, DeviceArray)]
            parts = [*{id(part): part for part in (block.buffer, block, *block.arrays.values(), *views)}.values()]
            del views
            self._blocks.append((block, parts, []))
            # Only now everything has the references that it will have while the block is free. One to the block is
            # this function's; `take` has one, too, when it compares.
            self._blocks[-1][2].extend(map(sys.getrefcount, parts))
        return block


Stream = Literal["default", "other"]


def stream_of(array: Any) -> Stream:
    """Returns whether the package of an array works on the legacy default stream, as we do."""
    package = type(array).__module__.partition(".")[0]
    if package == "torch":
        import torch

        return "default" if torch.cuda.current_stream(array.device).cuda_stream == 0 else "other"
    if package == "cupy":
        import cupy

        return "default" if cupy.cuda.get_current_stream().ptr == 0 else "other"
    return "other"
