"""The pages as files: what is sent, in which form, and for how long it may be kept."""

import gzip
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.server.http.floor import opened
from tests.server.waiting import waits

from punto.server.http import pages

_SCRIPT = b"console.log(1);" * 100
_WEB = Path(__file__).resolve().parents[3] / "web"


class _Told(HTMLParser):
    """What a browser reads off a document: what its metas say, and its title."""

    def __init__(self) -> None:
        super().__init__()
        self.metas: dict[str, str] = {}
        self.title = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "meta" and said.get("name"):
            self.metas[said["name"] or ""] = said["content"] or ""

    def handle_data(self, data: str) -> None:
        if self.lasttag == "title":
            self.title += data.strip()


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of one document and one script, both packed, and a picture that is not."""
    folder = tmp_path / "pages"
    (folder / "assets").mkdir(parents=True)
    for name, content in (("index.html", b"<!doctype html>"), ("assets/page.js", _SCRIPT)):
        (folder / name).write_bytes(content)
        (folder / f"{name}.gz").write_bytes(gzip.compress(content))
    (folder / "assets" / "plain.png").write_bytes(b"png")
    monkeypatch.setattr(pages, "BUILT", folder)


@waits
async def test_a_file_is_sent_packed_to_who_can_read_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        for accepted, encoding in (("gzip, deflate, br", "gzip"), ("identity", None), ("gzip;q=0", None)):
            answer = await floor.nobody().get("/assets/page.js", headers={"accept-encoding": accepted})
            assert answer.content == _SCRIPT
            assert answer.headers.get("content-encoding") == encoding
            assert answer.headers["vary"] == "accept-encoding"
            assert answer.headers["content-type"].startswith("text/javascript")
            assert "immutable" in answer.headers["cache-control"]
            assert (int(answer.headers["content-length"]) < len(_SCRIPT)) is (encoding is not None)


@waits
async def test_one_document_is_sent_for_every_address_and_asked_for_anew_each_time(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        for address in ("/", "/table/1", "/display", "/display/1", "/verify", "/dealer", "/pit", "/sign-in"):
            answer = await floor.nobody().get(address)
            assert (answer.status_code, answer.content) == (200, b"<!doctype html>")
            assert answer.headers["cache-control"] == "no-cache"


@waits
async def test_the_document_says_what_the_floor_is_called_and_which_languages_it_offers(tmp_path: Path) -> None:
    document = (_WEB / "index.html").read_text(encoding="utf-8")
    (pages.BUILT / "index.html").write_text(document, encoding="utf-8")
    name = """Marina <b> "&" 'one' 金沙"""
    async with opened(tmp_path, name=name, languages=("zh", "en")) as floor:
        for address, keep in (("/", "no-cache"), ("/nowhere", "no-store")):
            sent = {}
            for accepted, encoding in (("gzip", "gzip"), ("identity", None)):
                headers = {"accept": "text/html", "accept-encoding": accepted}
                answer = await floor.nobody().get(address, headers=headers)
                assert answer.headers.get("content-encoding") == encoding
                assert answer.headers["vary"] == "accept-encoding"
                assert answer.headers["cache-control"] == keep
                assert answer.headers["content-type"] == "text/html; charset=utf-8"
                sent[accepted] = answer.text
            assert sent["gzip"] == sent["identity"]
            told = _Told()
            told.feed(sent["identity"])
            assert told.metas["punto-floor"] == told.title == name
            assert told.metas["punto-languages"] == "zh en"
            assert "<b>" not in sent["identity"]
            # The rest of it is as it was built.
            assert sent["identity"].startswith(document.partition("<title>")[0])
            assert sent["identity"].endswith(document.partition("</title>")[2])


@waits
async def test_a_document_that_is_built_anew_is_sent_at_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        await floor.nobody().get("/")
        (pages.BUILT / "index.html").write_bytes(b"<!doctype html><title>Punto</title>")
        assert 'content="en zh"' in (await floor.nobody().get("/")).text


@waits
async def test_what_is_not_packed_is_sent_as_it_is_and_what_is_packed_is_no_file_of_its_own(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        answer = await floor.nobody().get("/assets/plain.png", headers={"accept-encoding": "gzip"})
        assert (answer.content, answer.headers.get("content-encoding")) == (b"png", None)
        for name in ("page.js.gz", "none.js", "..%2Findex.html"):
            assert (await floor.nobody().get(f"/assets/{name}")).status_code == 404


@waits
async def test_every_answer_keeps_others_out_of_the_page(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        nobody = floor.nobody()
        for address, status in (
            ("/", 200),
            ("/nothing", 404),
            ("/enter/used", 404),
            ("/api/nothing", 404),
            ("/api/me", 200),
        ):
            answer = await nobody.get(address, headers={"accept": "text/html"})
            assert answer.status_code == status
            assert "default-src 'none'; script-src 'self';" in answer.headers["content-security-policy"]
            assert answer.headers["x-content-type-options"] == "nosniff"
        page = await nobody.get("/nothing", headers={"accept": "text/html,*/*"})
        assert page.content == b"<!doctype html>"
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert (await nobody.get("/nothing")).json()["code"] == "not-found"


@waits
async def test_a_host_that_is_none_is_turned_away(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        answer = await floor.nobody().get("/health", headers={"host": "[::1"})
        assert (answer.status_code, answer.json()["code"]) == (421, "not-here")


@waits
async def test_without_pages_the_floor_answers_and_says_how_to_get_them(tmp_path: Path) -> None:
    (pages.BUILT / "index.html").unlink()
    async with opened(tmp_path) as floor:
        answer = await floor.nobody().get("/", headers={"accept": "text/html"})
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
        assert "the pages of the floor are not installed" in answer.text
        assert (await floor.nobody().get("/health")).status_code == 200
