"""The former name of :mod:`fourfold.legacy_four_player`."""

from fourfold import _deprecated
from fourfold.legacy_four_player import *  # noqa: F403

_deprecated.module(__name__, "fourfold.legacy_four_player")
