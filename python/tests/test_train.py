"""Training by self-play."""

from __future__ import annotations

import dataclasses
import io
import json
import math
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import types
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import pyarrow.parquet
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file

import fourfold
from fourfold._evaluate import Match
from fourfold.train import __main__ as command
from fourfold.train import (
    _export,
    _games,
    _learn,
    _loop,
    _match,
    _network,
    _rating,
    _report,
    _run,
    _search,
    _self_play,
    _settings,
)

TINY = _settings.make("chess", on_gpu=False, seed=3, games=6, simulations=4, net="1x8", slots=32)
TINY = dataclasses.replace(TINY, steps=4, window=8, updates=2, batch=16, max_steps=20)


def nothing_said(text: str, part: float | None) -> None:
    """Shows no progress."""


def rules_of(name: str) -> _games.Rules:
    game = _games.find(name)
    return _games.Rules(game, game.environment(40))


def random_network(rules: _games.Rules) -> tuple[_network.Network, dict[str, Any]]:
    """Returns a small network whose outputs differ from position to position."""
    network = _network.make(rules, _network.Size(1, 8), jnp.float32)
    variables = _network.init(network, rules, jax.random.key(1))
    weights, statistics = variables["params"], variables["batch_stats"]
    for name in ("policy.out", "value.out"):
        weights = {**weights, name: {**weights[name], "kernel": 30 * weights[name]["kernel"]}}
    noise = jax.random.key(2)
    statistics = jax.tree.map(lambda one: one + 0.1 * jnp.abs(jax.random.normal(noise, one.shape)), statistics)
    return network, {"params": weights, "batch_stats": statistics}


def positions(rules: _games.Rules, count: int, steps: int) -> Any:
    """Returns states after random actions."""
    state = rules.start(jax.random.split(jax.random.key(0), count))
    for key in jax.random.split(jax.random.key(1), steps):
        legal = rules.legal(state)
        number = (legal >= 0).sum(-1)
        slots = (jax.random.uniform(key, number.shape) * number).astype(jnp.int32)
        state = rules.step(state._bytes, legal, jnp.take_along_axis(legal, slots[..., None], -1)[..., 0])
    return state


@pytest.mark.parametrize("name", _games.GAMES)
def test_logits_belong_to_the_cells_of_actions(name: str) -> None:
    rules = rules_of(name)
    policy = rules.game.policy
    height, width = rules.shape
    assert len(policy.index) == rules.env.num_actions
    assert len(set(policy.index.tolist())) == rules.env.num_actions, "two actions have the same logit"
    assert policy.index.max() < height * width * policy.planes + policy.extra
    state = positions(rules, 8, 12)
    cells, _ = rules.inputs({name: array[:, 0] for name, array in rules.observed(state).items()})
    assert (cells[..., -1] == 1).all()
    placements = fourfold.blokus.cells(14)
    for game, legal in enumerate(np.asarray(rules.legal(state)[:, 0])):
        for action in legal[legal >= 0]:
            cell, plane = divmod(int(policy.index[action]), policy.planes)
            if cell == height * width:
                # Passing or waiting.
                assert action == rules.env.num_actions - 1
            elif name == "blokus_duo":
                # The bounding box of the piece begins at the cell.
                rows, columns = zip(*placements[action], strict=True)
                assert divmod(cell, width) == (min(rows), min(columns))
            else:
                # A piece of the player's own is there; in kung fu chess, one that stands.
                own = 7 if name == "four_player" else 6
                assert cells[game, cell // width, cell % width, :own].sum() == 1, (action, cell, plane)


@pytest.mark.parametrize("name", _games.GAMES)
def test_folding_batch_normalization_changes_nothing(name: str) -> None:
    rules = rules_of(name)
    network, variables = random_network(rules)
    observed = rules.observed(positions(rules, 4, 6))
    inputs = rules.inputs({name: array[:, 0] for name, array in observed.items()})
    expected = network.apply(variables, *inputs, False)
    found = _network.apply(_network.fold(variables, jnp.float32), *inputs)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)
    assert np.ptp(np.asarray(found[0])) > 0.1, "all logits are the same"


