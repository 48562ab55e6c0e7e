"""Ctrl-C during long native calls: KeyboardInterrupt is raised soon, and everything remains usable."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import fourfold

LIMIT = 2.0
"""Seconds from the signal to the exception. It usually takes a few hundredths; this is for busy machines."""

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MATE = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"

# Each has a setup, a call that takes minutes or more, and a check afterwards.
CALLS = {
    "random games": (
        "env = fourfold.make('chess', 2); env.reset(seed=1); before = env.states.copy()",
        "env.rollout(10**9, seed=0)",
        "assert (env.states == before).all(); assert env.rollout(3, seed=0) == fourfold.rollout('chess', 3, seed=0)",
    ),
    "random games with progress": (
        "env = fourfold.make('four_player'); done = []",
        "env.rollout(10**9, seed=0, progress=lambda *args: done.append(args))",
        "assert not done; assert env.rollout(3, seed=0).games == 3",
    ),
    "games of a bot in one long move": (
        "env = fourfold.make('chess')",
        "env.rollout(2, players=[fourfold.Bot('chess', 'master', nodes=10**12), 'random'])",
        "assert env.rollout(2, players=['greedy', 'random']).games == 2",
    ),
    "many games of quick bots": (
        "env = fourfold.make('blokus_duo')",
        "env.rollout(10**7, players=['greedy', 'random'])",
        "assert env.rollout(1, players=['greedy', 'random']).games == 1",
    ),
    "games in real time": (
        "env = fourfold.make('kung_fu')",
        "env.rollout(10**7, players=['master', 'master'])",
        "assert env.rollout(1).games == 1",
    ),
    **{
        f"a move in {game}": (
            f"env = fourfold.make('{game}', 3); bot = fourfold.Bot('{game}', 'master', nodes=10**12)",
            "bot.act(env)",
            f"assert env.step(fourfold.Bot('{game}', 'greedy').act(env)).move_valid.all()",
        )
        for game in ("chess", "four_player", "blokus", "blokus_duo")
    },
    "quick moves in many games": (
        """
def make(games):
    return fourfold.make('blokus_duo', games, observation='none', mask='none', autoreset='disabled')
env, bot, other = make(10_000), *(fourfold.Bot('blokus_duo', 'greedy', seed=7) for _ in range(2))
""",
        "bot.act(env)",
        # The call that was interrupted does not count.
        "assert (bot.act(make(3)) == other.act(make(3))).all()",
    ),
    "a search without Python": (
        "env = fourfold.make('chess', 2); search = fourfold.Search(env, 2**22, max_nodes=2**23, seed=1)",
        "search.run()",
        """
try:
    search.policy()
except RuntimeError:
    pass
else:
    raise AssertionError('the trees are gone')
assert search.memory.nodes == 0
small = fourfold.Search(env, 50)
small.run()
assert env.step(small.actions()).move_valid.all()
""",
    ),
    "playouts": (
        "env = fourfold.make('chess', 2); search = fourfold.Search(env, 4)",
        "search.run('rollout', playouts=2**20)",
        "search.run('rollout', playouts=1); assert (search.visits() == 5).all()",
    ),
    "simulations that end at once": (
        # All simulations end in a mate that is known, so no leaves are found.
        f"""
env = fourfold.make('chess', 2, autoreset='disabled')
env.reset(positions=['{MATE}'] * 2)
search = fourfold.Search(env, 2**23, max_nodes=2**23 + 2, fpu=-1.0)
def evaluate(leaves):
    logits = numpy.full((len(leaves), env.num_actions), -1e9)
    logits[:, env.actions(['g6g7'] * 2)[0]] = 0
    search.backup(logits, numpy.zeros((len(leaves), 2)))
evaluate(search.leaves())
""",
        "search.leaves()",
        "leaves = search.leaves(); assert leaves.game.tolist() == [0, 1]; evaluate(leaves)",
    ),
    **{
        f"perft in {module}": (
            f"from fourfold import {module}; board = {module}.Board()",
            "board.perft(30)",
            f"assert board.perft(2) == {count}; assert board.ply == 0",
        )
        for module, count in (("chess", 400), ("four_player", 395), ("blokus", 3364))
    },
    "animation of a board": (
        """
board = fourfold.chess.Board.from_pgn('Nf3 Nf6 Ng1 Ng8 ' * 5000 + '*')
""",
        "board.animation()",
        "board.undo(); assert board.ply == 19_999",
    ),
    "animation in real time": (
        "from fourfold import kung_fu; game = kung_fu.Game(); game.advance_to(10**6); end = game.now",
        "game.animation(ticks=1)",
        "assert game.now == end",
    ),
    "analysis of FENs": (
        "fens = [fen] * 1_000_000",
        "fourfold.chess.analyze(fens, facts=fourfold.chess.FACTS)",
        "assert len(fourfold.chess.analyze(fens[:10])) == 10",
    ),
    "analysis of one large batch": (
        """
fens, facts = [fen] * 2**19, fourfold.chess.FACTS
reader = fourfold.chess.analyze_batches(fens, facts=facts, batch_size=2**20, threads=1)
""",
        "next(reader)",
        "assert len(next(reader)) == 2**19; assert next(reader, None) is None",
    ),
    "analysis of a file": (
        """
path, total, seen = 'fens.txt', 600_000, []
with open(path, 'w') as file:
    file.write((fen + chr(10)) * total)
reader = fourfold.chess.analyze_batches(path, facts=fourfold.chess.FACTS, batch_size=2**17, threads=1)
""",
        "seen.extend(map(len, reader))",
        # Nothing is lost: the batch that was interrupted comes next.
        "seen.extend(map(len, reader)); assert sum(seen) == total",
    ),
}

PROGRAM = """
import numpy, os, signal, sys, threading, time
import fourfold
fen = {fen!r}
{setup}
sent = []
def send():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.3, send).start()
try:
    {call}
except KeyboardInterrupt:
    late = time.monotonic() - sent[0]
else:
    raise SystemExit("the call was not interrupted" if sent else "the call was too short")
{check}
print(late)
"""


def interrupted(setup: str, call: str, check: str, folder: Path) -> float:
    """Returns the seconds from the signal to the exception."""
    program = PROGRAM.format(setup=setup, call=call, check=check, fen=FEN)
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, cwd=folder)
    assert found.returncode == 0, found.stderr
    return float(found.stdout)


@pytest.mark.parametrize("name", CALLS)
def test_long_calls_are_interrupted(name: str, tmp_path: Path) -> None:
    late = interrupted(*CALLS[name], tmp_path)
    print(f"{name}: {1000 * late:.0f} ms")
    assert late < LIMIT


def test_a_handler_that_does_not_raise_interrupts_nothing(tmp_path: Path) -> None:
    setup = """
calls = []
def handle(number, frame):
    calls.append(number)
    if len(calls) == 2:
        raise KeyboardInterrupt
signal.signal(signal.SIGINT, handle)
threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
"""
    assert interrupted(setup, "fourfold.rollout('chess', 10**9)", "assert len(calls) == 2", tmp_path) < LIMIT


def test_calls_of_other_threads_run_to_the_end() -> None:
    found: list[fourfold.Rollout] = []
    thread = threading.Thread(target=lambda: found.append(fourfold.rollout("chess", 20, seed=3)))
    thread.start()
    thread.join()
    assert found == [fourfold.rollout("chess", 20, seed=3)]
