"""Shards on a Ray cluster of two nodes, one of which is killed while each verb runs."""

import filecmp
import os
import signal
import subprocess
import sys
import threading
import time
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet as pq
import pytest

import fourfold
from fourfold import _core
from fourfold.chess import analyze

# Ray reads these when it is imported: tests write no token to the home folder and send no usage statistics.
os.environ.update(RAY_AUTH_MODE="disabled", RAY_USAGE_STATS_ENABLED="0")
ray = import_module("ray")
import_module("fourfold.ray")
Cluster = import_module("ray.cluster_utils").Cluster
_shards = import_module("fourfold.ray._shards")
# Workers cannot import this file.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def cluster():
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    ray.init(made.address, logging_level="error", log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def second_node(cluster):
    """A function that kills a second node as soon as a folder has a shard, and returns an event that says so."""
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()

    def kill_after_a_shard(folder: Path) -> threading.Event:
        killed = threading.Event()

        def wait_and_kill() -> None:
            while not any(folder.glob("shard-*")):
                time.sleep(0.02)
            killed.set()
            cluster.remove_node(node, allow_graceful=False)

        threading.Thread(target=wait_and_kill, daemon=True).start()
        return killed

    return kill_after_a_shard


def shard_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "_run.json")


def test_a_rollout_survives_the_loss_of_a_node(second_node, tmp_path):
    folder = tmp_path / "games"
    killed = second_node(folder)
    arguments = {"games": 240, "seed": 3, "rows": "games", "max_steps": 200}
    found = fourfold.ray.rollout(
        "chess", ["greedy", "random"], out=folder, games_per_shard=10, progress=False, **arguments
    )
    assert killed.is_set() and found.games == found.rows == 240
    assert shard_files(folder) == [Path(path).name for path in found.files]
    for index, path in enumerate(found.files):
        one = tmp_path / "one.parquet"
        fourfold.record("chess", one, players=["greedy", "random"], shard=(index, len(found.files)), **arguments)
        assert filecmp.cmp(path, one, shallow=False)


def test_a_match_survives_the_loss_of_a_node(second_node, tmp_path):
    folder = tmp_path / "match"
    killed = second_node(folder)
    found = fourfold.ray.match(["greedy", "random"], games=40, out=folder, games_per_shard=2, seed=7, progress=False)
    expected = _core.Match(["greedy", "random"], "chess", None, None, None, None, 7).play(0, 40, 2)
    assert killed.is_set() and found.games == 40
    assert found.places == tuple(tuple(game[0]) for game in expected)
    assert found.texts == tuple(game[4] for game in expected)
    # A second call reads what is there.
    assert (
        fourfold.ray.match(["greedy", "random"], games=40, out=folder, games_per_shard=2, seed=7, progress=False).texts
        == found.texts
    )


def test_an_analysis_survives_the_loss_of_a_node(second_node, tmp_path):
    games = [
        f'[Event "game {index}"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 {"Nc6" if index % 700 else "Nf9"} 3. Bb5 a6 *\n\n'
        for index in range(8_000)
    ]
    path, folder = tmp_path / "games.pgn", tmp_path / "facts"
    path.write_text("".join(games))
    killed = second_node(folder)
    found = fourfold.ray.analyze(path, "hanging,forks", out=folder, bytes_per_shard=20_000, progress=False)
    whole = analyze(path, "hanging,forks")
    assert killed.is_set() and list(found.faults) == list(whole.faults) and len(found.faults) == 12
    assert shard_files(folder) == [Path(path).name for path in found.files]
    parts = pyarrow.concat_tables([pq.ParquetFile(path).read() for path in found.files])
    assert parts.drop_columns(["file", "offset", "game"]).equals(pyarrow.table(whole).drop_columns(["game"]))
    # The part and the game in it lead to the game's text.
    row = parts.slice(len(parts) - 1).to_pylist()[0]
    text = path.read_bytes()[row["offset"] :].decode()
    assert text.split("\n\n")[2 * row["game"] - 2].startswith('[Event "game 7999"]')
    assert row["file"] == str(path)


def test_lines_of_fens_keep_their_numbers(cluster, tmp_path):
    path = tmp_path / "positions.fen"
    path.write_text("".join(f"4k3/8/8/8/8/8/8/4K3 w - - 0 {n}\n" if n % 5 else "bad\n" for n in range(1, 400)))
    found = fourfold.ray.analyze(path, "material", out=tmp_path / "out", bytes_per_shard=999, progress=False)
    whole = analyze(path, "material")
    assert len(found.files) > 5
    assert list(found.faults) == list(whole.faults)
    parts = pyarrow.concat_tables([pq.ParquetFile(path).read() for path in found.files])
    assert parts.drop_columns(["file", "offset"]).equals(pyarrow.table(whole))


