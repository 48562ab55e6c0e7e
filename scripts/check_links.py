"""Finds broken links in documents that are not pages of the site: `check_links.py README.md CONTRIBUTING.md`.

Relative links must lead to a file or folder of the repository, and anchors to a heading as GitHub names it. Links to
other hosts are not checked. The pages of the site are checked by `mkdocs build --strict`.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import markdown
from pymdownx.slugs import slugify


class Page(HTMLParser):
    """The links and anchors of a document."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        extensions = ["attr_list", "tables", "toc", "pymdownx.superfences"]
        settings = {"toc": {"slugify": slugify(case="lower")}}
        text = path.read_text(encoding="utf-8")
        self.feed(markdown.markdown(text, extensions=extensions, extension_configs=settings))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.anchors.add(value)


def broken(path: Path) -> list[str]:
    """Returns a message for each broken link of a document."""
    found = []
    for link in Page(path).links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = path.parent / unquote(parts.path) if parts.path else path
        if not target.exists():
            found.append(f"{path}: broken link to {link}")
        elif parts.fragment and target.suffix == ".md" and parts.fragment not in Page(target).anchors:
            found.append(f"{path}: broken link to {link}: {target} has no such heading")
    return found


def main() -> int:
    faults = [fault for name in sys.argv[1:] for fault in broken(Path(name))]
    print("\n".join(faults) or f"no broken links in {len(sys.argv) - 1} documents")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
