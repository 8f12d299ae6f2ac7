"""Views of a store, which tell nothing about people: only the floor itself reads what is kept about them."""

from collections.abc import Iterable, Iterator, Mapping

from punto.errors import StoreGone
from punto.store.contract import Dossier, DossierChange


class ImpersonalView:
    """The part of a view that has no dossiers."""

    def add_to_dossier(self, person: str, more: Dossier, fences: Mapping[str, int]) -> None:  # noqa: ARG002 (as in every store)
        """Nothing is kept here."""
        raise StoreGone("this view of the store can only be read")

    def dossier(self, person: str, ref: str = "") -> Dossier | None:  # noqa: ARG002
        """Nothing is told here."""
        return None

    def persons(self) -> Iterator[str]:
        """Nobody."""
        return iter(())

    def change_dossiers(self, changes: Iterable[DossierChange], fences: Mapping[str, int]) -> None:  # noqa: ARG002
        """Nothing is changed here."""
        raise StoreGone("this view of the store can only be read")

    def scrub(self) -> bool:
        """Nothing was erased here."""
        return True
