"""Environments on GPUs do what those on the CPU do. There is no GPU here: the CPU emulates one, with the same kernels."""

from __future__ import annotations

import dataclasses
import gc
import importlib.util
import pickle
import re
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

import fourfold
from fourfold import bench, cuda

DEVICE = "cuda-emulated"
FIELDS = [field.name for field in dataclasses.fields(fourfold.State) if not field.name.startswith("_")]
CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "chess": ("chess", {"max_steps": 20}),
    "four_player": ("four_player", {"mode": "teams"}),
    "blokus": ("blokus", {"size": 6}),
    "blokus_duo": ("blokus_duo", {"size": 5}),
    "kung_fu": ("kung_fu", {"max_ticks": 60, "interval": 20}),
    "kung_fu_4p": ("kung_fu_4p", {"interval": 20, "max_ticks": 100}),
}
has_torch = importlib.util.find_spec("torch") is not None


def make(game: Any = "chess", num_envs: int = 3, **options: Any) -> fourfold.CudaEnvironment:
    env = fourfold.make(game, num_envs, device=DEVICE, **options)
    assert isinstance(env, fourfold.CudaEnvironment)
    return env


def both(game: Any, num_envs: int, **options: Any) -> tuple[fourfold.Environment, fourfold.CudaEnvironment]:
    return fourfold.make(game, num_envs, device="cpu", **options), make(game, num_envs, **options)


def assert_equal(expected: fourfold.State, found: fourfold.CudaState) -> None:
    """Compares the bytes, types and shapes of all arrays."""
    copied = found.numpy()
    for name in FIELDS:
        one, other = getattr(expected, name), getattr(copied, name)
        assert (one is None) == (other is None), name
        if one is not None:
            assert one.dtype == other.dtype and one.shape == other.shape, name
            assert one.tobytes() == other.tobytes(), name


