"""Build a release into dist/: `python -m tools.release`.

A wheel and a source archive, both with the pages and the release's manifest, and a bill of materials beside them. The
root of the manifest is printed at the end: a house or a laboratory keeps it, and `punto program --digest` compares.
"""

import hashlib
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tools.wheel import MANIFEST

from tools import bom, pages

if TYPE_CHECKING:
    from punto.program import Manifest

ROOT = Path(__file__).resolve().parent.parent
# None is in git as it lies in the wheel, and without them a floor is not whole.
NEEDED = ("punto/server/pages/index.html", "punto/server/words/rules/clauses.csv", MANIFEST)
OF_SOURCES = ("src/punto/server/pages/index.html", "docs/rules/clauses.csv", f"src/{MANIFEST}")


def contents(archive: Path) -> list[str]:
    """The names of the files in a wheel or a source archive."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.namelist()
    with tarfile.open(archive) as sources:
        return sources.getnames()


def missing(archive: Path) -> list[str]:
    """What a release needs and the archive does not have."""
    needed = NEEDED if archive.suffix == ".whl" else OF_SOURCES
    found = contents(archive)
    return [name for name in needed if not any(each == name or each.endswith(f"/{name}") for each in found)]


def manifest_in(wheel: Path, sources: Path) -> "Manifest":
    """The manifest of a release, which both archives have, and which is that of the files in the wheel."""
    from punto.program import read_manifest

    with zipfile.ZipFile(wheel) as packed:
        content = packed.read(MANIFEST)
        digests = {
            name: hashlib.sha256(packed.read(name)).hexdigest()
            for name in packed.namelist()
            if name.startswith("punto/") and name != MANIFEST
        }
    with tarfile.open(sources) as opened:
        [name] = [each for each in opened.getnames() if each.endswith(f"/src/{MANIFEST}")]
        other = opened.extractfile(name)
        if other is None or other.read() != content:
            raise ValueError("the two archives have different manifests")
    manifest = read_manifest(content)
    if manifest.files != digests:
        raise ValueError("the manifest is not that of the files in the wheel")
    return manifest


def main(target: Path = ROOT / "dist") -> int:
    """Build the pages, then both archives, look into them, and only then lay them where releases are."""
    if pages.main("build"):
        return 1
    target.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=target) as draft:
        command = [sys.executable, "-m", "hatchling", "build", "-d", draft]
        environment = {**os.environ, "PUNTO_RELEASE": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, text=True, capture_output=True, check=False)
        if done.returncode:
            print(done.stdout + done.stderr, file=sys.stderr)
            return 1
        archives = sorted(Path(draft).iterdir())
        if [archive.suffix for archive in archives] != [".whl", ".gz"]:
            print(f"expected a wheel and a source archive: {[archive.name for archive in archives]}", file=sys.stderr)
            return 1
        for archive in archives:
            if lacking := missing(archive):
                print(f"{archive.name} lacks {', '.join(lacking)}", file=sys.stderr)
                return 1
        try:
            manifest = manifest_in(*archives)
        except ValueError as error:
            print(error, file=sys.stderr)
            return 1
        for archive in archives:
            kept = archive.replace(target / archive.name)
            print(f"{kept}: {kept.stat().st_size / 1e6:.1f} MB")
    bill = target / f"punto-{manifest.version}.cdx.json"
    bill.write_bytes(bom.bill(ROOT, manifest.version))
    print(f"{bill}: {bill.stat().st_size / 1e6:.1f} MB")
    print(f"root of the {len(manifest.files)} files of Punto {manifest.version}: {manifest.root}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
