"""Gymnasium's own checks, and a comparison of our batch with Gymnasium's batch of single games."""

from __future__ import annotations

import copy
import importlib.util
import pickle
import subprocess
import sys
import warnings
from importlib import metadata
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import fourfold
import fourfold.gymnasium
from fourfold._games import IDS

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"


def first_legal(observation: Any, mask: np.ndarray) -> np.ndarray:
    return mask.argmax(axis=1)


def test_every_game_has_a_versioned_id() -> None:
    assert list(IDS) == fourfold.GAMES
    assert all(fourfold.make(game).id == f"{game}-v2" for game in IDS)
    assert all(name.endswith("-v1") for name in IDS.values())
    assert run_python("import gymnasium; print(gymnasium.make('fourfold:fourfold/Chess-v1').spec.id)") == IDS["chess"]


def run_python(program: str) -> str:
    """Runs a program in a new process, and returns what it prints."""
    found = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


def test_the_entry_point_registers_our_ids_without_importing_the_adapter() -> None:
    (found,) = (
        one for one in metadata.entry_points(group="gymnasium.envs") if one.dist and one.dist.name == "fourfold"
    )
    # As Gymnasium does with plugins, except from 1.0 to 1.4, which have none.
    load = f"""
import importlib.metadata, sys
import gymnasium
for plugin in importlib.metadata.entry_points(group={found.group!r}, name={found.name!r}):
    plugin.load()()
assert "fourfold.gymnasium" not in sys.modules
print(gymnasium.make("fourfold/Chess-v1").spec.id)
"""
    assert run_python(load) == IDS["chess"]