def test_statistics_equal_those_of_one_process(cluster):
    found = fourfold.ray.rollout("blokus_duo", games=50, seed=1, games_per_shard=20, progress=False)
    assert found == fourfold.rollout("blokus_duo", 50, seed=1)


def make_first_legal():
    def first_legal(state):
        assert len(state.legal_action_mask) <= 64
        return state.legal_action_mask.argmax(axis=1)

    return first_legal


def test_inference_actors_play_like_the_policy(cluster, tmp_path):
    player = fourfold.ray.Inference(make_first_legal, num_cpus=0, max_rows=64)
    options = {"games": 30, "seed": 2, "rows": "games", "max_steps": 30}
    found = fourfold.ray.rollout(
        "chess", [player, "random"], out=tmp_path / "out", games_per_shard=10, progress=False, **options
    )
    parts = pyarrow.concat_tables([pq.ParquetFile(path).read() for path in found.files])
    fourfold.record("chess", tmp_path / "one.parquet", players=[make_first_legal(), "random"], **options)
    assert parts.equals(pq.ParquetFile(tmp_path / "one.parquet").read())


def test_sprt_stops_after_the_same_game_as_the_command(cluster):
    found = fourfold.ray.match(["greedy", "random"], games=200, sprt=(0, 100), progress=False)
    binary = Path(__file__).parents[2] / "target/debug/fourfold"
    if not binary.exists():
        pytest.skip("the binary is not compiled")
    command = [binary, "match", "greedy", "random", "--games", "200", "--sprt", "0", "100"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert found.games < 200
    assert found.sprt == printed[-1]
    # The columns before the speed.
    assert [line.split()[:13] for line in found.table.splitlines()] == [line.split()[:13] for line in printed[:-1]]


def fail_or_die(index):
    if index == 1:
        raise OSError(28, "No space left on device")
    if index == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return index


@pytest.mark.parametrize(
    ("shards", "message"),
    [([0, 1], "shard 1: OSError: .*No space left"), ([2], "shard 2: its worker was lost 4 times")],
)
def test_errors_name_the_shard(cluster, shards, message):
    with pytest.raises(fourfold.ray.ShardError, match=message):
        list(_shards.run(fail_or_die, [(f"shard {index}", (index,)) for index in shards]))


def test_a_second_call_makes_only_what_is_missing(cluster, tmp_path):
    arguments = {"games": 40, "rows": "games", "games_per_shard": 10, "max_steps": 20, "progress": False}
    found = fourfold.ray.rollout("chess", out=tmp_path, **arguments)
    before = [Path(path).read_bytes() for path in found.files]
    times = [Path(path).stat().st_mtime_ns for path in found.files]
    Path(found.files[2]).unlink()
    (tmp_path / ".shard-00002-of-00004.parquet.0.partial").touch()
    # Without a seed, the run in the folder goes on.
    again = fourfold.ray.rollout("chess", out=tmp_path, **arguments)
    assert again == found
    assert [Path(path).read_bytes() for path in found.files] == before
    changed = [index for index, path in enumerate(found.files) if Path(path).stat().st_mtime_ns != times[index]]
    assert changed == [2]
    assert shard_files(tmp_path) == [Path(path).name for path in found.files]
    with pytest.raises(ValueError, match="has another run, with games=40 instead of 50"):
        fourfold.ray.rollout("chess", out=tmp_path, **{**arguments, "games": 50})


def test_invalid_arguments_are_reported_before_anything_runs(cluster, tmp_path):
    with pytest.raises(ValueError, match="expected 2 players, got 1"):
        fourfold.ray.rollout("chess", ["random"], games=1)
    with pytest.raises(ValueError, match="rows"):
        fourfold.ray.rollout("chess", games=1, rows="moves")
    with pytest.raises(ValueError, match="unknown fact|fact"):
        fourfold.ray.analyze("x.pgn", "nothing", out=tmp_path / "out")
    with pytest.raises(FileNotFoundError, match="no such file: 'x.pgn'"):
        fourfold.ray.analyze("x.pgn", out=tmp_path / "out")
    with pytest.raises(ValueError, match="level|player"):
        fourfold.ray.match(["nobody", "greedy"])
    with pytest.raises(ValueError):
        fourfold.ray.match(["random", "greedy"], sprt=(5, 0))
    with pytest.raises(ValueError, match="filesystem="):
        fourfold.ray.rollout("chess", games=1, out="nowhere://folder")
    assert not (tmp_path / "out").exists()


def test_policies_see_joined_rows():
    env = fourfold.make("chess", num_envs=3)
    states = [env.reset(seed=seed) for seed in (1, 2)]
    both = import_module("fourfold.ray._inference").joined(states)
    assert both.observation.shape == (6, 8, 8, 119)
    assert np.array_equal(both.legal_action_mask[3:], states[1].legal_action_mask)
