"""Kung fu chess from Python: environments in which all players act at once, and single games."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle

import numpy as np
import pytest

import fourfold
from fourfold import kung_fu, unpack

FAST = {"ticks_per_square": 2, "rest": 4, "max_ticks": 150}


@pytest.mark.parametrize("game", ["kung_fu", "kung_fu_4p"])
@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_every_form_conforms(game: str, autoreset: str) -> None:
    for observation, mask in (("float32", "bool"), ("packed", "packed"), ("uint8", "sparse")):
        env = fourfold.make(game, 4, observation=observation, mask=mask, autoreset=autoreset, **FAST)
        fourfold.conformance(env, steps=60, seed=3)


def test_shapes_have_a_row_for_each_player() -> None:
    env = fourfold.make("kung_fu_4p", 3, seats="134")
    state = env.reset(seed=0)
    assert env.sample().shape == (3, 3)
    assert state.legal_action_mask is not None and state.legal_action_mask.shape == (3, 3, 16385)
    assert state.observation is not None and state.observation.shape == (3, 3, 12, 12, 52)
    assert state.tokens is not None and state.tokens.shape == (3, 3, 48, 6)
    assert state.order_refused is not None and state.order_refused.shape == (3, 3)
    assert state.scalars is None and (state.current_player == -1).all()
    assert env.observe(player=2, format="packed")[0].shape == (3, 40, 24)
    chess = fourfold.make("chess").reset(seed=0)
    assert chess.order_refused is None and chess.tokens is None


def test_packed_planes_unpack_to_floats() -> None:
    env = fourfold.make("kung_fu", 5, packed=True, speed="lightning")
    state = env.reset(seed=1)
    for _ in range(40):
        state = env.step(env.sample())
    floats, tokens = env.observe(format="float32")
    assert state.observation is not None and state.scalars is not None
    unfolded = unpack.observation(state.observation, state.scalars, env)
    exact = np.array([kind != "numbers" for kind, _ in env.channels])
    assert np.array_equal(unfolded[..., exact], floats[..., exact])
    assert not unfolded[..., ~exact].any() and (floats[..., ~exact] % 1 > 0).any()
    assert np.array_equal(tokens, state.tokens)


def test_out_reuses_the_arrays_of_simultaneous_games() -> None:
    env = fourfold.make("kung_fu", 4, packed=True)
    state = env.reset(seed=1)
    again = env.step(env.sample(), out=state)
    assert again.observation is state.observation
    shown = env.current_state()
    assert np.array_equal(again.tokens, shown.tokens) and np.array_equal(again.scalars, shown.scalars)


def test_refused_orders_are_reported() -> None:
    env = fourfold.make("kung_fu", start=["K:1:7:0 P:1:4:4 K:2:0:0 P:2:3:3"])
    env.reset(seed=0)
    actions = env.actions(["P:1:4:4->3,4", "P:2:3:3->4,4"])
    assert env.moves(actions) == ["P:1:4:4->3,4", "P:2:3:3->4,4"]
    state = env.step(actions)
    assert state.order_refused.tolist() == [[False, True]] and state.move_valid.all()
    assert env.array("tick").tolist() == [3] and env.array("kinds").shape == (1, 8, 8)


def test_an_action_of_the_wrong_shape_is_refused() -> None:
    env = fourfold.make("kung_fu", 4)
    with pytest.raises(ValueError, match="shape"):
        env.step(np.zeros(4, dtype=np.int32))
    with pytest.raises(ValueError, match="expected one of standard, lightning"):
        fourfold.make("kung_fu", speed="fast")
    with pytest.raises(fourfold.IllegalActionError, match="action 0 of player 1 in game 2"):
        actions = env.sample()
        actions[2, 1] = 0
        env.step(actions)


def test_random_games_end() -> None:
    found = fourfold.rollout("kung_fu", 40, seed=1, **FAST)
    assert found.games == 40 and sum(found.wins) > 0
    assert set(found.endings) == set(fourfold.make("kung_fu").endings)


def test_environment_and_game_agree() -> None:
    env = fourfold.make("kung_fu_4p", speed="lightning", teams=True)
    env.reset(seed=5)
    game = kung_fu.Game("12x12 lightning teams")
    for _ in range(60):
        actions = env.sample()
        for player, order in enumerate(env.moves(actions), start=1):
            if order == "wait":
                continue
            piece, square = order.split("->")
            row, column = square.split(",")
            with contextlib.suppress(fourfold.IllegalMoveError):
                game.order(player, piece, (int(row), int(column)))
        game.advance_to(game.now + 3)
        env.step(actions)
        assert env.positions == [game.state]
    again = kung_fu.Game.from_replay(game.replay())
    assert again.state == game.state and again.events == game.events and len(game.events) > 20


def test_orders_are_accepted_or_refused() -> None:
    game = kung_fu.Game(board="8x8", speed="lightning")
    assert len(game.legal_orders(1)) == 20 and game.legal_orders(7) == []
    game.order(1, "P:1:6:4", (4, 4))
    for player, piece, to, reason in [
        (1, "P:1:6:4", (5, 4), "moving"),
        (1, "P:2:1:0", (2, 0), "not-your-piece"),
        (9, "P:1:6:0", (5, 0), "not-playing"),
        (-3, "P:1:6:0", (5, 0), "not-playing"),
        (1, "X", (5, 0), "no-piece"),
        (1, "P:1:6:0", (10**12, 0), "off-board"),
        (1, "R:1:7:0", (5, 0), "blocked"),
    ]:
        with pytest.raises(fourfold.IllegalMoveError, match=rf"\({reason}\): "):
            game.order(player, piece, to)
    [event] = game.advance_to(13)
    assert (event.tick, event.type, event.piece, event.square) == (13, "arrives", "P:1:6:4", (4, 4))
    assert game.tick() == [] and game.now == 14
    piece = next(piece for piece in game.pieces if piece.name == "P:1:6:4")
    assert (piece.square, piece.rested, piece.status, piece.moved) == ((4, 4), 73, "resting", True)
    for name, number, square in (("player", 1.5, (5, 0)), ("row", 1, (5.5, 0)), ("column", 1, (5, 0.5))):
        with pytest.raises(TypeError, match=f"expected {name} to be an integer, got .\\.5"):
            game.order(number, "P:1:6:0", square)  # type: ignore[arg-type]


def test_snapshots_replays_and_seek() -> None:
    game = kung_fu.Game(pieces=["K:1:7:4", "R:1:7:7", "K:2:0:4"], speed="lightning")
    game.order(1, "R:1:7:7", (3, 7))
    game.advance_to(30)
    middle = game.state
    later = kung_fu.Game.from_snapshot(game.snapshot())
    assert later == game and later.state == middle
    with pytest.raises(ValueError, match="no replay"):
        later.replay()
    assert [str(event) for event in game.resign(2)] == ["t30 K:2:0:4 removed", "t30 game over winner 1"]
    assert game.winners == (1,) and game.alive == (1,) and game.next_event is None
    assert json.loads(game.replay())["acts"] == ["0 1 R:1:7:7->3,7", "30 resign 2"]
    for data in (game.replay(), game.replay_bytes()):
        again = kung_fu.Game.from_replay(data)
        assert again.state == game.state and again.seek(12).now == 12
        assert "moving" in {piece.status for piece in again.seek(12).pieces}
    assert game.seek(29).winners is None
    assert pickle.loads(pickle.dumps(game)) == game and copy.deepcopy(later) == later
    assert pickle.loads(pickle.dumps(later)) == later
    for wrong in ("{}", b"KFR1", game.replay().replace('"rules_version": 1', '"rules_version": 2')):
        with pytest.raises(fourfold.PositionError):
            kung_fu.Game.from_replay(wrong)
    with pytest.raises(fourfold.SavedStateError):
        kung_fu.Game.from_snapshot(b"KFS1")


def test_draws_need_all_players() -> None:
    game = kung_fu.Game("12x12 bots=4")
    with pytest.raises(fourfold.IllegalMoveError, match="not-all-agree"):
        game.draw([1, 2])
    [event] = game.draw([1, 2, 3])
    assert (event.type, event.winners, game.winners) == ("over", (), ())
    assert repr(game) == "<fourfold.kung_fu.Game 12x12 standard bots=4, tick 0, over>"
