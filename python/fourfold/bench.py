"""Measures the speed of Fourfold on this machine: `python -m fourfold.bench`.

Environments play random legal moves, searches count simulations from positions of random games, and the analysis reads
positions of random games as boards, FENs and PGN. All benchmarks take turns, and the result is the median of all
rounds, because the machine may be busy. `benchmarks/peers.py` in the repository compares Fourfold with other packages.
`--device cuda` measures steps on a GPU instead, next to Pgx if it is installed. `--only jax` measures chess inside
functions that JAX compiles, next to Pgx: on one core and next to NumPy, or with `--device cuda` on a GPU and next to
the environments there.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import fourfold
from fourfold import _bench_cuda, _bench_jax, _device, _progress
from fourfold.chess import Board, analyze

Run = Callable[[], int]
"""Runs for a while and returns the number of steps."""

FACTS = "pieces,attacked,hanging,pinned,pinned_pawns,skewered,developed,pawns"
ALL_FACTS = f"{FACTS},outposts,en_prise,forks,see,attack_map"


def stepping(num_envs: int, num_threads: int, steps: int, game: fourfold.GameName = "chess", **options: Any) -> Run:
    """Steps an environment with random legal actions."""
    env = fourfold.make(game, num_envs, num_threads=num_threads, **options)
    env.reset(seed=0)

    def run() -> int:
        for _ in range(steps):
            env.step(env.sample())
        return steps * num_envs

    return run


def searched(game: fourfold.GameName, games: int = 16, simulations: int = 200) -> fourfold.Search:
    """Returns a finished search of games after 16 random steps, with the uniform evaluator."""
    env = fourfold.make(game, games, num_threads=1, observation="none", mask="sparse")
    env.reset(seed=0)
    for _ in range(16):
        env.step(env.sample())
    search = fourfold.Search(env, simulations)
    search.run("uniform")
    return search


def searching(game: fourfold.GameName) -> Run:
    """Searches from positions of random games."""
    search = searched(game)

    def run() -> int:
        search.clear()
        search.run("uniform")
        return int(search.visits().sum())

    return run


def positions(count: int) -> list[str]:
    """Returns FENs from all stages of games with random legal moves."""
    env = fourfold.make("chess", 64, packed=True, observation="none")
    env.reset(seed=0)
    fens: list[str] = []
    while len(fens) < 50_000:
        env.step(env.sample())
        fens += env.positions
    return fens[: 50_000 : 50_000 // count]


def games(count: int) -> str:
    """Returns a PGN of games with random legal moves, of at most 80 plies."""
    rng = random.Random(0)
    texts = []
    for _ in range(count):
        board = Board()
        while board.outcome is None and board.ply < 80:
            board.push(rng.choice(board.legal_moves))
        texts.append(board.pgn)
    return "\n\n".join(texts) + "\n"


def analyzing(source: str, facts: str) -> Run:
    """Analyzes positions given as "boards", "FENs" or "PGN"."""
    if source == "PGN":
        folder = tempfile.TemporaryDirectory()
        path = Path(folder.name) / "games.pgn"
        path.write_text(games(8) * 50)

        def run() -> int:
            assert folder  # Keeps the file.
            return len(analyze(path, facts, threads=1))

        return run
    fens = positions(2_000)
    given: Any = [Board(fen) for fen in fens] if source == "boards" else fens
    return lambda: sum(len(analyze(given, facts, threads=1)) for _ in range(20))


def benchmarks(num_envs: int, threads: int) -> dict[str, Callable[[], Run]]:
    """Returns a function that prepares each benchmark, by its name."""
    step = partial(stepping, num_envs, 1)
    steps = max(1, 40_000 // num_envs)
    found: dict[str, Callable[[], Run]] = {
        "packed mask": partial(step, steps, packed=True, observation="none"),
        "packed mask and planes": partial(step, steps, packed=True),
        "bool mask, float32 planes": partial(step, steps),
    }
    if threads > 1:
        found[f"packed, {threads} threads"] = partial(stepping, num_envs, threads, steps, packed=True)
    for game in ("four_player", "blokus", "blokus_duo"):
        name = game.replace("_", "-" if game == "four_player" else " ")
        found[f"{name}, packed mask"] = partial(step, 10, game, mask="packed", observation="none")
        found[f"{name}, packed/packed"] = partial(step, 10, game, mask="packed", observation="packed")
    for mask in ("packed", "bool"):
        found[f"kung fu, both {mask} masks"] = partial(step, 20, "kung_fu", mask=mask, observation="none")
    for game in fourfold.GAMES:
        found[f"search, {game.replace('_', ' ')}"] = partial(searching, game)
    for source in ("boards", "FENs", "PGN"):
        found[f"analysis of {source}"] = partial(analyzing, source, FACTS)
        found[f"analysis of {source}, everything"] = partial(analyzing, source, ALL_FACTS)
    return found


def measure(runs: Mapping[str, Run], rounds: int) -> dict[str, list[float]]:
    """Returns the steps per second of each run in each round."""
    speeds: dict[str, list[float]] = {name: [] for name in runs}
    total = rounds * len(runs)
    report = _progress.callback(sys.stderr.isatty(), total, "runs")
    for index, (name, run) in enumerate(list(runs.items()) * rounds):
        started = time.perf_counter()
        speeds[name].append(run() / (time.perf_counter() - started))
        report(index + 1, total)
    return speeds


def print_memory(names: Iterable[str]) -> None:
    """Prints the memory per node of the searches among the names of benchmarks."""
    for game in fourfold.GAMES:
        name = f"search, {game.replace('_', ' ')}"
        if name in names:
            memory = searched(game).memory
            print(f"{name}: {memory.used / memory.nodes:.0f} bytes per node")


def parser(program: str, about: str | None, only: str) -> argparse.ArgumentParser:
    """Returns a parser of the options of all benchmarks."""
    made = argparse.ArgumentParser(prog=program, description=about)
    made.add_argument("--num-envs", type=int, default=4096, help="games per batch of Fourfold")
    made.add_argument("--threads", type=int, default=2, help="threads of the multithreaded run of Fourfold")
    made.add_argument("--rounds", type=int, default=7, help="times that each benchmark runs")
    made.add_argument("--only", default="", help=only)
    return made


def read(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parses the given arguments, or those of the command line."""
    only = "run only the benchmarks whose name contains this text; jax: those in compiled functions"
    made = parser("python -m fourfold.bench", __doc__, only)
    made.add_argument("--device", default="cpu", help="cuda, cuda:1 and so on: measure steps on a GPU instead")
    made.add_argument("--game", choices=fourfold.GAMES, action="append", help="on a GPU: only this game; repeatable")
    made.add_argument("--games", type=int, action="append", help="on a GPU: games per batch; repeatable")
    given = made.parse_args(arguments)
    if given.device == "cpu" and (given.game or given.games):
        made.error("--game and --games need --device cuda")
    if given.device != "cpu" and given.only not in ("", "jax"):
        made.error(f"expected --only jax or no --only with --device {given.device}, got --only {given.only}")
    if given.only == "jax" and given.game not in (None, ["chess"]):
        made.error(f"--only jax measures only chess, got --game {' --game '.join(given.game)}")
    return given


