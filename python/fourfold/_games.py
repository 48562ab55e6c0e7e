"""What the adapters for Gymnasium and PettingZoo know about each game.

A game works in both without an entry in `GAMES`: it is then drawn as the text of its position.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from fourfold import _core, blokus, chess, four_player

if TYPE_CHECKING:
    from fourfold._env import Environment


@dataclasses.dataclass(frozen=True)
class Game:
    """What differs between games."""

    draw: Callable[[Environment], Iterable[object]] = lambda env: env.positions
    """Returns the games of an environment as objects to be shown as text."""
    removes_eliminated: Callable[[dict[str, Any]], bool] = lambda options: False
    """Takes the options of the environment, and returns whether eliminated players get no further rewards, so that
    their agents can be removed at once."""


def _four_player_boards(env: Environment) -> list[four_player.Board]:
    mode = env._config["options"].get("mode", "ffa")
    return [four_player.Board(position, mode=mode) for position in env.positions]


def _kung_fu_boards(env: Environment) -> list[str]:
    """Draws each piece after the number of its player. Moving pieces are not shown."""
    return [
        "\n".join(
            " ".join(f"{owner}{'bknpqr'[role]}" if role >= 0 else " ." for role, owner in zip(*row, strict=True))
            for row in zip(*game, strict=True)
        )
        for game in zip(env.array("kinds"), env.array("owners"), strict=True)
    ]


_BLOKUS = Game(lambda env: map(blokus.Board, env.positions))
_KUNG_FU = Game(_kung_fu_boards)

GAMES = {
    "chess": Game(lambda env: map(chess.Board, env.positions)),
    "four_player": Game(
        _four_player_boards,
        lambda options: options.get("mode", "ffa") == "ffa" and options.get("reward", "points") == "points",
    ),
    "blokus": _BLOKUS,
    "blokus_duo": _BLOKUS,
    "kung_fu": _KUNG_FU,
    "kung_fu_4p": _KUNG_FU,
}

IDS = {
    game: f"fourfold/{game.title().replace('_', '')}-v{version}" for game, (version, _) in _core.ENVIRONMENTS.items()
}
"""The id of each game in the registries of other packages, such as ``fourfold/BlokusDuo-v1``."""


def as_texts(env: Environment) -> list[str]:
    """Returns the games of an environment as readable text.

    >>> import fourfold
    >>> print(as_texts(fourfold.make("kung_fu"))[0].splitlines()[7])
    1r 1n 1b 1q 1k 1b 1n 1r
    """
    return [str(game) for game in GAMES.get(env._config["game"], Game()).draw(env)]


def removes_eliminated(env: Environment) -> bool:
    """Returns whether agents of eliminated players are removed at once."""
    return GAMES.get(env._config["game"], Game()).removes_eliminated(env._config["options"])


def register() -> None:
    """Registers ``fourfold/Chess-v1`` and so on with Gymnasium, without importing our environments. Gymnasium calls
    this when it is imported; calling it again is harmless."""
    from gymnasium.envs import registration

    for game, name in IDS.items():
        if name not in registration.registry:
            registration.register(
                name,
                entry_point="fourfold.gymnasium:Env",
                vector_entry_point="fourfold.gymnasium:VectorEnv",
                kwargs={"game": game},
            )
