"""What the adapters for Gymnasium and PettingZoo, and evaluations, know about each game.

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
    sides: Callable[[Environment], list[tuple[int, ...]]] = lambda env: [(player,) for player in range(env.num_players)]
    """Returns the players of each side that wins or loses as a whole."""


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


def _four_player_sides(env: Environment) -> list[tuple[int, ...]]:
    teams = env._config["options"].get("mode", "ffa") == "teams"
    return [(0, 2), (1, 3)] if teams else Game().sides(env)


def _kung_fu_sides(env: Environment) -> list[tuple[int, ...]]:
    """With teams, the seats 1 and 3 play against 2 and 4; players are numbered without the empty seats."""
    options = env._config["options"]
    if options.get("teams") not in (True, "on"):
        return Game().sides(env)
    seats = [*enumerate(map(int, str(options.get("seats", 1234))))]
    return [tuple(player for player, seat in seats if seat % 2 == odd) for odd in (1, 0)]


_BLOKUS = Game(lambda env: map(blokus.Board, env.positions))
_KUNG_FU = Game(_kung_fu_boards)

GAMES = {
    "chess": Game(lambda env: map(chess.Board, env.positions)),
    "four_player": Game(
        _four_player_boards,
        lambda options: options.get("mode", "ffa") == "ffa" and options.get("reward", "points") == "points",
        _four_player_sides,
    ),
    "blokus": _BLOKUS,
    "blokus_duo": _BLOKUS,
    "kung_fu": _KUNG_FU,
    "kung_fu_4p": Game(_kung_fu_boards, sides=_kung_fu_sides),
}

_ID_VERSION = 1
"""The version in the ids of Gymnasium and PettingZoo. It goes up whenever an agent would see something else: actions,
observations, rewards or rules. The version of ``Environment.id`` also goes up for saved states and random streams."""

IDS = {game: f"fourfold/{game.title().replace('_', '')}-v{_ID_VERSION}" for game in _core.ENVIRONMENTS}
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


def sides(env: Environment) -> list[tuple[int, ...]]:
    """Returns the players of each side: teams, or single players.

    >>> import fourfold
    >>> sides(fourfold.make("kung_fu_4p", teams=True)), sides(fourfold.make("chess"))
    ([(0, 2), (1, 3)], [(0,), (1,)])
    """
    return GAMES.get(env._config["game"], Game()).sides(env)


def register() -> None:
    """Registers ``fourfold/Chess-v1`` and so on with Gymnasium, without importing our environments. This is also the
    entry point for versions of Gymnasium that load plugins; calling it again is harmless."""
    from gymnasium.envs import registration

    for game, name in IDS.items():
        if name not in registration.registry:
            registration.register(
                name,
                entry_point="fourfold.gymnasium:Env",
                vector_entry_point="fourfold.gymnasium:VectorEnv",
                kwargs={"game": game},
            )
