"""The guide to adding a game names files and places that exist. `./test guide` also builds the result."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

import follow_guide


def test_the_guide_can_be_followed(tmp_path: Path) -> None:
    guide = follow_guide.GUIDE.read_text(encoding="utf-8")
    places = [follow_guide.PLACE.search(block["before"]) for block in follow_guide.BLOCK.finditer(guide)]
    for file in {place["file"] for place in places if place}:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(follow_guide.ROOT / file, tmp_path / file)
    python = follow_guide.apply(guide, tmp_path)
    assert 'fourfold.make("hexapawn"' in python
    assert (tmp_path / "crates/hexapawn/src/lib.rs").is_file()
    entries = (tmp_path / "crates/env/src/batch/make.rs").read_text(encoding="utf-8").split("games! {\n")[1]
    assert entries.lstrip().startswith("crate::hexapawn::Hexapawn")


def test_a_place_that_does_not_exist_is_named(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("one\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="list.txt has no line with 'two'"):
        follow_guide.apply("In `list.txt`, after `two`:\n\n```text\nthree\n```\n", tmp_path)
