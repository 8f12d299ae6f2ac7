"""Compares compiled files with what their sources compile to: a script, run in a process of its own.

It reads one task a line, as JSON, and answers each with one line: nothing when all is well, else what is wrong. A
compiled file may hold anything, and the reader of Python's own format is not made for that: it may crash, and takes no
more than this process with it. It is run without what Python loads when it starts, and imports nothing of Punto.
"""

import json
import marshal
import struct
import sys
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from types import CodeType
from typing import Any

_HEADER = 16
_MEMORY = 1 << 30
# Every part of a code object that Python runs or shows; the name of its file is where it happens to lie.
_PARTS = (
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_nlocals", "co_stacksize", "co_flags"),
    *("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_name", "co_qualname"),
    *("co_firstlineno", "co_linetable", "co_exceptiontable"),
)


def judge(source: str, compiled: str, level: int, believes: str) -> str:
    """What is wrong with a compiled file; nothing if it says what its source says, or if Python does not use it."""
    try:
        content = Path(compiled).read_bytes()
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    path = Path(source)
    text = path.read_bytes()
    if len(content) < _HEADER or not _is_used(content[:_HEADER], text, path, believes):
        return ""
    wanted = compile(text, source, "exec", dont_inherit=True, optimize=level)
    body = content[_HEADER:]
    if body == marshal.dumps(wanted):
        return ""
    try:
        code = marshal.loads(body)  # noqa: S302 (that is what this process is for)
    except (EOFError, ValueError, TypeError, MemoryError, RecursionError) as error:
        return f"cannot be read as Python reads it: {type(error).__name__}"
    return "" if _alike(code, wanted) else "does not say what its source says"


def _is_used(header: bytes, text: bytes, path: Path, believes: str) -> bool:
    """Whether Python takes the compiled file and not the source."""
    if header[:4] != MAGIC_NUMBER:
        return False
    flags, first, second = struct.unpack("<III", header[4:])
    if flags & ~0b11:
        return False
    if flags & 0b01:
        looks_at_source = believes == "always" or (flags & 0b10 and believes != "never")
        return not looks_at_source or header[8:] == source_hash(text)
    status = path.stat()
    return bool(first == int(status.st_mtime) & 0xFFFFFFFF and second == status.st_size & 0xFFFFFFFF)


def _alike(one: Any, other: Any) -> bool:  # noqa: ANN401 (whatever a compiled file holds)
    """Whether two constants are the same, and of the same kind: 1 is not True, and 0.0 is not -0.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, CodeType):
        parts = all(getattr(one, part) == getattr(other, part) for part in _PARTS)
        return parts and _alike(one.co_consts, other.co_consts)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, frozenset):
        return len(one) == len(other) and sorted(map(_key, one)) == sorted(map(_key, other))
    if isinstance(one, slice):  # a constant from Python 3.14 on
        return _alike((one.start, one.stop, one.step), (other.start, other.stop, other.step))
    return _key(one) == _key(other)


def _key(constant: Any) -> str:  # noqa: ANN401
    return f"{type(constant).__name__} {constant!r}"


def main() -> None:
    """Answer until there is nothing more to do."""
    try:
        import resource  # noqa: PLC0415 (Windows has no such limits)
    except ImportError:
        pass
    else:
        for limit, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_AS, _MEMORY)):
            hard = resource.getrlimit(limit)[1]
            unlimited = hard == resource.RLIM_INFINITY
            resource.setrlimit(limit, (most if unlimited else min(most, hard), hard))
    for line in sys.stdin:
        try:
            said = judge(*json.loads(line))
        except SyntaxError as error:
            said = f"cannot be compared: its source does not compile: {error.msg}"
        except Exception as error:  # noqa: BLE001 (whatever it is, it is said)
            said = f"cannot be compared: {type(error).__name__}"
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
