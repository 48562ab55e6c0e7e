"""The environments inside functions that JAX compiles."""

from __future__ import annotations

import copy
import logging
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import fourfold  # noqa: E402
import fourfold.jax  # noqa: E402
from fourfold.cuda import PRESETS  # noqa: E402
from fourfold.jax._check import Difference, _difference, compare_with_numpy  # noqa: E402
from fourfold.jax._version import check_version  # noqa: E402

FULL = bool(os.environ.get("FOURFOLD_FULL"))
SHORT: dict[str, dict[str, Any]] = {
    "chess": {"max_steps": 60},
    "four_player": {"max_steps": 60},
    "blokus": {"size": 9},
    "blokus_duo": {"size": 7},
    "kung_fu": {"speed": "lightning", "max_ticks": 150},
    "kung_fu_4p": {"speed": "lightning", "max_ticks": 150},
}
"""Options that keep games short."""


def leaves(state: fourfold.jax.State) -> list[np.ndarray]:
    return [np.asarray(leaf) for leaf in jax.tree.leaves(state)]


def same(one: fourfold.jax.State, other: fourfold.jax.State) -> bool:
    return all(map(np.array_equal, leaves(one), leaves(other)))


@pytest.mark.parametrize("row", range(len(PRESETS)), ids=lambda row: f"{PRESETS[row][0]}-{row}")
def test_steps_are_those_of_numpy(row: int) -> None:
    game, options = PRESETS[row]
    if game.startswith("kung_fu"):
        options = {**options, "max_ticks": 150}
    for variant in range(row, row + (12 if FULL else 1)):
        found = list(compare_with_numpy(game, options, games=24, steps=160 if FULL else 60, variant=variant))
        assert found[-1] is None, found[-1]


@pytest.mark.parametrize("game", fourfold.GAMES)
def test_steps_of_gpu_kernels_are_those_of_numpy(game: str) -> None:
    """The functions that XLA calls for GPUs, with kernels that run on the CPU."""
    for variant in range(12 if FULL else 4):
        options: Any = SHORT[game]
        compared = compare_with_numpy(game, options, games=5, steps=25, variant=variant, device="cuda-emulated")
        found = list(compared)
        assert found[-1] is None, (variant, found[-1])


def test_conformance_of_gpu_kernels() -> None:
    env = fourfold.jax.make("blokus_duo", size=5, device="cuda-emulated")
    fourfold.jax.conformance(env, num_games=1)
    env = fourfold.jax.make("kung_fu", mask="sparse", slots=8, device="cuda-emulated", autoreset="same_step")
    fourfold.jax.conformance(env, num_games=1, max_steps=10)
    for name in env.arrays:
        other = fourfold.jax.make("kung_fu", mask="sparse", slots=8)
        state = env.init(jax.random.key(0))
        assert np.array_equal(env.array(state, name), other.array(state, name))


def test_a_difference_is_found() -> None:
    """The comparison does not only ever say that everything is equal."""
    env, numpy = fourfold.jax.make("chess"), fourfold.make("chess", 3, autoreset="disabled")
    expected = numpy.reset(seed=0)
    found = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 3))
    assert _difference(expected, found, 0) is None
    other = found.replace(observation=found.observation.at[2, 0, 0, 0].set(7))
    assert _difference(expected, other, 5) == Difference("observation", 5, 2)
    assert str(Difference("observation", 5, 2)) == "observation differs at step 5 of game 2"
    assert _difference(expected, found.replace(observation=None), 0) == Difference("observation", 0, 0)
    other = found.replace(rewards=found.rewards.astype(jnp.float16))
    assert _difference(expected, other, 0) == Difference("the type of rewards", 0, 0)


@pytest.mark.parametrize("game", fourfold.GAMES)
def test_conformance(game: str) -> None:
    games = 3 if FULL else 1
    fourfold.jax.conformance(fourfold.jax.make(game, **SHORT[game]), num_games=games)
    other = fourfold.jax.make(game, packed=True, autoreset="same_step", illegal="ignore", **SHORT[game])
    fourfold.jax.conformance(other, num_games=games, max_steps=20)
    sparse = fourfold.jax.make(game, mask="sparse", autoreset="next_step", observation="uint8", **SHORT[game])
    fourfold.jax.conformance(sparse, num_games=games, max_steps=20)


