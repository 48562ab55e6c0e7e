"""Rollouts, matches and analysis on a Ray cluster, or on all cores of one machine.

Work is cut into shards, which depend only on the arguments: the output has the same bytes on any cluster, also if
machines are lost on the way, and a call that was interrupted continues where it stopped. Needs
``pip install fourfold[ray]``. ``docs/guide/ray.md`` in the repository is the guide.
"""

from fourfold.ray._analyze import AnalysisOutput, analyze
from fourfold.ray._inference import Inference
from fourfold.ray._match import MatchOutput, match
from fourfold.ray._rllib import register_environments
from fourfold.ray._rollout import RolloutOutput, rollout
from fourfold.ray._shards import ShardError

__all__ = [
    "AnalysisOutput",
    "Inference",
    "MatchOutput",
    "RolloutOutput",
    "ShardError",
    "analyze",
    "match",
    "register_environments",
    "rollout",
]
