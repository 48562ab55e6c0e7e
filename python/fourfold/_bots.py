"""Bots as opponents."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import threading
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fourfold import _checks, _core
from fourfold._board import TableBoard
from fourfold._described import not_on_cpu

if TYPE_CHECKING:
    from fourfold._env import Environment


@dataclasses.dataclass(frozen=True, slots=True)
class BotLine:
    """A move that a bot has considered, and the continuation that it expects. Scores are those of the player to move."""

    moves: tuple[str, ...]
    """The codes of the moves. Where the replies that a bot expects are not in turn order, only the first."""
    points: int | None
    """The score in centipawns, or in hundredths of a point in games with points; None if the bot scores otherwise."""
    mate: int | None
    """The player to move mates in this many moves; if negative, it is mated in that many."""
    winning_chances: float
    """The score as winning chances from 0 to 1; a draw counts as half a win."""


@dataclasses.dataclass(frozen=True, slots=True)
class BotMove:
    """The move that a bot has chosen, with a report of its search."""

    move: str
    """The code of the move. A bot that is meant to make mistakes may know a better one."""
    nodes: int
    """How many positions were searched."""
    depth: int
    """How many plies ahead the bot has searched; 0 if it does not look ahead."""
    seconds: float
    """How long it took."""
    lines: tuple[BotLine, ...]
    """The best moves found, best first; empty if the bot does not look ahead."""


_TICKS_PER_SECOND = 30
"""In kung fu chess."""


class Bot:
    """A bot for one game, at one level. It can play any number of games at once.

    ``nodes`` is the number of positions it may search per move, by default the budget of its level. ``movetime``
    is a time per move in seconds, for turn-based games; the number of positions is then not limited unless
    ``nodes`` is given as well. Without a time, its actions depend only on the seed, the number of earlier calls to
    :meth:`act` and :meth:`think`, and the games, not on the number of threads.

    ``reaction`` is the time in seconds between a decision and its order in kung fu chess, counted in the time of the
    game: people need about 0.25. By default an order is given at once.

    >>> import fourfold
    >>> env = fourfold.make("chess", num_envs=2)
    >>> state = env.reset(positions=["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"] * 2)
    >>> env.moves(Bot("chess", "greedy").act(env))
    ['d1d8', 'd1d8']

    Bots play by the rules of the environment, whatever its options. In kung fu chess they pause between
    orders, as people do, and wait in most steps. A bot that was pickled continues as the original does.
    """

    def __init__(
        self,
        game: str,
        level: str = "greedy",
        *,
        seed: int | None = None,
        nodes: int | None = None,
        movetime: float | None = None,
        reaction: float = 0.0,
    ) -> None:
        for name, value in (("game", game), ("level", level)):
            if not isinstance(value, str):
                raise TypeError(f"expected {name} to be a string, got {value!r}")
        self._game, self._level = game, level
        self._nodes = None if nodes is None else _checks.integer("nodes", nodes, 1, 2**63)
        self._movetime = None if movetime is None else _seconds("movetime", movetime)
        self._reaction = _checks.number("reaction", reaction)
        if not 0 <= self._reaction <= 3600:
            raise ValueError(f"expected reaction from 0 to 3600 seconds, got {reaction!r}")
        if self._reaction and not game.startswith("kung_fu"):
            raise ValueError(f"reaction is only for kung fu chess, not {game}")
        self._seed = _checks.seed_or_entropy(seed)
        self._start(0)

    def _start(self, calls: int) -> None:
        """Makes the native bot, as it is after this many calls to :meth:`act` and :meth:`think`."""
        self._bot = _core.Bot(self._game, self._level, self._seed, self._nodes, self._movetime, calls)
        # The decisions in each environment that are still to be given as orders: tick and text, for each action.
        self._decided: weakref.WeakKeyDictionary[Environment, list[tuple[int, str] | None]] = (
            weakref.WeakKeyDictionary()
        )
        # The native bot handles one call at a time.
        self._lock = threading.Lock()

    @staticmethod
    def load(
        folder: str | os.PathLike[str],
        *,
        seed: int | None = None,
        nodes: int | None = None,
        movetime: float | None = None,
    ) -> Bot:
        """Loads a network trained by ``python -m fourfold.train`` from its folder. It evaluates ``nodes`` positions for a
        move, 128 by default; 1 plays without a search. Such a bot plays only environments whose options are those of
        training, apart from limits. ``Bot("chess", "learned:FOLDER")`` is the same.
        """
        folder = os.path.abspath(os.fspath(folder))
        return Bot(_core.model_game(folder), f"learned:{folder}", seed=seed, nodes=nodes, movetime=movetime)

    @staticmethod
    def levels(game: str) -> dict[str, str]:
        """Returns the levels of a game, weakest first, with a description of each. Four-player chess has
        ``club`` only in teams.

        >>> Bot.levels("four_player")["greedy"]
        'captures whatever it can, and falls for traps'
        """
        if not isinstance(game, str):
            raise TypeError(f"expected game to be a string, got {game!r}")
        return {name: about for name, about, _ in _core.bot_levels(game)}

    @staticmethod
    def ratings(game: str) -> dict[str, int]:
        """Returns the ratings of the levels of a game with its default options, weakest first. They are those of the
        arena, where a new player has 1500; docs/bots.md says how they were measured.

        >>> Bot.ratings("chess")["random"]
        400
        """
        if not isinstance(game, str):
            raise TypeError(f"expected game to be a string, got {game!r}")
        return dict(_core.bot_ratings(game))

    @property
    def game(self) -> str:
        """The name of its game, as in :func:`make`."""
        return self._game

    @property
    def level(self) -> str:
        """The name of its level."""
        return self._level

    @property
    def nodes(self) -> int:
        """The number of positions it may search per move. For four-player chess, the default shown here is
        the level's budget in teams; in free-for-all, ``master`` searches 50,000 in :meth:`act`. With a time per
        move, it is not limited by default."""
        if self._nodes is not None:
            return self._nodes
        if self._movetime is not None:
            return 2**63 - 1
        if self._level.startswith("learned:"):
            return 128
        return {name: nodes for name, _, nodes in _core.bot_levels(self._game)}[self._level]

    @property
    def movetime(self) -> float | None:
        """The time per move in seconds, or None if only the number of positions is limited."""
        return self._movetime

    @property
    def reaction(self) -> float:
        """The time in seconds between a decision and its order in kung fu chess."""
        return self._reaction

    def think(self, board: TableBoard, lines: int = 1) -> BotMove:
        """Chooses a move on a board, and reports the search with up to ``lines`` of the best moves. The bot knows the
        moves that have been played on the board, so it sees draws by repetition. Kung fu chess has no such boards.

        >>> from fourfold.chess import Board
        >>> board = Board("2r3k1/5ppp/8/8/8/8/3R4/K2R4 w - - 0 1")
        >>> found = Bot("chess", "master", nodes=20_000).think(board, lines=2)
        >>> found.move, found.lines[0].mate, len(found.lines)
        ('d2d8', 2, 2)
        """
        if not isinstance(board, TableBoard):
            raise TypeError(f"expected board to be a board of a turn-based game, got {board!r}")
        count = _checks.integer("lines", lines, 1, 2**31)
        with self._lock:
            move, nodes, depth, seconds, found = self._bot.think(board._table, count)
        reported = (BotLine(tuple(moves), points, mate, chances) for points, mate, chances, moves in found)
        return BotMove(move, nodes, depth, seconds, tuple(reported))

    def act(self, env: Environment, where: Any = None) -> NDArray[np.int32]:
        """Chooses an action for the player to move in each game; in simultaneous games (B, players), one for
        each player.

        ``where`` has one boolean per action: where it is false, no action is chosen, and −1 is returned. In
        a finished game the action is 0, since all are allowed. The bot is given only the current positions,
        so it does not know about earlier repetitions; :meth:`think` does. A call that is interrupted by Ctrl-C does not count.

        >>> import fourfold
        >>> env = fourfold.make("blokus_duo", num_envs=2)
        >>> bot = Bot("blokus_duo", "greedy")
        >>> state = env.reset(seed=0)
        >>> while not state.terminated.any():
        ...     chosen = bot.act(env, where=state.current_player == 0)
        ...     state = env.step(np.where(chosen >= 0, chosen, env.sample()))
        """
        return self._act(env, where, games_streams=False)

    def _act(self, env: Environment, where: Any, *, games_streams: bool) -> NDArray[np.int32]:
        """Chooses actions. With ``games_streams``, randomness comes from the streams of the games, so that it does
        not depend on the bot nor on the other games of the batch."""
        batch = getattr(env, "_batch", None)
        if not isinstance(batch, _core.Batch):
            raise not_on_cpu(env)
        self._check(env)
        shape = env._action_shape
        mask = None if where is None else _checks.booleans("where", where, shape).reshape(-1)
        actions = np.empty(shape, dtype=np.int32)
        with self._lock, env._lock:
            self._bot.act(batch, mask, games_streams, actions.reshape(-1))
            return self._after_reaction(env, actions) if self._reaction else actions

    def _after_reaction(self, env: Environment, chosen: NDArray[np.int32]) -> NDArray[np.int32]:
        """Keeps the orders that were chosen now, and returns those whose reaction time has passed, if they are still
        legal. While an order is kept, the bot does not decide on another one."""
        wait, delay = env.num_actions - 1, math.ceil(self._reaction * _TICKS_PER_SECOND)
        positions = env.positions
        over = np.array(["result=none" not in text for text in positions])
        asked = (chosen >= 0) & ~over[:, None]
        texts = env.moves(np.where(asked, chosen, wait))
        decided = self._decided.setdefault(env, [None] * len(texts))
        given = np.where(asked, np.int32(wait), chosen)
        for row in np.flatnonzero(asked):
            now = int(positions[row // chosen.shape[1]].split(" ", 1)[0].removeprefix("t"))
            kept = decided[row]
            if kept is not None and kept[0] > now:
                kept = None  # A new game has begun.
            if kept is None and texts[row] != "wait":
                kept = now, texts[row]
            if kept is not None and now - kept[0] >= delay:
                orders = ["wait"] * len(texts)
                orders[row] = kept[1]
                # An order that has become illegal is dropped.
                with contextlib.suppress(_core.IllegalMoveError):
                    given.reshape(-1)[row] = env.actions(orders).reshape(-1)[row]
                kept = None
            decided[row] = kept
        return given

    def evaluate(self, env: Environment) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluates the positions of all games with the network of a bot that has one, without a search: logits
        (B, actions), or (B, players, actions) in simultaneous games, which are −∞ for actions that are not legal, and
        values (B, players) from −1 to 1. In a finished game no action is legal, and values are 0."""
        batch = getattr(env, "_batch", None)
        if not isinstance(batch, _core.Batch):
            raise not_on_cpu(env)
        self._check(env)
        with self._lock, env._lock:
            logits, values = self._bot.evaluate(batch)
        shape = (*env._action_shape, env.num_actions)
        return np.array(logits, np.float32).reshape(shape), np.array(values, np.float32).reshape(shape[0], -1)

    def _check(self, env: Environment) -> None:
        """Raises an error if the environment has another game."""
        game = env._config["game"]
        if game != self._game:
            raise ValueError(f"a bot for {self._game} cannot play {game}")

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            calls = self._bot.calls()
        return {
            "game": self._game,
            "level": self._level,
            "nodes": self._nodes,
            "movetime": self._movetime,
            "reaction": self._reaction,
            "seed": self._seed,
            "calls": calls,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._game, self._level = state["game"], state["level"]
        self._nodes, self._seed = state["nodes"], state["seed"]
        # Bots that were pickled by earlier versions have no times.
        self._movetime, self._reaction = state.get("movetime"), state.get("reaction", 0.0)
        self._start(state["calls"])

    def __repr__(self) -> str:
        limits = [] if self._movetime is None else [f"{self._movetime:g} s"]
        if self._movetime is None or self._nodes is not None:
            limits.append(f"{self.nodes} nodes")
        return f"<fourfold.Bot {self._game}, {self._level}, {', '.join(limits)}>"


def _seconds(name: str, value: Any) -> float:
    """Returns a time in seconds, from a microsecond to a year."""
    seconds = _checks.number(name, value)
    if not 1e-6 <= seconds <= 365 * 24 * 3600:
        raise ValueError(f"expected {name} from 0.000001 to 31536000 seconds, got {value!r}")
    return seconds


def level(env: Environment, player: Any) -> tuple[str, int | None, float | None]:
    """Returns the level, the node budget and the time per move of a player."""
    if isinstance(player, str):
        return player, None, None
    if not isinstance(player, Bot):
        raise TypeError(f"expected players to be levels, bots or policies, got {player!r}")
    player._check(env)
    if player.reaction:
        raise ValueError("a bot with a reaction time can play only with Bot.act")
    return player.level, player._nodes, player._movetime
