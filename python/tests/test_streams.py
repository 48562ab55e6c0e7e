"""Environments that play different parts of the same set of games."""

import pickle

import pytest

import fourfold


@pytest.mark.parametrize("device", ["cpu", "cuda-emulated"])
def test_an_offset_selects_random_streams(device: str) -> None:
    def played(env, **options):
        env.reset(seed=7, **options)
        for _ in range(3):
            env.step(env.sample())
        return env.positions

    whole = played(fourfold.make("chess", 8, device=device))
    part = fourfold.make("chess", 3, device=device, stream_offset=5)
    assert part.stream_offset == 5 and played(part) == whole[5:]
    assert played(part.clone()) == played(pickle.loads(pickle.dumps(part))) == whole[5:]
    # The index of the first game is added.
    assert played(fourfold.make("chess", 3, device=device, stream_offset=4), first_game=1) == whole[5:]


def first_legal(state):
    return state.legal_action_mask.argmax(axis=1)


@pytest.mark.parametrize("players", [None, ["greedy", "random"], [first_legal, "random"]])
def test_rollouts_start_at_the_offset(players) -> None:
    options = {"seed": 2, "players": players}
    whole = fourfold.rollout("blokus_duo", 12, **options)
    games = [fourfold.rollout("blokus_duo", 1, stream_offset=first, **options) for first in range(12)]
    steps = [game.steps for game in games]
    assert sum(steps) == whole.steps and len(set(steps)) > 1
    assert tuple(map(sum, zip(*(game.wins for game in games), strict=True))) == whole.wins


def test_pickles_of_earlier_versions_have_no_offset() -> None:
    env = fourfold.make("chess", 2)
    state = env.__getstate__()
    del state["config"]["stream_offset"]
    restored = fourfold.Environment.__new__(fourfold.Environment)
    restored.__setstate__(state)
    assert restored.stream_offset == 0 and restored.positions == env.positions


def test_an_invalid_offset_is_an_error() -> None:
    with pytest.raises(ValueError, match="stream_offset"):
        fourfold.make("chess", stream_offset=-1)
