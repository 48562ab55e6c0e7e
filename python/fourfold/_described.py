"""What environments on every device have: sizes and names."""

from __future__ import annotations

import copy
from typing import Any

from fourfold._state import Spec


class Described:
    """The sizes and names of an environment."""

    _spec: Spec
    _num_envs: int
    _config: dict[str, Any]

    @property
    def id(self) -> str:
        """The name and version, such as ``chess-v2``; the version changes whenever the behavior does."""
        return self._spec["id"]

    @property
    def num_envs(self) -> int:
        """The number of games."""
        return self._num_envs

    @property
    def num_players(self) -> int:
        """The number of players per game."""
        return self._spec["players"]

    @property
    def num_actions(self) -> int:
        """The number of action ids."""
        return self._spec["actions"]

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """The rows, columns and channels of an unpacked observation."""
        return self._spec["observation"]

    @property
    def endings(self) -> list[str]:
        """The reasons why games can end."""
        return list(self._spec["endings"])

    @property
    def channels(self) -> list[tuple[str, int]]:
        """For each channel, its kind, such as ``plane`` or ``scalar``, and its index among those."""
        return list(self._spec["channels"])

    @property
    def stream_offset(self) -> int:
        """What is added to the index of a game to select its random stream."""
        # Environments that were pickled by earlier versions do not have it.
        return int(self._config.get("stream_offset", 0))

    @property
    def config(self) -> dict[str, Any]:
        """The arguments that the environment was made with."""
        return copy.deepcopy(self._config)

    @property
    def arrays(self) -> list[str]:
        """The names that ``array`` accepts."""
        return [name for name, _ in self._spec["arrays"]]

    @property
    def state_bytes(self) -> int:
        """The size of a state in bytes."""
        return self._spec["state_bytes"]

    @property
    def _action_shape(self) -> tuple[int, ...]:
        if self._spec["simultaneous"]:
            return (self._num_envs, self.num_players)
        return (self._num_envs,)


def not_on_cpu(env: Any) -> TypeError:
    """Returns the error for an argument that is not an environment on the CPU."""
    hint = ": to_cpu() makes a copy" if isinstance(env, Described) else ""
    return TypeError(f"expected an Environment, got {type(env).__name__}{hint}")
