"""The default number of threads."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

MAX_THREADS = 1024


def default_threads(environment: Mapping[str, str] = os.environ, root: Path = Path("/")) -> int:
    """Returns the number of threads to use unless one is given: the smallest of the CPUs that this process may
    run on, the CPU limits of its cgroups (version 1 or 2), and ``OMP_NUM_THREADS``, but at least 1.

    >>> default_threads({"OMP_NUM_THREADS": "1"})
    1
    """
    limits = [_affinity(), *cgroup_limits(root)]
    wanted = openmp_threads(environment)
    if wanted is not None:
        limits.append(wanted)
    return max(1, min(MAX_THREADS, *limits))


def openmp_threads(environment: Mapping[str, str]) -> int | None:
    """Returns the number in ``OMP_NUM_THREADS``, or None if there is no valid one. Of a list, which has a number
    for each level of nested parallel regions, this is the first."""
    first = environment.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    # Longer numbers limit nothing.
    found = int(first) if first.isascii() and first.isdecimal() and len(first) < 10 else 0
    return found if found > 0 else None


def cgroup_limits(root: Path) -> Iterator[int]:
    """Yields the CPU limits of the cgroups of this process and of the groups that contain them, in whole CPUs.

    ``root`` has the folders ``proc`` and ``sys``.
    """
    mounts = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        # hierarchy:controllers:path, without controllers in version 2
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers == "":
            # Beside version 1, version 2 is mounted at "unified".
            for mount in (mounts, mounts / "unified"):
                for folder in _with_parents(mount, path):
                    yield from _limit(*_text(folder / "cpu.max").split())
        elif "cpu" in controllers.split(","):
            # Both exist if other controllers share the hierarchy; one is then a link to the other.
            for name in sorted({controllers, "cpu"}):
                for folder in _with_parents(mounts / name, path):
                    yield from _limit(_text(folder / "cpu.cfs_quota_us"), _text(folder / "cpu.cfs_period_us"))


def _with_parents(mount: Path, path: str) -> Iterator[Path]:
    """Yields the folder of a cgroup and those of its ancestors. In a container, the path may be that of the host;
    the container's own group is then at the mount point."""
    inside = PurePosixPath(path.lstrip("/"))
    yield from (mount / folder for folder in (inside, *inside.parents))


def _limit(quota: str = "", period: str = "") -> Iterator[int]:
    """Yields the number of CPUs if there is a limit; a quota of "max" or −1 is none."""
    try:
        time, length = int(quota), int(period)
    except ValueError:
        return
    if time > 0 and length > 0:
        yield max(1, time // length)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
