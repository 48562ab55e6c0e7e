"""Broken links are found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECK = Path(__file__).parents[1] / "check_links.py"


def run(page: Path, text: str) -> tuple[int, str]:
    page.write_text(text, encoding="utf-8")
    found = subprocess.run([sys.executable, CHECK, page], capture_output=True, text=True, check=False)
    assert not found.stderr
    return found.returncode, found.stdout


def test_valid_links_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# What `it` is, and why\n", encoding="utf-8")
    text = (
        "# Here\n[a](other.md) [b](other.md#what-it-is-and-why) [c](#here) [d](https://example.org/x)\n`[e](no.md)`\n"
    )
    code, said = run(tmp_path / "page.md", text)
    assert code == 0, said


def test_broken_links_are_reported(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# Something else\n", encoding="utf-8")
    links = ["gone.md", "other.md#something", "#there", "picture.svg"]
    for link in links:
        code, said = run(tmp_path / "page.md", f"# Here\n\n| a | b |\n|---|---|\n| 1 | [x]({link}) |\n")
        assert code == 1 and link in said
