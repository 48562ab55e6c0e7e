"""States as values that JAX can compute with."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any, Literal

import jax

from fourfold.jax._kind import Kind


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class State:
    """The state of a game, or of many games after ``jax.vmap``: a pytree of arrays with the fields of Pgx.

    It is a value: stepping it returns another state and leaves it unchanged. What an environment does not have is
    None, such as ``tokens`` in chess.

    - ``current_player``: The player to move; −1 in simultaneous games.
    - ``observation``: The observation of the player to move, in the format chosen when the environment was made.
      In simultaneous games (players, …), one for each player.
    - ``rewards``: (players,): the rewards of the last step.
    - ``terminated``: Whether the game ended by the rules.
    - ``truncated``: Whether the game was truncated.
    - ``legal_action_mask``: The legal actions: booleans, or bits in the format ``packed``. All true in a finished
      game. In simultaneous games (players, …). A step checks the action by it.
    """

    current_player: Any
    observation: Any
    rewards: Any
    terminated: Any
    truncated: Any
    legal_action_mask: Any
    _step_count: Any
    _bytes: Any
    _scores: Any
    _alive: Any
    _winner: Any
    _ending: Any
    _move_valid: Any
    _order_refused: Any
    _legal_actions: Any
    _num_legal: Any
    _numbers: Any
    _kind: Kind

    @property
    def env_id(self) -> str:
        """The name of the game, such as ``chess``."""
        return self._kind.game

    @property
    def step_count(self) -> Any:
        """The number of steps since the start of the game."""
        return self._step_count

    @property
    def state_bytes(self) -> Any:
        """Everything that the next step depends on, as bytes. Equal bytes are equal states, but not the reverse: some
        games also keep values that only save time. ``env.to_numpy(state).states`` are without those."""
        return self._bytes

    @property
    def legal_actions(self) -> Any:
        """In the format ``sparse``: the first legal actions in ascending order, one for each slot, padded with −1.
        In a finished game, 0, 1, 2, …"""
        return self._legal_actions

    @property
    def num_legal(self) -> Any:
        """In the format ``sparse``: the number of legal actions, which may be larger than the number of slots; in a
        finished game, the number of slots."""
        return self._num_legal

    @property
    def scores(self) -> Any:
        """(players,): points, in games that have them."""
        return self._scores

    @property
    def alive(self) -> Any:
        """(players,): whether each player is still in the game."""
        return self._alive

    @property
    def winner(self) -> Any:
        """The winner; −1 if there is none."""
        return self._winner

    @property
    def ending(self) -> Any:
        """Why the game ended, as an index into ``env.endings``; −1 if it has not."""
        return self._ending

    @property
    def move_valid(self) -> Any:
        """Whether the last action was legal."""
        return self._move_valid

    @property
    def order_refused(self) -> Any:
        """(players,), in simultaneous games: whether the player's order was legal when the step began, but an earlier
        order of the same step made it illegal."""
        return self._order_refused

    @property
    def scalars(self) -> Any:
        """In the formats ``packed`` and ``uint8``: the channels that hold one number each."""
        return self._kind.split_numbers(self._numbers)[0]

    @property
    def pieces_left(self) -> Any:
        """Blokus: (colors, 21), 1 for each piece that a color has left, starting with the color of the observer."""
        return self._array("pieces_left")

    @property
    def tokens(self) -> Any:
        """Kung fu chess: (players, pieces, 6), the pieces as each player sees them."""
        return self._array("tokens")

    def replace(self, **fields: Any) -> State:
        """Returns a state with other values in some fields."""
        return dataclasses.replace(self, **fields)

    def to_svg(self, *, color_theme: Literal["light", "dark"] | None = None, scale: float | None = None) -> str:
        """Returns the game, or the first of many, as SVG."""
        from fourfold.jax._env import numpy_environment

        size = round(400 * (1.0 if scale is None else scale))
        return numpy_environment(self, 1).svg(theme=color_theme or "light", size=size)

    def save_svg(
        self, filename: str, *, color_theme: Literal["light", "dark"] | None = None, scale: float | None = None
    ) -> None:
        """Writes the game, or the first of many, to a file as SVG."""
        pathlib.Path(filename).write_text(self.to_svg(color_theme=color_theme, scale=scale), encoding="utf-8")

    def _repr_html_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        """Returns the shapes of the arrays, not their values."""
        arrays = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        shapes = (f"{name}={array.dtype}{list(array.shape)}" for name, array in arrays.items() if _has_shape(array))
        return f"<fourfold.jax.State of {self._kind.spec['id']}: {', '.join(shapes)}>"

    def _array(self, name: str) -> Any:
        array = self._kind.spec["scalar_array"]
        return None if array is None or array[0] != name else self._kind.split_numbers(self._numbers)[1]


def _has_shape(array: Any) -> bool:
    return hasattr(array, "shape") and hasattr(array, "dtype")


jax.tree_util.register_dataclass(
    State,
    data_fields=[field.name for field in dataclasses.fields(State) if field.name != "_kind"],
    meta_fields=["_kind"],
)
