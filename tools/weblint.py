"""Which sources of the pages eslint has yet to look at: those that changed, and all that import them.

eslint judges a source by types too, and types come from what it imports. A source is clean for as long as it, all that
it imports, however indirectly, and the rules are as they were when it was found clean. `make quick` leaves those that
merely import what changed to `make test`: otherwise one changed text, which every page imports, would bring back all.
"""

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# What decides about every source.
RULES: Final = ("eslint.config.js", "tsconfig.json", "svelte.config.js", "package-lock.json")
# What is made by tools/ is taken for its types only.
MADE: Final = ("src/wire.ts", "src/pages/verify/catalogue.ts")
_KINDS: Final = {".ts", ".js", ".svelte"}
_IMPORT: Final = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](\.[^"']*)["']""")
# As an import may leave the end of a name out.
_ENDS: Final = ("", ".ts", ".js", "/index.ts")


def linted(web: Path) -> list[Path]:
    """Every source that is linted."""
    found = [*web.glob("*"), *(web / "src").rglob("*"), *(web / "tests").rglob("*")]
    made = {web / name for name in MADE}
    return sorted(path for path in found if path.suffix in _KINDS and path.is_file() and path not in made)


def imported(path: Path) -> Iterator[Path]:
    """The sources that a source imports."""
    for name in _IMPORT.findall(path.read_text(encoding="utf-8")):
        target = path.parent / name
        found = next((each for end in _ENDS if (each := Path(f"{target}{end}")).is_file()), None)
        if found is not None:
            yield found.resolve()


def keys(web: Path, *, alone: bool = False) -> dict[str, str]:
    """A digest of all that decides about each source, by its name; or of itself *alone* and the rules."""
    web = web.resolve()
    digests: dict[Path, bytes] = {}
    direct: dict[Path, list[Path]] = {}
    rules = b"".join(_digest(web / name) for name in RULES)

    def look(path: Path) -> None:
        if path not in digests:
            digests[path] = _digest(path)
            direct[path] = list(imported(path)) if path.suffix in _KINDS else []
            for each in direct[path]:
                look(each)

    def within(path: Path) -> set[Path]:
        found, ahead = {path}, [path]
        while ahead:
            fresh = set(direct[ahead.pop()]) - found
            found |= fresh
            ahead += fresh
        return found

    key_of = {}
    for path in linted(web):
        look(path)
        seen = hashlib.sha256(rules)
        for each in [path] if alone else sorted(within(path)):
            seen.update(each.relative_to(web).as_posix().encode() + digests[each])
        key_of[path.relative_to(web).as_posix()] = seen.hexdigest()
    return key_of


def unclean(now: dict[str, str], memory: Path) -> list[str]:
    """The sources that were not found clean as they are now."""
    try:
        clean = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        clean = {}
    return [name for name, key in now.items() if clean.get(name) != key]


def uncommitted(now: dict[str, str], web: Path) -> list[str]:
    """The sources that differ from the last commit; all of them where the rules do, or where git knows no commit."""
    if not shutil.which("git"):
        return list(now)
    changed: set[str] = set()
    for question in (("diff", "--name-only", "--relative", "-z", "HEAD"), ("ls-files", "-oz", "--exclude-standard")):
        told = subprocess.run(["git", *question], cwd=web, capture_output=True, text=True, check=False)
        if told.returncode:
            return list(now)
        changed |= set(told.stdout.split("\0"))
    return list(now) if changed & set(RULES) else [name for name in now if name in changed]


def remember(now: dict[str, str], memory: Path) -> None:
    """All sources are clean as they are now."""
    memory.parent.mkdir(parents=True, exist_ok=True)
    memory.write_text(json.dumps(now), encoding="utf-8")


def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
