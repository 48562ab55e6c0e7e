"""What the learning examples share: checkpoints, a progress bar, and games against bots."""

from __future__ import annotations

import argparse
import os
import pathlib
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

import fourfold

_State = TypeVar("_State")

Choose = Callable[[fourfold.State], NDArray[np.int32]]
"""Chooses an action of the learner in every game of a batch. It is played only where it is the learner's turn."""


def add_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    """Adds the arguments that :class:`Run` reads, and the file for the plot."""
    parser.add_argument("--plot", default=f"{name}.png", help="file for the plot")
    parser.add_argument("--checkpoint", default=f"{name}.checkpoint", help="file to save the training to")
    parser.add_argument("--save-every", type=int, default=20, help="number of updates between checkpoints")
    parser.add_argument("--stop-after", type=int, metavar="N", help="save and stop after this many updates of this run")
    parser.add_argument("--resume", action="store_true", help="continue from the checkpoint")


class Run(Generic[_State]):
    """Iterates over the updates of a training, shows a progress bar, and saves checkpoints.

    ``state`` is everything that an update changes, including random generators, so that a training that is stopped and
    resumed ends as one that is not. It must be picklable. Ctrl-C finishes the current update, saves and stops; a
    second one stops at once.
    """

    def __init__(self, arguments: argparse.Namespace, total: int, start: Callable[[], _State]) -> None:
        self.total, self.done = total, 0
        self._path = pathlib.Path(arguments.checkpoint)
        self._every, self._limit = arguments.save_every, arguments.stop_after
        if not arguments.resume:
            self.state = start()
            return
        # Only load files that you trust: a pickle can run any code.
        saved = pickle.loads(self._path.read_bytes())
        if saved["total"] != total:
            raise SystemExit(f"{self._path} is from a training of {saved['total']} updates, not {total}")
        self.done, self.state = saved["done"], saved["state"]
        print(f"resumed after {self.done} of {total} updates")

    @property
    def finished(self) -> bool:
        """Whether all updates have been done."""
        return self.done >= self.total

    def __iter__(self) -> Iterator[int]:
        first, stopped = self.done, False

        def stop(*_: Any) -> None:
            nonlocal stopped
            stopped = True
            signal.signal(signal.SIGINT, before)

        before = signal.signal(signal.SIGINT, stop)
        with _progress_bar(self.total, first) as bar:
            while not (self.finished or stopped or self.done - first == self._limit):
                yield self.done
                self.done += 1
                bar.update()
                if self.done % self._every == 0:
                    self.save()
        signal.signal(signal.SIGINT, before)
        self.save()
        if not self.finished:
            print(f"stopped after {self.done} of {self.total} updates; continue with --resume")

    def save(self) -> None:
        """Saves a checkpoint. The former one is replaced only when the new one is complete."""
        part = self._path.with_name(f"{self._path.name}.part")
        part.write_bytes(pickle.dumps({"total": self.total, "done": self.done, "state": self.state}))
        os.replace(part, self._path)


class _NoBar:
    """Takes the place of the progress bar if tqdm is not installed."""

    def __enter__(self) -> _NoBar:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self) -> None:
        pass


def _progress_bar(total: int, done: int) -> Any:
    try:
        from tqdm import tqdm
    except ImportError:
        return _NoBar()
    return tqdm(total=total, initial=done, unit="update")


def log(text: str) -> None:
    """Prints a line above the progress bar."""
    try:
        from tqdm import tqdm
    except ImportError:
        print(text)
    else:
        tqdm.write(text)


def play_bot(
    env: fourfold.Environment, level: str, choose: Choose, seed: int, players: Sequence[int] | None = None
) -> float:
    """Plays one game of each row against bots of a level, and returns the learner's mean return. The learner is each
    of the ``players`` in turn, by default each player of the game."""
    game = env.config["game"]
    bot = fourfold.Bot(game, level, seed=seed)
    rows, players = np.arange(env.num_envs), range(env.num_players) if players is None else players
    learner = np.asarray(players)[rows % len(players)]
    state = env.reset(seed=seed)
    simultaneous = env.sample().ndim == 2
    returns, over = np.zeros(env.num_envs), state.terminated | state.truncated
    while not over.all():
        mine, actions = choose(state), bot.act(env)
        if simultaneous:
            actions[rows, learner] = mine
        else:
            actions = np.where(state.current_player == learner, mine, actions)
        state = env.step(actions)
        returns += np.where(over, 0, state.rewards[rows, learner])
        over = over | state.terminated | state.truncated
    return float(returns.mean())


def report_bots(play: Callable[[str], float], levels: Sequence[str] = ("random", "greedy")) -> None:
    """Prints the mean return against the bots of each level, which ``play`` returns."""
    for level in levels:
        print(f"mean return against the {level} bot: {play(level):+.3f}")
