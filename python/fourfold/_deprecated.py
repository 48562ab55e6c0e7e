"""Former names, for one release."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any


def renamed(module: Mapping[str, Any], names: Mapping[str, str]) -> Callable[[str], Any]:
    """Returns a module's ``__getattr__`` that maps former names to new ones, with a warning."""

    def getattr_(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module['__name__']!r} has no attribute {name!r}")
        message = f"{module['__name__']}.{name} has been renamed to {names[name]}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return module[names[name]]

    return getattr_
