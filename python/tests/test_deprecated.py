"""Former names work for one release, with a warning."""

from __future__ import annotations

import importlib
import sys

import pytest

import fourfold


def test_functions_that_were_renamed() -> None:
    for old, new in (("analyse", "analyze"), ("analyse_batches", "analyze_batches")):
        with pytest.warns(DeprecationWarning, match=f"{old} has been renamed to {new}"):
            assert getattr(fourfold.chess, old) is getattr(fourfold.chess, new)
    with pytest.raises(AttributeError, match="'fourfold.chess' has no attribute 'analyzes'"):
        fourfold.chess.analyzes  # noqa: B018
    with pytest.raises(AttributeError, match="'fourfold' has no attribute 'sed'"):
        fourfold.sed  # noqa: B018


def test_presets_that_were_renamed() -> None:
    for game, option in (("chess", "preset"), ("four_player", "preset"), ("four_player", "points")):
        with pytest.warns(DeprecationWarning, match=f"the {option} 'seed' has been renamed to 'legacy'"):
            env = fourfold.make(game, **{option: "seed"})  # type: ignore[arg-type]
        assert env.config == fourfold.make(game, **{option: "legacy"}).config  # type: ignore[arg-type]


def test_modules_that_were_renamed() -> None:
    for old, new in (("seed", "legacy"), ("seed_four_player", "legacy_four_player")):
        sys.modules.pop(f"fourfold.{old}", None)
        with pytest.warns(DeprecationWarning, match=f"fourfold.{old} has been renamed to fourfold.{new}"):
            module = importlib.import_module(f"fourfold.{old}")
        assert module.find_king is getattr(fourfold, new).find_king