def test_mirrored_positions_of_chess_are_those_of_mirrored_boards() -> None:
    rules = rules_of("chess")
    # The pieces of the second position stand on the other files.
    fens = ["1nb1k2r/P2p4/8/2pP4/5q2/1B3N2/8/R2QK3 w - c6 0 9", "r2k1bn1/4p2P/8/4Pp2/2q5/2N3B1/8/3KQ2R w - f6 0 9"]
    state = rules.env.from_positions(fens)
    cells, _ = rules.inputs({name: array[:, 0] for name, array in rules.observed(state).items()})
    legal = rules.legal(state)[:, 0]
    found, actions = rules.mirrored(cells[:1], legal[:1], jnp.array([True]))
    np.testing.assert_array_equal(found[0], cells[1])
    assert set(actions[0].tolist()) == set(legal[1].tolist()) and len(set(legal[1].tolist())) > 20
    same, unchanged = rules.mirrored(cells[:1], legal[:1], jnp.array([False]))
    assert (same == cells[:1]).all() and (unchanged == legal[:1]).all()
    # Where somebody may castle, the mirrored position would have other moves.
    start = rules.start(jax.random.split(jax.random.key(0), 1))
    cells, _ = rules.inputs({name: array[:, 0] for name, array in rules.observed(start).items()})
    assert (rules.mirrored(cells, rules.legal(start)[:, 0], jnp.array([True]))[0] == cells).all()


def test_mirrored_games_of_blokus_have_mirrored_actions() -> None:
    rules = rules_of("blokus_duo")
    mirror = rules.game.mirror
    assert mirror is not None
    one = other = rules.start(jax.random.split(jax.random.key(0), 3))
    for step in range(8):
        lists = [np.sort(rules.legal(state)[:, 0]) for state in (one, other)]
        cells = [rules.inputs({k: v[:, 0] for k, v in rules.observed(state).items()})[0] for state in (one, other)]
        found, actions = rules.mirrored(cells[0], jnp.asarray(lists[0]), jnp.ones(3, bool))
        np.testing.assert_array_equal(found, cells[1])
        np.testing.assert_array_equal(np.sort(actions), lists[1])
        chosen = rules.legal(one)[:, :, 5 + step]
        moved = jnp.asarray(mirror.actions)[chosen]
        one, other = (
            rules.step(one._bytes, rules.legal(one), chosen),
            rules.step(other._bytes, rules.legal(other), moved),
        )


@pytest.mark.parametrize("name", ["chess", "blokus_duo"])
def test_the_search_is_that_of_mctx(name: str) -> None:
    rules = rules_of(name)
    _, variables = random_network(rules)
    tensors = _network.fold(variables, jnp.float32)
    options = _search.Search(24, 48)
    root = _search.evaluate(rules, tensors, positions(rules, 5, 6), options.slots)

    def own(values: Any, acting: Any) -> Any:
        return jnp.take_along_axis(values, acting, -1)[:, 0]

    def step(_: Any, key: Any, slot: Any, at: _search.Position) -> tuple[mctx.RecurrentFnOutput, _search.Position]:
        actions = jnp.take_along_axis(at.actions, slot[:, None, None], -1)[..., 0]
        state = rules.step(at.rows, at.actions, actions)
        found = _search.evaluate(rules, tensors, state, options.slots)
        is_over = state.terminated | state.truncated
        sign = jnp.where(found.acting[:, 0] == at.acting[:, 0], 1, -1)
        output = mctx.RecurrentFnOutput(
            reward=own(state.rewards, at.acting),
            discount=jnp.where(is_over, 0.0, sign * options.discount),
            prior_logits=found.logits[:, 0],
            value=jnp.where(is_over, 0.0, own(found.values, found.acting)),
        )
        return output, found

    expected = mctx.gumbel_muzero_policy(
        None,
        jax.random.key(0),
        mctx.RootFnOutput(prior_logits=root.logits[:, 0], value=own(root.values, root.acting), embedding=root),
        step,
        options.simulations,
        invalid_actions=root.actions[:, 0] < 0,
        qtransform=partial(
            mctx.qtransform_completed_by_mix_value, value_scale=options.value_scale, rescale_values=False
        ),
        max_num_considered_actions=options.considered,
        gumbel_scale=0.0,
    )
    found = _search.search(rules, tensors, root, jax.random.key(0), options, noise=0.0)
    assert found.slots[:, 0].tolist() == expected.action.tolist()
    np.testing.assert_allclose(found.weights[:, 0], expected.action_weights, atol=1e-5)
    assert np.abs(np.asarray(found.weights[:, 0] - jax.nn.softmax(root.logits[:, 0]))).max() > 0.01


