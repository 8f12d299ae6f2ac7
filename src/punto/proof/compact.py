"""Few bytes for a receipt: numbers of no more bytes than they need, bodies without what every body has, base45.

A body is JSON, in which no byte below 32 ever stands. Those bytes stand for texts that every wager and cash-out has
(`WORDS`), for hexadecimal digits, and for what came shortly before.
"""

from collections.abc import Iterator
from typing import Final

from punto.errors import BadReceipt

HASH: Final = 32
LARGEST_NUMBER: Final = 2**63 - 1
LONGEST_BODY: Final = 4_096
_BYTE: Final = 8
_SEVEN: Final = 0x7F
_MORE: Final = 0x80

# What a byte from 1 on stands for. New texts are added at the end, and none is ever changed.
WORDS: Final = tuple(
    word.encode()
    for word in (
        '{"at_ms":',
        ',"by":{"name":"',
        '","position":"patron"},"command":"',
        '","event":{"type":"wager-placed","number":',
        '","event":{"type":"wager-changed","number":',
        '","event":{"type":"credits-cashed-out","patron":"',
        ',"patron":"',
        '","wager":"',
        '","stake_cents":',
        ',"position":',
        '},"asked":',
        '","from_cents":',
        ',"to_cents":',
        '","cents":',
        ',"for_patron":true',
        '","position":"',
        '"},"command":"',
        ',"wager":"',
        ',"same_moment_as":',
        "ticket-",
        "desk-",
    )
)
_HEX: Final = 30
_COPY: Final = 31
_FIRST_LITERAL: Final = 32
_DIGITS: Final = frozenset(b"0123456789abcdef")
_FEWEST_DIGITS: Final = 6
_SHORTEST_COPY: Final = 4
_LONGEST_RUN: Final = 255

_BASE45: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
_VALUES: Final = {sign: value for value, sign in enumerate(_BASE45)}
_45: Final = len(_BASE45)


def number(value: int) -> bytes:
    """A whole number, seven bits a byte, the lowest first.

    >>> number(300).hex()
    'ac02'
    """
    assert 0 <= value <= LARGEST_NUMBER, f"{value} is no number of a receipt"
    written = bytearray()
    while value > _SEVEN:
        written.append(value & _SEVEN | _MORE)
        value >>= 7
    written.append(value)
    return bytes(written)


class Bytes:
    """Bytes that are read from the first to the last; `BadReceipt` where they end too early, or too late."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self.at = 0

    def take(self, count: int) -> bytes:
        """So many bytes."""
        if count > len(self._raw) - self.at:
            raise BadReceipt(f"the receipt ends too early: expected more than {len(self._raw)} bytes", self.at + 1)
        self.at += count
        return self._raw[self.at - count : self.at]

    def byte(self) -> int:
        """One byte."""
        return self.take(1)[0]

    def number(self) -> int:
        """A whole number, in no more bytes than it needs."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & _SEVEN) << shift
            if not byte & _MORE:
                break
            shift += 7
        if value > LARGEST_NUMBER or (shift and not byte):
            raise BadReceipt(f"byte {self.at} of the receipt ends a number that is none", self.at)
        return value

    def hashes(self, count: int) -> tuple[bytes, ...]:
        """So many hashes."""
        raw = self.take(HASH * count)
        return tuple(raw[at : at + HASH] for at in range(0, len(raw), HASH))

    def end(self) -> None:
        """Refuse whatever follows."""
        if self.at != len(self._raw):
            raise BadReceipt(f"the receipt goes on after its end: expected {self.at} bytes", self.at + 1)


def packed(body: bytes) -> bytes:
    """A body in fewer bytes."""
    written = bytearray()
    at = 0
    while at < len(body):
        taken, code = max(_ways(body, at), key=lambda way: way[0] - len(way[1]))
        written += code
        at += taken
    return bytes(written)


def _ways(body: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """How the next bytes can be written: how many of them, and as what."""
    assert body[at] >= _FIRST_LITERAL, "JSON has no such byte"
    yield 1, body[at : at + 1]
    for code, word in enumerate(WORDS, 1):
        if body.startswith(word, at):
            yield len(word), bytes([code])
    digits = 0
    while digits < 2 * _LONGEST_RUN and at + digits < len(body) and body[at + digits] in _DIGITS:
        digits += 1
    digits -= digits % 2
    if digits >= _FEWEST_DIGITS:
        raw = bytes.fromhex(body[at : at + digits].decode())
        yield digits, bytes([_HEX, len(raw)]) + raw
    length = _SHORTEST_COPY
    found = -1
    while length <= _LONGEST_RUN and at + length <= len(body):
        earlier = body.rfind(body[at : at + length], 0, at)
        if earlier < 0:
            break
        found, length = earlier, length + 1
    if found >= 0:
        yield length - 1, bytes([_COPY]) + number(at - found) + bytes([length - 1])


def unpacked(raw: bytes) -> bytes:
    """The body again; `BadReceipt` where it cannot be one."""
    body = bytearray()
    reader = Bytes(raw)
    while reader.at < len(raw):
        code = reader.byte()
        if code >= _FIRST_LITERAL:
            body.append(code)
        elif code == _HEX:
            body += reader.take(reader.byte()).hex().encode()
        elif code == _COPY:
            distance, length = reader.number(), reader.byte()
            if not 0 < distance <= len(body) or length > distance:
                raise BadReceipt("the entry of the receipt repeats what it does not hold")
            first = len(body) - distance
            body += body[first : first + length]
        elif 0 < code <= len(WORDS):
            body += WORDS[code - 1]
        else:
            raise BadReceipt(f"the entry of the receipt holds {code}, which stands for nothing")
        if len(body) > LONGEST_BODY:
            raise BadReceipt(f"the entry of the receipt is longer than {LONGEST_BODY} bytes")
    return bytes(body)


def base45(raw: bytes) -> str:
    """Bytes as signs of a QR code's alphanumeric mode (RFC 9285).

    >>> base45(b"Hello!!")
    '%69 VD92EX0'
    """
    signs: list[str] = []
    for at in range(0, len(raw) - 1, 2):
        value = raw[at] << _BYTE | raw[at + 1]
        signs += _BASE45[value % _45], _BASE45[value // _45 % _45], _BASE45[value // _45**2]
    if len(raw) % 2:
        signs += _BASE45[raw[-1] % _45], _BASE45[raw[-1] // _45]
    return "".join(signs)


def from_base45(text: str) -> bytes:
    """The bytes again; `BadReceipt` where the text is none of `base45`.

    >>> from_base45("QED8WEX0")
    b'ietf!'
    """
    raw = bytearray()
    for at in range(0, len(text), 3):
        part = text[at : at + 3]
        values = [_VALUES.get(sign, -1) for sign in part]
        value = sum(each * _45**place for place, each in enumerate(values))
        if len(part) < 2 or min(values) < 0 or value >= 1 << _BYTE * (len(part) - 1):  # noqa: PLR2004
            raise BadReceipt(f"sign {at + 1} of the code is none of base45", at + 1)
        raw += value.to_bytes(len(part) - 1)
    return bytes(raw)
