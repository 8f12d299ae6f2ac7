"""The store on a simulated disk keeps the contract of every store, and fails as real ones do."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from tests.store.places import Place, tip_of, written
from tests.store.test_contract import *  # noqa: F403 (the contract of every store)
from tests.store.test_contract import _eager_threads  # noqa: F401 (a fixture)
from tests.store.test_dossiers import (  # noqa: F401 (the contract, too)
    test_a_dossier_grows_and_is_read_back_by_every_process,
    test_a_dossier_that_has_changed_meanwhile_is_not_erased_nor_is_any_other,
    test_a_writer_that_was_fenced_off_changes_no_dossier,
    test_an_erased_dossier_is_gone_and_the_others_stay,
    test_one_person_has_one_key_and_a_reference_comes_once,
    test_what_is_no_name_is_nobody,
)

from punto.casino.disk import Disk
from punto.casino.diskstore import DiskStore, Uneventful
from punto.casino.faults import Died
from punto.casino.journal import Journal
from punto.errors import OutcomeUnknown, StoreGone
from punto.store import Store

# A simulated disk is in one process only: this test starts others.
del test_of_two_processes_exactly_one_gets_each_version_and_either_may_make_the_store  # noqa: F821


class DiskPlace(Place):
    """A machine with a disk."""

    def __init__(self) -> None:
        super().__init__("disk", lambda: "disk:")

    def fresh(self) -> None:
        super().fresh()
        self.disk = Disk()
        self.journal = Journal(self.disk)

    def open(self) -> Store:
        """Another process on the machine; after the last one has gone, the journal is read from the disk."""
        if self._opened and all(store.is_closed for store in self._opened):  # type: ignore[attr-defined]
            self.journal.open()
        store = DiskStore(self.journal)
        self._opened.append(store)
        return store


@pytest.fixture
def place() -> Iterator[Place]:
    held = DiskPlace()
    yield held
    held.close()


class Fatal(Uneventful):
    """The process dies at one point of its next transaction."""

    def __init__(self, at: str) -> None:
        self._at = at

    def moment(self, what: str) -> None:
        if what == self._at:
            raise Died


MANY = [b"%d" % number * 300 for number in range(9)]


@pytest.mark.parametrize("at", ["before it is written", "half written", "before it is synced", "before it is answered"])
@pytest.mark.parametrize("seed", range(8))
def test_a_transaction_is_there_as_a_whole_or_not_at_all_after_a_power_failure(at: str, seed: int) -> None:
    disk = Disk()
    first, more = written("table/1", b"1"), written("wallet/a", *MANY, command="c1")
    DiskStore(Journal(disk)).append(first, {})
    journal = Journal(disk)
    with pytest.raises(Died):
        DiskStore(journal, Fatal(at)).append(more, {})
    disk.lose_power(Random(seed))
    store = DiskStore(Journal(disk))
    assert list(store.read("table/1")) == first
    assert list(store.read("wallet/a")) in ([], more)
    assert at != "before it is answered" or list(store.read("wallet/a")) == more


def test_some_power_failures_tear_a_transaction_and_some_keep_it() -> None:
    kept = set()
    for seed in range(60):
        disk = Disk()
        with pytest.raises(Died):
            DiskStore(Journal(disk), Fatal("before it is synced")).append(written("a", b"1"), {})
        disk.lose_power(Random(seed))
        kept.add(len(list(DiskStore(Journal(disk)).read("a"))))
    assert kept == {0, 1}


def test_what_was_synced_survives_every_power_failure() -> None:
    disk = Disk()
    entries = written("a", *MANY)
    DiskStore(Journal(disk)).append(entries, {})
    for seed in range(20):
        disk.lose_power(Random(seed))
    assert list(DiskStore(Journal(disk)).read("a")) == entries


def _full(disk: Disk) -> None:
    disk.is_full = True


def _away(disk: Disk) -> None:
    disk.is_away = True


@pytest.mark.parametrize(("fault", "said"), [(_full, "no more room: nothing was written"), (_away, "does not answer")])
def test_a_full_disk_and_one_that_is_away_write_nothing(fault: Callable[[Disk], None], said: str) -> None:
    disk = Disk()
    store = DiskStore(Journal(disk))
    store.append(written("a", b"1"), {})
    fault(disk)
    with pytest.raises(StoreGone, match=said) as refused:
        store.append(written("b", b"1"), {})
    assert type(refused.value) is StoreGone
    disk.is_full = disk.is_away = False
    assert store.tip("b") is None
    store.append(written("b", b"1"), {})


def test_after_a_failed_sync_nobody_knows_and_no_process_sees_it() -> None:
    disk = Disk()
    journal = Journal(disk)
    store = DiskStore(journal)
    disk.failing_syncs = 1
    with pytest.raises(OutcomeUnknown):
        store.append(written("a", b"1", command="c1"), {})
    assert store.find("c1") is None
    again = written("a", b"2", command="c1")
    store.append(again, {})
    assert list(DiskStore(Journal(disk)).read("a")) == again


def test_a_lost_answer_leaves_the_transaction_made() -> None:
    class Deaf(Uneventful):
        def loses_answer(self) -> bool:
            return True

    journal = Journal(Disk())
    entries = written("a", b"1")
    with pytest.raises(OutcomeUnknown):
        DiskStore(journal, Deaf()).append(entries, {})
    assert DiskStore(journal).tip("a") == tip_of(entries)
