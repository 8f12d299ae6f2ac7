"""The hash chain of a stream: each entry's hash covers the stored bytes of it and of all before it.

The chain begins with the stream's name, so that neither an entry nor a whole stream can pass for another.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from punto.errors import BrokenChain
from punto.store.contract import Entry, Hash, Tip


def genesis(stream: str) -> Hash:
    """What the first entry of a stream is chained to."""
    return sha256(b"punto stream 1\0" + stream.encode()).digest()


def link(before: Hash, body: bytes) -> Hash:
    """The hash of an entry, given the hash of the one before.

    >>> link(genesis("table/1"), b"{}").hex()[:16]
    '60433d09dfdb1295'
    """
    return sha256(before + body).digest()


def start(stream: str) -> Tip:
    """The end of a stream that has no entry yet."""
    return Tip(0, genesis(stream))


def verified(entries: Iterable[Entry], since: Tip) -> Iterator[Entry]:
    """The entries as they come, each checked against the one before; `BrokenChain` where they do not follow."""
    version, before = since
    for entry in entries:
        version += 1
        try:
            before = sha256(before + entry.body).digest()
        except TypeError:  # a damaged file can hold anything where a body should be
            before = b""
        if entry.version != version or entry.hash != before:
            raise BrokenChain(f"{entry.stream}: entry {version} is not what was written", version)
        yield entry