def test_the_search_finds_a_mate_in_one() -> None:
    rules = rules_of("chess")
    _, variables = random_network(rules)
    tensors = _network.fold(variables, jnp.float32)
    state = rules.env.from_positions(["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "k2r4/8/8/8/8/8/5PPP/6K1 b - - 0 1"])
    options = _search.Search(64, 64, considered=32)
    root = _search.evaluate(rules, tensors, state, options.slots)
    found = _search.search(rules, tensors, root, jax.random.key(0), options, noise=0.0)
    actions = jnp.take_along_axis(root.actions, found.slots[..., None], -1)[..., 0]
    assert rules.env.moves(state, actions[:, 0]) == ["d1d8", "d8d1"]
    values = np.asarray(found.values)
    assert values[0, 0] > 0.9 and values[1, 1] > 0.9 and np.allclose(values.sum(1), 0, atol=1e-5)


def test_players_who_act_at_once_search_on_their_own() -> None:
    rules = rules_of("kung_fu")
    _, variables = random_network(rules)
    tensors = _network.fold(variables, jnp.float32)
    root = _search.evaluate(rules, tensors, positions(rules, 3, 4), 32)
    found = _search.search(rules, tensors, root, jax.random.key(0), _search.Search(16, 32), noise=1.0)
    assert found.slots.shape == (3, 2) and found.weights.shape == (3, 2, 32)
    assert (jnp.take_along_axis(root.actions, found.slots[..., None], -1) >= 0).all()
    np.testing.assert_allclose(found.weights.sum(-1), 1, atol=1e-5)


def test_values_belong_to_players() -> None:
    relative = jnp.array([[[0.1, 0.2, 0.3, 0.4]]])
    found = _network.to_players(relative, jnp.array([[1]]), 4)
    np.testing.assert_allclose(found, [[0.4, 0.1, 0.2, 0.3]])
    np.testing.assert_allclose(_network.from_players(found, jnp.array([1]), 4), relative[0])
    np.testing.assert_allclose(_network.to_players(jnp.array([[[0.5]]]), jnp.array([[1]]), 2), [[-0.5, 0.5]])


def test_a_game_that_is_cut_short_is_ranked_by_points() -> None:
    state = positions(rules_of("four_player"), 32, 40)
    assert bool(state.truncated.all())
    points = np.asarray(state.scores)
    assert np.ptp(points, axis=1).any(), "nobody captured anything"
    for row, rewards in zip(points, np.asarray(state.rewards), strict=True):
        # The rank of each player, as the mean of the places that tied players share.
        places = sorted(range(4), key=lambda player: -row[player])
        tied = [[place for place, player in enumerate(places) if row[player] == own] for own in row]
        np.testing.assert_allclose(rewards, [1 - 2 / 3 * np.mean(shared) for shared in tied], atol=1e-6)


def slow_returns(played: _self_play.Played, newest: int, settings: _settings.Settings) -> Any:
    """Returns what values are learned from, step by step."""
    count = len(played.values)
    found = np.zeros(np.shape(played.values))
    for game in range(found.shape[1]):
        for age in range(count):
            at = (newest - age) % count
            if played.is_over[at, game]:
                found[at, game] = played.rewards[at, game]
            elif age == 0 or played.is_random[at, game]:
                found[at, game] = played.values[at, game]
            else:
                after = (at + 1) % count
                mixed = settings.trace * found[after, game] + (1 - settings.trace) * np.asarray(
                    played.values[after, game]
                )
                found[at, game] = played.rewards[at, game] + settings.discount * mixed
    return found


def test_returns_are_those_of_a_loop() -> None:
    random = np.random.default_rng(0)
    shape = (12, 5)
    nothing = np.zeros(0)
    played = _self_play.Played(
        observed={},
        acting=nothing,
        actions=nothing,
        weights=nothing,
        values=random.uniform(-1, 1, (*shape, 2)).astype(np.float32),
        rewards=random.uniform(-1, 1, (*shape, 2)).astype(np.float32),
        is_over=random.random(shape) < 0.2,
        is_random=random.random(shape) < 0.2,
    )
    for newest in (0, 4, 11):
        found = _self_play.returns(jax.tree.map(jnp.asarray, played), jnp.int32(newest), TINY)
        np.testing.assert_allclose(found, slow_returns(played, newest, TINY), atol=1e-5)


def test_learning_reduces_the_losses() -> None:
    run = _run.Run(TINY)
    run.iterate(0.0)
    kept, key = run._kept, jax.random.key(0)
    learn = jax.jit(partial(_learn.learn, run.network, run.rules, TINY))
    learner, losses = run.learner, []
    for _ in range(30):
        learner, found = learn(learner, kept, jnp.int32(3), jnp.int32(4), jnp.float32(0.003), key)
        losses.append((float(found.policy), float(found.value)))
    assert losses[-1][0] < 0.5 * losses[0][0] and losses[-1][1] < 0.5 * losses[0][1], losses


def test_a_resumed_run_is_that_without_a_break(tmp_path: Path) -> None:
    plan = _loop.Plan(tmp_path / "whole", minutes=0, iterations=4)
    whole = _run.Run(TINY)
    assert _loop.train(whole, plan, nothing_said)
    first = dataclasses.replace(plan, out=tmp_path / "parts", iterations=2)
    # The learning rate depends on the length of the whole run.
    part = _run.Run(TINY)
    for done in range(2):
        part.iterate(done / 4)
    part.save(first.out)
    resumed = _run.Run.load(first.out)
    assert resumed.settings == TINY and resumed.progress.iterations == 2
    assert _loop.train(resumed, dataclasses.replace(first, iterations=4), nothing_said)
    for name in (_run.CHECKPOINT, "model.safetensors"):
        one, other = (load_file(folder / name) for folder in (plan.out, first.out))
        assert one.keys() == other.keys()
        for tensor, array in one.items():
            assert np.array_equal(array, other[tensor]), f"{name}: {tensor}"
    start = _run.Run(TINY)
    trained = whole.learner.variables["params"]["stem.conv"]["kernel"]
    assert not np.array_equal(start.learner.variables["params"]["stem.conv"]["kernel"], trained)
    about = json.loads((plan.out / "model.json").read_text())
    assert about["game"] == "chess" and about["about"]["iterations"] == 4 and about["planes"][-1] == 118
    assert (plan.out / "metrics.parquet").exists() and (plan.out / "progress.png").exists()
    env = fourfold.make("chess", 2)
    env.reset(seed=0)
    bot = fourfold.Bot.load(plan.out, seed=0, nodes=8)
    assert bot.nodes == 8 and (bot.game, bot.level) == ("chess", f"learned:{plan.out}")
    assert env.step(bot.act(env)).move_valid.all()


def test_a_network_plays_every_game() -> None:
    for name in _games.GAMES:
        rules = rules_of(name)
        rules = _games.Rules(rules.game, rules.game.environment())
        _, variables = random_network(rules)
        act = _match.Player(rules, _search.Search(2, 16)).compile()
        found = _match.play(rules, act, _network.fold(variables, jnp.float32), "random", 4, 1)
        assert found is not None and found.games == 4 and len(found.by_side) == rules.players
        assert _match.play(rules, act, _network.fold(variables, jnp.float32), "random", 4, 1, lambda: True) is None


def test_a_run_ended_by_ctrl_c_is_resumed_to_the_same_bytes(tmp_path: Path) -> None:
    options = ["--games", "4", "--simulations", "2", "--net", "1x4", "--seed", "5", "--evaluation-games", "0"]
    start = ["chess", *options, "--iterations", "12"]
    line = [sys.executable, "-P", "-m", "fourfold.train"]
    # The first process compiles for all.
    cache = {"JAX_COMPILATION_CACHE_DIR": str(tmp_path / "cache"), "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}
    environment = {**os.environ, **cache}
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    subprocess.run([*line, *start, "--out", str(whole)], env=environment, check=True, capture_output=True)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment}
    with subprocess.Popen([*line, *start, "--out", str(parts)], **pipes) as process:
        assert process.stderr is not None
        while "positions" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    assert "stopped after" in out and f"--resume {parts}" in out
    with safe_open(parts / _run.CHECKPOINT, "numpy") as file:
        done = json.loads(file.metadata()["run"])["progress"]["iterations"]
    assert 1 <= done < 12
    resume = ["--resume", str(parts), "--iterations", "12", "--evaluation-games", "0"]
    subprocess.run([*line, *resume], env=environment, check=True, capture_output=True)
    assert (whole / "model.safetensors").read_bytes() == (parts / "model.safetensors").read_bytes()
    one, other = (load_file(folder / _run.CHECKPOINT) for folder in (whole, parts))
    assert one.keys() == other.keys()
    for tensor, array in one.items():
        assert np.array_equal(array, other[tensor]), tensor
    about = json.loads((parts / "model.json").read_text())["about"]
    first, second = about["segments"]
    assert (first["iterations"], second["iterations"], about["iterations"]) == (done, 12 - done, 12)
    assert first["seed"] == second["seed"] == 5 and first["hardware"] == second["hardware"] == "cpu"
    assert first["command"] == shlex.join(["python", "-m", "fourfold.train", *start, "--out", str(parts)])
    assert second["command"] == shlex.join(["python", "-m", "fourfold.train", *resume])
    assert about["minutes"] == pytest.approx(first["minutes"] + second["minutes"], abs=0.02)
    env = fourfold.make("chess")
    env.reset(seed=0)
    assert env.step(fourfold.Bot.load(parts, seed=0, nodes=4).act(env)).move_valid.all()


def test_ctrl_c_ends_the_last_evaluation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*arguments: Any) -> Match | None:
        if arguments[3] == "random":
            return Match("random", ((1, 0, 0), (0, 0, 1)), 100)
        signal.raise_signal(signal.SIGINT)
        while not arguments[-1]():
            time.sleep(0.01)
        return None

    monkeypatch.setattr(_match, "play", play)
    plan = _loop.Plan(tmp_path, minutes=0, opponents=("random", "greedy"))
    run = _run.Run(TINY)
    assert _loop.train(run, plan, nothing_said), "nothing is left to train"
    assert (tmp_path / "model.json").exists()
    assert run.progress.matches == [], "a part of an evaluation would make a rating"


def test_tensorboard_has_scores_and_ratings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []

    class SummaryWriter:
        def __init__(self, folder: str) -> None:
            written.append(folder)

        def add_scalar(self, name: str, value: float, step: int) -> None:
            written.append((name, round(float(value), 1), step))

        def close(self) -> None:
            written.append("closed")

    module = types.ModuleType("torch.utils.tensorboard")
    module.__dict__["SummaryWriter"] = SummaryWriter
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", module)
    found = Match("random", ((2, 0, 0), (1, 0, 1)), 5)
    monkeypatch.setattr(_match, "play", lambda *arguments: found)
    said = []
    plan = _loop.Plan(tmp_path, minutes=0, opponents=("random", "greedy"))
    assert _loop.train(_run.Run(TINY), plan, lambda text, part: said.append(text))
    assert said == [f"after 0.0 minutes against {level}: 75.0% (3 wins, 0 draws, 1 losses)" for level in plan.opponents]
    folder, *scores, rating, low, high, closed = written
    assert folder == str(tmp_path / "tensorboard") and closed == "closed"
    assert scores == [("score/random", 0.8, 0), ("score/greedy", 0.8, 0)]
    assert [one[0] for one in (rating, low, high)] == ["rating", "low", "high"] and low[1] < rating[1] < high[1]
    # Without such a package, nothing is written.
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    board = _report.TensorBoard(tmp_path)
    board.add(1, {"policy_loss": 1.0})
    board.close()
    assert len(written) == 7


def test_progress_is_a_bar_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: dict[bool, str] = {}
    for is_terminal in (True, False):
        error = io.StringIO()
        monkeypatch.setattr(error, "isatty", lambda answer=is_terminal: answer)
        monkeypatch.setattr(sys, "stderr", error)
        say = _loop.terminal()
        say("1.00 min", 0.5)
        say("2.00 min " + 200 * "x", 0.6)
        say("a result", None)
        printed[is_terminal] = error.getvalue()
    first, second, last = printed[True].split("\r\033[K")[1:]
    assert first == "━" * 15 + "─" * 15 + " 50% 1.00 min" and last == "a result\n"
    assert second.startswith("━" * 18 + "─") and len(second) == shutil.get_terminal_size().columns - 1
    # Elsewhere, a line every ten seconds.
    assert printed[False] == " 50% 1.00 min\na result\n"


def test_a_model_that_won_every_game_can_be_read(tmp_path: Path) -> None:
    chosen = {"games": 2, "simulations": 2, "net": "1x4", "slots": None, "seed": 0}
    run = _run.Run(_settings.make("chess", on_gpu=False, **chosen))
    counts = {"games": 2, "wins": 2, "draws": 0, "losses": 0, "score": 1.0, "low": 0.3, "high": 1.0, "elo": math.inf}
    run.progress.matches.append({"minutes": 0.0, "opponent": "random", **counts})
    plan = _loop.Plan(tmp_path, minutes=1.0)
    _loop._begin_segment(run, plan)
    _loop._write(run, plan)
    assert isinstance(fourfold.Bot.load(tmp_path), fourfold.Bot)


def test_errors_say_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / _run.CHECKPOINT).write_bytes(b"nothing")
    empty = tmp_path / "empty"
    for arguments, expected in [
        ([], "expected a game, or --resume DIR"),
        (["go"], "unknown game 'go': expected one of chess, "),
        (["chess", "--minutes", "-5"], "expected --minutes above 0"),
        (["chess", "--iterations", "0"], "at least 1 for --iterations"),
        (["chess", "--evaluation-games", "-1"], "at least 0 for --evaluate-every and --evaluation-games"),
        (["evaluate", str(tmp_path), "--simulations", "x"], "expected whole numbers separated by commas"),
        (["chess", "--net", "6"], "expected BLOCKSxCHANNELS such as 6x64, got '6'"),
        (["chess", "--net", "1x2000"], "expected from 4 to 1024 channels, got 2000"),
        (["chess", "--games", "0"], "games"),
        (["chess", "--slots", "1"], "slots"),
        (["--resume", str(tmp_path), "--slots", "9"], "--slots cannot change when a run is resumed"),
        (["chess", "--out", str(tmp_path)], "already has a run"),
        (["--resume", str(tmp_path)], "cannot be read"),
        (["chess", "--resume", str(tmp_path)], "expected a game, or --resume DIR"),
        (["--resume", str(tmp_path), "--net", "1x4"], "--net cannot change when a run is resumed"),
        (["--resume", str(tmp_path), "--seed", "0"], "--seed cannot change when a run is resumed"),
        (["--resume", str(empty)], "there is no checkpoint"),
        (["chess", "--games", "2", "--net", "1x4", "--opponents", "nobody"], "unknown level 'nobody'"),
    ]:
        with pytest.raises(SystemExit) as caught:
            command.main([*arguments, "--out", str(empty)] if "--out" not in arguments else arguments)
        assert caught.value.code == 2
        said = capsys.readouterr().err
        assert expected in said, said


