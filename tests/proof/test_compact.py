import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.errors import BadReceipt
from punto.proof.compact import LARGEST_NUMBER, WORDS, Bytes, base45, from_base45, number, packed, unpacked

WORD_TEXTS = st.sampled_from([word.decode() for word in WORDS])
BODIES = st.lists(
    WORD_TEXTS | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=20), max_size=8
)


@settings(max_examples=25)
@given(BODIES)
def test_a_body_that_was_packed_comes_back(parts: list[str]) -> None:
    body = "".join(parts).encode()
    assert unpacked(packed(body)) == body
    assert len(packed(body)) <= len(body)


@pytest.mark.parametrize(
    "raw", [b"\x00", b"\x1d", b"\x1e", b"\x1e\x02\x01", b"\x1f", b"a\x1f\x02\x01", b"ab\x1f\x01\x02"]
)
def test_what_stands_for_nothing_is_refused(raw: bytes) -> None:
    with pytest.raises(BadReceipt):
        unpacked(raw)


def test_a_few_bytes_do_not_become_many() -> None:
    with pytest.raises(BadReceipt, match="longer than 4096 bytes"):
        unpacked(b"a" * 128 + b"\x1f\x80\x01\x80" * 40)


@given(st.integers(0, LARGEST_NUMBER))
def test_a_number_has_one_form(value: int) -> None:
    raw = number(value)
    assert Bytes(raw).number() == value
    with pytest.raises(BadReceipt):
        Bytes(raw[:-1] + bytes([raw[-1] | 0x80, 0])).number()


@pytest.mark.parametrize("raw", [b"", b"\x80", b"\xff" * 9 + b"\x01", b"\xff" * 20])
def test_a_number_that_does_not_end_or_is_too_large_is_refused(raw: bytes) -> None:
    with pytest.raises(BadReceipt):
        Bytes(raw).number()


# RFC 9285, section 4.3 and 4.4.
@pytest.mark.parametrize(("raw", "text"), [(b"AB", "BB8"), (b"Hello!!", "%69 VD92EX0"), (b"base-45", "UJCLQE7W581")])
def test_base45_is_that_of_its_specification(raw: bytes, text: str) -> None:
    assert base45(raw) == text
    assert from_base45(text) == raw


@pytest.mark.parametrize("text", ["B", "GGW", ":::", "::", "bb8", "BB8B"])
def test_what_is_no_base45_is_refused(text: str) -> None:
    with pytest.raises(BadReceipt):
        from_base45(text)


@given(st.binary(max_size=40))
def test_base45_comes_back(raw: bytes) -> None:
    assert from_base45(base45(raw)) == raw
