"""The compiled GPU kernels belong to the sources in the tree."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MODULES = ROOT / "crates/cuda/modules"


def test_modules_are_not_stale() -> None:
    found = subprocess.run(
        [sys.executable, "scripts/kernels", "--digest"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    recorded = (MODULES / "sources.sha256").read_text(encoding="utf-8")
    assert found.stdout == recorded, "the sources of the GPU kernels have changed: run scripts/kernels"


def test_modules_have_all_kernels() -> None:
    source = (ROOT / "ptx/src/lib.rs").read_text(encoding="utf-8")
    blocks = [block.split("\n}\n")[0] for block in source.split("\nkernels! {\n")[1:]]
    for_batches, for_rows = ([line.split(":")[0].strip() for line in block.splitlines()] for block in blocks)
    assert "check" in for_batches and "check_rows" in for_rows
    modules = sorted(MODULES.glob("*.ptx.gz"))
    assert len(modules) == 12
    for module in modules:
        names = for_rows if module.name.endswith("_rows.ptx.gz") else for_batches
        ptx = gzip.decompress(module.read_bytes()).decode()
        assert [name for name in names if f".visible .entry {name}(" not in ptx] == [], module.name


def test_modules_do_not_trigger_a_fault_of_the_assembler() -> None:
    for module in MODULES.glob("*.ptx.gz"):
        ptx = gzip.decompress(module.read_bytes()).decode()
        assert re.search(r"\b(min|max)\.[us]16", ptx) is None, f"{module.name}: see scripts/kernels"


def test_modules_contain_no_paths_of_a_machine() -> None:
    for module in MODULES.glob("*.ptx.gz"):
        ptx = gzip.decompress(module.read_bytes()).decode()
        # Names of source files are lists of bytes, ended by ".rs".
        strings = [bytes(map(int, found.split(", "))) for found in re.findall(r"\{((?:\d+, )+46, 114, 115)\}", ptx)]
        assert strings, module.name
        assert [name for name in strings if name.startswith(b"/") or b"index." in name] == [], module.name


def test_an_unknown_game_is_refused() -> None:
    found = subprocess.run(
        [sys.executable, "scripts/kernels", "ches"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 1
    assert "unknown game ches: expected some of chess, four_player" in found.stderr