def main(given: Sequence[str] | None = None) -> int:
    arguments = read(given)
    in_jax = arguments.only == "jax"
    if in_jax and importlib.util.find_spec("jax") is None:
        print("JAX is not installed: run pip install 'fourfold[jax]'", file=sys.stderr)
        return 2
    if arguments.device != "cpu":
        try:
            device = _device.open_device(arguments.device)
            place = _bench_jax.find_device(device) if in_jax else None
        except (RuntimeError, ValueError) as error:
            print(error, file=sys.stderr)
            return 2
        if in_jax:
            _bench_cuda.measure_jax(arguments.device, place, arguments.games or _bench_cuda.JAX_GAMES, arguments.rounds)
            return 0
        sizes = arguments.games or _bench_cuda.GAMES
        _bench_cuda.measure(arguments.device, arguments.game or fourfold.GAMES, sizes, arguments.rounds)
        return 0
    if in_jax:
        _bench_jax.measure(arguments.num_envs, arguments.rounds)
        return 0
    chosen = benchmarks(arguments.num_envs, arguments.threads)
    runs = {name: build() for name, build in chosen.items() if arguments.only in name}
    for name, values in measure(runs, arguments.rounds).items():
        print(f"{name:<34}{statistics.median(values):12,.0f} per second")
    print_memory(runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
