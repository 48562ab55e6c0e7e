"""Conversions of actions: to other players' views, to the ids of other packages, and to text."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks, _core


class ActionConversions:
    """The conversions of an environment's actions."""

    _batch: _core.Batch
    _lock: threading.RLock

    @property
    def _action_shape(self) -> tuple[int, ...]:
        """One action per game, or per player of each game in simultaneous games."""
        raise NotImplementedError

    def absolute(self, ids: Any) -> NDArray[np.int32]:
        """Converts ids from the view of the acting players to the view of the first player."""
        return self._converted("ids", ids, self._batch.absolute)

    def relative(self, ids: Any) -> NDArray[np.int32]:
        """Converts ids from the view of the first player to the view of the acting players."""
        return self._converted("ids", ids, self._batch.relative)

    def _converted(self, name: str, ids: Any, convert: Callable[[NDArray[np.int32]], None]) -> NDArray[np.int32]:
        converted = _checks.integers(name, ids, self._action_shape).copy()
        with self._lock:
            convert(converted.reshape(-1))
        return converted

    def to_dialect(self, dialect: str, actions: Any) -> NDArray[np.int32]:
        """Converts actions to the ids of ``open_spiel``, ``pettingzoo`` or ``leela``; −1 where there is none."""
        return self._converted("actions", actions, partial(self._batch.write_dialect, dialect))

    def from_dialect(self, dialect: str, ids: Any) -> NDArray[np.int32]:
        """Converts another package's ids to our actions; −1 where they are not legal."""
        return self._converted("ids", ids, partial(self._batch.read_dialect, dialect))

    def moves(self, actions: Any) -> list[str]:
        """Converts actions to text, in UCI notation for chess. Simultaneous games have one move per player:
        those of the first game, then those of the next one.

        >>> import fourfold
        >>> env = fourfold.make("chess", num_envs=2)
        >>> env.moves([2426, 2425])
        ['e2e4', 'e2e3']
        """
        given = _checks.integers("actions", actions, self._action_shape)
        with self._lock:
            return self._batch.write_actions(given.reshape(-1))

    def actions(self, moves: Sequence[str]) -> NDArray[np.int32]:
        """Converts moves as text to actions, one per game. Simultaneous games have one move per player:
        those of the first game, then those of the next one.

        >>> import fourfold
        >>> fourfold.make("chess", num_envs=2).actions(["e4", "g1f3"])
        array([2426, 3572], dtype=int32)
        >>> fourfold.make("four_player").actions(["d2d4"])
        array([16129], dtype=int32)
        >>> fourfold.make("blokus_duo").actions(["e10,e9,f9"])
        array([1290], dtype=int32)
        """
        texts = _checks.texts("moves", moves)
        with self._lock:
            return np.array(self._batch.read_actions(texts), dtype=np.int32).reshape(self._action_shape)
