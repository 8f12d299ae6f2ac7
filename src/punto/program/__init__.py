"""The program as it lies on disk: what its files are, and in what they differ from those of a release.

It reads the disk and starts one short process, which compares compiled files with their sources. What it says is as
good as the machine: whoever has changed Python itself can have it say anything, so a laboratory checks the same digests
from outside (`punto program --list`, and `sha256sum`).
"""

from punto.program.checking import Check, check
from punto.program.differences import Difference, Word, compare
from punto.program.interpreter import Interpreter
from punto.program.manifest import MANIFEST, Manifest, Reference, read_manifest, root_of, text_of
from punto.program.measuring import Measured, installed_manifest, measure

__all__ = [
    "MANIFEST",
    "Check",
    "Difference",
    "Interpreter",
    "Manifest",
    "Measured",
    "Reference",
    "Word",
    "check",
    "compare",
    "installed_manifest",
    "measure",
    "read_manifest",
    "root_of",
    "text_of",
]
