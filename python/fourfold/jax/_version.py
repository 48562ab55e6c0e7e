"""The versions of JAX that the environments work with."""

from __future__ import annotations

import re

OLDEST = (0, 5, 0)
"""The oldest version of JAX that the tests run with. Earlier ones have no public ``jax.ffi``."""


def check_version(found: str | None = None) -> None:
    """Raises an error unless JAX is installed in a version that works.

    >>> check_version("0.4.38")
    Traceback (most recent call last):
        ...
    ImportError: fourfold.jax needs JAX 0.5.0 or later, got 0.4.38: run pip install --upgrade jax
    """
    if found is None:
        try:
            import jax
        except ImportError:
            raise ImportError(
                "fourfold.jax needs JAX, which is not installed: run pip install 'fourfold[jax]'"
            ) from None
        found = jax.__version__
    numbers = tuple(int(part) for part in re.findall(r"\d+", found)[:3])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise ImportError(f"fourfold.jax needs JAX {oldest} or later, got {found}: run pip install --upgrade jax")
