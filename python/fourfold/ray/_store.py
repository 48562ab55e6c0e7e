"""The folder with the shards of a run, on any file system that pyarrow or fsspec knows."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.fs
import pyarrow.parquet

_RUN = "_run.json"
"""The file with the arguments of a run. Readers of Parquet folders ignore names that start with an underscore or a
dot."""


def resolve(path: str | os.PathLike[str], filesystem: Any = None) -> tuple[Any, str]:
    """Returns the pyarrow file system of a path or URI, and the path there."""
    text = os.fspath(path)
    if filesystem is not None:
        if not isinstance(filesystem, pyarrow.fs.FileSystem):
            filesystem = pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(filesystem))
        return filesystem, text
    if "://" not in text:
        return pyarrow.fs.LocalFileSystem(), os.path.abspath(text)
    try:
        found: tuple[Any, str] = pyarrow.fs.FileSystem.from_uri(text)
    except (ValueError, pyarrow.ArrowException) as error:
        raise ValueError(
            f"'{text}': {error}; for other file systems, pass a path and filesystem=, which may be one of fsspec"
        ) from None
    return found


class Store:
    """A folder for the shards of one run. It can be pickled."""

    def __init__(self, out: str | os.PathLike[str], filesystem: Any, count: int) -> None:
        self.filesystem, self.folder = resolve(out, filesystem)
        self.count = count

    def begin(self, run: dict[str, Any], inputs: list[Any] | None = None) -> None:
        """Creates the folder, or checks that it has the shards of the same run. ``inputs``, one for each shard, may
        have changed where the shard is missing, so that a bad file can be replaced."""
        known = self.known_run()
        text = json.dumps({**run, "inputs": inputs} if inputs else run, indent=1, default=str)
        if known is None:
            self.filesystem.create_dir(self.folder, recursive=True)
            self._put(text.encode(), _RUN)
        else:
            replaced = inputs is not None and self._may_replace(known.get("inputs"), inputs)
            if replaced:
                known["inputs"] = inputs
            for name, value in json.loads(text).items():
                if name not in known or known[name] != value:
                    raise ValueError(
                        f"'{self.folder}' has another run, with {name}={known.get(name)!r} instead of {value!r}: "
                        "use the same arguments to continue it, or another folder"
                    )
            if replaced:
                self._put(text.encode(), _RUN)

    def _may_replace(self, known: Any, inputs: list[Any]) -> bool:
        """Returns whether inputs have changed, but not those of finished shards."""
        if known == inputs or not isinstance(known, list) or len(known) != len(inputs):
            return False
        return not any(self.has(index) for index, value in enumerate(inputs) if known[index] != value)

    def known_run(self) -> dict[str, Any] | None:
        """Returns the arguments of the run whose shards the folder has, if there is one."""
        path = f"{self.folder}/{_RUN}"
        if self.filesystem.get_file_info(path).type == pyarrow.fs.FileType.NotFound:
            return None
        with self.filesystem.open_input_stream(path) as stream:
            found: dict[str, Any] = json.loads(stream.read())
        return found

    def keep_first(self, count: int) -> None:
        """Deletes all shards but the first ones."""
        for index in filter(self.has, range(count, self.count)):
            self.filesystem.delete_file(self.path(index))

    def end(self) -> None:
        """Removes what lost workers left behind."""
        for info in self.filesystem.get_file_info(pyarrow.fs.FileSelector(self.folder)):
            if info.base_name.startswith(".") and info.base_name.endswith(".partial"):
                is_folder = info.type == pyarrow.fs.FileType.Directory
                (self.filesystem.delete_dir if is_folder else self.filesystem.delete_file)(info.path)

    def name(self, index: int) -> str:
        """Returns the name of the file of a shard."""
        return f"shard-{index:05}-of-{self.count:05}.parquet"

    def path(self, index: int) -> str:
        """Returns the path of the file of a shard."""
        return f"{self.folder}/{self.name(index)}"

    def has(self, index: int) -> bool:
        """Returns whether a shard is finished."""
        found: bool = self.filesystem.get_file_info(self.path(index)).type == pyarrow.fs.FileType.File
        return found

    def write(self, index: int, write: Callable[[Path], None]) -> None:
        """Calls ``write`` with a temporary file, and moves it to its place. Several workers may write the same shard."""
        # Where a file can be renamed, it is written next to its place, because a copy takes seconds per gigabyte.
        is_local = isinstance(self.filesystem, pyarrow.fs.LocalFileSystem)
        place: dict[str, Any] = {"prefix": ".", "suffix": ".partial", "dir": self.folder} if is_local else {}
        with tempfile.TemporaryDirectory(**place) as folder:
            path = Path(folder) / "shard.parquet"
            write(path)
            if is_local:
                os.replace(path, self.path(index))
            else:
                self._put(path, self.name(index))

    def metadata(self, index: int) -> tuple[int, dict[bytes, bytes]]:
        """Returns the number of rows of a finished shard, and the metadata of its file."""
        found = pyarrow.parquet.read_metadata(self.path(index), filesystem=self.filesystem)
        return found.num_rows, found.metadata or {}

    def read(self, index: int) -> Any:
        """Returns the table of a finished shard."""
        return pyarrow.parquet.ParquetFile(self.path(index), filesystem=self.filesystem).read()

    def _put(self, content: bytes | Path, name: str) -> None:
        partial = f"{self.folder}/.{name}.{uuid.uuid4().hex}.partial"
        try:
            with self.filesystem.open_output_stream(partial) as stream:
                if isinstance(content, bytes):
                    stream.write(content)
                else:
                    with content.open("rb") as file:
                        shutil.copyfileobj(file, stream, 1 << 20)
        except OSError:
            if self.filesystem.get_file_info(partial).type == pyarrow.fs.FileType.File:
                self.filesystem.delete_file(partial)
            raise
        self.filesystem.move(partial, f"{self.folder}/{name}")
