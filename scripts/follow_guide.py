#!/usr/bin/env python3
"""Follows docs/guide/adding-a-game.md literally: copies the repository into target/guide, makes the changes of the guide
there, tests the environment, runs the Python of the guide, counts with perft, and plays the game in a browser.

`./test guide` runs this with the Python that has the requirements of the package.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
GUIDE = ROOT / "docs/guide/adding-a-game.md"
BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<language>\w+)\n(?P<code>.*?\n)```\n", re.DOTALL)
PLACE = re.compile(r"In `(?P<file>[^`]+)`, (?P<side>after|before) `(?P<text>[^`]+)`:$")
FILE = re.compile(r"`(?P<file>[^`]+)`:$")


def copy_repository(folder: Path) -> None:
    """Copies the files that git does not ignore. Unchanged files are not touched, so that Cargo does not recompile them."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    wanted = {name for name in listed.stdout.split("\0") if (ROOT / name).is_file()}
    for path in folder.rglob("*"):
        if path.is_file() and str(path.relative_to(folder)) not in wanted:
            path.unlink()
    for name in wanted:
        source, copy = ROOT / name, folder / name
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)


def apply(guide: str, folder: Path) -> str:
    """Makes the changes of the guide in a folder, and returns its Python."""
    python = ""
    for block in BLOCK.finditer(guide):
        before, code = block["before"], block["code"]
        if place := PLACE.search(before):
            path = folder / place["file"]
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            found = [index for index, line in enumerate(lines) if place["text"] in line]
            if not found:
                sys.exit(f"{place['file']} has no line with '{place['text']}'")
            lines.insert(found[0] + (place["side"] == "after"), code)
            path.write_text("".join(lines), encoding="utf-8")
        elif place := FILE.search(before):
            path = folder / place["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(code, encoding="utf-8")
        elif block["language"] == "python":
            python += code
        else:
            sys.exit(f"the guide does not name the file of a block: {code[:60]!r}")
    return python


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture", type=Path, help="also take a picture of the game in the browser")
    parser.add_argument("--no-browser", action="store_true", help="do not play in a browser")
    parser.add_argument("--build", type=Path, default=TARGET / "guide/build", help="the target folder of Cargo")
    arguments = parser.parse_args()
    folder, build = TARGET / "guide/copy", arguments.build.resolve()
    environment = {
        **os.environ,
        "CARGO_TARGET_DIR": str(build),
        "PYO3_BUILD_EXTENSION_MODULE": "1",
        "FOURFOLD": str(build / "debug/fourfold"),
        "PYTHONPATH": str(folder / "python"),
    }

    def run(*command: str | Path, cwd: Path = folder, **more: str) -> str:
        print("-->", *command, flush=True)
        result = subprocess.run(
            command, cwd=cwd, env={**environment, **more}, stdout=subprocess.PIPE, text=True, check=False
        )
        if result.returncode != 0:
            print(result.stdout, file=sys.stderr)
            sys.exit(f"failed with exit code {result.returncode}: {' '.join(map(str, command))}")
        return result.stdout

    copy_repository(folder)
    python = apply(GUIDE.read_text(encoding="utf-8"), folder)
    cargo = ["cargo", "--offline"] if os.environ.get("CARGO_NET_OFFLINE") else ["cargo"]
    passed = run(*cargo, "test", "--quiet", "-p", "fourfold-env", "--lib", "hexapawn")
    if "1 passed" not in passed:
        sys.exit(f"the conformance test did not run:\n{passed}")
    run(*cargo, "build", "--quiet", "-p", "fourfold-py", "-p", "fourfold")
    extension = "lib_core.dylib" if sys.platform == "darwin" else "lib_core.so"
    shutil.copy(build / "debug" / extension, folder / "python/fourfold/_core.abi3.so")
    run(sys.executable, "-c", python)
    counted = run(build / "debug/fourfold", "perft", "6", "--game", "hexapawn")
    if counted != "nodes 64\n":
        sys.exit(f"perft: expected 64 nodes, got {counted}")
    if not arguments.no_browser:
        picture = str(arguments.picture.resolve()) if arguments.picture else ""
        run("node", "--test", ROOT / "browser/guide.test.js", cwd=ROOT, PICTURE=picture)


if __name__ == "__main__":
    main()
