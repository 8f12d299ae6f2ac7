"""Resolve the dependencies into hashed locks that name no registry: all of them, or `python tools/lock.py NAME` one."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUIET = ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--quiet"]
EVERYTHING = ["--all-extras"]
PUNTO = "pyproject.toml"
LOCKS = {
    "run": [PUNTO, "--group", "build"],
    "lab": [PUNTO, "--group", "build", *EVERYTHING],
    "dev": [PUNTO, "--group", "dev", *EVERYTHING],
    "node": ["--group", "node"],  # only where the machine has none, in an environment of its own
}


def spelled(name: str) -> str:
    """A package's name as locks spell it.

    >>> spelled("Pytest_Cov")
    'pytest-cov'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(lock: str) -> dict[str, str]:
    """The packages of a lock, and the version of each."""
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[[\w,-]+\])?==([^\s;]+)", lock, re.MULTILINE))


def command(lock: str, target: Path, package: str = "") -> list[str]:
    """How uv resolves a lock: with the newest of everything, or of one package while all others stay."""
    newest = ["--upgrade-package", package] if package else ["--upgrade"]
    uv = [str(Path(sys.executable).parent / "uv"), "pip", "compile", *newest, "--universal"]
    return [*uv, "--python-version", "3.11", "--generate-hashes", *QUIET, *LOCKS[lock], "-o", str(target)]


def main(package: str = "") -> int:
    """Write the locks of requirements/ that are meant, say what moved, and refuse any address in them."""
    package = spelled(package)
    targets = {lock: ROOT / "requirements" / f"{lock}.txt" for lock in LOCKS}
    before = {lock: pinned(target.read_text()) if target.exists() else {} for lock, target in targets.items()}
    meant = [lock for lock in LOCKS if not package or package in before[lock]]
    if not meant:
        print(f"{package} is in no lock: expected a package of requirements/", file=sys.stderr)
        return 2
    moved: dict[str, tuple[str, str]] = {}
    for lock in meant:
        subprocess.run(command(lock, targets[lock], package), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        text = targets[lock].read_text()
        if "://" in text:
            print(f"{targets[lock].name} names an address; it must not be committed", file=sys.stderr)
            return 1
        after = pinned(text)
        for name in sorted(before[lock].keys() | after.keys()):
            was, now = before[lock].get(name, "nothing"), after.get(name, "nothing")
            if was != now:
                moved[name] = (was, now)
    for name, (was, now) in moved.items():
        print(f"{name}: {was} to {now}")
    if not moved:
        print(f"{package or 'everything'} is at its newest already")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
