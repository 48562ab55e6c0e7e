"""PettingZoo's own tests, and tests of agents that leave before the end."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pettingzoo as zoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import fourfold
from fourfold import pettingzoo
from fourfold._games import IDS

TURNS = ["chess", "four_player", "blokus", "blokus_duo"]
AT_ONCE = ["kung_fu", "kung_fu_4p"]

# PettingZoo warns about every environment with masks that is not in its own list.
DICTIONARIES = "Observation is not a NumPy array|Observation space for each agent probably should be"


@pytest.mark.parametrize("options", [{}, {"observation": "packed"}])
@pytest.mark.parametrize("game", TURNS)
def test_api(game: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", DICTIONARIES)
        api_test(pettingzoo.env(game, **options), num_cycles=150)
        seed_test(lambda: pettingzoo.env(game, **options), num_cycles=60)


@pytest.mark.parametrize("game", AT_ONCE)
def test_parallel_api(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(pettingzoo.parallel_env(game, speed="lightning"), num_cycles=1500)
        parallel_seed_test(lambda: pettingzoo.parallel_env(game), num_cycles=100)


def test_names_and_pictures() -> None:
    assert IDS["chess"] == "fourfold/Chess-v1" and IDS["kung_fu_4p"] == "fourfold/KungFu4P-v1"
    for game, name in IDS.items():
        kind = "aec" if game in TURNS else "parallel"
        env = zoo.make(kind, name, render_mode="ansi")
        env.reset(seed=0)
        assert env.metadata["name"] == f"{game}-v2"
        assert len(env.render().splitlines()) in (8, 12, 14, 20)


def play(env: Any, seed: int) -> tuple[dict[str, float], list[str]]:
    """Plays a random game, and returns the total reward of each agent and the agents that left before the end."""
    env.reset(seed=seed)
    totals, left = dict.fromkeys(env.possible_agents, 0.0), []
    for index, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + index)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        totals[agent] += reward
        state = env.unwrapped._state
        if terminated and not (state.terminated[0] or state.truncated[0]):
            left.append(agent)
        over = terminated or truncated
        assert over or np.array_equal(observation["action_mask"], info["action_mask"])
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert env.agents == []
    return totals, left


def test_eliminated_agents_keep_their_points() -> None:
    leavers = 0
    for seed in range(6):
        env = pettingzoo.env("four_player")
        totals, left = play(env, seed)
        state = env.unwrapped._state
        assert np.allclose([totals[agent] for agent in env.possible_agents], state.scores[0] / 20)
        out = [agent for agent, alive in zip(env.possible_agents, state.alive[0], strict=True) if not alive]
        assert set(left) <= set(out)
        leavers += len(left)
    assert leavers > 0


def test_agents_stay_if_rewards_are_paid_at_the_end() -> None:
    paid = 0.0
    for seed in range(6):
        env = pettingzoo.env("four_player", reward="rank", quiet=20, max_steps=5000)
        totals, left = play(env, seed)
        assert left == [] and sum(totals.values()) == pytest.approx(0.0, abs=1e-6)
        paid += max(totals.values())
    assert paid > 0


def test_only_the_player_to_move_has_a_mask() -> None:
    env = pettingzoo.env("chess")
    env.reset(seed=0)
    assert env.observe("player_0")["action_mask"].sum() == 20
    assert env.observe("player_1")["action_mask"].sum() == 0
    with pytest.raises(ValueError, match="expected action to be a single integer"):
        env.step([1, 2])
    env.step(int(np.argmin(env.observe("player_0")["action_mask"])))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}


def test_agents_without_an_action_wait() -> None:
    env = pettingzoo.parallel_env("kung_fu", render_mode="ansi")
    env.reset(seed=0, options={"positions": ["K:1:7:4 R:1:7:7 K:2:0:7"]})
    assert env.render().splitlines()[7].split() == [".", ".", ".", ".", "1k", ".", ".", "1r"]
    native = fourfold.make("kung_fu")
    native.reset(positions=["K:1:7:4 R:1:7:7 K:2:0:7"])
    takes = int(native.actions(["R:1:7:7->0,7", "wait"])[0, 0])
    env.step({"player_0": takes})
    while env.agents:
        _, rewards, terminations, _, _ = env.step({})
    assert rewards == {"player_0": 1.0, "player_1": -1.0} and all(terminations.values())
    with pytest.raises(ValueError, match="unknown agent 'red'"):
        env.step({"red": 0})


def test_each_kind_of_game_has_its_interface() -> None:
    with pytest.raises(ValueError, match="kung_fu is simultaneous: use parallel_env"):
        pettingzoo.env("kung_fu")
    with pytest.raises(ValueError, match="chess is turn-based: use env"):
        pettingzoo.parallel_env("chess")
    with pytest.raises(TypeError, match="ParallelGame has agents: use pettingzoo.test.api_test"):
        fourfold.conformance(pettingzoo.parallel_env("kung_fu"))


def test_copies_continue_like_the_original() -> None:
    env = pettingzoo.raw_env("four_player")
    env.reset(seed=1)
    env.step(int(env.observe("player_0")["action_mask"].argmax()))
    copied = pickle.loads(pickle.dumps(env))
    for one in (env, copied):
        one.step(int(one.observe("player_1")["action_mask"].argmax()))
    assert env.agent_selection == copied.agent_selection == "player_2"
    observation, again = env.observe("player_2"), copied.observe("player_2")
    assert all(np.array_equal(observation[name], again[name]) for name in observation)
