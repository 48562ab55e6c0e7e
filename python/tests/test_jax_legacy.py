"""The legacy interface of ``fourfold.jax``, compared with the NumPy environments and helpers."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import fourfold
from fourfold import legacy, legacy_four_player

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402  # after the check that JAX is installed

import fourfold.jax  # noqa: E402
from fourfold.jax.legacy import (  # noqa: E402
    ACTION_SPACE_SIZE,
    ChessEnv,
    ChessState,
    EnvParams,
    EnvState,
    FourPlayerChessEnv,
)

FOOLS_MATE = [(6, 5, 16), (6, 4, 17), (6, 6, 17), (7, 3, 47)]
"""1. f3 e5 2. g4 Qh4#, as row, column and plane on the mover's board."""
KNIGHT_MOVES = [(7, 6, 72), (7, 6, 72), (5, 7, 67), (5, 7, 67)]
"""1. Nh3 Nh6 2. Ng1 Ng8"""


def key(seed: int = 0) -> Any:
    return jax.random.key(seed)


@pytest.fixture(scope="module")
def chess() -> tuple[ChessEnv, ChessState]:
    env = ChessEnv(2)
    return env, env.reset(key())[0]


@pytest.fixture(scope="module")
def four_player() -> tuple[FourPlayerChessEnv, EnvState]:
    env = FourPlayerChessEnv()
    return env, env.reset(key())[0]


