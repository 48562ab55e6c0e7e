"""Registers our environments with Gymnasium, without importing them."""

from __future__ import annotations

NAMES = {
    "Chess": "chess",
    "FourPlayer": "four_player",
    "Blokus": "blokus",
    "BlokusDuo": "blokus_duo",
    "KungFu": "kung_fu",
    "KungFu4P": "kung_fu_4p",
}
"""Our games by their names in Gymnasium."""

VERSION = 1


def register() -> None:
    """Registers ``fourfold/Chess-v1`` and so on. Gymnasium calls this when it is imported; calling it again
    is harmless."""
    from gymnasium.envs import registration

    for name, game in NAMES.items():
        full = f"fourfold/{name}-v{VERSION}"
        if full not in registration.registry:
            registration.register(
                full,
                entry_point="fourfold.gymnasium:Env",
                vector_entry_point="fourfold.gymnasium:VectorEnv",
                kwargs={"game": game},
            )
