"""Environments as functions that JAX can compile."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Literal, cast, get_args

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

import fourfold
from fourfold import _checks, _core, _threads, unpack
from fourfold._described import Described
from fourfold._env import Environment, game_options
from fourfold._make import formats
from fourfold._state import Autoreset, Illegal, MaskFormat, ObservationFormat
from fourfold.jax._kind import Array, Kind
from fourfold.jax._state import State


def make(
    game: str,
    *,
    packed: bool = False,
    observation: ObservationFormat | None = None,
    mask: MaskFormat | None = None,
    slots: int | None = None,
    autoreset: Autoreset = "disabled",
    illegal: Illegal | None = None,
    start: Sequence[str] = (),
    num_threads: int | None = None,
    device: Literal["cuda-emulated"] | None = None,
    **options: Any,
) -> Env:
    """Makes an environment whose functions can be compiled by JAX.

    The options are those of :func:`fourfold.make`, with these differences. By default, a finished game stays as it is
    (``autoreset="disabled"``, as in Pgx), and an illegal action loses the game (``illegal="lose"``, as in Pgx);
    ``illegal="error"`` does not exist, because a compiled function cannot raise an error. With ``mask="sparse"``,
    ``slots`` is the number of legal actions that a state lists; by default, all of them fit. Functions run where JAX
    puts their arrays; ``device="cuda-emulated"`` runs the kernels for GPUs on the CPU, slowly, for tests.

    >>> env = make("chess", mask="sparse", slots=128, observation="packed")
    >>> state = env.init(jax.random.key(0))
    >>> state.legal_actions.shape, int(state.num_legal), state.observation.shape
    ((128,), 20, (117, 8))
    """
    chosen, mask = formats(packed, observation, mask)
    _checks.one_of("observation", chosen, get_args(ObservationFormat))
    observation = cast(ObservationFormat, chosen)
    _checks.one_of("mask", mask, get_args(MaskFormat))
    _checks.one_of("autoreset", autoreset, get_args(Autoreset))
    if device is not None:
        _checks.one_of("device", device, ("cuda-emulated",))
    if illegal is not None:
        _checks.one_of("illegal", illegal, ("lose", "ignore"))
    if unknown := {"num_envs", "final"} & options.keys():
        raise TypeError(f"fourfold.jax.make has no option {unknown.pop()}")
    texts = _checks.texts("start", start)
    if any("\n" in text for text in texts):
        raise ValueError("expected start positions of one line each")
    # Checks the options, and finds the defaults.
    numpy = _make_numpy(game, illegal=illegal, start=texts, num_threads=1, **options)
    spec = numpy._spec
    if slots is None:
        slots = spec["max_legal"]
    elif mask != "sparse":
        raise ValueError(f"slots is for mask='sparse': with mask={mask!r}, pass None")
    threads = _threads.default_threads() if num_threads is None else num_threads
    behavior = {
        "autoreset": autoreset,
        "illegal": "lose" if spec["illegal"] == "error" else spec["illegal"],
        "threads": _checks.integer("num_threads", threads, 1, _threads.MAX_THREADS),
    }
    slots = _checks.integer("slots", slots, 1, spec["max_legal"])
    own = {f":{name}": value for name, value in game_options(numpy._config)}
    format = {"game": game, "observation": observation, "mask": mask, "slots": slots, **own}
    text = _lines([*format.items(), *(("start", text) for text in texts)])
    row_bytes = _core.xla_row_bytes(_lines([*format.items(), *behavior.items()]))
    kind = Kind(text, game, spec, observation, mask, slots, row_bytes)
    return Env(kind, behavior, "fourfold_emulated" if device else "fourfold")


def _make_numpy(game: str, **options: Any) -> Environment:
    """Makes an environment of NumPy. The types of its options are not known here."""
    make: Any = fourfold.make
    return cast(Environment, make(game, **options))


def _lines(pairs: list[tuple[str, Any]]) -> str:
    return "".join(f"{name}\t{value}\n" for name, value in pairs)


class Env:
    """A game as functions that JAX can compile. Made by :func:`make`.

    Each function works on one game; ``jax.vmap`` maps it over many. They keep nothing between calls.
    """

    def __init__(self, kind: Kind, behavior: dict[str, Any], target: str = "fourfold") -> None:
        self._kind = kind
        self._behavior = behavior
        self._target = target
        self._text = kind.text + _lines(list(behavior.items()))
        arrays, masks = kind.arrays(), kind.masks()
        self._init = self._call("init", arrays)
        # The bytes and the mask are changed in place where nothing else needs them.
        names = [name for name, _, _ in arrays]
        aliases = {0: 0, **{1 + index: names.index(name) for index, (name, _, _) in enumerate(masks)}}
        self._step = self._call("step", arrays, aliases)
        self._show = self._call("show", arrays, {0: 0})
        self._sample = self._call("sample", [("actions", kind.rows, np.int32)])

    @property
    def id(self) -> str:
        """The name of the game, such as ``chess``."""
        return self._kind.game

    @property
    def version(self) -> str:
        """The version, such as ``v2``, which changes whenever the behavior does."""
        return self._kind.spec["id"].rpartition("-")[2]

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self._kind.spec["players"]

    @property
    def num_actions(self) -> int:
        """The number of action ids."""
        return self._kind.spec["actions"]

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of an observation in the format of this environment, without players."""
        observations = self._kind.observations(())
        return observations[0][1] if observations else ()

    @property
    def endings(self) -> list[str]:
        """The reasons why games can end."""
        return list(self._kind.spec["endings"])

    @property
    def arrays(self) -> list[str]:
        """The names that :meth:`array` accepts."""
        return [name for name, _ in self._kind.spec["arrays"]]

    def init(self, key: jax.Array) -> State:
        """Starts a game. The key selects the start position, if there are several, now and after restarts."""
        return self._state(self._init(_halves(key, ()), config=self._text))

    def step(self, state: State, action: Any, key: jax.Array | None = None) -> State:
        """Plays an action, or one for each player in simultaneous games. The key is not used; Pgx has it too.

        An illegal action loses the game or is ignored, see :func:`make`. A finished game does not change, except
        that its rewards become 0, unless it restarts by the option ``autoreset``.
        """
        self._check(state)
        given = as_integers("action", action)
        if given.shape != self._kind.rows:
            raise ValueError(f"expected action to have shape {self._kind.rows}, got {given.shape}: see jax.vmap")
        if given.dtype.itemsize > 4 or given.dtype == jnp.uint32:
            # What does not fit in 32 bits stays illegal.
            given = jnp.where((given >= 0) & (given < self.num_actions), given.astype(jnp.int32), -1)
        return self._state(self._step(state._bytes, *self._masks(state), given.astype(jnp.int32), config=self._text))

    def observe(self, state: State, player_id: Any = None) -> Any:
        """Returns the observation of a player, by default that of the player to move, or of all players in
        simultaneous games."""
        self._check(state)
        return self.view(state, player_id).observation

    def view(self, state: State, player_id: Any = None) -> State:
        """Returns a state with the observation of another player, and with the scalars, pieces or tokens that belong to
        it. Everything else stays. A player that is known only when a compiled function runs is limited to those that
        exist."""
        self._check(state)
        if isinstance(player_id, jax.core.Tracer):
            players = [self._observe(state, player) for player in range(self.num_players)]
            if not jnp.issubdtype(player_id.dtype, jnp.integer) or player_id.shape != ():
                raise TypeError(f"expected player_id to be an integer, got {player_id.dtype}{list(player_id.shape)}")
            return state.replace(**jax.tree.map(lambda *arrays: jnp.stack(arrays)[player_id], *players))
        player = None if player_id is None else _checks.integer("player_id", player_id, 0, self.num_players - 1)
        return state.replace(**self._observe(state, player))

    def unpack(self, state: State) -> Any:
        """With ``observation="packed"``: returns the observation as float32, channels last. Channels of kung fu chess
        that have a number for each square, such as the fraction of a flight, are 0.

        >>> env = make("chess", packed=True)
        >>> state = env.init(jax.random.key(0))
        >>> bool((env.unpack(state) == make("chess").init(jax.random.key(0)).observation).all())
        True
        """
        self._check(state)
        if self._kind.observation != "packed":
            raise ValueError(f"expected observation='packed', got observation={self._kind.observation!r}")
        described = Described()
        described._spec = self._kind.spec
        return unpack.observation_jax(state.observation, state.scalars, described)

    def array(self, state: State, name: str) -> Any:
        """Returns one of the arrays of integers that describe a state; ``env.arrays`` has the names. It is computed on the
        CPU: on a GPU, a call waits until the states have been copied."""
        self._check(state)
        shapes = dict(self._kind.spec["arrays"])
        _checks.one_of("name", name, shapes)
        arrays: list[Array] = [(name, tuple(shapes[name]), np.int32)]
        return self._call("array", arrays)(state._bytes, config=self._text, name=name)[0]

    def sample(self, state: State, key: jax.Array) -> Any:
        """Draws a legal action, uniformly at random, or one for each player in simultaneous games.

        With ``mask="sparse"``, only actions in slots are drawn.
        """
        self._check(state)
        if self._kind.mask == "none":
            raise ValueError("expected an environment with masks: mask is 'none'")
        return self._sample(*self._masks(state), _halves(key, self._kind.rows), config=self._text)[0]

    def slot_to_action(self, state: State, slot: Any) -> Any:
        """With ``mask="sparse"``: returns the action in a slot; −1 if there is none."""
        self._check_sparse(state)
        slots = as_integers("slot", slot)
        if slots.shape != self._kind.rows:
            raise ValueError(f"expected slot to have shape {self._kind.rows}, got {slots.shape}: see jax.vmap")
        found = jnp.take_along_axis(state.legal_actions, slots[..., None], -1, mode="clip")[..., 0]
        return jnp.where((slots >= 0) & (slots < self._kind.slots), found, -1)

    def slot_logits(self, state: State, logits: Any) -> Any:
        """With ``mask="sparse"``: returns the logits of the actions in the slots, −∞ for empty slots.

        >>> env = make("chess", mask="sparse", slots=64)
        >>> state = env.init(jax.random.key(0))
        >>> logits = env.slot_logits(state, jnp.zeros(env.num_actions))
        >>> logits.shape, int((logits == 0).sum())
        ((64,), 20)
        """
        self._check_sparse(state)
        given = jnp.asarray(logits)
        shape = (*self._kind.rows, self.num_actions)
        if given.shape != shape:
            raise ValueError(f"expected logits to have shape {shape}, got {given.shape}")
        found = jnp.take_along_axis(given, jnp.maximum(state.legal_actions, 0), -1)
        return jnp.where(state.legal_actions >= 0, found, -jnp.inf)

    # Outside of compiled functions

    def from_positions(self, positions: Sequence[str], key: jax.Array | None = None) -> State:
        """Returns the states of games that start from positions as text, as many as there are positions. The key
        selects where they start again, if they do and there are several start positions.

        >>> env = make("chess")
        >>> state = env.from_positions(["6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"])
        >>> env.positions(state)
        ['6k1/5ppp/8/8/8/8/8/R6K w - - 0 1']
        """
        texts = _checks.texts("positions", positions)
        if not texts:
            raise ValueError("expected at least one position")
        numpy = _make_numpy(self.id, num_envs=len(texts), autoreset="disabled", **self._kind.options)
        numpy.reset(positions=texts)
        rows = np.zeros((len(texts), self._kind.row_bytes), np.uint8)
        rows[:, : numpy.state_bytes] = numpy.states
        # The row ends with the random stream, which begins with its seed and is otherwise 0.
        halves = _halves(jax.random.key(0) if key is None else key, (len(texts),))
        rows[:, -24:-16] = np.asarray(halves)[:, ::-1].astype("<u4").view(np.uint8)
        return cast(State, jax.vmap(self._from_bytes)(jnp.asarray(rows)))

    def positions(self, state: State) -> list[str]:
        """Returns the positions of many games as text, or of one in a list."""
        return numpy_environment(state).positions

    def moves(self, state: State, actions: Any) -> list[str]:
        """Converts actions in the games of a state to text, in UCI notation for chess."""
        given = np.asarray(actions).reshape(-1, *self._kind.rows)
        return numpy_environment(state).moves(given)

    def to_numpy(self, state: State) -> Environment:
        """Returns an environment of :func:`fourfold.make` with copies of the games, and new random streams."""
        return numpy_environment(state)

    def __repr__(self) -> str:
        return f"<fourfold.jax.Env {self._kind.spec['id']}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Env) and (self._text, self._target) == (other._text, other._target)

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[type[Env], tuple[Any, ...]]:
        return type(self), (self._kind, self._behavior, self._target)

    def _call(self, name: str, arrays: list[Array], aliases: dict[int, int] | None = None) -> Callable[..., Any]:
        """Returns a native function with these results."""
        results = [jax.ShapeDtypeStruct(shape, kind) for _, shape, kind in arrays]
        call = jax.ffi.ffi_call(
            f"{self._target}_{name}", results, vmap_method="broadcast_all", input_output_aliases=aliases
        )
        return lambda *arguments, **attributes: _varying(call(*arguments, **attributes), arguments)

    def _state(self, arrays: Sequence[Any]) -> State:
        fields = dict.fromkeys(field.name for field in dataclasses.fields(State))
        fields.update(zip((name for name, _, _ in self._kind.arrays()), arrays, strict=True))
        fields["_kind"] = self._kind
        return State(**fields)  # type: ignore[arg-type]

    def _from_bytes(self, rows: jax.Array) -> State:
        return self._state(self._show(rows, config=self._text))

    def _observe(self, state: State, player: int | None) -> dict[str, Any]:
        """Returns the fields of an observation."""
        if self._kind.observation == "none":
            raise ValueError("expected an environment with observations: observation is 'none'")
        arrays = self._kind.observations(self._kind.rows if player is None else ())
        number = np.int64(-1 if player is None else player)
        found = self._call("observe", arrays)(state._bytes, config=self._text, player=number)
        return {name: array for (name, _, _), array in zip(arrays, found, strict=True)}

    def _check(self, state: State) -> None:
        if not isinstance(state, State):
            raise TypeError(f"expected a fourfold.jax.State, got {type(state).__name__}")
        if state._kind != self._kind:
            ours, theirs = (set(kind.text.splitlines()) for kind in (self._kind, state._kind))
            expected, found = (
                ", ".join(sorted(line.lstrip(":").replace("\t", " ") for line in lines))
                for lines in (ours - theirs, theirs - ours)
            )
            raise ValueError(f"expected a state of the same environment, with {expected}, got one with {found}")
        for name, shape, kind in [*self._kind.arrays()[:1], *self._kind.masks()]:
            array = getattr(state, name)
            if array is None:
                # Only steps and samples need it, and find out.
                continue
            if array.dtype != kind:
                raise TypeError(f"expected state.{name} to be {np.dtype(kind)}, got {array.dtype}")
            if array.shape != shape:
                raise ValueError(f"expected state.{name} to have shape {shape}, got {array.shape}: see jax.vmap")

    def _masks(self, state: State) -> list[Any]:
        """Returns the arrays of the mask."""
        names = [name for name, _, _ in self._kind.masks()]
        for name in names:
            if getattr(state, name) is None:
                raise ValueError(f"expected state.{name} to be an array, got None")
        return [getattr(state, name) for name in names]

    def _check_sparse(self, state: State) -> None:
        self._check(state)
        if self._kind.mask != "sparse":
            raise ValueError(f"expected an environment with mask='sparse', got mask={self._kind.mask!r}")


