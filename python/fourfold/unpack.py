"""Unpacks masks and observations in the format ``packed``, in NumPy, PyTorch or JAX.

>>> import numpy as np, fourfold
>>> env = fourfold.make("chess", num_envs=3, packed=True)
>>> state = env.reset(seed=0)
>>> planes = observation(state.observation, state.scalars, env)
>>> np.array_equal(planes, env.observe(format="float32"))
True
>>> int(mask(state.legal_action_mask, env.num_actions)[0].sum())
20
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from fourfold._described import Described
    from fourfold._env import Environment


def mask(packed: NDArray[np.uint8], num_actions: int) -> NDArray[np.bool_]:
    """Unpacks a mask to booleans."""
    bits = np.unpackbits(packed, axis=-1, count=num_actions, bitorder="little")
    return bits.view(np.bool_)


def observation(
    packed: NDArray[np.uint8], scalars: NDArray[np.float32] | None, env: Environment
) -> NDArray[np.float32]:
    """Unpacks an observation to floats (B, rows, columns, channels), in simultaneous games (B, players, …).
    Games whose channels are all planes need no scalars. Channels with values on individual squares are 0, since
    the tokens hold the exact values."""
    lead = packed.shape[:-2]
    numbers = np.zeros((*lead, 0), np.float32) if scalars is None else np.ascontiguousarray(scalars, np.float32)
    out: NDArray[np.float32]
    if lead == env._action_shape:
        out = env._observer("float32", lead).take().arrays["float"]
    else:
        out = np.empty((*lead, *env.observation_shape), np.float32)
    with env._lock:
        env._batch.unpack(np.ascontiguousarray(packed).reshape(-1), numbers.reshape(-1), out.reshape(-1))
    return out


def column(table: Any, name: str) -> NDArray[Any]:
    """Returns a column of fixed size from a file of :func:`fourfold.record` as an array (rows, …). ``table`` is a
    table or a record batch of pyarrow.

    >>> import pyarrow as pa
    >>> column(pa.table({"observation": pa.array([b"\\x01\\x02", b"\\x03\\x04"], pa.binary(2))}), "observation")
    array([[1, 2],
           [3, 4]], dtype=uint8)
    """
    import pyarrow

    field = table.schema.field(name)
    chunks = table.column(name)
    parts = [_fixed_size(pyarrow, chunk) for chunk in getattr(chunks, "chunks", [chunks])]
    flat = np.concatenate(parts) if parts else np.zeros((0,))
    shape = json.loads((field.metadata or {}).get(b"shape", b"null"))
    return flat if shape is None else flat.reshape(len(flat), *shape)


def _fixed_size(pyarrow: Any, chunk: Any) -> NDArray[Any]:
    """Returns the values of an Arrow array as rows."""
    if pyarrow.types.is_fixed_size_binary(chunk.type):
        width = chunk.type.byte_width
        rows = np.frombuffer(chunk.buffers()[1], np.uint8)[chunk.offset * width :][: len(chunk) * width]
        return rows.reshape(len(chunk), width)
    if pyarrow.types.is_fixed_size_list(chunk.type):
        return np.asarray(chunk.flatten()).reshape(len(chunk), chunk.type.list_size)
    return np.asarray(chunk.to_numpy(zero_copy_only=False))


def mask_jax(packed: Any, num_actions: int) -> Any:
    """Unpacks a mask to booleans in JAX. Can be traced."""
    import jax.numpy as jnp

    bits = jnp.unpackbits(packed, axis=-1, count=num_actions, bitorder="little")
    return bits.astype(jnp.bool_)


def observation_jax(packed: Any, scalars: Any, env: Described) -> Any:
    """Unpacks an observation to floats in JAX. Can be traced."""
    import jax.numpy as jnp

    return _unpacked(jnp, packed, scalars, env)


def mask_torch(packed: Any, num_actions: int) -> Any:
    """Unpacks a mask to booleans in PyTorch."""
    return _bits_torch(packed).flatten(-2)[..., :num_actions].bool()


def observation_torch(packed: Any, scalars: Any, env: Described) -> Any:
    """Unpacks an observation to floats in PyTorch."""
    import torch

    rows, columns, _ = env.observation_shape
    bits = _bits_torch(packed.reshape(*packed.shape[:-1], rows, -1)).flatten(-2)
    planes = bits[..., :columns].float().movedim(-3, -1)
    both = planes
    if _has(env, "scalar"):
        numbers = scalars[..., None, None, :]
        both = torch.cat([both, numbers.expand(*planes.shape[:-1], numbers.shape[-1])], dim=-1)
    if _has(env, "numbers"):
        both = torch.cat([both, torch.zeros_like(planes[..., :1])], dim=-1)
    return both[..., torch.as_tensor(_order(env), device=both.device)]


def _bits_torch(packed: Any) -> Any:
    import torch

    shifts = torch.arange(8, dtype=torch.uint8, device=packed.device)
    return (packed[..., None] >> shifts) & 1


def _unpacked(xp: Any, packed: Any, scalars: Any, env: Described) -> Any:
    """Unpacks planes and combines them with scalars (…, S) into channels, in their order."""
    rows, columns, _ = env.observation_shape
    bits = xp.unpackbits(packed.reshape(*packed.shape[:-1], rows, -1), axis=-1, count=columns, bitorder="little")
    planes = xp.moveaxis(bits.astype(xp.float32), -3, -1)
    parts = [planes]
    if _has(env, "scalar"):
        numbers = scalars[..., None, None, :]
        parts.append(xp.broadcast_to(numbers, (*planes.shape[:-1], numbers.shape[-1])))
    if _has(env, "numbers"):
        parts.append(xp.zeros_like(planes[..., :1]))
    both = xp.concatenate(parts, axis=-1) if len(parts) > 1 else planes
    return both[..., xp.asarray(_order(env))]


def _has(env: Described, wanted: str) -> bool:
    return any(kind == wanted for kind, _ in env.channels)


def _order(env: Described) -> NDArray[np.int64]:
    """Returns the index of each channel in the concatenation of planes and scalars."""
    planes = sum(kind == "plane" for kind, _ in env.channels)
    scalars = sum(kind == "scalar" for kind, _ in env.channels)
    first = {"plane": 0, "scalar": planes, "numbers": planes + scalars}
    return np.array([first[kind] + index for kind, index in env.channels])
