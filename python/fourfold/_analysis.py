"""Analysis of chess positions: one as an object, many as Arrow columns."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypedDict, Unpack

from fourfold import _core, _deprecated
from fourfold._board import TableBoard

FACTS: tuple[str, ...] = tuple(_core.FACTS)
"""The names of all facts. Those up to ``forks`` are the default."""

_USUAL = FACTS[: FACTS.index("forks") + 1]

Columns = _core.Columns


@dataclass(frozen=True)
class Pawns:
    """The pawn structure of one side, as lists of squares."""

    all: list[str]
    doubled: list[str]
    isolated: list[str]
    backward: list[str]
    backward_blocked: list[str]
    passed: list[str]

    @property
    def backward_held(self) -> list[str]:
        """The former name of ``backward_blocked``."""
        warnings.warn("backward_held has been renamed to backward_blocked", DeprecationWarning, stacklevel=2)
        return self.backward_blocked

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Side:
    """The facts about one side's pieces: lists of squares, sorted a1, b1, …, h8, and numbers."""

    pieces: list[str]
    attacked: list[str]
    hanging: list[str]
    pinned: list[str]
    pinned_pawns: list[str]
    skewered: list[str]
    developed: list[str]
    pawns: Pawns
    outposts: list[str]
    en_prise: list[str]
    forks: list[str]
    """Moves in UCI notation."""
    material: int
    mobility: dict[str, int]
    """For each piece, the number of squares that it attacks and that hold no piece of its side."""
    king_ring: int
    see: dict[str, int]
    """The static exchange evaluation of each capture, in pawns."""
    x_rays: dict[str, list[str]]
    """The squares that each slider would also attack if the first piece on each of its lines were removed."""

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Analysis:
    """The analysis of a position; ``docs/analysis.md`` has the definitions.

    >>> from fourfold.chess import Board
    >>> analysis = Board("4k3/8/2p5/3p4/4P3/8/8/3RK3 w - - 0 1").analysis()
    >>> analysis.black.hanging, analysis.white.see
    (['d5'], {'d1d5': -3, 'e4d5': 1})
    >>> analysis.attack_map["d5"]
    {'attackers': ['d1', 'e4'], 'defenders': ['c6']}
    >>> analysis
    <Analysis of 4k3/8/2p5/3p4/4P3/8/8/3RK3 w - - 0 1: white hanging e4, en prise e4; \
black hanging d5, en prise d5>
    """

    fen: str
    white: Side
    black: Side
    attack_map: dict[str, dict[str, list[str]]]
    """The ``attackers`` and ``defenders`` of each piece."""

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def _of(cls, found: dict[str, Any]) -> Analysis:
        white, black = (Side(**{**found[side], "pawns": Pawns(**found[side]["pawns"])}) for side in ("white", "black"))
        return cls(found["fen"], white, black, found["attack_map"])

    def to_dict(self, facts: str | Iterable[str] | None = None) -> dict[str, Any]:
        """Returns the same as a line of ``fourfold analyze --format json``, by default with the same facts.

        >>> from fourfold.chess import Board
        >>> Board().analysis().to_dict("material")
        {'fen': 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', \
'white': {'material': 39}, 'black': {'material': 39}}
        """
        chosen = _USUAL if facts is None else _names(facts)
        if unknown := [name for name in chosen if name not in FACTS]:
            raise ValueError(f"unknown fact {unknown[0]!r}: expected one of {', '.join(FACTS)}")
        found: dict[str, Any] = {"fen": self.fen}
        for name in ("white", "black"):
            side = getattr(self, name)
            found[name] = {
                fact: _plain(getattr(side, fact)) for fact in FACTS if fact in chosen and fact != "attack_map"
            }
        if "attack_map" in chosen:
            found["attack_map"] = _plain(self.attack_map)
        return found

    def __repr__(self) -> str:
        sides = [_side_text("white", self.white), _side_text("black", self.black)]
        return f"<Analysis of {self.fen}: {'; '.join(filter(None, sides)) or 'nothing hanging'}>"


def _side_text(name: str, side: Side) -> str:
    """Returns the most urgent facts about a side as text, which may be empty."""
    found = {
        "hanging": side.hanging,
        "en prise": side.en_prise,
        "pinned": side.pinned + side.pinned_pawns,
        "skewered": side.skewered,
        "forks": side.forks,
    }
    text = ", ".join(f"{fact} {' '.join(found[fact])}" for fact in found if found[fact])
    return text and f"{name} {text}"


