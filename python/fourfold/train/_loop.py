"""Runs from start to end: iterations, evaluations in the background, progress and files."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import jax

from fourfold import _progress
from fourfold.train import _match, _report
from fourfold.train._games import Rules
from fourfold.train._run import Run


@dataclasses.dataclass(frozen=True)
class Plan:
    """How long a run lasts, and what happens on the way."""

    out: Path
    minutes: float
    """Minutes of self-play and learning in total, without compilation."""
    iterations: int | None = None
    """If given, the number of iterations in total; the minutes then do not matter."""
    evaluate_every: float = 3.0
    """Minutes between evaluations; 0 for only one at the end."""
    evaluation_games: int = 40
    evaluation_simulations: int = 32
    opponents: tuple[str, ...] = ()
    save_every: float = 5.0
    """Minutes between checkpoints."""
    command: str = ""
    """The command that made or resumed the run, which the model mentions."""

    def fraction(self, run: Run) -> float:
        """Returns the part of a run that is done."""
        if self.iterations is not None:
            return run.progress.iterations / max(self.iterations, 1)
        return run.progress.seconds / 60 / self.minutes if self.minutes > 0 else 1.0


class Evaluator:
    """Plays matches in a thread, so that training goes on."""

    def __init__(self, run: Run, plan: Plan) -> None:
        self._plan = plan
        game = run.rules.game
        # Self-play has a limit of its own.
        self._rules = Rules(game, game.environment())
        options = run.settings.search(plan.evaluation_simulations)
        self._act = _match.Player(self._rules, options).compile()
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()
        self.found: list[dict[str, Any]] = []
        self.cut_off: int | None = None
        """The iteration of an evaluation that was stopped before its end."""
        self.failure: BaseException | None = None

    @property
    def is_busy(self) -> bool:
        """Whether matches are being played."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, run: Run, seed: int) -> None:
        """Starts matches of the newest network."""
        tensors = jax.tree.map(jax.numpy.copy, run.tensors())
        when = (run.progress.seconds / 60, run.progress.iterations)
        self._thread = threading.Thread(target=self._work, args=(tensors, *when, seed), daemon=True)
        self._thread.start()

    def _work(self, tensors: Any, minutes: float, iteration: int, seed: int) -> None:
        try:
            for level in self._plan.opponents:
                games = self._plan.evaluation_games
                match = _match.play(self._rules, self._act, tensors, level, games, seed, self._stopped.is_set)
                if match is None:
                    self.cut_off = iteration
                    return
                low, high = match.score_interval
                row = {"minutes": minutes, "iteration": iteration, "opponent": level, "games": match.games}
                counts = {"wins": match.wins, "draws": match.draws, "losses": match.losses}
                self.found.append({**row, "score": match.score, **counts, "low": low, "high": high, "elo": match.elo})
        except BaseException as error:
            self.failure = error

    def wait(self, is_interrupted: Callable[[], bool] = lambda: False) -> None:
        """Waits until all matches have been played. Ends them early after an interruption."""
        while self.is_busy:
            if is_interrupted():
                self._stopped.set()
            assert self._thread is not None
            self._thread.join(0.1)

    def collect(self, run: Run) -> list[dict[str, Any]]:
        """Adds results to a run, and returns them. Raises the error of the thread, if any."""
        if self.failure is not None:
            raise self.failure
        new, self.found = self.found, []
        # A rating from the first, weakest opponents alone would say little.
        run.progress.matches = [one for one in run.progress.matches + new if one["iteration"] != self.cut_off]
        return new


Say = Callable[[str, float | None], None]
"""Shows a text: progress if the part of the run that is done comes with it, and otherwise a line that stays."""


