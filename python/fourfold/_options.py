"""The arguments of ``make``, for type checkers. The native module checks them at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from fourfold._state import AnyObservationFormat, Autoreset, FinalFormat, Illegal, MaskFormat

GameName = Literal["chess", "four_player", "blokus", "blokus_duo", "kung_fu", "kung_fu_4p"]
"""The games that ``make`` knows."""
CudaDevice = Literal[
    "cuda", "cuda:0", "cuda:1", "cuda:2", "cuda:3", "cuda:4", "cuda:5", "cuda:6", "cuda:7", "cuda-emulated"
]
"""The devices of which ``make`` makes a ``CudaEnvironment``. At run time, indices may be larger."""
View = Literal["own", "absolute"]
BlokusReward = Literal["win", "difference", "rank", "points"]


class Options(TypedDict, total=False):
    """The options of every game."""

    packed: bool
    observation: AnyObservationFormat | None
    mask: MaskFormat | None
    autoreset: Autoreset
    illegal: Illegal | None
    final: FinalFormat
    num_threads: int | None
    stream_offset: int
    start: Sequence[str]


class ChessOptions(Options, total=False):
    preset: Literal["fide", "legacy", "pgx"]
    claim: Literal["auto", "off"]
    max_steps: int
    view: View


class FourPlayerOptions(Options, total=False):
    preset: Literal["standard", "chess.com", "legacy"]
    mode: Literal["ffa", "teams"]
    setup: Literal["modern", "classic", "by", "byg", "rg"]
    reward: Literal["points", "rank", "win", "team"]
    actions: Literal["planes", "flat"]
    view: View
    max_steps: int
    points: Literal["standard", "legacy"]
    king_capture: Literal["allow", "forbid"]
    mate_timing: Literal["on_turn", "immediate"]
    winner: Literal["points", "survivor"]
    repetition: int
    quiet: int
    bare_kings: bool
    award_kings: bool


class BlokusOptions(Options, total=False):
    players: Literal[2, 3, 4]
    size: int
    free_starts: bool
    reward: BlokusReward
    view: View


class BlokusDuoOptions(Options, total=False):
    size: int
    starts: Literal["inner", "corners"]
    free_starts: bool
    reward: BlokusReward
    view: View


class KungFuOptions(Options, total=False):
    speed: Literal["standard", "lightning"]
    ticks_per_square: int
    rest: int
    no_move: int
    no_capture: int
    no_draw_before: int
    interval: int
    max_ticks: int
    view: View


class KungFu4POptions(KungFuOptions, total=False):
    seats: str
    teams: bool
    eliminated: Literal["remove", "freeze"]
