"""Proximal policy optimization for any vectorized Gymnasium environment whose infos have an `action_mask`:
`python ppo_gymnasium.py`.

It is not specific to any game: it uses only Gymnasium's interface, and samples actions that the mask allows. By
default it learns Blokus on a 7×7 board against a random player. Ctrl-C saves and stops; `--resume` continues. Needs JAX.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import time
from typing import Any

import curves
import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import training
from numpy.typing import NDArray

Arrays = dict[str, Any]

CLIP, DISCOUNT, LAMBDA, ENTROPY, VALUE, MOST_GRADIENT = 0.2, 0.99, 0.95, 0.01, 0.5, 0.5


def make(name: str, options: list[str], games: int) -> Any:
    """Makes a batch of games that restart in the step that ends them."""
    chosen: dict[str, Any] = {"autoreset": "same_step"}
    for option in options:
        key, _, value = option.partition("=")
        chosen[key] = int(value) if value.isdigit() else value
    envs = gymnasium.make_vec(name, num_envs=games, **chosen)
    assert envs.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    return envs


def flat(observation: Any) -> NDArray[np.float32]:
    """Flattens an observation and its parts to one row of numbers per game."""
    parts = observation.values() if isinstance(observation, dict) else [observation]
    return np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1, dtype=np.float32)


def network(key: Any, inputs: int, hidden: int, actions: int) -> Arrays:
    """Initializes two shared layers, one layer for the logits, and one for the value."""
    sizes = {"a": (inputs, hidden), "b": (hidden, hidden), "logits": (hidden, actions), "value": (hidden, 1)}
    scales = {"a": 2**0.5, "b": 2**0.5, "logits": 0.01, "value": 1.0}
    weights: Arrays = {}
    for one, (name, size) in zip(jax.random.split(key, len(sizes)), sizes.items(), strict=True):
        weights[name] = jax.nn.initializers.orthogonal(scales[name])(one, size)
        weights[f"{name}_bias"] = jnp.zeros(size[1])
    return weights


def forward(weights: Arrays, inputs: Any, mask: Any) -> tuple[Any, Any]:
    """Returns the logits, very small for actions that are not allowed, and the values."""
    layer = jnp.tanh(inputs @ weights["a"] + weights["a_bias"])
    layer = jnp.tanh(layer @ weights["b"] + weights["b_bias"])
    logits = layer @ weights["logits"] + weights["logits_bias"]
    return jnp.where(mask == 1, logits, -1e9), (layer @ weights["value"] + weights["value_bias"])[:, 0]


@functools.partial(jax.jit)
def act(weights: Arrays, key: Any, inputs: Any, mask: Any) -> tuple[Any, Any, Any]:
    """Samples actions, and returns them with their log probabilities and the values."""
    logits, value = forward(weights, inputs, mask)
    action = jax.random.categorical(key, logits)
    return action, chances(logits, action), value


def chances(logits: Any, action: Any) -> Any:
    """Returns the log probabilities of actions."""
    return jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], axis=1)[:, 0]


def loss(weights: Arrays, part: Arrays) -> Any:
    """Returns the loss: the clipped objective, the value error, and an entropy bonus."""
    logits, value = forward(weights, part["inputs"], part["mask"])
    ratio = jnp.exp(chances(logits, part["action"]) - part["chance"])
    gain = part["gain"]
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    policy = jnp.maximum(-gain * ratio, -gain * jnp.clip(ratio, 1 - CLIP, 1 + CLIP)).mean()
    error = 0.5 * ((value - part["result"]) ** 2).mean()
    known = jax.nn.log_softmax(logits)
    entropy = -(jnp.exp(known) * jnp.where(part["mask"] == 1, known, 0.0)).sum(axis=1).mean()
    return policy + VALUE * error - ENTROPY * entropy


@functools.partial(jax.jit, donate_argnums=(0, 1))
def improve(weights: Arrays, moments: Arrays, part: Arrays, rate: Any) -> tuple[Arrays, Arrays]:
    """Performs one step of Adam with clipped gradients."""
    slopes = jax.grad(loss)(weights, part)
    length = jnp.sqrt(sum((slope**2).sum() for slope in jax.tree.leaves(slopes)))
    slopes = jax.tree.map(lambda slope: slope * jnp.minimum(1.0, MOST_GRADIENT / (length + 1e-8)), slopes)
    count = moments["count"] + 1
    first = jax.tree.map(lambda m, s: 0.9 * m + 0.1 * s, moments["first"], slopes)
    second = jax.tree.map(lambda v, s: 0.999 * v + 0.001 * s**2, moments["second"], slopes)
    one, two = 1 - 0.9**count, 1 - 0.999**count
    weights = jax.tree.map(lambda w, m, v: w - rate * (m / one) / (jnp.sqrt(v / two) + 1e-5), weights, first, second)
    return weights, {"count": count, "first": first, "second": second}


def advantages(rewards: Any, values: Any, ended: Any, last: Any) -> Any:
    """Returns the generalized advantage estimates."""
    gains = np.zeros_like(rewards)
    ahead, after = np.zeros_like(last), last
    for step in reversed(range(len(rewards))):
        going = 1.0 - ended[step]
        surprise = rewards[step] + DISCOUNT * after * going - values[step]
        ahead = surprise + DISCOUNT * LAMBDA * going * ahead
        gains[step], after = ahead, values[step]
    return gains


@dataclasses.dataclass
class Learner:
    """Everything that an update changes."""

    envs: Any
    key: Any
    chance: np.random.Generator
    inputs: NDArray[np.float32]
    mask: NDArray[np.int8]
    weights: Arrays
    moments: Arrays
    running: NDArray[np.float64]
    """The rewards so far in each game."""
    results: list[float]
    """The rewards of the games that have ended since the last report."""
    curve: list[float]
    """The mean result of the games in each tenth of the updates."""


def start(arguments: argparse.Namespace) -> Learner:
    """Makes the environments and an untrained network."""
    envs = make(arguments.env, arguments.option, arguments.games)
    observation, info = envs.reset(seed=arguments.seed)
    # A key of the old style, because those of the new style cannot be pickled.
    key, inputs = jax.random.PRNGKey(arguments.seed), flat(observation)
    weights = network(key, inputs.shape[1], arguments.hidden, int(envs.single_action_space.n))
    first, second = (jax.tree.map(jnp.zeros_like, weights) for _ in range(2))
    moments = {"count": jnp.zeros(()), "first": first, "second": second}
    chance, running = np.random.default_rng(arguments.seed), np.zeros(arguments.games)
    return Learner(envs, key, chance, inputs, info["action_mask"], weights, moments, running, [], [])


def play(weights: Arrays, arguments: argparse.Namespace, opponents: str) -> float:
    """Returns the mean result of one game of each row against bots."""
    envs = make(arguments.env, [*arguments.option, f"opponents={opponents}"], arguments.games)
    observation, info = envs.reset(seed=arguments.seed)
    key, results = jax.random.PRNGKey(arguments.seed), np.zeros(arguments.games)
    over: NDArray[np.bool_] = np.zeros(arguments.games, bool)
    while not over.all():
        key, draw = jax.random.split(key)
        action, _, _ = act(weights, draw, flat(observation), info["action_mask"])
        observation, reward, terminated, truncated, info = envs.step(np.asarray(action))
        results += np.where(over, 0, reward)
        over = over | terminated | truncated
    return float(results.mean())


def train(arguments: argparse.Namespace, run: training.Run[Learner]) -> None:
    """Trains a network."""
    now = run.state
    first, began = run.done, time.perf_counter()
    every = max(1, arguments.updates // 10)
    for update in run:
        steps: dict[str, list[Any]] = {
            name: [] for name in ("inputs", "mask", "action", "chance", "value", "reward", "end")
        }
        for _ in range(arguments.steps):
            now.key, draw = jax.random.split(now.key)
            action, likely, value = (np.asarray(one) for one in act(now.weights, draw, now.inputs, now.mask))
            for name, one in (
                ("inputs", now.inputs),
                ("mask", now.mask),
                ("action", action),
                ("chance", likely),
                ("value", value),
            ):
                steps[name].append(one)
            observation, reward, terminated, truncated, info = now.envs.step(action)
            now.inputs, now.mask = flat(observation), info["action_mask"]
            ended = terminated | truncated
            steps["reward"].append(reward)
            steps["end"].append(ended)
            now.running += reward
            now.results += now.running[ended].tolist()
            now.running[ended] = 0
        batch = {name: np.stack(rows) for name, rows in steps.items()}
        _, _, last = act(now.weights, now.key, now.inputs, now.mask)
        gain = advantages(batch.pop("reward"), batch["value"], batch.pop("end"), np.asarray(last))
        batch |= {"gain": gain.astype(np.float32), "result": (gain + batch.pop("value")).astype(np.float32)}
        rows_of = {name: rows.reshape(-1, *rows.shape[2:]) for name, rows in batch.items()}
        rate = arguments.rate * (1 - update / arguments.updates)
        for _ in range(arguments.epochs):
            for rows in np.array_split(now.chance.permutation(len(gain) * arguments.games), arguments.parts):
                part = {name: one[rows] for name, one in rows_of.items()}
                now.weights, now.moments = improve(now.weights, now.moments, part, rate)
        if (update + 1) % every == 0:
            now.curve.append(float(np.mean(now.results)) if now.results else float("nan"))
            steps_per_update = arguments.steps * arguments.games
            speed = (update + 1 - first) * steps_per_update / (time.perf_counter() - began)
            training.log(
                f"update {update + 1:4}: {(update + 1) * steps_per_update:8} steps, {len(now.results):5} games, "
                f"mean result {now.curve[-1]:+.3f}, {speed:.0f} steps/s"
            )
            now.results = []


def main() -> None:
    parser = argparse.ArgumentParser(description="Learns a game by proximal policy optimization.")
    parser.add_argument("--env", default="fourfold.gymnasium:fourfold/BlokusDuo-v1")
    parser.add_argument("--option", action="append", help="an option of the environment as name=value; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--games", type=int, default=64, help="number of games played in parallel")
    parser.add_argument("--steps", type=int, default=16, help="steps per game between updates")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--parts", type=int, default=4, help="minibatches per epoch")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--rate", type=float, default=1e-3)
    training.add_arguments(parser, "ppo_gymnasium")
    arguments = parser.parse_args()
    if arguments.option is None:
        arguments.option = ["size=7", "starts=corners", "player=alternate"] if "BlokusDuo" in arguments.env else []

    print(f"{arguments.env}, seed {arguments.seed}")
    run = training.Run(arguments, arguments.updates, lambda: start(arguments))
    train(arguments, run)
    if not run.finished:
        return
    curve = run.state.curve
    training.report_bots(lambda level: play(run.state.weights, arguments, level))
    print(f"mean result from {curve[0]:+.3f} to {curve[-1]:+.3f}")
    curves.report(arguments.env, "mean result", curve, arguments.plot, every=arguments.updates / len(curve))


if __name__ == "__main__":
    main()
