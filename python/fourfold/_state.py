"""What environments return: the state of a batch, and the statistics of whole games."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from fourfold import _pictures

ObservationFormat = Literal["float32", "float16", "uint8", "packed", "none"]
AnyObservationFormat = Literal["float32", "float16", "bfloat16", "uint8", "packed", "none"]
"""The formats of observations on GPUs."""
MaskFormat = Literal["bool", "packed", "sparse", "none"]
Autoreset = Literal["same_step", "next_step", "disabled"]
Illegal = Literal["error", "lose", "ignore"]
FinalFormat = Literal["rows", "padded"]


class Spec(TypedDict):
    """The sizes and names that describe a game, as the native module reports them."""

    id: str
    players: int
    actions: int
    max_legal: int
    simultaneous: bool
    observation: tuple[int, int, int]
    planes: tuple[int, int]
    scalars: int
    scalar_array: tuple[str, list[int]] | None
    channels: list[tuple[str, int]]
    endings: list[str]
    illegal: Illegal
    arrays: list[tuple[str, list[int]]]
    state_bytes: int


@dataclasses.dataclass(slots=True, eq=False, repr=False)
class State:
    """The state of a batch: arrays with one row per game. Arrays never change as long as they are referenced.

    What an environment does not have is None, such as ``tokens`` in chess, or ``observation`` if it was made with
    ``observation="none"``. The types leave this out, since it is the same for all states of an environment.

    - ``observation``: The observation of the player to move, in the format chosen when the environment was made.
      In simultaneous games (B, players, …), one for each player.
    - ``scalars``: In the formats ``packed`` and ``uint8``: the channels that hold one number each.
    - ``pieces_left``: Blokus, in every format: (B, colors, 21), 1 for each piece that a color has left, starting
      with the color of the observing player.
    - ``tokens``: Kung fu chess, in every format: (B, players, pieces, 6), the pieces as each player sees them:
      type, player, from, to, ticks since the start of the move, ticks of rest left.
    - ``legal_action_mask``: The legal actions: booleans, or bits in the format ``packed``. All true in a finished
      game. In simultaneous games (B, players, …).
    - ``legal_action_counts``: In the format ``sparse``: the number of actions listed.
    - ``legal_actions``: In the format ``sparse``: the legal actions, padded with −1. In a finished game all
      actions are legal, which may be more than fit: the row is then filled with the first of them, 0, 1, 2, …
    - ``rewards``: (B, players): the rewards of the last step.
    - ``terminated``: Whether the game ended by the rules.
    - ``truncated``: Whether the game was truncated.
    - ``current_player``: The player to move; −1 in simultaneous games.
    - ``alive``: (B, players): whether each player is still in the game.
    - ``scores``: (B, players): points, in games that have them.
    - ``winner``: The winner; −1 if there is none.
    - ``ending``: Why the game ended, as an index into ``env.endings``; −1 if it has not.
    - ``move_valid``: Whether the last action was legal.
    - ``final_observation``: With ``autoreset="same_step"``: the last observations of the games that have just
      ended, one row for each of ``final_games``; with ``final="padded"``, one row for each game, zero for those
      that go on. None if no game has ended.
    - ``final_scalars``: The scalars that belong to ``final_observation``.
    - ``final_pieces_left``: The pieces that belong to ``final_observation``.
    - ``final_tokens``: The tokens that belong to ``final_observation``.
    - ``final_games``: The games that ``final_observation`` belongs to, in ascending order. None if no game has
      ended.
    - ``order_refused``: (B, players), in simultaneous games: whether the player's order was legal when the step
      began, but an earlier order of the same step made it illegal.
    """

    observation: NDArray[Any]
    scalars: NDArray[np.float32]
    pieces_left: NDArray[np.float32]
    tokens: NDArray[np.float32]
    legal_action_mask: NDArray[Any]
    legal_action_counts: NDArray[np.int32]
    legal_actions: NDArray[np.int32]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    current_player: NDArray[np.int32]
    alive: NDArray[np.bool_]
    scores: NDArray[np.float32]
    winner: NDArray[np.int32]
    ending: NDArray[np.int32]
    move_valid: NDArray[np.bool_]
    final_observation: NDArray[Any] | None
    final_scalars: NDArray[np.float32] | None
    final_pieces_left: NDArray[np.float32] | None
    final_tokens: NDArray[np.float32] | None
    final_games: NDArray[np.int32] | None = None
    order_refused: NDArray[np.bool_] = None  # type: ignore[assignment]  # as said above
    # Tokens and scalars in one array, if there are both.
    _numbers: NDArray[np.float32] | None = None

    def __repr__(self) -> str:
        """Returns the number of games and the shapes of the arrays, not their values."""
        fields = (field.name for field in dataclasses.fields(self) if not field.name.startswith("_"))
        arrays = {name: getattr(self, name) for name in fields}
        shapes = ", ".join(
            f"{name}={array.dtype}{list(array.shape)}" for name, array in arrays.items() if array is not None
        )
        return f"<fourfold.State of {len(self.terminated)} games: {shapes}>"

    def _repr_html_(self) -> str:
        """Shows every array with its shape in notebooks, and one-dimensional ones with their values."""
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
    """The statistics of whole games."""

    games: int
    steps: int
    wins: tuple[int, ...]
    truncated: int
    endings: dict[str, int]

    @property
    def draws(self) -> int:
        """The number of games that nobody won, including truncated ones."""
        return self.games - sum(self.wins)
