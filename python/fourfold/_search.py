"""Tree search over the games of an environment."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fourfold import _checks, _core, _deprecated, _layout, _threads
from fourfold._buffers import Arrays, Layout, Pool
from fourfold._described import not_on_cpu
from fourfold._env import Environment

Noise = Literal["none", "dirichlet", "gumbel"]
Evaluator = Literal["uniform", "rollout"]
ValueOrder = Literal["player", "own"]

_FORMER_NAMES = {
    "untried": "fpu",
    "simulations": "num_simulations",
    "c_init": "pb_c_init",
    "c_base": "pb_c_base",
    "alpha": "dirichlet_alpha",
    "fraction": "dirichlet_fraction",
    "considered": "max_num_considered_actions",
    "c_visit": "maxvisit_init",
    "c_scale": "value_scale",
}
"""Former names of arguments, also found in pickles. The current ones are those of mctx."""


@dataclasses.dataclass(frozen=True, slots=True)
class Leaves:
    """Positions to evaluate: arrays with one row per position.

    The formats are those of the environment. Arrays never change as long as they are referenced. With
    ``Search(pad=True)``, the arrays of all leaves have the same number of rows, and the rows after the first
    ``count`` are filler: observations are 0, ``game`` is −1, and the player and the legal actions are those of the
    first row, so that a softmax over legal actions is defined.

    As in :class:`State`, what the environment does not have is None, such as ``tokens`` in chess, or ``observation``
    if it was made with ``observation="none"``. The types leave this out, since it is the same for all leaves of a
    search.
    """

    observation: NDArray[Any]
    """The observation of the player to move. In simultaneous games (n, players, …), one for each player."""
    scalars: NDArray[np.float32]
    """In the formats ``packed`` and ``uint8``: the channels that hold one number each."""
    pieces_left: NDArray[np.float32]
    """Blokus, in every format: the pieces that each color has left."""
    tokens: NDArray[np.float32]
    """Kung fu chess, in every format: the pieces as each player sees them."""
    legal_action_mask: NDArray[Any]
    """The legal actions: booleans, or bits in the format ``packed``."""
    legal_action_counts: NDArray[np.int32]
    """In the format ``sparse``: the number of actions listed."""
    legal_actions: NDArray[np.int32]
    """In the format ``sparse``: the legal actions, padded with −1."""
    current_player: NDArray[np.int32]
    """The player to move; −1 in simultaneous games."""
    game: NDArray[np.int32]
    """The index of the game."""
    count: int
    """The number of positions, which is also ``len(leaves)``."""

    legal_mask = _deprecated.attribute("legal_mask", "legal_action_mask")
    legal_counts = _deprecated.attribute("legal_counts", "legal_action_counts")
    player = _deprecated.attribute("player", "current_player")

    def __len__(self) -> int:
        return self.count


@dataclasses.dataclass(frozen=True, slots=True)
class RootStats:
    """The legal actions of each game and their statistics: arrays (B, …), or (B, players, …) in simultaneous
    games. Rows are long enough for the most legal actions that any position has; the entries after the
    count are −1 in ``actions`` and 0 elsewhere."""

    counts: NDArray[np.int32]
    actions: NDArray[np.int32]
    visits: NDArray[np.int32]
    values: NDArray[np.float32]
    """The mean return of the player who takes the action."""
    priors: NDArray[np.float32]
    """The evaluator's prior, including noise."""
    weights: NDArray[np.float32]
    """The probability in the policy."""


@dataclasses.dataclass(frozen=True, slots=True)
class Memory:
    """The size of the trees."""

    nodes: int
    edges: int
    visited_edges: int
    """Edges that have statistics, because their node has children."""
    used: int
    """Bytes in use by nodes and edges."""
    bytes: int
    """Bytes allocated, including states and leaves."""
    node_bytes: int
    """Bytes of one node without its edges."""
    edge_bytes: int
    """Bytes of one edge."""
    visited_edge_bytes: int
    """Bytes of the statistics of one edge."""

    tried_edges = _deprecated.attribute("tried_edges", "visited_edges")
    tried_bytes = _deprecated.attribute("tried_bytes", "visited_edge_bytes")


