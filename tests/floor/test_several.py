"""Several floors on one store, lost answers, and junk in their way: nobody is paid twice, or stopped in vain."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import ANN, BOB, KEYS, OPEN, SHIFT, STAFF, START_MS, House, told

from punto.errors import OutcomeUnknown, PuntoError, StoreRewritten, StreamStopped, Unaffordable
from punto.floor.sequencer import Sequencer
from punto.floor.tickets import redeem_id
from punto.record import Code, audit
from punto.store import MemoryStore, SqliteStore
from punto.store.contract import Row
from punto.table import Setup, Source
from punto.table import commands as do


def two() -> tuple[House, House]:
    """Two floors on one store, each of which has read Ann's wallet."""
    one = House(MemoryStore()).open()
    other = House(one.store, ids=10_000)
    assert one.floor.balance("wallet/ann") == other.floor.balance("wallet/ann") == 95_000
    return one, other


def is_clean(house: House) -> bool:
    return {finding.stream for finding in audit(house.store, public_key=KEYS.public).findings} <= {STAFF}


def test_a_wallet_that_another_floor_has_moved_is_read_again_whoever_noticed_it() -> None:
    one, other = two()
    other.give(do.OpenBets, table="T2")
    other.give(do.PlaceWager, ANN, "T2", wager="Banker", stake_cents=60_000)
    one.floor.history.watch([STAFF])  # as whoever looks for new accounts does
    one.give(do.BuyIn, ANN, cents=100)
    assert one.floor.balance("wallet/ann") == 35_100
    assert is_clean(one)


def test_what_another_floor_has_staked_is_not_cashed_out_here() -> None:
    one, other = two()
    other.give(do.OpenBets, table="T2")
    other.give(do.PlaceWager, ANN, "T2", wager="Banker", stake_cents=60_000)
    other.give(do.OpenTable, table="T7", by=SHIFT, setup=Setup(game="fortune-six", source=Source.VIRTUAL))
    one.floor.table("T7")
    with pytest.raises(Unaffordable):
        one.give(do.CashOut, ANN, cents=95_000)
    assert is_clean(one)


