"""Faults that can be planted, so that one sees that the checks catch them."""

from punto.casino.disk import Disk
from punto.casino.diskstore import DiskStore
from punto.errors import BadUsage
from punto.floor import Floor
from punto.proof.coverage import Coverage
from punto.store.chain import start
from punto.store.contract import Tip


class Plant:
    """No fault."""

    name = ""

    def into_disk(self, disk: Disk) -> None:
        """Change the disk."""

    def into_store(self, store: DiskStore) -> None:
        """Change what a process has of the store."""

    def into_floor(self, floor: Floor) -> None:
        """Change the floor of a process."""


class LostSync(Plant):
    """The disk acknowledges syncs, and does not make them."""

    name = "lost-sync"

    def into_disk(self, disk: Disk) -> None:
        """Have it lie."""
        disk.lies = True


class MissingFence(Plant):
    """The store takes what a process writes that is no longer the owner."""

    name = "missing-fence"

    def into_store(self, store: DiskStore) -> None:
        """Have it look at no fence."""
        store.has_no_fences = True


class AdoptedForgery(Plant):
    """The floor believes whatever is in its store."""

    name = "adopted-forgery"

    def into_floor(self, floor: Floor) -> None:
        """Have it believe that a stream ends where it is stored to end."""
        floor.history.coverage.__class__ = _Credulous


class _Credulous(Coverage):
    def end(self, stream: str) -> Tip:
        return self._store.tip(stream) or start(stream)

    def check(self, stream: str) -> None:
        """Everything is believed."""


PLANTS = {plant.name: plant for plant in (LostSync, MissingFence, AdoptedForgery)}


def plant_named(name: str) -> Plant:
    """The fault of that name; none for an empty one."""
    if name and name not in PLANTS:
        raise BadUsage(f"--plant: {name!r} is no fault that can be planted: expected {', '.join(PLANTS)}")
    return PLANTS[name]() if name else Plant()
