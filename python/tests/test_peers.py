"""The same games in other packages, ply by ply."""

from __future__ import annotations

import numpy as np
import pytest
from labels import on_board

import fourfold

chess = pytest.importorskip("chess")


def test_legal_moves_equal_python_chess() -> None:
    """100,000 positions from all phases of random games."""
    env = fourfold.make("chess", num_envs=500, mask="sparse", observation="none")
    state = env.reset(seed=11)
    boards = [chess.Board() for _ in range(500)]
    label_of = {
        (turn, squares_of(label, turn)): label
        for turn in (chess.WHITE, chess.BLACK)
        for label in range(4672)
        if on_board(label)
    }
    for _ in range(200):
        counts, actions = state.legal_action_counts, state.legal_actions
        for game, board in enumerate(boards):
            expected = {label_of[board.turn, key(move)] for move in board.legal_moves}
            assert set(actions[game, : counts[game]].tolist()) == expected, board.fen()
        chosen = env.sample()
        moves = env.moves(chosen)
        assert np.array_equal(env.actions(moves), chosen)
        state = env.step(chosen)
        for game, fen in enumerate(env.positions):
            if state.terminated[game] or state.truncated[game]:
                boards[game] = chess.Board()
            else:
                boards[game].push(chess.Move.from_uci(moves[game]))
                assert boards[game].fen(en_passant="fen") == fen


def key(move: chess.Move) -> tuple[int, int, str]:
    """Returns the squares of a move and the underpromotion."""
    letter = "" if move.promotion in (None, chess.QUEEN) else chess.piece_symbol(move.promotion)
    return move.from_square, move.to_square, letter


def squares_of(label: int, turn: chess.Color) -> tuple[int, int, str]:
    """Returns the same for a label, from the definition of the planes."""
    files, ranks, letter = fourfold._core.chess_planes()[label % 73]
    file, rank = divmod(label // 73, 8)
    flip = 0 if turn == chess.WHITE else 56
    origin, target = rank * 8 + file, (rank + ranks) * 8 + file + files
    return origin ^ flip, target ^ flip, (letter or "").lower()


def test_pgx_value_for_value() -> None:
    """In JAX; the environments in NumPy are compared with those in test_jax.py."""
    pytest.importorskip("jax")
    pytest.importorskip("pgx")
    from fourfold.jax._check import compare_with_pgx

    found = compare_with_pgx(24, seed=4)
    assert found.difference is None
    assert found.steps > 5000 and found.ended >= 20 and found.excepted < 12, found


def test_open_spiel_through_the_converter() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("chess")
    env = fourfold.make("chess", num_envs=1, observation="none", autoreset="disabled", num_threads=1)
    for seed in range(12):
        state = env.reset(seed=seed)
        theirs = game.new_initial_state()
        for _ in range(120):
            if state.terminated[0] or state.truncated[0] or theirs.is_terminal():
                break
            legal = np.flatnonzero(state.legal_action_mask[0])
            converted = [int(env.to_dialect("open_spiel", [label])[0]) for label in legal]
            assert sorted(converted) == sorted(theirs.legal_actions())
            action = env.sample()
            its = int(env.to_dialect("open_spiel", action)[0])
            assert env.from_dialect("open_spiel", [its])[0] == action[0]
            state = env.step(action)
            theirs.apply_action(its)


def test_pettingzoo_through_the_converter() -> None:
    chess_v6 = pytest.importorskip("pettingzoo.classic").chess_v6
    env = fourfold.make("chess", num_envs=1, observation="none", autoreset="disabled", num_threads=1)
    for seed in range(4):
        state = env.reset(seed=seed)
        theirs = chess_v6.env()
        theirs.reset()
        for _ in range(100):
            observation, _, terminated, truncated, _ = theirs.last()
            if state.terminated[0] or state.truncated[0] or terminated or truncated:
                break
            legal = np.flatnonzero(state.legal_action_mask[0])
            converted = [int(env.to_dialect("pettingzoo", [label])[0]) for label in legal]
            assert sorted(converted) == np.flatnonzero(observation["action_mask"]).tolist()
            action = env.sample()
            theirs.step(int(env.to_dialect("pettingzoo", action)[0]))
            state = env.step(action)


def test_known_defects_of_peers() -> None:
    # Pgx generates at most 200 legal moves.
    fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
    env = fourfold.make("chess", num_envs=1)
    assert env.reset(positions=[fen]).legal_action_mask.sum() == 218
    # Pgx leaves the start position in the history after from_fen.
    planes = env.observe(format="float32")
    assert planes[0, :, :, 14:112].sum() == 7 * 64
    # PettingZoo's pickle restores the start position.
    import pickle

    assert pickle.loads(pickle.dumps(env)).positions == [fen]
