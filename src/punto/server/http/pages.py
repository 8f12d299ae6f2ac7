"""The built pages: one document for every address that a person opens, and its assets, which never change."""

from pathlib import Path
from typing import Final

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

BUILT: Final = Path(__file__).resolve().parent.parent / "pages"
_KINDS: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".woff2": "font/woff2",
    ".png": "image/png",
}
_FOR_EVER: Final = "public, max-age=31536000, immutable"


@get(
    [
        "/",
        "/table/{_key:str}",
        "/display",
        "/display/{_key:str}",
        "/dealer/{_key:str}",
        "/dealer",
        "/pit",
        "/verify",
        "/sign-in",
    ],
    include_in_schema=False,
    sync_to_thread=False,
)
def page(_key: FromPath[str] = "") -> Response[bytes]:
    """The document of the pages; which of them it is, it reads off its address."""
    return _file("index.html", "no-cache")


@get(["/favicon.svg", "/assets/{name:str}"], include_in_schema=False, sync_to_thread=False)
def asset(name: FromPath[str] = "") -> Response[bytes]:
    """A part of the pages, under a name that changes with what is in it."""
    return _file(f"assets/{name}", _FOR_EVER) if name else _file("favicon.svg", "max-age=86400")


def _file(name: str, keep: str) -> Response[bytes]:
    path = BUILT / name
    kind = _KINDS.get(path.suffix)
    if kind is None or not path.resolve().is_relative_to(BUILT) or not path.is_file():
        raise NotFoundException("the pages are not built: run make pages" if name == "index.html" else "not here")
    return Response(path.read_bytes(), media_type=kind, headers={"cache-control": keep})
