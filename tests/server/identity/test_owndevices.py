"""Own devices: stories of accounts, which the floor and the audit judge alike though they share nothing."""

from typing import Any, Final

import pytest

from punto.record.checks import people
from punto.record.checks.devices import Devices
from punto.record.checks.moments import Moment
from punto.rules import Position
from punto.server.identity import events as on
from punto.server.identity.events import Noted
from punto.server.identity.owndevices import OwnDevices
from punto.server.identity.people import key
from punto.table import Actor

HASH: Final = "$argon2id$"
_GRETAS, BOBS, OTHER = ("a" * 64, "b" * 64, "c" * 64)
LATER_MS: Final = 60_000

Story = tuple[tuple[str, Any], ...]


def comes(name: str, browser: str) -> tuple[str, Any]:
    return name, on.SessionBegan("s", "0" * 64, name, 1, browser=browser)


def opens(by: str, name: str) -> tuple[str, Any]:
    return by, on.AccountOpened(name, Position.PIT_MANAGER, HASH, temporary=by != "house")


def sets(by: str, name: str) -> tuple[str, Any]:
    return by, on.PasswordChanged(name, HASH, temporary=True)


def changes(name: str, browser: str) -> tuple[str, Any]:
    return name, on.PasswordChanged(name, HASH, browser=browser)


def adds(name: str, browser: str, id_: str = "p") -> tuple[str, Any]:
    return name, on.PasskeyAdded(name, f"{name}-{id_}", "key", "localhost", browser=browser)


def codes(name: str, browser: str) -> tuple[str, Any]:
    return name, on.CodesSet(name, "0" * 56, browser=browser)


def enrols(name: str, browser: str) -> Story:
    return comes(name, browser), changes(name, browser), codes(name, browser)


def recovered(name: str, by: str, browser: str) -> Story:
    way = ("floor", on.WayBackIssued(name, "0" * 64, 1, by, "lost"))
    return way, (name, on.WayBackUsed(name)), changes(name, browser), comes(name, browser)


GRETA: Final = (opens("house", "greta"), comes("greta", _GRETAS))
BOB: Final = (*GRETA, opens("greta", "bob"))
OWN: Final = (*BOB, *enrols("bob", BOBS))

