"""What runs before the program, or in the place of a part of it, without being a file of it."""

import os
import sys
from collections.abc import Iterator
from typing import Final

from punto.program.dependencies import CODE, Environment
from punto.program.differences import Difference, Word
from punto.program.interpreter import Interpreter
from punto.program.manifest import spelled

# Python imports these when it starts, wherever it finds them first.
_CUSTOM: Final = ("sitecustomize", "usercustomize")
# Lines of these are run when Python starts.
_LINES: Final = (".pth", ".start")


def what_runs_before(interpreter: Interpreter, environment: Environment) -> Iterator[Difference]:
    """Everything that a release does not have, and that Python runs before it or in its place."""
    for path in interpreter.strays:
        yield Difference(spelled(path), Word.BEFORE, "a module of Punto was loaded from there")
    yield from _of_variables(interpreter)
    for site in interpreter.sites:
        for name in _names(site):
            path = os.path.join(site, name)
            if name.endswith(_LINES) and not environment.is_listed(path):
                yield Difference(spelled(path), Word.BEFORE, "Python reads it when it starts; no distribution has it")
    for folder in interpreter.path:
        if folder not in interpreter.library:  # there it is Python's own, and measured with it
            for name in _names(folder):
                if _imported(folder, name) in _CUSTOM:
                    yield Difference(
                        spelled(os.path.join(folder, name)),
                        Word.BEFORE,
                        "Python runs it when it starts",
                    )
    yield from _in_front(interpreter, environment)


def _of_variables(interpreter: Interpreter) -> Iterator[Difference]:
    """Variables that have something run first. Of PYTHONPATH, folders that are not the program's own."""
    for name, told in sorted(interpreter.environment.items()):
        if name != "PYTHONPATH":
            yield Difference(name, Word.BEFORE, spelled(told))
            continue
        for folder in filter(None, told.split(os.pathsep)):
            path = os.path.realpath(folder)
            known = path in (os.path.dirname(interpreter.package), *interpreter.sites)
            if not known and _names(path):
                yield Difference(name, Word.BEFORE, f"modules are taken from {spelled(path)} first")


def _in_front(interpreter: Interpreter, environment: Environment) -> Iterator[Difference]:
    """Modules in folders that Python looks into before those where they belong."""
    home = os.path.dirname(interpreter.package)
    own = {home, *interpreter.sites}
    of_python = dict.fromkeys(sys.stdlib_module_names, f"Python {interpreter.version}")
    belongs = of_python | environment.modules()
    behind = False
    for folder in interpreter.path:
        behind = behind or folder in interpreter.sites
        if folder in own or folder in interpreter.library or behind:
            continue
        for name in _names(folder):
            module = _imported(folder, name)
            if module in belongs and not _is_of_python(folder, interpreter):
                path = os.path.join(folder, name)
                yield Difference(spelled(path), Word.BEFORE, f"it is imported in place of that of {belongs[module]}")


def _is_of_python(folder: str, interpreter: Interpreter) -> bool:
    """Whether a folder is a part of Python's own library, as that of its extensions is."""
    return any(folder.startswith(library + os.sep) for library in interpreter.library)


def _imported(folder: str, name: str) -> str:
    """The module that a file or folder is imported as; nothing for all else."""
    path = os.path.join(folder, name)
    if name.endswith(CODE):
        return name.partition(".")[0]
    starts = (os.path.join(path, f"__init__{suffix}") for suffix in CODE)
    return name if os.path.isdir(path) and any(map(os.path.exists, starts)) else ""


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
