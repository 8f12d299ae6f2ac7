"""Whether a key is the floor's own: a store may have been signed with another, or the floor may have a newer one."""

from contextlib import suppress

from punto.errors import Corrupt, KeyRotated, WrongKey
from punto.proof.coverage import Coverage
from punto.proof.writers import HEADS, read_certificate
from punto.store.contract import Store


def check_not_replaced(coverage: Coverage) -> None:
    """Refuse a key in whose place the floor has another now."""
    rotation = coverage.trust.replaced
    if rotation is not None and not coverage.has_gone_on(rotation):
        raise KeyRotated(
            f"the floor's key was rotated by {rotation.by}: {rotation.old[:16]}… is a former key, and the floor's "
            f"key is {coverage.trust.newest[:16]}… now: open the floor with that one",
            new=rotation.new,
        )


def check_signed_with(store: Store, coverage: Coverage) -> None:
    """Refuse a store in which nothing was signed under this key, but something under another."""
    for stream, _ in () if coverage.heads else store.streams(HEADS):
        other = ""
        with suppress(Corrupt, StopIteration):
            other = read_certificate(next(store.read(stream)).body).floor
        if other:
            key = coverage.trust.key
            raise WrongKey(
                f"the store was signed with the key {other[:16]}…, and not with {key[:16]}…: bring that key; if the "
                "key was rotated after this copy was made, it is the former one"
            )
