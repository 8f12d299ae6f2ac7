"""Words about people, kept outside the chain. Replaced at merge: this one keeps them in memory."""

from hashlib import sha256

from punto.surroundings import token_hex


class Personal:
    """Words by the person whom they are about, and by their commitment."""

    def __init__(self) -> None:
        self._words: dict[tuple[str, str], str] = {}

    def keep(self, person: str, text: str) -> str:
        """Keep words about a person; the commitment to them, which the chain holds."""
        commitment = sha256(f"{token_hex(16)}\0{person}\0{text}".encode()).hexdigest()
        self._words[person, commitment] = text
        return commitment

    def read(self, person: str, commitment: str) -> str | None:
        """The words; none once they were erased."""
        return self._words.get((person, commitment))