def triples(labels: NDArray[Any]) -> tuple[Any, Any, Any]:
    """Returns action ids as rows, columns and planes."""
    square, plane = np.divmod(labels, legacy.NUM_PLANES)
    return jnp.asarray(7 - square % 8), jnp.asarray(square // 8), jnp.asarray(plane)


def choose(rng: np.random.Generator, mask: NDArray[np.bool_], illegal: float) -> NDArray[np.int32]:
    """Draws an action for each game: an illegal one with this probability, if there is one."""
    wanted = np.where(rng.random((len(mask), 1)) < illegal, ~mask, mask)
    wanted = np.where(wanted.any(axis=1, keepdims=True), wanted, mask)
    return np.array([rng.choice(np.flatnonzero(row)) for row in wanted], np.int32)


def check_fields(found: Any, expected: Any) -> None:
    """Checks that all arrays of a NumPy state are the same in a JAX state."""
    for name, array in expected._asdict().items():
        value = np.asarray(getattr(found, name))
        assert value.dtype == array.dtype, name
        np.testing.assert_array_equal(value, array, err_msg=name)


def same(left: Any, right: Any) -> bool:
    """Returns whether two pytrees have the same structure and values."""
    equal = jax.tree.map(lambda one, other: bool((one == other).all()), left, right)
    return all(jax.tree.leaves(equal))


def types(tree: Any) -> Any:
    """Returns the structure of a pytree with shapes and types."""
    leaves, structure = jax.tree.flatten(jax.eval_shape(lambda: tree))
    return structure, [(leaf.shape, leaf.dtype, leaf.weak_type) for leaf in leaves]


# Chess


@pytest.mark.parametrize(("illegal", "share"), [("lose", 0.01), ("ignore", 0.1)])
def test_chess_equals_numpy(illegal: Any, share: float) -> None:
    games, rng = 6, np.random.default_rng(1)
    env = ChessEnv(games, illegal=illegal)
    numpy = fourfold.make("chess", games, preset="legacy", autoreset="disabled", illegal=illegal, num_threads=1)
    expected = numpy.reset(seed=0)
    state, observations, info = env.reset(key())
    assert info == {} and types(env.reset(jax.random.PRNGKey(0))[0]._replace(rng=state.rng)) == types(state)
    step, get_mask = jax.jit(env.step), jax.jit(env.get_action_mask)
    refused = 0
    for _ in range(130):
        check_fields(state, legacy.chess_state(numpy))
        np.testing.assert_array_equal(get_mask(state), legacy.action_mask(expected))
        np.testing.assert_array_equal(observations, expected.observation)
        labels, movers = choose(rng, expected.legal_action_mask, share), expected.current_player
        expected = numpy.step(labels)
        state, observations, rewards, dones, info = step(state, triples(labels))
        np.testing.assert_array_equal(rewards, expected.rewards[np.arange(games), movers])
        np.testing.assert_array_equal(dones, expected.terminated | expected.truncated)
        for name in ("move_valid", "truncated", "rewards"):
            np.testing.assert_array_equal(info[name], getattr(expected, name))
        refused += int((~expected.move_valid).sum())
    assert refused > 0 and expected.truncated.any()


def test_chess_is_truncated_after_100_steps() -> None:
    env = ChessEnv(2)
    actions = jnp.array([KNIGHT_MOVES[index % 4] for index in range(101)])

    def body(state: ChessState, action: Any) -> tuple[ChessState, Any]:
        state, _, rewards, dones, info = env.step(state, tuple(jnp.broadcast_to(part, 2) for part in action))
        return state, (rewards, dones, info["truncated"])

    state, (rewards, dones, truncated) = jax.lax.scan(body, env.reset(key())[0], actions)
    assert not rewards.any()
    # The legacy rules have no draw by repetition.
    assert dones[:, 0].tolist() == truncated[:, 0].tolist() == [False] * 99 + [True] * 2
    assert state.winners.tolist() == [0, 0] and state.native.step_count.tolist() == [100, 100]


def test_mate_ends_one_game_of_two() -> None:
    env = ChessEnv(2)
    step = jax.jit(env.step)
    state, _, _ = env.reset(key())
    for moves in zip(FOOLS_MATE, KNIGHT_MOVES, strict=True):
        state, _, rewards, dones, info = step(state, tuple(jnp.array(part) for part in zip(*moves, strict=True)))
        assert info["move_valid"].all()
    assert dones.tolist() == [True, False] and rewards.tolist() == [1, 0]
    assert info["rewards"].tolist() == [[-1, 1], [0, 0]] and not info["truncated"].any()
    assert state.winners.tolist() == [legacy.BLACK, 0]
    assert env.get_action_mask(state)[0].all() and env.get_action_mask(state)[1].sum() == 20
    after, _, rewards, dones, info = step(state, tuple(jnp.zeros(2, jnp.int32) for _ in range(3)))
    # The finished game stays as it is; in the other one, the action was illegal.
    assert info["move_valid"].tolist() == [True, False] and rewards.tolist() == [0, -1]
    assert after.winners.tolist() == [legacy.BLACK, legacy.BLACK] and same(after.boards, state.boards)


def test_actions_out_of_range_are_illegal() -> None:
    # Without a check, the first three would have the id of e2e4.
    actions = [(-2, 3, 17), (14, 5, 17), (7, 4, 90), (8, 4, 17), (6, 8, 17), (6, -1, 17), (6, 4, 73), (6, 4, -1)]
    env = ChessEnv(len(actions), illegal="ignore")
    state, _, _ = env.reset(key())
    after, _, rewards, dones, info = env.step(state, tuple(jnp.array(part) for part in zip(*actions, strict=True)))
    assert not info["move_valid"].any() and not dones.any() and not rewards.any()
    assert same(after.boards, state.boards)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint32, np.int32])
def test_actions_of_any_integer_type(chess: tuple[ChessEnv, ChessState], dtype: Any) -> None:
    env, state = chess
    state, _, _, _, info = env.step(state, tuple(np.full(2, part, dtype) for part in (6, 7, 17)))
    assert info["move_valid"].all() and (state.boards[:, 4, 7] == legacy.PAWN).all()


def test_chess_steps_in_compiled_functions() -> None:
    env = ChessEnv(3)
    rng = jax.random.PRNGKey(4)
    state, _, _ = jax.jit(env.reset)(rng)
    assert (state.rng == rng).all()

    def body(state: ChessState, key: Any) -> tuple[ChessState, Any]:
        logits = jnp.where(env.get_action_mask(state).reshape(3, -1), 0.0, -jnp.inf)
        row, col, plane = jnp.unravel_index(jax.random.categorical(key, logits), (8, 8, legacy.NUM_PLANES))
        stepped = env.step(state, (row, col, plane))
        return stepped[0], (row, col, plane, stepped[4]["move_valid"])

    final, (*actions, valid) = jax.jit(lambda: jax.lax.scan(body, state, jax.random.split(key(), 30)))()
    assert valid.all() and types(final) == types(state)
    again, step = state, jax.jit(env.step)
    for action in zip(*actions, strict=True):
        again = step(again, action)[0]
    assert same(final, again)
    first = tuple(part[0] for part in actions)
    lowered = jax.jit(env.step).lower(state, first)
    assert "flops" in lowered.cost_analysis()
    assert same(lowered.compile()(state, first), env.step(state, first))


