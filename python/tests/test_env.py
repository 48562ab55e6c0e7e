"""The guarantees of environments, without comparison with other packages."""

from __future__ import annotations

import copy
import dataclasses
import gc
import itertools
import pickle
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from labels import label_of

import fourfold
from fourfold import unpack

FORMATS = ["float32", "float16", "uint8", "packed", "none"]


def played(env: fourfold.Environment, steps: int) -> fourfold.State:
    state = env.reset(seed=0)
    for _ in range(steps):
        state = env.step(env.sample())
    return state


@pytest.mark.parametrize("preset", ["fide", "legacy", "pgx"])
@pytest.mark.parametrize("mask", ["bool", "packed", "sparse"])
def test_conformance(preset: str, mask: str) -> None:
    env = fourfold.make("chess", num_envs=8, preset=preset, mask=mask, num_threads=1)
    fourfold.conformance(env)


def test_the_same_bytes_from_any_number_of_threads() -> None:
    runs = []
    for threads in (1, 2, 7):
        env = fourfold.make("chess", num_envs=600, packed=True, num_threads=threads)
        state = played(env, 120)
        runs.append([state.observation, state.scalars, state.legal_action_mask, state.rewards])
    for run in runs[1:]:
        for one, other in zip(runs[0], run, strict=True):
            assert np.array_equal(one, other)


def test_a_game_is_the_same_in_any_batch() -> None:
    large = fourfold.make("chess", num_envs=50, num_threads=1)
    small = fourfold.make("chess", num_envs=3, num_threads=1)
    played(large, 100)
    played(small, 100)
    assert large.positions[:3] == small.positions


def test_observation_forms_agree() -> None:
    envs = {format: fourfold.make("chess", 16, observation=format, num_threads=1) for format in FORMATS}
    states = {format: played(env, 60) for format, env in envs.items()}
    floats = states["float32"].observation
    assert floats is not None and floats.shape == (16, 8, 8, 119)
    half, packed, small = (states[format] for format in ("float16", "packed", "uint8"))
    assert np.array_equal(half.observation, floats.astype(np.float16))
    unpacked = unpack.observation(packed.observation, packed.scalars, envs["packed"])
    assert np.array_equal(unpacked, floats)
    binary = [channel for channel in range(119) if channel not in (113, 118)]
    assert np.array_equal(small.observation[..., binary], floats[..., binary])
    assert np.array_equal(small.scalars, floats[:, 0, 0, [113, 118]])
    assert states["none"].observation is None
    assert packed.observation.shape == (16, 117, 8) and packed.observation.dtype == np.uint8


def test_mask_forms_agree() -> None:
    masks = {
        format: played(fourfold.make("chess", 16, mask=format, observation="none"), 60)
        for format in ("bool", "packed", "sparse")
    }
    bools = masks["bool"].legal_action_mask
    assert np.array_equal(unpack.mask(masks["packed"].legal_action_mask, 4672), bools)
    sparse = masks["sparse"]
    for row in range(16):
        count = sparse.legal_action_counts[row]
        assert np.array_equal(np.sort(sparse.legal_actions[row, :count]), np.flatnonzero(bools[row]))
        assert (sparse.legal_actions[row, count:] == -1).all()


class Broken:
    """An environment that violates its interface."""

    def __init__(self, env: fourfold.Environment, **broken: object) -> None:
        self.env, self.broken = env, broken

    def __getattr__(self, name: str) -> object:
        if name in ("env", "broken"):
            raise AttributeError(name)
        return self.broken.get(name) or getattr(self.env, name)

    def __reduce__(self) -> tuple[object, ...]:
        start = (fourfold.make, ("chess", self.env.num_envs))
        return start if self.broken.get("pickle") else (Broken, (self.env,))


