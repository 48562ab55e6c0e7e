"""Analysis of large collections of chess games and positions, on a cluster."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.compute
import pyarrow.fs
import pyarrow.parquet

from fourfold import _checks, _progress
from fourfold._analysis import analyze_batches
from fourfold.ray import _shards
from fourfold.ray._store import Store, resolve

_COMPRESSED = (".gz", ".bz2", ".zst", ".lz4")
"""The endings of files that can only be read from their beginning, so that each is one shard."""

_BLOCK = 1 << 20
_GAME_START = re.compile(rb"\n\r?\n(?=\[Event )")
_LINE_START = re.compile(rb"\n")
_FAULTS = b"fourfold.faults"
_LINE_NUMBER = re.compile(r"^(?P<before>: line |:)(?P<line>\d+)")


@dataclasses.dataclass(frozen=True, slots=True)
class AnalysisOutput:
    """The shards that :func:`analyze` has written."""

    path: str
    """The folder."""
    files: tuple[str, ...]
    """The Parquet files in the order of their input."""
    rows: int
    faults: tuple[str, ...]
    """Positions and games that could not be read, with file, line and column."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Range:
    """A part of a file."""

    path: str
    """The path as it was given."""
    location: str
    """The path on every machine, whatever the working folder of a worker."""
    start: int
    end: int
    lines: int
    """The number of lines before it."""
    is_pgn: bool

    @property
    def has_comment(self) -> bool:
        """Whether its copy starts with a comment. The analysis decides by the first line whether it reads FENs, and
        that of a later part may be invalid."""
        return not self.is_pgn and self.start > 0

    @property
    def added_lines(self) -> int:
        """What is added to the line numbers of the copy."""
        return self.lines - self.has_comment


def analyze(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    facts: str | Iterable[str] | None = None,
    *,
    out: str | os.PathLike[str],
    filesystem: Any = None,
    format: str = "bits",
    strict: bool = False,
    bytes_per_shard: int = 64 * 2**20,
    num_cpus: int = 1,
    progress: _progress.Progress = True,
) -> AnalysisOutput:
    """Analyzes files of PGN games or FENs on a Ray cluster, and writes the columns of :func:`fourfold.chess.analyze` as
    Parquet files to the folder or URI ``out``.

    Large files are cut into parts of about ``bytes_per_shard``; a part of a PGN file starts at an ``[Event`` tag after
    an empty line. Two more columns say where a row comes from: ``file``, and ``offset``, the byte where its part
    starts; ``game`` counts the games of the part. Compressed files are not cut. All machines must see the files and
    the folder; ``filesystem`` is for both.

    What cannot be read is left out and reported in ``faults``; with ``strict`` it is an error. If the folder has
    shards of the same call, only the missing ones are made.
    """
    listed = [paths] if isinstance(paths, str | os.PathLike) else [*paths]
    size = _checks.integer("bytes_per_shard", bytes_per_shard, 1, 2**63 - 1)
    threads = _checks.integer("num_cpus", num_cpus, 1, 1024)
    names = None if facts is None else [*(facts.split(",") if isinstance(facts, str) else facts)]
    analyze_batches([], names, format=format)  # Reports invalid facts here, not in a worker.
    if not listed:
        raise ValueError("expected at least one file, got none")
    _shards.connect()
    ranges = _ranges([os.fspath(path) for path in listed], filesystem, size)
    store = Store(out, filesystem, len(ranges))
    run = {"verb": "analyze", "facts": names, "format": format, "strict": strict, "bytes_per_shard": size}
    store.begin(run, [[part.path, part.start, part.end] for part in ranges])
    options = {"facts": names, "format": format, "strict": strict, "threads": threads}
    shards = []
    for index, part in enumerate(ranges):
        name = f"analyze shard {index} of {len(ranges)} ({part.path}, bytes {part.start} to {part.end})"
        shards.append((name, (part, filesystem, options, index, store)))
    report = _progress.callback(progress, len(shards), "shards")
    found: dict[int, tuple[int, list[str]]] = {}
    for index, result in _shards.run(_analyze_shard, shards, num_cpus=threads):
        found[index] = result
        report(len(found), len(shards))
    store.end()
    return AnalysisOutput(
        path=store.folder,
        files=tuple(map(store.path, range(len(shards)))),
        rows=sum(rows for rows, _ in found.values()),
        faults=tuple(fault for index in sorted(found) for fault in found[index][1]),
    )


def _ranges(paths: list[str], filesystem: Any, size: int) -> list[_Range]:
    """Cuts files into parts, which depend only on the files and ``size``."""
    cuts: list[tuple[str, int, int]] = []
    locations = {}
    for path in paths:
        store, inside = resolve(path, filesystem)
        locations[path] = inside if isinstance(store, pyarrow.fs.LocalFileSystem) else path
        info = store.get_file_info(inside)
        if info.type != pyarrow.fs.FileType.File:
            raise FileNotFoundError(f"no such file: '{path}'")
        step = info.size if path.endswith(_COMPRESSED) else size
        cuts += [(path, start, min(start + step, info.size)) for start in range(0, max(info.size, 1), max(step, 1))]
    shards = [
        (f"survey of {path}, bytes {start} to {end}", (locations[path], start, end, filesystem))
        for path, start, end in cuts
    ]
    found: list[_Range] = []
    lines = 0
    for (path, start, end), (first, skipped, newlines, is_pgn) in zip(
        cuts, _shards.in_order(_shards.run(_survey, shards)), strict=True
    ):
        if start == 0:
            lines = 0
        if start == 0 or first > found[-1].start:
            found.append(_Range(path, locations[path], first, end, lines + skipped, is_pgn))
        lines += newlines
        found[-1] = dataclasses.replace(found[-1], end=end)
    # A part ends where the next one starts, which may be after its cut.
    for index, (part, following) in enumerate(itertools.pairwise(found)):
        if following.path == part.path:
            found[index] = dataclasses.replace(part, end=following.start)
    return found


