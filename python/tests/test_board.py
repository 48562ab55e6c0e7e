"""Boards, the seed's names, and what a board keeps."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import fourfold
from fourfold import seed
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


def test_errors() -> None:
    with pytest.raises(fourfold.PositionError, match="bad FEN"):
        Board("nonsense")
    with pytest.raises(fourfold.IllegalMoveError, match="may be"):
        Board("4k3/8/8/8/8/8/R6R/4K3 w - - 0 1").push("Re2")
    with pytest.raises(fourfold.PositionError):
        Board.from_pgn("1. e4 e5 2. Ke3 *")
    with pytest.raises(ValueError, match="depth 31"):
        Board().perft(31)


def test_chess960() -> None:
    board = Board("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", chess960=True)
    assert board.perft(3) == 12189
    assert "chess960=True" in repr(board)


def test_the_seeds_names() -> None:
    assert seed.is_knight_plane.sum() == 8
    assert seed.is_queenlike_plane.sum() == 56
    assert seed.is_underpromotion_plane.sum() == 9
    assert set(seed.plane_promotion_piece_type[:9]) == {seed.KNIGHT, seed.BISHOP, seed.ROOK}
    env = fourfold.make("chess", num_envs=5, preset="seed", num_threads=1)
    state = env.reset(seed=3)
    for _ in range(40):
        arrays = seed.chess_state(env, state)
        mask = seed.action_mask(state)
        assert mask.shape == (5, 8, 8, 73)
        for game, fen in enumerate(env.positions):
            board = Board(fen)
            mover = int(arrays.current_players[game])
            # A legal move starts where the mover has a man.
            own = arrays.boards[game] * mover > 0
            own = own if mover == seed.WHITE else own[::-1]
            assert (mask[game].any(axis=-1) <= own).all()
            king = seed.find_king(arrays.boards[game], mover)
            assert seed.is_square_attacked(arrays.boards[game], *king, -mover) == board.is_check
        rows, cols, planes = (np.array([np.argwhere(m)[0][axis] for m in mask]) for axis in range(3))
        actions = seed.actions_from_triples(rows, cols, planes)
        state = env.step(actions)
    with pytest.raises(ValueError, match="a plane is not from 0 to 72"):
        seed.actions_from_triples([0], [0], [73])
