"""Shards on a Ray cluster."""

import contextlib
import filecmp
import gzip
import importlib.util
import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.fs
import pyarrow.parquet as pq
import pytest

import fourfold
from fourfold import _core
from fourfold.chess import analyze

# Ray reads these when it is imported: tests write no token to the home folder and send no usage statistics.
os.environ.update(RAY_AUTH_MODE="disabled", RAY_USAGE_STATS_ENABLED="0")
ray = import_module("ray")
import_module("fourfold.ray")
_check = import_module("fourfold.ray._check")
_shards = import_module("fourfold.ray._shards")
# Workers cannot import this file.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def cluster():
    with _check.started() as made:
        yield made


def shard_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "_run.json")


@pytest.mark.parametrize("name", ["rollout", "match", "analyze"])
def test_the_loss_of_a_node_changes_no_byte(cluster, tmp_path, name):
    found = _check.check(cluster, _check.verbs(tmp_path, 0.3)[name], tmp_path)
    assert found.difference is None
    assert 0 < found.finished < found.shards and found.lost > 0


def test_the_check_finds_differences(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        (folder / "shard-0").write_bytes(b"abc")
    assert _check.compare(one, other) is None
    (other / "shard-0").write_bytes(b"abd")
    assert _check.compare(one, other) == "shard-0 differs at byte 2"
    (other / "shard-0").write_bytes(b"abcd")
    assert _check.compare(one, other) == "shard-0 differs at byte 3"
    (other / "shard-0").write_bytes(b"abc")
    (other / "shard-1").touch()
    assert _check.compare(one, other) == "shard-1 is only in one of the folders"


def test_the_command_reports_differences(monkeypatch, capsys):
    command = import_module("fourfold.ray.__main__")
    monkeypatch.setattr(_check, "started", contextlib.nullcontext)
    for difference, code in ((None, 0), ("shard-0 differs at byte 2", 1)):
        result = _check.Checked(shards=20, finished=3, lost=1, seconds=1.0, difference=difference)
        monkeypatch.setattr(_check, "check", lambda *_, result=result, **__: result)
        assert command.main(["check", "--scale", "0.05", "--only", "match"]) == code
        row = capsys.readouterr().out.splitlines()[1]
        assert row.split()[:4] == ["match", "20", "3", "1"] and row.endswith(difference or "equal")
    with pytest.raises(SystemExit):
        command.main(["check", "--scale", "0"])
    assert "--scale" in capsys.readouterr().err


# The shards of one process, which the check compares with, are those of functions that know nothing of shards on Ray.


def test_rollouts_are_recordings(tmp_path):
    arguments = {"games": 60, "seed": 3, "rows": "games", "max_steps": 200}
    with _shards.without_ray():
        found = fourfold.ray.rollout(
            "chess", ["greedy", "random"], out=tmp_path / "out", games_per_shard=10, progress=False, **arguments
        )
    assert found.games == found.rows == 60
    for index, path in enumerate(found.files):
        one = tmp_path / "one.parquet"
        fourfold.record("chess", one, players=["greedy", "random"], shard=(index, len(found.files)), **arguments)
        assert filecmp.cmp(path, one, shallow=False)


def test_matches_have_the_games_of_one_process(tmp_path):
    arguments = {"games": 20, "games_per_shard": 6, "seed": 7, "progress": False}
    expected = _core.Match(["greedy", "random"], "chess", None, None, None, None, 7).play(0, 20, 2)
    # The second call reads the games of the first.
    for _ in range(2):
        with _shards.without_ray():
            found = fourfold.ray.match(["greedy", "random"], out=tmp_path, **arguments)
        assert found.places == tuple(tuple(game[0]) for game in expected)
        assert found.texts == tuple(game[4] for game in expected)


def test_analyses_have_the_rows_of_one_process(tmp_path):
    games = [
        f'[Event "game {index}"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 {"Nc6" if index % 700 else "Nf9"} 3. Bb5 a6 *\n\n'
        for index in range(8_000)
    ]
    path, folder = tmp_path / "games.pgn", tmp_path / "facts"
    path.write_text("".join(games))
    with _shards.without_ray():
        found = fourfold.ray.analyze(path, "hanging,forks", out=folder, bytes_per_shard=50_000, progress=False)
    whole = analyze(path, "hanging,forks")
    assert list(found.faults) == list(whole.faults) and len(found.faults) == 12
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


def test_relative_paths_are_those_of_the_caller(cluster, tmp_path, monkeypatch):
    # Workers have the working folder of the process that started Ray.
    monkeypatch.chdir(tmp_path)
    Path("games.pgn").write_text('[Event "a"]\n\n1. e4 e5 *\n\n' * 100 + '[Event "b"]\n\n1. e4 Nf9 *\n')
    found = fourfold.ray.analyze("games.pgn", "material", out="out", bytes_per_shard=1000, progress=False)
    assert found.faults and all(fault.startswith("games.pgn: line 40") for fault in found.faults)
    assert set(pq.read_table(tmp_path / "out")["file"].to_pylist()) == {"games.pgn"}


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


def test_an_actor_whose_node_is_lost_is_started_elsewhere(cluster, tmp_path):
    # The node with one CPU runs the shards, and only one with two has room for the actor.
    player = fourfold.ray.Inference(make_first_legal, num_cpus=2, max_rows=64)
    options = {"games": 200, "seed": 2, "rows": "games", "max_steps": 60}
    nodes = [cluster.add_node(num_cpus=2)]
    cluster.wait_for_nodes()
    seen = []

    def replace(done, total):
        seen.append(done)
        if len(seen) == 3:
            _check.kill_node(cluster, nodes[0])
            nodes.append(cluster.add_node(num_cpus=2))

    try:
        found = fourfold.ray.rollout(
            "chess", [player, "random"], out=tmp_path / "out", games_per_shard=10, progress=replace, **options
        )
    finally:
        cluster.remove_node(nodes[-1])
    assert len(nodes) == 2 and seen[-1] == 200
    parts = pyarrow.concat_tables([pq.ParquetFile(path).read() for path in found.files])
    fourfold.record("chess", tmp_path / "one.parquet", players=[make_first_legal(), "random"], **options)
    assert parts.equals(pq.ParquetFile(tmp_path / "one.parquet").read())


def test_sprt_keeps_the_same_files_on_any_cluster(cluster, tmp_path):
    arguments = {"games": 200, "games_per_shard": 2, "sprt": (0, 100), "progress": False}
    with _shards.without_ray():
        one = fourfold.ray.match(["greedy", "random"], out=tmp_path / "one", **arguments)
    two = fourfold.ray.match(["greedy", "random"], out=tmp_path / "two", **arguments)
    assert one.texts == two.texts and 0 < len(shard_files(tmp_path / "two")) < 10
    assert _check.compare(tmp_path / "one", tmp_path / "two") is None
    # As if other workers had been faster than the one with the deciding game.
    for index in (50, 99):
        (tmp_path / "two" / f"shard-{index:05}-of-00100.parquet").touch()
    fourfold.ray.match(["greedy", "random"], out=tmp_path / "two", **arguments)
    assert _check.compare(tmp_path / "one", tmp_path / "two") is None


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


GAMES = {"games": 60, "rows": "games", "games_per_shard": 10, "seed": 4, "max_steps": 40, "progress": False}
"""The arguments of a small rollout of six shards."""


def check_resumed(call, folder, name, message, repair):
    """Checks that a call fails with a message that names a shard, and that after a repair, the same call makes the
    missing shards only."""
    with pytest.raises(fourfold.ray.ShardError, match=message) as caught:
        call()
    assert re.match(rf"{name} shard \d+ of \d+ \(", str(caught.value))
    finished = {path: path.stat().st_mtime_ns for path in folder.glob("shard-*")}
    assert finished and [name for name in shard_files(folder) if name[0] != "."] == sorted(
        path.name for path in finished
    )
    repair()
    found = call()
    assert len(finished) < len(found.files) and shard_files(folder) == [Path(path).name for path in found.files]
    assert {path: path.stat().st_mtime_ns for path in finished} == finished


def test_a_bad_file_can_be_replaced(cluster, tmp_path):
    good, bad, folder = tmp_path / "good.pgn", tmp_path / "bad.pgn.gz", tmp_path / "out"
    games = ('[Event "a"]\n\n1. e4 e5 *\n\n' * 500).encode()
    good.write_bytes(games)
    whole = gzip.compress(games)
    bad.write_bytes(whole[:-20])

    def call():
        return fourfold.ray.analyze([good, bad], "material", out=folder, bytes_per_shard=4000, progress=False)

    check_resumed(call, folder, "analyze", "bad.pgn.gz, bytes 0 to", lambda: bad.write_bytes(whole))
    # A file that belongs to a finished shard must not change.
    good.write_bytes(games + games)
    with pytest.raises(ValueError, match="has another run, with inputs="):
        call()


def test_a_strict_analysis_names_the_shard_and_the_line(cluster, tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text('[Event "a"]\n\n1. e4 e5 *\n\n' * 100 + '[Event "b"]\n\n1. e4 Nf9 *\n')
    with pytest.raises(fourfold.ray.ShardError, match=r"analyze shard \d of \d \(.*games.pgn: line 403, column 7"):
        fourfold.ray.analyze(path, out=tmp_path / "out", bytes_per_shard=1000, strict=True, progress=False)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_full_disk_names_the_shard(cluster, tmp_path):
    def mount(*options):
        return subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", tmp_path], capture_output=True, check=False)

    if mount("-o", "size=48k").returncode != 0:
        pytest.skip("tmpfs cannot be mounted here")
    try:
        check_resumed(
            lambda: fourfold.ray.rollout("chess", out=tmp_path / "out", **GAMES),
            tmp_path / "out",
            "rollout",
            "No space left on device",
            lambda: mount("-o", "remount,size=10m"),
        )
    finally:
        subprocess.run(["umount", tmp_path], check=True)


@pytest.mark.parametrize(
    ("how", "message"),
    [("kill", "its worker was lost 4 times: .*make shards smaller"), ("allocate", "MemoryError: Unable to allocate")],
)
def test_a_worker_out_of_memory_names_the_shard(cluster, tmp_path, how, message):
    flag = tmp_path / "memory is short"
    flag.touch()

    def hungry(state):
        if flag.exists() and len(list((tmp_path / "out").glob("shard-*"))) >= 2:
            if how == "kill":
                os.kill(os.getpid(), signal.SIGKILL)  # As Linux does.
            np.zeros(2**60, np.uint8)
        return state.legal_action_mask.argmax(axis=1)

    check_resumed(
        lambda: fourfold.ray.rollout("chess", [hungry, "random"], out=tmp_path / "out", **GAMES),
        tmp_path / "out",
        "rollout",
        message,
        flag.unlink,
    )


def test_other_errors_of_ray_name_the_shard(cluster, monkeypatch):
    def fail(reference):
        raise ray.exceptions.OutOfDiskError("no room for objects")

    monkeypatch.setattr(ray, "get", fail)
    with pytest.raises(fourfold.ray.ShardError, match="shard 0: OutOfDiskError: .*no room for objects"):
        list(_shards.run(lambda: None, [("shard 0", ())]))


def test_tasks_have_the_names_of_shards(cluster):
    """The dashboard shows them."""
    names = ["shard 0", "shard 1"]
    ran = _shards.run(lambda: ray.get_runtime_context().get_task_name(), [(name, ()) for name in names])
    assert list(_shards.in_order(ran)) == names


def test_environments_use_the_threads_of_their_worker(cluster):
    env = fourfold.make("chess", 3, stream_offset=7)
    env.reset(seed=1)
    # Tells each task how many CPUs it has, here one.
    there, positions = ray.get(ray.remote(lambda env: (env.num_threads, env.positions)).remote(env))
    assert there == 1 and positions == env.positions


def test_any_file_system_can_be_used(cluster, tmp_path):
    expected = fourfold.ray.rollout("chess", out=tmp_path / "path", **GAMES)
    places = {"uri": ((tmp_path / "uri").as_uri(), None)}
    places["arrow"] = ("arrow", pyarrow.fs.SubTreeFileSystem(str(tmp_path), pyarrow.fs.LocalFileSystem()))
    if importlib.util.find_spec("fsspec"):
        places["fsspec"] = (str(tmp_path / "fsspec"), import_module("fsspec").filesystem("file"))
    for name, (out, filesystem) in places.items():
        found = fourfold.ray.rollout("chess", out=out, filesystem=filesystem, **GAMES)
        assert found.rows == expected.rows
        assert _check.compare(tmp_path / "path", tmp_path / name) is None


def test_progress_is_reported(cluster):
    seen = []
    fourfold.ray.rollout("chess", games=50, games_per_shard=10, progress=lambda *done: seen.append(done))
    assert sorted(seen) == seen and seen[-1] == (50, 50) and len(seen) == 5


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
