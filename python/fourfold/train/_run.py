"""A run: self-play and learning in turns, with checkpoints."""

from __future__ import annotations

import dataclasses
import json
import time
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from safetensors import SafetensorError, safe_open

from fourfold.train import _export, _games, _learn, _network, _self_play
from fourfold.train._games import Array, Rules
from fourfold.train._network import Size
from fourfold.train._settings import Settings

CHECKPOINT = "checkpoint.safetensors"
_VERSION = 1


@dataclasses.dataclass
class Progress:
    """How far a run has come."""

    iterations: int = 0
    seconds: float = 0.0
    """The time of self-play and learning, without compilation, evaluation and files."""
    metrics: list[dict[str, float]] = dataclasses.field(default_factory=list)
    """The figures of each iteration."""
    matches: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    """The results of evaluations."""
    segments: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    """The parts of a run that was resumed: the command, seed and hardware of each, its minutes and iterations."""


class Run:
    """A run in memory. :meth:`iterate` plays and learns."""

    def __init__(self, settings: Settings, rules: Rules | None = None) -> None:
        self.settings = settings
        game = _games.find(settings.game)
        self.rules = rules or Rules(game, game.environment(settings.max_steps))
        self.size = Size.parse(settings.net)
        self._dtype: Any = jnp.bfloat16 if settings.half_precision else jnp.float32
        self.network = _network.make(self.rules, self.size, self._dtype)
        self.progress = Progress()
        self._play = jax.jit(partial(_self_play.play, self.rules, settings), donate_argnums=1)
        self._insert = jax.jit(_insert, donate_argnums=0)
        learn = partial(_learn.learn, self.network, self.rules, settings)
        self._learn = jax.jit(learn, donate_argnums=0)
        self._fold = jax.jit(partial(_network.fold, dtype=self._dtype))
        key = jax.random.key(settings.seed)
        self._key, weights, games = jax.random.split(key, 3)
        self.learner = _learn.start(self.network, self.rules, weights)
        self._state = jax.jit(self.rules.start)(jax.random.split(games, settings.games))
        shapes = jax.eval_shape(self._play, self.tensors(), self._state, key)[1]
        length = settings.window
        self._kept = jax.tree.map(lambda one: jnp.zeros((length, *one.shape[1:]), one.dtype), shapes)

    def tensors(self) -> _network.Tensors:
        """Returns the network for play."""
        found: _network.Tensors = self._fold(self.learner.variables)
        return found

    def iterate(self, fraction: float) -> dict[str, float]:
        """Plays some steps of all games and learns. ``fraction`` is the part of the run that is done, which the learning
        rate depends on. Returns the figures of the iteration."""
        settings, before = self.settings, time.perf_counter()
        self._key, playing, learning = jax.random.split(self._key, 3)
        first = self.progress.iterations * settings.steps % settings.window
        self._state, played, summary = self._play(self.tensors(), self._state, playing)
        self._kept = self._insert(self._kept, played, first)
        jax.block_until_ready(self._kept)
        between = time.perf_counter()
        filled = min((self.progress.iterations + 1) * settings.steps, settings.window)
        rate = learning_rate(settings, self.progress.iterations, fraction)
        newest = (first + settings.steps - 1) % settings.window
        arguments = (jnp.int32(newest), jnp.int32(filled), jnp.float32(rate), learning)
        self.learner, losses = self._learn(self.learner, self._kept, *arguments)
        jax.block_until_ready(losses)
        after = time.perf_counter()
        self.progress.iterations += 1
        positions = settings.steps * settings.games
        return {
            "iteration": self.progress.iterations,
            "positions": self.progress.iterations * positions,
            "play_seconds": between - before,
            "learn_seconds": after - between,
            "policy_loss": float(losses.policy),
            "value_loss": float(losses.value),
            "entropy": float(losses.entropy),
            "games": int(summary.games),
            "steps": int(summary.steps),
            "draws": int(summary.draws),
            "learning_rate": rate,
        }

    # Checkpoints

    def _arrays(self) -> dict[str, Array]:
        """Returns everything that the rest of the run depends on, by name."""
        tree = {
            "learner": self.learner,
            "games": self._state,
            "kept": self._kept,
            "key": jax.random.key_data(self._key),
        }
        return {jax.tree_util.keystr(path): leaf for path, leaf in jax.tree_util.tree_leaves_with_path(tree)}

    def save(self, folder: Path) -> None:
        """Writes a checkpoint."""
        arrays = {name: np.asarray(array) for name, array in self._arrays().items()}
        run = {
            "version": _VERSION,
            "settings": dataclasses.asdict(self.settings),
            "progress": dataclasses.asdict(self.progress),
        }
        folder.mkdir(parents=True, exist_ok=True)
        _export.save_whole(folder / CHECKPOINT, arrays, {"run": json.dumps(run)})

    @staticmethod
    def load(folder: Path) -> Run:
        """Reads a checkpoint. Raises ValueError if it cannot be read."""
        path = folder / CHECKPOINT
        try:
            with safe_open(path, "numpy") as file:
                about = json.loads((file.metadata() or {}).get("run", "null"))
                if not isinstance(about, dict) or about.get("version") != _VERSION:
                    raise ValueError(f"{path} is not a checkpoint of version {_VERSION}")
                run = Run(Settings(**about["settings"]))
                run.progress = Progress(**about["progress"])
                run._restore({name: file.get_tensor(name) for name in file.keys()}, path)  # noqa: SIM118
        except FileNotFoundError:
            raise ValueError(f"there is no checkpoint {path}") from None
        except (SafetensorError, TypeError, KeyError, json.JSONDecodeError) as error:
            raise ValueError(f"{path} cannot be read: {error}") from error
        return run

    def _restore(self, arrays: dict[str, Any], path: Path) -> None:
        expected = self._arrays()
        for name, array in expected.items():
            found = arrays.get(name)
            if found is None or found.shape != array.shape or found.dtype != array.dtype:
                was = "nothing" if found is None else f"{found.dtype}{list(found.shape)}"
                raise ValueError(f"{path}: expected {name} to be {array.dtype}{list(array.shape)}, got {was}")
        parts = (self.learner, self._state, self._kept)

        def restored(part: Any, name: str) -> Any:
            paths, structure = jax.tree_util.tree_flatten_with_path({name: part})
            leaves = [jnp.asarray(arrays[jax.tree_util.keystr(path)]) for path, _ in paths]
            return jax.tree_util.tree_unflatten(structure, leaves)[name]

        self.learner, self._state, self._kept = map(restored, parts, ("learner", "games", "kept"))
        self._key = jax.random.wrap_key_data(jnp.asarray(arrays["['key']"]))

    def export(self, folder: Path, about: dict[str, Any]) -> None:
        """Writes the network as files for play."""
        _export.save(folder, self.rules, self.size, self.tensors(), about)


def learning_rate(settings: Settings, iteration: int, fraction: float) -> float:
    """Returns the learning rate: it rises in the first iterations, and falls along a cosine at the end."""
    rising = min(1.0, (iteration + 1) / settings.warm_up)
    left = 0.5 * (1 + np.cos(np.pi * min(max((fraction - 0.7) / 0.3, 0.0), 1.0)))
    last = settings.last_learning_rate
    return float(rising * (last + (settings.learning_rate - last) * left))


def _insert(kept: _self_play.Played, played: _self_play.Played, first: Array) -> _self_play.Played:
    """Writes steps to the ring of steps."""
    found: _self_play.Played = jax.tree.map(
        lambda all, new: jax.lax.dynamic_update_slice_in_dim(all, new, first, 0), kept, played
    )
    return found
