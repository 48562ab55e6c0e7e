"""Pictures and animations of boards, for notebooks and files."""

from __future__ import annotations

import html
import importlib.util
import io
import itertools
import pathlib
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Theme = Literal["light", "dark"]

_numbers = itertools.count(1)


def pixels(size: int) -> int:
    """Checks that a width can be drawn, and returns it."""
    if not 16 <= size <= 10_000:
        raise ValueError(f"expected size from 16 to 10000, got {size}")
    return size


def require_rasterizer() -> None:
    """Raises an error if the packages that :func:`rgb` needs are not installed."""
    for module in ("resvg_py", "PIL"):
        if importlib.util.find_spec(module) is None:
            raise ImportError(
                f"rendering to pixels needs {module}, which is not installed: run pip install 'fourfold[rendering]'"
            )


def rgb(svg: str) -> NDArray[np.uint8]:
    """Returns an SVG as pixels (height, width, 3). Text is left out, so that the result does not depend on the fonts
    of the machine."""
    import PIL.Image
    import resvg_py

    png = resvg_py.svg_to_bytes(svg_string=svg, background="white", skip_system_fonts=True)
    with PIL.Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)


def milliseconds(name: str, seconds: float) -> int:
    """Checks a duration in seconds, and returns it in milliseconds."""
    if not 0 <= seconds <= 3600:
        raise ValueError(f"expected {name} from 0 to 3600, got {seconds}")
    return round(seconds * 1000)


class Animation:
    """An animation of a game, which notebooks show with a button and a slider. Made by ``animation()`` of a
    board. The animation itself is a single SVG, which plays on any page without scripts."""

    def __init__(self, svg: str, duration: float) -> None:
        self._svg = svg
        self._duration = duration

    @property
    def svg(self) -> str:
        """The animation as an SVG that loops."""
        return self._svg

    @property
    def duration(self) -> float:
        """The duration in seconds."""
        return self._duration

    def save(self, path: str | pathlib.Path) -> None:
        """Saves the animation to a file: alone if its name ends with ``.svg``, or on a page with a button and
        a slider if it ends with ``.html``."""
        path = pathlib.Path(path)
        if path.suffix == ".svg":
            text = self._svg
        elif path.suffix == ".html":
            text = f'<!doctype html>\n<meta charset="utf-8">\n<title>Fourfold</title>\n{self._repr_html_()}\n'
        else:
            raise ValueError(f"expected a file name that ends with .svg or .html, got '{path}'")
        path.write_text(text, encoding="utf-8")

    def _repr_html_(self) -> str:
        """Shows the animation in notebooks. Where scripts may not run, it plays without button and slider."""
        name = f"fourfold-animation-{next(_numbers)}"
        return _PLAYER.format(name=name, svg=self._svg, duration=self._duration)

    def __repr__(self) -> str:
        return f"<fourfold animation of {self._duration:.1f} s>"


# The SVG keeps the time; the script reads and sets it. Every output gets a new id.
_PLAYER = """\
<div id="{name}" style="display:inline-block;max-width:100%">{svg}\
<div hidden style="display:flex;gap:.6em;align-items:center;font:14px system-ui,sans-serif">\
<button type="button" style="width:5em;padding:.2em 0">Pause</button>\
<input type="range" min="0" max="{duration}" step="any" value="0" aria-label="Time" style="flex:1">\
</div></div>
<script>(() => {{
  const root = document.getElementById("{name}");
  const svg = root.querySelector("svg"), bar = root.lastElementChild;
  const button = bar.querySelector("button"), slider = bar.querySelector("input");
  bar.hidden = false;
  svg.style.cssText = "display:block;max-width:100%;height:auto";
  const show = () => {{ button.textContent = svg.animationsPaused() ? "Play" : "Pause"; }};
  button.onclick = () => {{
    svg.animationsPaused() ? svg.unpauseAnimations() : svg.pauseAnimations();
    show();
  }};
  slider.oninput = () => {{
    svg.pauseAnimations();
    svg.setCurrentTime(Math.min(Number(slider.value), {duration} - 0.001));
    show();
  }};
  const follow = () => {{
    if (!root.isConnected) return;
    if (!svg.animationsPaused()) slider.value = svg.getCurrentTime() % {duration};
    requestAnimationFrame(follow);
  }};
  follow();
}})();</script>"""


def boards(title: str, draw: Callable[[int], str], count: int, *, shown: int = 8) -> str:
    """Returns HTML with the first games side by side."""
    pictures = "".join(
        f'<figure style="margin:0"><figcaption>{game}</figcaption>{draw(game)}</figure>'
        for game in range(min(count, shown))
    )
    more = f"<p>and {count - shown} more</p>" if count > shown else ""
    return (
        f"<p><code>{html.escape(title)}</code></p>"
        f'<div style="display:flex;flex-wrap:wrap;gap:12px;font:12px system-ui,sans-serif">{pictures}</div>{more}'
    )


def table(title: str, rows: list[tuple[str, str, Any]]) -> str:
    """Returns an HTML table of names, shapes and values."""
    cells = "".join(
        f'<tr><th style="text-align:left">{html.escape(name)}</th><td style="text-align:left">'
        f"<code>{html.escape(kind)}</code></td><td style='text-align:left'>{html.escape(str(value))}</td></tr>"
        for name, kind, value in rows
    )
    return f"<table><caption>{html.escape(title)}</caption>{cells}</table>"