STORIES: Final[dict[str, tuple[Story, bool]]] = {
    "an account that was just opened": (BOB, False),
    "the first account": ((*BOB, *enrols("greta", _GRETAS)), False),
    "a password alone": ((*BOB, comes("bob", BOBS), changes("bob", BOBS)), False),
    "a passkey alone, with the password that another knows": ((*BOB, comes("bob", BOBS), adds("bob", BOBS)), False),
    "password and codes in an own browser": (OWN, True),
    "password and passkey in an own browser": (
        (*BOB, comes("bob", BOBS), changes("bob", BOBS), adds("bob", BOBS)),
        True,
    ),
    "no browser at all": ((*BOB, changes("bob", ""), codes("bob", "")), False),
    "the browser of whoever opened it": ((*BOB, *enrols("bob", _GRETAS)), False),
    "codes in the browser of whoever opened it": ((*BOB, changes("bob", BOBS), codes("bob", _GRETAS)), False),
    "the password in the browser of whoever opened it": ((*BOB, changes("bob", _GRETAS), codes("bob", BOBS)), False),
    "a second passkey in an own browser": (
        (*BOB, changes("bob", BOBS), adds("bob", _GRETAS, "1"), adds("bob", BOBS, "2")),
        True,
    ),
    "the only passkey of an own browser removed": (
        (
            *BOB,
            changes("bob", BOBS),
            adds("bob", BOBS, "1"),
            adds("bob", _GRETAS, "2"),
            ("bob", on.PasskeyRemoved("bob", "bob-1")),
        ),
        False,
    ),
    "codes removed": ((*OWN, ("bob", on.CodesRemoved("bob"))), False),
    "a browser in which its opener signs in later": ((*OWN, comes("greta", BOBS)), True),
    "a later change at the desk of its opener": ((*OWN, changes("bob", _GRETAS)), True),
    "a password that another has set since": ((*OWN, sets("greta", "bob")), False),
    "such a password, changed in an own browser": ((*OWN, sets("greta", "bob"), changes("bob", BOBS)), True),
    "such a password, changed where the other signs in": (
        (*OWN, sets("greta", "bob"), changes("bob", _GRETAS)),
        False,
    ),
    "codes that another has reset": ((*OWN, ("greta", on.FactorsReset("bob"))), False),
    "codes that another has reset, and that are there again": (
        (*OWN, ("greta", on.FactorsReset("bob")), codes("bob", BOBS)),
        True,
    ),
    "a way back that another has made, unused": (
        (*OWN, ("floor", on.WayBackIssued("bob", "0" * 64, 1, "greta", "lost"))),
        True,
    ),
    "a way back that another has made": ((*OWN, *recovered("bob", "Greta", BOBS)), False),
    "a way back, and codes in the browser of whoever made it": (
        (*OWN, *recovered("bob", "Greta", BOBS), codes("bob", _GRETAS)),
        False,
    ),
    "a way back, and codes in an own browser": ((*OWN, *recovered("bob", "Greta", BOBS), codes("bob", BOBS)), True),
    "an account of a puppet in the browser of the first": (
        (*GRETA, opens("greta", "puppet"), *enrols("puppet", OTHER), opens("puppet", "bob"), *enrols("bob", _GRETAS)),
        False,
    ),
    "a browser in which another has enrolled before": (
        (*GRETA, opens("greta", "cy"), *enrols("cy", OTHER), opens("greta", "bob"), *enrols("bob", OTHER)),
        False,
    ),
    "two accounts that opened each other": (
        (*GRETA, opens("greta", "cy"), opens("cy", "bob"), sets("bob", "cy"), *enrols("bob", BOBS)),
        True,
    ),
}


@pytest.mark.parametrize("story", STORIES)
def test_an_account_is_its_owners_once_it_was_taken_over_in_a_browser_of_their_own(story: str) -> None:
    told, own = STORIES[story]
    floor, audit = OwnDevices(key), Devices(key)
    for at_ms, (by, event) in enumerate(told):
        position = Position.SYSTEM if by == "floor" else Position.GAMING_SHIFT_MANAGER
        noted = Noted(at_ms, Actor(by, position), event)
        floor.take(noted)
        audit.take(people.read_person(on.stream_of(event), on.write(noted)), Moment(at_ms, "one", at_ms))
    now = Moment(LATER_MS, "two", len(told))
    assert floor.is_own("Bob") is own
    assert audit.is_own("bob", now) is own
    assert floor.is_own("greta")
    assert audit.is_own("greta", now)


def test_the_order_in_which_streams_are_read_makes_no_difference() -> None:
    told, _ = STORIES["the browser of whoever opened it"]
    noted = [Noted(at_ms, Actor(by, Position.PIT_MANAGER), event) for at_ms, (by, event) in enumerate(told)]
    floor = OwnDevices(key)
    for each in sorted(noted, key=lambda each: on.stream_of(each.event) != on.STAFF):
        floor.take(each)
    assert not floor.is_own("bob")


def test_what_another_floor_wrote_a_moment_ago_is_held_against_nobody() -> None:
    audit = Devices(key)
    told = (*OWN, sets("greta", "bob"))
    for at_ms, (by, event) in enumerate(told):
        noted = Noted(at_ms, Actor(by, Position.GAMING_SHIFT_MANAGER), event)
        audit.take(people.read_person(on.stream_of(event), on.write(noted)), Moment(at_ms, "one", at_ms))
    assert audit.is_own("bob", Moment(1_000, "two", 99))
    assert not audit.is_own("bob", Moment(1_000, "one", 99))
    assert not audit.is_own("bob", Moment(LATER_MS, "two", 99))
