"""Arrays for Blokus: symmetries, the grid format, and the cells of every id."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks, _core, unpack
from fourfold._env import Environment

ORIENTATIONS = 91


@dataclasses.dataclass(frozen=True, slots=True)
class Symmetry:
    """A transformation of the board and the colors that preserves legality and results. Made by
    :func:`symmetries`."""

    name: str
    colors: tuple[int, ...]
    """The color that each color is mapped to."""
    players: tuple[int, ...]
    """The player that each player is mapped to."""
    _actions: NDArray[np.int32]
    _squares: NDArray[np.int32]
    _channels: NDArray[np.int32]
    _shown: NDArray[np.int32]

    def actions(self, ids: Any) -> NDArray[np.int32]:
        """Maps action ids. The −1 that pads sparse masks is kept."""
        given = _checks.integers("ids", ids)
        count = len(self._actions)
        if given.size > 0 and not (given.min() >= -1 and given.max() < count):
            wrong = given[(given < -1) | (given >= count)].flat[0]
            raise ValueError(f"expected ids from 0 to {count - 1}, got {wrong}")
        return np.where(given < 0, np.int32(-1), self._actions[given])

    def mask(self, mask: NDArray[Any]) -> NDArray[Any]:
        """Maps masks: booleans (…, actions), or packed bits."""
        count = len(self._actions)
        if mask.dtype == np.uint8 and mask.shape[-1] == -(-count // 8):
            moved = _moved(unpack.mask(mask, count), self._actions)
            return np.packbits(moved, axis=-1, bitorder="little")
        if mask.shape[-1] != count:
            raise ValueError(f"expected a mask of {count} actions, got {mask.shape[-1]}")
        return _moved(mask, self._actions)

    def observation(self, observation: NDArray[Any]) -> NDArray[Any]:
        """Maps observations: (…, rows, columns, channels), or packed planes (…, channels, bytes)."""
        channels, size = len(self._channels), round(len(self._squares) ** 0.5)
        shape = observation.shape
        if shape[-3:] == (size, size, channels):
            flat = _moved(observation, self._channels).reshape(*shape[:-3], size * size, channels)
            return _moved(flat.swapaxes(-1, -2), self._squares).swapaxes(-1, -2).reshape(shape)
        row = -(-size // 8)
        if observation.dtype == np.uint8 and shape[-2:] == (channels, size * row):
            bits = np.unpackbits(observation.reshape(*shape[:-1], size, row), axis=-1, count=size, bitorder="little")
            moved = _moved(bits.reshape(*shape[:-1], size * size), self._squares)
            moved = _moved(moved.swapaxes(-1, -2), self._channels).swapaxes(-1, -2)
            rows = moved.reshape(*shape[:-1], size, size)
            return np.packbits(rows, axis=-1, bitorder="little").reshape(shape)
        raise ValueError(f"expected an observation of shape (…, {size}, {size}, {channels}), or packed, got {shape}")

    def pieces_left(self, pieces_left: NDArray[Any]) -> NDArray[Any]:
        """Maps ``state.pieces_left``."""
        return _moved(pieces_left.swapaxes(-1, -2), self._shown).swapaxes(-1, -2)

    def rewards(self, rewards: NDArray[Any]) -> NDArray[Any]:
        """Maps rewards, or any other array with one number per player."""
        return _moved(rewards, np.array(self.players, dtype=np.int32))


def _moved(values: NDArray[Any], to: NDArray[np.int32]) -> NDArray[Any]:
    """Permutes the last axis: the value at index i moves to index ``to[i]``."""
    if values.shape[-1] != len(to):
        raise ValueError(f"expected {len(to)} values on the last axis, got {values.shape[-1]}")
    moved = np.empty_like(values)
    moved[..., to] = values
    return moved


def symmetries(env: Environment) -> list[Symmetry]:
    """Returns all symmetries of a Blokus game, with the mappings for an environment's arrays.

    >>> import fourfold
    >>> [one.name for one in symmetries(fourfold.make("blokus_duo"))]
    ['identity', 'transpose', 'half turn', 'half turn and transpose']
    >>> env = fourfold.make("blokus_duo", 2)
    >>> state = env.reset(seed=0)
    >>> mirror = symmetries(env)[1]
    >>> more = mirror.observation(state.observation), mirror.mask(state.legal_action_mask)
    >>> env.moves(env.actions(["e10,e9"] * 2)), env.moves(mirror.actions(env.actions(["e10,e9"] * 2)))
    (['e9,e10', 'e9,e10'], ['e10,f10', 'e10,f10'])
    """
    array = functools.partial(np.array, dtype=np.int32)
    return [
        Symmetry(
            name=found["name"],
            colors=tuple(found["colors"]),
            players=tuple(found["players"]),
            _actions=array(found["actions"]),
            _squares=array(found["squares"]),
            _channels=array(found["channels"]),
            _shown=array(found["shown_colors"]),
        )
        for found in env._batch.symmetries()
    ]


@functools.cache
def grid_ids(size: int) -> NDArray[np.int32]:
    """Returns the id of every entry of the grid format (91, size, size), −1 where a piece would leave the board.

    >>> grid_ids(20).shape, int(grid_ids(20).max()), int((grid_ids(14) >= 0).sum())
    ((91, 20, 20), 30432, 13729)
    """
    number = _checks.integer("size", size, 1, 22)
    ids = np.array(_core.blokus_grid(number), dtype=np.int32).reshape(ORIENTATIONS, number, number)
    ids.flags.writeable = False
    return ids


def to_grid(mask: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """Converts a boolean mask (…, actions) to the grid format (…, 91, size, size), which has no pass.

    >>> import fourfold
    >>> state = fourfold.make("blokus").reset(seed=0)
    >>> grid = to_grid(state.legal_action_mask, 20)
    >>> grid.shape, int(grid.sum()), bool((from_grid(grid) == state.legal_action_mask).all())
    ((1, 91, 20, 20), 58, True)
    """
    ids = grid_ids(size)
    actions = int(ids.max()) + 2
    if mask.shape[-1] != actions:
        raise ValueError(f"expected a mask of {actions} actions, got {mask.shape[-1]}")
    grid: NDArray[np.bool_] = mask[..., ids] & (ids >= 0)
    return grid


def from_grid(grid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Converts a grid back to a mask. The pass is legal if all placements are, as in a finished game."""
    shape = grid.shape[-3:]
    if len(shape) != 3 or shape[0] != ORIENTATIONS or shape[1] != shape[2]:
        raise ValueError(f"expected a grid of shape (…, {ORIENTATIONS}, N, N), got {grid.shape}")
    ids = grid_ids(shape[1])
    placements: NDArray[np.bool_] = grid[..., ids >= 0]
    # On a 1×1 board, the only placement is legal even before the game is over.
    passes = placements.all(axis=-1, keepdims=True) & (shape[1] > 1)
    return np.concatenate([placements, passes], axis=-1)


@functools.cache
def cells(size: int) -> list[tuple[tuple[int, int], ...]]:
    """Returns the cells of every placement by id, as rows and columns from the top left.

    >>> cells(20)[1880]
    ((0, 0), (0, 1), (1, 0))
    """
    found = _core.blokus_cells(_checks.integer("size", size, 1, 22))
    return [tuple(placement) for placement in found]
