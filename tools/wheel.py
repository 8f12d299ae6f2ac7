"""A hook of the build: a release holds the built pages and its manifest; a clone may be installed without either.

`PUNTO_RELEASE=1`, which `make release` sets, asks for a release.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.wheel import WheelBuilder

MANIFEST: Final = "punto/release.json"


class Release(BuildHookInterface[Any]):
    """Looks whether the pages are built before they are packed, and packs the manifest of a release."""

    PLUGIN_NAME = "custom"
    _folder: str | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Refuse a release without fresh pages; elsewhere say that there are none."""
        root = Path(self.root)
        built = (root / "src" / "punto" / "server" / "pages" / "index.html").is_file()
        if os.environ.get("PUNTO_RELEASE") == "1":
            if not built:
                raise SystemExit("a release has pages, and they are not built: run make release")
            if not _fresh(root):
                raise SystemExit("a release has fresh pages, and these are of other sources: run make release")
            if not _is_archive(root):  # which has its manifest already
                self._pack_manifest(root, build_data)
        elif version != "editable" and not built:
            self.app.display_warning("The pages are not built: punto serve will show none; everything else works.")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was there for the build alone."""
        if self._folder is not None:
            shutil.rmtree(self._folder)

    def _pack_manifest(self, root: Path, build_data: dict[str, Any]) -> None:
        """Pack a manifest of all that the wheel of these sources holds, in both archives the same."""
        self._folder = mkdtemp()
        path = Path(self._folder) / "release.json"
        path.write_bytes(manifest(root))
        place = f"src/{MANIFEST}" if self.target_name == "sdist" else MANIFEST
        build_data.setdefault("force_include", {})[str(path)] = place


def manifest(root: Path) -> bytes:
    """The manifest of the wheel that these sources make."""
    builder = WheelBuilder(str(root))
    files = {
        Path(each.distribution_path).as_posix(): hashlib.sha256(Path(each.path).read_bytes()).hexdigest()
        for each in builder.recurse_included_files()
    }
    with _importing_from(root / "src"):
        from punto.program.manifest import manifest_of

    return manifest_of(builder.metadata.version, files).encoded()


def _fresh(root: Path) -> bool:
    """Whether the pages were built from the sources that lie here; an archive of a release has only its own."""
    if _is_archive(root):
        return True
    with _importing_from(root):
        from tools import pages

    return pages.is_stamped(pages.PAGES, pages.digest(pages.sources()))


def _is_archive(root: Path) -> bool:
    return (root / "PKG-INFO").is_file()


@contextmanager
def _importing_from(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
