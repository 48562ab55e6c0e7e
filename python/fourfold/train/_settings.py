"""The settings of a run."""

from __future__ import annotations

import dataclasses
from typing import Any

from fourfold import _checks
from fourfold.train import _games
from fourfold.train._network import Size
from fourfold.train._search import Search


@dataclasses.dataclass(frozen=True)
class Settings:
    """Everything that the result of a run depends on, apart from the hardware and its time."""

    game: str
    seed: int
    games: int
    """How many games are played at once."""
    simulations: int
    net: str
    """The size of the network: blocks and channels, such as 6x64."""
    slots: int
    max_steps: int
    steps: int
    """The steps of each game in an iteration."""
    window: int
    """The steps of each game that are kept to learn from."""
    updates: int
    """The updates of the network in an iteration."""
    batch: int
    """The positions of an update."""
    learning_rate: float = 1e-3
    last_learning_rate: float = 1e-4
    """The learning rate at the end. It falls from 70% of the run on."""
    warm_up: int = 10
    """The learning rate rises in this many iterations."""
    discount: float = 0.997
    trace: float = 0.95
    """The λ of the returns that values are learned from."""
    opening: int = 8
    """The steps at the start of a game in which more actions are random."""
    opening_random: float = 0.25
    late_random: float = 0.01
    half_precision: bool = False
    """Whether networks compute with bfloat16."""

    def search(self, simulations: int | None = None) -> Search:
        """Returns how to search."""
        return Search(self.simulations if simulations is None else simulations, self.slots, discount=self.discount)


_GPU: dict[str, Any] = {
    "games": 4096,
    "simulations": 32,
    "net": "6x64",
    "steps": 16,
    "window": 256,
    "updates": 32,
    "batch": 4096,
    "half_precision": True,
}
_CPU: dict[str, Any] = {
    "games": 128,
    "simulations": 16,
    "net": "2x32",
    "steps": 8,
    "window": 64,
    "updates": 4,
    "batch": 256,
}


def make(
    game: str,
    *,
    on_gpu: bool,
    seed: int | None,
    games: int | None,
    simulations: int | None,
    net: str | None,
    slots: int | None = None,
) -> Settings:
    """Returns the settings of a new run: those given, and otherwise those that suit the game and the hardware."""
    found = _games.find(game)
    given = {"games": games, "simulations": simulations, "net": net}
    default = {**_GPU, **found.defaults.on_gpu} if on_gpu else _CPU
    chosen = {**default, **{name: value for name, value in given.items() if value is not None}}
    _checks.integer("games", chosen["games"], 1, 1_000_000)
    _checks.integer("simulations", chosen["simulations"], 2, 10_000)
    chosen["net"] = str(Size.parse(chosen["net"]))
    return Settings(
        game=game,
        seed=_checks.integer("seed", seed or 0, 0, 2**63 - 1),
        slots=_checks.integer("slots", found.defaults.slots if slots is None else slots, 2, 10_000),
        max_steps=found.defaults.max_steps,
        **chosen,
    )
