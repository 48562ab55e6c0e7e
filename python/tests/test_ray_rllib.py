"""Training with RLlib: for a minute with `./test --full`, otherwise for a few seconds."""

import os
import time
from importlib import import_module

import numpy as np
import pytest

torch = pytest.importorskip("torch")
# Ray reads these when it is imported: tests write no token to the home folder and send no usage statistics.
os.environ.update(RAY_AUTH_MODE="disabled", RAY_USAGE_STATS_ENABLED="0")
rllib = pytest.importorskip("ray.rllib", exc_type=ImportError)
ray = import_module("ray")
fourfold_ray = import_module("fourfold.ray")
PPOConfig = import_module("ray.rllib.algorithms.ppo").PPOConfig
specs = import_module("ray.rllib.core.rl_module")
TorchRLModule = import_module("ray.rllib.core.rl_module.torch").TorchRLModule
ValueFunctionAPI = import_module("ray.rllib.core.rl_module.apis.value_function_api").ValueFunctionAPI

SECONDS = 60 if os.environ.get("FOURFOLD_FULL") else 8


class Masked(TorchRLModule, ValueFunctionAPI):
    """A small network whose illegal actions have probability 0, where the observation has a mask."""

    def setup(self):
        planes = self.observation_space
        size = int(np.prod((planes["observation"] if hasattr(planes, "spaces") else planes).shape))
        self.body = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(size, 32), torch.nn.ReLU())
        self.policy, self.value = torch.nn.Linear(32, int(self.action_space.n)), torch.nn.Linear(32, 1)

    def _hidden(self, batch):
        seen = batch["obs"]
        return self.body((seen["observation"] if isinstance(seen, dict) else seen).float())

    def _forward(self, batch, **_):
        logits = self.policy(self._hidden(batch))
        if isinstance(batch["obs"], dict):
            logits = logits.masked_fill(batch["obs"]["action_mask"] == 0, -1e9)
        return {"action_dist_inputs": logits}

    def compute_values(self, batch, embeddings=None):
        return self.value(self._hidden(batch)).squeeze(-1)


@pytest.fixture(scope="module")
def local_ray():
    ray.cloudpickle.register_pickle_by_value(import_module(__name__))
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.parametrize("name", ["fourfold/Chess-v1", "fourfold/KungFu-v1", "fourfold/Chess-v1/single"])
def test_training(local_ray, name):
    assert name in fourfold_ray.register_environments()
    several = not name.endswith("/single")
    module = specs.RLModuleSpec(module_class=Masked)
    config = (
        PPOConfig()
        .environment(name, env_config={"max_steps": 40} if "Chess" in name else {"max_ticks": 400})
        .env_runners(num_env_runners=1)
        .training(train_batch_size_per_learner=200, minibatch_size=100, num_epochs=1)
        .rl_module(rl_module_spec=specs.MultiRLModuleSpec(rl_module_specs={"all": module}) if several else module)
    )
    if several:
        config = config.multi_agent(policies={"all"}, policy_mapping_fn=lambda *_, **__: "all")
    algorithm = config.build_algo()
    try:
        learner = "all" if several else "default_policy"
        before = algorithm.get_module(learner).get_state()["value.weight"].copy()
        began, iterations = time.monotonic(), 0
        while time.monotonic() - began < SECONDS or iterations < 2:
            result = algorithm.train()
            iterations += 1
            assert np.isfinite(result["learners"][learner]["total_loss"])
        assert result["env_runners"]["num_env_steps_sampled_lifetime"] >= 200 * iterations
        assert not np.array_equal(before, algorithm.get_module(learner).get_state()["value.weight"])
    finally:
        algorithm.stop()