def _survey(path: str, start: int, end: int, filesystem: Any) -> tuple[int, int, int, bool]:
    """Returns the first game or line that starts at ``start`` or later, the number of lines between ``start`` and
    there, the number of lines until ``end``, and whether the file is PGN. At the end of the file, the first is its
    size."""
    if path.endswith(_COMPRESSED):
        return 0, 0, 0, True
    store, inside = resolve(path, filesystem)
    with store.open_input_file(inside) as file:
        is_pgn = _is_pgn(path, file)
        pattern = _GAME_START if is_pgn else _LINE_START
        first = _next_start(file, pattern, start) if start else 0
        return first, _newlines(file, start, first), _newlines(file, start, end), is_pgn


def _is_pgn(path: str, file: Any) -> bool:
    """Returns whether the analysis reads a file as PGN."""
    file.seek(0)
    with tempfile.TemporaryDirectory(prefix="fourfold-") as folder:
        head = Path(folder) / Path(path).name
        head.write_bytes(file.read(_BLOCK))
        return "game" in pyarrow.RecordBatchReader.from_stream(analyze_batches(head)).schema.names


def _next_start(file: Any, pattern: re.Pattern[bytes], position: int) -> int:
    """Returns the offset after the first match that ends at ``position`` or later, or the size of the file."""
    overlap = 16
    offset = max(0, position - overlap)
    while True:
        file.seek(offset)
        block = file.read(_BLOCK)
        for match in pattern.finditer(block):
            if offset + match.end() >= position:
                return int(offset + match.end())
        if len(block) < _BLOCK:
            return int(file.size())
        offset += len(block) - overlap


def _newlines(file: Any, start: int, end: int) -> int:
    file.seek(start)
    found = 0
    while start < end:
        block = file.read(min(_BLOCK, end - start))
        found += block.count(b"\n")
        start += len(block)
    return found


def _analyze_shard(
    part: _Range, filesystem: Any, options: dict[str, Any], index: int, store: Store
) -> tuple[int, list[str]]:
    """Analyzes a part of a file. Returns the number of rows, and the faults."""
    if not store.has(index):
        store.write(index, functools.partial(_write, part, filesystem, options))
    rows, metadata = store.metadata(index)
    return rows, json.loads(metadata[_FAULTS])


def _write(part: _Range, filesystem: Any, options: dict[str, Any], path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="fourfold-") as folder:
        copy = Path(folder) / "part"
        _copy(part, filesystem, copy)
        _write_facts(part, copy, options, path)


def _write_facts(part: _Range, copy: Path, options: dict[str, Any], path: Path) -> None:
    faults: list[str] = []
    try:
        batches = analyze_batches(copy, **options)
        schema = pyarrow.RecordBatchReader.from_stream(batches).schema
        more = [
            pyarrow.field("file", pyarrow.dictionary(pyarrow.int8(), pyarrow.string())),
            pyarrow.field("offset", pyarrow.uint64()),
        ]
        with pyarrow.parquet.ParquetWriter(path, pyarrow.schema([*more, *schema]), compression="zstd") as writer:
            for columns in batches:
                table = pyarrow.table(columns)
                if "line" in table.column_names:
                    at = table.column_names.index("line")
                    lines = pyarrow.compute.add(table["line"], pyarrow.scalar(part.added_lines, pyarrow.uint64()))
                    table = table.set_column(at, schema.field("line"), lines)
                where = pyarrow.DictionaryArray.from_arrays(
                    pyarrow.array([0] * len(table), pyarrow.int8()), pyarrow.array([part.path])
                )
                offsets = pyarrow.array([part.start] * len(table), pyarrow.uint64())
                table = table.add_column(0, more[0], where).add_column(1, more[1], offsets)
                writer.write_table(table)
                faults += [_moved(fault, str(copy), part) for fault in columns.faults]
            writer.add_key_value_metadata({_FAULTS: json.dumps(faults)})
    except ValueError as error:
        raise ValueError(_moved(str(error), str(copy), part)) from None


def _copy(part: _Range, filesystem: Any, target: Path) -> None:
    """Copies a part of a file to a local one, uncompressed."""
    store, inside = resolve(part.location, filesystem)
    with target.open("wb") as file:
        if part.path.endswith(_COMPRESSED):
            with store.open_input_stream(inside, compression="detect") as stream:
                shutil.copyfileobj(stream, file, _BLOCK)
            return
        if part.has_comment:
            file.write(b"#\n")
        with store.open_input_file(inside) as source:
            source.seek(part.start)
            left = part.end - part.start
            while left > 0 and (block := source.read(min(_BLOCK, left))):
                file.write(block)
                left -= len(block)


def _moved(fault: str, copy: str, part: _Range) -> str:
    """Returns a message about a copied part, with the path and the line of the whole file."""
    if not fault.startswith(copy):
        return fault
    rest = fault.removeprefix(copy)
    return part.path + _LINE_NUMBER.sub(lambda match: f"{match['before']}{int(match['line']) + part.added_lines}", rest)
