"""The built pages: one document for every address that a person opens, and its assets, which never change.

Beside a file may lie the same in fewer bytes, as `make pages` leaves it; it is sent to who can read it. The document is
sent with what a page must know of the floor before it is first painted: what the floor is called, and its languages.
"""

import gzip
import re
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Final

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.status_codes import HTTP_200_OK, HTTP_404_NOT_FOUND

from punto.errors import MissingPart
from punto.server.http.asking import Ask, server_of

BUILT: Final = Path(__file__).resolve().parent.parent / "pages"
_KINDS: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".json": "application/json",
    ".woff2": "font/woff2",
    ".png": "image/png",
}
_WEIGHT: Final = re.compile(r"q=([01](?:\.[0-9]{0,3})?)")
_OF_PROGRAMS: Final = ("/api/", "/assets/", "/schema/")
_TITLE: Final = b"<title>Punto</title>"
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
def page(request: Ask, _key: FromPath[str] = "") -> Response[bytes]:
    """The document of the pages; which of them it is, it reads off its address."""
    return _document(request, "no-cache", HTTP_200_OK)


@get(["/favicon.svg", "/assets/{name:str}"], include_in_schema=False, sync_to_thread=False)
def asset(request: Ask, name: FromPath[str] = "") -> Response[bytes]:
    """A part of the pages, under a name that changes with what is in it."""
    return _file(request, f"assets/{name}", _FOR_EVER) if name else _file(request, "favicon.svg", "max-age=86400")


def without_pages() -> MissingPart | None:
    """What an installation without pages lacks, and how to get it; nothing where the pages are."""
    if _is_there(BUILT / "index.html"):
        return None
    return MissingPart(f"the pages of the floor are not installed, and browsers will see none: {_how_to_get_them()}")


def _how_to_get_them() -> str:
    if (BUILT.parents[3] / "web" / "package.json").is_file():
        return "run make pages"
    return "install a release of Punto, or run make pages in a clone of it and pip install . there"


def is_of_a_person(request: Ask) -> bool:
    """Whether somebody has opened an address in a browser: then what is not there is told on a page."""
    opened = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    return opened and not request.url.path.startswith(_OF_PROGRAMS) and _is_there(BUILT / "index.html")


def nothing_here(request: Ask) -> Response[bytes]:
    """The document of the pages, which finds that it has none for the address."""
    return _document(request, "no-store", HTTP_404_NOT_FOUND)


def _document(request: Ask, keep: str, status: int) -> Response[bytes]:
    path = BUILT / "index.html"
    if missing := without_pages():
        raise NotFoundException(missing.message)
    config = server_of(request).config
    # Read each time: pages that are built anew name other assets.
    plain, packed = _of_the_floor(path.read_bytes(), config.name, config.languages)
    headers = {"cache-control": keep, "vary": "accept-encoding"}
    if takes_gzip(request.headers.get("accept-encoding", "")):
        plain, headers = packed, headers | {"content-encoding": "gzip"}
    return Response(plain, status_code=status, media_type="text/html", headers=headers)


@lru_cache(maxsize=4)
def _of_the_floor(document: bytes, name: str, languages: tuple[str, ...]) -> tuple[bytes, bytes]:
    """The document of a floor that is called so and offers these languages: as it is, and in fewer bytes."""
    called, offered = escape(name), escape(" ".join(languages))
    told = (
        f'<meta name="punto-floor" content="{called}" />\n'
        f'    <meta name="punto-languages" content="{offered}" />\n'
        f"    <title>{called}</title>"
    )
    plain = document.replace(_TITLE, told.encode(), 1)
    return plain, gzip.compress(plain, mtime=0)


def _file(request: Ask, name: str, keep: str) -> Response[bytes]:
    path = BUILT / name
    kind = _KINDS.get(path.suffix)
    if kind is None or not _is_there(path):
        raise NotFoundException("not here")
    headers = {"cache-control": keep, "vary": "accept-encoding"}
    packed = path.with_name(f"{path.name}.gz")
    if takes_gzip(request.headers.get("accept-encoding", "")) and packed.is_file():
        path, headers = packed, headers | {"content-encoding": "gzip"}
    return Response(path.read_bytes(), media_type=kind, headers=headers)


def _is_there(path: Path) -> bool:
    try:
        return path.resolve().is_relative_to(BUILT) and path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def takes_gzip(accepted: str) -> bool:
    """Whether a browser that accepts these encodings can read gzip.

    >>> [takes_gzip(accepted) for accepted in ("", "br", "gzip, deflate, br", "br;q=1, GZIP;q=0.5", "gzip;q=0", "*")]
    [False, False, True, True, False, True]
    """
    weights: dict[str, float] = {}
    for each in accepted.lower().split(","):
        name, _, weight = each.partition(";")
        found = _WEIGHT.fullmatch(weight.strip())
        weights[name.strip()] = float(found[1]) if found else 1.0
    return weights.get("gzip", weights.get("*", 0.0)) > 0
