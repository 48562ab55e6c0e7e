"""The analysis of chess positions from Python, compared with python-chess and with docs/analysis.md, and
columns compared with boards."""

from __future__ import annotations

import _thread
import contextlib
import copy
import gc
import json
import os
import pickle
import random
import resource
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

import fourfold
from fourfold.chess import FACTS, Analysis, Board, analyze, analyze_batches

chess = pytest.importorskip("chess")
pa = pytest.importorskip("pyarrow")

import python_chess_analysis as peer  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "analysis.md"
PEER_FACTS = ["pieces", "attacked", "hanging", "pinned", "pinned_pawns", "skewered", "developed", "pawns", "attack_map"]
STARTS = [
    chess.STARTING_FEN,
    # Pawns about to promote, and more pieces of a role than a set has.
    "8/PPP1PPPP/8/k7/7K/8/pppp1ppp/8 w - - 0 1",
    "1nnn1k2/1n6/8/8/8/8/1QQQ4/4K1N1 w - - 0 1",
]
BAD = ["", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "é"]


def endgame(rng: random.Random) -> str | None:
    """Returns a position with two kings and up to five random pieces, or None if it is not valid."""
    board = chess.Board(None)
    pieces = "KkPpPpNnBbRrQq"
    letters = ["K", "k", *rng.choices(pieces[2:], k=rng.randrange(6))]
    for square, letter in zip(rng.sample(range(64), len(letters)), letters, strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = rng.random() < 0.5
    return board.fen() if board.is_valid() else None


def positions(count: int, seed: int = 0) -> list[str]:
    """Returns FENs, half from random games and half from sparse endgames."""
    rng = random.Random(seed)
    fens: list[str] = []
    start = 0
    while len(fens) < count // 2:
        board = chess.Board(STARTS[start % len(STARTS)])
        start += 1
        while not board.is_game_over() and board.ply() < 120 and len(fens) < count // 2:
            fens.append(board.fen())
            board.push(rng.choice(list(board.legal_moves)))
    while len(fens) < count:
        if fen := endgame(rng):
            fens.append(fen)
    return fens


FENS = positions(2400)


def by_name(facts: dict[str, Any]) -> dict[str, Any]:
    """Converts the facts of the peer to the format of our JSON."""

    def names(squares: Any) -> list[str]:
        found = chess.scan_forward(squares) if isinstance(squares, int) else squares
        return [chess.square_name(square) for square in found]

    def side(facts: dict[str, Any]) -> dict[str, Any]:
        return {name: side(value) if isinstance(value, dict) else names(value) for name, value in facts.items()}

    attack_map = {
        chess.square_name(square): {"attackers": names(attackers), "defenders": names(defenders)}
        for square, (attackers, defenders) in facts["attack_map"].items()
    }
    return {color: side(facts[color]) for color in ("white", "black")} | {"attack_map": attack_map}


def test_facts_match_python_chess() -> None:
    pins, attackers = 0, 0
    for fen in FENS:
        board = chess.Board(fen)
        found = Board(fen).analysis().to_dict(PEER_FACTS)
        assert found.pop("fen") == fen
        assert found == by_name(peer.analyze(board)), fen
        # Compare with python-chess itself, square by square.
        for square, piece in board.piece_map().items():
            name = chess.square_name(square)
            around = found["attack_map"][name]
            for color, which in ((not piece.color, "attackers"), (piece.color, "defenders")):
                expected = [chess.square_name(other) for other in board.attackers(color, square)]
                assert around[which] == expected, (fen, name)
                attackers += len(expected)
            side = found["white" if piece.color else "black"]
            pinned = piece.piece_type != chess.KING and board.is_pinned(piece.color, square)
            assert (name in side["pinned"] + side["pinned_pawns"]) == pinned, (fen, name)
            pins += pinned
    assert pins > 100 and attackers > 10_000, (pins, attackers)


def test_board_matches_the_documentation() -> None:
    analysis, chess960, checked = Board().analysis(), False, 0
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        key, _, value = line.partition(": ")
        if key == "```analysis":
            chess960 = False
        elif key == "variant":
            chess960 = value == "chess960"
        elif key == "position":
            analysis = Board(value, chess960=chess960).analysis()
        elif (got := said(analysis, key)) is not None:
            assert got == ([] if value == "none" else value.split()), f"{PAGE.name}:{number}"
            checked += 1
    assert checked > 110, checked


def said(analysis: Analysis, key: str) -> list[str] | None:
    """Returns a fact as the page writes it, or None if there is none for the key."""
    match key.split():
        case [("attackers" | "defenders") as which, square] if len(square) == 2:
            return analysis.attack_map[square][which]
        case [("white" | "black") as color, name, *rest]:
            side = analysis.to_dict(FACTS)[color]
            name, _, kind = name.partition(".")
            value = side[name][kind] if kind else side[name]
            if rest:
                return value[rest[1]] if rest[0] == "any" else None  # type: ignore[no-any-return]
            if isinstance(value, int):
                return [str(value)]
            if isinstance(value, dict):
                numbers = all(isinstance(entry, int) for entry in value.values())
                return [f"{square}={entry}" if numbers else square for square, entry in value.items()]
            return list(value)
    return None


def test_analysis_is_cached_per_position() -> None:
    board = Board()
    first = board.analysis()
    assert board.analysis() == first and board._table.analyses() == 1
    board.push("e4")
    assert board._table.analyses() == 1
    assert board.analysis() != first and board._table.analyses() == 2
    board.undo()
    assert board.analysis() == first and board._table.analyses() == 3
    # Changing a result does not affect later ones.
    first.white.pieces.clear()
    assert len(board.analysis().white.pieces) == 16 and board._table.analyses() == 3


def test_an_analysis_pickles_and_is_frozen() -> None:
    analysis = Board(FENS[50]).analysis()
    assert pickle.loads(pickle.dumps(analysis)) == analysis == copy.deepcopy(analysis)
    with pytest.raises(AttributeError):
        analysis.fen = ""  # type: ignore[misc]
    with pytest.raises(AttributeError):
        analysis.white.hanging = []  # type: ignore[misc]
    default = analysis.to_dict()
    assert json.loads(json.dumps(default)) == default
    assert list(default["white"]) == list(FACTS[: FACTS.index("forks") + 1])
    assert "attack_map" not in default and "attack_map" in analysis.to_dict(FACTS)
    default["white"]["pieces"].clear()
    assert analysis.white.pieces
    with pytest.raises(ValueError, match="unknown fact 'hangign': expected one of pieces, attacked"):
        analysis.to_dict("hangign")


def names_of(bits: int) -> list[str]:
    return [chess.square_name(square) for square in chess.scan_forward(bits)]


def row_of(analysis: Analysis) -> dict[str, Any]:
    """Returns the expected row with squares by name."""
    found: dict[str, Any] = {"fen": analysis.fen}
    for color, side in (("white", analysis.white), ("black", analysis.black)):
        for name, value in analysis.to_dict(FACTS)[color].items():
            column = f"{color}_{name}"
            if name == "pawns":
                found |= {f"{column}_{kind}": squares for kind, squares in value.items()}
            elif name == "mobility":
                found[column] = sum(side.mobility.values())
            elif name == "see":
                found[column] = [{"move": move, "value": gain} for move, gain in value.items()]
            elif name == "x_rays":
                found[column] = [{"square": square, "squares": gained} for square, gained in value.items()]
            else:
                found[column] = value
    found["attack_map"] = [{"square": square, **both} for square, both in analysis.attack_map.items()]
    return found


def with_names(row: dict[str, Any]) -> dict[str, Any]:
    """Converts a row of bits to one with square names."""
    whole = {"material", "mobility", "king_ring"}

    def named(value: Any, key: str) -> Any:
        if isinstance(value, list):
            return [named(entry, key) for entry in value]
        if isinstance(value, dict):
            return {name: named(entry, name) for name, entry in value.items()}
        if isinstance(value, str) or key in {"index", "value"} or key.partition("_")[2] in whole:
            return value
        return chess.square_name(value) if key == "square" else names_of(value)

    return {key: named(value, key) for key, value in row.items()}


def test_columns_match_boards() -> None:
    fens = FENS[::3]
    bits = pa.table(analyze(fens, FACTS, batch_size=100)).to_pylist()
    squares = pa.table(analyze(fens, FACTS, format="squares", batch_size=333)).to_pylist()
    assert len(bits) == len(squares) == len(fens)
    for index, (fen, one, other) in enumerate(zip(fens, bits, squares, strict=True)):
        expected = {"index": index, **row_of(Board(fen).analysis())}
        assert other == expected, fen
        assert with_names(one) == expected, fen


def test_boards_are_analyzed_at_the_time_of_the_call() -> None:
    fens = FENS[::30]
    boards = [Board(fen) for fen in fens]
    boards[0].push(boards[0].legal_moves[0])
    table = pa.table(analyze(iter(boards), FACTS, batch_size=7))
    same = pa.table(analyze([board.fen for board in boards], FACTS))
    assert table == same.drop_columns(["fen"])
    # Moves played later have no effect.
    batches = analyze_batches([Board()], "pieces")
    board = Board()
    reader = analyze_batches([board], "pieces")
    board.push("e2e4")
    assert pa.table(reader) == pa.table(batches)
    assert analyze([Board(chess960=True)], "material").column_names[0] == "index"


def test_only_chess_boards_are_analyzed() -> None:
    with pytest.raises(TypeError, match=r"^expected boards\[1\] to be a board, got str$"):
        analyze([Board(), "4k3 w"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="only chess boards"):
        analyze([fourfold.blokus.Board()])


def test_types_of_columns() -> None:
    schema = pa.table(analyze([], FACTS)).schema
    assert schema.field("white_hanging").type == pa.uint64()
    assert schema.field("black_material").type == pa.int32()
    assert schema.field("white_forks").type.value_type == pa.string()
    assert [field.name for field in schema.field("attack_map").type.value_type] == [
        "square",
        "attackers",
        "defenders",
    ]
    named = pa.table(analyze([], format="squares")).schema
    assert named.field("white_pawns_passed").type.value_type == pa.string()
    assert pa.schema(analyze([], FACTS)) == schema


def test_empty_input() -> None:
    columns = analyze(iter([]))
    assert len(columns) == 0 and columns.faults == [] and pa.table(columns).num_rows == 0
    assert columns.column_names[:2] == ["index", "fen"]
    assert list(analyze_batches([])) == []


def test_invalid_fens_are_skipped_and_reported() -> None:
    fens = [FENS[0], *BAD, FENS[1]]
    columns = analyze(fens, "material")
    table = pa.table(columns)
    assert table["index"].to_pylist() == [0, 5] and table["fen"].to_pylist() == FENS[:2]
    assert [fault.partition(":")[0] for fault in columns.faults] == [f"fens[{i}]" for i in range(1, 5)]
    assert "turn: expected 'w' or 'b', got 'x'" in columns.faults[2]
    with pytest.raises(fourfold.PositionError, match=r"^fens\[1\]: invalid FEN: "):
        analyze(fens, strict=True)
    with pytest.raises(TypeError):
        analyze([FENS[0], 3])  # type: ignore[list-item]


def test_files_of_fens(tmp_path: Path) -> None:
    path = tmp_path / "my positions.fen"
    path.write_text(f"# two\n{FENS[3]}\n\nnonsense\n  {FENS[4]}\n")
    columns = analyze(path, "hanging")
    table = pa.table(columns)
    assert table["line"].to_pylist() == [2, 5] and table["fen"].to_pylist() == FENS[3:5]
    assert columns.faults[0].startswith(f"{path}:4: invalid FEN")
    assert pa.table(analyze(str(path), "hanging")).equals(table)
    with pytest.raises(fourfold.PositionError, match="positions.fen:4: "):
        analyze(path, strict=True)
    path.write_bytes(b"8/\xff\n")
    # Such lines are Latin-1, as in PGN.
    assert (
        analyze(path).faults[0].endswith(":1: invalid FEN: board: expected 8 ranks separated by '/', got 2, in '8/ÿ'")
    )
    with pytest.raises(FileNotFoundError, match="no such.fen"):
        analyze(tmp_path / "no such.fen")
    with pytest.raises(OSError):
        analyze(tmp_path)


PGN = """[White "a"]

1. e4 e5 2. Nf3 *

[White "b"]

1. e4 Ke4 *

[White "c"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 *
"""


def test_games(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    columns = analyze(path, "material,forks")
    table = pa.table(columns)
    assert table["game"].to_pylist() == [1, 1, 1, 1, 2, 2, 3, 3]
    assert table["ply"].to_pylist() == [0, 1, 2, 3, 0, 1, 0, 1]
    board, fens = Board(), [Board().fen]
    for move in ["e4", "e5", "Nf3"]:
        board.push(move)
        fens.append(board.fen)
    assert table["fen"].to_pylist()[:4] == fens
    assert len(columns.faults) == 1
    assert columns.faults[0].startswith(f"{path}: line 7, column 7: "), columns.faults
    with pytest.raises(fourfold.PositionError, match="line 7, column 7: "):
        analyze(path, strict=True)


def test_invalid_arguments_are_rejected() -> None:
    with pytest.raises(ValueError, match="unknown fact 'hangign': expected one of pieces, attacked, hanging"):
        analyze(FENS[:1], ["material", "hangign"])
    with pytest.raises(ValueError, match="invalid format 'names': expected one of bits, squares"):
        analyze(FENS[:1], format="names")
    with pytest.raises(ValueError, match="expected threads of at least 1, got 0"):
        analyze(FENS[:1], threads=0)
    for size in (-1, 0, 1 << 30):
        with pytest.raises(ValueError, match=f"expected batch_size .*, got {size}"):
            analyze(FENS[:1], batch_size=size)


def ipc(columns: Any) -> bytes:
    table = pa.table(columns)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


@pytest.mark.parametrize("format", ["bits", "squares"])
def test_output_does_not_depend_on_threads(format: str) -> None:
    fens = FENS[:700] + BAD + FENS[700:]
    one = analyze(fens, FACTS, format=format, threads=1, batch_size=128)
    for threads in (2, 3):
        many = analyze(fens, FACTS, format=format, threads=threads, batch_size=128)
        assert ipc(many) == ipc(one) and many.faults == one.faults


def test_batches_stream() -> None:
    whole = pa.table(analyze(FENS, "hanging"))
    batches = list(analyze_batches(FENS, "hanging", threads=2, batch_size=1000))
    assert [len(batch) for batch in batches] == [1000, 1000, 400]
    assert pa.concat_tables(map(pa.table, batches)).equals(whole)

    reader = analyze_batches(FENS, "hanging", batch_size=100)
    assert len(next(reader)) == 100
    stream = pa.RecordBatchReader.from_stream(reader)
    assert stream.schema == whole.schema
    assert stream.read_all().equals(whole.slice(100))
    assert list(reader) == []


def test_strict_stream_stops_at_an_error() -> None:
    stream = pa.RecordBatchReader.from_stream(analyze_batches(FENS[:10] + BAD, strict=True, batch_size=10, threads=1))
    assert stream.read_next_batch().num_rows == 10
    with pytest.raises(Exception, match=r"fens\[10\]: invalid FEN"):
        stream.read_next_batch()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_ctrl_c_interrupts_between_batches(tmp_path: Path) -> None:
    # Shells start background jobs with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    path = tmp_path / "pipe.fen"
    os.mkfifo(path)

    def write() -> None:
        # The file ends after the interrupt, so the reader must notice the interrupt first.
        with open(path, "w") as pipe, contextlib.suppress(BrokenPipeError):
            pipe.write(f"{FENS[0]}\n")
            pipe.flush()
            _thread.interrupt_main()
            pipe.write(f"{FENS[1]}\n" * 3)
            pipe.flush()

    writer = threading.Thread(target=write)
    writer.start()
    with pytest.raises(KeyboardInterrupt):
        analyze(path, threads=1, batch_size=1)
    writer.join()
    signal.signal(signal.SIGINT, before)


def test_arrow_arrays_outlive_their_source() -> None:
    columns = analyze(FENS, FACTS, format="squares")
    one, two = pa.table(columns), pa.table(columns)
    address = [table["index"].chunk(0).buffers()[1].address for table in (one, two)]
    assert address[0] == address[1], "columns are shared, not copied"
    schema = pa.schema(columns)
    assert schema == one.schema and not any(field.nullable for field in schema)
    expected = one.to_pylist()
    batch = one.to_batches()[0]
    # Child arrays that are kept while their parents are released.
    lists, squares = one["white_x_rays"], batch["attack_map"].values.field("attackers")
    count = len(squares)
    del columns, one, batch
    gc.collect()
    two.validate(full=True)
    assert two.to_pylist() == expected
    del two
    gc.collect()
    lists.validate(full=True)
    squares.validate(full=True)
    assert lists.to_pylist() == [row["white_x_rays"] for row in expected] and len(squares) == count > 0


def test_released_arrow_arrays_are_freed(tmp_path: Path) -> None:
    file = tmp_path / "many.fen"
    file.write_text("\n".join(FENS[:500] * 4), encoding="utf-8")

    def export() -> int:
        reader = pa.RecordBatchReader.from_stream(analyze_batches(file, FACTS, format="squares", batch_size=500))
        return sum(batch.nbytes for batch in reader)

    def unread() -> None:
        columns = analyze(FENS, FACTS)
        columns.__arrow_c_stream__()
        columns.__arrow_c_schema__()
        pa.RecordBatchReader.from_stream(analyze_batches(file, FACTS)).read_next_batch()

    def resident() -> int:
        gc.collect()
        pages = Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]
        return int(pages) * resource.getpagesize()

    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory of a process is read from /proc")
    (size, before) = max((export(), resident()) for _ in range(3))
    for _ in range(10):
        export()
        unread()
    assert resident() - before < 5 * size, "ten exports have left more than five behind"


def test_parquet_and_back(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "facts.parquet"
    table = pa.table(analyze(FENS, FACTS))
    parquet.write_table(table, path)
    assert parquet.read_table(path).equals(table)


def test_polars_reads_it_too(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    columns = analyze(FENS, FACTS, format="squares")
    frame = polars.DataFrame(columns)
    assert frame.columns == columns.column_names
    path = tmp_path / "facts.parquet"
    frame.write_parquet(path)
    assert polars.read_parquet(path).equals(frame)
    assert frame.to_dicts()[:50] == pa.table(columns).slice(0, 50).to_pylist()


def test_the_former_name_of_a_fact_warns() -> None:
    pawns = Board("4k3/8/8/8/2P1p3/6Pp/3P3P/4K3 w - - 0 1").analysis().white.pawns
    with pytest.warns(DeprecationWarning, match="backward_held has been renamed to backward_blocked"):
        assert pawns.backward_held == pawns.backward_blocked == ["d2", "h2"]
