"""Resolve the dependencies into hashed locks that name no registry: `python -m tools.lock`, or with a NAME for one.

Everything moves to the newest version that pyproject.toml and package.json allow. A package that is asked for by name,
and that package.json pins, is pinned anew at its newest.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from tools import pages

ROOT = Path(__file__).resolve().parent.parent
# pip before 23.3 takes the newest `coverage[toml]` where a lock pins plain `coverage`, and then misses its hash.
KEEP_EXTRAS = ["--no-strip-extras"]
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
    return [*uv, "--python-version", "3.11", "--generate-hashes", *KEEP_EXTRAS, *QUIET, *LOCKS[lock], "-o", str(target)]


def pinned_for_pages(lock: str) -> dict[str, tuple[str, ...]]:
    """The packages of package-lock.json, and the versions of each: packages may bring a version of their own."""
    found: dict[str, set[str]] = {}
    for place, package in json.loads(lock)["packages"].items():
        if place and not package.get("link"):
            name = package.get("name") or place.rpartition("node_modules/")[2]
            found.setdefault(name, set()).add(package["version"])
    return {name: tuple(sorted(versions)) for name, versions in found.items()}


def _move_in_requirements(package: str) -> dict[str, tuple[str, str]]:
    moved: dict[str, tuple[str, str]] = {}
    for lock in LOCKS:
        target = _requirements(lock)
        before = pinned(target.read_text()) if target.exists() else {}
        if package and package not in before:
            continue
        subprocess.run(command(lock, target, package), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        text = target.read_text()
        if "://" in text:
            raise pages.Failed(f"{target.name} names an address; it must not be committed")
        moved |= _moves(before, pinned(text))
    return moved


def _move_in_pages(package: str) -> dict[str, tuple[str, str]]:
    target = ROOT / "web" / "package-lock.json"
    before = pinned_for_pages(target.read_text())
    pins = json.loads((ROOT / "web" / "package.json").read_text())["devDependencies"]
    if package in pins:
        asked = ["install", "--save-dev", "--save-exact", f"{package}@latest"]
    else:
        asked = ["update", *([package] if package else [])]
    pages.npm(pages.with_node(), *asked, "--package-lock-only")
    text = target.read_text()
    if '"resolved"' in text:
        raise pages.Failed(f"{target.name} names an address; it must not be committed")
    joined = (
        {name: " and ".join(versions) for name, versions in each.items()} for each in (before, pinned_for_pages(text))
    )
    return _moves(*joined)


def _moves(before: dict[str, str], after: dict[str, str]) -> dict[str, tuple[str, str]]:
    both = (
        (name, before.get(name, "nothing"), after.get(name, "nothing")) for name in sorted(before.keys() | after.keys())
    )
    return {name: (was, now) for name, was, now in both if was != now}


def _requirements(lock: str) -> Path:
    return ROOT / "requirements" / f"{lock}.txt"


def main(package: str = "") -> int:
    """Move everything, or one package in every lock that has it, and say what moved."""
    python, page = spelled(package), package.lower()
    has_python = not package or any(python in pinned(_requirements(lock).read_text()) for lock in LOCKS)
    has_page = not package or page in pinned_for_pages((ROOT / "web" / "package-lock.json").read_text())
    if not has_python and not has_page:
        print(f"No lock names {package}: expected a package of requirements/ or web/package-lock.json", file=sys.stderr)
        return 2
    try:
        moved = (_move_in_requirements(python) if has_python else {}) | (_move_in_pages(page) if has_page else {})
    except pages.Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failure:
        print(f"uv ended with status {failure.returncode} (its words are above)", file=sys.stderr)
        return 1
    for name, (was, now) in moved.items():
        print(f"{name}: {was} to {now}")
    if not moved:
        print(f"{package or 'everything'} is at its newest already")
    return 0


if __name__ == "__main__":
    if len(sys.argv) > 2:  # noqa: PLR2004
        sys.exit("expected one package, or none for all of them")
    sys.exit(main(*sys.argv[1:]))
