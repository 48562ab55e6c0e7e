"""Former names, which work for one release and warn."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


def renamed(module: Mapping[str, Any], names: Mapping[str, str]) -> Callable[[str], Any]:
    """Returns a module's ``__getattr__`` that maps former names to new ones."""

    def getattr_(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module['__name__']!r} has no attribute {name!r}")
        _warn(f"{module['__name__']}.{name}", names[name])
        return module[names[name]]

    return getattr_


def module(old: str, new: str) -> None:
    """Warns the importer of a module with a former name, which calls this at its top level."""
    _warn(old, new, stacklevel=4)


def attribute(old: str, new: str, values: Mapping[str, str] | None = None) -> property:
    """Returns an attribute or method with a former name. ``values`` maps new values of the attribute to former ones."""

    def get(self: Any) -> Any:
        _warn(f"{type(self).__name__}.{old}", new)
        found = getattr(self, new)
        return found if values is None else values.get(found, found)

    return property(get)


def arguments(
    *, names: Mapping[str, str] | None = None, values: Mapping[str, Mapping[str, str]] | None = None
) -> Callable[[Callable[_Parameters, _Result]], Callable[_Parameters, _Result]]:
    """Decorates a function that accepts former names of keyword arguments, and former values of some of them."""
    new_names, new_values = names or {}, values or {}

    def decorate(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
        @functools.wraps(function)
        def call(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
            for old, new in new_names.items():
                if old in kwargs:
                    if new in kwargs:
                        raise TypeError(f"expected {new} without {old}, its former name")
                    _warn(f"the argument {old}", new)
                    kwargs[new] = kwargs.pop(old)
            for name, former in new_values.items():
                given = kwargs.get(name)
                if isinstance(given, str) and given in former:
                    _warn(f"the {name} {given!r}", repr(former[given]))
                    kwargs[name] = former[given]
            return function(*args, **kwargs)

        return call

    return decorate


def _warn(old: str, new: str, stacklevel: int = 3) -> None:
    warnings.warn(f"{old} has been renamed to {new}", DeprecationWarning, stacklevel=stacklevel)
