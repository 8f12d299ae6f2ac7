"""A small program as it is installed: a package called punto, a dependency, and how a process would run them."""

import base64
import hashlib
import py_compile
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec

from punto.program import MANIFEST, Check, Difference, Interpreter, Manifest, Reference, check, measure

SOURCES = {
    "punto/__init__.py": '"""All of it."""\n',
    "punto/pay.py": "ODDS = 1, 0.0, frozenset({1, 2})\n\n\ndef pay(stake: int) -> int:\n    return stake * ODDS[0]\n",
    "punto/rules/__init__.py": "",
    "punto/rules/deal.py": "DECKS = 8\n",
    "punto/server/pages/index.html": "<!doctype html><title>Punto</title>",
    "punto/server/pages/assets/index-1.js": "export const stake = 500;\n",
    "punto/py.typed": "",
}
CLICK = {"click/__init__.py": "def echo(): ...\n", "click/core.py": "class Command: ...\n"}
VERSION = "1.0"


class Laid:
    """The program in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.site = folder / "lib" / "site-packages"
        for name, text in {**SOURCES, **CLICK}.items():
            self.write(name, text)
        self.distribute("punto", SOURCES, "Requires-Dist: click>=8\n")
        self.distribute("click", CLICK)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def distribute(self, name: str, files: dict[str, str], more: str = "") -> None:
        """What an installer leaves behind: a RECORD of the files."""
        folder = f"{name}-8.0.dist-info"
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 8.0\n{more}"
        self.write(f"{folder}/METADATA", metadata)
        lines = [
            f"{file},{recorded(text)},{len(text)}" for file, text in {**files, f"{folder}/METADATA": metadata}.items()
        ]
        self.write(f"{folder}/RECORD", "\n".join([*lines, f"{folder}/RECORD,,"]) + "\n")

    def compile(self) -> None:
        """Compile everything, as pip does when it installs."""
        for path in self.site.rglob("*.py"):
            py_compile.compile(str(path), doraise=True)

    def compiled(self, name: str) -> Path:
        """The compiled file of a source."""
        source = self.site / name
        return source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"

    def interpreter(self, **other: Any) -> Interpreter:  # noqa: ANN401
        """A process that runs this program, and whose Python has a library of nothing."""
        here = msgspec.structs.asdict(Interpreter.here())
        told = {
            "package": str(self.site / "punto"),
            "strays": (),
            "path": (str(self.site),),
            "library": (),
            "sites": (str(self.site),),
            "environment": {},
        }
        return Interpreter(**here | told | other)

    def release(self) -> Manifest:
        """Make it a release, by writing the manifest of what is there now."""
        manifest = measure(self.interpreter(), whole=False).manifest
        self.write(MANIFEST, manifest.encoded())
        return manifest

    def check(self, *, whole: bool = True, reference: Reference | None = None, **other: Any) -> Check:  # noqa: ANN401
        return check(self.interpreter(**other), reference=reference, whole=whole)

    def said(self, **other: Any) -> list[str]:  # noqa: ANN401
        """The differences in short: word and path."""
        return [shown(self, each) for each in self.check(**other).differences]


def shown(laid: Laid, difference: Difference) -> str:
    """A difference by its word and its path, from the site on."""
    return f"{difference.word.value} {difference.path.removeprefix(f'{laid.site}/')}"


def recorded(text: str) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
    return f"sha256={digest}"


def copied(laid: Laid, folder: Path) -> Laid:
    """The same program, moved elsewhere."""
    shutil.copytree(laid.site.parent.parent, folder, dirs_exist_ok=True)
    moved = Laid.__new__(Laid)
    moved.site = folder / "lib" / "site-packages"
    return moved
