"""Whatever stands in a body, an audit ends with a report."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.record.play import DEALT, KEYS, T1, TERMINALS, VIRTUAL, play
from tests.width import width

from punto.record import Code, audit
from punto.store import SqliteStore

GARBAGE = (b"", b"null", b"{}", b"[]", b"\xff\xfe", b"{" * 10_000, b'{"at_ms": 1}', b'"\\ud800"', b"[" * 100_000)
VALUES: Any = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from([2**53, 2**63, 2**70, -(2**70)]),
    st.sampled_from(["", "ann", "player", "banker", "7c", "As As As As As", "?", "EB4 4.1", "void", "\0", "é"]),
    st.sampled_from([[], {}, [1], ["ann", "ann"], {"a": 1}]),
)


@pytest.mark.parametrize("body", GARBAGE, ids=range(len(GARBAGE)))
@pytest.mark.parametrize("stream", [T1, "wallet/ann", "book/T1", "security"])
def test_bytes_that_do_not_read_are_told(stream: str, body: bytes) -> None:
    store = play()
    store.write(stream, 1, body)
    found = audit(store.sign(KEYS), public_key=KEYS.public).findings[0]
    assert (found.code, found.stream, found.version) == (Code.UNREADABLE, stream, 1)


@pytest.mark.parametrize("body", GARBAGE, ids=range(len(GARBAGE)))
def test_heads_that_do_not_read_are_told(body: bytes) -> None:
    store = play()
    store.write(store.heads, 4, body)
    found = audit(store, public_key=KEYS.public).findings
    assert [each.code for each in found[:2]] == [Code.BROKEN_CHAIN, Code.BAD_HEAD]


@pytest.mark.parametrize("body", [None, "text", 7])
def test_no_bytes_at_all_are_told(body: Any) -> None:  # noqa: ANN401
    store = play()
    store.write(T1, 3, body)
    assert audit(store, public_key=KEYS.public).findings[0].code is Code.BROKEN_CHAIN


@given(data=st.data())
@settings(max_examples=width(150, 1000))
def test_any_value_in_any_place_ends_in_a_report(data: st.DataObject) -> None:
    store = play(data.draw(st.sampled_from([TERMINALS, DEALT, VIRTUAL])))
    for _ in range(data.draw(st.integers(1, 3))):
        stream = data.draw(st.sampled_from(sorted(name for name in store.entries if name != store.heads)))
        version = data.draw(st.integers(1, len(store.entries[stream])))
        body = store.body(stream, version)
        place: Any = body
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = data.draw(st.sampled_from(keys))
            if not place[key] or not isinstance(place[key], dict | list) or data.draw(st.booleans()):
                place[key] = data.draw(VALUES)
                break
            place = place[key]
        store.write(stream, version, json.dumps(body).encode())
    audit(store.sign(KEYS), public_key=KEYS.public)


@pytest.mark.parametrize("stream", [T1, "wallet/ann", "heads"])
@pytest.mark.parametrize(
    "change",
    [
        "hash = 5",
        "hash = 'x'",
        "body = 'text'",
        "body = 7",
        "command = 5",
        "command = x'ff'",
        "version = 'x'",
        "version = 2.5",
        "stream = x'00'",
        "stream = CAST(x'ff' AS TEXT)",
        "stream = CAST(stream AS BLOB)",
        "hash = CAST(x'ff' AS TEXT)",
        "body = CAST(x'ff' AS TEXT)",
        "command = CAST(x'ff' AS TEXT)",
        "version = x'00'",
        "stream = 5",
        "version = -1",
        f"version = {2**63 - 1}",
    ],
)
def test_values_of_other_kinds_in_a_file_are_told(tmp_path: Path, stream: str, change: str) -> None:
    path = tmp_path / "t.db"
    with closing(SqliteStore(path)) as store:
        forged = play()
        for name, entries in forged.entries.items():
            store.append(entries, {name: 0})
    stream = forged.heads if stream == "heads" else stream
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE entries SET {change} WHERE stream = ? AND version = 2", (stream,))  # noqa: S608
        connection.commit()
    with closing(SqliteStore(path, read_only=True)) as store:
        assert audit(store, public_key=KEYS.public).findings