OPTIONS: list[dict[str, Any]] = [
    {},
    {"mask_in_observation": True, "player": "random", "observation": "packed"},
    {"opponents": first_legal, "player": "alternate", "observation": "uint8"},
    {"opponents": None, "observation": "float16"},
    {"opponents": "greedy", "player": 1},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("game", IDS)
def test_check_env(game: str, options: dict[str, Any]) -> None:
    if game.startswith("kung_fu") and options.get("opponents", "random") is None:
        options = {**options, "opponents": "wait"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(IDS[game], **options).unwrapped)


TWINS: list[tuple[str, dict[str, Any]]] = [
    ("chess", {"opponents": None, "max_steps": 9}),
    ("chess", {"opponents": first_legal, "player": 1, "max_steps": 12}),
    ("four_player", {"opponents": first_legal, "player": 2, "max_steps": 30}),
    ("blokus_duo", {"opponents": None, "size": 5, "starts": "corners", "mask_in_observation": True}),
    ("blokus", {"opponents": [first_legal] * 3, "player": 3, "size": 7}),
    ("kung_fu", {"opponents": "wait", "max_ticks": 40, "player": 1, "illegal": "ignore"}),
]


@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize(("game", "options"), TWINS)
def test_vector_env_matches_gymnasiums_sync_vector_env(game: str, options: dict[str, Any], mode: str) -> None:
    ours = gymnasium.make_vec(IDS[game], num_envs=3, autoreset=mode, **options)
    assert isinstance(ours.unwrapped, fourfold.gymnasium.VectorEnv)
    declared = ours.metadata["autoreset_mode"]
    assert declared is AutoresetMode[mode.upper()]
    theirs = SyncVectorEnv([lambda: gymnasium.make(IDS[game], **options)] * 3, autoreset_mode=declared)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    (observation, info), (expected, _) = ours.reset(seed=0), theirs.reset(seed=0)
    assert data_equivalence(observation, expected, exact=True)
    chance, ends = np.random.default_rng(5), 0
    for _ in range(60):
        rows = [np.flatnonzero(mask) for mask in info["action_mask"]]
        actions = np.array([chance.choice(row) for row in rows])
        found, wanted = ours.step(actions), theirs.step(actions)
        observation, _reward, terminated, truncated, info = found
        assert observation in ours.observation_space
        for one, other in zip(found[:4], wanted[:4], strict=True):
            assert data_equivalence(one, other, exact=True)
        same_info(info, wanted[4], ours.unwrapped.endings)
        over = terminated | truncated
        ends += int(over.sum())
        if mode == "disabled" and over.any():
            given = {"reset_mask": over}
            observation, info = ours.reset(options=given)
            expected, _ = theirs.reset(options={"reset_mask": over})
            assert data_equivalence(observation, expected, exact=True)
    assert ends >= 3


def same_info(info: dict[str, Any], wanted: dict[str, Any], endings: list[str]) -> None:
    """Checks that our infos have all that Gymnasium's have. Gymnasium drops rewards when it restarts a game."""
    for name, value in wanted.items():
        if name in ("rewards", "_rewards"):
            assert np.array_equal(info["rewards"][wanted["_rewards"]], wanted["rewards"][wanted["_rewards"]])
        elif name == "ending":
            ours = np.array([endings[code] if code >= 0 else None for code in info["ending"]], dtype=object)
            assert (ours[wanted["_ending"]] == value[wanted["_ending"]]).all()
        elif name == "final_info":
            assert np.array_equal(info["_final_info"], wanted["_final_info"])
            same_info(info["final_info"], value, endings)
        elif name == "final_obs" or name.startswith("_"):
            assert data_equivalence(info[name], value, exact=True), name
        else:
            rows = wanted[f"_{name}"]
            assert np.array_equal(info[name][rows], value[rows]), name


@pytest.mark.parametrize("game", IDS)
def test_samples_by_the_mask_are_legal(game: str) -> None:
    options = {"illegal": "error", "opponents": "random", "player": "random"}
    envs = gymnasium.make_vec(IDS[game], num_envs=4, **options)
    _, info = envs.reset(seed=1)
    for _ in range(40):
        assert info["action_mask"].dtype == np.int8
        actions = envs.action_space.sample(mask=tuple(info["action_mask"]))
        _, _, _, _, info = envs.step(actions)


def test_seed_determines_everything() -> None:
    def play(**options: Any) -> list[str]:
        envs = gymnasium.make_vec(IDS["chess"], num_envs=4, player="random", opponents="greedy", **options)
        _, info = envs.reset(seed=7)
        for _ in range(10):
            _, _, _, _, info = envs.step(info["action_mask"].argmax(axis=1))
        envs.reset()
        return envs.unwrapped.positions

    assert play() == play() == play(num_threads=1)
    starts = [MATE_IN_ONE, "8/P6k/8/8/8/8/8/K7 w - - 0 1"]
    envs, native = fourfold.gymnasium.VectorEnv("chess", 8, start=starts), fourfold.make("chess", 8, start=starts)
    envs.reset(seed=5)
    native.reset(seed=5)
    assert envs.positions == native.positions and len(set(envs.positions)) == 2
    fresh = [gymnasium.make(IDS["blokus"], player=3) for _ in range(2)]
    one, other = (env.reset()[0]["observation"] for env in fresh)
    assert not np.array_equal(one, other)


def test_bot_equals_its_level_name() -> None:
    plays = []
    for bot in ("greedy", fourfold.Bot("chess", "greedy", seed=3)):
        env = gymnasium.make(IDS["chess"], opponents=bot)
        _, info = env.reset(seed=2)
        for _ in range(5):
            info = env.step(info["action_mask"].argmax())[4]
        plays.append(env.unwrapped.position)
    assert plays[0] == plays[1]


def mating() -> int:
    """Returns the action that mates."""
    board = fourfold.make("chess")
    board.reset(positions=[MATE_IN_ONE])
    return int(board.actions(["d1d8"])[0])


def test_reward_is_the_agents_reward() -> None:
    mate = mating()
    env = gymnasium.make(IDS["chess"], start=[MATE_IN_ONE])
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(mate)
    assert (reward, terminated, info["winner"], info["ending"]) == (1.0, True, 0, "checkmate")
    assert info["rewards"].tolist() == [1.0, -1.0]
    alone = gymnasium.make(IDS["chess"], start=[MATE_IN_ONE], opponents=None)
    alone.reset(seed=0)
    assert alone.step(mate)[1] == 1.0
    waits = gymnasium.make(
        IDS["chess"], player=1, opponents=lambda observation, mask: [mate] * len(mask), start=[MATE_IN_ONE]
    )
    with pytest.raises(ValueError, match="game 0 is over before the agent's first turn"):
        waits.reset(seed=0)


def test_eliminated_agents_get_the_final_reward() -> None:
    options: dict[str, Any] = {"autoreset": "disabled", "player": "alternate", "opponents": "greedy"}
    envs = gymnasium.make_vec(IDS["four_player"], num_envs=24, **options)
    _, info = envs.reset(seed=3)
    envs.action_space.seed(3)
    agent = envs.unwrapped._agent
    rewards = np.zeros((24, 4))
    while not agent.over.all():
        actions = envs.action_space.sample(mask=tuple(info["action_mask"]))
        _, reward, _, _, info = envs.step(actions)
        rewards += info["rewards"]
        assert np.array_equal(reward, info["rewards"][np.arange(24), np.arange(24) % 4])
    assert np.allclose(rewards, agent._state.scores / 20)
    assert not agent._state.alive[np.arange(24), np.arange(24) % 4].all()


def test_opponents_are_seated_after_the_agent() -> None:
    asked: list[int] = []

    def player(place: int) -> Any:
        def choose(observation: Any, mask: np.ndarray) -> np.ndarray:
            asked.append(place)
            return first_legal(observation, mask)

        return choose

    env = gymnasium.make(IDS["four_player"], player=2, opponents=[player(place) for place in (3, 0, 1)])
    _, info = env.reset(seed=0)
    assert asked == [0, 1]
    info = env.step(info["action_mask"].argmax())[4]
    assert asked == [0, 1, 3, 0, 1] and info["current_player"] == 2


@pytest.mark.parametrize("game", IDS)
def test_copies_continue_like_the_original(game: str) -> None:
    opponents = fourfold.Bot(game, "greedy")
    envs = fourfold.gymnasium.VectorEnv(game, 3, opponents=opponents, player="random")
    one = fourfold.gymnasium.Env(game, player="random")
    info, one_info = envs.reset(seed=4)[1], one.reset(seed=4)[1]
    for _ in range(12):
        actions, action = info["action_mask"].argmax(axis=1), one_info["action_mask"].argmax()
        info = envs.step(actions)[4]
        one_info = one.step(action)[4]
    for copied, first in ((pickle.loads(pickle.dumps(envs)), envs), (copy.deepcopy(one), one)):
        given = info["action_mask"].argmax(axis=1) if first is envs else one_info["action_mask"].argmax()
        assert data_equivalence(first.step(given), copied.step(given), exact=True)
        assert data_equivalence(first.reset(), copied.reset(), exact=True)


def test_seats() -> None:
    envs = gymnasium.make_vec(IDS["four_player"], num_envs=6, player="alternate")
    assert envs.reset(seed=0)[1]["current_player"].tolist() == [0, 1, 2, 3, 0, 1]
    assert envs.reset()[1]["current_player"].tolist() == [1, 2, 3, 0, 1, 2]
    envs = gymnasium.make_vec(IDS["four_player"], num_envs=60, player="random")
    assert set(envs.reset(seed=0)[1]["current_player"].tolist()) == {0, 1, 2, 3}


def test_illegal_actions() -> None:
    for illegal, expected in (("lose", (-1.0, True)), ("ignore", (0.0, False))):
        env = gymnasium.make(IDS["chess"], illegal=illegal)
        _, info = env.reset(seed=0)
        _, reward, terminated, _, info = env.step(int((info["action_mask"] == 0).argmax()))
        assert (reward, terminated) == expected
        assert (info["ending"] == "illegal action") is terminated
    envs = gymnasium.make_vec(IDS["kung_fu"], num_envs=2, illegal="error")
    envs.reset(seed=0)
    before = envs.unwrapped.positions
    with pytest.raises(fourfold.IllegalActionError, match="game 1: action 0 is not legal"):
        envs.step([4096, 0])
    assert envs.unwrapped.positions == before
    envs = gymnasium.make_vec(IDS["chess"], num_envs=2, illegal="error", autoreset="next_step", start=[MATE_IN_ONE])
    _, info = envs.reset(seed=0)
    mate, other = mating(), int(info["action_mask"][1].argmax())
    assert envs.step([mate, other])[2].tolist() == [True, False]
    with pytest.raises(fourfold.IllegalActionError, match="game 1"):
        envs.step([0, -1])
    _, reward, terminated, _, info = envs.step([0, int(envs.unwrapped._agent.mask[1].argmax())])
    assert reward[0] == 0 and not terminated[0] and envs.unwrapped.positions[0].startswith("6k1/5ppp")


def test_gymnasiums_wrappers_read_our_infos() -> None:
    envs = DictInfoToList(RecordEpisodeStatistics(gymnasium.make_vec(IDS["blokus_duo"], num_envs=3)))
    _, infos = envs.reset(seed=0)
    ended = 0
    for _ in range(40):
        masks = [one["action_mask"] for one in infos]
        _, _, _terminated, _, infos = envs.step(envs.action_space.sample(mask=tuple(masks)))
        ended += sum("episode" in one or "episode" in one.get("final_info", {}) for one in infos)
    assert ended > 0


def play_legal(env: Any, info: dict[str, Any], steps: int) -> None:
    """Plays the first legal actions."""
    for _ in range(steps):
        mask = info["action_mask"]
        _, _, terminated, truncated, info = env.step(mask.argmax(axis=-1))
        if np.ndim(terminated) == 0 and (terminated or truncated):
            _, info = env.reset()


# Gymnasium before 1.4 counts games that restart in the same step wrongly.
COUNTED = ["next_step"] + ["same_step"] * (tuple(map(int, gymnasium.__version__.split(".")[:2])) >= (1, 4))


@pytest.mark.parametrize("options", [{}, *({"autoreset": mode} for mode in COUNTED)])
def test_episode_statistics_of_batches(options: dict[str, Any]) -> None:
    envs = RecordEpisodeStatistics(gymnasium.make_vec(IDS["chess"], 3, max_steps=9, opponents=None, **options))
    play_legal(envs, envs.reset(seed=0)[1], 40)
    assert len(envs.length_queue) == 12 and set(envs.length_queue) == {9}
    envs = RecordEpisodeStatistics(gymnasium.make_vec(IDS["chess"], 3, start=[MATE_IN_ONE], **options))
    envs.reset(seed=0)
    for _ in range(5):
        envs.step([mating()] * 3)
    assert set(envs.length_queue) == {1} and set(envs.return_queue) == {1.0} and len(envs.length_queue) >= 9


def test_episode_statistics_of_one_game() -> None:
    env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make(IDS["chess"], max_steps=9, opponents=None))
    play_legal(env, env.reset(seed=0)[1], 40)
    assert list(env.length_queue) == [9] * 4


