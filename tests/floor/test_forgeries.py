"""Fifty kinds of forgery without a key: the live floor, a floor that starts, and the audit adopt none of them."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import ANN, BOB, KEYS, SPENT, START_MS, House, told
from tests.floor.forgeries import ENTRIES, SCRAPS
from tests.store.places import Place

from punto.errors import Corrupt, PuntoError
from punto.floor.sequencer import Sequencer
from punto.floor.tickets import issue_id, redeem_id
from punto.proof.lastheads import last_heads
from punto.record import audit
from punto.store import open_store
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


def test_there_are_fifty_kinds() -> None:
    assert len(ALL) >= 50
