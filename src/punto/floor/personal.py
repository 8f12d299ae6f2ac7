"""Texts about people, of which the chain holds commitments only. Replaced at merge: this one keeps them in memory."""

from hashlib import sha256

from punto.surroundings import token_bytes


class Personal:
    """What was said of people, by person and commitment."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], str] = {}

    def keep(self, person: str, text: str) -> str:
        """Keep a text about somebody; the commitment to it, in 64 hexadecimal digits. On the writing thread."""
        commitment = sha256(token_bytes(32) + text.encode()).hexdigest()
        self._kept[person, commitment] = text
        return commitment

    def read(self, person: str, commitment: str) -> str | None:
        """What was said; none where it was erased."""
        return self._kept.get((person, commitment))
