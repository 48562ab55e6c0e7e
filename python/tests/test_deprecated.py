"""Former names work for one release, with a warning."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import pyarrow as pa
import pytest

import fourfold
import fourfold.gymnasium
from fourfold import blokus, chess, kung_fu


def leaves() -> Any:
    """Returns leaves with a mask and counts, of which an environment has only one."""
    found = fourfold.Search(fourfold.make("chess", mask="sparse"), num_simulations=1).leaves()
    assert found is not None
    return found


def captured() -> kung_fu.Event:
    """Returns the event of a capture."""
    game = kung_fu.Game(pieces="K:1:7:4 K:2:0:4 R:1:4:0 P:2:4:3")
    game.order(1, "R:1:4:0", (4, 3))
    (event, *_) = game.advance_to(200)
    return event


def promoted() -> kung_fu.Event:
    """Returns the event of a promotion."""
    game = kung_fu.Game(pieces="K:1:7:4 K:2:0:4 P:1:1:0")
    game.order(1, "P:1:1:0", (0, 0))
    return next(event for event in game.advance_to(200) if event.type == "becomes")


def search() -> fourfold.Search:
    """Returns a finished search."""
    made = fourfold.Search(fourfold.make("chess"), num_simulations=8)
    made.run()
    return made


ATTRIBUTES: list[tuple[Callable[[], Any], str, str]] = [
    (leaves, "legal_mask", "legal_action_mask"),
    (leaves, "legal_counts", "legal_action_counts"),
    (leaves, "player", "current_player"),
    (lambda: search().memory, "tried_edges", "visited_edges"),
    (lambda: search().memory, "tried_bytes", "visited_edge_bytes"),
    (search, "tried", "root_stats"),
    (search, "forget", "clear"),
    (lambda: fourfold.make("chess"), "show", "current_state"),
    (lambda: blokus.Board(variant="duo"), "out", "finished"),
    (lambda: kung_fu.Game().pieces[0], "kind", "role"),
    (promoted, "kind", "role"),
    (promoted, "what", "type"),
]


@pytest.mark.parametrize(("make", "old", "new"), ATTRIBUTES)
def test_attributes_and_methods_that_were_renamed(make: Callable[[], Any], old: str, new: str) -> None:
    found = make()
    with pytest.warns(DeprecationWarning, match=f"{type(found).__name__}.{old} has been renamed to {new}") as warned:
        former = getattr(found, old)
    assert former is getattr(found, new) or former == getattr(found, new)
    assert warned[0].filename == __file__


def test_the_former_name_of_an_event_has_its_former_value() -> None:
    event = captured()
    assert event.type == "captured" and event.piece == "P:2:4:3"
    with pytest.warns(DeprecationWarning, match=r"Event\.what"):
        assert event.what == "taken"


ARGUMENTS: list[tuple[Callable[..., Any], Callable[[Any], Any], str, str, Any]] = [
    (fourfold.make("chess").observe, len, "form", "format", "uint8"),
    (
        lambda **given: fourfold.Search(fourfold.make("chess"), seed=0, **given),
        lambda made: made._options,
        *("untried", "fpu", 0.5),
    ),
    *(
        (
            lambda **given: fourfold.Search(fourfold.make("chess"), seed=0, **given),
            lambda made: made._options,
            old,
            new,
            7,
        )
        for old, new in fourfold._search._FORMER_NAMES.items()
        if old not in ("untried", "fraction")
    ),
    (lambda **given: search().lines(**given), lambda lines: lines, "longest", "max_length", 0),
    (
        lambda **given: fourfold.gymnasium.Env("chess", **given),
        lambda env: env._games._agent._choice,
        *("seat", "player", 1),
    ),
    (
        lambda **given: gymnasium.make_vec("fourfold/Blokus-v1", num_envs=2, **given).unwrapped,
        lambda envs: envs._agent._choice,
        *("seat", "player", "alternate"),
    ),
    (kung_fu.Game, lambda game: game.rules, "tps", "ticks_per_square", 7),
    (lambda **given: chess.analyze([chess.Board().fen], **given), pa.schema, "form", "format", "squares"),
    (
        lambda **given: chess.analyze_batches([chess.Board().fen], **given).rest(),
        pa.schema,
        *("form", "format", "squares"),
    ),
]


@pytest.mark.parametrize(("call", "summary", "old", "new", "value"), ARGUMENTS)
def test_arguments_that_were_renamed(
    call: Callable[..., Any], summary: Callable[[Any], Any], old: str, new: str, value: Any
) -> None:
    with pytest.warns(DeprecationWarning, match=f"the argument {old} has been renamed to {new}"):
        former = call(**{old: value})
    assert summary(former) == summary(call(**{new: value})) != summary(call())
    with pytest.raises(TypeError, match=f"expected {new} without {old}, its former name"):
        call(**{old: value, new: value})


def test_warnings_about_arguments_name_the_line_of_the_call() -> None:
    with pytest.warns(DeprecationWarning) as warned:
        fourfold.gymnasium.Env("chess", seat=1)
        chess.analyze([], form="squares")  # type: ignore[call-arg]
        fourfold.Search(fourfold.make("chess", preset="seed"), values="seat", untried=0.0)  # type: ignore[call-arg]
    assert [warning.filename for warning in warned] == [__file__] * 5


@pytest.mark.parametrize(
    ("call", "summary", "name", "old", "new"),
    [
        (fourfold.make, "config", "preset", "seed", "legacy"),
        (fourfold.make, "config", "autoreset", "off", "disabled"),
        (lambda game, **given: fourfold.make("four_player", **given), "config", "preset", "seed", "legacy"),
        (lambda game, **given: fourfold.make("four_player", **given), "config", "points", "seed", "legacy"),
        (lambda game, **given: fourfold.Search(fourfold.make(game), **given), "_values", "values", "seat", "player"),
    ],
)
def test_values_of_arguments_that_were_renamed(
    call: Callable[..., Any], summary: str, name: str, old: str, new: str
) -> None:
    with pytest.warns(DeprecationWarning, match=f"the {name} '{old}' has been renamed to '{new}'"):
        former = call("chess", **{name: old})
    assert getattr(former, summary) == getattr(call("chess", **{name: new}), summary)


def test_environments_pickled_under_former_names_are_read() -> None:
    env = fourfold.make("chess", autoreset="disabled")
    state = env.__getstate__()
    state["config"] = {**state["config"], "autoreset": "off"}
    other = fourfold.Environment.__new__(fourfold.Environment)
    other.__setstate__(state)
    assert other.config == env.config
    search = fourfold.Search(env, num_simulations=8)
    pickled = search.__getstate__()
    former = {new: old for old, new in fourfold._search._FORMER_NAMES.items()}
    pickled["options"] = {former.get(name, name): value for name, value in pickled["options"].items()}
    read = fourfold.Search.__new__(fourfold.Search)
    read.__setstate__(pickled)
    assert read._options == search._options


@pytest.mark.parametrize(("old", "new"), [("analyse", "analyze"), ("analyse_batches", "analyze_batches")])
def test_functions_that_were_renamed(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{old} has been renamed to {new}"):
        assert getattr(chess, old) is getattr(chess, new)


def test_unknown_names_are_not_found() -> None:
    with pytest.raises(AttributeError, match="'fourfold.chess' has no attribute 'analyzes'"):
        chess.analyzes  # noqa: B018
    with pytest.raises(AttributeError, match="'fourfold' has no attribute 'sed'"):
        fourfold.sed  # noqa: B018


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("expand", "unpack", "mask"),
        ("seed", "legacy", "find_king"),
        ("seed_four_player", "legacy_four_player", "find_king"),
    ],
)
def test_modules_that_were_renamed(old: str, new: str, name: str) -> None:
    sys.modules.pop(f"fourfold.{old}", None)
    vars(fourfold).pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"fourfold.{old} has been renamed to fourfold.{new}") as warned:
        module = importlib.import_module(f"fourfold.{old}")
    assert getattr(module, name) is getattr(getattr(fourfold, new), name)
    assert getattr(fourfold, old) is module
    assert warned[0].filename.endswith("importlib/__init__.py")