@pytest.mark.parametrize(
    "formats", [("bool", "float32"), ("packed", "packed"), ("sparse", "uint8"), ("none", "float16")]
)
@pytest.mark.parametrize("case", CASES)
def test_every_array_equals_that_of_the_cpu(case: str, formats: tuple[Any, Any]) -> None:
    game, options = CASES[case]
    mask, observation = formats
    cpu, gpu = both(game, 5, mask=mask, observation=observation, **options)
    assert_equal(cpu.reset(seed=7), gpu.reset(seed=7))
    ended = 0
    for step in range(30):
        seed = step if step % 5 == 0 else None
        expected, found = cpu.sample(seed), gpu.sample(seed)
        assert np.array_equal(expected, found.numpy())
        state = cpu.step(expected)
        assert_equal(state, gpu.step(found))
        ended += 0 if state.final_games is None else len(state.final_games)
    assert ended > 0 or case == "four_player"
    assert_equal(cpu.current_state(), gpu.current_state())
    assert cpu.save() == gpu.save()
    assert cpu.positions == gpu.positions
    for player in (None, 0, cpu.num_players - 1):
        parts = cpu.observe(player, "packed"), gpu.observe(player, "packed")
        one, other = (part if isinstance(part, tuple) else (part,) for part in parts)
        assert len(one) == len(other)
        assert all(np.array_equal(a, b.numpy()) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("final", ["rows", "padded"])
def test_games_that_end(autoreset: Any, final: Any) -> None:
    cpu, gpu = both("kung_fu", 4, max_ticks=30, interval=10, autoreset=autoreset, final=final, observation="uint8")
    cpu.reset(seed=1)
    gpu.reset(seed=1)
    for _ in range(12):
        assert_equal(cpu.step(cpu.sample()), gpu.step(gpu.sample()))


def test_final_observations_can_be_read_until_the_next_step() -> None:
    env = make("chess", 2, max_steps=1)
    env.reset(seed=0)
    first = env.step(env.sample())
    assert first.final_games is not None and first.final_games.numpy().tolist() == [0, 1]
    second = env.step(env.sample())
    # It was read in time, and is kept.
    assert first.final_observation is not None
    third = env.step(env.sample())
    with pytest.raises(RuntimeError, match="only until the next step"):
        _ = second.final_observation
    env.reset()
    with pytest.raises(RuntimeError, match="only until the next step"):
        _ = third.final_games
    assert make(observation="none").reset().final_observation is None


@pytest.mark.parametrize("illegal", ["lose", "ignore"])
def test_illegal_actions_that_are_not_errors(illegal: Any) -> None:
    cpu, gpu = both("chess", 4, illegal=illegal)
    cpu.reset(seed=3)
    gpu.reset(seed=3)
    for _ in range(4):
        actions = cpu.sample()
        actions[1] = -7
        assert_equal(cpu.step(actions), gpu.step(actions))


def test_an_illegal_action_is_raised_later_and_changes_nothing() -> None:
    env = make("chess", 3)
    env.reset(seed=0)
    before = env.save()
    actions = env.sample().numpy()
    actions[1] = 0
    env.step(actions)
    env.step(env.sample())
    with pytest.raises(fourfold.IllegalActionError, match="action 0 of game 1 is not legal in rnbqkbnr"):
        env.synchronize()
    env.synchronize()
    assert env.to_cpu().positions == fourfold.make("chess", 3).positions
    assert len(env.save()) == len(before)
    env.step(actions)
    with pytest.raises(fourfold.IllegalActionError):
        _ = env.positions
    env.step(actions)
    with pytest.raises(fourfold.IllegalActionError):
        env.reset()
    with pytest.raises(fourfold.IllegalActionError):
        for _ in range(64):
            env.step(actions)
    env.step(env.sample())
    env.synchronize()


def test_arrays() -> None:
    env = make("chess", 2)
    array = env.reset(seed=0).rewards
    assert repr(array) == "<fourfold.DeviceArray float32 (2, 2) on cuda-emulated>"
    assert (array.shape, array.ndim, array.size, array.nbytes, len(array)) == ((2, 2), 2, 4, 16, 2)
    assert array.dtype == np.float32 and array.device == DEVICE
    assert array.__dlpack_device__() == (1, 0)
    assert not hasattr(array, "__cuda_array_interface__")
    assert np.asarray(array, np.float64).dtype == np.float64
    assert isinstance(np.asarray(array), np.ndarray)
    with pytest.raises(ValueError, match="without a copy"):
        np.asarray(array, copy=False)
    with pytest.raises(BufferError, match=r"not on cuda:0"):
        array.__dlpack__(dl_device=(2, 0))
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(array)


@pytest.mark.parametrize("case", CASES)
def test_dlpack_shares_memory(case: str) -> None:
    game, options = CASES[case]
    for mask, observation in (("bool", "float32"), ("packed", "uint8"), ("sparse", "float16")):
        env = make(game, 3, mask=mask, observation=observation, **options)
        state = env.reset(seed=0)
        for name in FIELDS:
            array = getattr(state, name)
            if array is None:
                continue
            shared = np.from_dlpack(array)
            assert shared.dtype == array.dtype and np.array_equal(shared, array.numpy()), name
            assert shared.ctypes.data == array._buffer.pointer + array._offset


def test_a_capsule_that_nobody_uses_frees_the_memory() -> None:
    array = make().reset().rewards
    assert not array._buffer.exported
    capsule = array.__dlpack__()
    assert array._buffer.exported
    del capsule
    assert not array._buffer.exported
    with pytest.raises(TypeError, match="not used yet"):
        capsule = array.__dlpack__()
        fourfold._core.Tensor(capsule)
        fourfold._core.Tensor(capsule)


def test_memory_outlives_the_environment() -> None:
    env = make("chess", 2)
    shared = np.from_dlpack(env.reset(seed=0).legal_action_mask)
    del env
    gc.collect()
    assert shared.sum() == 40


def test_referenced_memory_is_not_reused() -> None:
    env = make("chess", 2)
    env.reset(seed=0)
    kept, copies = [], []
    for _ in range(12):
        state = env.step(env.sample())
        for array in (state.observation, state.legal_action_mask, state.current_player):
            kept.append(np.from_dlpack(array))
            copies.append(array.numpy())
        if len(kept) % 2:
            kept.append(state)
            copies.append(state.numpy())
    for one, other in zip(kept, copies, strict=True):
        if isinstance(one, np.ndarray):
            assert np.array_equal(one, other)
        else:
            assert_equal_states(one.numpy(), other)


def assert_equal_states(one: fourfold.State, other: fourfold.State) -> None:
    for name in ("observation", "legal_action_mask", "rewards"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_memory_is_reused_when_nothing_references_it() -> None:
    env = make("chess", 2)
    env.reset(seed=0)
    addresses = set()
    for _ in range(30):
        state = env.step(env.sample())
        addresses.add(state.observation._buffer.pointer)
    assert len(addresses) <= 2
    again = env.step(env.sample(), out=state)
    assert again.observation is state.observation
    with pytest.raises(TypeError, match="a state of this environment"):
        env.step(env.sample(), out=make().reset())


def test_actions_of_every_kind() -> None:
    jax = pytest.importorskip("jax")
    cpu, gpu = both("chess", 3, observation="none")
    cpu.reset(seed=0)
    gpu.reset(seed=0)
    kinds = [
        lambda actions: actions,
        lambda actions: actions.astype(np.int64),
        lambda actions: actions.tolist(),
        lambda actions: jax.numpy.asarray(actions),
        lambda actions: Producer(actions),
        lambda actions: Producer(actions.astype(np.int64)),
    ]
    if has_torch:
        import torch

        kinds += [lambda actions: torch.tensor(actions), lambda actions: torch.tensor(actions).long()]
    for kind in kinds * 2:
        actions = cpu.sample()
        assert np.array_equal(gpu.sample().numpy(), actions)
        assert_equal(cpu.step(actions), gpu.step(kind(actions)))
    assert cpu.save() == gpu.save()


class Producer:
    """An array of another package, which has DLPack and nothing else of NumPy."""

    def __init__(self, array: Any, device: tuple[int, int] | None = None) -> None:
        self.array, self.device = array, device
        self.shape, self.dtype = array.shape, array.dtype

    def clip(self, low: int, high: int) -> Producer:
        return Producer(self.array.clip(low, high))

    def astype(self, kind: str) -> Producer:
        return Producer(self.array.astype(kind))

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device or self.array.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> object:
        return self.array.__dlpack__(**options)


def test_actions_that_are_refused() -> None:
    env = make("chess", 3)
    with pytest.raises(ValueError, match=r"expected actions to have shape \(3,\), got \(2,\)"):
        env.step([1, 2])
    with pytest.raises(TypeError, match="expected actions to be integers, got float64"):
        env.step(np.zeros(3))
    with pytest.raises(ValueError, match=r"expected actions to have shape \(3,\), got \(2,\)"):
        env.step(make("chess", 2).sample())
    with pytest.raises(TypeError, match="expected actions to be int32, got float32"):
        simultaneous = make("kung_fu", 2)
        simultaneous.step(simultaneous.reset().rewards)
    with pytest.raises(TypeError, match="expected actions to be int32, got the DLPack type code 2 with 32 bits"):
        env.step(Producer(np.zeros(3, np.float32)))
    with pytest.raises(ValueError, match=r"expected actions to have shape \(3,\), got \(4,\)"):
        env.step(Producer(np.zeros(4, np.int32)))
    with pytest.raises(ValueError, match="contiguous"):
        env.step(Producer(np.zeros(6, np.int32)[::2]))
    with pytest.raises(ValueError, match=r"expected actions on cuda-emulated, got an array on cuda:1"):
        env.step(Producer(np.zeros(3, np.int32), (2, 1)))
    with pytest.raises(ValueError, match="fit in 32 bits"):
        env.step([1, 2, 2**40])
    single = make("chess", 1)
    single.reset(seed=0)
    single.step(single.actions(["e4"]).tolist()[0])
    assert "4P3" in single.positions[0]


@pytest.mark.skipif(not has_torch, reason="torch is not installed (./test --full)")
def test_torch() -> None:
    import torch

    env = make("kung_fu", 2, observation="bfloat16")
    state = env.reset(seed=0)
    tensor = torch.from_dlpack(state.observation)
    assert tensor.dtype == torch.bfloat16 and tuple(tensor.shape) == state.observation.shape
    mask = torch.from_dlpack(state.legal_action_mask)
    assert mask.dtype == torch.bool and np.array_equal(mask.numpy(), state.legal_action_mask.numpy())
    tokens = torch.from_dlpack(state.tokens)
    assert np.array_equal(tokens.numpy(), state.tokens.numpy())
    chosen = torch.distributions.Categorical(probs=mask.float()).sample()
    env.step(chosen)
    env.synchronize()


def test_jax() -> None:
    jax = pytest.importorskip("jax")
    env = make("chess", 2, packed=True)
    state = env.reset(seed=0)
    shared = jax.dlpack.from_dlpack(state.legal_action_mask)
    assert np.array_equal(np.asarray(shared), state.legal_action_mask.numpy())


@pytest.mark.parametrize("case", CASES)
def test_bfloat16(case: str) -> None:
    game, options = CASES[case]
    env = make(game, 3, observation="bfloat16", **options)
    env.reset(seed=0)
    for _ in range(5):
        state = env.step(env.sample())
    wide = env.to_cpu().current_state().observation
    assert env.to_cpu().config["observation"] == "float32"
    found = state.observation.numpy()
    assert np.array_equal(found.view(np.uint16), cuda.to_bfloat16(wide))
    assert "bfloat16" in repr(state.observation) and "observation=bfloat16" in repr(state)
    assert_equal(env.to_cpu().current_state(), make_float(env).current_state())


def make_float(env: fourfold.CudaEnvironment) -> fourfold.CudaEnvironment:
    """Returns a copy with observations as 32-bit floats."""
    config = env.config
    found = make(config["game"], config["num_envs"], **config["options"])
    found.load(env.save())
    return found


def test_bfloat16_without_ml_dtypes() -> None:
    code = f"""
import sys
sys.modules["ml_dtypes"] = None
import fourfold
state = fourfold.make("chess", device="{DEVICE}", observation="bfloat16").reset(seed=0)
assert state.observation.numpy().dtype == "uint16", state.observation.dtype
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("case", CASES)
def test_what_copies_games_to_the_host(case: str) -> None:
    game, options = CASES[case]
    cpu, gpu = both(game, 4, **options)
    cpu.reset(seed=5)
    gpu.reset(seed=5)
    for _ in range(3):
        cpu.step(cpu.sample())
        gpu.step(gpu.sample())
    actions = cpu.sample(seed=1)
    assert cpu.moves(actions) == gpu.moves(gpu.sample(seed=1))
    assert np.array_equal(gpu.actions(cpu.moves(actions)), cpu.actions(cpu.moves(actions)))
    assert np.array_equal(cpu.absolute(actions), gpu.absolute(actions))
    assert np.array_equal(gpu.relative(gpu.absolute(actions)), actions)
    assert cpu.svg(2, player=1) == gpu.svg(2, player=1)
    assert "cuda-emulated" in gpu._repr_html_()
    assert cpu.arrays == gpu.arrays and all(np.array_equal(cpu.array(name), gpu.array(name)) for name in cpu.arrays)
    assert np.array_equal(cpu.states, gpu.states) and cpu.state_bytes == gpu.state_bytes
    assert (cpu.id, cpu.endings, cpu.channels) == (gpu.id, gpu.endings, gpu.channels)
    assert cpu.rollout(3, seed=2) == gpu.rollout(3, seed=2)
    assert cpu.save() == gpu.save()
    start = cpu.states
    cpu.step(cpu.sample())
    gpu.step(gpu.sample())
    assert_equal(cpu.load_states(start[:2], rows=[3, 1]), gpu.load_states(start[:2], rows=[3, 1]))
    flags = np.array([True, False, False, True])
    assert_equal(cpu.reset(mask=flags), gpu.reset(mask=flags))
    texts = cpu.positions
    assert_equal(cpu.reset(positions=texts[::-1]), gpu.reset(positions=texts[::-1]))
    assert_equal(cpu.gather([2, 0]).current_state(), gpu.gather([2, 0]).current_state())
    assert gpu.gather([2, 0]).num_envs == 2
    expected = cpu.scatter([1, 3], cpu.gather([2, 0]))
    assert_equal(expected, gpu.scatter([1, 3], gpu.gather([2, 0])))
    assert_equal(expected, gpu.scatter([1, 3], cpu.gather([1, 3])))
    assert cpu.save() == gpu.save()


@pytest.mark.parametrize("case", CASES)
def test_logits_draw_the_actions_of_the_cpu(case: str) -> None:
    game, options = CASES[case]
    cpu, gpu = both(game, 5, autoreset="disabled", observation="none", **options)
    cpu.reset(seed=1)
    gpu.reset(seed=1)
    random = np.random.default_rng(1)
    unusual = np.array([np.nan, np.inf, -np.inf, 3e38, -3e38, 0], np.float32)
    for step in range(30):
        actions = cpu.sample()
        assert_equal(cpu.step(actions), gpu.step(gpu.sample()))
        logits = random.normal(scale=5, size=(*actions.shape, cpu.num_actions)).astype(np.float32)
        if step % 3 == 0:
            places = random.random(logits.shape) < 0.2
            logits[places] = random.choice(unusual, places.sum())
        for temperature, seed in ((1.0, None), (0.2, step), (0, None), (1e-38, None), (3e38, None)):
            expected = cpu.sample_logits(logits, temperature=temperature, seed=seed)
            found = gpu.sample_logits(logits, temperature=temperature, seed=seed)
            assert np.array_equal(expected, found.numpy()), (step, temperature)
    assert cpu.save() == gpu.save()


def test_logits_of_every_kind() -> None:
    jax = pytest.importorskip("jax")
    cpu, gpu = both("chess", 3)
    logits = np.random.default_rng(0).normal(size=(3, 4672)).astype(np.float16)
    expected = cpu.sample_logits(logits, seed=1)
    kinds = [
        logits,
        logits.tolist(),
        logits.astype(np.float64),
        jax.numpy.asarray(logits),
        jax.numpy.asarray(logits, "float32"),
        Producer(logits),
        Producer(logits.astype(np.float32)),
    ]
    if has_torch:
        import torch

        wide = torch.tensor(logits.T.copy(), dtype=torch.float64, requires_grad=True).T
        kinds += [torch.tensor(logits), wide]
    for kind in kinds:
        assert np.array_equal(gpu.sample_logits(kind, seed=1).numpy(), expected)
    env = make("kung_fu", 2, observation="none")
    with pytest.raises(ValueError, match="expected logits to have shape"):
        env.sample_logits(env.reset().rewards)
    with pytest.raises(ValueError, match=r"expected logits to have shape \(3, 4672\), got \(3, 4671\)"):
        gpu.sample_logits(logits[:, 1:])
    with pytest.raises(ValueError, match=r"expected logits to have shape \(3, 4672\), got \(2, 4672\)"):
        gpu.sample_logits(Producer(logits[1:]))
    with pytest.raises(TypeError, match="expected logits to be floats, got bool"):
        gpu.sample_logits(logits > 0)
    with pytest.raises(ValueError, match="contiguous"):
        gpu.sample_logits(Producer(np.zeros((3, 9344), np.float32)[:, ::2]))
    with pytest.raises(ValueError, match=r"expected logits on cuda-emulated, got an array on cuda:1"):
        gpu.sample_logits(Producer(logits, (2, 1)))
    with pytest.raises(ValueError, match="temperature"):
        gpu.sample_logits(logits, temperature=-1)
    with pytest.raises(ValueError, match="expected temperature to be finite"):
        gpu.sample_logits(logits, temperature=float("nan"))


def test_dialects() -> None:
    cpu, gpu = both("chess", 2)
    actions = cpu.actions(["e4", "Nf3"])
    ids = cpu.to_dialect("open_spiel", actions)
    assert np.array_equal(gpu.to_dialect("open_spiel", actions), ids)
    assert np.array_equal(gpu.from_dialect("open_spiel", ids), actions)


def test_saved_games_move_between_the_back_ends() -> None:
    cpu, gpu = both("four_player", 3)
    cpu.reset(seed=1)
    gpu.reset(seed=2)
    gpu.step(gpu.sample())
    cpu.load(gpu.save())
    assert_equal(cpu.step(cpu.sample()), gpu.step(gpu.sample()))
    gpu.load(cpu.save())
    for copy in (pickle.loads(pickle.dumps(gpu)), gpu.clone(), gpu.to_cpu()):
        assert copy.save() == cpu.save()
        assert copy.config["game"] == "four_player"
    copy = pickle.loads(pickle.dumps(gpu))
    assert repr(copy) == "<fourfold.CudaEnvironment four_player-v2, 3 games on cuda-emulated>" == repr(gpu)
    assert copy.config == gpu.config and copy.config["device"] == DEVICE


def test_start_positions_and_seeds() -> None:
    start = ["8/P6k/8/8/8/8/6Kp/8 w - - 0 1", "8/P6k/8/8/8/8/6Kp/8 b - - 0 1"]
    cpu, gpu = both("chess", 6, start=start, max_steps=4)
    for options in ({"seed": 3, "first_game": 9}, {"seed": [1, 2, 3, 4, 5, 6]}):
        assert_equal(cpu.reset(**options), gpu.reset(**options))
        for _ in range(10):
            assert_equal(cpu.step(cpu.sample()), gpu.step(gpu.sample()))
    copy = pickle.loads(pickle.dumps(gpu))
    for _ in range(5):
        assert_equal(cpu.step(cpu.sample()), copy.step(copy.sample()))
    with pytest.raises(fourfold.PositionError):
        make(start=["nothing"])
    with pytest.raises(ValueError, match="a seed restarts all games"):
        gpu.reset(1, mask=np.zeros(6, bool))


def test_two_environments_and_many_threads() -> None:
    envs = [make("chess", 2, packed=True), make("blokus_duo", 3, size=6), make("chess", 2, packed=True)]
    expected = []
    for env in envs:
        cpu = env.to_cpu()
        cpu.reset(seed=0)
        for _ in range(40):
            cpu.step(cpu.sample())
        expected.append(cpu.save())
        env.reset(seed=0)

    def play(env: fourfold.CudaEnvironment) -> None:
        for _ in range(40):
            env.step(env.sample())

    workers = [threading.Thread(target=play, args=(env,)) for env in envs]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [env.save() for env in envs] == expected

    shared = make("chess", 4)
    failures: list[Exception] = []

    def share() -> None:
        try:
            for _ in range(20):
                state = shared.current_state()
                assert state.terminated.numpy().shape == (4,)
                with shared._lock:
                    shared.step(shared.sample())
        except Exception as error:
            failures.append(error)

    workers = [threading.Thread(target=share) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures
    shared.synchronize()


def test_options_that_are_refused() -> None:
    with pytest.raises(ValueError, match=r"invalid device 'gpu': expected 'cpu', 'cuda', 'cuda:1' and so on"):
        fourfold.make("chess", device="gpu")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="invalid device 'cuda:x'"):
        fourfold.make("chess", device="cuda:x")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="expected device to be a string, got 1"):
        fourfold.make("chess", device=1)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="num_threads is for device='cpu'"):
        make(num_threads=2)
    with pytest.raises(ValueError, match="invalid observation 'bfloat16': it needs device='cuda'"):
        fourfold.make("chess", observation="bfloat16")
    with pytest.raises(ValueError, match="unknown option"):
        make(nothing=1)
    with pytest.raises(ValueError, match="unknown environment 'checkers'"):
        make("checkers")
    env = make()
    with pytest.raises(IndexError):
        env.observe(2)
    with pytest.raises(ValueError, match="invalid observation"):
        env.observe(format="int8")  # type: ignore[arg-type]
    with pytest.raises(fourfold.SavedStateError):
        env.load(b"nothing")


def test_what_needs_the_cpu_says_so() -> None:
    env: Any = make()
    with pytest.raises(TypeError, match=r"expected an Environment, got CudaEnvironment: to_cpu\(\) makes a copy"):
        fourfold.Search(env)
    with pytest.raises(TypeError, match=r"expected an Environment, got CudaEnvironment: to_cpu\(\) makes a copy"):
        fourfold.Bot("chess", "greedy").act(env)
    with pytest.raises(ValueError, match=re.escape("expected an environment on the CPU, got one on cuda-emulated")):
        fourfold.evaluate("random", "random", 1, env=env)
    with pytest.raises(TypeError, match=r"to_cpu\(\) makes a copy"):
        fourfold.make("chess", 3).scatter([0, 1, 2], env)
    fourfold.Search(env.to_cpu(), 4).run("uniform")


def test_without_a_driver() -> None:
    try:
        fourfold.make("chess", device="cuda")
    except RuntimeError as error:
        if "no CUDA driver" not in str(error):
            raise
        assert 'install the NVIDIA driver, or use device="cpu"' in str(error)
    except ValueError as error:
        assert "no CUDA device 0" in str(error)
    else:
        pytest.skip("there is a GPU")


def test_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert cuda.main(["check", "--device", DEVICE, "--games", "4", "--steps", "2000", "--game", "kung_fu"]) == 0
    printed = capsys.readouterr().out
    assert re.findall(r"^(\w+) +speed=(\w+) +(\w+) +([\d,]+) +(\d+) +[\d.]+ +0$", printed, re.MULTILINE) == [
        ("kung_fu", "standard", "same_step", "2,000", "40"),
        ("kung_fu", "lightning", "next_step", "2,000", "40"),
    ]
    assert printed.endswith("no difference\n")


@pytest.mark.parametrize("autoreset", cuda.AUTORESET)
@pytest.mark.parametrize("formats", [cuda.PACKED, *cuda.OTHER_FORMATS])
def test_the_check_compares_games_that_end(formats: tuple[str, str], autoreset: str) -> None:
    options = {"max_steps": 5, "autoreset": autoreset}
    with cuda.Comparison(2) as comparison:
        pair = cuda.Pair("chess", 3, DEVICE, formats, options, comparison)
        assert not any(pair.step() for _ in range(40)) and not pair.finish(logits=True)


def plant(monkeypatch: pytest.MonkeyPatch, name: str, game: int, when: int, observation: str = "packed") -> None:
    """Changes the last byte of a game's row of an array on the GPU, in each step from the one with this index on."""
    ordinary = fourfold.CudaEnvironment.step

    def step(env: fourfold.CudaEnvironment, actions: Any) -> fourfold.CudaState:
        state = ordinary(env, actions)
        array = getattr(state, name)
        if env.config["observation"] == observation and env._changes > when + 1 and array is not None:
            last = array._offset + (game + 1) * (array.nbytes // len(array)) - 1
            byte = np.empty(1, np.uint8)
            array._buffer.read(last, byte)
            array._buffer.write(last, byte ^ 1)
        return state

    monkeypatch.setattr(fourfold.CudaEnvironment, "step", step)


def test_the_check_finds_a_difference(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "terminated", game=2, when=1)
    assert cuda.main(["check", "--device", DEVICE, "--games", "4", "--steps", "40", "--game", "blokus_duo"]) == 1
    printed = capsys.readouterr().out
    place = "packed/packed, autoreset=same_step, first at step 1, game 2: terminated (1 bytes)"
    assert place in printed and printed.endswith("2 of 2 rows differ; each stopped there\n")


@pytest.mark.parametrize("observation", ["packed", "float32", "uint8", "float16", "bfloat16"])
def test_the_check_finds_a_difference_in_every_format(observation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # So that the arrays are compared in several chunks.
    monkeypatch.setattr(cuda, "_CHUNK", 1000)
    plant(monkeypatch, "observation", game=3, when=2, observation=observation)
    (row,) = [row for row in cuda.rows_of(4, 40, "chess") if row.options["preset"] == "fide"]
    with cuda.Comparison(2) as comparison:
        *others, (_, failure) = row.check(DEVICE, comparison)
    assert all(other is None for _, other in others) and failure is not None
    assert failure.formats[1] == observation and failure.step == 2
    assert failure.differences == [cuda.Difference("observation", 1, 3)]


def test_the_check_finds_a_difference_in_final_observations(monkeypatch: pytest.MonkeyPatch) -> None:
    with cuda.Comparison(1) as comparison:
        options = {"max_steps": 2, "autoreset": "same_step"}
        pair = cuda.Pair("chess", 3, DEVICE, cuda.PACKED, options, comparison)
        assert not pair.step()
        plant(monkeypatch, "final_observation", game=1, when=0)
        assert pair.step() == [cuda.Difference("final_observation", 1, 1)]


def test_the_check_finds_saved_games_that_differ() -> None:
    with cuda.Comparison(1) as comparison:
        pair = cuda.Pair("chess", 3, DEVICE, cuda.PACKED, {"autoreset": "same_step"}, comparison)
        pair._gpu.reseed(1)
        (found,) = pair.finish()
        assert (found.array, found.game) == ("save", None)
        assert "sample" in [difference.array for difference in pair.step()]


def test_the_check_without_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    assert cuda.main(["check", "--device", "cuda:999", "--steps", "8"]) == 2
    assert "no CUDA" in capsys.readouterr().err


def test_the_benchmark(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourfold._bench_cuda._SECONDS", 0.001)
    assert bench.main(["--device", DEVICE, "--game", "chess", "--games", "2", "--games", "3", "--rounds", "2"]) == 0
    printed = capsys.readouterr().out
    # JAX has no GPU, or is not installed.
    assert "skipped: Pgx" in printed
    assert len(re.findall(r"^chess +[23]   (?:bool|packed)/\w+ +[\d,]+$", printed, re.MULTILINE)) == 8
    assert bench.main(["--device", "cuda:999"]) == 2
    with pytest.raises(SystemExit):
        bench.read(["--games", "3"])
