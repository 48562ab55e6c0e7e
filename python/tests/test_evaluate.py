"""Evaluations: results, Elo differences and their confidence intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import fourfold
from fourfold import _games


def uniform(state: fourfold.State) -> NDArray[np.float32]:
    assert state.legal_action_mask is not None
    return np.zeros(state.legal_action_mask.shape, np.float32)


def test_evaluations_count_both_sides() -> None:
    found = fourfold.evaluate("greedy", ["random", uniform], 7, env="chess", seed=1)
    assert [match.opponent for match in found] == ["random", "uniform"]
    for match in found:
        assert match.games == 7 and match.wins == 7
        assert match.by_side == ((4, 0, 0), (3, 0, 0))
        assert match.score == 1 and match.elo == math.inf
        low, high = match.elo_interval
        assert 0 < low < high == math.inf
    # As with `rollout`, in the same seats.
    env = fourfold.make("chess")
    assert found["random"].steps > env.rollout(4, seed=1, players=["greedy", "random"]).steps
    again = fourfold.evaluate("greedy", ["random", uniform], 7, env=env, seed=1)
    assert again == found


def test_evaluations_swap_seats() -> None:
    """White mates in one, so the first player always wins."""
    env = fourfold.make("chess", start=["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"])
    match = fourfold.evaluate("greedy", "greedy", 10, env=env)["greedy"]
    assert (match.wins, match.draws, match.losses, match.elo) == (5, 0, 5, 0)
    assert match.by_side == ((5, 0, 0), (0, 0, 5))


def test_elo_matches_the_usual_formulas() -> None:
    match = fourfold.Match("some", ((30, 10, 10), (25, 10, 15)), 0)
    assert match.score == 0.65
    assert match.elo == pytest.approx(-400 * math.log10(1 / 0.65 - 1))
    results = np.repeat([1, 0.5, 0], [55, 20, 25])
    margin = 1.959964 * results.std() / 10
    assert match.score_interval == pytest.approx((0.65 - margin, 0.65 + margin))
    low, high = match.elo_interval
    assert low == pytest.approx(-400 * math.log10(1 / (0.65 - margin) - 1)) and low < match.elo < high
    # Equal players of a game for four win a quarter of the games.
    four = fourfold.Match("some", ((5, 0, 15),) * 4, 0)
    assert four.elo == 0
    assert fourfold.Match("some", ((0, 9, 0),) * 4, 0).elo == 0


def test_games_that_all_end_alike_have_an_interval() -> None:
    won = fourfold.Match("some", ((10, 0, 0), (10, 0, 0)), 0)
    low, high = won.score_interval
    # With this chance of winning, 20 wins have a probability of 2.5%.
    assert low**20 == pytest.approx(0.025) and high == 1
    lost = fourfold.Match("some", ((0, 0, 10), (0, 0, 10)), 0)
    assert lost.score_interval == pytest.approx((0, 1 - low)) and lost.elo == -math.inf
    drawn = fourfold.Match("some", ((0, 10, 0), (0, 10, 0)), 0)
    assert drawn.elo == 0 and drawn.score_interval == pytest.approx((low / 2, 1 - low / 2))
    empty = fourfold.Match("some", ((0, 0, 0), (0, 0, 0)), 0)
    assert math.isnan(empty.score) and math.isnan(empty.elo) and empty.score_interval == (0, 1)


def test_evaluations_are_shown_as_tables() -> None:
    matches = (fourfold.Match("club", ((6, 2, 2), (3, 3, 4)), 0), fourfold.Match("<b>", ((10, 0, 0), (10, 0, 0)), 0))
    found = fourfold.Evaluation("chess-v1", matches)
    assert repr(found).splitlines() == [
        "chess-v1",
        "opponent  games  wins  draws  losses   score   Elo  95% interval",
        "club         20     9      5       6   57.5%   +53   -79 to +202",
        "<b>          20    20      0       0  100.0%  +inf  +277 to +inf",
    ]
    page = found._repr_html_()
    assert page.count("<tr>") == 3 and "&lt;b&gt;" in page and "<td>57.5%</td>" in page
    with pytest.raises(KeyError, match="no opponent 'master': expected one of club, <b>"):
        found["master"]


def test_teams_are_sides() -> None:
    env = fourfold.make("kung_fu_4p", teams=True, speed="lightning")
    match = fourfold.evaluate("master", "novice", 4, env=env, seed=1)["novice"]
    assert len(match.by_side) == 2 and match.games == 4 and match.wins > match.losses
    assert _games.sides(fourfold.make("four_player", mode="teams")) == [(0, 2), (1, 3)]
    assert _games.sides(fourfold.make("four_player")) == [(0,), (1,), (2,), (3,)]
    assert _games.sides(fourfold.make("kung_fu_4p", teams="on", seats="124")) == [(0,), (1, 2)]
    assert _games.sides(fourfold.make("blokus", players=3)) == [(0,), (1,), (2,)]


def test_opponents_have_names() -> None:
    class Net:
        def __call__(self, state: fourfold.State) -> NDArray[np.float32]:
            return uniform(state)

    weak = fourfold.Bot("chess", "club", nodes=3)
    found = fourfold.evaluate(uniform, ["random", "random", weak, Net()], 2, env="chess", max_steps=4)
    assert [match.opponent for match in found] == ["random", "random (2)", "club, 3 nodes", "Net"]
    assert [match.opponent for match in fourfold.evaluate("random", {"me": uniform}, 2, env="chess")] == ["me"]
    reports: list[tuple[int, int]] = []
    progress: Any = lambda done, total: reports.append((done, total))  # noqa: E731
    fourfold.evaluate(uniform, ["random", weak], 4, env="chess", max_steps=4, progress=progress)
    assert reports[-1] == (8, 8) and reports == sorted(reports)


def test_errors_of_evaluations() -> None:
    with pytest.raises(TypeError, match="expected opponents to be levels, bots or policies, got 7"):
        fourfold.evaluate(uniform, 7, 2, env="chess")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected options with the name of a game, not with an environment: preset"):
        fourfold.evaluate(uniform, "random", 2, env=fourfold.make("chess"), preset="pgx")
    with pytest.raises(ValueError, match="unknown level 'grand'"):
        fourfold.evaluate(uniform, "grand", 2, env="chess")
    with pytest.raises(ValueError, match="expected games from 0 to .*, got -1"):
        fourfold.evaluate(uniform, "random", -1, env="chess")
