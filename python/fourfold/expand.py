"""The former name of :mod:`fourfold.unpack`."""

from fourfold import _deprecated
from fourfold.unpack import *  # noqa: F403

_deprecated.module(__name__, "fourfold.unpack")
