"""The former name of :mod:`fourfold.legacy`."""

from fourfold import _deprecated
from fourfold.legacy import *  # noqa: F403

_deprecated.module(__name__, "fourfold.legacy")
