"""Batched environments on GPUs. :func:`fourfold.make` makes them with ``device="cuda"``."""

from __future__ import annotations

import copy
import dataclasses
import functools
import threading
from collections.abc import Sequence
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks, _core, _layout, _pictures, _play, _progress, _threads
from fourfold._described import Described
from fourfold._device import (
    DeviceArray,
    DeviceBlock,
    DeviceLayout,
    DevicePool,
    device_name,
    open_device,
    stream_of,
)
from fourfold._env import Environment, game_options, native_batch
from fourfold._state import AnyObservationFormat, MaskFormat, Rollout, Spec, State

_CHECK_EVERY = 64
"""The number of steps between two checks for illegal actions, each of which waits for the GPU."""

_FINAL = ("final_observation", "final_scalars", "final_pieces_left", "final_tokens", "final_games")


class CudaEnvironment(Described):
    """A batch of games of one kind on a GPU, stepped by one call. Made by :func:`make` with ``device="cuda"``.

    It does the same as an :class:`Environment` with the same arguments: for the same seeds and actions, all arrays
    have the same bytes. They are :class:`DeviceArray`, in the memory of the GPU. Steps do not wait for the GPU, so
    an illegal action is reported by a later call: see :meth:`synchronize`. Threads may share an environment; their
    calls run one after another.

    Whatever is not about arrays, such as :attr:`positions` and :meth:`save`, copies the games to the host.

    >>> import fourfold
    >>> env = fourfold.make("chess", num_envs=2, device="cuda-emulated")
    >>> state = env.reset(seed=0)
    >>> for _ in range(10):
    ...     state = env.step(env.sample())
    >>> state.observation
    <fourfold.DeviceArray float32 (2, 8, 8, 119) on cuda-emulated>
    """

    def __init__(self, device: _core.Device, batch: _core.CudaBatch, config: dict[str, Any]) -> None:
        self._device, self._batch, self._config = device, batch, config
        # The native batch handles one call at a time.
        self._lock = threading.RLock()
        self._num_envs: int = config["num_envs"]
        self._spec = cast(Spec, batch.spec())
        self._observation: AnyObservationFormat = config["observation"]
        self._mask: MaskFormat = config["mask"]
        # Goes up whenever games change, so that a state knows whether it is the latest.
        self._changes = 0
        self._unchecked = 0
        self._observers: dict[tuple[AnyObservationFormat, tuple[int, ...]], DevicePool] = {}
        # Read in each step, where computing them again would take a noticeable time.
        self._place, self._shape = device.dlpack_device, self._action_shape
        self._reports_illegal = self._spec["illegal"] == "error"
        spec, rows = self._spec, self._shape
        status = _layout.status_layout(self._num_envs, self.num_players, spec["simultaneous"])
        self._results = DevicePool(device, _named(status))
        self._masks = DevicePool(device, _named(_layout.mask_layout(spec, self._mask, rows)), _layout.mask_fields)
        self._observations = self._observer(self._observation, rows)
        self._actions = DevicePool(device, {"actions": (rows, "int32")})
        # For logits that are copied to the device, made when they first are.
        self._logits: DevicePool | None = None

    @property
    def device(self) -> str:
        """The name of the device, such as ``cuda:0``."""
        kind, index = self._device.dlpack_device
        return "cuda-emulated" if kind == 1 else f"cuda:{index}"

    # Play

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        *,
        first_game: int = 0,
        mask: Any = None,
        positions: Sequence[str] | None = None,
    ) -> CudaState:
        """Restarts games, as :meth:`Environment.reset` does. A ``mask`` on the GPU is copied to the host."""
        chosen = None if mask is None else _checks.booleans("mask", _on_host(mask), (self._num_envs,))
        texts = None if positions is None else _checks.texts("positions", positions)
        if seed is not None and not (chosen is None and texts is None):
            raise ValueError("a seed restarts all games: do not pass mask or positions with it")
        if seed is None and first_game != 0:
            raise ValueError("expected a seed with first_game")
        with self._lock:
            self.synchronize()
            if seed is not None:
                self.reseed(seed, first_game=first_game)
            if texts is not None:
                host = self._batch.host_copy()
                host.reset_to(chosen, texts)
                self._batch.load_host(host)
            else:
                self._batch.reset(chosen)
            self._changes += 1
            return self.current_state()

    def reseed(self, seed: int | Sequence[int], *, first_game: int = 0) -> None:
        """Restarts the random streams of all games, and nothing else, as :meth:`Environment.reseed` does."""
        with self._lock:
            if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
                if first_game != 0:
                    raise ValueError("expected first_game with a single seed, not with a list of seeds")
                self._batch.reseed_each(_checks.seeds(seed, self._num_envs))
            else:
                number = _checks.integer("seed", seed, 0, 2**64 - 1)
                first = _checks.integer("first_game", first_game, 0, 2**63)
                self._batch.reseed(number, self.stream_offset + first)

    def current_state(self) -> CudaState:
        """Returns the current state without playing a step.

        If the last step ended a game and started the next one, this is the state of the next one.
        """
        blocks = results, masks, observations = self._take()
        with self._lock:
            self._batch.write_outputs(results.native, masks.native, observations.native)
        return self._state(blocks, None)

    def step(self, actions: Any, *, out: CudaState | None = None) -> CudaState:
        """Plays one action in each game.

        ``actions`` may be a :class:`DeviceArray`, an array of another package on the same GPU (int32; int64 is
        converted there), or anything that :meth:`Environment.step` accepts, which is copied to the GPU. ``out`` may
        be a state of this environment that is no longer needed; its arrays are then reused.
        """
        given = self._given(actions)
        if out is not None and (not isinstance(out, CudaState) or out._env is not self):
            raise TypeError(f"expected out to be a state of this environment, got {type(out).__name__}")
        blocks = results, masks, observations = self._take() if out is None else out._blocks
        outputs = results.native, masks.native, observations.native
        with self._lock:
            if isinstance(given, DeviceArray):
                self._batch.step((given._buffer, given._offset), *outputs)
            else:
                tensor, stream = given
                self._batch.step_tensor(tensor, *outputs)
                if stream == "other":
                    # Its package may reuse the memory of the actions on its own stream.
                    self._device.synchronize()
            self._changes += 1
            state = self._state(blocks, self._changes)
            if self._reports_illegal:
                self._unchecked += 1
                if self._unchecked >= _CHECK_EVERY:
                    self.synchronize()
            return state

    def synchronize(self) -> None:
        """Waits for the GPU, and raises the error of an illegal action of an earlier step.

        Steps do not wait for the GPU. If an action is illegal (and ``illegal="error"``), neither its step nor any
        later one changes a game until the error has been raised. That is done here, by every call that copies games
        to the host, by :meth:`reset`, and at the latest by the 64th step. The results of states from such steps
        mean nothing.

        >>> import fourfold
        >>> env = fourfold.make("chess", device="cuda-emulated")
        >>> state = env.step(0)
        >>> env.synchronize()
        Traceback (most recent call last):
        fourfold.IllegalActionError: action 0 of game 0 is not legal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
        """
        with self._lock:
            self._unchecked = 0
            self._batch.synchronize()

    def sample(self, seed: int | None = None) -> DeviceArray:
        """Draws a legal action for each game, uniformly at random, as :meth:`Environment.sample` does."""
        number = None if seed is None else _checks.seed(seed)
        block = self._actions.take()
        with self._lock:
            self._batch.sample(number, block.native)
        return block.arrays["actions"]

    def sample_logits(self, logits: Any, *, temperature: float = 1.0, seed: int | None = None) -> DeviceArray:
        """Draws a legal action for each game, as :meth:`Environment.sample_logits` does. This is done on the GPU.

        ``logits`` may be a :class:`DeviceArray`, an array of another package on the same GPU (other types than
        float32 are converted there), or anything that :meth:`Environment.sample_logits` accepts, which is copied to
        the GPU.
        """
        number, heat = _checks.seed(seed), _checks.number("temperature", temperature)
        given = self._given_logits(logits)
        block = self._actions.take()
        with self._lock:
            if isinstance(given, DeviceArray):
                self._batch.sample_logits((given._buffer, given._offset), heat, number, block.native)
            else:
                tensor, stream = given
                self._batch.sample_logits_tensor(tensor, heat, number, block.native)
                if stream == "other":
                    # Its package may reuse the memory of the logits on its own stream.
                    self._device.synchronize()
        return block.arrays["actions"]

    def observe(
        self, player: int | None = None, format: AnyObservationFormat | None = None
    ) -> DeviceArray | tuple[DeviceArray, ...]:
        """Returns the observation of one player in each game, as :meth:`Environment.observe` does. There is one more
        format, ``bfloat16``."""
        format = self._observation if format is None else format
        if player is not None:
            try:
                player = _checks.integer("player", player, 0, self.num_players - 1)
            except ValueError as error:
                raise IndexError(*error.args) from None
        _checks.one_of("observation", format, get_args(AnyObservationFormat))
        if format == "none":
            raise ValueError("expected an observation format other than 'none'")
        rows = self._action_shape if player is None else (self._num_envs,)
        block = self._observer(format, rows).take()
        with self._lock:
            self._batch.observe(player, block.native)
        order = ("observation", "pieces_left", "tokens", "scalars")
        parts = tuple(part for name in order if (part := block.fields[name]) is not None)
        return parts if len(parts) > 1 else parts[0]

    def rollout(
        self,
        games: int,
        *,
        seed: int | None = None,
        players: Sequence[_play.Player] | None = None,
        progress: _progress.Progress = False,
    ) -> Rollout:
        """Plays whole games, as :meth:`Environment.rollout` does. They are played on the CPU, and policies are given
        states in its memory."""
        config = {**self._cpu_config(), "num_envs": 1}
        env = Environment(*native_batch(config))
        return env.rollout(games, seed=seed, players=players, progress=progress)

    # On the host

    def to_cpu(self) -> Environment:
        """Returns an environment on the CPU with copies of the games and their random streams. Search, bots and
        recordings need one.

        >>> import fourfold
        >>> env = fourfold.make("chess", num_envs=2, device="cuda-emulated")
        >>> env.to_cpu()
        <fourfold.Environment chess-v2, 2 games>
        """
        with self._lock:
            batch = self._batch.host_copy()
        return Environment(batch, self._cpu_config(), _threads.default_threads())

    def _cpu_config(self) -> dict[str, Any]:
        config = {**copy.deepcopy(self._config), "device": "cpu"}
        if config["observation"] == "bfloat16":
            config["observation"] = "float32"
        return config

    def _load(self, env: Environment) -> CudaState:
        """Replaces all games with those of an environment on the CPU."""
        self._batch.load_host(env._batch)
        self._changes += 1
        return self.current_state()

    def absolute(self, ids: Any) -> NDArray[np.int32]:
        """Converts ids from the view of the acting players to the view of the first player."""
        return self.to_cpu().absolute(_on_host(ids))

    def relative(self, ids: Any) -> NDArray[np.int32]:
        """Converts ids from the view of the first player to the view of the acting players."""
        return self.to_cpu().relative(_on_host(ids))

    def to_dialect(self, dialect: str, actions: Any) -> NDArray[np.int32]:
        """Converts actions to the ids of ``open_spiel``, ``pettingzoo`` or ``leela``; −1 where there is none."""
        return self.to_cpu().to_dialect(dialect, _on_host(actions))

    def from_dialect(self, dialect: str, ids: Any) -> NDArray[np.int32]:
        """Converts another package's ids to our actions; −1 where they are not legal."""
        return self.to_cpu().from_dialect(dialect, _on_host(ids))

    def moves(self, actions: Any) -> list[str]:
        """Converts actions to text, as :meth:`Environment.moves` does."""
        return self.to_cpu().moves(_on_host(actions))

    def actions(self, moves: Sequence[str]) -> NDArray[np.int32]:
        """Converts moves as text to actions, as :meth:`Environment.actions` does."""
        return self.to_cpu().actions(moves)

    @property
    def positions(self) -> list[str]:
        """The current position of each game as text."""
        return self.to_cpu().positions

    def array(self, name: str) -> NDArray[np.int32]:
        """Returns one of the arrays that describe the states; ``env.arrays`` has the names."""
        return self.to_cpu().array(name)

    def svg(self, game: int = 0, *, player: int = 0, theme: _pictures.Theme = "light", size: int = 400) -> str:
        """Returns a game of the batch as SVG, ``size`` pixels wide, seen by a player. Copies only this game."""
        index = _checks.integer("game", game, 0, self.num_envs - 1)
        viewer = _checks.integer("player", player, 0, self.num_players - 1)
        with self._lock:
            batch = self._batch.host_copy_of([index])
        return batch.svg(0, viewer, theme, _pictures.pixels(size))

    def _repr_html_(self) -> str:
        """Shows the first games in notebooks."""
        return _pictures.boards(repr(self), lambda game: self.svg(game, size=200), self.num_envs)

    # Save and copy

    @property
    def states(self) -> NDArray[np.uint8]:
        """The states of all games as bytes (B, state_bytes), those of :attr:`Environment.states`."""
        return self.to_cpu().states

    def load_states(self, states: Any, rows: Any = None) -> CudaState:
        """Replaces games with states from :attr:`states` of an environment on any device, as
        :meth:`Environment.load_states` does."""
        with self._lock:
            host = self.to_cpu()
            host.load_states(_on_host(states), rows)
            return self._load(host)

    def save(self) -> bytes:
        """Serializes the whole batch. The bytes are those of an environment on the CPU, which can load them."""
        return self.to_cpu().save()

    def load(self, data: bytes) -> CudaState:
        """Restores a batch that was saved by an environment of the same game and size, on any device."""
        with self._lock:
            host = self.to_cpu()
            host.load(data)
            return self._load(host)

    def clone(self) -> CudaEnvironment:
        """Returns a copy of this environment in the same state, with the same random streams."""
        return self._of(self.to_cpu())

    def __deepcopy__(self, memo: dict[int, Any]) -> CudaEnvironment:
        return self.clone()

    def gather(self, indices: Any) -> CudaEnvironment:
        """Returns an environment with copies of these games, in this order, as :meth:`Environment.gather` does."""
        return self._of(self.to_cpu().gather(_on_host(indices)))

    def scatter(self, indices: Any, other: CudaEnvironment | Environment) -> CudaState:
        """Replaces these games with the games of another environment, on any device. Random streams stay."""
        if not isinstance(other, CudaEnvironment | Environment):
            raise TypeError(f"expected an Environment or a CudaEnvironment, got {type(other).__name__}")
        source = other.to_cpu() if isinstance(other, CudaEnvironment) else other
        with self._lock:
            host = self.to_cpu()
            host.scatter(_on_host(indices), source)
            return self._load(host)

    def _of(self, host: Environment) -> CudaEnvironment:
        """Returns an environment on the same device with the games of one on the CPU."""
        env = CudaEnvironment(*cuda_batch({**copy.deepcopy(self._config), "num_envs": host.num_envs}))
        env._batch.load_host(host._batch)
        return env

    def __getstate__(self) -> dict[str, Any]:
        return {"config": self._config, "saved": self.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        CudaEnvironment.__init__(self, *cuda_batch(dict(state["config"])))
        self.load(state["saved"])

    def __repr__(self) -> str:
        return f"<fourfold.CudaEnvironment {self.id}, {self._num_envs} games on {self.device}>"

    # Buffers

    def _take(self) -> _Blocks:
        return self._results.take(), self._masks.take(), self._observations.take()

    def _observer(self, format: AnyObservationFormat, rows: tuple[int, ...]) -> DevicePool:
        """Returns the pool of observations with this format and these leading dimensions."""
        key = (format, rows)
        if key not in self._observers:
            self._observers[key] = self._new_observer(format, rows)
        return self._observers[key]

    def _new_observer(self, format: AnyObservationFormat, rows: tuple[int, ...]) -> DevicePool:
        if format == "bfloat16":
            layout = _named(_layout.observation_layout(self._spec, "float16", rows))
            shape, _ = layout.pop("half")
            # The values come first.
            layout = {"bfloat": (shape, "bfloat16"), **layout}
        else:
            layout = _named(_layout.observation_layout(self._spec, format, rows))
        fields = functools.partial(_layout.fields, self._spec, format, columns=DeviceArray._columns)
        return DevicePool(self._device, layout, fields)

    def _state(self, blocks: _Blocks, number: int | None) -> CudaState:
        results, masks, observations = blocks
        return CudaState(
            **results.fields, **masks.fields, **observations.fields, _env=self, _blocks=blocks, _number=number
        )

    def _final(self, number: int | None) -> dict[str, Any]:
        """Returns the fields of a state with the final observations of the games that ended in the step with this
        number."""
        nothing: dict[str, Any] = dict.fromkeys(_FINAL)
        if number is None or self._config["autoreset"] != "same_step" or self._observation == "none":
            return nothing
        with self._lock:
            if number != self._changes:
                raise RuntimeError("final observations can be read only until the next step or reset")
            ended, players = self._batch.ended_games(), self._action_shape[1:]
            if not ended:
                return nothing
            block = self._new_observer(self._observation, (len(ended), *players)).new()
            self._batch.final_observations(ended, block.native)
        if self._config["final"] == "padded":
            # Few games end in a step, so the rows are spread on the host.
            padded = self._new_observer(self._observation, (self._num_envs, *players)).new()
            for name, array in block.arrays.items():
                wide = np.zeros(padded.arrays[name].shape, array.dtype)
                wide[ended] = array.numpy()
                _write(padded.arrays[name], wide)
            block = padded
        found = {f"final_{name}": part for name, part in block.fields.items() if name != "_numbers"}
        return {**found, "final_games": self._uploaded(np.array(ended, np.int32))}

    def _uploaded(self, values: NDArray[np.int32]) -> DeviceArray:
        """Returns integers in the memory of the GPU."""
        array = DevicePool(self._device, {"values": (values.shape, "int32")}).new().arrays["values"]
        _write(array, values)
        return array

    def _given(self, actions: Any) -> DeviceArray | tuple[_core.Tensor, str]:
        """Returns actions in the memory of the GPU."""
        place, shape = self._place, self._shape
        if isinstance(actions, DeviceArray):
            if actions._buffer.dlpack_device != place:
                raise ValueError(f"expected actions on {self.device}, got an array on {actions.device}")
            if actions._shape != shape:
                raise ValueError(f"expected actions to have shape {shape}, got {actions.shape}")
            if actions._kind != "int32":
                raise TypeError(f"expected actions to be int32, got {actions.dtype}")
            return actions
        if not isinstance(actions, np.ndarray) and hasattr(actions, "__dlpack_device__"):
            kind, index = map(int, actions.__dlpack_device__())
            if (kind, index) == place:
                return self._imported(actions)
            if kind not in (1, 3):
                raise ValueError(f"expected actions on {self.device}, got an array on {device_name((kind, index))}")
            if hasattr(actions, "detach"):
                actions = actions.detach()
        if type(actions) is int and shape == (1,):
            actions = [actions]
        values = _checks.integers("actions", actions, shape)
        block = self._actions.take()
        _write(block.arrays["actions"], values)
        return block.arrays["actions"]

    def _imported(self, actions: Any) -> tuple[_core.Tensor, str]:
        """Takes actions from another package on the same device."""
        if tuple(actions.shape) != self._action_shape:
            raise ValueError(f"expected actions to have shape {self._action_shape}, got {tuple(actions.shape)}")
        if str(actions.dtype).rpartition(".")[2] == "int64":
            # What does not fit in 32 bits stays illegal.
            fitting = actions.clip(-1, 2**31 - 1)
            actions = fitting.int() if hasattr(fitting, "int") else fitting.astype("int32")
        return self._tensor(actions)

    def _given_logits(self, logits: Any) -> DeviceArray | tuple[_core.Tensor, str]:
        """Returns logits in the memory of the GPU."""
        place, shape = self._place, (*self._shape, self.num_actions)
        if isinstance(logits, DeviceArray):
            if logits._buffer.dlpack_device != place:
                raise ValueError(f"expected logits on {self.device}, got an array on {logits.device}")
            if logits._shape == shape and logits._kind == "float32" and logits._is_contiguous():
                return logits
            logits = logits.numpy()
        if not isinstance(logits, np.ndarray) and hasattr(logits, "__dlpack_device__"):
            kind, index = map(int, logits.__dlpack_device__())
            if hasattr(logits, "detach"):
                logits = logits.detach()
            if (kind, index) == place:
                return self._imported_logits(logits, shape)
            if kind not in (1, 3):
                raise ValueError(f"expected logits on {self.device}, got an array on {device_name((kind, index))}")
        values = _checks.floats("logits", logits)
        if values.shape != shape:
            raise ValueError(f"expected logits to have shape {shape}, got {values.shape}")
        if self._logits is None:
            self._logits = DevicePool(self._device, {"logits": (shape, "float32")})
        array = self._logits.take().arrays["logits"]
        _write(array, values)
        return array

    def _imported_logits(self, logits: Any, shape: tuple[int, ...]) -> tuple[_core.Tensor, str]:
        """Takes logits from another package on the same device."""
        if tuple(logits.shape) != shape:
            raise ValueError(f"expected logits to have shape {shape}, got {tuple(logits.shape)}")
        if str(logits.dtype).rpartition(".")[2] != "float32":
            logits = logits.float() if hasattr(logits, "float") else logits.astype("float32")
        if hasattr(logits, "contiguous"):
            logits = logits.contiguous()
        return self._tensor(logits)

    def _tensor(self, array: Any) -> tuple[_core.Tensor, str]:
        """Takes an array from another package, and returns which stream the package works on."""
        if self._place[0] == 1:
            return _core.Tensor(array.__dlpack__()), "default"
        # On the legacy default stream.
        return _core.Tensor(array.__dlpack__(stream=1)), stream_of(array)


@dataclasses.dataclass(slots=True, eq=False, repr=False)
class CudaState:
    """The state of a batch on a GPU: the fields of :class:`State`, as :class:`DeviceArray`.

    The fields that start with ``final_`` are computed when they are read, which is possible until the next step.
    :meth:`numpy` copies everything to the host.
    """

    observation: DeviceArray
    scalars: DeviceArray
    pieces_left: DeviceArray
    tokens: DeviceArray
    legal_action_mask: DeviceArray
    legal_action_counts: DeviceArray
    legal_actions: DeviceArray
    rewards: DeviceArray
    terminated: DeviceArray
    truncated: DeviceArray
    current_player: DeviceArray
    alive: DeviceArray
    scores: DeviceArray
    winner: DeviceArray
    ending: DeviceArray
    move_valid: DeviceArray
    _env: CudaEnvironment
    _blocks: _Blocks
    _number: int | None
    order_refused: DeviceArray = None  # type: ignore[assignment]  # None in games with turns, as in State
    _final: dict[str, Any] | None = None
    # Tokens and scalars in one array, if there are both.
    _numbers: DeviceArray | None = None

    @property
    def final_observation(self) -> DeviceArray | None:
        """The last observations of the games that have just ended; see :class:`State`."""
        return self._of_final("final_observation")

    @property
    def final_scalars(self) -> DeviceArray | None:
        """The scalars that belong to ``final_observation``."""
        return self._of_final("final_scalars")

    @property
    def final_pieces_left(self) -> DeviceArray | None:
        """The pieces that belong to ``final_observation``."""
        return self._of_final("final_pieces_left")

    @property
    def final_tokens(self) -> DeviceArray | None:
        """The tokens that belong to ``final_observation``."""
        return self._of_final("final_tokens")

    @property
    def final_games(self) -> DeviceArray | None:
        """The games that ``final_observation`` belongs to, in ascending order. None if no game has ended."""
        return self._of_final("final_games")

    def _of_final(self, name: str) -> DeviceArray | None:
        if self._final is None:
            self._final = self._env._final(self._number)
        return cast("DeviceArray | None", self._final[name])

    def numpy(self) -> State:
        """Waits for the GPU and copies the state to the host. With final observations, this is possible until the
        next step, as reading them is."""
        names = [field.name for field in dataclasses.fields(self) if not field.name.startswith("_")]
        arrays = {name: getattr(self, name) for name in (*names, *_FINAL)}
        copied: dict[str, Any] = {name: None if array is None else array.numpy() for name, array in arrays.items()}
        return State(**copied)

    def __repr__(self) -> str:
        """Returns the number of games and the shapes of the arrays, not their values."""
        names = (field.name for field in dataclasses.fields(self) if not field.name.startswith("_"))
        arrays = {name: getattr(self, name) for name in names}
        shapes = ", ".join(
            f"{name}={array._kind}{list(array.shape)}" for name, array in arrays.items() if array is not None
        )
        return f"<fourfold.CudaState of {len(self.terminated)} games on {self._env.device}: {shapes}>"


_Blocks = tuple[DeviceBlock, DeviceBlock, DeviceBlock]


def _named(layout: dict[str, Any]) -> DeviceLayout:
    """Returns a layout with the names of types."""
    return {name: (shape, np.dtype(kind).name) for name, (shape, kind) in layout.items()}


def _write(array: DeviceArray, values: NDArray[Any]) -> None:
    """Copies values from the host into a contiguous array."""
    array._buffer.write(array._offset, np.ascontiguousarray(values).reshape(-1).view(np.uint8))


def _on_host(values: Any) -> Any:
    """Returns an argument as the CPU environment accepts it. Arrays on a GPU are copied."""
    if isinstance(values, DeviceArray):
        return values.numpy()
    if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack_device__"):
        if int(values.__dlpack_device__()[0]) == 1:
            return values
        # PyTorch, then CuPy, then JAX.
        return (
            values.cpu() if hasattr(values, "cpu") else values.get() if hasattr(values, "get") else np.asarray(values)
        )
    return values


def cuda_batch(config: dict[str, Any]) -> tuple[_core.Device, _core.CudaBatch, dict[str, Any]]:
    """Returns the arguments of an environment."""
    device = open_device(config["device"])
    batch = _core.CudaBatch(
        device,
        config["game"],
        config["num_envs"],
        game_options(config),
        illegal=config["illegal"],
        autoreset=config["autoreset"],
        # For copies on the host.
        num_threads=_threads.default_threads(),
    )
    if config["start"]:
        batch.set_starts(list(config["start"]))
        batch.reset(None)
    return device, batch, config
