"""The manifest of a release: each file with its digest, and one root over all of them.

The text of a manifest is what `sha256sum` prints of the files, in the order of their paths; the root is the SHA-256 of
that text. So both can be had without Punto.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

# Where a release has its manifest, which is no part of itself.
MANIFEST: Final = "punto/release.json"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_LINE: Final = re.compile(r"([0-9a-f]{64}) [ *](\S.*)")


class Manifest(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The files of a program by their paths, each with its digest.

    *beside* is what a program runs on: Python and each dependency, with their versions and digests. A release has none
    of it, for it does not know where it will be installed.
    """

    version: str
    root: str
    files: dict[str, str]
    beside: dict[str, str] = {}

    def encoded(self) -> bytes:
        """The manifest as a file, always the same for the same files."""
        return msgspec.json.format(msgspec.json.encode(self, order="sorted"), indent=1) + b"\n"


class Reference(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a program is compared with: what was measured first, or what somebody accepted since.

    Of a *release*, the files are those of its manifest, and only Python and the dependencies were measured.
    """

    manifest: Manifest
    release: bool = False


def text_of(files: Mapping[str, str]) -> str:
    r"""The lines of all files, as `sha256sum` prints them.

    >>> text_of({"punto/b.py": "bb", "punto/a.py": "aa"})
    'aa  punto/a.py\nbb  punto/b.py\n'
    """
    return "".join(f"{files[path]}  {path}\n" for path in sorted(files))


def root_of(files: Mapping[str, str]) -> str:
    """The one digest of all files."""
    return hashlib.sha256(text_of(files).encode()).hexdigest()


def manifest_of(version: str, files: Mapping[str, str]) -> Manifest:
    """The manifest of these files."""
    return Manifest(version, root_of(files), dict(sorted(files.items())))


def spelled(path: str) -> str:
    r"""A path fit for a line: no two paths are spelled alike, and what cannot be printed is written out.

    >>> spelled("punto/a\nb.py"), spelled("punto/\udcff.py")
    ('punto/a\\nb.py', 'punto/\\xff.py')
    """
    return "".join(
        f"\\x{ord(sign) - 0xDC00:02x}"
        if "\udc80" <= sign <= "\udcff"
        else sign.encode("unicode_escape").decode()
        if sign == "\\" or not sign.isprintable()
        else sign
        for sign in path
    )


def read_manifest(content: bytes) -> Manifest:
    """A manifest that was kept, as JSON or as lines of `sha256sum`; `ValueError` where it is none."""
    if content.lstrip()[:1] == b"{":
        try:
            found = msgspec.json.decode(content, type=Manifest)
        except msgspec.DecodeError as error:
            raise ValueError(f"it does not read: {error}") from None
        if found.root != root_of(found.files):
            raise ValueError("its root is not that of its files")
    else:
        found = _read_lines(content)
    if not found.files:
        raise ValueError("it has no files")
    wrong = next((path for path, digest in found.files.items() if not _DIGEST.fullmatch(digest)), None)
    if wrong is not None:
        raise ValueError(f"{spelled(wrong)} has no digest of 64 hexadecimal digits")
    return found


def _read_lines(content: bytes) -> Manifest:
    files: dict[str, str] = {}
    try:
        lines = content.decode().splitlines()
    except UnicodeDecodeError:
        raise ValueError("it is no text") from None
    for number, line in enumerate(lines, 1):
        read = _LINE.fullmatch(line)
        if read is None:
            raise ValueError(f"line {number} is none of sha256sum's: expected a digest, two spaces and a path")
        if read[2] in files:
            raise ValueError(f"line {number} names {read[2]} once more")
        files[read[2]] = read[1]
    return manifest_of("", files)
