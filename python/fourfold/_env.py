"""Batched environments."""

from __future__ import annotations

import copy
import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from fourfold import _bots, _checks, _core, _deprecated, _layout, _pictures, _progress
from fourfold._buffers import Pool
from fourfold._state import Autoreset, Illegal, MaskFormat, ObservationFormat, Rollout, Spec, State


class Environment:
    """A batch of games of one kind, stepped by one call. Made by :func:`make`.

    Threads may share an environment; their calls run one after another.
    """

    def __init__(self, batch: _core.Batch, config: dict[str, Any]) -> None:
        self._batch = batch
        # The native batch handles one call at a time.
        self._lock = threading.RLock()
        self._config = config
        self._num_envs: int = config["num_envs"]
        self._spec = cast(Spec, batch.spec())
        self._observation: ObservationFormat = config["observation"]
        self._mask: MaskFormat = config["mask"]
        self._results = Pool(_layout.status_layout(self._num_envs, self.num_players, self._spec["simultaneous"]))
        self._masks = Pool(_layout.mask_layout(self._spec, self._mask, self._action_shape))
        self._observations = Pool(_layout.observation_layout(self._spec, self._observation, self._action_shape))
        self._actions = Pool({"actions": (self._action_shape, np.int32)})

    # Sizes

    @property
    def id(self) -> str:
        """The name and version, such as ``chess-v1``; the version changes whenever the behavior does."""
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
    def config(self) -> dict[str, Any]:
        """The arguments that the environment was made with."""
        return copy.deepcopy(self._config)

    @property
    def _action_shape(self) -> tuple[int, ...]:
        if self._spec["simultaneous"]:
            return (self._num_envs, self.num_players)
        return (self._num_envs,)

    # Play

    def reset(
        self,
        seed: int | None = None,
        *,
        mask: NDArray[np.bool_] | None = None,
        positions: Sequence[str] | None = None,
    ) -> State:
        """Restarts games.

        With ``seed``, all games and their random streams restart. With ``mask``, only the games where it
        is true restart. With ``positions``, one text per game, they start there; a game that is over in
        its position counts as ended.

        >>> mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
        >>> state = make("chess").reset(positions=[mated])
        >>> bool(state.terminated[0]), int(state.winner[0])
        (True, 1)
        """
        number = _checks.seed(seed)
        chosen = None if mask is None else _checks.booleans("mask", mask, (self._num_envs,))
        texts = None if positions is None else _checks.texts("positions", positions)
        if number is not None and not (chosen is None and texts is None):
            raise ValueError("a seed restarts all games: do not pass mask or positions with it")
        with self._lock:
            if chosen is None and texts is None:
                self._batch.reset(number)
            else:
                self._batch.reset_some(chosen, texts)
            return self.current_state()

    def current_state(self) -> State:
        """Returns the current state without playing a step.

        If the last step ended a game and started the next one, this is the state of the next one.
        """
        results, masks, observations = self._take()
        with self._lock:
            self._batch.write_outputs(_layout.step_buffers(results, masks, observations))
            return self._state(results, masks, observations, 0)

    show = _deprecated.attribute("show", "current_state")

    def step(self, actions: Any, *, out: State | None = None) -> State:
        """Plays one action in each game.

        ``actions`` may be any array of integers, including those of other packages that support DLPack.
        ``out`` may be a state of this environment that is no longer needed; its arrays are then reused.
        """
        given = _checks.integers("actions", actions, self._action_shape)
        results, masks, observations = self._take() if out is None else self._split(out)
        buffers = _layout.step_buffers(results, masks, observations)
        with self._lock:
            ended = self._batch.step(given.reshape(-1), buffers)
            return self._state(results, masks, observations, ended)

    def sample(self, seed: int | None = None) -> NDArray[np.int32]:
        """Draws a legal action for each game, uniformly at random.

        Without a seed, each game's own random stream advances; with one, nothing changes. In a finished
        game any action may be drawn, since all are allowed.
        """
        number = _checks.seed(seed)
        actions = self._actions.take()["actions"]
        with self._lock:
            self._batch.sample(number, actions.reshape(-1))
        return actions

    @_deprecated.arguments(names={"form": "format"})
    def observe(
        self, player: int | None = None, format: ObservationFormat | None = None
    ) -> NDArray[Any] | tuple[NDArray[Any], ...]:
        """Returns the observation of one player in each game. By default, this is the player to move, or all
        players in simultaneous games.

        The formats ``packed`` and ``uint8`` return planes and scalars. Blokus returns planes and
        ``pieces_left`` in every format; kung fu chess returns planes and ``tokens``, followed by the
        scalars in the formats ``packed`` and ``uint8``.
        """
        format = self._observation if format is None else format
        if player is not None:
            try:
                player = _checks.integer("player", player, 0, self.num_players - 1)
            except ValueError as error:
                raise IndexError(*error.args) from None
        _checks.one_of("observation", format, get_args(ObservationFormat))
        if format == "none":
            raise ValueError("expected an observation format other than 'none'")
        rows = self._action_shape if player is None else (self._num_envs,)
        observations = Pool(_layout.observation_layout(self._spec, format, rows)).take()
        with self._lock:
            self._batch.observe(player, _layout.buffers(observations))
        planes = next(iter(observations.values()))
        scalars, array = _layout.split_scalars(self._spec, format, observations)
        parts = [planes, *(part for part in (array, scalars) if part is not None)]
        return tuple(parts) if len(parts) > 1 else planes

    def svg(self, game: int = 0, *, player: int = 0, theme: _pictures.Theme = "light", size: int = 400) -> str:
        """Returns a game of the batch as SVG, ``size`` pixels wide, seen by a player."""
        index = _checks.integer("game", game, 0, self.num_envs - 1)
        viewer = _checks.integer("player", player, 0, self.num_players - 1)
        with self._lock:
            return self._batch.svg(index, viewer, theme, _pictures.pixels(size))

    def _repr_html_(self) -> str:
        """Shows the first games in notebooks."""
        return _pictures.boards(repr(self), lambda game: self.svg(game, size=200), self.num_envs)

    def rollout(
        self,
        games: int,
        *,
        seed: int = 0,
        players: Sequence[str | _bots.Bot] | None = None,
        progress: _progress.Progress = False,
    ) -> Rollout:
        """Plays whole games from the environment's start positions, on its threads.

        Without ``players``, all actions are random. ``players`` is a list of bots or levels of bots, one for
        each player, in the same order in every game. Bots are given all moves of the game. Random numbers
        depend on ``seed`` alone, not on the seeds of the bots. ``progress`` shows a progress bar, or is
        called with the number of games done and the total.

        >>> make("chess").rollout(4, players=["greedy", "random"]).wins[1]
        0
        """
        number, games = _checks.integer("seed", seed, 0, 2**64 - 1), _checks.integer("games", games, 0, 2**63)
        levels = None if players is None else _bots.levels(self, players)
        report = _progress.callback(progress, games, "games")
        # Between two parts the bar is updated, and Ctrl-C is handled.
        parts = 100 if progress else 1
        steps = truncated = 0
        wins, endings = [0] * self.num_players, dict.fromkeys(self.endings, 0)
        for part in range(parts):
            first, last = games * part // parts, games * (part + 1) // parts
            if first == last and part:
                continue
            with self._lock:
                found = self._batch.rollout((first, last), number, levels)
            steps += found["steps"]
            truncated += found["truncated"]
            wins = [one + more for one, more in zip(wins, found["wins"], strict=True)]
            for ending, count in found["endings"]:
                endings[ending] += count
            report(last, games)
        return Rollout(games=games, steps=steps, wins=tuple(wins), truncated=truncated, endings=endings)

    # Convert actions: to other players' views, to the ids of other packages, and to text

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

    # Inspect

    @property
    def positions(self) -> list[str]:
        """The current position of each game as text."""
        with self._lock:
            return self._batch.texts()

    def array(self, name: str) -> NDArray[np.int32]:
        """Returns one of the arrays that describe the states; ``env.arrays`` has the names."""
        shape = dict(self._spec["arrays"]).get(name, [])
        out = np.zeros((self._num_envs, *shape), dtype=np.int32)
        with self._lock:
            self._batch.array(name, out.reshape(-1))
        return out

    @property
    def arrays(self) -> list[str]:
        """The names that :meth:`array` accepts."""
        return [name for name, _ in self._spec["arrays"]]

    # Save and copy

    def save(self) -> bytes:
        """Serializes the whole batch."""
        with self._lock:
            return self._batch.save()

    def load(self, data: bytes) -> State:
        """Restores a batch that was saved by an environment of the same game and size."""
        with self._lock:
            self._batch.load(data)
            return self.current_state()

    def clone(self) -> Environment:
        """Returns a copy of this environment in the same state."""
        return copy.deepcopy(self)

    def gather(self, indices: Any) -> Environment:
        """Returns an environment with copies of these games, in this order."""
        games = self._indices(indices)
        config = {**self._config, "num_envs": len(games)}
        with self._lock:
            batch = self._batch.gather(games)
        return Environment(batch, config)

    def scatter(self, indices: Any, other: Environment) -> State:
        """Replaces these games with the games of another environment."""
        if not isinstance(other, Environment):
            raise TypeError(f"expected an Environment, got {type(other).__name__}")
        games = self._indices(indices)
        source = other.clone() if other is self else other
        # Always lock in the same order, so that threads that scatter in opposite directions do not deadlock.
        first, second = sorted((self, source), key=id)
        with first._lock, second._lock:
            self._batch.scatter(games, source._batch)
            return self.current_state()

    def _indices(self, indices: Any) -> list[int]:
        array = _checks.integers("indices", indices)
        if array.ndim != 1:
            raise ValueError(f"expected indices to be one-dimensional, got shape {array.shape}")
        if array.size == 0:
            raise ValueError("expected at least one index, got none")
        if array.min() < 0:
            raise IndexError(f"game {array.min()} is out of range: the batch has {self._num_envs} games")
        games: list[int] = array.tolist()
        return games

    def __getstate__(self) -> dict[str, Any]:
        return {"config": self._config, "saved": self.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        config = dict(state["config"])
        if config["autoreset"] == "off":
            # Pickled under the former name.
            config["autoreset"] = "disabled"
        Environment.__init__(self, _batch(config), config)
        self._batch.load(state["saved"])

    def __repr__(self) -> str:
        return f"<fourfold.Environment {self.id}, {self._num_envs} games>"

    # Buffers

    def _take(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        return self._results.take(), self._masks.take(), self._observations.take()

    def _split(self, out: State) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        if not isinstance(out, State):
            raise TypeError(f"expected out to be a State of this environment, got {type(out).__name__}")
        results = {name: getattr(out, name) for name in self._results.names}
        lists = (out.legal_action_counts, out.legal_actions)
        given = lists if self._mask == "sparse" else (out.legal_action_mask,)
        masks = dict(zip(self._masks.names, given, strict=False))
        array = self._spec["scalar_array"]
        both = array is not None and self._spec["scalars"] > 0
        numbers = getattr(out, "_numbers" if both else "scalars" if array is None else array[0])
        observations = dict(zip(self._observations.names, (out.observation, numbers), strict=False))
        for pool, arrays in ((self._results, results), (self._masks, masks), (self._observations, observations)):
            pool.check(arrays)
        return results, masks, observations

    def _current_results(self) -> dict[str, NDArray[Any]]:
        """Returns the current state without masks and observations."""
        results: dict[str, NDArray[Any]] = self._results.take()
        with self._lock:
            self._batch.write_outputs(_layout.step_buffers(results, {}, {}))
        return results

    def _state(self, results: dict[str, Any], masks: dict[str, Any], observations: dict[str, Any], ended: int) -> State:
        final: dict[str, Any] = {}
        if ended and self._config["autoreset"] == "same_step" and self._observation != "none":
            # A new block, because all other rows must be zero. This is rare enough not to need a pool.
            final = Pool(_layout.observation_layout(self._spec, self._observation, self._action_shape)).take()
            self._batch.final_observations(_layout.buffers(final))
        array = self._spec["scalar_array"]
        return State(
            legal_action_mask=masks.get("mask_bools", masks.get("mask_bits")),
            legal_action_counts=masks.get("mask_counts"),
            legal_actions=masks.get("mask_indices"),
            _numbers=observations.get("scalars") if array is not None and array[0] == "tokens" else None,
            **_layout.fields(self._spec, self._observation, observations),
            **_layout.fields(self._spec, self._observation, final, "final_"),
            **results,
        )


def _batch(config: dict[str, Any]) -> _core.Batch:
    batch = _core.Batch(
        config["game"],
        config["num_envs"],
        [(name, _text(value)) for name, value in config["options"].items()],
        illegal=config["illegal"],
        autoreset=config["autoreset"],
        num_threads=config["num_threads"],
    )
    if config["start"]:
        batch.set_starts(list(config["start"]))
        batch.reset(0)
    return batch


def _text(value: Any) -> str:
    """Converts an option's value to the text that the native module expects."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


@_deprecated.arguments(
    values={"preset": {"seed": "legacy"}, "points": {"seed": "legacy"}, "autoreset": {"off": "disabled"}}
)
def make(
    game: str,
    num_envs: int = 1,
    *,
    packed: bool = False,
    observation: ObservationFormat | None = None,
    mask: MaskFormat | None = None,
    autoreset: Autoreset = "same_step",
    illegal: Illegal | None = None,
    num_threads: int | None = None,
    start: Sequence[str] = (),
    **options: Any,
) -> Environment:
    """Makes an environment.

    ``packed=True`` is the fast path: masks and observations are bits instead of booleans and floats.
    ``start`` is a list of positions that games start from; the game must not be over in any of them.
    ``illegal`` says what an illegal action does. By default it is an error, but with the ``legacy`` preset
    of four-player chess it is ignored. MemoryError is raised if the games do not fit in memory.

    Other options depend on the game. Chess has ``preset`` ("fide", "legacy", "pgx"), ``claim`` ("auto",
    "off"), ``max_steps`` and ``view`` ("own", "absolute"). Four-player chess has ``preset``
    ("standard", "legacy"), ``mode`` ("ffa", "teams"), ``setup`` ("modern", "classic", "by", "byg", "rg"),
    ``reward`` ("points", "rank", "win", "team"), ``actions`` ("planes", "flat"), ``view``,
    ``max_steps``, and rule options: ``points``, ``king_capture``, ``mate_timing``, ``winner``,
    ``repetition``, ``quiet``, ``bare_kings``. Blokus has ``size``, ``free_starts``, ``reward`` ("win",
    "difference", "rank", "points") and ``view``; with four colors also ``players`` (4, 2, 3), with two also
    ``starts`` ("inner", "corners"). Kung fu chess has ``speed`` ("standard", "lightning"),
    ``ticks_per_square``, ``rest``, ``no_move``, ``no_capture``, ``no_draw_before``, ``interval`` (ticks per
    step), ``max_ticks`` and ``view``; on 12×12 also ``seats`` ("1234"), ``teams`` and ``eliminated``
    ("remove", "freeze"). ``docs/environments`` in the repository describes them all.

    >>> env = make("chess", num_envs=2, packed=True, preset="pgx")
    >>> state = env.reset(seed=1)
    >>> state.legal_action_mask.shape, state.observation.shape, state.scalars.shape
    ((2, 584), (2, 117, 8), (2, 2))
    >>> env = make("four_player", num_envs=2, mode="teams", bare_kings=False)
    >>> state = env.reset(seed=1)
    >>> state.legal_action_mask.shape, state.observation.shape, state.rewards.shape
    ((2, 19360), (2, 14, 14, 48), (2, 4))
    >>> env = make("blokus", num_envs=2, players=3)
    >>> state = env.reset(seed=1)
    >>> state.legal_action_mask.shape, state.observation.shape, state.pieces_left.shape
    ((2, 30434), (2, 20, 20, 10), (2, 4, 21))
    >>> env = make("kung_fu", num_envs=2, speed="lightning")
    >>> state = env.reset(seed=1)
    >>> state.legal_action_mask.shape, state.observation.shape, state.tokens.shape
    ((2, 2, 4097), (2, 2, 8, 8, 36), (2, 2, 32, 6))
    """
    if not isinstance(game, str):
        raise TypeError(f"expected game to be a string, got {game!r}")
    if not isinstance(packed, bool):
        raise TypeError(f"expected packed to be True or False, got {packed!r}")
    if observation is None:
        observation = "packed" if packed else "float32"
    if mask is None:
        mask = "packed" if packed else "bool"
    if num_threads is None:
        num_threads = _available_cores()
    _checks.one_of("observation", observation, get_args(ObservationFormat))
    _checks.one_of("mask", mask, get_args(MaskFormat))
    _checks.one_of("autoreset", autoreset, get_args(Autoreset))
    if illegal is not None:
        _checks.one_of("illegal", illegal, get_args(Illegal))
    config = {
        "game": game,
        "num_envs": _checks.integer("num_envs", num_envs, 1, 2**24),
        "observation": observation,
        "mask": mask,
        "autoreset": autoreset,
        "illegal": illegal,
        "num_threads": _checks.integer("num_threads", num_threads, 1, 1024),
        "start": tuple(_checks.texts("start", start)),
        "options": {name: value for name, value in options.items() if value is not None},
    }
    batch = _batch(config)
    # The default depends on the game and its preset.
    config["illegal"] = batch.spec()["illegal"]
    return Environment(batch, config)


def rollout(
    game: str,
    games: int,
    *,
    seed: int = 0,
    players: Sequence[str | _bots.Bot] | int | None = None,
    progress: _progress.Progress = False,
    **options: Any,
) -> Rollout:
    """Plays whole games like :meth:`Environment.rollout`: random ones, or with a list of ``players``, games
    between bots. Options are those of :func:`make`; in Blokus, ``players`` may also be the number of players.

    >>> found = rollout("chess", 100, seed=3)
    >>> found.games, found.steps > 1000
    (100, True)
    >>> rollout("four_player", 2, players=["greedy", "random", "greedy", "random"]).games
    2
    """
    if isinstance(players, int):
        return make(game, players=players, **options).rollout(games, seed=seed, progress=progress)
    return make(game, **options).rollout(games, seed=seed, players=players, progress=progress)


def _available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
