"""Reading files of every game."""

from __future__ import annotations

import io
import itertools
import json
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import fourfold

PGN = '[White "Ada"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n[White "Ben"]\n\n1. d4 *\n'
PGN4 = '[StartFen4 "4PCo"]\n[Variant "Teams"]\n[Red "Ann"]\n\n1. h2-h3 .. b8-c8 .. g13-g12 .. m7-l7\n'
SGF = "(;GM[Blokus Duo]PB[Ada];B[e8,e9,e10];W[j5])"
REPLAY = (
    '{"kung_fu_replay":1,"rules_version":1,"rules":"8x8 lightning","acts":["0 1 P:1:6:4->4,4","40 resign 2"],"end":40}'
)
FEN = '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\n4k3/8/8/8/8/8/8/4K3 b - - bm Kd7; id "one";\n'
FEN4 = "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/14/14/14/14/14/13,gK/bK,13/14/14/14/14/14/7,rK,6\n"
BLOKUS = "duo p 14/14/14/14/4p9/4p9/4p9/14/14/14/14/14/14/14 -\n"
ALL = [PGN, PGN4, SGF, REPLAY, FEN, FEN4, BLOKUS]


def read(text: str) -> list[fourfold.FileGame]:
    return list(fourfold.read_games(io.StringIO(text)))


def test_games_have_tags_moves_and_results() -> None:
    first, second = read(PGN)
    assert (first.number, first.format, first.game) == (1, "PGN", "chess")
    assert first.tags == {"White": "Ada", "Result": "1-0"}
    assert first.start == fourfold.chess.Board().fen
    assert first.moves == ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
    assert first.codes[:2] == ["e2e4", "e7e5"] and len(first) == 7
    assert first.result == "1-0" and first.outcome == fourfold.chess.Outcome("checkmate", (0,))
    assert second.number == 2 and second.outcome is None and second.result == "*"
    assert first.problems == second.problems == []
    assert repr(first) == "<FileGame 1: chess, 7 plies>"


def test_every_format_is_read() -> None:
    games = [read(text)[0] for text in ALL]
    assert [game.game for game in games] == [
        "chess",
        "four-player-teams",
        "blokus-duo",
        "kung-fu",
        "chess",
        "four-player",
        "blokus-duo",
    ]
    assert games[1].moves == ["h2-h3", "b8-c8", "g13-g12", "m7-l7"]
    assert games[2].tags["PB"] == "Ada" and games[2].codes == ["e8,e9,e10", "j5"]
    assert games[3].outcome == fourfold.chess.Outcome("resignation", (0,))
    assert games[3].moves == [] and len(games[3]) == 2
    assert read(FEN)[1].tags == {"bm": "Kd7", "id": "one"}
    binary = games[3].convert("binary")
    assert next(fourfold.read_games(io.BytesIO(binary))).convert("json") == games[3].convert("json")


@pytest.mark.parametrize("text", ALL)
def test_sources_of_every_kind(text: str, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(text)

    class Slow(io.BytesIO):
        """Returns fewer bytes than asked for."""

        def read(self, size: int | None = -1) -> bytes:
            return super().read(1 if size is None else min(size, 3))

    sources: list[Callable[[], list[fourfold.FileGame]]] = [
        lambda: list(fourfold.read_games(path)),
        lambda: list(fourfold.read_games(str(path))),
        lambda: list(fourfold.read_games(io.BytesIO(text.encode()))),
        lambda: list(fourfold.read_games(Slow(text.encode()))),
        lambda: list(fourfold.read_games(io.StringIO(text))),
    ]
    for games in sources:
        assert [game.start for game in games()] == [game.start for game in read(text)]
    with path.open() as file:
        assert [game.start for game in fourfold.read_games(file)] == [game.start for game in read(text)]
    with path.open("rb") as binary:
        assert len(list(fourfold.read_games(binary))) == len(read(text))


def test_text_with_characters_of_several_bytes() -> None:
    text = "".join(f'[White "Dürer – {number} ♞"]\n\n1. e4 *\n\n' for number in range(5000))
    games = read(text)
    assert [game.tags["White"] for game in games] == [f"Dürer – {number} ♞" for number in range(5000)]


def test_problems_do_not_end_the_iteration() -> None:
    bad, good = read('1. e4 Ke3 *\n\n[White "B"]\n\n1. d4 *\n')
    assert bad.problems[0].startswith("line 1, column 7: ") and bad.moves == ["e4"]
    assert good.problems == [] and good.moves == ["d4"]
    with pytest.raises(ValueError, match="cannot convert chess to sgf: expected one of pgn, fen, epd, uci, json"):
        good.convert("sgf")
    with pytest.raises(ValueError, match="unknown format 'doc': expected one of pgn, "):
        good.convert("doc")


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        fourfold.read_games(tmp_path / "missing.pgn")
    for content in ["", "Dear Sir or Madam"]:
        with pytest.raises(fourfold.PositionError, match="expected PGN, PGN4, Blokus SGF, "):
            read(content)
    with pytest.raises(TypeError, match="expected a path or a file object, got int"):
        fourfold.read_games(7)  # type: ignore[arg-type]

    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise RuntimeError("the cable is out")

    with pytest.raises(RuntimeError, match="the cable is out"):
        fourfold.read_games(Failing())

    class Wrong(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return 5  # type: ignore[return-value]

    with pytest.raises(TypeError, match=r"expected read\(\) to return bytes or str, got int"):
        fourfold.read_games(Wrong())

    class Late(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() > 100_000:
                raise RuntimeError("the cable is out")
            return super().read(size)

    games = fourfold.read_games(Late(PGN.encode() * 10_000))
    with pytest.raises(RuntimeError, match="the cable is out"):
        list(games)
    assert list(games) == []


def test_large_files_are_read_lazily() -> None:
    class Endless(io.RawIOBase):
        """An endless file that counts what was read."""

        count = 0

        def read(self, size: int = -1) -> bytes:
            self.count += size
            return (PGN.encode() * (size // len(PGN) + 1))[:size] if size > 0 else b""

    file = Endless()
    tracemalloc.start()
    for game in itertools.islice(fourfold.read_games(file), 20_000):
        assert game.format == "PGN"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20 and file.count < 20_000 * len(PGN)


def test_damaged_files_raise_only_documented_errors() -> None:
    rng = random.Random(0)
    for text in ALL:
        for _ in range(100):
            data = bytearray(text.encode()[: rng.randrange(1, len(text) + 1)])
            data[rng.randrange(len(data))] = rng.randrange(256)
            try:
                games = list(fourfold.read_games(io.BytesIO(data)))
            except fourfold.PositionError:
                continue
            for game in games:
                assert (game.game is None) <= bool(game.problems)
                if game.game not in (None, "kung-fu"):
                    written = json.loads(game.convert("json"))
                    assert [move["code"] for move in written["moves"]] == game.codes
                    assert written["problems"] == game.problems
