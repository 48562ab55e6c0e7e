"""What the site needs in addition to the pages."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]

SESSION = re.compile(r"^```python$(?=\n>>> )", re.MULTILINE)
RUST = re.compile(r"^```rust\n.*?^```$", re.MULTILINE | re.DOTALL)
HIDDEN = re.compile(r"^# .*\n", re.MULTILINE)
KIND = re.compile(r"^(```\w+) [\w-]+$", re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Python with prompts is a session. Lines of Rust that rustdoc hides are hidden, and the second word of a fence,
    which tests read, is not for the site."""
    markdown = RUST.sub(lambda block: HIDDEN.sub("", block[0]), markdown)
    return KIND.sub(r"\1", SESSION.sub("```pycon", markdown))


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds rustdoc, and the icon of the arena's page. As files of the site they are among those that links may lead
    to, so that a link to a crate that is not there is an error."""
    files.append(File.generated(config, "site/icon.svg", abs_src_path=str(ROOT / "web/icon.svg")))
    rustdoc = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "doc"
    for path in sorted(rustdoc.rglob("*")):
        # Markdown would become a page of ours.
        if path.is_file() and path.suffix != ".md":
            place = f"rustdoc/{path.relative_to(rustdoc).as_posix()}"
            files.append(File.generated(config, place, abs_src_path=str(path)))
    return files
