"""Environments inside ``jax.jit``, ``jax.vmap`` and ``jax.lax.scan``, with the interface of Pgx.

>>> import fourfold.jax, jax
>>> env = fourfold.jax.make("chess")
>>> init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
>>> state = init(jax.random.split(jax.random.key(0), 64))
>>> actions = jax.vmap(env.sample)(state, jax.random.split(jax.random.key(1), 64))
>>> state = step(state, actions)
>>> state.observation.shape, state.legal_action_mask.shape, int(state.current_player[0])
((64, 8, 8, 119), (64, 4672), 1)
"""

from fourfold.jax._version import check_version as _check_version

_check_version()

from fourfold.jax._conformance import conformance  # noqa: E402  # needs a version of JAX that has been checked
from fourfold.jax._env import Env, auto_reset, make  # noqa: E402
from fourfold.jax._state import State  # noqa: E402

__all__ = ["Env", "State", "auto_reset", "conformance", "make"]
