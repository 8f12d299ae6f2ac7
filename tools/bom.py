"""The bill of materials of a release: everything that the locks name, in CycloneDX 1.6: `python -m tools.bom`.

It is the same for the same locks: it has no time, and its serial number is made of what it says. It names no registry.
"""

import base64
import hashlib
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from tools.lock import spelled

ROOT: Final = Path(__file__).resolve().parent.parent
PYPI: Final = "PyPI"
NPM: Final = "npm"
# The locks, and what a component of each is to a floor; the first that names it counts.
SCOPES: Final = {"run": "required", "lab": "optional", "dev": "excluded", "node": "excluded"}
_REQUIREMENT: Final = re.compile(r"^([a-z0-9][a-z0-9._-]*)(?:\[[\w,-]+\])?==([^\s;\\]+)(.*)$", re.MULTILINE)
_HASH: Final = re.compile(r"--hash=(sha\d+):([0-9a-f]+)")
_IMPORT: Final = re.compile(r"""^\s*(?:import|export)\b[^"';]*["']((?:@[\w.-]+/)?[\w.-]+)""", re.MULTILINE)
_ALGORITHMS: Final = {"sha1": "SHA-1", "sha256": "SHA-256", "sha384": "SHA-384", "sha512": "SHA-512"}
# An expression of SPDX: names joined by words of its own.
_SPDX: Final = re.compile(r"\(*[A-Za-z0-9][\w.+-]*\)*(?: (?:AND|OR|WITH) \(*[A-Za-z0-9][\w.+-]*\)*)*")
_CLASSIFIER: Final = "License :: OSI Approved :: "
_LONGEST_NAME: Final = 100
_TITLE: Final = re.compile(r"(?!Copyright).{0,90}Licen[cs]e.{0,10}", re.IGNORECASE)


class Component(NamedTuple):
    """A package of a version, with the digests of its archives."""

    ecosystem: str
    name: str
    version: str
    scope: str
    hashes: tuple[tuple[str, str], ...]
    licence: str

    @property
    def purl(self) -> str:
        """Its package URL, which names no address.

        >>> Component("npm", "@types/node", "20.1.0", "excluded", (), "").purl
        'pkg:npm/%40types/node@20.1.0'
        """
        return f"pkg:{self.ecosystem.lower()}/{quote(self.name, safe='/')}@{quote(self.version, safe='')}"


def components(root: Path = ROOT) -> list[Component]:
    """Everything that the locks of Python and of the pages name, in order."""
    found: dict[str, Component] = {}
    for each in (*_of_python(root), *_of_pages(root)):
        found.setdefault(each.purl, each)
    return sorted(found.values())


def _of_python(root: Path) -> Iterator[Component]:
    for lock, scope in SCOPES.items():
        path = root / "requirements" / f"{lock}.txt"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        found = list(_REQUIREMENT.finditer(text))
        for place, each in enumerate(found):
            end = found[place + 1].start() if place + 1 < len(found) else len(text)
            hashes = tuple(sorted(_HASH.findall(text[each.start() : end])))
            yield Component(PYPI, spelled(each[1]), each[2], scope, hashes, "")


def _of_pages(root: Path) -> Iterator[Component]:
    packages = json.loads((root / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    packed = _packed(root / "web" / "src", packages)
    for place, package in packages.items():
        if not place or package.get("link"):
            continue
        name = package.get("name") or place.rpartition("node_modules/")[2]
        algorithm, _, digest = package.get("integrity", "").partition("-")
        hashes = ((algorithm, base64.b64decode(digest).hex()),) if digest else ()
        scope = "required" if place in packed else "excluded"
        yield Component(NPM, name, package["version"], scope, hashes, str(package.get("license", "")))


def _packed(sources: Path, packages: dict[str, Any]) -> set[str]:
    """The places of packages that the pages import, and of all that these need."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(sources.rglob("*")) if _is_page(path))
    left = [("", name) for text in texts for name in _IMPORT.findall(text)]
    packed: set[str] = set()
    while left:
        within, name = left.pop()
        place = _place(within, name, packages)
        if place and place not in packed:
            packed.add(place)
            left += [(place, needed) for needed in packages[place].get("dependencies", {})]
    return packed


def _is_page(path: Path) -> bool:
    return path.suffix in (".ts", ".svelte") and not path.name.endswith(".test.ts")


def _place(within: str, name: str, packages: dict[str, Any]) -> str:
    """Where a package finds another: within itself, or further out."""
    while True:
        place = f"{within}/node_modules/{name}" if within else f"node_modules/{name}"
        if place in packages:
            return place
        if not within:
            return ""
        within = within.rpartition("node_modules/")[0].rstrip("/")


def bill(root: Path, version: str) -> bytes:
    """The bill of materials of a release of that version."""
    every = components(root)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {(PYPI, spelled(re.split(r"[^\w.-]", text)[0])) for text in project["dependencies"]}
    wanted |= {(NPM, each.name) for each in every if each.ecosystem == NPM and each.scope == "required"}
    ours = Component(PYPI, project["name"], version, "required", (), project["license"])
    told: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _told(ours, "application") | {"description": project["description"]}},
        "components": [_told(each, "library") for each in every],
        "dependencies": [
            {
                "ref": ours.purl,
                "dependsOn": [each.purl for each in every if (each.ecosystem, each.name) in wanted],
            }
        ],
    }
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).digest()
    told["serialNumber"] = uuid.UUID(bytes=digest[:16], version=5).urn
    return json.dumps(told, indent=1, sort_keys=True).encode() + b"\n"


def _told(component: Component, kind: str) -> dict[str, Any]:
    said: dict[str, Any] = {
        "type": kind,
        "bom-ref": component.purl,
        "name": component.name,
        "version": component.version,
        "purl": component.purl,
    }
    if kind == "library":
        said["scope"] = component.scope
    if component.hashes:
        said["hashes"] = [{"alg": _ALGORITHMS[name], "content": digest} for name, digest in component.hashes]
    licence = component.licence or _installed_licence(component)
    if licence:
        said["licenses"] = [
            {"expression": licence} if _SPDX.fullmatch(licence) else {"license": {"name": licence[:_LONGEST_NAME]}}
        ]
    return said


def _installed_licence(component: Component) -> str:
    """The licence that an installed package says it has; nothing of one that is not installed in that version."""
    if component.ecosystem != PYPI:
        return ""
    try:
        found: Any = metadata(component.name)
    except PackageNotFoundError:
        return ""
    if _field(found, "Version") != component.version:
        return ""
    named = [each.removeprefix(_CLASSIFIER) for each in found.get_all("Classifier", ()) if each.startswith(_CLASSIFIER)]
    lines = _field(found, "License").strip().splitlines() or [""]
    text = " ".join(" ".join(lines).split())
    # Some packages have the whole text there, which begins with its name.
    title = text if len(text) <= _LONGEST_NAME else lines[0].strip() if _TITLE.fullmatch(lines[0].strip()) else ""
    return _field(found, "License-Expression") or title or ", ".join(named)


def _field(found: PackageMetadata, name: str) -> str:
    """A field of an installed package; some versions of the library raise an error for one that is not there."""
    return str((found.get_all(name) or [""])[0])


def main() -> int:
    """Print the bill of materials."""
    from punto import __version__

    sys.stdout.write(bill(ROOT, __version__).decode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
