"""Tells Gymnasium the names of our environments, without loading what plays them."""

from __future__ import annotations

NAMES = {
    "Chess": "chess",
    "FourPlayer": "four_player",
    "Blokus": "blokus",
    "BlokusDuo": "blokus_duo",
    "KungFu": "kung_fu",
    "KungFu4P": "kung_fu_4p",
}
"""What Gymnasium calls our games."""

VERSION = 1


def register() -> None:
    """Registers ``fourfold/Chess-v1`` and so on. Gymnasium calls this when it is imported; once more does
    no harm."""
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