def test_action_masks_are_those_of_the_infos() -> None:
    env, envs = gymnasium.make(IDS["kung_fu"]), gymnasium.make_vec(IDS["kung_fu"], 3, player="alternate")
    info, infos = env.reset(seed=0)[1], envs.reset(seed=0)[1]
    for _ in range(5):
        # As sb3-contrib does.
        mask, masks = env.get_wrapper_attr("action_masks")(), envs.unwrapped.action_masks()
        assert mask.dtype == masks.dtype == np.bool_ and mask.any() and masks.any(axis=1).all()
        assert np.array_equal(mask, info["action_mask"]) and np.array_equal(masks, infos["action_mask"])
        info, infos = env.step(mask.argmax())[4], envs.step(masks.argmax(axis=1))[4]


@pytest.mark.parametrize("game", IDS)
def test_pixels_change_with_the_position_and_the_player(game: str) -> None:
    envs = gymnasium.make_vec(IDS[game], num_envs=2, render_mode="rgb_array", player="alternate")
    _, infos = envs.reset(seed=0)
    first = envs.render()
    assert [(one.dtype, one.shape) for one in first] == [(np.uint8, (400, 400, 3))] * 2
    assert not np.array_equal(*first)
    play_legal(envs, infos, 2)
    assert not np.array_equal(envs.render()[0], first[0])


