"""Making environments by the name of a game and options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack, get_args, overload

from fourfold import _checks, _deprecated, _play, _progress, _threads
from fourfold._cuda import CudaEnvironment, cuda_batch
from fourfold._env import Environment, native_batch
from fourfold._options import (
    BlokusDuoOptions,
    BlokusOptions,
    ChessOptions,
    CudaDevice,
    FourPlayerOptions,
    GameName,
    KungFu4POptions,
    KungFuOptions,
)
from fourfold._state import (
    AnyObservationFormat,
    Autoreset,
    FinalFormat,
    Illegal,
    MaskFormat,
    ObservationFormat,
    Rollout,
)


@overload
def make(
    game: Literal["chess"], num_envs: int = 1, *, device: Literal["cpu"] = "cpu", **options: Unpack[ChessOptions]
) -> Environment: ...
@overload
def make(
    game: Literal["four_player"],
    num_envs: int = 1,
    *,
    device: Literal["cpu"] = "cpu",
    **options: Unpack[FourPlayerOptions],
) -> Environment: ...
@overload
def make(
    game: Literal["blokus"], num_envs: int = 1, *, device: Literal["cpu"] = "cpu", **options: Unpack[BlokusOptions]
) -> Environment: ...
@overload
def make(
    game: Literal["blokus_duo"],
    num_envs: int = 1,
    *,
    device: Literal["cpu"] = "cpu",
    **options: Unpack[BlokusDuoOptions],
) -> Environment: ...
@overload
def make(
    game: Literal["kung_fu"], num_envs: int = 1, *, device: Literal["cpu"] = "cpu", **options: Unpack[KungFuOptions]
) -> Environment: ...
@overload
def make(
    game: Literal["kung_fu_4p"],
    num_envs: int = 1,
    *,
    device: Literal["cpu"] = "cpu",
    **options: Unpack[KungFu4POptions],
) -> Environment: ...
@overload
def make(
    game: Literal["chess"], num_envs: int = 1, *, device: CudaDevice, **options: Unpack[ChessOptions]
) -> CudaEnvironment: ...
@overload
def make(
    game: Literal["four_player"], num_envs: int = 1, *, device: CudaDevice, **options: Unpack[FourPlayerOptions]
) -> CudaEnvironment: ...
@overload
def make(
    game: Literal["blokus"], num_envs: int = 1, *, device: CudaDevice, **options: Unpack[BlokusOptions]
) -> CudaEnvironment: ...
@overload
def make(
    game: Literal["blokus_duo"], num_envs: int = 1, *, device: CudaDevice, **options: Unpack[BlokusDuoOptions]
) -> CudaEnvironment: ...
@overload
def make(
    game: Literal["kung_fu"], num_envs: int = 1, *, device: CudaDevice, **options: Unpack[KungFuOptions]
) -> CudaEnvironment: ...
@overload
def make(
    game: Literal["kung_fu_4p"], num_envs: int = 1, *, device: CudaDevice, **options: Unpack[KungFu4POptions]
) -> CudaEnvironment: ...
@_deprecated.arguments(
    values={"preset": {"seed": "legacy"}, "points": {"seed": "legacy"}, "autoreset": {"off": "disabled"}}
)
def make(
    game: str,
    num_envs: int = 1,
    *,
    device: str = "cpu",
    packed: bool = False,
    observation: AnyObservationFormat | None = None,
    mask: MaskFormat | None = None,
    autoreset: Autoreset = "same_step",
    illegal: Illegal | None = None,
    final: FinalFormat = "rows",
    num_threads: int | None = None,
    stream_offset: int = 0,
    start: Sequence[str] = (),
    **options: Any,
) -> Environment | CudaEnvironment:
    """Makes an environment.

    ``device="cuda"`` makes a :class:`CudaEnvironment`, which steps the games on an NVIDIA GPU, with arrays that stay
    there; ``"cuda:1"`` is the second GPU. Only the driver needs to be installed. ``"cuda-emulated"`` runs the same
    kernels on the CPU, slowly, for tests. On these devices, ``observation`` may also be ``"bfloat16"``.
    ``packed=True`` is the fast path: masks and observations are bits instead of booleans and floats.
    ``start`` is a list of positions that games start from; the game must not be over in any of them.
    ``final="padded"`` gives final observations one row for each game instead of one for each game that ended.
    ``illegal`` says what an illegal action does. By default it is an error, but with the ``legacy`` preset
    of four-player chess it is ignored. MemoryError is raised if the games do not fit in memory.
    ``num_threads`` is by default the smallest of the CPUs that the process may run on, the CPU limit of its
    cgroup, and ``OMP_NUM_THREADS``; an environment that is unpickled on another machine then decides anew there.
    ``stream_offset`` is added to the index of each game where the index selects a random stream, so that environments
    on several machines can play different parts of the same set of games.

    Other options depend on the game. Chess has ``preset`` ("fide", "legacy", "pgx"), ``claim`` ("auto",
    "off"), ``max_steps`` and ``view`` ("own", "absolute"). Four-player chess has ``preset``
    ("standard", "chess.com", "legacy"), ``mode`` ("ffa", "teams"), ``setup`` ("modern", "classic", "by", "byg", "rg"),
    ``reward`` ("points", "rank", "win", "team"), ``actions`` ("planes", "flat"), ``view``,
    ``max_steps``, and rule options: ``points``, ``king_capture``, ``mate_timing``, ``winner``,
    ``repetition``, ``quiet``, ``bare_kings``, ``award_kings``. Blokus has ``size``, ``free_starts``, ``reward`` ("win",
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
    observation, mask = formats(packed, observation, mask)
    if not isinstance(device, str):
        raise TypeError(f"expected device to be a string, got {device!r}")
    on_cpu = device == "cpu"
    if num_threads is not None:
        if not on_cpu:
            raise ValueError(f"num_threads is for device='cpu': with device={device!r}, pass None")
        num_threads = _checks.integer("num_threads", num_threads, 1, _threads.MAX_THREADS)
    if on_cpu and observation == "bfloat16":
        raise ValueError("invalid observation 'bfloat16': it needs device='cuda'")
    _checks.one_of("observation", observation, get_args(ObservationFormat if on_cpu else AnyObservationFormat))
    _checks.one_of("mask", mask, get_args(MaskFormat))
    _checks.one_of("autoreset", autoreset, get_args(Autoreset))
    _checks.one_of("final", final, get_args(FinalFormat))
    if illegal is not None:
        _checks.one_of("illegal", illegal, get_args(Illegal))
    config = {
        "game": game,
        "device": device,
        "num_envs": _checks.integer("num_envs", num_envs, 1, 2**24),
        "observation": observation,
        "mask": mask,
        "autoreset": autoreset,
        "illegal": illegal,
        "final": final,
        "num_threads": num_threads,
        "stream_offset": _checks.integer("stream_offset", stream_offset, 0, 2**62),
        "start": tuple(_checks.texts("start", start)),
        "options": {name: value for name, value in options.items() if value is not None},
    }
    env = Environment(*native_batch(config)) if on_cpu else CudaEnvironment(*cuda_batch(config))
    # The default depends on the game and its preset.
    config["illegal"] = env._spec["illegal"]
    return env


def formats(
    packed: Any, observation: AnyObservationFormat | None, mask: MaskFormat | None
) -> tuple[AnyObservationFormat, MaskFormat]:
    """Returns the formats of observations and masks, which ``packed`` selects unless they are given."""
    if not isinstance(packed, bool):
        raise TypeError(f"expected packed to be True or False, got {packed!r}")
    if observation is None:
        observation = "packed" if packed else "float32"
    if mask is None:
        mask = "packed" if packed else "bool"
    return observation, mask


def made(env: Any, options: dict[str, Any]) -> Environment:
    """Returns an environment that was given, or one made from the name of a game and options."""
    made = env if isinstance(env, Environment | CudaEnvironment) else make(env, **options)
    if isinstance(made, CudaEnvironment):
        raise ValueError(f"expected an environment on the CPU, got one on {made.device}: to_cpu() makes a copy")
    if options and made is env:
        raise ValueError(f"expected options with the name of a game, not with an environment: {', '.join(options)}")
    return made


def rollout(
    game: GameName,
    games: int,
    *,
    seed: int | None = None,
    players: Sequence[_play.Player] | int | None = None,
    progress: _progress.Progress = False,
    **options: Any,
) -> Rollout:
    """Plays whole games like :meth:`Environment.rollout`: random ones, or with a list of ``players``, games
    between bots and policies. Options are those of :func:`make`; in Blokus, ``players`` may also be the number of players.

    >>> found = rollout("chess", 100, seed=3)
    >>> found.games, found.steps > 1000
    (100, True)
    >>> rollout("four_player", 2, players=["greedy", "random", "greedy", "random"]).games
    2
    """
    if isinstance(players, int):
        options, players = {**options, "players": players}, None
    env: Environment | CudaEnvironment = make(game, **options)
    return env.rollout(games, seed=seed, players=players, progress=progress)