def spoiled(state: fourfold.State, name: str, value: int) -> fourfold.State:
    array = getattr(state, name).copy()
    array.reshape(-1)[-1] = value
    aligned = np.zeros(array.nbytes + 64, dtype=np.uint8)
    start = -aligned.ctypes.data % 64
    view = aligned[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    view[...] = array
    return dataclasses.replace(state, **{name: view})


@pytest.mark.parametrize("mask", ["bool", "packed", "sparse", "none"])
def test_conformance_detects_violations(mask: fourfold._state.MaskFormat) -> None:
    def check(message: str, **broken: object) -> None:
        with pytest.raises(AssertionError, match=message):
            fourfold.conformance(Broken(env, **broken), steps=40)  # type: ignore[arg-type]

    env = fourfold.make("chess", num_envs=3, mask=mask, num_threads=1)
    fourfold.conformance(Broken(env), steps=40)  # type: ignore[arg-type]
    reused = env.reset(seed=5)
    check("an earlier state has changed", step=lambda actions: env.step(actions, out=reused))
    check("ending is not an index into env.endings", step=lambda a: spoiled(env.step(a), "ending", 99))
    check("winner is out of range", step=lambda a: spoiled(env.step(a), "winner", 2))
    check("is reported as illegal", step=lambda a: spoiled(env.step(a), "move_valid", 0))
    check("a pickled environment has different positions", pickle=True)
    ends = "8/P6k/8/8/8/8/8/K7 w - - 0 1", "8/P5k1/8/8/8/8/8/K7 w - - 0 1"
    starts = itertools.cycle([[ends[0]] * 3, [ends[1]] * 3])
    check("the same seed gives different initial states", reset=lambda seed: env.reset(positions=next(starts)))
    if mask != "none":
        no_move = np.full(3, 4671, dtype=np.int32)
        check("a sampled action is not legal", sample=lambda seed=None: no_move)
    if mask == "sparse":
        check("legal_actions are not padded with −1", step=lambda a: spoiled(env.step(a), "legal_actions", 7))
        check("legal_action_counts are out of range", step=lambda a: spoiled(env.step(a), "legal_action_counts", 0))
    if mask in ("bool", "packed"):
        empty = np.zeros_like(env.reset(seed=0).legal_action_mask)
        check("no legal action|not aligned", step=lambda a: dataclasses.replace(env.step(a), legal_action_mask=empty))


def test_a_kept_state_never_changes() -> None:
    env = fourfold.make("chess", num_envs=32, num_threads=1)
    state = env.reset(seed=1)
    kept = state.observation
    a_slice = state.legal_action_mask[3:5, ::2]
    before, slice_before = kept.copy(), a_slice.copy()
    address = state.rewards.ctypes.data
    del state
    addresses = set()
    for _ in range(50):
        state = env.step(env.sample())
        addresses.add(state.rewards.ctypes.data)
        assert state.observation.ctypes.data != kept.ctypes.data
    assert np.array_equal(kept, before) and np.array_equal(a_slice, slice_before)
    # Memory that is no longer referenced is reused.
    assert len(addresses) <= 3 and address in addresses


@pytest.mark.parametrize("mask", ["bool", "packed", "sparse"])
@pytest.mark.parametrize("observation", ["float16", "uint8", "packed"])
def test_arrays_of_a_kept_state_do_not_change(
    mask: fourfold._state.MaskFormat, observation: fourfold._state.ObservationFormat
) -> None:
    env = fourfold.make("chess", num_envs=8, mask=mask, observation=observation, num_threads=1)
    env.reset(seed=3)
    kept = []
    for _ in range(30):
        state = env.step(env.sample())
        kept.append((state, copy.deepcopy(state)))
        env.current_state()
    for state, before in kept:
        for field in dataclasses.fields(state):
            one, other = getattr(state, field.name), getattr(before, field.name)
            assert (one is None) == (other is None)
            assert one is None or np.array_equal(one, other), field.name


@pytest.mark.parametrize("how", ["dlpack", "numpy"])
def test_a_state_read_by_jax_never_changes(how: str) -> None:
    jax = pytest.importorskip("jax")
    jnp = jax.numpy
    env = fourfold.make("chess", num_envs=256, num_threads=1)

    @jax.jit
    def slow(x: object) -> object:
        # Reads its argument repeatedly, for much longer than a step takes.
        return jax.lax.fori_loop(0, 60, lambda i, sums: sums * 0.5 + (x * (1 + i)).sum(axis=(1, 2, 3)), jnp.zeros(256))

    state = env.reset(seed=2)
    slow(state.observation).block_until_ready()
    results, expected, late, shared = [], [], 0, 0
    for _ in range(8):
        expected.append(state.observation.copy())
        given = jnp.from_dlpack(state.observation) if how == "dlpack" else jnp.asarray(state.observation)
        shared += given.unsafe_buffer_pointer() == state.observation.ctypes.data
        results.append(slow(given))
        # From here on, only JAX references the observation.
        del state, given
        for _ in range(3):
            state = env.step(env.sample())  # noqa: F841, the next round reads it
        late += not results[-1].is_ready()
    # Memory was shared, and steps were played while it was still being read.
    assert shared == 8 and late > 0, (shared, late)
    for result, array in zip(results, expected, strict=True):
        assert np.array_equal(result, slow(array))


def test_out_reuses_the_arrays() -> None:
    env = fourfold.make("chess", num_envs=4, num_threads=1)
    state = env.reset(seed=0)
    after = env.step(env.sample(), out=state)
    assert after.observation is state.observation and after.rewards is state.rewards
    before = env.save()
    with pytest.raises(TypeError, match="expected out to be a State of this environment, got int"):
        env.step(env.sample(seed=1), out=5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"out: expected rewards to be a writable, contiguous array, float32 \(4, 2\)"):
        rewards = np.zeros((2, 4), dtype=np.float32).T
        env.step(env.sample(seed=1), out=dataclasses.replace(state, rewards=rewards))
    other = fourfold.make("chess", num_envs=4, packed=True).reset(seed=0)
    with pytest.raises(ValueError, match="out: expected legal_action_mask to be"):
        env.step(env.sample(seed=1), out=other)
    assert env.save() == before


def test_loaded_environments_continue_identically() -> None:
    env = fourfold.make("chess", num_envs=20, packed=True)
    played(env, 80)
    others = [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    fresh = fourfold.make("chess", num_envs=20, packed=True)
    fresh.load(env.save())
    others.append(fresh)
    for _ in range(60):
        actions = env.sample()
        state = env.step(actions)
        for other in others:
            assert np.array_equal(other.sample(), actions)
            its = other.step(actions)
            assert np.array_equal(its.observation, state.observation)
            assert np.array_equal(its.legal_action_mask, state.legal_action_mask)
    with pytest.raises(fourfold.SavedStateError, match="ends too early"):
        env.load(env.save()[:100])


def test_gather_and_scatter() -> None:
    env = fourfold.make("chess", num_envs=6, num_threads=1)
    played(env, 30)
    some = env.gather(np.array([5, 0]))
    assert some.positions == [env.positions[5], env.positions[0]]
    env.scatter([1, 2], some)
    assert env.positions[1:3] == some.positions
    env.scatter([0, 1, 2, 3, 4, 5], env)
    with pytest.raises(IndexError, match="game 9 is out of range: the batch has 6 games"):
        env.gather([9])


def test_autoreset() -> None:
    start = fourfold.chess.Board().fen
    for autoreset in ("same_step", "next_step", "disabled"):
        env = fourfold.make("chess", num_envs=1, autoreset=autoreset, num_threads=1)
        off = fourfold.make("chess", num_envs=1, autoreset="disabled", num_threads=1)
        off.reset(seed=0)
        env.reset(seed=0)
        for san in ["f3", "e5", "g4", "Qh4#"]:
            action = [label_of(off.positions[0], san)]
            off.step(action)
            state = env.step(action)
        assert state.terminated[0] and not state.truncated[0]
        assert state.rewards.tolist() == [[-1.0, 1.0]]
        assert state.winner[0] == 1 and env.endings[state.ending[0]] == "checkmate"
        if autoreset == "same_step":
            assert env.positions == [start]
            assert state.legal_action_mask.sum() == 20
            final = state.final_observation
            assert np.array_equal(final, off.observe())
        else:
            assert env.positions != [start]
            assert state.legal_action_mask.all()
            assert state.final_observation is None
        state = env.step(env.sample()) if autoreset != "disabled" else env.reset(mask=np.array([True]))
        assert not state.terminated[0]
        assert (env.positions == [start]) == (autoreset != "same_step")


def test_illegal_actions() -> None:
    env = fourfold.make("chess", num_envs=3, num_threads=1)
    env.reset(seed=0)
    before = env.save()
    with pytest.raises(fourfold.IllegalActionError, match="action 0 of game 1 is not legal in rnbq"):
        env.step([2426, 0, 2426])
    with pytest.raises(ValueError, match="action 4672 of game 2 is out of range: expected 0 to 4671"):
        env.step([2426, 2426, 4672])
    assert env.save() == before
    lose = fourfold.make("chess", num_envs=2, illegal="lose", num_threads=1)
    state = lose.step([2426, 7])
    assert state.rewards.tolist() == [[0, 0], [-1, 1]] and state.terminated.tolist() == [False, True]
    assert state.move_valid.tolist() == [True, False]
    ignore = fourfold.make("chess", num_envs=2, illegal="ignore", num_threads=1)
    state = ignore.step([2426, 7])
    assert state.move_valid.tolist() == [True, False] and not state.terminated.any()
    assert ignore.positions[1] == fourfold.chess.Board().fen


def test_invalid_arguments() -> None:
    env = fourfold.make("chess", num_envs=4, num_threads=1)
    with pytest.raises(ValueError, match=r"expected actions to have shape \(4,\), got \(3,\)"):
        env.step(np.zeros(3, dtype=np.int32))
    with pytest.raises(TypeError, match="expected actions to be integers, got float64"):
        env.step(np.zeros(4))
    with pytest.raises(ValueError, match="expected actions to fit in 32 bits, got 1099511627776"):
        env.step(np.full(4, 2**40))
    with pytest.raises(ValueError, match=f"expected actions to fit in 32 bits, got {2**70}"):
        env.step([0, 0, 0, 2**70])
    with pytest.raises(ValueError, match=f"expected actions to fit in 32 bits, got {2**63}"):
        env.step([0, 0, -1, 2**63])
    with pytest.raises(TypeError, match="expected actions to be integers, got object"):
        env.step([0, 0, None, 0])
    with pytest.raises(ValueError, match=r"expected actions to have shape \(4,\), got \(0,\)"):
        env.step([])
    with pytest.raises(ValueError, match="cannot convert actions to an array"):
        env.step([[0], [0, 0], [0], [0]])
    with pytest.raises(ValueError, match="unknown environment 'ches': expected one of chess"):
        fourfold.make("ches")
    with pytest.raises(ValueError, match="unknown option 'presett' of chess: expected one of preset, claim"):
        fourfold.make("chess", presett="fide")
    with pytest.raises(ValueError, match="invalid preset 'fast': expected one of fide, legacy, pgx"):
        fourfold.make("chess", preset="fast")
    with pytest.raises(ValueError, match="expected num_envs from 1 to 16777216, got 0"):
        fourfold.make("chess", num_envs=0)
    with pytest.raises(ValueError, match="invalid autoreset 'on': expected one of"):
        fourfold.make("chess", autoreset="on")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="invalid observation 'float64': expected one of"):
        fourfold.make("chess", observation="float64")  # type: ignore[arg-type]
    with pytest.raises(fourfold.PositionError, match="position 1: invalid FEN: board"):
        fourfold.make("chess", start=[fourfold.chess.Board().fen, "8/8 w - - 0 1"])
    with pytest.raises(IndexError, match="expected player from 0 to 1, got 2"):
        env.observe(player=2)
    with pytest.raises(IndexError, match="expected player from 0 to 1, got -1"):
        env.observe(player=-1)
    with pytest.raises(ValueError, match="expected num_threads from 1 to 1024, got 1000000"):
        fourfold.make("chess", num_threads=10**6)
    with pytest.raises(TypeError, match="expected num_envs to be an integer, got 2.5"):
        fourfold.make("chess", num_envs=2.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected num_envs to be an integer, got True"):
        fourfold.make("chess", num_envs=True)
    with pytest.raises(TypeError, match="expected game to be a string, got 5"):
        fourfold.make(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected packed to be True or False, got 'no'"):
        fourfold.make("chess", packed="no")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="invalid illegal 'warn': expected one of error, lose, ignore"):
        fourfold.make("chess", illegal="warn")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="invalid mask 5: expected one of bool, packed, sparse, none"):
        fourfold.make("chess", mask=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected start to be a list of strings, got a string"):
        fourfold.make("chess", start=fourfold.chess.Board().fen)
    with pytest.raises(TypeError, match="expected start to be a list of strings, got 5 at index 1"):
        fourfold.make("chess", start=[fourfold.chess.Board().fen, 5])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="expected indices to be integers, got bool"):
        env.gather(np.array([True, False, False, False]))
    with pytest.raises(ValueError, match=r"expected indices to be one-dimensional, got shape \(1, 1\)"):
        env.gather([[0]])
    with pytest.raises(TypeError, match="expected an Environment, got list"):
        env.scatter([0], [1])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected moves to be a list of strings, got a string"):
        env.actions("e4")
    with pytest.raises(ValueError, match="invalid dialect 'french': expected one of open_spiel, pettingzoo, leela"):
        env.to_dialect("french", [0, 0, 0, 0])
    with pytest.raises(TypeError, match="expected games to be an integer, got '9'"):
        env.rollout("9")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected games from 0 to .*, got -1"):
        env.rollout(-1)
    with pytest.raises(IndexError, match="game -1 is out of range: the batch has 4 games"):
        env.gather([-1])
    with pytest.raises(ValueError, match="expected at least one index"):
        env.gather([])
    with pytest.raises(KeyError, match="unknown array 'bords'"):
        env.array("bords")
    with pytest.raises(fourfold.IllegalMoveError, match="game 1: 'e5' is not legal in rnbq"):
        env.actions(["e4", "e5", "e4", "e4"])
    with pytest.raises(fourfold.IllegalActionError, match="action 7 of game 3 is not legal"):
        env.moves([2426, 2426, 2426, 7])
    with pytest.raises(ValueError, match="expected 4 moves, got 1"):
        env.actions(["e4"])
    with pytest.raises(ValueError, match="expected seed from 0 to .*, got -1"):
        env.reset(seed=-1)
    with pytest.raises(TypeError, match="expected seed to be an integer, got 1.5"):
        env.sample(seed=1.5)  # type: ignore[arg-type]


def test_reset_checks_mask_and_positions() -> None:
    env = fourfold.make("chess", num_envs=3, num_threads=1)
    played(env, 5)
    before, fen = env.save(), fourfold.chess.Board().fen
    with pytest.raises(TypeError, match="expected mask to be booleans, got int64"):
        env.reset(mask=np.array([1, 0, 1]))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected mask to be booleans, got float64"):
        env.reset(mask=[0.5, 0, 1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"expected mask to have shape \(3,\), got \(2,\)"):
        env.reset(mask=np.array([True, False]))
    with pytest.raises(ValueError, match=r"expected mask to have shape \(3,\), got \(3, 1\)"):
        env.reset(mask=np.ones((3, 1), dtype=bool))
    with pytest.raises(TypeError, match="expected positions to be a list of strings, got a string"):
        env.reset(positions=fen)
    with pytest.raises(TypeError, match="expected positions to be a list of strings, got None at index 2"):
        env.reset(positions=[fen, fen, None])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="expected 3 positions, got 1"):
        env.reset(positions=[fen])
    with pytest.raises(ValueError, match="a seed restarts all games"):
        env.reset(seed=1, positions=[fen] * 3)
    assert env.save() == before
    texts = env.positions
    env.reset(mask=[False, True, False])  # type: ignore[arg-type]
    assert env.positions == [texts[0], fen, texts[2]]


def test_start_positions() -> None:
    fens = ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]
    env = fourfold.make("chess", num_envs=40, start=fens)
    assert set(env.positions) == set(fens)
    env.reset(positions=[fens[0]] * 40)
    assert set(env.positions) == {fens[0]}


MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


def test_finished_positions_are_rejected_as_starts() -> None:
    fen = fourfold.chess.Board().fen
    with pytest.raises(fourfold.PositionError, match="position 1: the game is already over .*: checkmate"):
        fourfold.make("chess", start=[fen, MATED])
    bare = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    with pytest.raises(fourfold.PositionError, match="position 0: .* already over .*: insufficient material"):
        fourfold.make("chess", start=[bare])
    # By the legacy rules, the game goes on.
    assert fourfold.make("chess", start=[bare], preset="legacy").positions == [bare]


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_reset_accepts_finished_positions(autoreset: fourfold._state.Autoreset) -> None:
    fen = fourfold.chess.Board().fen
    env = fourfold.make("chess", num_envs=2, autoreset=autoreset, num_threads=1)
    state = env.reset(positions=[fen, MATED])
    assert state.terminated.tolist() == [False, True] and state.winner.tolist() == [-1, 1]
    assert env.endings[state.ending[1]] == "checkmate"
    assert state.legal_action_mask.sum(axis=1).tolist() == [20, 4672]
    state = env.step(env.sample())
    assert state.terminated.tolist() == [False, autoreset == "disabled"]
    assert env.positions[1] == (MATED if autoreset == "disabled" else fen)


def test_sparse_masks_of_finished_games_are_full() -> None:
    env = fourfold.make("chess", num_envs=2, mask="sparse", autoreset="disabled", num_threads=1)
    state = env.reset(positions=[fourfold.chess.Board().fen, MATED])
    assert state.legal_action_counts.tolist() == [20, 218]
    assert state.legal_actions[1].tolist() == list(range(218))