def test_videos(tmp_path: Path) -> None:
    env = gymnasium.make(IDS["blokus_duo"], render_mode="rgb_array", size=5, starts="corners")
    recorded = gymnasium.wrappers.RecordVideo(env, str(tmp_path / "one"), episode_trigger=lambda index: True)
    play_legal(recorded, recorded.reset(seed=0)[1], 3)
    recorded.close()
    envs = gymnasium.make_vec(IDS["chess"], num_envs=2, render_mode="rgb_array")
    recorded = gymnasium.wrappers.vector.RecordVideo(envs, str(tmp_path / "many"), video_length=3, step_trigger=bool)
    play_legal(recorded, recorded.reset(seed=0)[1], 5)
    recorded.close()
    for folder in ("one", "many"):
        assert any(file.stat().st_size > 1000 for file in (tmp_path / folder).glob("*.mp4"))


def test_pixels_without_the_packages_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    known = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "resvg_py" else known(name))
    with pytest.raises(ImportError, match=r"needs resvg_py, .* run pip install 'fourfold\[rendering\]'"):
        fourfold.gymnasium.Env("chess", render_mode="rgb_array")


def test_positions_and_pictures() -> None:
    env = gymnasium.make(IDS["chess"], render_mode="ansi")
    env.reset(options={"positions": [MATE_IN_ONE]})
    assert env.render() == str(fourfold.chess.Board(MATE_IN_ONE))
    for game in IDS:
        envs = gymnasium.make_vec(IDS[game], num_envs=2, render_mode="ansi")
        envs.reset(seed=0)
        frames = envs.render()
        assert len(frames) == 2 and len(frames[0].splitlines()) in (8, 12, 14, 20)


