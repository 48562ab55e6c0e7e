"""Boards, their history and copies, and the legacy interface."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree

import numpy as np
import pytest

import fourfold
from fourfold import legacy
from fourfold.chess import Board


def test_undo_and_redo_without_limit() -> None:
    board = Board()
    rng = np.random.default_rng(0)
    fens = [board.fen]
    while board.outcome is None and board.ply < 300:
        board.push(str(rng.choice(board.legal_moves)))
        fens.append(board.fen)
    for fen in reversed(fens[:-1]):
        board.undo()
        assert board.fen == fen
    with pytest.raises(fourfold.HistoryEndError):
        board.undo()
    for fen in fens[1:]:
        board.redo()
        assert board.fen == fen
    with pytest.raises(IndexError):
        board.redo()


def test_boards_pickle_and_copy_with_their_game() -> None:
    board = Board()
    for move in ["e4", "e5", "Nf3"]:
        board.push(move)
    board.undo()
    for other in (copy.deepcopy(board), pickle.loads(pickle.dumps(board)), board.copy()):
        assert other == board and other.moves == ["e4", "e5"]
        other.redo()
        assert other.moves == ["e4", "e5", "Nf3"]
        assert board.moves == ["e4", "e5"]


def test_undone_end_is_kept() -> None:
    board = Board.from_pgn('[Termination "resignation"]\n\n1. e4 {best by test} e5 0-1')
    resigned = fourfold.chess.Outcome("resignation", (fourfold.chess.BLACK,))
    assert board.outcome == resigned
    for undone in range(4):
        for other in (copy.deepcopy(board), pickle.loads(pickle.dumps(board)), board.copy()):
            assert other == board and other.ply == board.ply and other.outcome == board.outcome
            assert other.pgn == board.pgn
            for _ in range(undone):
                other.redo()
            assert other.outcome == resigned and other.moves == ["e4", "e5"]
            assert "best by test" in other.pgn
            with pytest.raises(fourfold.HistoryEndError):
                other.redo()
        if undone < 3:
            board.undo()
    assert board.ply == 0
    ended = board.copy()
    ended.jump(2)
    open_ = ended.copy()
    open_.undo()
    assert ended != open_ and ended.fen == open_.fen


def test_variant_is_known_for_every_constructor() -> None:
    pgn = """[Variant "Chess960"]
