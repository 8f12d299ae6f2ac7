"""The scanner against tomllib: whatever tomllib reads, the scanner finds at its place."""

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.games.spans import Path, Spans

TEXT = '''\
# comment with "quotes" and [brackets]
a = 1
"b c" = 'x' # more
d.e . "f" = [1, [2, "]"], { g = "}", h.i = 2 }, # comment ]
  3,
]
s = """
one\\
   two "quoted"" end"""
l = \'\'\'raw \\ text\'\'\'
q = """four""""
t = 2020-01-01T00:00:00Z
[t1]
x = true
[t1."sub table".z]
y = "\\u00e9\\U0001F600\\tz"
[[arr]]
n = 1
[[arr]]
n = 2
[arr.inner]
m = "deep"
[[arr.list]]
o = {}
[[arr.list]]
o = []
'''


def leaves(value: Any, path: Path = ()) -> list[tuple[Path, Any]]:  # noqa: ANN401
    match value:
        case dict():
            return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))]
        case list():
            return [leaf for place, inner in enumerate(value) for leaf in leaves(inner, (*path, place))]
    return [(path, value)]


def at(text: str, place: tuple[int, int]) -> str:
    """What stands at a line and column, to the end of the line."""
    return text.split("\n")[place[0] - 1][place[1] - 1 :]


def test_every_value_is_found_where_it_stands() -> None:
    spans = Spans(TEXT)
    written: dict[Path, str] = {
        ("b c",): "'x' # more",
        ("d", "e", "f", 1, 1): '"]"], {',
        ("d", "e", "f", 2, "g"): '"}", h.i',
        ("s",): '"""',
        ("l",): "'''raw",
        ("q",): '"""four',
        ("t",): "2020-01-01",
        ("t1", "sub table", "z", "y"): '"\\u00e9',
        ("arr", 1, "inner", "m"): '"deep"',
    }
    for path, value in leaves(tomllib.loads(TEXT)):
        here = at(TEXT, spans.place(path))
        assert here.startswith(written.get(path) or str(value).lower()), path
    assert at(TEXT, spans.place(("t1", "sub table", "z"))).startswith("[t1.")
    assert at(TEXT, spans.place(("arr", 1))).startswith("[[arr]]")
    assert spans.place(("arr", 1)) == (19, 1)
    assert spans.place(("arr", 1, "list", 1)) == (25, 1)


def test_every_letter_of_a_string_is_found_where_it_stands() -> None:
    spans = Spans(TEXT)
    assert at(TEXT, spans.place(("s",), 1)) == "one\\"
    assert at(TEXT, spans.place(("s",), 4)).startswith('two "quoted')
    assert at(TEXT, spans.place(("q",), 5)) == '""""'  # of four quotes the first is a letter
    letters = [at(TEXT, spans.place(("t1", "sub table", "z", "y"), letter))[:2] for letter in range(1, 6)]
    assert letters == ["\\u", "\\U", "\\t", 'z"', '"']
    assert spans.place(("b c",), 99) == spans.place(("b c",), 2)
    assert spans.place(("a",), 3) == spans.place(("a",))


def test_keys_are_found_where_they_stand() -> None:
    spans = Spans(TEXT)
    assert spans.place(("a",), key=True) == (2, 1)
    assert spans.place(("d", "e"), key=True) == (4, 1)
    assert spans.place(("d", "e", "f", 2, "h"), key=True) == (4, 38)
    assert spans.place(("arr", 1, "inner"), key=True) == (21, 1)
    assert spans.place(("nowhere",), key=True) == spans.place(("nowhere",)) == (1, 1)


VALUES = st.recursive(
    st.text() | st.integers(-99, 99) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
    max_leaves=6,
)


def toml(value: Any) -> str:  # noqa: ANN401
    match value:
        case dict():
            return "{ " + ", ".join(f"{json.dumps(key)} = {toml(inner)}" for key, inner in value.items()) + " }"
        case list():
            return "[\n " + ", ".join(toml(inner) for inner in value) + "]"
        case str():
            return json.dumps(value).replace("\x7f", "\\u007f")
        case bool():
            return str(value).lower()
    return str(value)


@given(st.dictionaries(st.text("abc", min_size=1), VALUES, max_size=4))
def test_whatever_tomllib_reads_is_found(document: dict[str, Any]) -> None:
    text = "".join(f"{key} = {toml(value)} # {key}\n" for key, value in document.items())
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError:  # lone surrogates, which TOML has no way to write
        return
    spans = Spans(text)
    for path, value in leaves(read):
        assert path in spans.values
        if isinstance(value, str):
            assert len(spans._letters[path]) == len(value) + 1  # noqa: SLF001
        else:
            assert at(text, spans.place(path)).startswith(toml(value))


@pytest.mark.parametrize("text", ["", "\n", "# only a comment", "a = 1", "a = 1\r\nb = 2\r\n"])
def test_small_texts_are_walked_to_their_end(text: str) -> None:
    assert set(Spans(text).values) == {path for path, _ in leaves(tomllib.loads(text))}
