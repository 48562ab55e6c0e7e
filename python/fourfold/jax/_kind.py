"""What the states of an environment are made of: names, shapes and types of their arrays."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from fourfold import _layout
from fourfold._state import MaskFormat, ObservationFormat, Spec

Array = tuple[str, tuple[int, ...], Any]
"""The name, the shape for one game and the type of an array."""

_FIELDS = {
    "mask_bools": "legal_action_mask",
    "mask_bits": "legal_action_mask",
    "mask_counts": "_num_legal",
    "mask_indices": "_legal_actions",
    "scalars": "_numbers",
    "float": "observation",
    "half": "observation",
    "bytes": "observation",
    "packed": "observation",
}
"""The fields of a state for the arrays of masks and observations."""

_PUBLIC = ("rewards", "terminated", "truncated", "current_player")
"""The results that are fields of a state under their own names. Pgx has no others."""


@dataclasses.dataclass(frozen=True, eq=False)
class Kind:
    """A game with its options, and the formats of masks and observations. Environments of the same kind can step
    each other's states."""

    text: str
    """Describes it completely: lines of a name, a tab and a value; the options of the game after a colon."""
    game: str
    spec: Spec
    observation: ObservationFormat
    mask: MaskFormat
    slots: int
    row_bytes: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kind) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<{self.spec['id']}>"

    @property
    def options(self) -> dict[str, str]:
        """The options of the game, as text."""
        return dict(line[1:].split("\t", 1) for line in self.text.splitlines() if line.startswith(":"))

    @property
    def rows(self) -> tuple[int, ...]:
        """The leading dimensions of actions, masks and observations: the players in simultaneous games."""
        return (self.spec["players"],) if self.spec["simultaneous"] else ()

    def arrays(self) -> list[Array]:
        """Returns the arrays of a state, in the order in which native functions return them."""
        status = _layout.status_layout(1, self.spec["players"], self.spec["simultaneous"])
        results = [(name if name in _PUBLIC else f"_{name}", shape[1:], kind) for name, (shape, kind) in status.items()]
        steps: Array = ("_step_count", (), np.int32)
        return [("_bytes", (self.row_bytes,), np.uint8), *results, steps, *self.masks(), *self.observations(self.rows)]

    def masks(self) -> list[Array]:
        """Returns the arrays of masks."""
        layout = _layout.mask_layout({**self.spec, "max_legal": self.slots}, self.mask, self.rows)
        return [(_FIELDS[name], shape, kind) for name, (shape, kind) in layout.items()]

    def observations(self, rows: tuple[int, ...]) -> list[Array]:
        """Returns the arrays of observations, with ``rows`` as their leading dimensions."""
        layout = _layout.observation_layout(self.spec, self.observation, rows)
        return [(_FIELDS[name], shape, kind) for name, (shape, kind) in layout.items()]

    def split_numbers(self, numbers: Any) -> tuple[Any, Any]:
        """Returns the scalars of a state, and the array that some games have besides: pieces or tokens."""
        array, count = self.spec["scalar_array"], self.spec["scalars"]
        if numbers is None or array is None:
            return numbers, None
        if count == 0:
            return None, numbers
        size = math.prod(array[1])
        values = numbers[..., :size].reshape(*numbers.shape[:-1], *array[1])
        return (numbers[..., size:] if self.observation in ("packed", "uint8") else None), values
