"""Keys as texts: in a file, in a variable of the environment, or as what a command such as a vault's client prints.

A text has a line that says what it is, the secret, and after a rotation the floor's first public key and the sealing
keys from before. A single line of 64 hexadecimal digits is a secret as well. No error ever repeats any of it.
"""

import os
import re
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from punto.errors import UnreadableFile, UnwritableFile, quoted

SECRET_BYTES: Final = 32
COMMAND_S: Final = 20.0
# Far more than any key has, with a rotation every month for a lifetime.
_LONGEST: Final = 100_000
# What Linux calls an open file of this process.
_OWN: Final = "/proc/self/fd/{}"
_HEX: Final = re.compile(f"[0-9a-f]{{{2 * SECRET_BYTES}}}")


class Kind(Enum):
    """What a text holds: the secret from which both keys follow, or one key alone."""

    WHOLE = "punto key 1"
    SIGNING = "punto signing key 1"
    SEALING = "punto sealing key 1"


@dataclass(frozen=True)
class KeyText:
    """A key as it is written.

    *first* is the floor's first public key where the key is a later one, *former* are the sealing keys from before.
    """

    kind: Kind
    secret: bytes = field(repr=False)
    first: str = ""
    former: tuple[bytes, ...] = field(default=(), repr=False)

    def written(self) -> str:
        """The text of a file."""
        lines = [self.kind.value, self.secret.hex()]
        lines += [f"first {self.first}"] if self.first else []
        lines += [f"former {each.hex()}" for each in self.former]
        return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True)
class KeySource:
    """Where a key comes from: exactly one of a file, a variable and a command."""

    file: str = ""
    variable: str = ""
    command: tuple[str, ...] = ()

    def read(self, *expected: Kind) -> KeyText:
        """The key that is there now."""
        if self.file:
            return read_key_file(Path(self.file), *expected)
        if self.variable:
            if self.variable not in os.environ:
                raise UnreadableFile(f"{self.variable}: is not in the environment: expected a floor's key there")
            return parse_key(os.environ[self.variable], self.variable, *expected)
        return parse_key(_printed(self.command), quoted(self.command[0], 60), *expected)


def is_read_by_others(name: str) -> bool:
    """Whether the mode of a key's file lets anybody read it but its owner."""
    try:
        return bool(name) and bool(Path(name).stat().st_mode & 0o077)
    except OSError:
        return False


def read_key_file(path: Path, *expected: Kind) -> KeyText:
    """The key in a file."""
    try:
        with path.open(encoding="ascii") as file:
            text = file.read(_LONGEST)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else "it does not read"
        raise UnreadableFile(f"{path}: not a floor's key: {said}") from None
    return parse_key(text, str(path), *expected, bare=False)


def parse_key(text: str, where: str, *expected: Kind, bare: bool = True) -> KeyText:
    """The key that a text holds, of one of the kinds expected; a *bare* secret is of the first of them."""
    first, *rest = text.strip("\n").split("\n")
    if bare and not rest and _HEX.fullmatch(first.strip()):
        return KeyText(expected[0], bytes.fromhex(first.strip()))
    kinds = {kind.value: kind for kind in Kind}
    if first not in kinds or not rest or not _HEX.fullmatch(rest[0]):
        wanted = " or ".join(repr(kind.value) for kind in expected)
        raise UnreadableFile(f"{where}: not a floor's key: expected {wanted} and {SECRET_BYTES} bytes in hexadecimal")
    if kinds[first] not in expected:
        wanted = " or ".join(repr(kind.value) for kind in expected)
        raise UnreadableFile(f"{where}: holds a {first!r}: expected {wanted}; see 'punto key split'")
    public = ""
    former: list[bytes] = []
    for number, line in enumerate(rest[1:], 3):
        word, _, value = line.partition(" ")
        if word not in ("first", "former") or not _HEX.fullmatch(value) or (word == "first" and (public or former)):
            raise UnreadableFile(
                f"{where}: line {number} is none of a key's: expected 'first' or 'former' and 64 digits"
            )
        if word == "first":
            public = value
        else:
            former.append(bytes.fromhex(value))
    return KeyText(kinds[first], bytes.fromhex(rest[0]), public, tuple(former))


def make_key_file(path: Path, text: KeyText) -> None:
    """A key file, whole and durable before it has its name; one that is there already stays."""
    try:
        _make(path, text.written())
    except OSError as error:
        raise UnreadableFile(f"{path}: the key cannot be written: {error.strerror}") from None


def make_new_key_file(path: Path, text: KeyText) -> None:
    """The same, but a file that is there already is refused."""
    if path.exists():
        raise UnwritableFile(f"{path}: already exists: expected a path where nothing is yet")
    make_key_file(path, text)


def _make(path: Path, text: str) -> None:
    number, name = _unnamed(path)
    try:
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            with suppress(FileExistsError):
                _link(name, path, number)
    finally:
        if name != _OWN.format(number):
            Path(name).unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _link(name: str, path: Path, number: int) -> None:
    """Give a file its name; where its first name is that of an open file, that is a link to be followed."""
    if name == _OWN.format(number):
        os.link(name, path, src_dir_fd=number, follow_symlinks=True)  # only with a descriptor are links followed
    else:
        os.link(name, path)


def _unnamed(path: Path) -> tuple[int, str]:
    """A new file in the folder of *path*, and what to link to give it a name.

    It has no name, so that nothing is left of it if this process is killed. Where the system or its file system has no
    such files, it has a hidden name.
    """
    if Path(_OWN.format("")).is_dir():
        with suppress(AttributeError, OSError):
            number = os.open(path.parent, os.O_WRONLY | os.O_TMPFILE, 0o600)
            return number, _OWN.format(number)
    return mkstemp(prefix=f".{path.name}.", dir=path.parent)


def _printed(command: Sequence[str]) -> str:
    """What a command prints, without a shell and within its time."""
    name = quoted(command[0], 60)
    try:
        done = subprocess.run(  # noqa: S603 (the floor's file names it)
            [*command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=COMMAND_S,
            check=False,
        )
    except OSError as error:
        raise UnreadableFile(f"{name}: cannot be run: {error.strerror}: expected a command that prints a key") from None
    except subprocess.TimeoutExpired:
        raise UnreadableFile(f"{name}: printed no key within {COMMAND_S:g} s") from None
    if done.returncode:
        raise UnreadableFile(f"{name}: ended with status {done.returncode}: expected a command that prints a key")
    return done.stdout[:_LONGEST].decode("ascii", "replace")
