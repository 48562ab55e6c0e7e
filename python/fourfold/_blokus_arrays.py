"""Arrays of Blokus: symmetries, the grid form, the cells of every id."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks, _core, expand
from fourfold._env import Environment

ORIENTATIONS = 91


@dataclasses.dataclass(frozen=True, slots=True)
class Symmetry:
    """A way to lay games on the board anew, with other colours. Made by :func:`symmetries`."""

    name: str
    colors: tuple[int, ...]
    """What each colour becomes."""
    players: tuple[int, ...]
    """Whose place each player takes."""
    _actions: NDArray[np.int32]
    _squares: NDArray[np.int32]
    _channels: NDArray[np.int32]
    _shown: NDArray[np.int32]

    def actions(self, ids: Any) -> NDArray[np.int32]:
        """What actions become; the −1 that fills up sparse masks stays."""
        given = _checks.integers("ids", ids)
        count = len(self._actions)
        if given.size > 0 and not (given.min() >= -1 and given.max() < count):
            wrong = given[(given < -1) | (given >= count)].flat[0]
            raise ValueError(f"ids hold {wrong}, which is not from 0 to {count - 1}")
        return np.where(given < 0, np.int32(-1), self._actions[given])

    def mask(self, mask: NDArray[Any]) -> NDArray[Any]:
        """What masks become: booleans (…, actions), or bits."""
        count = len(self._actions)
        if mask.dtype == np.uint8 and mask.shape[-1] == -(-count // 8):
            moved = _moved(expand.mask(mask, count), self._actions)
            return np.packbits(moved, axis=-1, bitorder="little")
        if mask.shape[-1] != count:
            raise ValueError(f"mask has {mask.shape[-1]} actions, not {count}")
        return _moved(mask, self._actions)

    def observation(self, observation: NDArray[Any]) -> NDArray[Any]:
        """What observations become: (…, rows, columns, channels), or packed planes (…, channels, bytes)."""
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
        raise ValueError(f"observation has shape {shape}, which is no form of this game's")

    def pieces_left(self, pieces_left: NDArray[Any]) -> NDArray[Any]:
        """What ``state.pieces_left`` becomes."""
        return _moved(pieces_left.swapaxes(-1, -2), self._shown).swapaxes(-1, -2)

    def rewards(self, rewards: NDArray[Any]) -> NDArray[Any]:
        """What rewards, or anything else with one number for each player, become."""
        return _moved(rewards, np.array(self.players, dtype=np.int32))


def _moved(values: NDArray[Any], to: NDArray[np.int32]) -> NDArray[Any]:
    """The last axis, with every value moved to its new place."""
    if values.shape[-1] != len(to):
        raise ValueError(f"the last axis has {values.shape[-1]} values, not {len(to)}")
    moved = np.empty_like(values)
    moved[..., to] = values
    return moved


def symmetries(env: Environment) -> list[Symmetry]:
    """All symmetries of a game of Blokus, with the maps for an environment's arrays.

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
    """The id of every place of the grid form (91, size, size), −1 where a piece would leave the board.

    >>> grid_ids(20).shape, int(grid_ids(20).max()), int((grid_ids(14) >= 0).sum())
    ((91, 20, 20), 30432, 13729)
    """
    number = _checks.whole("size", size, 1, 22)
    ids = np.array(_core.blokus_grid(number), dtype=np.int32).reshape(ORIENTATIONS, number, number)
    ids.flags.writeable = False
    return ids


def to_grid(mask: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """A mask of booleans (…, actions) in the grid form (…, 91, size, size); without the pass.

    >>> import fourfold
    >>> state = fourfold.make("blokus").reset(seed=0)
    >>> grid = to_grid(state.legal_action_mask, 20)
    >>> grid.shape, int(grid.sum()), bool((from_grid(grid) == state.legal_action_mask).all())
    ((1, 91, 20, 20), 58, True)
    """
    ids = grid_ids(size)
    actions = int(ids.max()) + 2
    if mask.shape[-1] != actions:
        raise ValueError(f"mask has {mask.shape[-1]} actions, not {actions}")
    grid: NDArray[np.bool_] = mask[..., ids] & (ids >= 0)
    return grid


def from_grid(grid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask of a grid: the pass is legal where everything is."""
    shape = grid.shape[-3:]
    if len(shape) != 3 or shape[0] != ORIENTATIONS or shape[1] != shape[2]:
        raise ValueError(f"grid has shape {grid.shape}, not (…, {ORIENTATIONS}, N, N)")
    ids = grid_ids(shape[1])
    placements: NDArray[np.bool_] = grid[..., ids >= 0]
    # One cell: its only placement is legal while the game goes on.
    passes = placements.all(axis=-1, keepdims=True) & (shape[1] > 1)
    return np.concatenate([placements, passes], axis=-1)


@functools.cache
def cells(size: int) -> list[tuple[tuple[int, int], ...]]:
    """The cells of every placement on a board, as rows and columns from the top left, by id.

    >>> cells(20)[1880]
    ((0, 0), (0, 1), (1, 0))
    """
    found = _core.blokus_cells(_checks.whole("size", size, 1, 22))
    return [tuple(placement) for placement in found]
