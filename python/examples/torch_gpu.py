"""Learns Blokus Duo by REINFORCE on a GPU, with PyTorch: `python torch_gpu.py`.

The games are stepped on the GPU, and PyTorch reads their observations and masks where they are: from the first step of a
game to the update of the network, nothing is copied to the host but whether all games are over. Observations are
bfloat16. The learner moves first in half of the games and second in the others, against random moves. `--device
cuda-emulated` runs everything on the CPU, slowly. Ctrl-C saves and stops; `--resume` continues.
"""

from __future__ import annotations

import argparse
from typing import Any

import curves
import numpy as np
import training
from numpy.typing import NDArray

import fourfold

try:
    import torch
except ImportError:
    raise SystemExit("this example needs PyTorch: pip install torch") from None

HIDDEN = 256
ENTROPY = 0.01
"""The weight of the entropy bonus."""


class Learner:
    """A network with one hidden layer for logits and value, and its optimizer. It can be pickled."""

    def __init__(self, inputs: int, actions: int, device: str, seed: int) -> None:
        self.arguments = inputs, actions, device, seed
        torch.manual_seed(seed)
        # The last output is the value.
        layers = torch.nn.Linear(inputs, HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, actions + 1)
        self.net = torch.nn.Sequential(*layers).to(device)
        self.adam = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def forward(self, inputs: Any, legal: Any) -> tuple[Any, Any]:
        """Returns the logarithms of the probabilities of all actions, and the values from 0 to 1."""
        with torch.autocast(inputs.device.type, torch.bfloat16):
            outputs = self.net(inputs).float()
        return torch.log_softmax(outputs[:, :-1].masked_fill(~legal, -1e9), dim=1), outputs[:, -1].sigmoid()

    def learn(self, inputs: Any, legal: Any, actions: Any, results: Any) -> None:
        """Makes actions more likely whose results were better than predicted."""
        logs, values = self.forward(inputs, legal)
        advantages = results - values.detach()
        advantages = advantages / (advantages.std() + 1e-6)
        policy = -(advantages * logs.gather(1, actions[:, None])[:, 0]).mean()
        entropy = -(logs.exp() * logs.masked_fill(~legal, 0)).sum(dim=1).mean()
        loss = policy + ((values - results) ** 2).mean() - ENTROPY * entropy
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()

    def __getstate__(self) -> dict[str, Any]:
        weights = {name: weight.cpu() for name, weight in self.net.state_dict().items()}
        return {"arguments": self.arguments, "weights": weights, "adam": self.adam.state_dict()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Learner.__init__(self, *state["arguments"])
        self.net.load_state_dict(state["weights"])
        self.adam.load_state_dict(state["adam"])


def inputs_of(observation: Any, pieces: Any) -> Any:
    """Returns planes and pieces left as one row per game."""
    return torch.cat([observation.flatten(1), pieces.flatten(1).to(observation.dtype)], dim=1)


def seen(state: fourfold.CudaState) -> tuple[Any, Any, Any]:
    """Returns the inputs of the network, the legal actions and the players to move. They share the memory of the
    state, or are computed from it on the GPU."""
    parts = state.observation, state.pieces_left, state.legal_action_mask, state.current_player
    observation, pieces, legal, mover = map(torch.from_dlpack, parts)
    return inputs_of(observation, pieces), legal, mover


def play(env: fourfold.CudaEnvironment, learner: Learner, generator: Any, seed: int) -> tuple[Any, ...]:
    """Plays whole games. Returns inputs, legal actions, actions and results of the learner's moves, and its mean
    result."""
    state = env.reset(seed=seed)
    rows = torch.arange(env.num_envs, device=generator.device)
    mine = rows % 2
    over = torch.zeros(env.num_envs, dtype=torch.bool, device=generator.device)
    result = torch.zeros(env.num_envs, device=generator.device)
    steps = []
    while not over.all():
        inputs, legal, mover = seen(state)
        with torch.no_grad():
            logs, _ = learner.forward(inputs, legal)
        actions = torch.multinomial(logs.exp(), 1, generator=generator)[:, 0]
        turn = (mover == mine) & ~over
        steps.append((inputs, legal, actions, turn))
        state = env.step(torch.where(turn, actions, torch.from_dlpack(env.sample())))
        rewards, ended = torch.from_dlpack(state.rewards), torch.from_dlpack(state.terminated)
        result += torch.where(over, 0, rewards[rows, mine])
        over = over | ended
    inputs, legal, actions, turn = (torch.cat(part) for part in zip(*steps, strict=True))
    results = result.repeat(len(steps))
    return inputs[turn], legal[turn], actions[turn], results[turn], result.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1 and so on, or cuda-emulated")
    parser.add_argument("--games", type=int, default=4096, help="number of games played in parallel")
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--size", type=int, default=7, help="size of the board")
    parser.add_argument("--seed", type=int, default=0)
    training.add_arguments(parser, "torch_gpu")
    arguments = parser.parse_args()
    emulated = arguments.device == "cuda-emulated"
    if not (emulated or torch.cuda.is_available()):
        raise SystemExit("PyTorch finds no GPU; --device cuda-emulated runs this example on the CPU")
    options: dict[str, Any] = {"size": arguments.size, "autoreset": "disabled"}
    env: fourfold.CudaEnvironment = fourfold.make(
        "blokus_duo", arguments.games, device=arguments.device, observation="bfloat16", **options
    )
    device = "cpu" if emulated else env.device
    print(f"seed {arguments.seed}, {arguments.device}")

    def start() -> tuple[Learner, list[float]]:
        inputs = seen(env.reset(seed=0))[0].shape[1]
        return Learner(inputs, env.num_actions, device, arguments.seed), []

    run = training.Run(arguments, arguments.updates, start)
    learner, curve = run.state
    generator = torch.Generator(device)
    for update in run:
        # Depends only on the update, so that a training can be resumed.
        seed = 1_000_003 * arguments.seed + update
        *batch, result = play(env, learner, generator.manual_seed(seed), seed)
        learner.learn(*batch)
        curve.append(float(result))
        if update % max(1, arguments.updates // 20) == 0:
            training.log(f"update {update:4}: mean result {curve[-1]:.3f}")
    if not run.finished:
        return

    def choose(state: fourfold.State) -> NDArray[np.int32]:
        observation, pieces, legal = (
            torch.tensor(array, device=device)
            for array in (state.observation, state.pieces_left, state.legal_action_mask)
        )
        with torch.no_grad():
            logs, _ = learner.forward(inputs_of(observation.bfloat16(), pieces), legal)
        chosen: NDArray[np.int32] = logs.argmax(dim=1).int().cpu().numpy()
        return chosen

    # Bots need games on the CPU.
    test = fourfold.make("blokus_duo", min(arguments.games, 512), device="cpu", **options)
    training.report_bots(lambda level: training.play_bot(test, level, choose, arguments.seed))
    curves.report("Blokus Duo against random moves", "mean result", curve, arguments.plot)


if __name__ == "__main__":
    main()
