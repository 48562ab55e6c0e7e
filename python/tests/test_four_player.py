"""The four-player environment and board, and the legacy interface."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree

import numpy as np
import pytest

import fourfold
from fourfold import legacy_four_player as legacy
from fourfold.four_player import BLUE, GREEN, RED, YELLOW, Board


def test_forms_of_the_mask_agree() -> None:
    for options in ({}, {"mode": "teams"}, {"actions": "flat"}):
        envs = {
            mask: fourfold.make("four_player", 4, mask=mask, observation="none", **options)
            for mask in ("bool", "packed", "sparse")
        }
        states = {mask: env.reset(seed=3) for mask, env in envs.items()}
        for _ in range(60):
            bools = states["bool"].legal_action_mask
            packed = np.unpackbits(states["packed"].legal_action_mask, axis=1, bitorder="little")
            assert (packed[:, : bools.shape[1]] == bools).all()
            for game, row in enumerate(states["sparse"].legal_actions):
                assert sorted(row[row >= 0]) == list(np.flatnonzero(bools[game]))
            actions = envs["bool"].sample()
            states = {mask: env.step(actions) for mask, env in envs.items()}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mode": "teams"},
        {"preset": "legacy"},
        {"setup": "rg", "reward": "rank"},
        {"reward": "win", "mate_timing": "immediate"},
    ],
)
def test_random_games_come_to_an_end(options: dict[str, str]) -> None:
    env = fourfold.make("four_player", 16, packed=True, **options)
    state = env.reset(seed=1)
    actions = {"teams": 19_360}.get(options.get("mode", ""), 17_920)
    assert env.num_players == 4 and env.num_actions == actions
    ended = 0
    for _ in range(600):
        state = env.step(env.sample())
        ended += int((state.terminated | state.truncated).sum())
    assert ended >= 16


@pytest.mark.parametrize(
    "options",
    [
        {"packed": True},
        {"mode": "teams", "observation": "uint8", "mask": "sparse", "autoreset": "next_step"},
        {"actions": "flat", "observation": "none", "autoreset": "disabled", "max_steps": 60},
        {"view": "absolute", "observation": "float16", "max_steps": 40, "bare_kings": False},
    ],
)
def test_environment_conformance(options: dict[str, object]) -> None:
    fourfold.conformance(fourfold.make("four_player", 3, num_threads=1, **options), steps=80)


def test_observations_unpack_and_are_rotated() -> None:
    env = fourfold.make("four_player", 5, packed=True)
    state = env.reset(seed=4)
    for _ in range(30):
        state = env.step(env.sample())
    floats = env.observe(format="float32")
    assert floats.shape == (5, 14, 14, 48) and state.observation.shape == (5, 31, 28)
    assert np.array_equal(fourfold.unpack.observation(state.observation, state.scalars, env), floats)
    exists = floats[..., 29].astype(bool)
    assert (exists == legacy.valid_square_mask).all() and exists.sum() == 5 * 160
    # The viewer's king is where the legacy arrays have it, rotated so that its home is at the bottom.
    arrays = legacy.four_player_state(env)
    for game, player in enumerate(arrays.current_player):
        own = (arrays.board[game, ..., legacy.PIECE_TYPE] == legacy.KING) & (
            arrays.board[game, ..., legacy.OWNER] == player
        )
        assert np.array_equal(np.rot90(own, int(player)), floats[game, ..., 5].astype(bool))


def test_ids_convert_to_reds_view_and_back() -> None:
    env = fourfold.make("four_player", 6, observation="none")
    red = fourfold.make("four_player", 6, observation="none", view="absolute")
    flat = fourfold.make("four_player", 6, observation="none", actions="flat")
    env.reset(seed=1), red.reset(seed=1), flat.reset(seed=1)
    for _ in range(41):
        actions = env.sample()
        turned = env.absolute(actions)
        assert np.array_equal(env.relative(turned), actions)
        texts = env.moves(actions)
        assert red.moves(turned) == texts and np.array_equal(env.actions(texts), actions)
        assert np.array_equal(flat.absolute(flat.actions(texts)), flat.actions(texts))
        red.step(turned), flat.step(flat.actions(texts)), env.step(actions)
    assert env.positions == red.positions == flat.positions


def test_rewards_are_points_divided_by_twenty() -> None:
    env = fourfold.make("four_player", 8, observation="none", autoreset="disabled")
    state = env.reset(seed=5)
    total = np.zeros((8, 4))
    for _ in range(500):
        state = env.step(env.sample())
        total += state.rewards
    assert np.allclose(total * 20, state.scores, atol=1e-3)
    assert state.scores.max() > 0


def test_legacy_preset_ignores_illegal_actions() -> None:
    env = fourfold.make("four_player", 2, preset="legacy", observation="none")
    state = env.reset(seed=0)
    illegal = np.flatnonzero(~state.legal_action_mask[0])[:1]
    legal = np.flatnonzero(state.legal_action_mask[1])[:1]
    before = env.positions
    state = env.step(np.concatenate([illegal, legal]))
    assert state.move_valid.tolist() == [False, True]
    assert env.positions[0] == before[0] and env.positions[1] != before[1]


def test_legacy_arrays_match_the_board() -> None:
    env = fourfold.make("four_player", 4, observation="none")
    env.reset(seed=2)
    for _ in range(40):
        stepped = env.step(env.sample())
    state = legacy.four_player_state(env)
    assert np.array_equal(state.legal_action_mask, stepped.legal_action_mask)
    for game, fen4 in enumerate(env.positions):
        board = Board(fen4)
        assert state.current_player[game] == board.turn
        assert tuple(state.player_scores[game]) == board.points
        for row in range(14):
            for col in range(14):
                kind, owner, _, exists = state.board[game, row, col]
                piece = board.piece_at(f"{'abcdefghijklmn'[col]}{14 - row}")
                assert bool(exists) == (3 <= row <= 10 or 3 <= col <= 10)
                expected = None if kind == 0 else "rbyg"[owner] + " PNBRQK"[kind]
                assert (piece or "").replace("D", "Q") == (expected or "")
        for player in range(4):
            mine = legacy.get_my_piece_positions(state.board[game], player)
            theirs = legacy.get_opponent_piece_positions(state.board[game], player)
            assert mine.shape == (16,) and theirs.shape == (48,)
            assert (np.diff(mine[mine >= 0]) > 0).all() and (mine[(mine >= 0).sum() :] == -1).all()
            king = legacy.find_king(state.board[game], player)
            assert king == tuple(state.king_positions[game, player])
            number = legacy.square_numbers[king]
            assert number in mine and number not in theirs and tuple(legacy.square_coords[number]) == king
            assert np.array_equal(legacy.get_my_piece_positions(state.board, player)[game], mine)
            owners = state.board[game][tuple(legacy.square_coords[theirs[theirs >= 0]].T)][:, legacy.OWNER]
            assert set(owners) == set(range(4)) - {player}
        in_check = any(legacy.is_in_check(state.board[game], player, state.player_active[game]) for player in range(4))
        assert in_check == board.is_check


def test_checks_in_teams_come_from_the_other_team() -> None:
    env = fourfold.make("four_player", 8, observation="none", mode="teams")
    env.reset(seed=6)
    seen = set()
    for _ in range(60):
        env.step(env.sample())
        arrays = legacy.four_player_state(env)
        for game, fen4 in enumerate(env.positions):
            found = any(legacy.is_in_check(arrays.board[game], player, teams=True) for player in range(4))
            assert found == Board(fen4, mode="teams").is_check
            seen.add(found)
    assert seen == {True, False}


def test_legacy_table_sizes() -> None:
    sizes = {name: table.shape[1] for name, table in legacy.LEGAL_DEST.items()}
    assert sizes == {
        **dict.fromkeys(("red_pawn", "blue_pawn", "yellow_pawn", "green_pawn"), 4),
        "knight": 8,
        "bishop": 19,
        "rook": 26,
        "queen": 45,
        "king": 8,
    }
    sums = {name: int((table >= 0).sum()) for name, table in legacy.LEGAL_DEST.items()}
    assert (sums["rook"], sums["bishop"], sums["queen"], sums["knight"], sums["king"]) == (3584, 2376, 5960, 992, 1124)
    assert int((legacy.LEGAL_DEST_NEAR >= 0).sum()) == 2116 and int((legacy.LEGAL_DEST_FAR >= 0).sum()) == 4836
    # Sliders cannot cross a cut corner: d14 and a11 are 0 and 24.
    assert not legacy.can_move("bishop", 0, 24) and (legacy.BETWEEN[0, 24] == -1).all()


def test_undo_redo_pickle_and_copy() -> None:
    board = Board()
    rng = np.random.default_rng(0)
    fens = [board.fen4]
    while board.outcome is None and board.ply < 120:
        board.push(str(rng.choice(board.legal_moves)))
        fens.append(board.fen4)
        if board.ply == 40:
            board.resign(GREEN)
            assert not board.alive[GREEN]
            fens[-1] = board.fen4
    for other in (copy.deepcopy(board), pickle.loads(pickle.dumps(board)), board.copy()):
        assert other == board and other.fen4 == board.fen4 and other.moves == board.moves
    board.jump(30)
    assert board.fen4 == fens[30] and board.alive[GREEN]
    assert Board.from_pgn4(board.pgn4).fen4 == board.fen4
    board.jump(len(fens) - 1)
    assert board.fen4 == fens[-1]


def test_board_errors() -> None:
    with pytest.raises(ValueError, match="invalid mode 'solo': expected 'ffa' or 'teams'"):
        Board(mode="solo")  # type: ignore[arg-type]
    with pytest.raises(fourfold.PositionError, match="unknown setup 'old': expected one of modern"):
        Board(setup="old")  # type: ignore[arg-type]
    with pytest.raises(fourfold.PositionError, match="expected a FEN4 with 7 fields"):
        Board("R-0")
    with pytest.raises(fourfold.PositionError, match="unknown rule 'fast'"):
        Board(rules="fast")
    with pytest.raises(IndexError, match="expected player 0, 1, 2 or 3, got 4"):
        Board().resign(4)
    with pytest.raises(fourfold.IllegalMoveError):
        Board().push("h2h5")
    with pytest.raises(ValueError, match="teams have no points"):
        fourfold.make("four_player", mode="teams", reward="points")


def test_team_games_end_with_a_resignation() -> None:
    board = Board(mode="teams")
    board.push("h2h3")
    board.resign(BLUE)
    assert board.outcome is not None and board.outcome.winners == (RED, YELLOW)
    assert board.turn is None


def test_board_str_and_svg() -> None:
    board = Board()
    for player in range(4):
        assert xml.etree.ElementTree.fromstring(board.svg(player=player)).tag.endswith("svg")
    lines = str(board).splitlines()
    assert len(lines) == 14 and lines[13].split() == ["rR", "rN", "rB", "rQ", "rK", "rB", "rN", "rR"]
    assert repr(board).startswith("Board('R-0,0,0,0-1,1,1,1-")
    assert eval(repr(board)) == board
