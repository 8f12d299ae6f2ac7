"""Build a release into dist/: a wheel and a source archive, both with the pages: `python -m tools.release`."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from tools import pages

ROOT = Path(__file__).resolve().parent.parent
# Neither is in git as it lies in the wheel, and without either a floor is not whole.
NEEDED = ("punto/server/pages/index.html", "punto/server/words/rules/clauses.csv")


def contents(archive: Path) -> list[str]:
    """The names of the files in a wheel or a source archive."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.namelist()
    with tarfile.open(archive) as sources:
        return sources.getnames()


def missing(archive: Path) -> list[str]:
    """What a release needs and the archive does not have."""
    needed = NEEDED if archive.suffix == ".whl" else ("src/punto/server/pages/index.html", "docs/rules/clauses.csv")
    found = contents(archive)
    return [name for name in needed if not any(each == name or each.endswith(f"/{name}") for each in found)]


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
        for archive in archives:
            kept = archive.replace(target / archive.name)
            print(f"{kept}: {kept.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
