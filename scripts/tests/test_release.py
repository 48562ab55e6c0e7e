"""The release script refuses what cannot be released, before it does anything else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def git(tree: Path, *arguments: str) -> None:
    who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=tree, check=True, capture_output=True)


def release(tree: Path, *arguments: str) -> tuple[int, str]:
    found = subprocess.run(
        [tree / "scripts/release", *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    return found.returncode, found.stdout + found.stderr


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small repository that can be released, whose tests fail if they are run."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/release", tmp_path / "scripts/release")
    (tmp_path / "test").write_text("#!/bin/sh\necho the tests run\nexit 1\n", encoding="utf-8")
    (tmp_path / "test").chmod(0o755)
    (tmp_path / "Cargo.toml").write_text(
        '[workspace.dependencies]\nother = { version = "9.9.9" }\n\n[workspace.package]\nversion = "1.2.3"\nedition = "2024"\n',
        encoding="utf-8",
    )
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2026-01-31)\n\n- All.\n", encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def commit(tree: Path) -> None:
    git(tree, "add", "--all")
    git(tree, "commit", "--quiet", "--message", "Change something")


def test_a_tree_that_is_ready_is_not_refused(tree: Path) -> None:
    assert release(tree, "--check") == (0, "release: 1.2.3 can be released\n")


def test_a_release_runs_the_tests_first(tree: Path) -> None:
    code, said = release(tree)
    assert code == 1 and said.endswith("the tests run\n")


@pytest.mark.parametrize("name", ["Cargo.toml", "new.txt"])
def test_changes_are_refused(tree: Path, name: str) -> None:
    with (tree / name).open("a", encoding="utf-8") as file:
        file.write("# more\n")
    code, said = release(tree)
    assert code == 1 and "uncommitted changes" in said and name in said and "the tests run" not in said


@pytest.mark.parametrize(
    "heading", ["1.2.3 (unreleased)", "1.2.3", "1.2.4 (2026-01-31)", "1.2.30 (2026-01-31)", "1x2.3 (2026-01-31)"]
)
def test_a_changelog_without_the_version_is_refused(tree: Path, heading: str) -> None:
    (tree / "CHANGELOG.md").write_text(f"# Changelog\n\n## {heading}\n\n- All.\n", encoding="utf-8")
    commit(tree)
    code, said = release(tree)
    assert code == 1 and "no heading '## 1.2.3 (YYYY-MM-DD)'" in said and "the tests run" not in said


def test_a_version_that_is_released_is_refused(tree: Path) -> None:
    git(tree, "tag", "v1.2.3")
    code, said = release(tree)
    assert code == 1 and "v1.2.3 is already released" in said and "the tests run" not in said


def test_the_version_of_this_tree_is_found() -> None:
    found = subprocess.run([ROOT / "scripts/release", "--check"], capture_output=True, text=True, check=False)
    assert "Cargo.toml has no version" not in found.stderr
