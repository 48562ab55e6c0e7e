"""What training needs to know about each game: inputs and outputs of its network, and settings that work."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

import fourfold.jax
from fourfold import _core, unpack
from fourfold._blokus_arrays import grid_ids, symmetries
from fourfold._described import Described

Array = Any
"""An array of JAX."""


@dataclasses.dataclass(frozen=True)
class Policy:
    """How the logits of a network belong to actions: one for each cell and plane, and some without a cell."""

    planes: int
    """The number of logits of each cell."""
    extra: int
    """The number of logits that belong to no cell: for passing or waiting."""
    index: NDArray[np.int32]
    """(actions,): the index of the logit of each action: ``cell * planes + plane``, and then those without a cell."""


@dataclasses.dataclass(frozen=True)
class Mirror:
    """A symmetry of a game, which gives a second position to learn from."""

    flip: Callable[[Array], Array]
    """Maps cells (N, height, width, channels)."""
    actions: NDArray[np.int32]
    """(actions,): what becomes of each action."""
    broken_by: tuple[int, ...] = ()
    """The channels of the observation that must be 0: rights to castle."""


@dataclasses.dataclass(frozen=True)
class Defaults:
    """The settings of a game that differ from those of others."""

    slots: int
    """The number of legal actions that a search considers in a position: the likeliest ones."""
    max_steps: int
    """After this many steps, a game of self-play is over without a result."""
    opponents: tuple[str, ...]
    """The levels of bots that networks are evaluated against."""
    on_gpu: dict[str, int] = dataclasses.field(default_factory=dict)
    """Settings of a run on a GPU."""


@dataclasses.dataclass(frozen=True)
class Game:
    """A game that can be learned."""

    name: str
    options: dict[str, str | int]
    """The options of the environment in self-play, evaluation and matches."""
    observation: str
    """The format in which observations are kept."""
    channels: tuple[int, ...]
    """The channels of the observation that are inputs."""
    policy: Policy
    defaults: Defaults
    mirror: Mirror | None = None
    limit: str = "max_steps"
    """The option that ends a game of self-play."""
    ranks_at_limit: bool = False
    """Whether a game that the limit ends is ranked by points, so that there is something to learn before games end by
    themselves."""

    def environment(self, max_steps: int | None = None) -> fourfold.jax.Env:
        """Makes the environment, for self-play with a limit. Finished games stay as they are."""
        limit = {}
        if self.limit and max_steps is not None:
            limit = {self.limit: max_steps * int(self.options.get("interval", 1))}
        make: Callable[..., fourfold.jax.Env] = fourfold.jax.make
        return make(self.name, mask="sparse", observation=self.observation, **{**self.options, **limit})


def _chess() -> Policy:
    square, plane = np.divmod(np.arange(4672), 73)
    file, rank = np.divmod(square, 8)
    return Policy(73, 0, (((7 - rank) * 8 + file) * 73 + plane).astype(np.int32))


def _chess_mirror() -> Mirror:
    planes = _core.chess_planes()
    mirrored = [planes.index((-files, ranks, promotion)) for files, ranks, promotion in planes]
    square, plane = np.divmod(np.arange(4672), 73)
    file, rank = np.divmod(square, 8)
    actions = ((7 - file) * 8 + rank) * 73 + np.array(mirrored)[plane]
    return Mirror(lambda cells: cells[:, :, ::-1], actions.astype(np.int32), (114, 115, 116, 117))


def _duo_mirror() -> Mirror:
    # The start squares are on the diagonal about which the board is transposed.
    actions = symmetries(fourfold.make("blokus_duo"))[1].actions(np.arange(13730))
    return Mirror(lambda cells: cells.swapaxes(1, 2), actions)


def _four_player() -> Policy:
    cells = [14 * row + column for row in range(14) for column in range(14) if 3 <= row < 11 or 3 <= column < 11]
    square, plane = np.divmod(np.arange(160 * 112), 112)
    return Policy(112, 0, (np.array(cells)[square] * 112 + plane).astype(np.int32))


def _blokus(size: int) -> Policy:
    ids = grid_ids(size).reshape(-1)
    places = np.flatnonzero(ids >= 0)
    orientation, cell = np.divmod(places, size * size)
    orientations = len(ids) // size**2
    # The last action is to pass, which has no cell.
    index = np.full(len(places) + 1, size**2 * orientations, np.int32)
    index[ids[places]] = cell * orientations + orientation
    return Policy(orientations, 1, index)


def _kung_fu() -> Policy:
    # An action is the square that a piece leaves times 64, plus its destination. The last one is to wait.
    return Policy(64, 1, np.arange(64 * 64 + 1, dtype=np.int32))


def _made() -> dict[str, Callable[[], Game]]:
    return {
        "chess": lambda: Game(
            "chess",
            {},
            "packed",
            # The present position, repetitions, castling rights and the halfmove clock: not the seven positions before.
            (*range(14), *range(114, 119)),
            _chess(),
            Defaults(128, 256, ("random", "greedy", "casual", "club")),
            _chess_mirror(),
        ),
        "four_player": lambda: Game(
            "four_player",
            {"reward": "rank"},
            "packed",
            tuple(range(48)),
            _four_player(),
            # Large boards fill a GPU with fewer games, and then a network is updated more often.
            Defaults(128, 300, ("random", "novice", "greedy"), on_gpu={"games": 1024, "updates": 8}),
            ranks_at_limit=True,
        ),
        "blokus_duo": lambda: Game(
            "blokus_duo",
            {},
            "packed",
            tuple(range(6)),
            _blokus(14),
            Defaults(128, 64, ("random", "greedy", "casual")),
            _duo_mirror(),
            limit="",
        ),
        "kung_fu": lambda: Game(
            "kung_fu",
            {"speed": "lightning", "interval": 6},
            "float16",
            tuple(range(36)),
            _kung_fu(),
            Defaults(64, 600, ("random", "novice")),
            limit="max_ticks",
        ),
    }


GAMES = tuple(_made())
"""The games that can be learned."""


def find(name: str) -> Game:
    """Returns a game. Raises ValueError if it cannot be learned."""
    made = _made()
    if name not in made:
        raise ValueError(f"expected one of {', '.join(made)}, got {name!r}")
    return made[name]()


@dataclasses.dataclass(frozen=True)
class Rules:
    """A game with its environment, as functions of many games at once."""

    game: Game
    env: fourfold.jax.Env

    @property
    def players(self) -> int:
        """The number of players."""
        return self.env.num_players

    @property
    def is_simultaneous(self) -> bool:
        """Whether all players act in every step."""
        return bool(self.env._kind.spec["simultaneous"])

    @property
    def rows(self) -> int:
        """The number of players who act in a step."""
        return self.players if self.is_simultaneous else 1

    @property
    def max_legal(self) -> int:
        """The most legal actions of a player."""
        return self.env._kind.slots

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and columns of the board."""
        height, width, _ = self.env._kind.spec["observation"]
        return height, width

    @property
    def scalars(self) -> int:
        """The number of inputs that belong to no cell."""
        pieces = jax.eval_shape(self.env.init, jax.random.key(0)).pieces_left
        return 0 if pieces is None else int(np.prod(pieces.shape))

    def start(self, keys: Array) -> fourfold.jax.State:
        """Starts a game for each key."""
        return cast(fourfold.jax.State, jax.vmap(self.env.init)(keys))

    def kept(self, state: fourfold.jax.State) -> Any:
        """Returns what a search keeps of states: their bytes (B, bytes)."""
        return state._bytes

    def step(self, rows: Array, lists: Array, actions: Array) -> fourfold.jax.State:
        """Plays actions (B, rows) in games given by their bytes, if they are among the legal ones (B, rows, slots)."""
        padded = jnp.pad(lists, ((0, 0), (0, 0), (0, self.max_legal - lists.shape[-1])), constant_values=-1)
        fields = {"_bytes": rows, "_legal_actions": padded, "_num_legal": (padded >= 0).sum(-1, dtype=jnp.int32)}
        if not self.is_simultaneous:
            fields = {**fields, **{name: fields[name][:, 0] for name in ("_legal_actions", "_num_legal")}}
            actions = actions[:, 0]
        state = fourfold.jax.State(**{**_NOTHING, **fields}, _kind=self.env._kind)
        after = cast(fourfold.jax.State, jax.vmap(self.env.step)(state, actions))
        if not self.game.ranks_at_limit:
            return after
        ranked = jnp.where(after.truncated[:, None], ranks(after.scores), after.rewards)
        return after.replace(rewards=ranked)

    def legal(self, state: fourfold.jax.State) -> Array:
        """Returns the legal actions (B, rows, most), padded with −1."""
        return state.legal_actions.reshape(-1, self.rows, self.max_legal)

    def acting(self, state: fourfold.jax.State) -> Array:
        """Returns the players who act (B, rows)."""
        if self.is_simultaneous:
            return jnp.broadcast_to(jnp.arange(self.players), (len(state.current_player), self.players))
        # A finished game has no player to move.
        return jnp.maximum(state.current_player, 0)[:, None]

    def observed(self, state: fourfold.jax.State) -> dict[str, Array]:
        """Returns what the players who act observe, in the format in which it is kept: arrays (B, rows, …)."""
        count = len(state.current_player)
        found = {"observation": state.observation.reshape(count, self.rows, *self.env.observation_shape)}
        if self.game.observation == "packed":
            found["numbers"] = state._numbers.reshape(count, self.rows, -1)
        return found

    def inputs(self, observed: dict[str, Array]) -> tuple[Array, Array]:
        """Converts what was observed (N, …) to the inputs of a network: cells (N, height, width, channels + 1), whose last
        channel is 1 to show the edge of the board, and scalars (N, S)."""
        planes, scalars = observed["observation"], jnp.zeros((len(observed["observation"]), 0))
        if self.game.observation == "packed":
            numbers = observed["numbers"]
            if self.scalars:
                scalars, numbers = numbers, None
            described = Described()
            described._spec = self.env._kind.spec
            planes = unpack.observation_jax(planes, numbers, described)
        planes = planes[..., np.array(self.game.channels)]
        return jnp.concatenate([planes, jnp.ones_like(planes[..., :1])], -1), scalars

    def mirrored(self, cells: Array, actions: Array, wanted: Array) -> tuple[Array, Array]:
        """Mirrors inputs (N, height, width, channels + 1) and actions (N, slots) where it is wanted (N,) and the position
        allows it."""
        mirror = self.game.mirror
        if mirror is None:
            return cells, actions
        broken = [self.game.channels.index(channel) for channel in mirror.broken_by]
        wanted = wanted & (cells[:, 0, 0, np.array(broken, int)] == 0).all(-1)
        # Empty slots stay as they are.
        known = jnp.clip(actions, 0, len(mirror.actions) - 1)
        moved = jnp.where(actions == known, jnp.asarray(mirror.actions)[known], actions)
        flipped = jnp.where(wanted[:, None, None, None], mirror.flip(cells), cells)
        return flipped, jnp.where(wanted[:, None], moved, actions)


def ranks(points: Array) -> Array:
    """Returns the rewards of ranks by points (B, players): from 1 for the first to −1 for the last; tied players get the
    mean of their ranks.

    >>> ranks(np.array([[5, 9, 5, 0]])).tolist()
    [[0.0, 1.0, 0.0, -1.0]]
    """
    below = (points[:, :, None] > points[:, None, :]).sum(-1)
    above = (points[:, :, None] < points[:, None, :]).sum(-1)
    return (below - above).astype(jnp.float32) / (points.shape[-1] - 1)


_NOTHING = {field.name: None for field in dataclasses.fields(fourfold.jax.State) if field.name != "_kind"}
"""A state without arrays."""