def train(run: Run, plan: Plan, say: Say) -> bool:
    """Trains until the plan is done or Ctrl-C is pressed, and writes everything. Returns whether the plan is done."""
    evaluator, board = Evaluator(run, plan), _report.TensorBoard(plan.out)
    saved = run.progress.seconds
    # The first evaluation is that of a network that has learned nothing yet.
    evaluated = saved if run.progress.iterations else -math.inf
    is_first = True
    _begin_segment(run, plan)
    plan.out.mkdir(parents=True, exist_ok=True)

    unrated: list[dict[str, Any]] = []

    def collect() -> None:
        is_busy = evaluator.is_busy
        for match in evaluator.collect(run):
            say(_result(match), None)
            board.add(match["iteration"], {f"score/{match['opponent']}": match["score"]})
            unrated.append(match)
        if unrated and not is_busy:
            rated = _report.ratings(run.settings.game, run.rules.players, run.progress)
            if rating := rated.get(unrated[-1]["minutes"]):
                board.add(unrated[-1]["iteration"], rating._asdict())
            unrated.clear()

    with _interruptible() as is_interrupted, contextlib.closing(board):
        while plan.fraction(run) < 1 and not is_interrupted():
            row = run.iterate(plan.fraction(run))
            # The first iteration compiles.
            run.progress.seconds += 0.0 if is_first else row["play_seconds"] + row["learn_seconds"]
            is_first = False
            row["minutes"] = run.progress.seconds / 60
            run.progress.metrics.append(row)
            board.add(int(row["iteration"]), row)
            say(_line(run, row), plan.fraction(run))
            collect()
            if plan.evaluate_every and not evaluator.is_busy and _passed(run, evaluated, plan.evaluate_every):
                evaluated = run.progress.seconds
                evaluator.start(run, run.progress.iterations)
            if _passed(run, saved, plan.save_every):
                saved = run.progress.seconds
                _write(run, plan)
        evaluator.wait(is_interrupted)
        collect()
        if plan.opponents and not is_interrupted():
            evaluator.start(run, run.progress.iterations)
            evaluator.wait(is_interrupted)
            collect()
        _write(run, plan)
    return plan.fraction(run) >= 1


def _passed(run: Run, since: float, minutes: float) -> bool:
    return run.progress.seconds - since >= 60 * minutes


def _begin_segment(run: Run, plan: Plan) -> None:
    """Records how this part of a run was started."""
    hardware = jax.devices()[0].device_kind
    # A part in which nothing was left to do.
    run.progress.segments = [one for one in run.progress.segments if one["iterations"]]
    segment = {"command": plan.command, "seed": run.settings.seed, "hardware": hardware}
    run.progress.segments.append({**segment, "minutes": 0.0, "iterations": 0})


def _end_segment(run: Run) -> None:
    """Records how far this part of a run has come."""
    *before, last = run.progress.segments
    last["iterations"] = run.progress.iterations - sum(one["iterations"] for one in before)
    last["minutes"] = round(run.progress.seconds / 60 - sum(one["minutes"] for one in before), 2)


def _write(run: Run, plan: Plan) -> None:
    """Writes the checkpoint, the figures and the model."""
    _end_segment(run)
    run.save(plan.out)
    settings = dataclasses.asdict(run.settings)
    last: dict[str, dict[str, Any]] = {match["opponent"]: match for match in run.progress.matches}
    about = {
        "segments": run.progress.segments,
        "settings": settings,
        "minutes": round(run.progress.seconds / 60, 2),
        "iterations": run.progress.iterations,
        # JSON has no number for a network that won every game.
        "matches": [{**row, "elo": row["elo"] if math.isfinite(row["elo"]) else None} for row in last.values()],
    }
    run.export(plan.out, about)
    title = f"{run.settings.game}, network {run.settings.net}, {run.settings.simulations} simulations"
    _report.write(plan.out, title, run.settings.game, run.rules.players, run.progress)


def _line(run: Run, row: dict[str, float]) -> str:
    """Returns the line of progress of an iteration."""
    positions = run.settings.steps * run.settings.games
    speed = positions / (row["play_seconds"] + row["learn_seconds"])
    recent = run.progress.metrics[-20:]
    games = sum(one["games"] for one in recent)
    length = f"{sum(one['steps'] for one in recent) / games:.0f} steps" if games else "no game has ended"
    draws = f", {sum(one['draws'] for one in recent) / games:.0%} drawn" if games else ""
    losses = f"policy {row['policy_loss']:.3f}, value {row['value_loss']:.3f}"
    return f"{row['minutes']:.2f} min  {speed:,.0f} positions/s  {losses}  games: {length}{draws}"


def _result(match: dict[str, Any]) -> str:
    counts = f"{match['wins']} wins, {match['draws']} draws, {match['losses']} losses"
    return f"after {match['minutes']:.1f} minutes against {match['opponent']}: {match['score']:.1%} ({counts})"


@contextlib.contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """Makes Ctrl-C end the run after the current iteration; pressed twice, it ends the program."""
    pressed = threading.Event()

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()
        print("\nending the run; press Ctrl-C again to stop without saving", file=sys.stderr, flush=True)

    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return
    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def terminal() -> Say:
    """Returns a function that prints progress: a bar in a terminal, otherwise a line every ten seconds."""
    is_terminal = sys.stderr.isatty()
    last = -math.inf

    def say(text: str, part: float | None) -> None:
        nonlocal last
        if part is None:
            print(("\r\033[K" if is_terminal else "") + text, file=sys.stderr, flush=True)
        elif is_terminal:
            _progress.with_text(part, f"{part:.0%} {text}")
        elif time.monotonic() - last >= 10:
            last = time.monotonic()
            print(f"{part:4.0%} {text}", file=sys.stderr, flush=True)

    return say