def test_conformance_finds_mistakes() -> None:
    class Wrong(fourfold.jax.Env):
        def step(self, state: Any, action: Any, key: Any = None) -> Any:
            after = super().step(state, action, key)
            return after.replace(_step_count=after._step_count * 0 + 1)

    env = fourfold.jax.make("blokus_duo", size=5)
    with pytest.raises(AssertionError, match="steps are counted"):
        fourfold.jax.conformance(Wrong(env._kind, env._behavior))
    with pytest.raises(ValueError, match="mask is 'none'"):
        fourfold.jax.conformance(fourfold.jax.make("chess", mask="none"))


def test_the_api_test_of_pgx_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the rules of Pgx, whose test does not know truncation."""
    pgx = pytest.importorskip("pgx")
    from pgx._src import api_test

    def act_randomly(key: jax.Array, mask: jax.Array) -> jax.Array:
        return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1)

    # Pgx's own passes axis=1 for one game too, which new versions of JAX refuse, also for the games of Pgx.
    monkeypatch.setattr(api_test, "act_randomly", jax.jit(act_randomly))
    pgx.api_test(fourfold.jax.make("chess", preset="pgx"), 1)
    # Its list of games has no other game of ours; apart from that, they pass too.
    monkeypatch.setattr(api_test, "get_args", lambda _: fourfold.GAMES)
    pgx.api_test(fourfold.jax.make("blokus_duo", size=5), 2)
    pgx.api_test(fourfold.jax.make("blokus", size=5), 2)


def test_the_auto_reset_of_pgx_works() -> None:
    """It replaces fields of states, which must not confuse the next step."""
    experimental = pytest.importorskip("pgx.experimental")
    env = fourfold.jax.make("blokus_duo", size=5)
    theirs = jax.jit(jax.vmap(experimental.auto_reset(env.step, env.init)))
    ours = jax.jit(jax.vmap(fourfold.jax.auto_reset(env.step, env.init)))
    state = other = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 16))
    ended = 0
    for number in range(40):
        keys = jax.random.split(jax.random.key(number), 16)
        actions = jax.vmap(env.sample)(state, keys)
        state, other = theirs(state, actions, keys), ours(other, actions, keys)
        ended += int(other.terminated.sum())
        for name in ("observation", "legal_action_mask", "rewards", "terminated", "current_player", "_step_count"):
            assert np.array_equal(getattr(state, name), getattr(other, name)), (name, number)
    assert ended > 16


def test_a_script_for_pgx_runs_here_with_the_same_results() -> None:
    """Self-play as in an AlphaZero for Pgx: a search with mctx over all actions, and games that restart."""
    pgx, mctx = pytest.importorskip("pgx"), pytest.importorskip("mctx")
    from pgx.experimental import auto_reset

    batch, steps = 2, 6
    weights = np.random.default_rng(0).normal(size=(118, 9)).astype(np.float32)
    tiles = jnp.asarray(np.resize(np.arange(9), 4672))

    def play(env: Any, init: Any, step: Any) -> Any:
        def evaluate(state: Any) -> tuple[jax.Array, jax.Array]:
            # Without the halfmove clock, which is rounded differently by Pgx.
            seen = state.observation[..., :118].mean(axis=(1, 2)) @ weights
            logits = jnp.where(state.legal_action_mask, seen[:, tiles], jnp.finfo(jnp.float32).min)
            return logits, jnp.tanh(seen[:, 0])

        def recurrent(_: None, key: jax.Array, action: jax.Array, state: Any) -> Any:
            mover = state.current_player
            state = jax.vmap(env.step)(state, action)
            logits, value = evaluate(state)
            reward = state.rewards[jnp.arange(batch), mover]
            value = jnp.where(state.terminated, 0.0, value)
            discount = jnp.where(state.terminated, 0.0, -1.0)
            output = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
            return output, state

        def advance(state: Any, key: jax.Array) -> tuple[Any, tuple[Any, ...]]:
            searching, restarting = jax.random.split(key)
            logits, value = evaluate(state)
            root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
            invalid = ~state.legal_action_mask
            found = mctx.gumbel_muzero_policy(None, searching, root, recurrent, 8, invalid_actions=invalid)
            mover = state.current_player
            state = jax.vmap(step)(state, found.action, jax.random.split(restarting, batch))
            reward = state.rewards[jnp.arange(batch), mover]
            return state, (found.action, found.action_weights, reward, state.terminated)

        state = jax.vmap(init)(jax.random.split(jax.random.key(0), batch))
        return jax.jit(lambda state: jax.lax.scan(advance, state, jax.random.split(jax.random.key(1), steps)))(state)[1]

    theirs, ours = pgx.make("chess"), fourfold.jax.make("chess", preset="pgx")
    expected = play(theirs, theirs.init, auto_reset(theirs.step, theirs.init))
    found = play(ours, ours.init, fourfold.jax.auto_reset(ours.step, ours.init))
    for one, other in zip(expected, found, strict=True):
        assert np.allclose(one, other, atol=1e-5), (one, other)
    assert np.array_equal(expected[0], found[0])


def test_nothing_is_compiled_between_steps(caplog: pytest.LogCaptureFixture) -> None:
    env = fourfold.jax.make("chess", autoreset="same_step", max_steps=5)

    @jax.jit
    def advance(state: fourfold.jax.State, key: jax.Array) -> fourfold.jax.State:
        return jax.vmap(env.step)(state, jax.vmap(env.sample)(state, jax.random.split(key, 8)))

    state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 8))
    keys = list(jax.random.split(jax.random.key(1), 12))
    with jax.log_compiles(), caplog.at_level(logging.WARNING):
        state = advance(state, keys[0])
        assert any("ompiling" in record.message for record in caplog.records)
        caplog.clear()
        for key in keys[1:]:
            state = advance(state, key)
        assert not [record.message for record in caplog.records if "ompiling" in record.message]


def test_a_scan_is_the_same_as_a_loop_and_leaves_its_input_alone() -> None:
    env = fourfold.jax.make("four_player", packed=True)
    start = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 8))
    before = leaves(start)

    def advance(state: fourfold.jax.State, key: jax.Array) -> tuple[fourfold.jax.State, jax.Array]:
        actions = jax.vmap(env.sample)(state, jax.random.split(key, 8))
        return jax.vmap(env.step)(state, actions), actions

    keys = jax.random.split(jax.random.key(1), 30)
    scanned, actions = jax.jit(lambda state: jax.lax.scan(advance, state, keys))(start)
    state = start
    for key, expected in zip(keys, actions, strict=True):
        state, drawn = advance(state, key)
        assert np.array_equal(drawn, expected)
    assert same(state, scanned)
    assert all(map(np.array_equal, before, leaves(start)))


def test_two_branches_may_step_the_same_state() -> None:
    """States are values, although steps change them in place where nothing else needs them."""
    env = fourfold.jax.make("chess")

    @jax.jit
    def both(state: fourfold.jax.State) -> tuple[fourfold.jax.State, ...]:
        one, other = env.step(state, jnp.int32(2426)), env.step(state, jnp.int32(3572))
        return state, one, other

    state, one, other = both(env.init(jax.random.key(0)))
    texts = [env.positions(found)[0].split()[0] for found in (state, one, other)]
    assert texts == [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R",
    ]


def test_every_player_is_observed() -> None:
    for game in ("four_player", "kung_fu"):
        env, numpy = fourfold.jax.make(game), fourfold.make(game, 1)
        numpy.reset(seed=0)
        state = env.init(jax.random.key(0))
        for player in range(env.num_players):
            expected = numpy.observe(player)
            expected = expected[0] if isinstance(expected, tuple) else expected
            assert np.array_equal(env.observe(state, player), expected[0])
            traced = jax.jit(env.observe)(state, jnp.int32(player))
            assert np.array_equal(traced, expected[0])
    with pytest.raises(ValueError, match="expected player_id from 0 to 1, got 2"):
        env.observe(state, 2)
    for wrong in (True, 1.5):
        with pytest.raises(TypeError, match="expected player_id to be an integer"):
            env.observe(state, wrong)
    with pytest.raises(TypeError, match=r"expected player_id to be an integer, got float32\[\]"):
        jax.jit(env.observe)(state, jnp.float32(1))


def test_a_view_has_the_scalars_of_the_player() -> None:
    packed, plain = fourfold.jax.make("four_player", packed=True), fourfold.jax.make("four_player")
    state, other = packed.init(jax.random.key(0)), plain.init(jax.random.key(0))
    for key in jax.random.split(jax.random.key(1), 9):
        action = packed.sample(state, key)
        state, other = packed.step(state, action), plain.step(other, action)
    for player in range(4):
        found = packed.unpack(packed.view(state, player))
        assert np.array_equal(found, plain.observe(other, player)), player


def test_packed_observations_are_unpacked() -> None:
    for game in fourfold.GAMES:
        packed, plain = fourfold.jax.make(game, packed=True), fourfold.jax.make(game)
        state, other = (env.init(jax.random.key(0)) for env in (packed, plain))
        for key in jax.random.split(jax.random.key(1), 6):
            action = packed.sample(state, key)
            state, other = packed.step(state, action), plain.step(other, action)
        found = np.asarray(jax.jit(packed.unpack)(state))
        expected = np.asarray(other.observation).copy()
        for channel, (kind, _) in enumerate(packed._kind.spec["channels"]):
            if kind == "numbers":
                expected[..., channel] = 0
        assert np.array_equal(found, expected), game
    with pytest.raises(ValueError, match="expected observation='packed', got observation='float32'"):
        plain.unpack(other)


def test_slots_list_the_first_legal_actions() -> None:
    env = fourfold.jax.make("chess", mask="sparse", slots=16)
    state = env.init(jax.random.key(0))
    legal = np.flatnonzero(fourfold.make("chess").current_state().legal_action_mask[0])
    assert int(state.num_legal) == 20 and state.legal_actions.tolist() == legal[:16].tolist()
    assert int(env.slot_to_action(state, 3)) == legal[3]
    assert [int(env.slot_to_action(state, slot)) for slot in (-1, 16, 99)] == [-1, -1, -1]
    with pytest.raises(ValueError, match=r"expected slot to have shape \(\), got \(2,\)"):
        env.slot_to_action(state, jnp.array([1, 2]))
    logits = env.slot_logits(state, jnp.arange(env.num_actions, dtype=jnp.float32))
    assert logits.tolist() == legal[:16].tolist()
    # Legal actions that have no slot may be played.
    assert bool(env.step(state, int(legal[19])).move_valid)
    assert not bool(env.step(state, int(legal[19]) + 1).move_valid)
    drawn = {int(env.sample(state, key)) for key in jax.random.split(jax.random.key(0), 200)}
    assert drawn == set(legal[:16].tolist())
    after = fourfold.jax.make("kung_fu", mask="sparse", slots=8)
    state = after.init(jax.random.key(0))
    assert after.slot_to_action(state, jnp.array([0, 1])).shape == (2,)
    assert after.slot_logits(state, jnp.zeros((2, after.num_actions))).shape == (2, 8)
    with pytest.raises(ValueError, match=r"expected logits to have shape \(2, 4097\), got \(4097,\)"):
        after.slot_logits(state, jnp.zeros(after.num_actions))


def test_actions_are_drawn_uniformly() -> None:
    for mask in ("bool", "packed", "sparse"):
        env = fourfold.jax.make("chess", mask=mask)
        state = env.init(jax.random.key(0))
        drawn = jax.vmap(lambda key, env=env, state=state: env.sample(state, key))(
            jax.random.split(jax.random.key(3), 20_000)
        )
        counts = np.unique(np.asarray(drawn), return_counts=True)[1]
        assert len(counts) == 20 and counts.min() > 800 and counts.max() < 1200


def test_games_start_from_the_given_positions() -> None:
    starts = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"]
    env = fourfold.jax.make("chess", start=starts, autoreset="same_step", max_steps=2)
    keys = jax.random.split(jax.random.key(0), 64)
    state = jax.vmap(env.init)(keys)
    assert set(env.positions(state)) == set(starts)
    seen: set[str] = set()
    for key in jax.random.split(jax.random.key(1), 8):
        state = jax.vmap(env.step)(state, jax.vmap(env.sample)(state, jax.random.split(key, 64)))
        if bool(state.truncated[0]):
            seen |= {env.positions(state)[0]}
    assert seen <= set(starts) and len(seen) > 0
    # Games from positions have streams of their own, too.
    state = env.from_positions(starts[:1] * 64)
    for key in jax.random.split(jax.random.key(1), 2):
        state = jax.vmap(env.step)(state, jax.vmap(env.sample)(state, jax.random.split(key, 64)))
    assert bool(state.truncated.all()) and set(env.positions(state)) == set(starts)
    with pytest.raises(fourfold.PositionError):
        fourfold.jax.make("chess", start=["nothing"])
    with pytest.raises(ValueError, match="one line each"):
        fourfold.jax.make("chess", start=["a\nb"])


def test_positions_of_every_game_survive() -> None:
    for game in fourfold.GAMES:
        env = fourfold.jax.make(game, **SHORT[game])
        step = jax.jit(lambda state, key, env=env: env.step(state, env.sample(state, key)))
        state = env.init(jax.random.key(0))
        for key in jax.random.split(jax.random.key(1), 7):
            state = step(state, key)
        [text] = env.positions(state)
        again = env.from_positions([text])
        assert env.positions(again) == [text], game
        assert np.array_equal(again.legal_action_mask[0], state.legal_action_mask), game
        assert state.to_svg().startswith("<svg"), game
    with pytest.raises(ValueError, match="at least one position"):
        env.from_positions([])


def test_mctx_finds_a_mate_in_one() -> None:
    mctx = pytest.importorskip("mctx")
    env = fourfold.jax.make("chess", mask="sparse", slots=64, observation="none")
    state = env.from_positions(["6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "7k/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"])

    def prior(state: fourfold.jax.State) -> jax.Array:
        return env.slot_logits(state, jnp.zeros(env.num_actions))

    def recurrent(_: None, key: jax.Array, slot: jax.Array, state: fourfold.jax.State) -> Any:
        after = jax.vmap(env.step)(state, jax.vmap(env.slot_to_action)(state, slot))
        reward = jnp.take_along_axis(after.rewards, state.current_player[:, None], 1)[:, 0]
        discount = jnp.where(after.terminated | after.truncated, 0.0, -1.0)
        output = mctx.RecurrentFnOutput(
            reward=reward, discount=discount, prior_logits=jax.vmap(prior)(after), value=jnp.zeros(2)
        )
        return output, after

    root = mctx.RootFnOutput(prior_logits=jax.vmap(prior)(state), value=jnp.zeros(2), embedding=state)
    invalid = state.legal_actions < 0
    # All legal moves are considered, so the network need not suggest the right one.
    options = {"num_simulations": 64, "max_num_considered_actions": 64, "invalid_actions": invalid}
    search = jax.jit(lambda key: mctx.gumbel_muzero_policy(None, key, root, recurrent, **options))
    slots = search(jax.random.key(0)).action
    assert env.moves(state, jax.vmap(env.slot_to_action)(state, slots)) == ["a1a8", "d1d8"]


def test_two_devices_give_the_same_bytes() -> None:
    program = """