def test_show_returns_the_current_state() -> None:
    env = fourfold.make("chess", num_envs=30, num_threads=1)
    state = played(env, 300)
    while not (state.terminated | state.truncated).any():
        state = env.step(env.sample())
    shown = env.current_state()
    assert not (shown.terminated | shown.truncated).any() and shown.final_observation is None
    for name in ("observation", "legal_action_mask", "current_player"):
        assert np.array_equal(getattr(shown, name), getattr(state, name))


def test_any_integers_are_actions() -> None:
    jnp = pytest.importorskip("jax").numpy
    for actions in ([2426, 2425], np.array([2426, 2425], dtype=np.uint16), jnp.array([2426, 2425])):
        env = fourfold.make("chess", num_envs=2, num_threads=1)
        env.step(actions)
        assert env.positions[0].split()[0] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"


def test_jax_unpacks_the_same() -> None:
    jax = pytest.importorskip("jax")
    env = fourfold.make("chess", num_envs=8, packed=True)
    state = played(env, 40)
    floats = jax.jit(lambda p, s: unpack.observation_jax(p, s, env))(state.observation, state.scalars)
    assert np.array_equal(floats, env.observe(format="float32"))
    bools = unpack.mask_jax(state.legal_action_mask, env.num_actions)
    assert np.array_equal(bools, unpack.mask(state.legal_action_mask, env.num_actions))


