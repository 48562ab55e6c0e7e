"""The former name of :mod:`fourfold.legacy`."""

import warnings

from fourfold.legacy import *  # noqa: F403

warnings.warn("fourfold.seed has been renamed to fourfold.legacy", DeprecationWarning, stacklevel=2)
