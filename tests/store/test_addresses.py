"""Whether an address of PostgreSQL says that the server's certificate is looked at, where that matters."""

import pytest

from punto.store import is_unchecked


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PGHOST", "PGHOSTADDR", "PGSSLMODE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("url", "unchecked"),
    [
        ("memory:", False),
        ("sqlite:floor.db", False),
        ("floor.db", False),
        ("postgresql:///pit", False),
        ("postgresql:///pit?host=/run/postgresql", False),
        ("postgresql://floor@localhost/pit", False),
        ("postgresql://floor@127.0.0.1:5433/pit", False),
        ("postgresql://floor@[::1]/pit", False),
        ("postgresql://floor@db.example/pit", True),
        ("postgres://floor@10.0.0.3/pit?schema=night", True),
        ("postgresql://floor@db.example/pit?sslmode=require", True),
        ("postgresql://floor@db.example/pit?sslmode=verify-ca", False),
        ("postgresql://floor@db.example/pit?sslmode=verify-full&schema=night", False),
        ("postgresql://floor@localhost,db.example/pit", True),
        ("postgresql://floor@localhost/pit?hostaddr=10.0.0.3", True),
    ],
)
def test_a_server_elsewhere_is_unchecked_unless_the_address_asks_for_its_certificate(
    url: str, *, unchecked: bool
) -> None:
    assert is_unchecked(url) is unchecked


def test_what_the_environment_says_counts_where_the_address_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.example")
    assert is_unchecked("postgresql:///pit")
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    assert not is_unchecked("postgresql:///pit")
    assert is_unchecked("postgresql:///pit?sslmode=prefer")