def test_a_checkpoint_of_another_shape_is_refused(tmp_path: Path) -> None:
    run = _run.Run(TINY)
    run.save(tmp_path)
    other = dataclasses.replace(TINY, net="1x4")
    text = (tmp_path / _run.CHECKPOINT).read_bytes()
    changed = text.replace(b'\\"net\\": \\"1x8\\"', b'\\"net\\": \\"1x4\\"')
    assert changed != text and other.net == "1x4"
    (tmp_path / _run.CHECKPOINT).write_bytes(changed)
    with pytest.raises(ValueError, match="expected .* to be float32"):
        _run.Run.load(tmp_path)


@pytest.mark.parametrize(
    "results",
    [
        [(1000, 30, 40, 2), (1500, 5, 40, 2)],
        [(400, 40, 40, 2), (1250, 0, 40, 2)],
        [(1680, 27.5, 100, 4)],
    ],
)
def test_ratings_are_the_likeliest(results: list[tuple[float, float, int, int]]) -> None:
    found = _rating.estimate([_rating.Result(*one) for one in results])

    def likelihood(rating: int) -> float:
        total = 0.0
        for bot, score, games, players in results:
            own, theirs = 10 ** (rating / 400), 10 ** (bot / 400)
            chance = own / (own + (players - 1) * theirs)
            total += (score + 0.5) * np.log(chance) + (games - score + 0.5) * np.log(1 - chance)
        return float(total)

    whole = range(-1000, 4000)
    values = np.array([likelihood(rating) for rating in whole])
    inside = [rating for rating, value in zip(whole, values, strict=True) if value >= values.max() - 1.9207]
    assert found.rating == pytest.approx(whole[values.argmax()], abs=1)
    assert found.low == pytest.approx(inside[0], abs=1) and found.high == pytest.approx(inside[-1], abs=1)


