"""Disks that are small, or cannot be written to, as far as this machine lets us have them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def small_disk(folder: Path, size: str = "512k") -> Iterator[bool]:
    """A small disk mounted on a folder; whether that could be done."""
    mounted = _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder)
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def unwritable(folder: Path) -> Iterator[bool]:
    """A folder in which nothing can be written; whether that could be done."""
    if os.geteuid():
        folder.chmod(0o555)
        try:
            yield True
        finally:
            folder.chmod(0o755)
        return
    # Nothing is forbidden to root but what the mount forbids.
    bound = _mount("--bind", folder, folder)
    try:
        yield bound and _mount("-o", "remount,ro,bind", folder)
    finally:
        if bound:
            subprocess.run(["umount", "--lazy", folder], check=True)


def _mount(*arguments: str | Path) -> bool:
    return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0
