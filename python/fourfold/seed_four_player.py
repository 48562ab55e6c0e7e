"""The former name of :mod:`fourfold.legacy_four_player`."""

import warnings

from fourfold.legacy_four_player import *  # noqa: F403

warnings.warn(
    "fourfold.seed_four_player has been renamed to fourfold.legacy_four_player", DeprecationWarning, stacklevel=2
)
