"""The rating of a network, from its results against bots whose ratings are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

_SCALE = math.log(10) / 400
_MARGIN = 1.959963984540054**2 / 2
"""The log-likelihood at the ends of a 95% interval is this much below its maximum."""


Likelihood = Callable[[float], float]


class Result(NamedTuple):
    """The games against bots of one level."""

    rating: float
    """The rating of the bots."""
    score: float
    """The sum of the results: 1 for a win, and an equal share for a draw."""
    games: int
    players: int
    """The number of players of a game, all others of which are bots of this level."""


class Rating(NamedTuple):
    """A rating with its 95% interval."""

    rating: float
    low: float
    high: float


def estimate(results: Iterable[Result]) -> Rating:
    """Returns the likeliest rating, on the scale of the bots. Half a win and half a loss are added for each level, so that
    it is finite.

    >>> estimate([Result(1000, 10, 20, 2)]).rating
    1000.0
    """
    found = [Result(one.rating, one.score + 0.5, one.games + 1, one.players) for one in results]

    def likelihood(rating: float) -> float:
        total = 0.0
        for one in found:
            # Against n bots with the same rating, the odds of a win are those against one, divided by n.
            odds = _SCALE * (rating - one.rating) - math.log(one.players - 1)
            total -= one.score * _log_of_sum(-odds) + (one.games - one.score) * _log_of_sum(odds)
        return total

    low, high = (pick(one.rating for one in found) + side * 3000 for pick, side in ((min, -1), (max, 1)))
    best = _highest(likelihood, low, high)
    limit = likelihood(best) - _MARGIN
    return Rating(round(best, 1), *(round(_crossing(likelihood, best, end, limit), 1) for end in (low, high)))


def _log_of_sum(x: float) -> float:
    """Returns log(1 + exp(x))."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _highest(function: Likelihood, low: float, high: float) -> float:
    """Returns where a function with one maximum is highest."""
    for _ in range(100):
        third = (high - low) / 3
        low, high = (low, high - third) if function(low + third) > function(high - third) else (low + third, high)
    return (low + high) / 2


def _crossing(function: Likelihood, above: float, below: float, limit: float) -> float:
    """Returns where a function falls below a limit between two points."""
    for _ in range(60):
        middle = (above + below) / 2
        above, below = (middle, below) if function(middle) > limit else (above, middle)
    return above
