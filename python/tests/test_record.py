"""Recordings as Arrow and Parquet files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fourfold
from fourfold import _record, unpack

ENVIRONMENTS: list[tuple[str, dict[str, Any]]] = [
    ("chess", {"max_steps": 30}),
    ("four_player", {"max_steps": 30}),
    ("blokus", {"players": 3}),
    ("blokus_duo", {}),
    ("kung_fu", {"speed": "lightning", "max_ticks": 90}),
    ("kung_fu_4p", {"speed": "lightning", "max_ticks": 1500}),
]


def uniform(state: fourfold.State) -> Any:
    assert state.legal_action_mask is not None
    return np.zeros(state.legal_action_mask.shape, np.float32)


@pytest.mark.parametrize("game, options", ENVIRONMENTS)
def test_steps_can_be_replayed(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    """Playing the recorded actions gives the recorded observations, masks, rewards and results."""
    env = fourfold.make(game, packed=True, autoreset="disabled", **options)
    players = ["greedy", "random", uniform, "random"][: env.num_players]
    table_env = fourfold.make(game, **options)
    found = fourfold.record(table_env, tmp_path / "steps.parquet", games=3, seed=2, players=players)
    table = pq.read_table(found.path)
    assert len(table) == found.rows and found.games == 3
    arrays = {name: unpack.column(table, name) for name in table.column_names if name != "ending"}
    endings = table["ending"].to_pylist()
    row = steps = 0
    for index in range(3):
        state = env.reset(seed=2, first_game=index)
        number, returns, first = 0, np.zeros(env.num_players), row
        while not (state.terminated | state.truncated).any():
            simultaneous = env._spec["simultaneous"]
            acting = np.flatnonzero(state.alive[0]) if simultaneous else state.current_player
            actions = env.sample()
            before, rows = row, slice(row, row + len(acting))
            assert (arrays["game"][rows] == index).all() and (arrays["step"][rows] == number).all()
            assert arrays["player"][rows].tolist() == acting.tolist()
            for name in ("observation", "scalars", "tokens", "pieces_left", "legal_action_mask"):
                expected = getattr(state, name)
                if expected is not None:
                    there = expected[0][acting] if simultaneous else expected
                    assert np.array_equal(arrays[name][rows], there), name
            chosen = arrays["action"][rows]
            if simultaneous:
                actions[0, acting] = chosen
            else:
                actions = chosen
            state = env.step(actions)
            returns += state.rewards[0]
            row += len(acting)
            for name in ("rewards", "terminated", "truncated"):
                assert np.array_equal(arrays[name][before], getattr(state, name)[0]), name
            number += 1
        steps += number
        assert (arrays["winner"][first:row] == state.winner[0]).all()
        assert np.allclose(arrays["returns"][first:row], returns)
        expected_ending = env.endings[state.ending[0]] if state.ending[0] >= 0 else None
        assert set(endings[first:row]) == {expected_ending}
    assert row == found.rows and steps == found.steps


@pytest.mark.parametrize("game, options", ENVIRONMENTS)
def test_games_can_be_replayed(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    env = fourfold.make(game, autoreset="disabled", **options)
    found = fourfold.record(env, tmp_path / "games.arrow", games=3, rows="games", seed=2)
    table = pa.ipc.open_file(found.path).read_all()
    assert table["game"].to_pylist() == [0, 1, 2] and found.rows == 3
    each = env.num_players if env._spec["simultaneous"] else 1
    for row in table.to_pylist():
        state = env.reset(positions=[row["start"]])
        assert len(row["actions"]) == len(row["moves"]) == row["steps"] * each
        for first in range(0, len(row["actions"]), each):
            moves = row["moves"][first : first + each]
            actions = env.actions(moves)
            assert actions.reshape(-1).tolist() == row["actions"][first : first + each]
            state = env.step(actions)
        assert (state.terminated | state.truncated).all()
        assert row["winner"] == state.winner[0] and row["scores"] == state.scores[0].tolist()
        assert (row["terminated"], row["truncated"]) == (state.terminated[0], state.truncated[0])
    assert sum(table["steps"].to_pylist()) == found.steps


@pytest.mark.parametrize("rows", ["steps", "games"])
@pytest.mark.parametrize("players", [None, ["greedy", uniform]])
def test_shards_have_the_rows_of_the_whole(
    rows: _record.Rows, players: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def recorded(name: str, shard: tuple[int, int] = (0, 1), **options: Any) -> Any:
        path = tmp_path / f"{name}.parquet"
        fourfold.record(
            "chess", path, games=11, seed=3, rows=rows, players=players, shard=shard, max_steps=12, **options
        )
        return pq.read_table(path)

    whole = recorded("whole", num_threads=1)
    assert set(whole["game"].to_pylist()) == set(range(11))
    assert whole.equals(recorded("threads", num_threads=2))
    for count in (2, 3, 16):
        parts = [recorded(f"{index}", (index, count)) for index in range(count)]
        assert whole.equals(pa.concat_tables(parts))
    monkeypatch.setattr(_record, "_MAX_GAMES", 2)
    assert whole.equals(recorded("small"))
    # The same shard is the same file.
    fourfold.record("chess", tmp_path / "a.parquet", games=4, seed=1, rows=rows, players=players, max_steps=6)
    fourfold.record("chess", tmp_path / "b.parquet", games=4, seed=1, rows=rows, players=players, max_steps=6)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_number_of_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = fourfold.record("blokus_duo", tmp_path / "whole.parquet", games=12, seed=1)
    table = pq.read_table(whole.path)
    lengths = np.bincount(table["game"].to_numpy())
    wanted = int(lengths[:5].sum())
    for steps, games in [(wanted, 5), (wanted - 1, 5), (wanted + 1, 6), (1, 1)]:
        found = fourfold.record("blokus_duo", tmp_path / "some.parquet", steps=steps, seed=1)
        assert found.games == games and found.steps == lengths[:games].sum() == found.rows
        assert pq.read_table(found.path).equals(table.slice(0, found.rows))
    monkeypatch.setattr(_record, "_MAX_GAMES", 2)
    again = fourfold.record("blokus_duo", tmp_path / "again.parquet", steps=wanted + 1, seed=1)
    assert again.games == 6 and pq.read_table(again.path).equals(table.slice(0, again.rows))
    moves = fourfold.record("blokus_duo", tmp_path / "games.parquet", steps=wanted, rows="games", seed=1)
    assert (moves.games, moves.rows, moves.steps) == (5, 5, wanted)


def test_metadata_describe_the_recording(tmp_path: Path) -> None:
    start = ["8/P6k/8/8/8/8/8/K7 w - - 0 1"]
    env = fourfold.make("chess", preset="pgx", start=start)
    bot = fourfold.Bot("chess", "greedy", nodes=9)
    found = fourfold.record(env, tmp_path / "x.parquet", games=2, players=[uniform, bot], rows="games", steps=None)
    schema = pq.read_schema(found.path)
    about = json.loads(schema.metadata[b"fourfold"])
    assert about == {
        "id": env.id,
        "version": fourfold.__version__,
        "game": "chess",
        "options": {"preset": "pgx"},
        "start": start,
        "illegal": "error",
        "players": ["uniform", "greedy, 9 nodes"],
        "rows": "games",
        "games": 2,
        "steps": None,
        "seed": found.seed,
        "stream_offset": 0,
    }
    again = fourfold.make(about["game"], start=about["start"], **about["options"])
    other = fourfold.record(
        again, tmp_path / "y.parquet", games=2, players=[uniform, bot], rows="games", seed=found.seed
    )
    assert pq.read_table(other.path).equals(pq.read_table(found.path))
    unseeded = fourfold.record("chess", tmp_path / "z.parquet", games=1, max_steps=4)
    assert unseeded.seed != found.seed
    fourfold.record("chess", tmp_path / "s.parquet", games=3, shard=(1, 2), seed=0, max_steps=4)
    assert pq.read_schema(tmp_path / "s.parquet").metadata[b"fourfold.shard"] == b"1/2"


def test_observations_are_unpacked(tmp_path: Path) -> None:
    env = fourfold.make("chess", max_steps=6)
    fourfold.record(env, tmp_path / "x.parquet", games=2, seed=4)
    table = pq.read_table(tmp_path / "x.parquet")
    planes = unpack.observation(unpack.column(table, "observation"), unpack.column(table, "scalars"), env)
    state = env.reset(seed=4, first_game=1)
    assert np.array_equal(planes[6], state.observation[0])  # type: ignore[index]
    part = table.slice(6, 2).to_batches()[0]
    assert np.array_equal(unpack.column(part, "observation"), unpack.column(table, "observation")[6:8])
    assert np.array_equal(unpack.column(part, "rewards"), unpack.column(table, "rewards")[6:8])
    mask = unpack.mask(unpack.column(part, "legal_action_mask"), env.num_actions)
    assert np.array_equal(mask[0], state.legal_action_mask[0])  # type: ignore[index]
    assert unpack.column(table.slice(0, 0), "observation").shape[0] == 0


def test_empty_shards_are_files(tmp_path: Path) -> None:
    for rows in ("steps", "games"):
        found = fourfold.record("kung_fu", tmp_path / "x.parquet", games=0, rows=rows)  # type: ignore[arg-type]
        table = pq.read_table(found.path)
        assert len(table) == found.rows == found.games == 0 and "game" in table.column_names


def test_number_of_players(tmp_path: Path) -> None:
    fourfold.record("blokus", tmp_path / "x.parquet", games=1, players=3, rows="games")
    assert pq.read_schema(tmp_path / "x.parquet").field("returns").type == pa.list_(pa.float32(), 3)


def test_progress_of_recordings(tmp_path: Path) -> None:
    reports: list[tuple[int, int]] = []
    progress: Any = lambda done, total: reports.append((done, total))  # noqa: E731
    fourfold.record("chess", tmp_path / "x.parquet", games=70, rows="games", max_steps=2, progress=progress)
    assert reports == [(64, 70), (70, 70)]
    reports.clear()
    fourfold.record("chess", tmp_path / "x.parquet", steps=150, rows="games", max_steps=2, progress=progress)
    assert reports == [(128, 150), (150, 150)]


def test_errors_of_recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def attempt(name: str = "x.parquet", env: Any = "chess", **options: Any) -> None:
        fourfold.record(env, tmp_path / name, **{"games": 1, "seed": 1, **options})

    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"name": "x.csv"}, ValueError, "expected a file name that ends with .parquet, .arrow, .feather, got "),
        ({"rows": "moves"}, ValueError, "invalid rows 'moves': expected one of steps, games"),
        ({"games": None}, ValueError, "expected either games or steps"),
        ({"steps": 5}, ValueError, "expected either games or steps"),
        ({"games": -1}, ValueError, "expected games from 0 to "),
        ({"games": None, "steps": 0}, ValueError, "expected steps from 1 to "),
        ({"shard": (2, 2)}, ValueError, "expected the index of the shard from 0 to 1, got 2"),
        ({"shard": 3}, TypeError, r"expected shard to be \(index, count\), got 3"),
        ({"shard": (0, 2), "seed": None}, ValueError, "expected a seed with shards"),
        ({"shard": (0, 2), "games": None, "steps": 5}, ValueError, "expected games, not steps, with shards"),
        ({"players": ["greedy"]}, ValueError, "expected 2 players, got 1"),
        ({"env": "ches"}, ValueError, "unknown environment 'ches'"),
        ({"name": "missing/x.parquet"}, FileNotFoundError, "missing"),
    ]
    for options, kind, message in wrong:
        with pytest.raises(kind, match=message):
            attempt(**options)

    def fail(state: fourfold.State) -> Any:
        raise RuntimeError("no network")

    (tmp_path / "kept.parquet").write_text("earlier")
    with pytest.raises(RuntimeError, match="no network"):
        attempt("kept.parquet", players=["random", fail])
    assert [path.name for path in tmp_path.iterdir()] == ["kept.parquet"]
    assert (tmp_path / "kept.parquet").read_text() == "earlier"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="recording games needs pyarrow: pip install pyarrow"):
        attempt()
