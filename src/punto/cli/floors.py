"""Floors that a person names on the command line: by their file, or by the folder that they are kept in."""

import time
from pathlib import Path

from punto.cli.files import is_address, read_text, without_password
from punto.errors import BadUsage
from punto.server.config import FloorConfig, demonstration
from punto.server.floorfile import read_floor

FILE = "floor.toml"
STORE = "floor.db"


def floor_named(name: str) -> FloorConfig:
    """The floor that a FILE.toml declares, or the one that is kept in a folder: `punto init`'s, or a demonstration."""
    path = Path(name)
    if path.is_dir():
        if not (path / FILE).exists() and (path / STORE).exists():
            return demonstration(path.resolve())
        path /= FILE
        if not path.exists():
            raise BadUsage(f"{name}: no floor is kept there: expected FLOOR.toml, or the folder of a demonstration")
    if is_address(name):
        raise BadUsage(f"{without_password(name)} is the address of a store: expected FLOOR.toml, or its folder")
    read = read_floor(read_text(str(path)), path.resolve().parent, time.time_ns() // 1_000_000)
    if read.config is None:
        raise BadUsage(f"{path} has mistakes: see 'punto serve {path} --check'")
    return read.config