def auto_reset(env: Any, init: Any = None) -> Callable[..., State]:
    """Returns a step function that restarts finished games in the same step, like Pgx's ``auto_reset``.

    ``terminated``, ``truncated``, ``rewards`` and what describes the end belong to the game that ended, everything
    else to the new one. ``auto_reset(env.step, env.init)`` is accepted too, as Pgx has it.

    >>> env = make("chess", max_steps=2)
    >>> state, step = env.init(jax.random.key(0)), jax.jit(auto_reset(env))
    >>> for key in jax.random.split(jax.random.key(1), 2):
    ...     state = step(state, env.sample(state, key))
    >>> bool(state.truncated), int(state.step_count), int(state.legal_action_mask.sum())
    (True, 0, 20)
    """
    found = getattr(env, "__self__", env)
    if not isinstance(found, Env) or env not in (found, found.step):
        given = getattr(env, "__qualname__", type(env).__name__)
        raise TypeError(f"expected a fourfold.jax.Env or its step function, got {given}")
    if init is not None and init != found.init:
        raise ValueError("expected the init function of the same environment: games restart from its start positions")
    return type(found)(found._kind, {**found._behavior, "autoreset": "same_step"}, found._target).step


def numpy_environment(state: State, limit: int | None = None) -> Environment:
    """Returns an environment with copies of the games of a state, or of the first ``limit`` of them."""
    if not isinstance(state, State):
        raise TypeError(f"expected a fourfold.jax.State, got {type(state).__name__}")
    kind = state._kind
    rows: NDArray[np.uint8] = np.asarray(state._bytes).reshape(-1, kind.row_bytes)[:limit]
    env = _make_numpy(kind.game, num_envs=len(rows), autoreset="disabled", **kind.options)
    config = kind.text + _lines([("autoreset", "disabled"), ("illegal", "lose"), ("threads", 1)])
    states = _core.xla_states(config, rows.tobytes(), env.state_bytes)
    env.load_states(np.frombuffer(states, np.uint8).reshape(-1, env.state_bytes))
    return env