import jax, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
import fourfold.jax
try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map
assert len(jax.devices()) == 2
env = fourfold.jax.make("chess", packed=True, autoreset="same_step", max_steps=9)
def advance(state, keys):
    actions = jax.vmap(env.sample)(state, keys)
    return jax.vmap(env.step)(state, actions)
mesh = Mesh(np.array(jax.devices()), ("games",))
keys = jax.random.split(jax.random.key(0), 8)
one = two = three = jax.jit(jax.vmap(env.init))(keys)
sharded = jax.jit(shard_map(advance, mesh=mesh, in_specs=P("games"), out_specs=P("games")))
three = jax.device_put(three, NamedSharding(mesh, P("games")))
for number in range(20):
    keys = jax.random.split(jax.random.key(number), 8)
    one, two, three = jax.jit(advance)(one, keys), sharded(two, keys), jax.jit(advance)(three, keys)
for other in (two, three):
    assert all(map(np.array_equal, jax.tree.leaves(one), jax.tree.leaves(other)))

def played(weights, keys):
    # A loop inside shard_map, and a gradient through what it returns.
    def body(state, _):
        state = advance(state, keys)
        return state, (state.rewards.sum(-1) + jax.vmap(env.unpack)(state)[..., 0].sum((-1, -2))) @ weights.repeat(len(keys))
    return jax.lax.scan(body, jax.vmap(env.init)(keys), None, length=3)[1].sum()

