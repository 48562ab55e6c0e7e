"""Tree search over the games of an environment."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import fourfold

GAMES: dict[str, dict[str, Any]] = {
    "chess": {},
    "four_player": {},
    "blokus": {},
    "blokus_duo": {},
    "kung_fu": {"speed": "lightning", "interval": 15},
    "kung_fu_4p": {"speed": "lightning", "interval": 15},
}
MATE_IN_TWO = {
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1": "a1a6",
    "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1": "f3f7",
    "6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1": "g2g1",
}


def know_nothing(env: fourfold.Environment, leaves: fourfold.Leaves) -> tuple[Any, Any]:
    players = (env.num_players,) if leaves.current_player[0] < 0 else ()
    logits = np.zeros((len(leaves), *players, env.num_actions), dtype=np.float32)
    return logits, np.zeros((len(leaves), env.num_players), dtype=np.float32)


def searched(env: fourfold.Environment, **options: Any) -> fourfold.Search:
    search = fourfold.Search(env, **options)
    while (leaves := search.leaves()) is not None:
        search.backup(*know_nothing(env, leaves))
    return search


def test_mates_in_two_are_found_with_a_uniform_evaluator() -> None:
    env = fourfold.make("chess", num_envs=len(MATE_IN_TWO), observation="none", mask="none")
    env.reset(positions=list(MATE_IN_TWO))
    search = fourfold.Search(env, num_simulations=12_000)
    search.run("uniform")
    assert env.moves(search.actions(temperature=0.0)) == list(MATE_IN_TWO.values())
    assert [len(line) for line in search.lines()] == [3, 3, 3]
    assert (search.visits() == 12_001).all()


def test_external_evaluation_gives_the_same_search() -> None:
    for game, options in GAMES.items():
        env = fourfold.make(game, num_envs=3, **options)
        env.reset(seed=1)
        for _ in range(4):
            env.step(env.sample())
        pulled = searched(env, num_simulations=20, leaves_per_game=2, seed=5)
        run = fourfold.Search(env, num_simulations=20, leaves_per_game=2, seed=5)
        run.run("uniform")
        np.testing.assert_array_equal(pulled.policy(), run.policy())
        np.testing.assert_array_equal(pulled.actions(), run.actions())
        np.testing.assert_array_equal(pulled.values(), run.values())


@pytest.mark.parametrize("noise", ["none", "dirichlet", "gumbel"])
@pytest.mark.parametrize("game", GAMES)
def test_search_results_are_consistent(game: str, noise: Any) -> None:
    env = fourfold.make(game, num_envs=3, **GAMES[game])
    state = env.reset(seed=1)
    search = fourfold.Search(env, num_simulations=30, noise=noise, seed=2)
    for _ in range(3):
        search.run()
        policy, stats = search.policy(), search.root_stats()
        mask = state.legal_action_mask
        assert mask is not None and policy.shape == mask.shape
        assert not policy[~mask].any()
        np.testing.assert_allclose(policy.sum(axis=-1), 1, rtol=1e-5)
        np.testing.assert_array_equal(stats.counts, mask.sum(axis=-1))
        listed = np.take_along_axis(policy, np.maximum(stats.actions, 0), axis=-1)
        real = np.arange(stats.actions.shape[-1]) < stats.counts[..., None]
        np.testing.assert_array_equal(listed[real], stats.weights[real])
        assert (stats.actions[~real] == -1).all() and not stats.visits[~real].any()
        visits = search.visits().reshape((-1,) + (1,) * (stats.visits.ndim - 2))
        np.testing.assert_array_equal(stats.visits.sum(axis=-1) + 1, np.broadcast_to(visits, stats.counts.shape))
        actions = search.actions()
        assert np.take_along_axis(mask, actions[..., None], axis=-1).all()
        state = env.step(actions)


@pytest.mark.parametrize("observation", ["float32", "float16", "uint8", "packed", "none"])
@pytest.mark.parametrize("mask", ["bool", "packed", "sparse", "none"])
def test_leaves_match_the_environment(observation: Any, mask: Any) -> None:
    for game, options in GAMES.items():
        env = fourfold.make(game, num_envs=3, observation=observation, mask=mask, **options)
        state = env.reset(seed=3)
        for _ in range(3):
            state = env.step(env.sample())
        # The first leaves are the roots.
        leaves = fourfold.Search(env, num_simulations=5).leaves()
        assert leaves is not None and len(leaves) == 3
        np.testing.assert_array_equal(leaves.game, [0, 1, 2])
        np.testing.assert_array_equal(leaves.current_player, state.current_player)
        pairs = [
            (leaves.observation, state.observation),
            (leaves.scalars, state.scalars),
            (leaves.pieces_left, state.pieces_left),
            (leaves.tokens, state.tokens),
            (leaves.legal_action_mask, state.legal_action_mask),
            (leaves.legal_action_counts, state.legal_action_counts),
            (leaves.legal_actions, state.legal_actions),
        ]
        for ours, theirs in pairs:
            assert (ours is None) == (theirs is None)
            if ours is not None and theirs is not None:
                assert ours.dtype == theirs.dtype
                np.testing.assert_array_equal(ours, theirs)


def test_kept_leaves_do_not_change() -> None:
    env = fourfold.make("chess", num_envs=2)
    env.reset(seed=0)
    search = fourfold.Search(env, num_simulations=12)
    kept: list[tuple[NDArray[Any], NDArray[Any]]] = []
    while (leaves := search.leaves()) is not None:
        kept.append((leaves.observation, leaves.observation.copy()))
        search.backup(*know_nothing(env, leaves))
    assert len(kept) == 13
    for shown, copied in kept:
        np.testing.assert_array_equal(shown, copied)


def test_logits_may_be_listed_and_priors_follow_from_them() -> None:
    env = fourfold.make("chess", num_envs=2, mask="sparse")
    env.reset(seed=0)
    search = fourfold.Search(env, num_simulations=1)
    leaves = search.leaves()
    assert leaves is not None
    logits = np.where(leaves.legal_actions >= 0, np.log1p(np.arange(leaves.legal_actions.shape[1])), np.nan)
    search.backup(logits, np.zeros((2, 2)))
    stats = search.root_stats()
    count = stats.counts[0]
    expected = np.arange(1, count + 1) / np.arange(1, count + 1).sum()
    np.testing.assert_allclose(stats.priors[0, :count], expected, rtol=1e-4)


def test_values_may_begin_with_the_acting_player() -> None:
    env = fourfold.make("four_player", num_envs=1)
    env.reset(seed=0)
    for _ in range(2):
        env.step(env.sample())
    for order, expected in (("player", [1, 2, 3, 4]), ("own", [3, 4, 1, 2])):
        search = fourfold.Search(env, num_simulations=1, values=order)  # type: ignore[arg-type]
        leaves = search.leaves()
        assert leaves is not None and leaves.current_player[0] == 2
        search.backup(know_nothing(env, leaves)[0], [[1, 2, 3, 4]])
        np.testing.assert_array_equal(search.values(), [expected])


@pytest.mark.parametrize("mask", ["bool", "packed", "sparse"])
@pytest.mark.parametrize("game", GAMES)
def test_padded_leaves_have_one_shape_and_give_the_same_search(game: str, mask: Any) -> None:
    env = fourfold.make(game, num_envs=3, mask=mask, **GAMES[game])
    env.reset(seed=1)
    plain = searched(env, num_simulations=20, leaves_per_game=4, values="own", seed=5)
    search = fourfold.Search(env, num_simulations=20, leaves_per_game=4, values="own", pad=True, seed=5)
    shapes, counts = set(), set()
    while (leaves := search.leaves()) is not None:
        arrays = {name: getattr(leaves, name) for name in leaves.__dataclass_fields__ if name != "count"}
        arrays = {name: array for name, array in arrays.items() if array is not None}
        shapes.add(tuple((name, array.shape, array.dtype) for name, array in arrays.items()))
        counts.add(leaves.count)
        assert len(leaves) == leaves.count and (leaves.game[: leaves.count] >= 0).all()
        for name, array in arrays.items():
            expected = {"game": -1}.get(name, array[0] if "legal" in name or "player" in name else 0)
            assert (array[leaves.count :] == expected).all(), name
        rows = (12, *env.sample().shape[1:])
        logits, values = np.zeros((*rows, env.num_actions)), np.zeros((12, env.num_players))
        # Filler may be evaluated to anything.
        logits[leaves.count :], values[leaves.count :] = np.nan, np.inf
        search.backup(logits, values)
    assert len(shapes) == 1 and 3 in counts
    np.testing.assert_array_equal(search.policy(), plain.policy())
    assert pickle.loads(pickle.dumps(search)).leaves().game.shape == (12,)


def test_a_padded_search_compiles_a_jax_function_once() -> None:
    jax = pytest.importorskip("jax")
    env = fourfold.make("chess", num_envs=4)
    env.reset(seed=0)
    search = fourfold.Search(env, num_simulations=30, leaves_per_game=3, pad=True)
    compiled = []

    @jax.jit
    def net(observation: Any) -> Any:
        compiled.append(observation.shape)
        policy = jax.numpy.broadcast_to(observation.mean(), (len(observation), env.num_actions))
        return policy.astype("bfloat16"), jax.numpy.zeros((len(observation), 2), "bfloat16")

    counts = set()
    while (leaves := search.leaves()) is not None:
        counts.add(leaves.count)
        search.backup(*net(leaves.observation))
    assert compiled == [(12, 8, 8, 119)] and len(counts) > 1


class _Tensor:
    """Behaves like a PyTorch tensor of bfloat16, which NumPy cannot read."""

    dtype = "torch.bfloat16"

    def __init__(self, array: Any) -> None:
        self._array = array

    def __array__(self, *_: Any, **__: Any) -> NDArray[Any]:
        raise TypeError("Got unsupported ScalarType BFloat16")

    def float(self) -> NDArray[np.float32]:
        return np.asarray(self._array, dtype=np.float32)


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "bfloat16", "jax", "torch"])
def test_evaluations_may_have_any_type_of_floats(kind: str) -> None:
    env = fourfold.make("chess")
    env.reset(seed=0)
    logits, values = np.arange(4672).reshape(1, -1) % 7 / 4, np.array([[0.5, -0.25]])
    given: tuple[Any, Any] = logits, values
    if kind == "torch":
        given = _Tensor(logits), _Tensor(values)
    elif kind == "jax":
        numpy = pytest.importorskip("jax.numpy")
        given = numpy.asarray(logits, "bfloat16"), numpy.asarray(values, "bfloat16")
    else:
        dtype = pytest.importorskip("ml_dtypes").bfloat16 if kind == "bfloat16" else kind
        given = logits.astype(dtype), values.astype(dtype)
    search = fourfold.Search(env, num_simulations=1)
    assert search.leaves() is not None
    search.backup(*given)
    np.testing.assert_array_equal(search.values(), values)
    stats = search.root_stats()
    expected = np.exp(logits[0, stats.actions[0, : stats.counts[0]]])
    np.testing.assert_allclose(stats.priors[0, : stats.counts[0]], expected / expected.sum(), rtol=1e-5)


def test_names_follow_mctx_and_state() -> None:
    options = inspect.signature(fourfold.Search).parameters
    for name in ("num_simulations", "max_num_considered_actions", "gumbel_scale", "maxvisit_init", "value_scale"):
        assert name in options
    assert {"fpu", "pb_c_init", "pb_c_base", "dirichlet_alpha", "dirichlet_fraction"} <= options.keys()
    masks = {"legal_action_mask", "legal_action_counts", "legal_actions", "current_player"}
    assert masks <= fourfold.Leaves.__dataclass_fields__.keys() & fourfold.State.__dataclass_fields__.keys()


def test_threads_do_not_matter_and_seeds_do() -> None:
    def policy(num_threads: int, seed: int) -> NDArray[np.float32]:
        env = fourfold.make("chess", num_envs=40, num_threads=num_threads)
        env.reset(seed=0)
        search = fourfold.Search(env, num_simulations=25, noise="dirichlet", seed=seed)
        search.run()
        return search.policy()

    one = policy(1, 7)
    np.testing.assert_array_equal(one, policy(3, 7))
    assert (one != policy(1, 8)).any()


def test_subtree_reuse() -> None:
    env = fourfold.make("chess", num_envs=2)
    env.reset(seed=0)
    search = fourfold.Search(env, num_simulations=60)
    search.run()
    stats = search.root_stats()
    actions = search.actions(temperature=0.0)
    env.step(actions)
    known = [stats.visits[game][stats.actions[game] == actions[game]][0] for game in range(2)]
    search.run()
    np.testing.assert_array_equal(search.visits(), np.array(known) + 60)
    # Two steps are not detected without advance.
    for _ in range(2):
        best = search.actions(temperature=0.0)
        env.step(best)
        search.advance(best)
    before = search.visits()
    search.run()
    np.testing.assert_array_equal(search.visits(), before + 60)
    env.reset(mask=np.array([False, True]))
    search.run()
    np.testing.assert_array_equal(search.visits(), [before[0] + 120, 61])


def test_a_finished_game_is_not_searched() -> None:
    env = fourfold.make("chess", num_envs=2, autoreset="disabled")
    mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    env.reset(positions=[mated, fourfold.chess.Board().fen])
    search = fourfold.Search(env, num_simulations=5)
    while (leaves := search.leaves()) is not None:
        assert leaves.game.tolist() == [1]
        search.backup(*know_nothing(env, leaves))
    assert not search.policy()[0].any() and search.lines()[0] == []
    env.step(search.actions())


@pytest.mark.parametrize("game", ["chess", "kung_fu"])
def test_search_beats_random(game: str) -> None:
    env = fourfold.make(game, num_envs=16, autoreset="disabled", **GAMES[game])
    state = env.reset(seed=5)
    search = fourfold.Search(env, num_simulations=60)
    players = np.arange(16) % 2
    got = np.zeros((16, 2))
    while not (state.terminated | state.truncated).all():
        search.run()
        actions, ours = env.sample(), search.actions(temperature=0.0)
        if game == "kung_fu":
            actions[np.arange(16), players] = ours[np.arange(16), players]
        else:
            actions = np.where(state.current_player == players, ours, actions)
        state = env.step(actions)
        got += state.rewards
    mine = got[np.arange(16), players]
    assert mine.mean() > 0.2, mine


def test_error_messages() -> None:
    env = fourfold.make("chess", num_envs=2)
    search = fourfold.Search(env, num_simulations=5)
    logits, values = np.zeros((2, 4672)), np.zeros((2, 2))
    with pytest.raises(RuntimeError, match="no leaves are awaiting evaluation"):
        search.backup(logits, values)
    for result in (search.actions, search.policy):
        with pytest.raises(RuntimeError, match="game 0 has not been searched"):
            result()
    assert search.leaves() is not None
    with pytest.raises(RuntimeError, match="2 leaves are awaiting evaluation"):
        search.leaves()
    with pytest.raises(ValueError, match=r"expected logits to have shape \(2, 4672\), got \(2, 3\)"):
        search.backup(np.zeros((2, 3)), values)
    with pytest.raises(ValueError, match=r"expected values to have shape \(2, 2\), got \(2,\)"):
        search.backup(logits, np.zeros(2))
    with pytest.raises(ValueError, match="the values of leaf 1 are not all finite"):
        search.backup(logits, [[0, 0], [0, np.nan]])
    with pytest.raises(ValueError, match="the logits of leaf 0 are not all finite"):
        search.backup(np.full((2, 4672), np.nan), values)
    with pytest.raises(TypeError, match="expected logits to be floats"):
        search.backup(logits.astype(str), values)
    search.backup(logits, values)
    with pytest.raises(fourfold.IllegalActionError, match="action 0 is not legal in game 0"):
        search.advance([0, 0])
    with pytest.raises(ValueError, match="expected temperature from 0 to .*, got -1"):
        search.actions(temperature=-1)
    for wrong, error in [
        ({"num_simulations": 0}, ValueError),
        ({"noise": "some"}, ValueError),
        ({"discount": 2.0}, ValueError),
        ({"dirichlet_alpha": "much"}, TypeError),
        ({"max_nodes": 5}, ValueError),
        ({"fpu": float("nan")}, ValueError),
        ({"pad": 1}, TypeError),
    ]:
        with pytest.raises(error):
            fourfold.Search(env, **{"num_simulations": 9, "noise": "dirichlet", **wrong})
    with pytest.raises(TypeError):
        fourfold.Search("chess")  # type: ignore[arg-type]


def test_pickled_search_has_no_tree() -> None:
    env = fourfold.make("chess", num_envs=2)
    env.reset(seed=0)
    search = fourfold.Search(env, num_simulations=20, noise="gumbel", seed=3)
    copied = pickle.loads(pickle.dumps(search))
    search.run()
    copied.run()
    np.testing.assert_array_equal(search.policy(), copied.policy())
    assert repr(copied).endswith("20 simulations>")


def test_memory_is_bounded_and_reported() -> None:
    env = fourfold.make("chess", num_envs=4)
    env.reset(seed=0)
    search = fourfold.Search(env, num_simulations=50, max_nodes=60)
    for _ in range(10):
        search.run()
        memory = search.memory
        assert 0 < memory.nodes <= 4 * 60
        assert memory.used <= memory.bytes
        env.step(search.actions())
    search.clear()
    assert search.memory.nodes == 0