def as_integers(name: str, values: Any) -> Any:
    """Returns an array of JAX, which must have integers. Others must fit in 32 bits."""
    if not isinstance(values, jax.Array):
        return jnp.asarray(_checks.integers(name, values))
    if not jnp.issubdtype(values.dtype, jnp.integer):
        raise TypeError(f"expected {name} to be integers, got {values.dtype}")
    return values


def _varying(results: Sequence[Any], arguments: Sequence[Any]) -> Sequence[Any]:
    """Tells JAX that the results of a custom call differ between devices if its arguments do, inside ``shard_map``.
    Otherwise it would take them for equal."""
    if not hasattr(jax, "typeof"):
        return results
    axes: set[Any] = set()
    for argument in arguments:
        found = jax.typeof(argument)
        axes |= set(found.vma if hasattr(found, "vma") else found.manual_axis_type.varying)
    if not axes:
        return results
    if hasattr(jax.lax, "pcast"):
        return [jax.lax.pcast(result, tuple(axes), to="varying") for result in results]
    return [jax.lax.pvary(result, tuple(axes)) for result in results]


def _halves(key: jax.Array, rows: tuple[int, ...]) -> jax.Array:
    """Returns 64 random bits for each row as two numbers."""
    return jax.random.bits(key, (*rows, 2), jnp.uint32)


def _register() -> None:
    """Registers the native functions with XLA."""
    on_cpu, on_gpu, emulated = _core.xla_handlers()
    for platform, handlers in (("cpu", on_cpu | emulated), ("CUDA", on_gpu)):
        for name, capsule in handlers.items():
            jax.ffi.register_ffi_target(name, capsule, platform=platform)


_register()
