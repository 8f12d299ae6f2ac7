from pathlib import Path
from socket import gethostname
from typing import Any, Final

import pytest
from tests.server.certificates import make_certificate
from tests.server.identity.lobby import configured

from punto.server.config import FloorConfig
from punto.server.identity.requests import CookieNames, Origins, Scope, address, bearer, cookie, is_meant_for, is_ours


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
    config = configured(tmp_path, behind_proxy=True, origins=("https://floor.test",))
    assert is_ours(asked(origin="https://floor.test", host="floor.test"), config)
    assert not is_ours(asked(origin="http://floor.test", host="floor.test"), config)


FROM_ELSEWHERE: Final[list[dict[str, Any]]] = [{"behind_proxy": True}, {"host": "0.0.0.0", "behind_proxy": True}]  # noqa: S104


@pytest.mark.parametrize("how", FROM_ELSEWHERE)
@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("floor.test", True),
        ("wiki.floor.test", False),
        ("floor.test.evil.test", False),
        ("floor.test:9000", False),
        ("10.0.0.7:8421", True),
        ("[2001:db8::1]", True),
        ("localhost:8421", True),
        ("[", False),
        (gethostname(), False),
    ],
)
def test_what_a_request_claims_to_ask_proves_no_page_of_a_floor_that_is_reached_from_elsewhere(
    tmp_path: Path, how: dict[str, Any], name: str, *, ours: bool
) -> None:
    config = configured(tmp_path, origins=("https://floor.test",), **how)
    assert is_ours(asked(origin=f"https://{name}", host=name), config) is ours
    assert is_ours(asked(host=name, sec_fetch_site="same-origin"), config) is ours


def test_without_origins_a_floor_takes_the_machines_name_and_those_of_its_certificate(tmp_path: Path) -> None:
    make_certificate(tmp_path, names=("floor.test", "*.floor.test"))
    tls = {"tls_certificate": str(tmp_path / "cert.pem"), "tls_key": str(tmp_path / "key.pem")}
    config = configured(tmp_path, host="0.0.0.0", **tls)  # noqa: S104
    for name, ours in (("floor.test", True), (gethostname(), True), ("wiki.floor.test", False)):
        assert is_ours(asked(origin=f"https://{name}:8421", host=f"{name}:8421"), config) is ours
    assert Origins(config).are_guessed
    assert not Origins(configured(tmp_path)).are_guessed
    assert not Origins(configured(tmp_path, behind_proxy=True, origins=("https://floor.test",))).are_guessed


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