def test_torch_unpacks_the_same() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed; ./test --full installs it")
    env = fourfold.make("chess", num_envs=8, packed=True)
    state = played(env, 40)
    planes, scalars = (torch.from_numpy(array) for array in (state.observation, state.scalars))
    assert np.array_equal(unpack.observation_torch(planes, scalars, env), env.observe(format="float32"))
    bools = unpack.mask_torch(torch.from_numpy(state.legal_action_mask), env.num_actions)
    assert np.array_equal(bools, unpack.mask(state.legal_action_mask, env.num_actions))


def test_rollouts() -> None:
    one = fourfold.rollout("chess", 300, seed=5, num_threads=1)
    assert one == fourfold.rollout("chess", 300, seed=5, num_threads=2)
    assert one.games == 300 and sum(one.endings.values()) == 300
    assert one.draws + sum(one.wins) == 300


def test_fork_starts_its_own_threads() -> None:
    import os

    env = fourfold.make("chess", num_envs=512, num_threads=2)
    played(env, 3)
    with warnings.catch_warnings():
        # JAX warns about every fork, but the child does not use it.
        warnings.simplefilter("ignore", RuntimeWarning)
        child = os.fork()
    if child == 0:
        played(env, 3)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    gc.collect()


def test_errors_name_both_values() -> None:
    four, three, duo = fourfold.make("chess", 4), fourfold.make("chess", 3), fourfold.make("blokus_duo", 3)

    def refuse(message: str, call: Callable[[], object], error: type[Exception] = ValueError) -> None:
        with pytest.raises(error, match=message):
            call()

    refuse(
        "the saved batch has 4 games, this environment has 3", lambda: three.load(four.save()), fourfold.SavedStateError
    )
    refuse("the other environment has 4 games, but there are 2 indices", lambda: three.scatter([0, 1], four))
    refuse("game 5 is out of range: the batch has 3 games", lambda: three.scatter([0, 1, 5], three), IndexError)
    refuse("expected a batch of chess-v2 .*, got blokus_duo-v2", lambda: three.scatter([0, 1, 2], duo))
    refuse("game 7 is out of range: the batch has 3 games", lambda: three.gather([0, 7]), IndexError)
    refuse(r"to have shape \(3, 1884\), got \(4, 1884\)", lambda: three.load_states(four.states))
    refuse("game 9 is out of range: the batch has 3", lambda: three.load_states(four.states[:1], [9]), IndexError)
    out = fourfold.make("chess", 3, observation="uint8").current_state()
    wanted = r"out: expected observation to be .*, float32 \(3, 8, 8, 119\), got uint8 \(3, 8, 8, 119\)"
    refuse(wanted, lambda: three.step(three.sample(), out=out))
    out = fourfold.make("chess", 3, mask="none").current_state()
    refuse("out: expected legal_action_mask to be .*, got None", lambda: three.step(three.sample(), out=out))