def test_error_messages() -> None:
    def refuse(message: str, game: str = "chess", **options: Any) -> None:
        with pytest.raises((ValueError, TypeError), match=message):
            fourfold.gymnasium.Env(game, **options)

    refuse("a single agent needs opponents", "kung_fu", opponents=None)
    refuse("unknown level 'good': expected one of random, novice", "kung_fu", opponents="good")
    refuse("unknown level 'wait': expected one of random", opponents="wait")
    refuse("unknown level 'good': expected one of", opponents="good")
    refuse("a bot for blokus cannot play chess", opponents=fourfold.Bot("blokus", "greedy"))
    refuse("expected 3 opponents, got 2", "four_player", opponents=["random"] * 2)
    refuse("expected opponents to be levels, bots or callables", opponents=5)
    refuse("expected player from 0 to 1, got 2", player=2)
    refuse("invalid render_mode 'human': expected one of ansi, rgb_array", render_mode="human")
    refuse("invalid observation 'none': expected one of", observation="none")
    env = fourfold.gymnasium.Env("chess", opponents=lambda observation, mask: [0] * len(mask))
    _, info = env.reset(seed=0)
    with pytest.raises(ValueError, match="an opponent chose the illegal action 0"):
        env.step(info["action_mask"].argmax())
    with pytest.raises(ValueError, match="unknown reset options fen: expected reset_mask or positions"):
        env.reset(options={"fen": ""})
    envs = fourfold.gymnasium.VectorEnv("chess", 2)
    with pytest.raises(ValueError, match="do not pass reset_mask"):
        envs.reset(seed=1, options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("game", IDS)
def test_conformance(game: str, mode: str) -> None:
    fourfold.conformance(gymnasium.make_vec(IDS[game], num_envs=3, autoreset=mode), steps=60)
    fourfold.conformance(gymnasium.make(IDS[game], mask_in_observation=True), steps=20)


def test_conformance_accepts_other_environments() -> None:
    fourfold.conformance(gymnasium.make("CartPole-v1"))
    fourfold.conformance(gymnasium.make_vec("CartPole-v1", num_envs=3, vectorization_mode="sync"))
    with pytest.raises(TypeError, match="dict is not an environment: it has no config, "):
        fourfold.conformance({})


class Spoiled(gymnasium.vector.VectorWrapper):
    """Modifies what an environment returns."""

    def __init__(self, env: Any, spoil: Any) -> None:
        super().__init__(env)
        self.spoil = spoil

    def step(self, actions: Any) -> Any:
        return self.spoil(*self.env.step(actions))


def test_conformance_detects_violations() -> None:
    chance = np.random.default_rng(0)

    def check(message: str, spoil: Any, mode: str = "same_step") -> None:
        envs = gymnasium.make_vec(IDS["chess"], num_envs=3, autoreset=mode, max_steps=9)
        with pytest.raises(AssertionError, match=message):
            fourfold.conformance(Spoiled(envs, spoil), steps=40)

    def without(info: dict[str, Any], name: str) -> dict[str, Any]:
        return {key: value for key, value in info.items() if key != name}

    kept: list[Any] = []

    def reused(o: Any, *rest: Any) -> Any:
        kept.append(o) if not kept else np.copyto(kept[0], o)
        return kept[0], *rest

    check("not in observation_space", lambda o, *rest: (o + 2, *rest))
    check("an earlier observation has changed", reused)
    check("give different results", lambda o, r, *rest: (o, r + chance.random(3), *rest))
    check("rewards are not one finite number per game", lambda o, r, *rest: (o, r[:2], *rest))
    check("terminated does not have one boolean per game", lambda o, r, e, *rest: (o, r, e.astype(int), *rest))
    check("there is no final_obs", lambda *results: (*results[:4], without(results[4], "final_obs")))
    check("no final_info", lambda *results: (*results[:4], without(results[4], "final_info")))
    check("final_obs does not match", lambda o, r, e, t, i: (o, r, e, t & False, i))
    check("not an int8 array", lambda *results: (*results[:4], {"action_mask": results[4]["action_mask"] == 1}))
    check("no legal action", lambda *results: (*results[:4], {"action_mask": results[4]["action_mask"] * 0}))
    check("has a reward or ends it", lambda o, r, *rest: (o, r + 1, *rest), "next_step")
    check("step does not return five values", lambda *results: results[:4])

    class Silent(Spoiled):
        metadata: dict[str, Any] = {}

    envs = gymnasium.make_vec(IDS["chess"], num_envs=3)
    with pytest.raises(AssertionError, match="does not declare autoreset_mode"):
        fourfold.conformance(Silent(envs, lambda *results: results))


class SpoiledOne(gymnasium.Wrapper):
    """Modifies what an environment with one game returns."""

    def __init__(self, env: Any, spoil: Any) -> None:
        super().__init__(env)
        self.spoil = spoil

    def step(self, action: Any) -> Any:
        return self.spoil(*self.env.step(action))


def test_conformance_detects_violations_in_single_env() -> None:
    chance = np.random.default_rng(0)

    def check(message: str, spoil: Any) -> None:
        env = gymnasium.make(IDS["chess"], max_steps=9, disable_env_checker=True)
        with pytest.raises(AssertionError, match=message):
            fourfold.conformance(SpoiledOne(env, spoil), steps=30)

    check("not in observation_space", lambda o, *rest: (o - 1, *rest))
    check("give different results", lambda o, r, *rest: (o, chance.random(), *rest))
    check("a reward is not a finite number", lambda o, r, *rest: (o, float("nan"), *rest))
    check("truncated is not a boolean", lambda o, r, e, t, i: (o, r, e, int(t), i))
    check("games of different lengths", lambda o, r, e, t, i: (o, r, bool(chance.random() < 0.2), t, i))
    check("values other than 0 and 1", lambda *results: (*results[:4], {"action_mask": results[4]["action_mask"] * 2}))
    check(
        "expected action_mask to have shape",
        lambda *results: (*results[:4], {"action_mask": results[4]["action_mask"][:9]}),
    )
