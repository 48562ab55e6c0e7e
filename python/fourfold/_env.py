"""Batched environments. :func:`fourfold.make` makes them."""

from __future__ import annotations

import copy
import functools
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from fourfold import _bots, _checks, _core, _deprecated, _layout, _pictures, _play, _progress, _threads
from fourfold._buffers import Block, Pool
from fourfold._described import Described, not_on_cpu
from fourfold._state import MaskFormat, ObservationFormat, Rollout, Spec, State


class Environment(Described):
    """A batch of games of one kind, stepped by one call. Made by :func:`make`.

    Threads may share an environment; their calls run one after another.
    """

    def __init__(self, batch: _core.Batch, config: dict[str, Any], num_threads: int) -> None:
        self._batch = batch
        self._num_threads = num_threads
        # The native batch handles one call at a time.
        self._lock = threading.RLock()
        self._config = config
        self._num_envs: int = config["num_envs"]
        self._spec = cast(Spec, batch.spec())
        self._observation: ObservationFormat = config["observation"]
        self._mask: MaskFormat = config["mask"]
        self._observers: dict[tuple[ObservationFormat, tuple[int, ...]], _ObservationPool] = {}
        spec, rows = self._spec, self._action_shape
        status = _layout.status_layout(self._num_envs, self.num_players, spec["simultaneous"])
        self._results = Pool(status, _core.ResultBuffers)
        self._masks = Pool(_layout.mask_layout(spec, self._mask, rows), _core.MaskBuffers, _layout.mask_fields)
        self._observations = self._observer(self._observation, rows)
        self._actions = Pool({"actions": (rows, np.int32)}, lambda arrays: arrays["actions"])
        self._takes_integer = self._action_shape == (1,)

    @property
    def num_threads(self) -> int:
        """The number of threads in use."""
        return self._num_threads

    # Play

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        *,
        first_game: int = 0,
        mask: NDArray[np.bool_] | None = None,
        positions: Sequence[str] | None = None,
    ) -> State:
        """Restarts games.

        With ``seed``, all games and their random streams restart, see :meth:`reseed`. With ``mask``, only the
        games where it is true restart. With ``positions``, one text per game, they start there; a game that is
        over in its position counts as ended. Without a seed, random streams continue; those of a new environment
        are seeded by the operating system.

        >>> import fourfold
        >>> mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
        >>> state = fourfold.make("chess").reset(positions=[mated])
        >>> bool(state.terminated[0]), int(state.winner[0])
        (True, 1)
        """
        chosen = None if mask is None else _checks.booleans("mask", mask, (self._num_envs,))
        texts = None if positions is None else _checks.texts("positions", positions)
        if seed is not None and not (chosen is None and texts is None):
            raise ValueError("a seed restarts all games: do not pass mask or positions with it")
        if seed is None and first_game != 0:
            raise ValueError("expected a seed with first_game")
        with self._lock:
            if seed is not None:
                self.reseed(seed, first_game=first_game)
            if texts is not None:
                self._batch.reset_to(chosen, texts)
            elif chosen is not None:
                self._batch.reset_where(chosen)
            else:
                self._batch.reset(None)
            return self.current_state()

    def reseed(self, seed: int | Sequence[int], *, first_game: int = 0) -> None:
        """Restarts the random streams of all games, and nothing else.

        The stream of game ``i`` depends on ``seed`` and ``stream_offset + first_game + i``, so several environments
        can play different parts of the same set of games. A list has one seed for each game, whose stream is then that
        of an environment with one game and this seed.

        >>> import fourfold
        >>> whole, part = fourfold.make("chess", num_envs=4), fourfold.make("chess", num_envs=2)
        >>> state = whole.reset(seed=1), part.reset(seed=1, first_game=2)
        >>> bool((whole.sample()[2:] == part.sample()).all())
        True
        """
        with self._lock:
            if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
                if first_game != 0:
                    raise ValueError("expected first_game with a single seed, not with a list of seeds")
                self._batch.reseed_each(_checks.seeds(seed, self._num_envs))
            else:
                number = _checks.integer("seed", seed, 0, 2**64 - 1)
                first = _checks.integer("first_game", first_game, 0, 2**63)
                self._batch.reseed(number, self.stream_offset + first)

    def current_state(self) -> State:
        """Returns the current state without playing a step.

        If the last step ended a game and started the next one, this is the state of the next one.
        """
        blocks = results, masks, observations = self._take()
        with self._lock:
            self._batch.write_outputs(results.buffers, masks.buffers, observations.buffers)
        return self._state(blocks)

    show = _deprecated.attribute("show", "current_state")

    def step(self, actions: Any, *, out: State | None = None) -> State:
        """Plays one action in each game.

        ``actions`` may be any array of integers, including those of other packages that support DLPack, or one
        integer if there is one game. ``out`` may be a state of this environment that is no longer needed; its
        arrays are then reused.
        """
        if type(actions) is int and self._takes_integer:
            given = _one(actions)
        else:
            given = _checks.integers("actions", actions, self._action_shape).reshape(-1)
        blocks = results, masks, observations = self._take() if out is None else self._split(out)
        with self._lock:
            ended = self._batch.step(given, results.buffers, masks.buffers, observations.buffers)
            return self._state(blocks, self._final() if ended else None)

    def sample(self, seed: int | None = None) -> NDArray[np.int32]:
        """Draws a legal action for each game, uniformly at random: the one at index ``floor(u * count)`` of the
        legal actions in ascending order, where ``u`` is the next number of the game's random stream.

        Without a seed, each game's own random stream advances; with one, nothing changes. In a finished
        game any action may be drawn, since all are allowed.
        """
        number = _checks.seed(seed)
        block = self._actions.take()
        with self._lock:
            self._batch.sample(number, block.buffers)
        return block.arrays["actions"]

    def sample_logits(self, logits: Any, *, temperature: float = 1.0, seed: int | None = None) -> NDArray[np.int32]:
        """Draws a legal action for each game with probabilities proportional to ``exp(logits / temperature)``.

        ``logits`` are (B, actions), or (B, players, actions) in simultaneous games; those of illegal actions are
        ignored. A temperature of 0 chooses the largest. Random numbers are those of :meth:`sample`. Probabilities are
        rounded to multiples of 2⁻⁴⁷ of the largest one, so that all devices draw the same actions.

        >>> import fourfold
        >>> env = fourfold.make("chess")
        >>> state = env.reset(seed=0)
        >>> logits = np.arange(env.num_actions, dtype=np.float32)[None]
        >>> bool(env.sample_logits(logits, temperature=0)[0] == np.flatnonzero(state.legal_action_mask[0])[-1])
        True
        """
        given = _checks.floats("logits", logits)
        shape = (*self._action_shape, self.num_actions)
        if given.shape != shape:
            raise ValueError(f"expected logits to have shape {shape}, got {given.shape}")
        number, heat = _checks.seed(seed), _checks.number("temperature", temperature)
        block = self._actions.take()
        with self._lock:
            self._batch.sample_logits(given.reshape(-1), heat, number, block.buffers)
        return block.arrays["actions"]

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
        block = self._observer(format, rows).take()
        with self._lock:
            self._batch.observe(player, block.buffers)
        order = ("observation", "pieces_left", "tokens", "scalars")
        parts = tuple(part for name in order if (part := block.fields[name]) is not None)
        return parts if len(parts) > 1 else parts[0]

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
        seed: int | None = None,
        players: Sequence[_play.Player] | None = None,
        progress: _progress.Progress = False,
    ) -> Rollout:
        """Plays whole games from the environment's start positions, on its threads.

        Without ``players``, all actions are random. ``players`` is a list of bots, levels of bots and policies
        (see :class:`Policy`), one for each player, in the same order in every game. Bots are given all moves of the
        game; next to a policy, only the current position. Random numbers depend on ``seed`` and the index
        of each game, which starts at ``stream_offset``, not on the seeds of the bots. ``progress`` shows a progress
        bar, or is called with the number of games done and the total. The games of the environment do not change;
        Ctrl-C interrupts the call and discards its results.

        >>> import fourfold
        >>> fourfold.make("chess").rollout(4, players=["greedy", "random"]).wins[1]
        0
        >>> def uniform(state: State) -> NDArray[np.float32]:
        ...     return np.zeros(state.legal_action_mask.shape, np.float32)
        >>> fourfold.make("chess").rollout(4, players=[uniform, "greedy"]).wins[0]
        0
        """
        number, games = _checks.seed_or_entropy(seed), _checks.integer("games", games, 0, 2**63 - 1)
        seated = None if players is None else _play.player_list(players)
        return self._rollout(range(games), number, seated, progress)

    def _rollout(self, indices: range, number: int, players: list[Any] | None, progress: _progress.Progress) -> Rollout:
        """Plays the games with these indices, which select their random streams."""
        games = len(indices)
        report = _progress.callback(progress, games, "games")
        if players is not None and any(map(_play.is_policy, players)):
            return _play.rollout(self, players, indices, number, report)
        levels = None if players is None else [_bots.level(self, player) for player in players]
        start = self.stream_offset + indices.start
        # Between two parts, the bar is updated.
        parts = 100 if progress else 1
        steps = truncated = 0
        wins, endings = [0] * self.num_players, dict.fromkeys(self.endings, 0)
        for part in range(parts):
            first, last = games * part // parts, games * (part + 1) // parts
            if first == last and part:
                continue
            with self._lock:
                found = self._batch.rollout((start + first, start + last), number, levels)
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

    # Save and copy

    @property
    def states(self) -> NDArray[np.uint8]:
        """The states of all games as bytes (B, state_bytes), without their random streams.

        ``docs/environments`` in the repository describes the bytes. :meth:`load_states` is the inverse.

        >>> import fourfold
        >>> env = fourfold.make("chess", num_envs=3)
        >>> env.states.shape
        (3, 1884)
        """
        out = np.empty((self._num_envs, self.state_bytes), np.uint8)
        with self._lock:
            self._batch.write_states(list(range(self._num_envs)), out.reshape(-1))
        return out

    def load_states(self, states: Any, rows: Any = None) -> State:
        """Replaces games with states from :attr:`states` of an environment with the same game and options: all
        games, or those with the indices ``rows``. States that are not valid are rejected. Random streams stay.

        >>> import fourfold
        >>> env = fourfold.make("chess", num_envs=3)
        >>> states = env.states
        >>> state = env.step(env.sample())
        >>> state = env.load_states(states[:1], rows=[2])
        >>> bool((env.states[2] == states[2]).all())
        True
        """
        games = list(range(self._num_envs)) if rows is None else self._indices(rows)
        array = np.asarray(states)
        shape = (len(games), self.state_bytes)
        if array.dtype != np.uint8:
            raise TypeError(f"expected states to be uint8, got {array.dtype}")
        if array.shape != shape:
            raise ValueError(f"expected states to have shape {shape}, got {array.shape}")
        with self._lock:
            self._batch.load_states(games, np.ascontiguousarray(array).reshape(-1))
            return self.current_state()

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
        """Returns a copy of this environment in the same state, with the same random streams."""
        with self._lock:
            return Environment(self._batch.duplicate(), copy.deepcopy(self._config), self._num_threads)

    def __deepcopy__(self, memo: dict[int, Any]) -> Environment:
        return self.clone()

    def gather(self, indices: Any) -> Environment:
        """Returns an environment with copies of these games, in this order. If a game is listed several times, the
        first copy keeps its random stream, and the others get new ones."""
        games = self._indices(indices)
        config = {**self._config, "num_envs": len(games)}
        with self._lock:
            batch = self._batch.gather(games)
        return Environment(batch, config, self._num_threads)

    def scatter(self, indices: Any, other: Environment) -> State:
        """Replaces these games with the games of another environment. Random streams stay."""
        if not isinstance(other, Environment):
            raise not_on_cpu(other)
        games = self._indices(indices)
        if len(games) != other.num_envs:
            raise ValueError(f"the other environment has {other.num_envs} games, but there are {len(games)} indices")
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
        Environment.__init__(self, *native_batch(config))
        self._batch.load(state["saved"])

    def __repr__(self) -> str:
        return f"<fourfold.Environment {self.id}, {self._num_envs} games>"

    def _new_games(self, num_envs: int, *, outputs: bool) -> Environment:
        """Returns an environment with new games, which does not restart those that end. Without ``outputs``, it has
        no masks and observations."""
        formats = {} if outputs else {"observation": "none", "mask": "none"}
        return Environment(*native_batch({**self._config, **formats, "num_envs": num_envs, "autoreset": "disabled"}))

    # Buffers

    def _take(self) -> _Blocks:
        return self._results.take(), self._masks.take(), self._observations.take()

    def _split(self, out: State) -> _Blocks:
        """Returns the arrays of a state that is to be overwritten."""
        if not isinstance(out, State):
            raise TypeError(f"expected out to be a State of this environment, got {type(out).__name__}")
        array, counts = self._spec["scalar_array"], self._spec["scalars"]
        numbers = "scalars" if array is None else "_numbers" if counts > 0 else array[0]
        masks = ("legal_action_counts", "legal_actions") if self._mask == "sparse" else ("legal_action_mask",)
        return (
            self._results.wrap(self._results.arrays_of(out, self._results.names)),
            self._masks.wrap(self._masks.arrays_of(out, masks)),
            self._observations.wrap(self._observations.arrays_of(out, ("observation", numbers))),
        )

    def _observer(self, format: ObservationFormat, rows: tuple[int, ...]) -> _ObservationPool:
        """Returns the pool of observations with this format and these leading dimensions."""
        key = (format, rows)
        if key not in self._observers:
            layout = _layout.observation_layout(self._spec, format, rows)
            fields = functools.partial(_layout.fields, self._spec, format)
            self._observers[key] = Pool(layout, _core.ObservationBuffers, fields)
        return self._observers[key]

    def _current_results(self) -> dict[str, NDArray[Any]]:
        """Returns the current state without masks and observations."""
        block = self._results.take()
        with self._lock:
            self._batch.write_outputs(block.buffers, _core.MaskBuffers({}), _core.ObservationBuffers({}))
        return block.arrays

    def _final(self) -> dict[str, Any] | None:
        """Returns the fields of a state with the final observations of the games that have just ended."""
        if self._config["autoreset"] != "same_step" or self._observation == "none":
            return None
        ended, players = self._batch.ended_games(), self._action_shape[1:]
        # New blocks, because few games end in a step.
        block = self._new_observations((len(ended), *players))
        self._batch.final_observations(block.buffers)
        final = block.arrays
        if self._config["final"] == "padded":
            final = self._new_observations((self._num_envs, *players)).arrays
            for name, rows in block.arrays.items():
                final[name][ended] = rows
        games = Pool({"final_games": ((len(ended),), np.int32)}, dict).take().arrays
        games["final_games"][:] = ended
        shown = _layout.fields(self._spec, self._observation, final)
        return {**games, **{f"final_{name}": part for name, part in shown.items() if name != "_numbers"}}

    def _new_observations(self, rows: tuple[int, ...]) -> Block[_core.ObservationBuffers]:
        layout = _layout.observation_layout(self._spec, self._observation, rows)
        return Pool(layout, _core.ObservationBuffers).take()

    def _state(self, blocks: _Blocks, final: dict[str, Any] | None = None) -> State:
        results, masks, observations = blocks
        return State(**results.fields, **masks.fields, **observations.fields, **(_NO_FINAL if final is None else final))


