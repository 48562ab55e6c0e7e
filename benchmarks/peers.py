"""Compares the speed of Fourfold with that of other installed packages: `python benchmarks/peers.py`.

All contestants play random legal moves, or analyze positions of random games, given as boards, FENs or games in PGN.
Contestants take turns, and the result is the median of the ratios of all rounds, because the machine may be busy. The
benchmarks of Fourfold itself are those of `python -m fourfold.bench`.
"""

from __future__ import annotations

import argparse
import io
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from fourfold import bench
from fourfold.bench import Run


def pgx_on_cpu(num_envs: int) -> Run:
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("chess")
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    choose = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.where(mask, 0.0, -jax.numpy.inf)))
    keys = jax.random.split(jax.random.PRNGKey(0), num_envs)
    state = jax.jit(jax.vmap(env.init))(keys)

    def run(count: int = 4) -> int:
        nonlocal state, keys
        for _ in range(count):
            keys = jax.vmap(jax.random.fold_in, (0, None))(keys, 1)
            state = step(state, choose(keys[0], state.legal_action_mask), keys)
        jax.block_until_ready(state.observation)
        return count * num_envs

    run(1)
    return run


def open_spiel() -> Run:
    import pyspiel

    game = pyspiel.load_game("chess")
    rng = np.random.default_rng(0)

    def run() -> int:
        steps = 0
        state = game.new_initial_state()
        while steps < 2000:
            if state.is_terminal():
                state = game.new_initial_state()
            player = state.current_player()
            np.asarray(state.observation_tensor(player), dtype=np.float32)
            state.legal_actions_mask()
            actions = state.legal_actions()
            state.apply_action(actions[rng.integers(len(actions))])
            steps += 1
        return steps

    return run


def envpool(num_envs: int) -> Run:
    import envpool as package

    env = package.make("Chess-v1", env_type="gymnasium", num_envs=num_envs, num_threads=1)
    rng = np.random.default_rng(0)
    observation, info = env.reset()

    def mask_of(observation: Any, info: Any) -> Any:
        return info["legal_action_mask"] if "legal_action_mask" in info else observation["mask"]

    def run(count: int = 20) -> int:
        nonlocal observation, info
        for _ in range(count):
            mask = np.asarray(mask_of(observation, info)).reshape(num_envs, -1)
            actions = np.where(mask, rng.random(mask.shape), -1).argmax(axis=1).astype(np.int32)
            observation, _, _, _, info = env.step(actions)
        return count * num_envs

    run(1)
    return run


def pettingzoo() -> Run:
    from pettingzoo.classic import chess_v6

    env = chess_v6.env()
    rng = np.random.default_rng(0)
    env.reset(seed=0)

    def run() -> int:
        for _ in range(200):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        return 200

    return run


def python_chess() -> Run:
    import chess

    rng = np.random.default_rng(0)

    def run() -> int:
        board = chess.Board()
        for _ in range(2000):
            moves = list(board.legal_moves)
            if not moves or board.ply() > 200:
                board = chess.Board()
                continue
            board.push(moves[rng.integers(len(moves))])
        return 2000

    return run


def blokus_rl() -> Run:
    from blokus_rl import BlokusEnv

    env = BlokusEnv()
    rng = np.random.default_rng(0)
    env.reset()

    def run() -> int:
        steps = 0
        while steps < 500:
            if not env.agents:
                env.reset()
            agent = env.agent_selection
            if env.terminations[agent]:
                env.step(None)
                continue
            legal = np.flatnonzero(env.observe(agent)["action_mask"])
            env.step(int(legal[rng.integers(len(legal))]))
            steps += 1
        return steps

    return run


def python_chess_analysis(source: str) -> Run:
    import chess
    import chess.pgn
    from python_chess_analysis import analyze

    fens = bench.positions(500)
    boards = [chess.Board(fen) for fen in fens]
    text = bench.games(8)

    def of_boards() -> int:
        for board in boards:
            analyze(board)
        return len(boards)

    def of_fens() -> int:
        for fen in fens:
            analyze(chess.Board(fen))
        return len(fens)

    def of_games() -> int:
        games, count = io.StringIO(text), 0
        while (game := chess.pgn.read_game(games)) is not None:
            board = game.board()
            analyze(board)
            count += 1
            for move in game.mainline_moves():
                board.push(move)
                analyze(board)
                count += 1
        return count

    return {"boards": of_boards, "FENs": of_fens, "PGN": of_games}[source]


PEERS: dict[str, Callable[[], Run]] = {
    "Blokus-rl, mask and planes": blokus_rl,
    "Pgx on CPU, 64 games": partial(pgx_on_cpu, 64),
    "OpenSpiel, mask and planes": open_spiel,
    "EnvPool, 64 games, 1 thread": partial(envpool, 64),
    "PettingZoo": pettingzoo,
    "python-chess, list and push": python_chess,
    **{
        f"python-chess, analysis of {source}": partial(python_chess_analysis, source)
        for source in ("boards", "FENs", "PGN")
    },
}


def rivals(name: str, mine: list[str]) -> list[str]:
    """Returns our contestants that another one is compared with: those for chess, unless it is for something else."""
    if "analysis" in name:
        return [own for own in mine if own.startswith(name.removeprefix("python-chess, "))]
    if name.lower().startswith("blokus"):
        return [own for own in mine if own.startswith("blokus, ")]
    return mine[:3]


def read(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parses the given arguments, or those of the command line."""
    only = "run only Fourfold and the packages whose name contains this text"
    return bench.parser("python benchmarks/peers.py", __doc__, only).parse_args(arguments)


def main() -> None:
    arguments = read()
    ours = bench.benchmarks(arguments.num_envs, arguments.threads)
    runs: dict[str, Run] = {}
    for name, build in {**ours, **PEERS}.items():
        if name in PEERS and arguments.only not in name:
            continue
        try:
            runs[name] = build()
        except ImportError as error:
            print(f"skipped: {name} ({error})")
        except Exception as error:  # keep going if another package is installed but fails to start
            print(f"skipped: {name} ({type(error).__name__}: {error})")

    speeds = bench.measure(runs, arguments.rounds)
    mine = [name for name in runs if name not in PEERS]
    print(f"{'':<34}{'per second':>12}   Fourfold is faster by")
    for name, values in speeds.items():
        ratios = [
            f"{statistics.median(a / b for a, b in zip(speeds[own], values, strict=True)):8.1f} ×"
            for own in rivals(name, mine)
        ]
        print(f"{name:<34}{statistics.median(values):12,.0f}   {' '.join(ratios)}")
    print(f"columns: {', '.join(rivals('', mine))}")
    for kind in ("Blokus", "analysis"):
        print(f"for {kind}: {', '.join(rivals(kind, mine))}")
    bench.print_memory(runs)


if __name__ == "__main__":
    main()
