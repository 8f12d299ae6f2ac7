from pathlib import Path

import pytest
from tests.server.identity.lobby import configured

from punto.server.config import FloorConfig
from punto.server.identity.requests import CookieNames, Scope, address, bearer, cookie, is_meant_for, is_ours


def asked(**headers: str) -> Scope:
    return {"headers": [(key.replace("_", "-").encode(), value.encode()) for key, value in headers.items()]}


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({"origin": "http://floor.test:8421", "host": "floor.test:8421"}, True),
        ({"origin": "http://evil.test", "host": "floor.test:8421"}, False),
        ({"origin": "null", "host": "floor.test:8421"}, False),
        ({"origin": "https://casino.test", "host": "10.0.0.1"}, True),
        ({"host": "floor.test:8421"}, False),
        ({"host": "floor.test:8421", "sec_fetch_site": "same-origin"}, True),
        ({"host": "floor.test:8421", "sec_fetch_site": "same-site"}, False),
        ({"host": "floor.test:8421", "sec_fetch_site": "same-origin", "origin": "http://evil.test"}, False),
        ({"origin": "http://"}, False),
    ],
)
def test_a_page_is_ours_when_it_comes_from_where_it_asks(tmp_path: Path, headers: dict[str, str], ours: bool) -> None:
    assert is_ours(asked(**headers), configured(tmp_path, origins=("https://casino.test",))) is ours


def test_with_tls_a_page_without_it_is_not_ours(tmp_path: Path) -> None:
    config = configured(tmp_path, behind_proxy=True)
    assert is_ours(asked(origin="https://floor.test", host="floor.test"), config)
    assert not is_ours(asked(origin="http://floor.test", host="floor.test"), config)


def test_with_tls_cookies_are_for_this_very_host(tmp_path: Path) -> None:
    plain, behind = CookieNames(configured(tmp_path)), CookieNames(configured(tmp_path, behind_proxy=True))
    assert (plain.secure, plain.staff) == (False, "punto_staff")
    assert (behind.secure, behind.staff) == (True, "__Host-punto_staff")


def test_a_cookie_is_read_and_what_is_none_is_empty() -> None:
    assert cookie(asked(cookie="a=1; punto_staff=xyz"), "punto_staff") == "xyz"
    assert cookie(asked(cookie="\x00=;;; =="), "punto_staff") == ""
    assert cookie(asked(), "punto_staff") == ""


@pytest.mark.parametrize(
    ("client", "seen"),
    [
        (("10.0.0.7", 1), "10.0.0.7"),
        (("2001:db8:1:2:3::4", 1), "2001:db8:1:2::/64"),
        (("::ffff:10.0.0.7", 1), "10.0.0.7"),
        (("testclient", 1), "testclient"),
        (None, ""),
    ],
)
def test_an_address_is_the_clients(client: object, seen: str) -> None:
    assert address({"client": client}) == seen


def test_a_token_is_what_follows_bearer() -> None:
    assert [bearer(each) for each in (None, "", "Basic x", "Bearer", "Bearer x ")] == ["", "", "", "", "x"]


@pytest.mark.parametrize(
    ("host", "bound", "meant"),
    [
        ("127.0.0.1:8421", "127.0.0.1", True),
        ("localhost:9", "127.0.0.1", True),
        ("[::1]:8421", "127.0.0.1", True),
        ("evil.test:8421", "127.0.0.1", False),
        ("", "127.0.0.1", False),
        ("known.test", "127.0.0.1", True),
        ("floor.example", "0.0.0.0", True),  # noqa: S104
    ],
)
def test_a_floor_of_this_machine_only_is_asked_by_this_machines_names(host: str, bound: str, meant: bool) -> None:
    config = FloorConfig(tables=(), store="memory:", key_file="", host=bound, origins=("https://known.test",))
    assert is_meant_for(asked(host=host), config) is meant
