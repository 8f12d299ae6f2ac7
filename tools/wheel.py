"""A hook of the build: a wheel holds the built pages, and there is none without them."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Pages(BuildHookInterface[Any]):
    """Looks whether the pages are built before they are packed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Refuse to go on without the pages; an editable installation may build them later."""
        index = Path(self.root) / "src" / "punto" / "server" / "pages" / "index.html"
        if version != "editable" and not index.is_file():
            raise SystemExit("the pages are not built: run make pages, and then build the wheel again")
