"""`./test` skips only what passed before and has not changed since."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TEST = Path(__file__).parents[2] / "test"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a copy of `./test`, a page, and a script in place of a Rust test binary."""
    shutil.copy(TEST, tmp_path / "test")
    (tmp_path / "page.md").write_text("one\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("target\nruns\ncode\n", encoding="utf-8")
    (tmp_path / "code").write_text("0", encoding="utf-8")
    write_binary(tmp_path, "")
    (tmp_path / "target/test/passed").mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path


def write_binary(repository: Path, comment: str) -> None:
    """Writes a script that counts its runs and exits with the code in a file."""
    text = f"#!/bin/sh\n# {comment}\necho run >> runs\nexit $(cat code)\n"
    (repository / "target").mkdir(exist_ok=True)
    (repository / "target/binary").write_text(text, encoding="utf-8")
    (repository / "target/binary").chmod(0o755)


def run(repository: Path, package: str = "fourfold-chess", **environment: str) -> tuple[int, bool]:
    """Returns the exit code, and whether the script ran."""
    before = runs(repository)
    outer = {
        name: value for name, value in os.environ.items() if not name.startswith(("CARGO_", "FOURFOLD_", "PROPTEST_"))
    }
    variables = {**outer, "CARGO_PKG_NAME": package, **environment}
    command = [sys.executable, repository / "test", "--run-binary", repository / "target/binary"]
    code = subprocess.run(command, cwd=repository, env=variables, capture_output=True, check=False).returncode
    return code, runs(repository) > before


def runs(repository: Path) -> int:
    counted = repository / "runs"
    return len(counted.read_text(encoding="utf-8").splitlines()) if counted.exists() else 0


def test_passed_binaries_are_skipped(repository: Path) -> None:
    assert run(repository) == (0, True)
    assert run(repository) == (0, False)
    assert run(repository, FOURFOLD_RUN_ALL="1") == (0, True)
    assert run(repository, FOURFOLD_FULL="1") == (0, True)
    assert run(repository, PROPTEST_CASES="100000") == (0, True)


def test_failed_binaries_run_again(repository: Path) -> None:
    (repository / "code").write_text("1", encoding="utf-8")
    assert run(repository) == (1, True)
    assert run(repository) == (1, True)


def test_a_changed_binary_or_file_is_tested_again(repository: Path) -> None:
    assert run(repository) == (0, True)
    write_binary(repository, "changed")
    assert run(repository) == (0, True)
    (repository / "page.md").write_text("two\n", encoding="utf-8")
    assert run(repository) == (0, True)
    (repository / "new.txt").touch()
    assert run(repository) == (0, True)
    assert run(repository) == (0, False)


def test_tests_that_start_other_programs_always_run(repository: Path) -> None:
    assert run(repository, "fourfold-arena") == (0, True)
    assert run(repository, "fourfold-arena") == (0, True)


def test_a_copy_without_git_runs_everything(repository: Path) -> None:
    shutil.rmtree(repository / ".git")
    for _ in range(2):
        assert run(repository, GIT_CEILING_DIRECTORIES=str(repository.parent)) == (0, True)