_ObservationPool = Pool[_core.ObservationBuffers]
_Blocks = tuple[Block[_core.ResultBuffers], Block[_core.MaskBuffers], Block[_core.ObservationBuffers]]

_NO_FINAL: dict[str, Any] = dict.fromkeys(
    ["final_observation", "final_scalars", "final_pieces_left", "final_tokens", "final_games"]
)


def _one(action: int) -> NDArray[np.int32]:
    """Returns an array with the action of the only game."""
    if not -(2**31) <= action < 2**31:
        raise ValueError(f"expected actions to fit in 32 bits, got {action}")
    return np.array([action], np.int32)


def native_batch(config: dict[str, Any]) -> tuple[_core.Batch, dict[str, Any], int]:
    """Returns the arguments of an environment."""
    threads = _threads.default_threads() if config["num_threads"] is None else config["num_threads"]
    batch = _core.Batch(
        config["game"],
        config["num_envs"],
        game_options(config),
        illegal=config["illegal"],
        autoreset=config["autoreset"],
        num_threads=threads,
    )
    if config["start"]:
        batch.set_starts(list(config["start"]))
        batch.reset(None)
    return batch, config, threads


def game_options(config: dict[str, Any]) -> list[tuple[str, str]]:
    """Returns the options of the game as the native module expects them."""
    return [(name, _text(value)) for name, value in config["options"].items()]


def _text(value: Any) -> str:
    """Converts an option's value to the text that the native module expects."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
