"""The house: its orders for its staff, and the patrons who are registered by name."""

from collections.abc import Iterator
from itertools import count
from typing import Final

from punto.errors import ExcludedPatron, NameTaken, NothingToReport, quoted
from punto.floor.cashreports import Threshold
from punto.record.checks.orders import changed
from punto.rules import Position
from punto.server.identity import authority
from punto.server.identity import events as on
from punto.server.identity.accounts import check_patron, is_of_a_device
from punto.server.identity.alike import skeleton
from punto.server.identity.events import AnyEvent
from punto.server.identity.gate import excluded
from punto.server.identity.people import Filed, Session, key
from punto.server.identity.register import Register
from punto.server.orders import Orders
from punto.table import Actor

# What a patron is called who is given no name.
_NUMBERED: Final = "patron-{}"
_FLOOR: Final = Actor("floor", Position.SYSTEM)


class House:
    """What the house orders, and whom it knows."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._people = register.people

    async def order(self, orders: Orders) -> None:
        """Put the orders of the floor's file in force, unless they are already."""

        def decide(_: Actor, __: int) -> Iterator[AnyEvent]:
            if self._people.orders != orders:
                yield on.OrdersSet(
                    orders.independence_ms,
                    orders.shift_ms,
                    orders.cash,
                    credits_take_two=orders.credits_take_two,
                    own_device=orders.own_device,
                    young_alike=orders.young_alike,
                    way_back_waits=orders.way_back_waits,
                    second_factor=orders.second_factor,
                    prove_again_ms=orders.prove_again_ms,
                    report_cents=orders.report_cents,
                    before=changed(self._people.orders, orders),
                )

        await self._register.write(_FLOOR, decide)

    async def register_patron(self, by: Session, name: str = "", *, fresh: bool = False) -> str:
        """Know a patron by a name from now on, so that cash may move for the patron; without a name, by a fresh one.

        Asked again, nothing changes, unless it is to be a *fresh* patron.
        """
        chosen = name

        def decide(actor: Actor, at_ms: int) -> Iterator[AnyEvent]:
            nonlocal chosen
            authority.check(actor.position, authority.PATRONS, "register patrons")
            chosen = name or self._fresh_name(at_ms)
            check_patron(chosen)
            if self._people.is_excluded(chosen, at_ms):
                raise ExcludedPatron(excluded(chosen))
            known = self._people.patrons.get(key(chosen))
            if known == chosen and not fresh:
                return
            if is_of_a_device(chosen) or known is not None:
                raise NameTaken(f"the name {quoted(chosen)} is that of {quoted(known or 'a device')}: choose another")
            self._check_looks(chosen, at_ms)
            if self._people.is_taken(chosen):
                raise NameTaken(f"the name {quoted(chosen)} is that of somebody on the staff: choose another")
            yield on.PatronRegistered(chosen)

        await self._register.write(by, decide, proved=True)
        return chosen

    def _fresh_name(self, at_ms: int) -> str:
        """A name for a patron that says nothing about the person: the next number that nobody has."""
        return next(
            name for name in map(_NUMBERED.format, count(len(self._people.patrons) + 1)) if self._is_free(name, at_ms)
        )

    def _is_free(self, name: str, at_ms: int) -> bool:
        """Whether a fresh patron can have a name; one that the house has excluded is somebody's."""
        if key(name) in self._people.patrons or self._people.is_taken(name):
            return False
        try:
            self._check_looks(name, at_ms)
        except (ExcludedPatron, NameTaken):
            return False
        return True

    def _check_looks(self, name: str, at_ms: int) -> None:
        """Refuse a name that looks like that of another patron: an exclusion would be passed by a space or a sign."""
        shape = skeleton(name)
        if not shape:
            return
        for lists in self._people.exclusions.values():
            for each in lists.values():
                if skeleton(each.name) == shape and not each.is_over(at_ms):
                    raise ExcludedPatron(
                        f"{quoted(name)} looks like {quoted(each.name)}, whom the house has excluded: nothing was done"
                    )
        for other in self._people.patrons.values():
            if skeleton(other) == shape and other != name:
                raise NameTaken(f"the name {quoted(name)} looks like that of {quoted(other)}: choose another")

    @property
    def orders(self) -> Orders | None:
        """The orders in force."""
        return self._people.orders

    def thresholds(self) -> tuple[Threshold, ...]:
        """From when on which sums of cash are reported."""
        return tuple(self._people.thresholds)

    def filed(self, patron: str, day: str, kind: str) -> Filed | None:
        """The last report that was filed of a sum."""
        return self._people.filed.get((patron, day, kind))

    async def file_report(self, by: Session, report: on.CashReportFiled) -> None:
        """Put on record that a report of cash was filed; of the same sum it is filed once."""

        def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
            authority.check(actor.position, authority.REPORTING, "file reports of cash")
            before = self.filed(report.patron, report.day, report.kind)
            if before is not None and before.cents >= report.cents:
                raise NothingToReport(f"this report was filed already, by {before.by}: nothing was done")
            yield report

        await self._register.write(by, decide, proved=True)

    def patrons(self, by: Actor) -> list[str]:
        """The patrons who are registered, by name."""
        authority.check(by.position, authority.LOOKING_AT_PATRONS, "see who is registered")
        return sorted(self._people.patrons.values(), key=key)

    def not_independent_of(self, name: str, at_ms: int) -> tuple[str, ...]:
        """The members of staff who may not confirm what somebody proposes."""
        people = self._people
        others = (account.name for account in people.accounts() if key(account.name) != key(name))
        return tuple(sorted(each for each in others if not people.are_independent(name, each, at_ms)))

    def not_on_own_device(self) -> tuple[str, ...]:
        """The members of staff who stand with nobody for an act yet: others have their accounts in hand."""
        people = self._people
        return tuple(sorted(each.name for each in people.accounts() if not people.is_on_own_device(each.name)))

    def have_come_back(self, at_ms: int) -> tuple[str, ...]:
        """The members of staff who stand with nobody for a while: each came in by a code from the machine."""
        people = self._people
        return tuple(sorted(each.name for each in people.accounts() if people.has_come_back(each.name, at_ms)))
