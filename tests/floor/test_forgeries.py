"""Fifty kinds of forgery without a key: the live floor, a floor that starts, and the audit adopt none of them."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import ANN, BOB, KEYS, SHIFT, SPENT, START_MS, House, told
from tests.floor.forgeries import ENTRIES, SCRAPS
from tests.store.places import Place

from punto.errors import Corrupt, PuntoError
from punto.floor.patrol import Patrol
from punto.floor.sequencer import Sequencer
from punto.floor.tickets import issue_id, redeem_id
from punto.proof.lastheads import last_heads
from punto.record import audit
from punto.rules.money import Cents
from punto.store import open_store
from punto.table import Setup, Source
from punto.table import commands as do

STORES = pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)
ALL = {**ENTRIES, **SCRAPS}


class Scene:
    """A floor that was open for a while, what it believed, and what was kept outside."""

    def __init__(self, place: Place, folder: Path) -> None:
        self.house = House(place.open())
        self.attacker = Attacker(place.url)
        self.sequencer = Sequencer(self.house.floor.history, [folder])
        self.sequencer.begin()
        self.house.open()
        self.earlier = self.attacker.all()
        self.house.round("T2")
        self.house.give(do.CashOut, BOB, cents=700, id=issue_id("BBBB-BBBB-BBBB-BBBB"))
        self.sequencer.checkpoint(START_MS)
        self.facts = self.house.facts()
        self.kept = msgspec.json.encode(last_heads(self.house.store))


@pytest.fixture
def scene(place: Place, tmp_path: Path) -> Iterator[Scene]:
    yield Scene(place, tmp_path / "outside")
    place.close()


def check(before: dict[str, object], after: dict[str, object]) -> None:
    """Every fact is as it was, or refused."""
    for name, fact in after.items():
        assert fact == before[name] or str(fact).startswith("refused: "), (
            f"{name} is {fact!r}, and was {before[name]!r}"
        )


@STORES
@pytest.mark.parametrize("name", ALL)
def test_the_live_floor_adopts_no_forgery(scene: Scene, name: str) -> None:
    ALL[name](scene.attacker, scene.earlier)
    house = scene.house
    # What the floor says without having written since, and after it has looked.
    check(scene.facts, house.facts())
    with suppress(Corrupt):
        house.floor.look_over(["table/T1", "wallet/ann", "wallet/mallory", "tickets", "security", "identity/staff"])
    check(scene.facts, house.facts())
    # A ticket is not redeemed twice, and none that was forged is redeemed at all.
    for code in (SPENT, "AAAA-AAAA-AAAA-AAAA"):
        answer = told(lambda code=code: house.give(do.BuyIn, ANN, cents=10_000, id=redeem_id(code)))
        assert str(answer).startswith("refused: ")
    # A wager that came before is not taken again, and nobody cashes out more than there was.
    with suppress(PuntoError):
        house.give(do.PlaceWager, ANN, wager="Banker", stake_cents=5_000, id="wager-ann")
    answer = told(lambda: house.give(do.CashOut, ANN, cents=9_000_000))
    assert str(answer).startswith("refused: ")
    with suppress(PuntoError):
        house.note(b'{"account":"hugo"}')
    after = house.facts()
    allowed = scene.facts | {"staff": [*_list(scene.facts["staff"]), b'{"account":"hugo"}']}
    check(scene.facts if after["staff"] == scene.facts["staff"] else allowed, after | {"log": scene.facts["log"]})
    assert is_named(house) or name in SCRAPS, "whoever runs the floor is told of it, whether anybody comes by or not"


def is_named(house: House) -> bool:
    """Whether an open floor says that something is wrong, once it has looked at every end and read all there is."""
    coverage = house.floor.history.coverage
    try:
        house.floor.look_over_all()
        patrol = Patrol(house.store, coverage)
        while not patrol.step(1_000):
            pass
    except Corrupt:
        return True
    return bool(coverage.stopped)


def _list(value: object) -> list[Any]:
    assert isinstance(value, list)
    return value


@STORES
@pytest.mark.parametrize("name", ALL)
def test_neither_the_audit_nor_a_floor_that_starts_adopts_a_forgery(
    scene: Scene, place: Place, tmp_path: Path, name: str
) -> None:
    scene.house.floor.keep_all()
    honest = found(scene)
    ALL[name](scene.attacker, scene.earlier)
    # An SQLite file keeps digests of what no head covers; on PostgreSQL that is nobody's evidence.
    told = [each for each in found(scene) if place.kind == "postgres" or "(database-damaged)" not in each]
    assert (told != honest) == (name in ENTRIES)
    store = open_store(place.url)
    try:
        house = House(store, KEYS)
        Sequencer(house.floor.history, [tmp_path / "outside"]).compare()
    except Corrupt as refusal:
        assert "\n" not in refusal.message
    else:
        check(scene.facts, house.facts())
    finally:
        store.close()


def found(scene: Scene) -> list[str]:
    """What an audit finds; of the honest record only that the notes of the staff here say nothing that reads."""
    findings = [str(each) for each in audit(scene.house.store, public_key=KEYS.public, head=scene.kept).findings]
    return [each for each in findings if "an entry of identity that does not read" not in each]


@STORES
@pytest.mark.parametrize("name", ["append an account", "append a balance", "edit the last balance"])
def test_what_a_forgery_does_not_touch_goes_on(scene: Scene, name: str) -> None:
    ENTRIES[name](scene.attacker, scene.earlier)
    scene.house.round("T2")
    scene.house.give(do.BuyIn, BOB, cents=100)


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)  # PostgreSQL takes nothing but a number there
@pytest.mark.parametrize("stream", ["table/T1", "wallet/ann", "heads", "tickets"])
@pytest.mark.parametrize("version", ["last", 2.5, b"9"])
def test_what_is_no_version_stops_its_own_stream_and_no_other(
    scene: Scene, place: Place, stream: str, version: object
) -> None:
    honest, db = found(scene), scene.attacker
    query = "INSERT INTO entries (stream, version, body, hash) VALUES (?, ?, ?, ?)"
    db.run(query, db.heads() if stream == "heads" else stream, version, b"{}", b"x" * 32)
    scene.house.floor.look_over(["table/T1", "wallet/ann", "tickets"])
    check(scene.facts, scene.house.facts())
    scene.house.round("T2")
    scene.house.give(do.BuyIn, BOB, table="T2", cents=100)
    assert found(scene) != honest
    if stream != "heads":  # what is signed after a gap in the heads is not believed by a floor that reads them anew
        later = House(open_store(place.url), KEYS)
        later.round("T2")
        later.store.close()


def test_there_are_fifty_kinds() -> None:
    assert len(ALL) >= 50


# Ids of commands that lie before a snapshot


def long_house(place: Place) -> House:
    """A floor whose first commands lie before its snapshots; nothing that it reads at its next start leads to them."""
    house = House(place.open()).open()
    for _ in range(4):
        house.floor.handle_all(
            do.BuyIn(
                id=f"more-{number}", table="T1", by=ANN, at_ms=START_MS + 99, patron="ann", cents=Cents(100), position=1
            )
            for number in range(house.ids, house.ids + 150)
        )
        house.ids += 150
    house.floor.keep_all()
    return house


def bought_again(place: Place, ids: tuple[str, ...] = ("buy-ann",)) -> list[object]:
    """What a floor that starts answers to buy-ins that were accepted before."""
    store = place.open()
    house = House(store, ids=10_000)
    held = told(lambda: house.floor.balance("wallet/ann"))
    answers = [told(lambda id_=id_: house.give(do.BuyIn, ANN, cents=100_000, id=id_)) for id_ in ids]
    assert told(lambda: house.floor.balance("wallet/ann")) == held
    return answers


@STORES
def test_an_id_that_was_blanked_before_a_start_is_not_accepted_again(place: Place) -> None:
    long_house(place)
    place.close()
    Attacker(place.url).run("UPDATE entries SET command = NULL WHERE command = ?", "buy-ann")
    assert bought_again(place) == ["refused: stream-stopped"]
    place.close()


@STORES
def test_the_ids_of_a_busy_table_are_known_after_a_start_beside_many_quiet_ones(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punto.floor.acceptedids._MOST_ENTRIES", 1_000)
    house = long_house(place)
    for number in range(20):
        house.give(do.OpenTable, SHIFT, f"Q{number}", setup=Setup(game="fortune-six", source=Source.VIRTUAL))
    assert 100 < house.floor.version("T1") < 900
    house.floor.keep_all()
    place.close()
    Attacker(place.url).run("UPDATE entries SET command = NULL WHERE command = ?", "buy-ann")
    assert bought_again(place) == ["refused: stream-stopped"]
    place.close()


@STORES
@pytest.mark.parametrize("how", ["blank it", "give it to another", "and put an old segment back", "and remove all"])
def test_an_id_in_a_segment_is_not_accepted_again(place: Place, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.floor.acceptedids._PER_SEGMENT", 100)
    monkeypatch.setattr("punto.floor.handler._SNAPSHOT_EVERY", 100)
    long_house(place)
    place.close()
    db = Attacker(place.url)
    segments = db.run("SELECT stream, body FROM snapshots WHERE substr(stream, 1, 4) = 'ids/' ORDER BY stream")
    assert len(segments) >= 4
    assert bought_again(place) == [None]  # the first answer
    place.close()
    db.run("UPDATE entries SET command = NULL WHERE command = ?", "buy-ann")
    match how:
        case "give it to another":
            db.run("UPDATE entries SET command = ? WHERE command = ?", "buy-ann", "more-300")
        case "and put an old segment back":
            db.run("UPDATE snapshots SET body = ? WHERE stream = ?", bytes(segments[0][1]), segments[1][0])
        case "and remove all":
            db.run("DELETE FROM snapshots WHERE substr(stream, 1, 4) = 'ids/'")
    assert bought_again(place) == ["refused: stream-stopped"]
    place.close()