[SetUp "1"]
[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"]

1. g3 g6 *"""
    board = Board.from_pgn(pgn)
    assert board.chess960 and repr(board).endswith(", chess960=True)")
    for other in (board.copy(), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert other.chess960 and other == board and repr(other) == repr(board)
    assert eval(repr(board)).fen == board.fen
    start = Board(chess960=True)
    assert start.chess960 and start != Board() and pickle.loads(pickle.dumps(start)).chess960
    assert not Board.from_pgn("1. e4 *").chess960 and not Board().chess960
    assert repr(Board.from_pgn("1. e4 *")).endswith("1')")


def test_errors() -> None:
    with pytest.raises(fourfold.PositionError, match="invalid FEN"):
        Board("nonsense")
    with pytest.raises(fourfold.IllegalMoveError, match="ambiguous"):
        Board("4k3/8/8/8/8/8/R6R/4K3 w - - 0 1").push("Re2")
    with pytest.raises(fourfold.PositionError):
        Board.from_pgn("1. e4 e5 2. Ke3 *")
    with pytest.raises(ValueError, match="expected depth from 0 to 30, got 31"):
        Board().perft(31)


def test_chess960() -> None:
    board = Board("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", chess960=True)
    assert board.perft(3) == 12189
    assert "chess960=True" in repr(board)


def test_legacy_names() -> None:
    assert legacy.is_knight_plane.sum() == 8
    assert legacy.is_queenlike_plane.sum() == 56
    assert legacy.is_underpromotion_plane.sum() == 9
    assert set(legacy.plane_promotion_piece_type[:9]) == {legacy.KNIGHT, legacy.BISHOP, legacy.ROOK}
    env = fourfold.make("chess", num_envs=5, preset="legacy", num_threads=1)
    state = env.reset(seed=3)
    for _ in range(40):
        arrays = legacy.chess_state(env, state)
        mask = legacy.action_mask(state)
        assert mask.shape == (5, 8, 8, 73)
        for game, fen in enumerate(env.positions):
            board = Board(fen)
            mover = int(arrays.current_players[game])
            # Legal moves start from squares with a piece of the mover.
            own = arrays.boards[game] * mover > 0
            own = own if mover == legacy.WHITE else own[::-1]
            assert (mask[game].any(axis=-1) <= own).all()
            king = legacy.find_king(arrays.boards[game], mover)
            assert legacy.is_square_attacked(arrays.boards[game], *king, -mover) == board.is_check
        rows, cols, planes = (np.array([np.argwhere(m)[0][axis] for m in mask]) for axis in range(3))
        actions = legacy.actions_from_triples(rows, cols, planes)
        state = env.step(actions)
    with pytest.raises(ValueError, match="expected plane from 0 to 72, got 73"):
        legacy.actions_from_triples([0], [0], [73])
    with pytest.raises(TypeError, match="expected rows to be integers, got float64"):
        legacy.actions_from_triples([6.5], [4], [17])
    with pytest.raises(TypeError, match="expected planes to be integers, got float32"):
        legacy.actions_from_triples([6], [4], np.array([17], dtype=np.float32))
    with pytest.raises(ValueError, match=r"of shapes \(2,\), \(3,\) and \(1,\)"):
        legacy.actions_from_triples([6, 6], [4, 4, 4], [17])
    assert legacy.actions_from_triples([6, 6], [4, 3], 17).tolist() == [2426, 1842]


def test_legacy_state_is_current() -> None:
    mate = ["f3", "e5", "g4", "Qh4"]
    quiet = ["Nf3", "Nf6", "Ng1", "Ng8"]
    env = fourfold.make("chess", num_envs=2, preset="legacy", autoreset="disabled", num_threads=1)
    env.reset(seed=0)
    for moves in zip(mate, quiet, strict=True):
        found = legacy.chess_state(env)
        assert found.dones.tolist() == [False, False] and found.winners.tolist() == [0, 0]
        state = env.step(env.actions(moves))
    for _ in range(3):
        # A finished game stays over in later steps.
        found = legacy.chess_state(env)
        assert found.dones.tolist() == [True, False] and found.winners.tolist() == [legacy.BLACK, 0]
        assert found.boards[0, 4, 7] == -legacy.QUEEN
        again = legacy.chess_state(env, state)
        assert all(np.array_equal(one, other) for one, other in zip(found, again, strict=True))
        state = env.step(env.sample())
    # If the next game starts at once, no current game is over, but the state of the step still says so.
    env = fourfold.make("chess", preset="legacy", num_threads=1)
    for move in mate:
        state = env.step(env.actions([move]))
    assert legacy.chess_state(env).dones.tolist() == [False]
    assert legacy.chess_state(env, state).dones.tolist() == [True]
    assert legacy.chess_state(env, state).winners.tolist() == [legacy.BLACK]
    # A truncated game is over, and nobody has won it.
    env = fourfold.make("chess", preset="legacy", autoreset="disabled", max_steps=2, num_threads=1)
    for move in mate[:2]:
        env.step(env.actions([move]))
    found = legacy.chess_state(env)
    assert found.dones.tolist() == [True] and found.winners.tolist() == [0]


def test_notebooks_show_the_board() -> None:
    board = Board()
    board.push("e4")
    document = xml.etree.ElementTree.fromstring(board._repr_svg_())
    assert document.tag.endswith("svg")
    assert len(board.svg(size=100)) > 1000
    pictures = {board.svg(player=player, theme=theme) for player in (0, 1) for theme in ("light", "dark")}
    assert len(pictures) == 4
    with pytest.raises(ValueError, match="invalid theme 'red': expected one of light, dark"):
        board.svg(theme="red")  # type: ignore[arg-type]
    with pytest.raises(IndexError, match="expected player 0 or 1, got 2"):
        board.svg(player=2)
    with pytest.raises(ValueError, match="expected size from 16 to 10000, got 0"):
        board.svg(size=0)
