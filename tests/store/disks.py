"""Disks that are small, or cannot be written to, as far as this machine lets us have them."""

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CAPABILITY_VERSION_3 = 0x20080522
_OVERRIDES = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, by which root may write anywhere


@contextmanager
def small_disk(folder: Path, size: str = "512k") -> Iterator[bool]:
    """A small disk mounted on a folder; whether that could be done, which takes more rights than a test may have."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """A disk on which no file of this process gets longer; no rights are needed for it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """A folder in which nothing can be written, not even by root."""
    modes = {path: path.stat().st_mode for path in (folder, *folder.iterdir())}
    for path, mode in modes.items():
        path.chmod(mode & ~0o222)
    before = _take_overrides()
    try:
        assert not _can_write(folder)
        yield
    finally:
        _give_overrides(before)
        for path, mode in modes.items():
            path.chmod(mode)


def _can_write(folder: Path) -> bool:
    try:
        (folder / "probe").touch()
    except OSError:
        return False
    (folder / "probe").unlink()
    return True


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Capabilities(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def _take_overrides() -> int:
    """Take root's right to write anywhere from this thread; which of it there was."""
    if os.geteuid() or sys.platform != "linux":
        return 0
    libc, header, sets = _capabilities()
    before = int(sets[0].effective)
    sets[0].effective &= ~_OVERRIDES
    assert libc.capset(ctypes.byref(header), sets) == 0
    return before & _OVERRIDES


def _give_overrides(before: int) -> None:
    if before:
        libc, header, sets = _capabilities()
        sets[0].effective |= before
        assert libc.capset(ctypes.byref(header), sets) == 0


def _capabilities() -> tuple[ctypes.CDLL, _Header, "ctypes.Array[_Capabilities]"]:
    libc = ctypes.CDLL(None, use_errno=True)
    header, sets = _Header(_CAPABILITY_VERSION_3, 0), (_Capabilities * 2)()
    assert libc.capget(ctypes.byref(header), sets) == 0
    return libc, header, sets
