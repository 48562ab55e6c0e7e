"""Docstrings as Markdown: examples become blocks of code, and roles plain names."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
ROLE = re.compile(r":(?:attr|class|func|meth|mod):`([^`]+)`")


class Docstrings(Extension):
    """Changes docstrings as they are read."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        if obj.docstring is not None:
            text = EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
            obj.docstring.value = ROLE.sub(r"`\1`", text)