def test_chess_batches_of_batches() -> None:
    env = ChessEnv(2)
    states, observations, _ = jax.vmap(env.reset)(jax.random.split(key(), 3))
    action = tuple(jnp.full((3, 2), part) for part in (6, 4, 17))
    states, _, rewards, _, _ = jax.vmap(env.step)(states, action)
    assert observations.shape == (3, 2, 8, 8, 119) and rewards.shape == (3, 2)
    assert jax.vmap(env.get_action_mask)(states).shape == (3, 2, 8, 8, legacy.NUM_PLANES)
    assert (states.boards[..., 4, 4] == legacy.PAWN).all()


# Four-player chess


@pytest.mark.parametrize("max_moves", [40, 500])
def test_four_player_equals_numpy(max_moves: int) -> None:
    games, rng = 3, np.random.default_rng(2)
    env = FourPlayerChessEnv(EnvParams(max_moves))
    numpy = fourfold.make(
        "four_player", games, preset="legacy", actions="flat", autoreset="disabled", max_steps=max_moves, num_threads=1
    )
    expected = numpy.reset(seed=0)
    keys = jax.random.split(key(), games)
    state, obs = jax.vmap(env.reset)(keys)
    step = jax.jit(jax.vmap(env.step))
    refused = 0
    for index in range(max_moves + max_moves // 10 + 20):
        check_fields(state, legacy_four_player.four_player_state(numpy))
        np.testing.assert_array_equal(obs, expected.observation)
        actions = choose(rng, expected.legal_action_mask, 0.05)
        actions[index % games] *= -1 if rng.random() < 0.02 else 1
        movers = expected.current_player
        expected = numpy.step(actions)
        state, obs, reward, done, info = step(keys, state, jnp.asarray(actions))
        np.testing.assert_array_equal(reward, expected.rewards[np.arange(games), movers])
        np.testing.assert_array_equal(done, expected.terminated | expected.truncated)
        np.testing.assert_array_equal(info["done"], done)
        for name in ("move_valid", "rewards"):
            np.testing.assert_array_equal(info[name], getattr(expected, name))
        refused += int((~expected.move_valid).sum())
    assert refused > 0 and done.all()
    assert expected.truncated.all() or max_moves == 500
    assert expected.scores.any() or max_moves == 40


def test_four_player_benchmark_of_the_document() -> None:
    env, rng = FourPlayerChessEnv(), jax.random.PRNGKey(0)
    state, obs = env.reset(rng)
    action = jnp.argmax(state.legal_action_mask)
    lowered = jax.jit(env.step).lower(rng, state, action)
    assert "flops" in lowered.cost_analysis()
    found = lowered.compile()(rng, state, action)
    assert same(found, env.step(rng, state, action))
    stepped, obs, reward, done, info = found
    assert obs.shape == (14, 14, 48) and reward.shape == done.shape == () and reward.dtype == jnp.float32
    assert info["move_valid"] and not info["done"] and info["rewards"].shape == (4,)
    assert stepped.current_player == legacy_four_player.BLUE and state.legal_action_mask.sum() == 20
    assert env.params.max_moves == 500 and env.valid_mask.sum() == legacy_four_player.NUM_VALID_SQUARES
    assert state.legal_action_mask.shape == (ACTION_SPACE_SIZE,) == (102_400,)


def test_four_player_steps_in_compiled_functions() -> None:
    env = FourPlayerChessEnv()
    state, _ = jax.jit(env.reset)(key())

    def body(state: EnvState, key: Any) -> tuple[EnvState, Any]:
        action = jax.random.categorical(key, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
        stepped = env.step(key, state, action)
        return stepped[0], (action, stepped[4]["move_valid"])

    final, (actions, valid) = jax.jit(lambda: jax.lax.scan(body, state, jax.random.split(key(), 20)))()
    assert valid.all() and types(final) == types(state) and final.move_count == 20
    # The same game, as one of a batch.
    many = jax.tree.map(lambda array: jnp.stack([array, array]), state)
    step = jax.jit(jax.vmap(env.step, in_axes=(None, 0, 0)))
    for action in actions:
        many = step(key(), many, jnp.stack([action, action]))[0]
    assert same(jax.tree.map(lambda array: array[1], many), final)


def test_states_are_values(four_player: tuple[FourPlayerChessEnv, EnvState]) -> None:
    env, state = four_player
    step = jax.jit(env.step)
    before = jax.tree.map(np.array, state)
    first, last = jnp.flatnonzero(state.legal_action_mask)[jnp.array([0, -1])]
    left, right = step(key(), state, first)[0], step(key(), state, last)[0]
    assert same(state, before) and not same(left.board, right.board)
    assert same(step(key(), state, first)[0], left)


def test_mask_can_forbid_actions(four_player: tuple[FourPlayerChessEnv, EnvState]) -> None:
    env, state = four_player
    action = jnp.argmax(state.legal_action_mask)
    forbidden = state._replace(legal_action_mask=state.legal_action_mask.at[action].set(False))
    after, _, reward, done, info = jax.jit(env.step)(key(), forbidden, action)
    complete = state.native.replace(legal_action_mask=state.legal_action_mask)
    assert same(env.env.array(complete, "board"), state.board) and env.env.observe(complete).shape == (14, 14, 48)
    assert not info["move_valid"] and not done and reward == 0 and after.move_count == 0


def test_last_survivor_ends_the_game(four_player: tuple[FourPlayerChessEnv, EnvState]) -> None:
    env, state = four_player
    # Red's rook captures Blue's king, and the other two players are eliminated.
    empty = ["14"] * 14
    rows = [*empty[:6], "bK,6,rR,6", *empty[7:13], "7,rK,6"]
    position = f"R-0,0,1,1-0,0,0,0-0,0,0,0-0,0,0,0-0-{'/'.join(rows)}"
    native = jax.tree.map(lambda array: array[0], env.env.from_positions([position]))
    state = state._replace(
        native=native.replace(observation=None, legal_action_mask=None), legal_action_mask=native.legal_action_mask
    )
    numpy = fourfold.make("four_player", preset="legacy", actions="flat", autoreset="disabled", num_threads=1)
    numpy.reset(positions=[position])
    action = int(numpy.actions(["h8a8"])[0])
    expected = numpy.step([action])
    state, _, reward, done, info = env.step(key(), state, action)
    check_fields(jax.tree.map(lambda array: array[None], state), legacy_four_player.four_player_state(numpy))
    assert done and info["move_valid"] and expected.terminated[0] and reward == expected.rewards[0, 0] == 1
    assert not state.player_active[1:].any() and state.legal_action_mask.all()
    # The finished game stays as it is, whatever the action.
    after, _, reward, done, info = env.step(key(), state, 0)
    assert same(after.board, state.board) and after.move_count == 1 and reward == 0 and done and info["move_valid"]


# Both


def test_environments_can_be_pickled() -> None:
    chess = pickle.loads(pickle.dumps(ChessEnv(2, illegal="ignore")))
    state, _, _ = chess.reset(key())
    assert same(state, ChessEnv(2, illegal="ignore").reset(key())[0])
    four = pickle.loads(pickle.dumps(FourPlayerChessEnv(EnvParams(7))))
    assert four.params.max_moves == 7 and same(four.reset(key()), FourPlayerChessEnv(EnvParams(7)).reset(key()))


ones = np.ones(2, np.int32)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda env, state: env.reset(0), TypeError, "expected rng to be a key of jax.random.key, got int"),
        (lambda env, state: env.reset(jnp.zeros(2)), TypeError, "expected rng to be a key .*, got float32"),
        (lambda env, state: env.reset(jax.random.split(key(), 2)), ValueError, r"to be one key, .* shape \(2,\)"),
        (
            lambda env, state: env.reset(jnp.zeros((4, 2), jnp.uint32)),
            ValueError,
            r"expected rng to be one key, got an array of shape \(4, 2\)",
        ),
        (
            lambda env, state: env.step(state, ones),
            TypeError,
            "expected action to be a tuple of rows, columns and planes, got ndarray",
        ),
        (lambda env, state: env.step(state, (ones, ones)), ValueError, "expected action to have 3 parts.*, got 2"),
        (
            lambda env, state: env.step(state, (ones, ones, ones * 0.5)),
            TypeError,
            "expected planes to be integers, got float",
        ),
        (
            lambda env, state: env.step(state, (ones > 0, ones, ones)),
            TypeError,
            "expected rows to be integers, got bool",
        ),
        (
            lambda env, state: env.step(state, (ones, ones[:1], ones)),
            ValueError,
            r"expected columns to have shape \(2,\), got \(1,\)",
        ),
        (lambda env, state: env.step(state, (6, 4, 17)), ValueError, r"rows to have shape \(2,\), got \(\)"),
        (
            lambda env, state: env.step(state.native, (ones,) * 3),
            TypeError,
            "expected a fourfold.jax.legacy.ChessState, got State",
        ),
        (
            lambda env, state: env.step(state._replace(native=None), (ones,) * 3),
            TypeError,
            "expected state.native to be a fourfold.jax.State, got NoneType",
        ),
        (
            lambda env, state: env.get_action_mask(
                state._replace(native=jax.vmap(fourfold.jax.make("chess").init)(jax.random.split(key(), 2)))
            ),
            ValueError,
            "expected a state of the same environment, with .*, got one with ",
        ),
        (lambda env, state: env.get_action_mask(state.boards), TypeError, "legacy.ChessState, got ArrayImpl"),
        (
            lambda env, state: ChessEnv(3).get_action_mask(state),
            ValueError,
            r"expected a state of shape \(3,\), got one of shape \(2,\)",
        ),
        (lambda env, state: ChessEnv(0), ValueError, "expected num_envs from 1 to 16777216, got 0"),
        (lambda env, state: ChessEnv(1.5), TypeError, "expected num_envs to be an integer, got 1.5"),
        (
            lambda env, state: ChessEnv(illegal="error"),
            ValueError,
            "invalid illegal 'error': expected one of lose, ig",
        ),
    ],
)
def test_chess_errors(
    chess: tuple[ChessEnv, ChessState],
    call: Callable[[ChessEnv, Any], Any],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        call(*chess)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda env, state: env.reset(0), TypeError, "expected key to be a key of jax.random.key, got int"),
        (lambda env, state: env.reset(jax.random.split(key(), 2)), ValueError, "expected key to be one key"),
        (lambda env, state: env.step(key(), state, 0.5), TypeError, "expected action to be integers, got float64"),
        (
            lambda env, state: env.step(key(), state, [1]),
            ValueError,
            r"action to have shape \(\), got \(1,\): see jax.v",
        ),
        (
            lambda env, state: env.step(state, key(), 0),
            TypeError,
            "expected a fourfold.jax.legacy.EnvState, got PRNGKeyArray",
        ),
        (
            lambda env, state: env.step(key(), jax.vmap(env.reset)(jax.random.split(key(), 2))[0], 0),
            ValueError,
            r"expected the state of one game, got one of shape \(2,\): see jax.vmap",
        ),
        (
            lambda env, state: FourPlayerChessEnv(EnvParams(50)).step(key(), state, 0),
            ValueError,
            "expected a state of the same environment, with .*, got one with ",
        ),
        (
            lambda env, state: env.step(key(), state._replace(legal_action_mask=jnp.ones(ACTION_SPACE_SIZE)), 0),
            TypeError,
            "legal_action_mask to be bool, got float32",
        ),
        (
            lambda env, state: env.step(key(), state._replace(legal_action_mask=jnp.ones(4, bool)), 0),
            ValueError,
            r"legal_action_mask to have shape \(102400,\), got \(4,\)",
        ),
        (lambda env, state: FourPlayerChessEnv(500), TypeError, "expected params to be a .*EnvParams, got int"),
        (lambda env, state: FourPlayerChessEnv(EnvParams(0)), ValueError, "expected max_moves from 1 to .*, got 0"),
    ],
)
def test_four_player_errors(
    four_player: tuple[FourPlayerChessEnv, EnvState],
    call: Callable[[FourPlayerChessEnv, Any], Any],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        call(*four_player)