def test_the_tables_and_the_picture_of_a_run(tmp_path: Path) -> None:
    progress = _run.Progress(iterations=3, seconds=180.0)
    for minute in (1.0, 2.0, 3.0):
        row = {"minutes": minute, "policy_loss": 1 / minute, "value_loss": 0.5, "entropy": 2.0, "games": 0, "steps": 0}
        progress.metrics.append(row)
    for level, score in (("random", 0.9), ("greedy", 0.4)):
        interval = {"low": score - 0.1, "high": score + 0.1}
        progress.matches.append({"minutes": 2.0, "opponent": level, "games": 40, "score": score, **interval})
    _report.write(tmp_path, "a run", "chess", 2, progress)
    rows = pyarrow.parquet.read_table(tmp_path / "metrics.parquet").to_pylist()
    assert [row["rating"] is None for row in rows] == [True, False, True]
    ratings = fourfold.Bot.ratings("chess")
    assert ratings["random"] < rows[1]["rating_low"] < rows[1]["rating"] < rows[1]["rating_high"]
    assert pyarrow.parquet.read_table(tmp_path / "matches.parquet").num_rows == 2
    assert (tmp_path / "progress.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", _games.GAMES)
def test_rust_evaluates_as_jax_does(name: str, tmp_path: Path) -> None:
    rules = rules_of(name)
    _, variables = random_network(rules)
    _export.save(tmp_path, rules, _network.Size(1, 8), _network.fold(variables, jnp.float32), {})
    _, tensors = _export.load(tmp_path, jnp.float32)
    bot = fourfold.Bot.load(tmp_path, seed=3, nodes=4)
    make: Any = fourfold.make
    env = make(name, 50, mask="none", observation="none", autoreset="disabled", **rules.game.options)
    state = env.reset(seed=1)
    evaluate = jax.jit(partial(_search.evaluate, rules, tensors, slots=rules.max_legal))
    for steps in (12, 11):
        for _ in range(steps):
            state = env.step(env.sample())
        assert not (state.terminated | state.truncated).any()
        rows = np.zeros((50, rules.env._kind.row_bytes), np.uint8)
        rows[:, : env.state_bytes] = env.states
        root = jax.tree.map(np.asarray, evaluate(jax.vmap(rules.env._from_bytes)(rows)))
        logits, values = bot.evaluate(env)
        np.testing.assert_allclose(values, root.values, atol=1e-3)
        assert np.ptp(values) > 0.05, "all values are the same"
        logits = logits.reshape(50, rules.rows, -1)
        for game, row in np.ndindex(50, rules.rows):
            legal = root.actions[game, row][root.actions[game, row] >= 0]
            assert set(np.flatnonzero(np.isfinite(logits[game, row]))) == set(legal.tolist())
            found = np.exp(logits[game, row, legal] - logits[game, row, legal].max())
            expected = np.exp(root.logits[game, row, : len(legal)])
            np.testing.assert_allclose(found / found.sum(), expected / expected.sum(), atol=1e-3)
            assert len(legal) < 5 or np.ptp(expected) > 0.05, "all actions are equally likely"
    assert bot.act(env).shape == env._action_shape
    # The default options of kung fu chess have another speed.
    other = make(name, 2)
    other.reset(seed=1)
    assert bot.act(other).shape == other._action_shape
    assert np.isfinite(bot.evaluate(other)[1]).all()
    if name == "kung_fu":
        # With steps of one tick, it decides in a sixth of them, so that it acts as often as in training.
        ticks = make(name, 50, interval=1)
        ticks.reset(seed=1)
        chosen = fourfold.Bot.load(tmp_path, seed=3, nodes=1).act(ticks)
        assert 5 <= (chosen != ticks.num_actions - 1).sum() <= 30
    if name == "four_player":
        teams = make(name, 2, mode="teams")
        teams.reset(seed=1)
        with pytest.raises(RuntimeError, match="trained with other options"):
            bot.act(teams)
    with pytest.raises(ValueError, match="nothing"):
        fourfold.Bot.load(tmp_path / "nothing")


def test_a_finished_network_is_evaluated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = _run.Run(TINY)
    run.export(tmp_path, {})
    line = ["evaluate", str(tmp_path), "--games", "4", "--simulations", "0,2", "--opponents", "random"]
    assert command.main(line) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [row.split()[:2] for row in printed if row.startswith("random")] == [["random", "4"]] * 2
    assert printed[0] == "chess, policy only" and "chess, 2 simulations" in printed
    empty = tmp_path / "empty"
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "model.json").write_text("{}")
    for arguments, expected in [
        ([str(empty)], "there is no model in"),
        ([str(damaged)], "is not a model of format 1"),
        ([str(tmp_path), "--opponents", "nobody"], "unknown level 'nobody'"),
        ([str(tmp_path), "--games", "0"], "games"),
        ([str(tmp_path), "--simulations", "x"], "--simulations"),
    ]:
        with pytest.raises(SystemExit) as caught:
            command.main(["evaluate", *arguments])
        assert caught.value.code == 2
        assert expected in capsys.readouterr().err