def gradient(weights, keys):
    return jax.grad(played)(weights, keys)

weights = jax.numpy.ones(1)
expected = gradient(weights, keys)
both = shard_map(gradient, mesh=mesh, in_specs=(P(), P("games")), out_specs=P())
if hasattr(jax, "typeof"):
    # Older versions add up gradients only if they are told to.
    assert np.allclose(jax.jit(both)(weights, keys), expected), "gradients"
assert len(two._bytes.sharding.device_set) == 2
print("equal")
"""
    flags = "--xla_force_host_platform_device_count=2"
    environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    found = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert found.stdout == "equal\n", found.stderr


def test_threads_may_share_a_compiled_function() -> None:
    env = fourfold.jax.make("chess", packed=True, num_threads=2)
    games = 256
    start = jax.vmap(env.init)(jax.random.split(jax.random.key(0), games))

    @jax.jit
    def run(state: fourfold.jax.State, key: jax.Array) -> fourfold.jax.State:
        def advance(state: fourfold.jax.State, key: jax.Array) -> tuple[fourfold.jax.State, None]:
            return jax.vmap(env.step)(state, jax.vmap(env.sample)(state, jax.random.split(key, games))), None

        return jax.lax.scan(advance, state, jax.random.split(key, 10))[0]

    expected = run(start, jax.random.key(1))
    with ThreadPoolExecutor(4) as pool:
        assert all(same(found, expected) for found in pool.map(lambda _: run(start, jax.random.key(1)), range(8)))


def test_damaged_states_do_no_harm() -> None:
    """Bytes that no environment returned are an error of XLA or a state, never a crash."""
    rng = np.random.default_rng(0)
    outcomes = set()
    for game in fourfold.GAMES:
        env = fourfold.jax.make(game, packed=True)
        step = jax.jit(env.step)
        state = env.init(jax.random.key(0))
        for _ in range(100 if FULL else 20):
            damaged = np.array(state._bytes)
            places = rng.integers(0, len(damaged), rng.integers(1, 40))
            damaged[places] = rng.integers(0, 256, len(places))
            action = jnp.full(env._kind.rows, rng.integers(0, env.num_actions), jnp.int32)
            mask = jnp.full_like(state.legal_action_mask, 255)
            try:
                jax.block_until_ready(step(state.replace(_bytes=jnp.asarray(damaged), legal_action_mask=mask), action))
                outcomes.add("stepped")
            except Exception as error:
                assert "expected states and masks as fourfold.jax returned them" in str(error)
                outcomes.add("refused")
    assert outcomes == {"stepped", "refused"}


def test_environments_are_values() -> None:
    env = fourfold.jax.make("blokus", players=2, packed=True)
    for other in (
        pickle.loads(pickle.dumps(env)),
        copy.deepcopy(env),
        fourfold.jax.make("blokus", players=2, packed=True),
    ):
        assert other == env and hash(other) == hash(env)
        other.step(env.init(jax.random.key(0)), 0)
    assert env != fourfold.jax.make("blokus", players=3, packed=True)
    assert (env.id, env.version, env.num_players, env.num_actions) == ("blokus", "v2", 2, 30434)
    assert env.observation_shape == (10, 60) and "draw" not in repr(env)
    assert repr(env) == "<fourfold.jax.Env blokus-v2>"
    assert env.endings == fourfold.make("blokus", players=2).endings
    state = env.init(jax.random.key(0))
    assert state.env_id == "blokus" and "observation=uint8[10, 60]" in repr(state)
    assert np.array_equal(pickle.loads(pickle.dumps(state))._bytes, state._bytes)


def test_wrong_arguments_are_named() -> None:
    env = fourfold.jax.make("chess")
    state = env.init(jax.random.key(0))
    with pytest.raises(TypeError, match="expected action to be integers, got float64"):
        env.step(state, 1.5)
    with pytest.raises(TypeError, match="expected action to be integers, got float32"):
        env.step(state, jnp.float32(1))
    for large in (np.int64(2**32 + 2426), 2**40):
        with pytest.raises(ValueError, match=f"expected action to fit in 32 bits, got {large}"):
            env.step(state, large)
    assert not env.step(state, jnp.uint32(2**32 - 1)).move_valid
    with pytest.raises(ValueError, match=r"expected action to have shape \(\), got \(3,\): see jax.vmap"):
        env.step(state, jnp.zeros(3, int))
    for call in (lambda: env.step(3, 1), lambda: env.positions(3)):
        with pytest.raises(TypeError, match="expected a fourfold.jax.State, got int"):
            call()
    with pytest.raises(
        ValueError, match="with mask bool, observation float32, got one with mask packed, observation packed"
    ):
        env.step(fourfold.jax.make("chess", packed=True).init(jax.random.key(0)), 1)
    with pytest.raises(ValueError, match="expected state.legal_action_mask to be an array, got None"):
        env.step(state.replace(legal_action_mask=None), 1)
    for option in ("num_envs", "final"):
        with pytest.raises(TypeError, match=f"fourfold.jax.make has no option {option}"):
            fourfold.jax.make("chess", **{option: 3})
    with pytest.raises(ValueError, match="invalid device 'cuda': expected one of cuda-emulated"):
        fourfold.jax.make("chess", device="cuda")
    with pytest.raises(ValueError, match="invalid illegal 'error': expected one of lose, ignore"):
        fourfold.jax.make("chess", illegal="error")
    with pytest.raises(ValueError, match="invalid mask 'bits'"):
        fourfold.jax.make("chess", mask="bits")
    with pytest.raises(ValueError, match="slots is for mask='sparse'"):
        fourfold.jax.make("chess", slots=4)
    with pytest.raises(ValueError, match="expected slots from 1 to 218, got 0"):
        fourfold.jax.make("chess", mask="sparse", slots=0)
    with pytest.raises(ValueError, match="expected an environment with mask='sparse', got mask='bool'"):
        env.slot_to_action(state, 1)
    with pytest.raises(ValueError, match="observation is 'none'"):
        other = fourfold.jax.make("chess", observation="none")
        other.observe(other.init(jax.random.key(0)))
    with pytest.raises(ValueError, match="mask is 'none'"):
        other = fourfold.jax.make("chess", mask="none")
        other.sample(other.init(jax.random.key(0)), jax.random.key(0))
    with pytest.raises(TypeError, match=r"expected a fourfold.jax.Env or its step function, got .*lambda"):
        fourfold.jax.auto_reset(lambda: None)
    with pytest.raises(TypeError, match=r"expected a fourfold.jax.Env or its step function, got Env.init"):
        fourfold.jax.auto_reset(env.init)
    with pytest.raises(ValueError, match="expected the init function of the same environment"):
        fourfold.jax.auto_reset(env.step, lambda key: state)
    with pytest.raises(ValueError, match="invalid name 'bord'"):
        env.array(state, "bord")
    with pytest.raises(TypeError, match="expected packed to be True or False, got 1"):
        fourfold.jax.make("chess", packed=1)
    with pytest.raises(ImportError, match="needs JAX 0.5.0 or later, got 0.4.38"):
        check_version("0.4.38")
    check_version("0.5.0")
    check_version("0.10.2.dev20260101")


def test_wrong_arrays_are_named() -> None:
    env = fourfold.jax.make("chess")
    state = env.init(jax.random.key(0))
    with pytest.raises(TypeError, match="expected state._bytes to be uint8, got int32"):
        env.step(state.replace(_bytes=state._bytes.astype(jnp.int32)), 1)
    with pytest.raises(ValueError, match=r"expected state._bytes to have shape \(1912,\), got \(1904,\): see jax.vmap"):
        env.observe(state.replace(_bytes=state._bytes[:-8]))
    with pytest.raises(TypeError, match="expected state.legal_action_mask to be bool, got float32"):
        env.step(state.replace(legal_action_mask=state.legal_action_mask.astype(jnp.float32)), 1)
    many = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 3))
    with pytest.raises(
        ValueError, match=r"expected state._bytes to have shape \(1912,\), got \(3, 1912\): see jax.vmap"
    ):
        env.step(many, jnp.zeros(3, int))


def test_options_that_no_environment_has_are_refused() -> None:
    """Compiled functions carry the options as text, which may come from another version."""
    for config, message in (
        ("", "expected 'observation' in the options"),
        ("observation\tpacked\nmask\tbits\n", "invalid mask 'bits'"),
        ("observation\tplanes\n", "invalid observation 'planes'"),
        ("observation\tnone\nmask\tnone\nthreads\tx\n", "invalid threads 'x'"),
    ):
        with pytest.raises(ValueError, match=message):
            fourfold._core.xla_row_bytes(config)