Source = str | os.PathLike[str] | Iterable[str] | Iterable[TableBoard]


class ReadOptions(TypedDict, total=False):
    """The options of :func:`analyze_batches`."""

    format: str
    threads: int | None
    strict: bool
    batch_size: int


@_deprecated.arguments(names={"form": "format"})
def analyze(source: Source, facts: str | Iterable[str] | None = None, **options: Unpack[ReadOptions]) -> Columns:
    """Analyzes many positions at once and returns Arrow columns with one row per position.

    ``source`` is an iterable of FENs or boards, or the path of a file with one FEN per line or with games
    in PGN, of which every position is analyzed. Boards are analyzed as they are at the time of the call,
    without a ``fen`` column. ``facts`` are names from `FACTS`, as a list or a comma-separated string, by
    default those up to ``forks``. The options are those of :func:`analyze_batches`.

    The result can be passed directly to ``pyarrow.table``, ``polars.DataFrame`` and anything else that
    reads Arrow PyCapsules. ``docs/analysis.md`` lists the columns.

    >>> columns = analyze(["4k3/8/2p5/3p4/4P3/8/8/3RK3 w - - 0 1", "4k3 w"], "hanging,material")
    >>> columns
    <Columns: 1 positions, 6 columns, 1 faults>
    >>> columns.column_names
    ['index', 'fen', 'white_hanging', 'white_material', 'black_hanging', 'black_material']
    >>> columns.faults[0][:34]
    'fens[1]: invalid FEN: fields: expe'
    >>> from fourfold.chess import Board
    >>> analyze([Board()], "material").column_names
    ['index', 'white_material', 'black_material']
    """
    return analyze_batches(source, facts, **options).rest()


@_deprecated.arguments(names={"form": "format"})
def analyze_batches(
    source: Source,
    facts: str | Iterable[str] | None = None,
    *,
    format: str = "bits",
    threads: int | None = None,
    strict: bool = False,
    batch_size: int = 8192,
) -> _core.FactReader:
    """Like :func:`analyze`, but batch by batch, in memory that does not grow with the file.

    Sets of squares are integers with one bit per square, a1 the lowest, or with ``format="squares"`` lists of
    names. ``threads`` defaults to the number of cores; rows keep their order. Positions that cannot be read
    are left out and reported in ``faults``; with ``strict`` they raise `PositionError`.

    Iterate over the result to get batches, each with its own ``faults``, or pass it to
    ``pyarrow.RecordBatchReader.from_stream``, which reads the remaining ones. If Ctrl-C interrupts the iteration,
    it can be continued with the batch that was interrupted.

    >>> fens = ["4k3/8/8/8/8/8/8/4K3 w - - 0 1"] * 5
    >>> [len(columns) for columns in analyze_batches(fens, batch_size=2)]
    [2, 2, 1]
    """
    if threads is not None and threads < 1:
        raise ValueError(f"expected threads of at least 1, got {threads}")
    if batch_size < 1:
        raise ValueError(f"expected batch_size of at least 1, got {batch_size}")
    options = {
        "facts": None if facts is None else ",".join(_names(facts)),
        "format": format,
        "threads": threads,
        "strict": strict,
        "batch_size": batch_size,
    }
    if isinstance(source, (str, os.PathLike)):
        return _core.FactReader.file(Path(source), options)
    items: list[Any] = source if isinstance(source, list) else list(source)
    if items and isinstance(items[0], TableBoard):
        return _core.FactReader.boards(_tables(items), options)
    return _core.FactReader.fens(items, options)


def _tables(boards: list[Any]) -> list[_core.Table]:
    try:
        return [board._table for board in boards]
    except AttributeError:
        index, other = next((index, board) for index, board in enumerate(boards) if not isinstance(board, TableBoard))
        raise TypeError(f"expected boards[{index}] to be a board, got {type(other).__name__}") from None


def _names(facts: str | Iterable[str]) -> list[str]:
    given = facts.split(",") if isinstance(facts, str) else facts
    return [name.strip() for name in given]


def _plain(value: Any) -> Any:
    """Returns a copy made of JSON types, so that changes to it do not affect the original."""
    if isinstance(value, Pawns):
        return {field.name: list(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    return list(value) if isinstance(value, list) else value
