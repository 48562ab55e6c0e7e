"""What environments tell: how a batch stands, and what came of many games."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from fourfold import _pictures

ObservationForm = Literal["float32", "float16", "uint8", "packed", "none"]
MaskForm = Literal["bool", "packed", "sparse", "none"]
Autoreset = Literal["same_step", "next_step", "off"]
Illegal = Literal["error", "lose", "ignore"]


class Spec(TypedDict):
    """The sizes of a game, as the native half tells them."""

    id: str
    players: int
    actions: int
    max_legal: int
    simultaneous: bool
    observation: tuple[int, int, int]
    planes: tuple[int, int]
    scalars: int
    beside: tuple[str, list[int]] | None
    channels: list[tuple[str, int]]
    endings: list[str]
    illegal: Illegal
    arrays: list[tuple[str, list[int]]]


@dataclasses.dataclass(frozen=True, slots=True)
class State:
    """How a batch stands: arrays with one row for each game.

    Arrays are never changed once they are handed out, as long as anybody holds them.
    """

    observation: NDArray[Any] | None
    """What the acting player sees; its form was chosen when the environment was made. Where all act,
    (B, players, …): what each of them sees."""
    scalars: NDArray[np.float32] | None
    """The channels that hold one number each, in the forms ``packed`` and ``uint8``."""
    pieces_left: NDArray[np.float32] | None
    """Blokus, in every form: (B, colours, 21), 1 for each piece that a colour has left, the viewer's
    own colour first."""
    tokens: NDArray[np.float32] | None
    """Kung fu chess, in every form: (B, players, pieces, 6), as each player sees the pieces: type, seat,
    from, to, ticks since the start, ticks of rest left."""
    legal_action_mask: NDArray[Any] | None
    """Which actions are legal: booleans, or bits in the form ``packed``. All true in a finished game.
    Where all act, (B, players, …)."""
    legal_action_counts: NDArray[np.int32] | None
    """How many actions are listed, in the form ``sparse``."""
    legal_actions: NDArray[np.int32] | None
    """Which ones, followed by −1, in the form ``sparse``. In a finished game all actions are allowed,
    more than there is room for: the row is filled with the first of them, 0, 1, 2, …"""
    rewards: NDArray[np.float32]
    """(B, players): what each player got in the last step."""
    terminated: NDArray[np.bool_]
    """Whether the rules have ended the game."""
    truncated: NDArray[np.bool_]
    """Whether the game was cut off."""
    current_player: NDArray[np.int32]
    """Who acts next; −1 if all do."""
    alive: NDArray[np.bool_]
    """(B, players): who is still in the game."""
    scores: NDArray[np.float32]
    """(B, players): points, in games that have them."""
    winner: NDArray[np.int32]
    """Who has won; −1 for nobody."""
    ending: NDArray[np.int32]
    """Why the game ended, an index into ``env.endings``; −1 if it has not."""
    move_valid: NDArray[np.bool_]
    """Whether the last action was legal."""
    final_observation: NDArray[Any] | None
    """With autoreset in the same step: the last observations of the games that have just ended, zero
    in all other rows. None if no game has ended."""
    final_scalars: NDArray[np.float32] | None
    """The scalars that belong to ``final_observation``."""
    final_pieces_left: NDArray[np.float32] | None
    """The pieces that belong to ``final_observation``."""
    final_tokens: NDArray[np.float32] | None
    """The tokens that belong to ``final_observation``."""
    order_refused: NDArray[np.bool_] | None = None
    """(B, players), where all act: whose order was legal when the step began, and refused when its turn
    came."""
    _numbers: NDArray[np.float32] | None = None
    """Tokens and scalars in one array, where there are both."""

    def _repr_html_(self) -> str:
        """What notebooks show: every array with its shape, and short ones with what is in them."""
        rows = []
        for field in dataclasses.fields(self):
            array = getattr(self, field.name)
            if array is None or field.name.startswith("_"):
                continue
            shape = " × ".join(map(str, array.shape))
            few = np.array2string(array, threshold=16, edgeitems=4) if array.ndim == 1 else ""
            rows.append((field.name, f"{array.dtype} {shape}", few))
        return _pictures.table(f"{len(self.terminated)} games", rows)


@dataclasses.dataclass(frozen=True, slots=True)
class Rollout:
    """What came of many games."""

    games: int
    steps: int
    wins: tuple[int, ...]
    truncated: int
    endings: dict[str, int]

    @property
    def draws(self) -> int:
        """Games that nobody won, those that were cut off included."""
        return self.games - sum(self.wins)
