"""What a browser may keep of an answer, and that it comes back by TLS only."""

from pathlib import Path

import pytest
from tests.server.identity.lobby import lobby
from tests.server.waiting import waits

# What names nobody: the pages themselves, which say how long they last.
OF_NOBODY = ("/assets/", "/favicon")


@waits
async def test_whatever_is_no_part_of_the_pages_is_kept_by_no_browser(tmp_path: Path) -> None:
    async with lobby(tmp_path, demonstration=True) as opened:
        browser = await opened.signed_in()
        document = (await browser.get("/schema/openapi.json")).json()
        asked = [path for path, each in document["paths"].items() if "get" in each]
        assert len(asked) > 20
        filled = {
            "key": "1",
            "number": "1",
            "shoe": "1",
            "command": "x",
            "wager": "1",
            "claim": "1",
            "size": "1",
            "round_number": "1",
        }
        for path in asked:
            address = path
            for name, value in filled.items():
                address = address.replace("{" + name + "}", value)
            if not address.startswith(OF_NOBODY):
                answer = await browser.get(address)
                assert answer.headers["cache-control"] == "no-store", (address, answer.status_code)
        for path in (
            "/api/sign-in",
            "/api/prove",
            "/api/desk",
            "/api/enrol",
            "/api/factors/passkeys",
            "/api/claims/1/answer",
        ):
            assert (await browser.post(path, json={})).headers["cache-control"] == "no-store", path


@waits
@pytest.mark.parametrize(
    ("proxy", "below", "told"),
    [
        (True, False, "max-age=31536000"),
        (True, True, "max-age=31536000; includeSubDomains"),
        (False, False, None),
        (False, True, None),
    ],
)
async def test_a_floor_that_speaks_tls_is_asked_by_tls_only_from_then_on(
    tmp_path: Path,
    *,
    proxy: bool,
    below: bool,
    told: str | None,
) -> None:
    async with lobby(tmp_path, behind_proxy=proxy, hsts_subdomains=below) as opened:
        for path in ("/", "/api/me", "/no-such-thing"):
            answer = await opened.browser().get(path)
            assert answer.headers.get("strict-transport-security") == told
