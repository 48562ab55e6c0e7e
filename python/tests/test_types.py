"""What type checkers and `help` know about the package."""

from __future__ import annotations

import dataclasses
import os
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import fourfold
from fourfold import _options

GAMES = {
    "chess": _options.ChessOptions,
    "four_player": _options.FourPlayerOptions,
    "blokus": _options.BlokusOptions,
    "blokus_duo": _options.BlokusDuoOptions,
    "kung_fu": _options.KungFuOptions,
    "kung_fu_4p": _options.KungFu4POptions,
}

CALLS = """\
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fourfold

env = fourfold.make("chess", num_envs=3, packed=True, preset="pgx", max_steps=100)
fourfold.make("ches", num_envs=3)  # error
fourfold.make("chess", num_env=3)  # error
fourfold.make("chess", 3, mode="teams")  # error
fourfold.make("four_player", 3, mode="teams", bare_kings=False)
fourfold.make("four_player", mode="team")  # error
fourfold.make("four_player", reward=1)  # error
fourfold.make("blokus", players=3)
fourfold.make("blokus", players=5)  # error
fourfold.make("blokus", starts="corners")  # error
fourfold.make("blokus_duo", starts="corners")
fourfold.make("kung_fu", seats="13")  # error
fourfold.make("kung_fu_4p", seats="13", observation="uint8", num_threads=None)
fourfold.make("kung_fu_4p", observation="int8")  # error
gpu = fourfold.make("chess", 3, device="cuda", observation="bfloat16", preset="pgx")
fourfold.make("chess", 3, device="gpu")  # error
fourfold.make("chess", 3, device="cpu").synchronize()  # error
gpu.synchronize()
device_array: fourfold.DeviceArray = gpu.step(gpu.sample()).observation
host_array: NDArray[Any] = gpu.reset().observation  # error
host_array = gpu.reset().numpy().observation
options: dict[str, Any] = {}
for game in fourfold.GAMES:
    fourfold.make(game, 2, **options)
name: str = "chess"
fourfold.make(name)  # error
state = env.reset(seed=0)
observation: NDArray[Any] = state.observation
mask: NDArray[np.bool_] = state.legal_action_mask[0]
final: NDArray[Any] = state.final_observation  # error
leaves = fourfold.Search(env).leaves()
leaves.observation  # error
assert leaves is not None
observation = leaves.observation
mask = leaves.legal_action_mask[0]
"""


def test_mypy_rejects_wrong_calls_and_accepts_right_ones(tmp_path: Path) -> None:
    (tmp_path / "calls.py").write_text(CALLS, encoding="utf-8")
    package = Path(fourfold.__file__).parent.parent
    # mypy finds installed packages itself, and refuses to search their folder twice.
    environment = {**os.environ, **({} if package.name == "site-packages" else {"MYPYPATH": str(package)})}
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--no-error-summary", "calls.py"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    rejected = {int(line) for line in re.findall(r"^calls\.py:(\d+): error", found.stdout, re.MULTILINE)}
    expected = {index for index, line in enumerate(CALLS.splitlines(), 1) if line.endswith("# error")}
    assert rejected == expected, found.stdout + found.stderr


def test_games_have_typed_options() -> None:
    assert list(GAMES) == list(get_args(_options.GameName)) == fourfold.GAMES


@pytest.mark.parametrize("game", GAMES)
def test_typed_options_are_those_of_the_native_module(game: Any) -> None:
    common = get_type_hints(_options.Options)
    typed = {name: kind for name, kind in get_type_hints(GAMES[game]).items() if name not in common}
    with pytest.raises(ValueError, match="unknown option") as refused:
        fourfold.make(game, nothing=1)
    assert set(str(refused.value).split("expected one of ")[1].split(", ")) == set(typed)
    for name, kind in typed.items():
        if get_origin(kind) is not Literal:
            continue
        with pytest.raises(ValueError, match=f"invalid {name}") as refused:
            fourfold.make(game, **{name: "nothing"})
        accepted = str(refused.value).split("expected ")[1]
        values = get_args(kind)
        if isinstance(values[0], str):
            assert accepted == f"one of {', '.join(values)}"
        else:
            assert accepted == f"a number from {min(values)} to {max(values)}"


def test_help_documents_every_field_of_a_state() -> None:
    text = pydoc.render_doc(fourfold.State, renderer=pydoc.plaintext)
    fields = [field.name for field in dataclasses.fields(fourfold.State) if not field.name.startswith("_")]
    assert all(re.search(rf"- ``{name}``: \w+", text.replace("(", "")) for name in fields)
    assert len(re.findall(r"- ``\w+``:", text)) == len(fields)
