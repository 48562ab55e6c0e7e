"""The strength of a player against others."""

from __future__ import annotations

import dataclasses
import html
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fourfold import _checks, _games, _play, _progress
from fourfold._bots import Bot
from fourfold._env import Environment
from fourfold._make import made

_NORMAL_QUANTILE = 1.959963984540054
"""97.5% of a normal distribution are below this many standard deviations."""


@dataclasses.dataclass(frozen=True, slots=True)
class Match:
    """The games against one opponent."""

    opponent: str
    """The name of the opponent."""
    by_side: tuple[tuple[int, int, int], ...]
    """Wins, draws and losses on each side: of each player, or with teams, of each team."""
    steps: int
    """The number of steps of all games."""

    @property
    def wins(self) -> int:
        """The number of games won."""
        return sum(wins for wins, _, _ in self.by_side)

    @property
    def draws(self) -> int:
        """The number of games that nobody won, including truncated ones."""
        return sum(draws for _, draws, _ in self.by_side)

    @property
    def losses(self) -> int:
        """The number of games that an opponent won."""
        return sum(losses for _, _, losses in self.by_side)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The mean result: 1 for a win, 0 for a loss, and in a draw an equal share, which is 1/2 for two sides. NaN
        without games."""
        return (self.wins + self.draws / len(self.by_side)) / self.games if self.games else math.nan

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the score, from the normal approximation: the mean plus or minus 1.96
        standard errors. If all games ended alike, their variance says nothing; the chance of another result is then
        taken to be at most ``1 - 0.025 ** (1 / games)``, the exact bound for a binomial distribution."""
        if self.games == 0:
            return 0.0, 1.0
        mean, share = self.score, 1 / len(self.by_side)
        counts = ((self.wins, 1.0), (self.draws, share), (self.losses, 0.0))
        if self.games in (self.wins, self.draws, self.losses):
            other = 1 - 0.025 ** (1 / self.games)
            return mean * (1 - other), mean * (1 - other) + other
        variance = sum(count * (result - mean) ** 2 for count, result in counts) / self.games
        margin = _NORMAL_QUANTILE * math.sqrt(variance / self.games)
        return max(0.0, mean - margin), min(1.0, mean + margin)

    @property
    def elo(self) -> float:
        """The Elo difference that the score corresponds to; infinite for scores of 0% and 100%."""
        return _elo(self.score, len(self.by_side))

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The Elo differences at both ends of :attr:`score_interval`."""
        low, high = self.score_interval
        return _elo(low, len(self.by_side)), _elo(high, len(self.by_side))


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Evaluation:
    """The result of :func:`evaluate`: a :class:`Match` for each opponent, by its name or in the order given.

    Shown as a table.
    """

    id: str
    """The name and version of the environment, such as ``chess-v2``."""
    matches: tuple[Match, ...]
    """The games against each opponent."""

    def __getitem__(self, opponent: str) -> Match:
        """Returns the games against an opponent."""
        for match in self.matches:
            if match.opponent == opponent:
                return match
        raise KeyError(f"no opponent {opponent!r}: expected one of {', '.join(one.opponent for one in self.matches)}")

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def __repr__(self) -> str:
        """Returns a table."""
        rows = [_HEADER, *map(_cells, self.matches)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = []
        for name, *numbers in rows:
            cells = [name.ljust(widths[0]), *map(str.rjust, numbers, widths[1:])]
            lines.append("  ".join(cells).rstrip())
        return "\n".join([self.id, *lines])

    def _repr_html_(self) -> str:
        """Shows the table in notebooks."""

        def row(cells: Iterable[str], tag: str) -> str:
            name, *numbers = map(html.escape, cells)
            rest = "".join(f"<{tag}>{cell}</{tag}>" for cell in numbers)
            return f'<tr><th style="text-align:left">{name}</th>{rest}</tr>'

        body = "".join(row(_cells(match), "td") for match in self.matches)
        return f"<table><caption>{html.escape(self.id)}</caption>{row(_HEADER, 'th')}{body}</table>"


_HEADER = ("opponent", "games", "wins", "draws", "losses", "score", "Elo", "95% interval")


def _cells(match: Match) -> tuple[str, ...]:
    """Returns a row of the table."""
    low, high = match.elo_interval
    counts = map(str, (match.games, match.wins, match.draws, match.losses))
    return (match.opponent, *counts, f"{match.score:.1%}", f"{match.elo:+.0f}", f"{low:+.0f} to {high:+.0f}")


def evaluate(
    policy: _play.Player,
    opponents: _play.Player | Iterable[_play.Player] | Mapping[str, _play.Player],
    games: int,
    *,
    env: Environment | str,
    seed: int | None = None,
    progress: _progress.Progress = False,
    **options: Any,
) -> Evaluation:
    """Plays ``games`` games against each opponent, and returns the results with Elo differences and their 95%
    confidence intervals.

    ``policy`` and the opponents are policies (see :class:`Policy`), bots, or levels of bots. With a dictionary,
    opponents have its names. ``env`` is an environment, or the name of a game, made with ``options``. ``progress``
    shows a progress bar, or is called with the number of games done and the total.

    The policy plays on every side equally often (if ``games`` is not a multiple of the number of sides, once more on
    the first ones); all other players are the opponent. With teams, the policy plays for all members of a team.

    A score of ``s`` on one of ``k`` sides means an Elo difference of ``400 * log10(s * (k - 1) / (1 - s))``, so
    for two sides the usual one, and 0 if the policy is as strong as its opponents. A draw counts ``1 / k``.

    >>> import numpy as np
    >>> def uniform(state):
    ...     return np.zeros(state.legal_action_mask.shape, np.float32)
    >>> found = evaluate(uniform, ["random", "greedy"], 20, env="chess", seed=1, max_steps=60)
    >>> found["random"].draws, found["random"].elo
    (20, 0.0)
    >>> found["greedy"].wins, found["greedy"].elo_interval[1] < 0
    (0, True)
    """
    table = made(env, options)
    number, games = _checks.seed_or_entropy(seed), _checks.integer("games", games, 0, 2**63 - 1)
    names = _named(opponents)
    sides = _games.sides(table)
    total = games * len(names)
    report = _progress.callback(progress, total, "games")
    matches = []
    done = 0
    for name, opponent in names:
        by_side = []
        first = steps = 0
        for index, side in enumerate(sides):
            count = games // len(sides) + (index < games % len(sides))
            seated = [policy if player in side else opponent for player in range(table.num_players)]

            def update(now: int, _: int, before: int = done) -> None:
                report(before + now, total)

            # Every game has an index of its own, so that results are independent.
            indices = range(first, first + count)
            found = table._rollout(indices, number, seated, update if progress else False)
            first += count
            done += count
            wins = sum(found.wins[player] for player in side)
            by_side.append((wins, found.draws, count - wins - found.draws))
            steps += found.steps
        matches.append(Match(name, tuple(by_side), steps))
    return Evaluation(table.id, tuple(matches))


def _named(opponents: Any) -> list[tuple[str, Any]]:
    """Returns opponents with different names."""
    if isinstance(opponents, Mapping):
        return [*opponents.items()]
    single = isinstance(opponents, str | Bot) or callable(opponents)
    if not single and not isinstance(opponents, Iterable):
        raise TypeError(f"expected opponents to be levels, bots or policies, got {opponents!r}")
    found: dict[str, Any] = {}
    for opponent in [opponents] if single else opponents:
        name = base = _play.player_name(opponent)
        repeated = 1
        while name in found:
            repeated += 1
            name = f"{base} ({repeated})"
        found[name] = opponent
    return [*found.items()]


def _elo(score: float, sides: int) -> float:
    """Returns the Elo difference for a score on one of several sides."""
    if math.isnan(score):
        return score
    if score <= 0 or score >= 1:
        return -math.inf if score <= 0 else math.inf
    return 400 * math.log10(score * (sides - 1) / (1 - score))
