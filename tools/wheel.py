"""A hook of the build: a release holds the built pages; what is installed from a clone may go without them.

`PUNTO_RELEASE=1`, which `make release` sets, asks for a release.
"""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Pages(BuildHookInterface[Any]):
    """Looks whether the pages are built before they are packed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Refuse a release without fresh pages; elsewhere say that there are none."""
        root = Path(self.root)
        built = (root / "src" / "punto" / "server" / "pages" / "index.html").is_file()
        if os.environ.get("PUNTO_RELEASE") == "1":
            if not built:
                raise SystemExit("a release has pages, and they are not built: run make release")
            if not _fresh(root):
                raise SystemExit("a release has fresh pages, and these are of other sources: run make release")
        elif version != "editable" and not built:
            self.app.display_warning("The pages are not built: punto serve will show none; everything else works.")


def _fresh(root: Path) -> bool:
    """Whether the pages were built from the sources that lie here; an archive of a release has only its own."""
    if (root / "PKG-INFO").is_file():
        return True
    sys.path.insert(0, str(root))
    try:
        from tools import pages

        return pages.is_stamped(pages.PAGES, pages.digest(pages.sources()))
    finally:
        sys.path.remove(str(root))
