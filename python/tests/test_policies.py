"""Policies as players."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import fourfold
from fourfold import _play

ENVIRONMENTS: list[tuple[str, dict[str, Any]]] = [
    ("chess", {"max_steps": 60}),
    ("four_player", {"max_steps": 40}),
    ("blokus", {"players": 3}),
    ("blokus_duo", {}),
    ("kung_fu", {"speed": "lightning", "max_ticks": 200}),
    ("kung_fu_4p", {"speed": "lightning", "max_ticks": 200}),
]


def uniform(state: fourfold.State) -> NDArray[np.float32]:
    assert state.legal_action_mask is not None
    return np.zeros(state.legal_action_mask.shape, np.float32)


def last_legal(state: fourfold.State) -> NDArray[np.int64]:
    mask = state.legal_action_mask
    assert mask is not None
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


@pytest.mark.parametrize("game", ["chess", "four_player", "blokus", "blokus_duo"])
def test_uniform_logits_play_the_games_of_random_players(game: str) -> None:
    env = fourfold.make(game, observation="none")
    players = [uniform, "random"] * (env.num_players // 2)
    assert env.rollout(6, seed=3, players=players) == env.rollout(6, seed=3)


@pytest.mark.parametrize("game, options", ENVIRONMENTS)
def test_policies_receive_the_rows_of_their_players(game: str, options: dict[str, Any]) -> None:
    env = fourfold.make(game, **options)
    calls = rows = 0

    def policy(state: fourfold.State) -> NDArray[Any]:
        nonlocal calls, rows
        n = len(state.terminated)
        calls, rows = calls + 1, rows + n
        assert state.observation is not None and state.observation.shape == (n, *env.observation_shape)
        assert state.legal_action_mask is not None and state.legal_action_mask.shape == (n, env.num_actions)
        assert state.rewards.shape == state.alive.shape == (n, env.num_players)
        assert state.current_player.shape == (n,) and n > 0
        assert np.isin(state.current_player, (0, env.num_players - 1)).all()
        assert state.alive[np.arange(n), state.current_player].all()
        assert not (state.terminated | state.truncated).any()
        return last_legal(state)

    players: list[Any] = ["random"] * env.num_players
    players[0] = players[-1] = policy
    found = env.rollout(5, seed=1, players=players)
    assert found.games == sum(found.endings.values()) == 5
    # All games start with the same player, so their steps coincide.
    assert 0 < calls <= found.steps and rows > 0
    if env.num_players == 2:
        simultaneous = env._spec["simultaneous"]
        assert rows == found.steps * (2 if simultaneous else 1)


def test_rows_are_those_of_the_environment() -> None:
    """The policy sees what ``env.step`` returns when the same actions are played there."""
    seen: list[fourfold.State] = []

    def policy(state: fourfold.State) -> NDArray[Any]:
        seen.append(state)
        return last_legal(state)

    fourfold.rollout("kung_fu", 2, seed=5, players=[policy, "random"], speed="lightning", max_ticks=60)
    env = fourfold.make("kung_fu", 2, speed="lightning", max_ticks=60)
    state = env.reset(seed=5)
    first = seen[0]
    for name in ("observation", "legal_action_mask", "tokens"):
        assert np.array_equal(getattr(first, name), getattr(state, name)[:, 0]), name
    assert (first.current_player == 0).all()


@pytest.mark.parametrize("game, options", ENVIRONMENTS)
def test_games_depend_only_on_seed_and_index(
    game: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(seed: int, games: range = range(9), **more: Any) -> dict[int, list[Any]]:
        env = fourfold.make(game, **options, **more)
        players = ["greedy", uniform, "random", last_legal][: env.num_players]
        found: dict[int, list[Any]] = {index: [] for index in games}
        for step in _play.play(env, players, games, seed):
            assert step.games.tolist() == sorted(step.games.tolist())
            for index, actions in zip(step.games.tolist(), step.actions.tolist(), strict=True):
                assert len(found[index]) == step.number
                found[index].append(actions)
        return found

    expected = played(4, num_threads=1)
    assert expected == played(4, num_threads=2)
    assert expected[3] != expected[4]
    assert {index: expected[index] for index in (5, 6)} == played(4, range(5, 7))
    assert expected != played(5)
    monkeypatch.setattr(_play, "_MAX_GAMES", 2)
    assert expected == played(4)


@pytest.mark.parametrize("options", [{"packed": True}, {"mask": "sparse"}, {"observation": "uint8"}])
def test_states_have_the_formats_of_the_environment(options: dict[str, Any]) -> None:
    formats: list[set[str]] = []

    def policy(state: fourfold.State) -> NDArray[Any]:
        names = ("observation", "scalars", "legal_action_mask", "legal_actions")
        formats.append({f"{name} {array.dtype}" for name in names if (array := getattr(state, name)) is not None})
        return np.zeros((len(state.terminated), 4672))

    found = fourfold.rollout("chess", 3, seed=0, players=[policy, "greedy"], max_steps=10, **options)
    plain = fourfold.rollout("chess", 3, seed=0, players=[uniform, "greedy"], max_steps=10)
    assert found == plain
    state = fourfold.make("chess", **options).reset(seed=0)
    names = ("observation", "scalars", "legal_action_mask", "legal_actions")
    assert formats[0] == {f"{name} {a.dtype}" for name in names if (a := getattr(state, name)) is not None}


def test_logits_are_followed() -> None:
    def sure(state: fourfold.State) -> NDArray[np.float32]:
        logits = uniform(state)
        logits[np.arange(len(logits)), last_legal(state)] = 1000
        return logits

    env = fourfold.make("chess", max_steps=80)
    both = [env.rollout(8, seed=2, players=[player, "random"]) for player in (sure, last_legal)]
    assert both[0] == both[1]


def test_policies_win_and_lose_as_they_should() -> None:
    env = fourfold.make("chess", start=["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"])

    def mate(state: fourfold.State) -> NDArray[np.int32]:
        return np.repeat(env.actions(["d1d8"]), len(state.terminated))

    found = env.rollout(300, players=[mate, "random"])
    assert found.wins == (300, 0) and found.steps == 300 and found.endings["checkmate"] == 300
    assert fourfold.rollout("chess", 4, players=[uniform, "greedy"], seed=0).wins == (0, 4)
    assert fourfold.rollout("chess", 4, players=["greedy", uniform], seed=0).wins == (4, 0)


def test_a_policy_with_several_seats_is_called_once_per_step() -> None:
    calls = 0

    def policy(state: fourfold.State) -> NDArray[Any]:
        nonlocal calls
        calls += 1
        assert state.current_player.tolist() == [0, 1] * 3
        return last_legal(state)

    env = fourfold.make("kung_fu", max_ticks=30)
    found = env.rollout(3, players=[policy, policy], seed=0)
    assert calls * 3 == found.steps


def test_progress_of_policies() -> None:
    reports: list[tuple[int, int]] = []
    env = fourfold.make("chess", max_steps=20)
    env.rollout(5, players=[uniform, "random"], progress=lambda done, total: reports.append((done, total)))
    assert reports[-1] == (5, 5)


def test_errors_of_policies() -> None:
    env = fourfold.make("chess")
    wrong: list[tuple[Any, type[Exception], str]] = [
        (lambda state: np.zeros((2, 3)), ValueError, r"return actions (4,) or logits (4, 4672), got shape (2, 3)"),
        (lambda state: np.zeros(4), TypeError, "expected a policy's actions to be integers, got float64"),
        (lambda state: np.full(4, -1), fourfold.IllegalActionError, "-1"),
    ]
    for policy, kind, message in wrong:
        with pytest.raises(kind, match=re.escape(message)):
            env.rollout(4, players=[policy, "random"])
    with pytest.raises(ValueError, match="expected 2 players, got 3"):
        env.rollout(4, players=[uniform] * 3)
    with pytest.raises(ValueError, match="unknown level 'grand'"):
        env.rollout(4, players=[uniform, "grand"])
    with pytest.raises(TypeError, match="expected players to be levels, bots or policies, got 7"):
        env.rollout(4, players=[uniform, 7])  # type: ignore[list-item]
