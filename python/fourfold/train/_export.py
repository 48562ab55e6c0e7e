"""Networks as files that ``fourfold match``, the arena and ``fourfold.Bot.load`` play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from fourfold.train import _games, _network
from fourfold.train._games import Rules
from fourfold.train._network import Size

FORMAT = 1
MODEL, DESCRIPTION = "model.safetensors", "model.json"


def save(folder: Path, rules: Rules, size: Size, tensors: _network.Tensors, about: dict[str, Any]) -> None:
    """Writes a network for play, with float16 weights, and what it is."""
    arrays = {name: np.asarray(tensor, np.float32).astype(np.float16) for name, tensor in tensors.items()}
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise ValueError(f"the tensor {name} has values that are not finite in float16")
    index = rules.game.policy.index
    height, width = rules.shape
    description = {
        "format": FORMAT,
        "game": rules.game.name,
        "environment_version": rules.env.version,
        "options": {name: str(value) for name, value in rules.game.options.items()},
        "height": height,
        "width": width,
        "planes": list(rules.game.channels),
        "scalars": rules.scalars,
        "blocks": size.blocks,
        "channels": size.channels,
        "value_outputs": 1 if rules.players == 2 else rules.players,
        "about": about,
    }
    folder.mkdir(parents=True, exist_ok=True)
    save_whole(folder / MODEL, {**arrays, "policy.index": index.astype(np.uint16)})
    write_whole(folder / DESCRIPTION, json.dumps(description, indent=1, allow_nan=False) + "\n")


def load(folder: Path, dtype: Any) -> tuple[_games.Game, _network.Tensors]:
    """Reads a network for play, and finds its game. Raises ValueError if it cannot be read."""
    try:
        description = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        if not isinstance(description, dict) or description.get("format") != FORMAT:
            raise ValueError(f"{folder / DESCRIPTION} is not a model of format {FORMAT}")
        game = _games.find(description["game"])
        arrays = load_file(folder / MODEL)
        if not np.array_equal(arrays.pop("policy.index"), game.policy.index):
            raise ValueError(f"{folder / MODEL} has other actions than this version of {game.name}")
    except FileNotFoundError as error:
        raise ValueError(f"there is no model in {folder}: {error.filename} is missing") from None
    except (SafetensorError, KeyError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"the model in {folder} cannot be read: {error}") from error
    return game, {name: jnp.asarray(array, dtype) for name, array in arrays.items()}


def save_whole(path: Path, arrays: dict[str, np.ndarray[Any, Any]], metadata: dict[str, str] | None = None) -> None:
    """Writes a file of tensors, so that the file is the old one or the new one, whenever the program stops."""
    part = path.with_name(path.name + ".part")
    save_file({name: np.asarray(array, order="C") for name, array in arrays.items()}, part, metadata)
    # Otherwise only its owner could read it.
    part.chmod(0o644)
    part.replace(path)


def write_whole(path: Path, text: str) -> None:
    """Writes a text file in the same way."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
