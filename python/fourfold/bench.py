"""Compares the speed of Fourfold with that of other installed packages: `python -m fourfold.bench`.

All contestants play random legal moves, or analyze positions of random games, given as boards, FENs or games in PGN.
Searches count simulations, from positions of random games. Contestants take turns, and the result is the median of the
ratios of all rounds, because the machine may be busy.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

import fourfold

Run = Callable[[], int]
"""Runs for a while and returns the number of steps."""


def ours(num_envs: int, num_threads: int, steps: int, game: str = "chess", **options: Any) -> Run:
    env = fourfold.make(game, num_envs, num_threads=num_threads, **options)
    env.reset(seed=0)

    def run() -> int:
        for _ in range(steps):
            env.step(env.sample())
        return steps * num_envs

    return run


SEARCHED = ("chess", "four_player", "blokus_duo", "blokus", "kung_fu", "kung_fu_4p")


def searched(game: str, games: int = 16, simulations: int = 200) -> fourfold.Search:
    """Returns a finished search of games after 16 random steps, with the uniform evaluator."""
    env = fourfold.make(game, games, num_threads=1, observation="none", mask="sparse")
    env.reset(seed=0)
    for _ in range(16):
        env.step(env.sample())
    search = fourfold.Search(env, simulations)
    search.run("uniform")
    return search


def simulations(game: str) -> Run:
    search = searched(game)

    def run() -> int:
        search.forget()
        search.run("uniform")
        return int(search.visits().sum())

    return run


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


PEER_FACTS = "pieces,attacked,hanging,pinned,pinned_pawns,skewered,developed,pawns"
"""The facts that the analysis with python-chess finds, besides the attack map."""


def positions(count: int) -> list[str]:
    """Returns FENs from all stages of games with random legal moves."""
    env = fourfold.make("chess", 64, packed=True, observation="none")
    env.reset(seed=0)
    fens: list[str] = []
    while len(fens) < count:
        env.step(env.sample())
        fens += env.positions
    return fens[:count]


def analysis_of_boards(facts: str, count: int = 2_000) -> Run:
    from fourfold.chess import Board, analyse

    boards = [Board(fen) for fen in positions(50_000)[:: 50_000 // count]]

    def run() -> int:
        return sum(len(analyse(boards, facts, threads=1)) for _ in range(20))

    return run


def analysis_of_boards_with_python_chess(count: int = 500) -> Run:
    import chess

    from fourfold._analysis_peer import analyse

    boards = [chess.Board(fen) for fen in positions(50_000)[:: 50_000 // count]]

    def run() -> int:
        for board in boards:
            analyse(board)
        return len(boards)

    return run


def analysis(facts: str, count: int = 2_000) -> Run:
    from fourfold.chess import analyse

    fens = positions(50_000)[:: 50_000 // count]

    def run() -> int:
        return sum(len(analyse(fens, facts, threads=1)) for _ in range(20))

    return run


def analysis_with_python_chess(count: int = 500) -> Run:
    import chess

    from fourfold._analysis_peer import analyse

    fens = positions(50_000)[:: 50_000 // count]

    def run() -> int:
        for fen in fens:
            analyse(chess.Board(fen))
        return len(fens)

    return run


def games(count: int) -> str:
    """Returns a PGN of games with random legal moves, of at most 80 plies."""
    import random

    import chess
    import chess.pgn

    chance = random.Random(0)
    texts = []
    for _ in range(count):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 80:
            board.push(chance.choice(list(board.legal_moves)))
        texts.append(str(chess.pgn.Game.from_board(board)))
    return "\n\n".join(texts) + "\n"


def analysis_of_games(facts: str, times: int = 50) -> Run:
    import tempfile
    from pathlib import Path

    from fourfold.chess import analyse

    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "games.pgn"
    path.write_text(games(8) * times)

    def run() -> int:
        assert folder
        return len(analyse(path, facts, threads=1))

    return run


def analysis_of_games_with_python_chess() -> Run:
    import io

    import chess.pgn

    from fourfold._analysis_peer import analyse

    text = games(8)

    def run() -> int:
        source, count = io.StringIO(text), 0
        while (game := chess.pgn.read_game(source)) is not None:
            board = game.board()
            analyse(board)
            count += 1
            for move in game.mainline_moves():
                board.push(move)
                analyse(board)
                count += 1
        return count

    return run


def contestants(num_envs: int, threads: int) -> Iterator[tuple[str, Callable[[], Run]]]:
    steps = max(1, 40_000 // num_envs)
    yield "packed mask", lambda: ours(num_envs, 1, steps, packed=True, observation="none")
    yield "packed mask and planes", lambda: ours(num_envs, 1, steps, packed=True)
    yield "bool mask, float32 planes", lambda: ours(num_envs, 1, steps)
    if threads > 1:
        yield f"packed, {threads} threads", lambda: ours(num_envs, threads, steps, packed=True)
    four = {"game": "four_player", "mask": "packed"}
    yield "four-player, packed mask", lambda: ours(num_envs, 1, 10, **four, observation="none")
    yield "four-player, packed/packed", lambda: ours(num_envs, 1, 10, **four, observation="packed")
    for game in ("blokus", "blokus_duo"):
        name = game.replace("_", " ")
        blokus = {"game": game, "mask": "packed"}
        yield f"{name}, packed mask", partial(ours, num_envs, 1, 10, **blokus, observation="none")
        yield f"{name}, packed/packed", partial(ours, num_envs, 1, 10, **blokus, observation="packed")
    for form in ("packed", "bool"):
        kung_fu: dict[str, Any] = {"game": "kung_fu", "mask": form, "observation": "none"}
        yield f"kung fu, both {form} masks", partial(ours, num_envs, 1, 20, **kung_fu)
    for game in SEARCHED:
        yield f"search, {game.replace('_', ' ')}", partial(simulations, game)
    more = f"{PEER_FACTS},outposts,en_prise,forks,see"
    yield "analysis of boards", lambda: analysis_of_boards(PEER_FACTS)
    yield "analysis of boards, everything", lambda: analysis_of_boards(f"{more},attack_map")
    yield "analysis of FENs", lambda: analysis(PEER_FACTS)
    yield "analysis of FENs, everything", lambda: analysis(f"{more},attack_map")
    yield "analysis of PGN", lambda: analysis_of_games(PEER_FACTS)
    yield "analysis of PGN, everything", lambda: analysis_of_games(f"{more},attack_map")
    yield "Blokus-rl, mask and planes", blokus_rl
    yield "Pgx on CPU, 64 games", lambda: pgx_on_cpu(64)
    yield "OpenSpiel, mask and planes", open_spiel
    yield "EnvPool, 64 games, 1 thread", lambda: envpool(64)
    yield "PettingZoo", pettingzoo
    yield "python-chess, list and push", python_chess
    yield "python-chess, analysis of boards", analysis_of_boards_with_python_chess
    yield "python-chess, analysis of FENs", analysis_with_python_chess
    yield "python-chess, analysis of PGN", analysis_of_games_with_python_chess


def rivals(name: str, mine: list[str]) -> list[str]:
    """Returns our contestants that another one is compared with: those for chess, unless it is for something else."""
    if "analysis" in name:
        return [own for own in mine if own.startswith(name.removeprefix("python-chess, "))]
    if name.lower().startswith("blokus"):
        return [own for own in mine if own.startswith("blokus, ")]
    return mine[:3]


def read(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parses the given arguments, or those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m fourfold.bench", description=__doc__)
    parser.add_argument("--num-envs", type=int, default=4096, help="games per batch of Fourfold")
    parser.add_argument("--threads", type=int, default=2, help="threads of the multithreaded run of Fourfold")
    parser.add_argument("--rounds", type=int, default=7, help="times that each contestant runs")
    parser.add_argument("--only", default="", help="run only Fourfold and the packages whose name contains this text")
    return parser.parse_args(arguments)


def main() -> None:
    arguments = read()
    runs: dict[str, Run] = {}
    for name, build in contestants(arguments.num_envs, arguments.threads):
        peer = name[0].isupper() or name.startswith("python")
        if peer and arguments.only not in name:
            continue
        try:
            runs[name] = build()
        except ImportError as error:
            print(f"skipped: {name} ({error})")
        except Exception as error:  # keep going if another package is installed but fails to start
            print(f"skipped: {name} ({type(error).__name__}: {error})")

    speeds: dict[str, list[float]] = {name: [] for name in runs}
    total = arguments.rounds * len(runs)
    for index in range(total):
        name = list(runs)[index % len(runs)]
        started = time.perf_counter()
        speeds[name].append(runs[name]() / (time.perf_counter() - started))
        if sys.stderr.isatty():
            done = (index + 1) * 30 // total
            print(f"\r{'━' * done}{'─' * (30 - done)} {name:<30}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)

    mine = [name for name in runs if not (name[0].isupper() or name.startswith("python"))]
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
    for game in SEARCHED:
        memory = searched(game).memory
        print(f"search, {game.replace('_', ' ')}: {memory.used / memory.nodes:.0f} bytes per node")


if __name__ == "__main__":
    main()