class Search:
    """Tree search for the games of an environment, by PUCT with one value per player.

    The caller asks for leaves and evaluates them. With an evaluator that knows nothing:

    >>> import fourfold, numpy
    >>> env = fourfold.make("chess", num_envs=2)
    >>> fool = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    >>> state = env.reset(positions=[fool] * 2)
    >>> search = fourfold.Search(env, num_simulations=100)
    >>> while (leaves := search.leaves()) is not None:
    ...     n = len(leaves.observation)
    ...     search.backup(numpy.zeros((n, env.num_actions)), numpy.zeros((n, env.num_players)))
    >>> actions = search.actions(temperature=0.0)
    >>> env.moves(actions)
    ['d8h4', 'd8h4']
    >>> env.step(actions).winner
    array([1, 1], dtype=int32)

    After a step, the subtree of the new position is kept. A game whose position has changed in any other
    way starts with an empty tree. ``docs/search.md`` in the repository has more.

    ``num_simulations``: the number of simulations per game in one search, not counting the root's evaluation.
    ``pb_c_init``, ``pb_c_base``: the weight of priors is ``pb_c_init + log((visits + pb_c_base + 1) / pb_c_base)``.
    ``fpu``: the first-play urgency, which is the value of actions that have not been tried. By default it
    is the value of the position minus ``reduction`` times the square root of the total prior of the actions
    already tried.
    ``noise``: "none"; "dirichlet" with ``dirichlet_alpha`` and ``dirichlet_fraction``; "gumbel" with at
    most ``max_num_considered_actions`` actions at the root, ``gumbel_scale``, ``maxvisit_init`` and ``value_scale``.
    ``leaves_per_game``: the maximum number of leaves of one game in one call. The value of an action is
    reduced by ``virtual_loss`` times the fraction of its visits that are still in flight.
    ``discount``: the discount factor per step.
    ``values``: "player" if column p of the values is for player p; "own" if the first column is for the player
    to move and the others are for the following players.
    ``max_nodes``: the maximum number of nodes of a tree, by default twice as many as a search can add.
    ``keep_states``: whether nodes store their states. Otherwise actions are replayed from the root.
    ``pad``: whether all leaves have the same number of rows, ``num_envs`` times the maximum number of leaves of one
    game in one call, so that a compiled network is compiled only once. See :class:`Leaves`.
    ``num_threads``: by default that of the environment. Results depend on ``seed``, not on it.

    Ctrl-C interrupts a search and discards its trees. A pickled search includes its environment and options, but
    not its trees.
    """

    @_deprecated.arguments(names=_FORMER_NAMES, values={"values": {"seat": "player"}})
    def __init__(
        self,
        env: Environment,
        num_simulations: int = 200,
        *,
        pb_c_init: float = 1.25,
        pb_c_base: float = 19652.0,
        fpu: float | None = None,
        reduction: float = 0.0,
        noise: Noise = "none",
        dirichlet_alpha: float = 0.3,
        dirichlet_fraction: float = 0.25,
        max_num_considered_actions: int = 16,
        gumbel_scale: float = 1.0,
        maxvisit_init: float = 50.0,
        value_scale: float = 0.1,
        virtual_loss: float = 1.0,
        leaves_per_game: int = 1,
        discount: float = 1.0,
        values: ValueOrder = "player",
        max_nodes: int | None = None,
        keep_states: bool = False,
        pad: bool = False,
        seed: int | None = None,
        num_threads: int | None = None,
    ) -> None:
        if not isinstance(env, Environment):
            raise not_on_cpu(env)
        _checks.one_of("noise", noise, get_args(Noise))
        _checks.one_of("values", values, get_args(ValueOrder))
        for name, flag in (("keep_states", keep_states), ("pad", pad)):
            if not isinstance(flag, bool):
                raise TypeError(f"expected {name} to be True or False, got {flag!r}")
        threads = env.num_threads if num_threads is None else num_threads
        self._options: dict[str, Any] = {
            "num_simulations": _checks.integer("num_simulations", num_simulations, 1, 2**24),
            "pb_c_init": _checks.number("pb_c_init", pb_c_init),
            "pb_c_base": _checks.number("pb_c_base", pb_c_base),
            "fpu": None if fpu is None else _checks.number("fpu", fpu),
            "reduction": _checks.number("reduction", reduction),
            "noise": noise,
            "dirichlet_alpha": _checks.number("dirichlet_alpha", dirichlet_alpha),
            "dirichlet_fraction": _checks.number("dirichlet_fraction", dirichlet_fraction),
            "max_num_considered_actions": _checks.integer(
                "max_num_considered_actions", max_num_considered_actions, 1, 2**31
            ),
            "gumbel_scale": _checks.number("gumbel_scale", gumbel_scale),
            "maxvisit_init": _checks.number("maxvisit_init", maxvisit_init),
            "value_scale": _checks.number("value_scale", value_scale),
            "virtual_loss": _checks.number("virtual_loss", virtual_loss),
            "leaves_per_game": _checks.integer("leaves_per_game", leaves_per_game, 1, 2**16),
            "discount": _checks.number("discount", discount),
            "max_nodes": 0 if max_nodes is None else _checks.integer("max_nodes", max_nodes, 1, 2**31),
            "keep_states": keep_states,
            "seed": _checks.seed_or_entropy(seed),
            "num_threads": _checks.integer("num_threads", threads, 1, _threads.MAX_THREADS),
        }
        self._values: ValueOrder = values
        self._pad = pad
        self._begin(env)

    def _begin(self, env: Environment) -> None:
        self._env = env
        self._lock = threading.RLock()
        with env._lock:
            self._search = _core.Search(env._batch, self._options)
        most = env.num_envs * min(self._options["leaves_per_game"], self._options["num_simulations"])
        rows = (most, *env._action_shape[1:])
        about: Layout = {"current_player": ((most,), np.int32), "game": ((most,), np.int32)}
        masks = _layout.mask_layout(env._spec, env._mask, rows)
        observations = _layout.observation_layout(env._spec, env._observation, rows)
        self._pools = [Pool(layout, dict) for layout in (about, masks, observations)]
        self._pending: Leaves | None = None

    @property
    def env(self) -> Environment:
        """The environment whose games are searched."""
        return self._env

    # Search

    def leaves(self) -> Leaves | None:
        """Returns positions of all games to evaluate, or None when the search is done.

        The next call then begins another search. The tree of a game is kept if the game has not changed or
        has advanced by one step.
        """
        env = self._env
        with self._lock, env._lock:
            count = self._search.leaves(env._batch)
            if count == 0:
                self._pending = None
                return None
            rows = slice(None if self._pad else count)
            about, masks, observations = (
                {name: array[rows] for name, array in pool.take().arrays.items()} for pool in self._pools
            )
            self._search.write_outputs(
                about["game"][:count],
                _core.ResultBuffers({"current_player": about["current_player"][:count]}),
                _core.MaskBuffers(_layout.flat(masks, count)),
                _core.ObservationBuffers(_layout.flat(observations, count)),
            )
            if self._pad:
                _fill(count, about, masks, observations)
            shown = _layout.fields(env._spec, env._observation, observations)
            del shown["_numbers"]
            self._pending = Leaves(**about, **_layout.mask_fields(masks), **shown, count=count)
            return self._pending

    def backup(self, logits: Any, values: Any) -> None:
        """Adds the evaluations of the leaves that were returned last, in their order.

        ``logits`` are (n, actions), or (n, players, actions) in simultaneous games; those of illegal actions
        are ignored. With the mask ``sparse`` they may instead be in the order of ``leaves.legal_actions``.
        ``values`` are (n, players): the expected return of each player from the leaf on. With ``pad=True``, n is
        the number of rows including filler, which is ignored. Arrays may be of any type of floats, including
        bfloat16.

        >>> import fourfold, numpy
        >>> env = fourfold.make("chess", num_envs=2)
        >>> search = fourfold.Search(env, num_simulations=8, leaves_per_game=4, pad=True)
        >>> while (leaves := search.leaves()) is not None:
        ...     search.backup(numpy.zeros((8, env.num_actions)), numpy.zeros((8, env.num_players)))
        """
        env = self._env
        with self._lock:
            if self._pending is None:
                raise RuntimeError("no leaves are awaiting evaluation: call leaves first")
            count, size = self._pending.count, len(self._pending.game)
            given = _checks.floats("logits", logits)
            rows = (size, *env._action_shape[1:])
            shapes = [(*rows, env.num_actions)]
            if env._mask == "sparse":
                shapes.append((*rows, env._spec["max_legal"]))
            if given.shape not in shapes:
                wanted = " or ".join(map(str, shapes))
                raise ValueError(f"expected logits to have shape {wanted}, got {given.shape}")
            returns = _checks.floats("values", values)
            if returns.shape != (size, env.num_players):
                raise ValueError(f"expected values to have shape {(size, env.num_players)}, got {returns.shape}")
            if self._values == "own" and not env._spec["simultaneous"]:
                columns = np.arange(env.num_players) - self._pending.current_player[:, None]
                returns = np.ascontiguousarray(np.take_along_axis(returns, columns % env.num_players, axis=1))
            listed = given.shape != shapes[0]
            self._search.backup(given[:count].reshape(-1), listed, returns[:count].reshape(-1))
            self._pending = None

    def run(
        self,
        evaluator: Evaluator = "uniform",
        *,
        value: float = 0.0,
        playouts: int = 1,
        max_steps: int = 1000,
    ) -> None:
        """Runs a whole search with a built-in evaluator, without returning to Python.

        "uniform": all actions have equal priors, and every position has the same ``value`` for every player.
        "rollout": all actions have equal priors, and the value of a position is the mean return of
        ``playouts`` random games from there, of at most ``max_steps`` steps each.

        >>> import fourfold
        >>> env = fourfold.make("blokus_duo")
        >>> search = fourfold.Search(env, num_simulations=8, noise="gumbel")
        >>> search.run("rollout")
        >>> round(float(search.policy().sum()), 3), search.values().shape, search.visits()
        (1.0, (1, 2), array([9], dtype=int32))
        """
        _checks.one_of("evaluator", evaluator, get_args(Evaluator))
        constant = _checks.number("value", value)
        count = _checks.integer("playouts", playouts, 1, 2**20)
        steps = _checks.integer("max_steps", max_steps, 1, 2**31)
        with self._lock, self._env._lock:
            self._search.run(self._env._batch, evaluator, constant, count, steps)

    # Results

    def actions(self, temperature: float = 1.0) -> NDArray[np.int32]:
        """Chooses an action for each game, or for each player in simultaneous games: drawn by visits, or the
        most visited one at temperature 0. With Gumbel noise it is the winner of sequential halving, at any
        temperature. In a finished game it is 0."""
        heat = _checks.number("temperature", temperature)
        return self._filled(self._env._action_shape, np.int32, lambda out: self._search.actions(heat, out))

    def policy(self) -> NDArray[np.float32]:
        """Returns the policy (B, actions), or (B, players, actions) in simultaneous games: the fractions of
        visits, or with Gumbel noise the improved policy. Zero in a finished game. RuntimeError is raised before
        the first search."""
        shape = (*self._env._action_shape, self._env.num_actions)
        return self._filled(shape, np.float32, self._search.policy)

    def root_stats(self) -> RootStats:
        """Returns the legal actions of each game and their statistics."""
        rows = self._env._action_shape
        with self._lock:
            counts, actions, visits, numbers = self._search.root_stats()
        lists: list[Any] = [array.reshape(*rows, -1) for array in (actions, visits, *numbers)]
        return RootStats(counts.reshape(rows), *lists)

    tried = _deprecated.attribute("tried", "root_stats")

    def values(self) -> NDArray[np.float32]:
        """Returns (B, players): the estimated return of each player from here on."""
        return self._filled((self._env.num_envs, self._env.num_players), np.float32, self._search.values)

    def visits(self) -> NDArray[np.int32]:
        """Returns (B,): the number of visits of each root, including its evaluation."""
        return self._filled((self._env.num_envs,), np.int32, self._search.visits)

    def _filled(self, shape: tuple[int, ...], dtype: DTypeLike, fill: Callable[[NDArray[Any]], None]) -> NDArray[Any]:
        """Returns an array that a native function has filled."""
        out = np.zeros(shape, dtype=dtype)
        with self._lock:
            fill(out.reshape(-1))
        return out

    @_deprecated.arguments(names={"longest": "max_length"})
    def lines(self, max_length: int = 10) -> list[list[str]]:
        """Returns the most visited line of each game, with moves as text. In simultaneous games, the actions of
        a step are one string."""
        steps = _checks.integer("max_length", max_length, 0, 2**31)
        with self._lock:
            return self._search.lines(steps)

    @property
    def memory(self) -> Memory:
        """The size of the trees."""
        with self._lock:
            return Memory(**self._search.memory())

    # Trees

    def advance(self, actions: Any) -> None:
        """Advances the root of each game by an action and keeps its subtree. This is only needed if several
        steps are played between two searches; a single step is detected automatically."""
        given = _checks.integers("actions", actions, self._env._action_shape)
        with self._lock:
            self._search.advance(given.reshape(-1))

    def clear(self) -> None:
        """Discards all trees and pending leaves."""
        with self._lock:
            self._search.clear()
            self._pending = None

    forget = _deprecated.attribute("forget", "clear")

    def __getstate__(self) -> dict[str, Any]:
        return {"env": self._env, "options": self._options, "values": self._values, "pad": self._pad}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._options = {_FORMER_NAMES.get(name, name): value for name, value in state["options"].items()}
        self._values, self._pad = state["values"], state.get("pad", False)
        self._begin(state["env"])

    def __repr__(self) -> str:
        return f"<fourfold.Search of {self._env!r}, {self._options['num_simulations']} simulations>"


def _fill(count: int, about: Arrays, masks: Arrays, observations: Arrays) -> None:
    """Overwrites the rows after the first ``count``, which hold earlier leaves."""
    for array in (*masks.values(), about["current_player"]):
        array[count:] = array[0]
    for array in observations.values():
        array[count:] = 0
    about["game"][count:] = -1