def test_two_floors_at_one_wallet_stop_nothing(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "floor.db")) as first, closing(SqliteStore(tmp_path / "floor.db")) as second:
        one = House(first).open()
        other = House(second, ids=10_000)

        def play(house: House, table: str) -> None:
            for number in range(150):
                told(lambda: house.give(do.BuyIn, ANN, table, cents=1))
                if number % 5 == 0:
                    house.floor.look_over(["wallet/ann"])

        threads = [Thread(target=play, args=each) for each in ((one, "T1"), (other, "T2"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert one.floor.history.coverage.stopped == other.floor.history.coverage.stopped == {}
        assert one.floor.balance("wallet/ann") == other.floor.balance("wallet/ann") > 95_000
        assert is_clean(one)


GARBLED_EPOCHS = (
    "UPDATE epochs SET epoch = CASE name WHEN 'table/T1' THEN 'abc' WHEN 'table/T2' THEN -5 ELSE ~(1 << 63) END"
)


def test_a_floor_opens_on_garbled_epochs_and_claims_its_tables_anew(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with closing(SqliteStore(path)) as store, closing(SqliteStore(path)) as again:
        one = House(store).open()
        one.round("T2")
        with closing(sqlite3.connect(path)) as somebody:
            somebody.execute("INSERT INTO epochs VALUES ('floor-key', 'x')")
            somebody.execute(GARBLED_EPOCHS)
            somebody.commit()
        assert Code.DATABASE_DAMAGED in {each.code for each in audit(again, public_key=KEYS.public).findings}
        other = House(again, ids=10_000)
        other.round("T2")
        other.give(do.BuyIn, ANN, "T1", cents=1)
        # Whoever ran the tables before is fenced off for good.
        for table in ("T1", "T2"):
            with pytest.raises(PuntoError):
                one.give(do.BuyIn, ANN, table, cents=1)
        other.round("T2")
        assert not {each.stream for each in audit(again, public_key=KEYS.public).findings} - {STAFF, "database"}


def test_a_process_whose_epochs_are_garbled_says_that_and_not_that_another_runs_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with closing(SqliteStore(path)) as store:
        house = House(store).open()
        with closing(sqlite3.connect(path)) as somebody:
            somebody.execute(GARBLED_EPOCHS)
            somebody.commit()
        ownership = house.floor.history.ownership
        ownership.look()
        assert ownership.lost
        for fenced in (*ownership.lost.values(), ownership.fenced):
            assert fenced is not None
            assert "the store's table epochs no longer says which process runs what" in fenced.message
        with closing(sqlite3.connect(path)) as somebody:
            somebody.execute("INSERT OR REPLACE INTO epochs VALUES ('floor-key', 'x')")
            somebody.commit()
        ownership.look()
        assert ownership.fenced is not None
        assert "no longer says" in ownership.fenced.message


class Forgetful(MemoryStore):
    """A store whose next answer is lost after it has written."""

    lose = False

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        super().append(entries, fences)
        if self.lose:
            self.lose = False
            raise OutcomeUnknown("memory: it is not known whether it was written")


def test_whatever_follows_a_lost_answer_finds_out_first() -> None:
    store = Forgetful()
    house, other = House(store).open(), House(store, ids=10_000)
    sequencer = Sequencer(house.floor.history, [])
    store.lose = True
    with pytest.raises(OutcomeUnknown):
        house.give(do.BuyIn, ANN, cents=500, id="lost")
    assert not sequencer.checkpoint(START_MS)
    other.give(do.BuyIn, ANN, "T2", cents=7)
    house.floor.look_over([STAFF])
    assert house.floor.balance("wallet/ann") == 95_507
    house.give(do.BuyIn, ANN, cents=500, id="lost")
    house.give(do.BuyIn, ANN, cents=1)
    assert house.floor.balance("wallet/ann") == 95_508
    assert sequencer.checkpoint(START_MS)
    assert house.floor.history.coverage.stopped == {}
    assert is_clean(house)


@pytest.fixture
def kept(tmp_path: Path) -> House:
    return House(SqliteStore(tmp_path / "floor.db")).open()


def test_junk_under_the_id_of_a_command_refuses_that_command_alone(kept: House, tmp_path: Path) -> None:
    Attacker(f"sqlite:{tmp_path / 'floor.db'}").append("junk/x", b"{}", redeem_id(OPEN))
    by = {"table": "T1", "at_ms": START_MS + 900}
    redeem = do.BuyIn(id=redeem_id(OPEN), by=BOB, patron="bob", cents=10_000, position=2, **by)  # type: ignore[arg-type]
    wager = do.PlaceWager(id="fine", by=ANN, patron="ann", wager="Tie", stake_cents=500, position=1, **by)  # type: ignore[arg-type]
    answers = kept.floor.handle_all([redeem, wager])
    assert isinstance(answers[0], StreamStopped)
    assert not isinstance(answers[1], Exception)
    kept.store.close()


def test_junk_in_one_wallet_refuses_its_patron_alone(kept: House, tmp_path: Path) -> None:
    Attacker(f"sqlite:{tmp_path / 'floor.db'}").append("wallet/ann", b"{}")
    by = {"table": "T1", "at_ms": START_MS + 900}
    broke = do.PlaceWager(id="a", by=ANN, patron="ann", wager="Tie", stake_cents=400_000, position=1, **by)  # type: ignore[arg-type]
    fine = do.PlaceWager(id="b", by=BOB, patron="bob", wager="Tie", stake_cents=500, position=2, **by)  # type: ignore[arg-type]
    answers = kept.floor.handle_all([broke, fine])
    assert isinstance(answers[0], StreamStopped)
    assert not isinstance(answers[1], Exception)
    kept.store.close()


def test_junk_among_checkpoints_is_told(kept: House, tmp_path: Path) -> None:
    sequencer = Sequencer(kept.floor.history, [])
    assert sequencer.checkpoint(START_MS)
    Attacker(f"sqlite:{tmp_path / 'floor.db'}").append("checkpoints", b"{}")
    kept.round("T2")
    with pytest.raises(StreamStopped):
        sequencer.checkpoint(START_MS)
    kept.store.close()


def test_heads_of_an_earlier_life_cannot_be_cut_off(tmp_path: Path) -> None:
    """Its tail is gone once a checkpoint covers it; the checkpoint itself says how far it had come."""
    for life in range(2):
        house = House(SqliteStore(tmp_path / "floor.db"), ids=1_000 * life)
        sequencer = Sequencer(house.floor.history, [tmp_path / "outside"])
        sequencer.compare()
        sequencer.begin()
        if life:
            house.give(do.BuyIn, ANN, cents=100)
            assert sequencer.checkpoint(START_MS)
        else:
            house.open()
            house.give(do.CashOut, BOB, "T2", cents=9_000)
        house.store.close()
    attacker = Attacker(f"sqlite:{tmp_path / 'floor.db'}")
    heads = attacker.heads()
    attacker.cut(heads, len(attacker.entries(heads)) - 1)
    attacker.cut("table/T2", len(attacker.entries("table/T2")) - 1)
    attacker.cut("wallet/bob", len(attacker.entries("wallet/bob")) - 1)
    attacker.run("DELETE FROM snapshots")
    with closing(SqliteStore(tmp_path / "floor.db")) as store, pytest.raises(StoreRewritten):
        Sequencer(House(store).floor.history, [tmp_path / "outside"]).compare()
