"""A floor with people on record: accounts, sessions and devices, and commands that were given through its gate."""

import asyncio
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.record.forgery import Forgery
from tests.record.play import KEYS
from tests.server.identity.lobby import CHEAP, OTHER_PASSWORD, PASSWORD, Clock, configured

from punto.floor import Floor, Keys
from punto.floor.warrants import NO_WARRANT, Warrant
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.config import TableConfig
from punto.server.identity import Identity, Session
from punto.server.identity.passwords import Passwords
from punto.server.oldshoes import HOUSE
from punto.server.writer import Writer, Written
from punto.store import MemoryStore, Store
from punto.table import Actor, Limit, Setup
from punto.table import commands as do

STAFF, SESSIONS, TERMINALS, T1 = "identity/staff", "identity/sessions", "identity/terminals", "table/T1"
HOUSE_STREAM: Final = "identity/house"
AT_TERMINAL: Final = Warrant(at_terminal=True)
SEVEN: Final = Actor("terminal-7", Position.PATRON)
CLOCK: Final = Actor("clock", Position.SYSTEM)
LIMITS: Final = {"*": Limit(Cents(500), Cents(500_000))}
SETUP: Final = Setup(game="baccarat", decks=4, limits=LIMITS)


def _answer(written: Written) -> None:
    for asked, answer in zip(written.asked, written.answers, strict=True):
        asked.then(answer)


class Staffed:
    """A floor without a hall: people sign in and give commands, one after the other."""

    def __init__(self, store: Store, keys: Keys = KEYS) -> None:
        self.clock = Clock()
        self.floor = Floor(store, keys)
        self.writer = Writer(self.floor, _answer)
        config = configured(Path(), TableConfig(key="T1", setup=SETUP))
        self.identity = Identity(self.writer, config, self.clock, passwords=Passwords(CHEAP))
        self.sessions: dict[str, Session] = {}
        self._count = 0

    async def hire(self, name: str, position: Position) -> None:
        await self.identity.accounts.open(self.sessions["greta"], name, position, OTHER_PASSWORD)
        session, _ = await self.identity.sign_in(name, OTHER_PASSWORD)
        await self.identity.change_password(session, OTHER_PASSWORD, PASSWORD)
        self.sessions[name] = session

    def actor(self, name: str) -> Actor:
        found = self.identity.acts_as(self.sessions[name])
        assert found
        return found

    async def do(self, kind: type[Any], who: str | Actor, warrant: Warrant | None = None, **fields: Any) -> None:  # noqa: ANN401
        """Give a command: as a member of staff, by name, or as somebody with a warrant of their own."""
        self.clock.go(0.01)
        self._count += 1
        if isinstance(who, str):
            by, warrant = self.actor(who), warrant or Warrant(self.sessions[who].id)
        else:
            by, warrant = who, warrant or NO_WARRANT
        id_ = fields.pop("id", f"c{self._count}")
        await self.writer.give(kind(id=id_, table="T1", by=by, at_ms=self.clock(), **fields), warrant)


async def _live(store: MemoryStore) -> None:
    floor = Staffed(store)
    identity = floor.identity
    await identity.begin()
    await identity.first_account("greta", PASSWORD)
    floor.sessions["greta"] = (await identity.sign_in("greta", PASSWORD)).session
    for name, position in (
        ("dan", Position.DEALER),
        ("sue", Position.PIT_SUPERVISOR),
        ("pam", Position.PIT_MANAGER),
        ("eve", Position.DEALER),
    ):
        await floor.hire(name, position)
    greta, sue = floor.sessions["greta"], floor.sessions["sue"]
    offered = await identity.devices.offer(sue, 7, "by the door")
    await identity.enrol(offered.code)
    await identity.enrol_guest()
    await identity.devices.enrol_shoe(greta, "T1", "")
    await floor.do(do.OpenTable, HOUSE, setup=SETUP)
    await floor.do(do.LoadShoe, "dan")
    await floor.do(do.BuyIn, SEVEN, AT_TERMINAL, patron="terminal-7", cents=100_000, position=1)
    await identity.house.register_patron(sue, "ann")
    await floor.do(do.BuyIn, "dan", patron="ann", cents=50_000, position=2)
    await floor.do(do.OpenBets, "dan")
    await floor.do(
        do.PlaceWager, SEVEN, AT_TERMINAL, patron="terminal-7", wager="Player", stake_cents=5_000, position=1
    )
    await floor.do(do.PlaceWager, "dan", patron="ann", wager="Banker", stake_cents=1_000, position=2)
    await floor.do(do.CloseBets, "dan")
    reading = Warrant(floor.sessions["dan"].id, device="shoe-T1")
    for card in ("9s", "3d", "Kd", "4c"):
        await floor.do(do.DrawCard, "dan", reading, id=f"reading-T1-{card}", card=card)
    await floor.do(do.Announce, "dan")
    await floor.do(do.Settle, "dan")
    await identity.accounts.let_act(greta, "sue", Position.PIT_MANAGER, 3_600_000)
    floor.clock.go(1)
    wider = {"*": Limit(Cents(500), Cents(900_000))}
    two = Warrant(floor.sessions["greta"].id, floor.sessions["pam"].id)
    await floor.do(
        do.ChangeLimits,
        "greta",
        two,
        limits=wider,
        differential_cents=0,
        beyond_file=True,
        confirmed_by=floor.actor("pam"),
    )
    await floor.do(do.ChooseMethod, "sue", method="A")
    await floor.do(
        do.CorrectCredits,
        "sue",
        Warrant(floor.sessions["sue"].id, floor.sessions["pam"].id),
        id="correction-1",
        patron="ann",
        cents=500,
        reason="misread",
        approved_by=floor.actor("pam"),
    )
    await identity.sign_out(floor.sessions["eve"])
    await floor.do(do.OpenBets, "dan")
    await floor.do(do.CloseBets, Actor("automatic dealer", Position.DEALER))
    await floor.do(do.ReportInterruption, Actor("floor", Position.SYSTEM))
    await identity.stop()
    floor.writer.close()


@cache
def _lived() -> MemoryStore:
    store = MemoryStore()
    asyncio.run(_live(store))
    return store


def staffed() -> Forgery:
    """What such a floor leaves behind."""
    return Forgery(_lived())
