"""Who is independent of whom, by what people have done to each other's accounts."""

from typing import Any, Final

import pytest

from punto.rules import Position
from punto.server.identity import events as on
from punto.server.identity.events import Noted
from punto.server.identity.independence import Independence
from punto.server.identity.people import key
from punto.table import Actor

HOUR_MS: Final = 3_600_000
SPAN_MS: Final = 72 * HOUR_MS
AT_MS: Final = 1_000 * HOUR_MS
HASH: Final = "$argon2id$"


def opened(name: str, position: Position = Position.PIT_MANAGER) -> on.AccountOpened:
    return on.AccountOpened(name, position, HASH, temporary=True)


ACTING: Final = on.ActingGranted("bob", Position.PIT_MANAGER, AT_MS + HOUR_MS)
RESET: Final = on.PasswordChanged("bob", HASH, temporary=True)


def known(*done: tuple[str, Any], hours_ago: float = 1, began_ago_ms: int = 2 * SPAN_MS) -> Independence:
    """What is known once somebody has done something, so long ago, on a floor of such an age."""
    found = Independence(key)
    house = Actor("house", Position.GAMING_SHIFT_MANAGER)
    found.take(Noted(AT_MS - began_ago_ms, house, on.AccountOpened("greta", Position.GAMING_SHIFT_MANAGER, HASH)))
    for by, event in done:
        position = Position.SYSTEM if by == "floor" else Position.GAMING_SHIFT_MANAGER
        found.take(Noted(AT_MS - round(hours_ago * HOUR_MS), Actor(by, position), event))
    return found


def are_independent(found: Independence, first: str, second: str) -> bool:
    """Whether two people are independent; it is the same in either order."""
    there, back = found.is_between(first, second, AT_MS, SPAN_MS), found.is_between(second, first, AT_MS, SPAN_MS)
    assert there is back
    return there


@pytest.mark.parametrize(
    "event", [opened("bob"), RESET, ACTING, on.FactorsReset("bob"), on.PositionChanged("bob", Position.PIT_MANAGER)]
)
def test_whoever_opens_or_changes_an_account_is_not_independent_of_it_for_a_while(event: Any) -> None:  # noqa: ANN401
    assert not are_independent(known(("ann", event)), "ann", "bob")
    assert not are_independent(known(("ann", event), hours_ago=71.9), "ANN", "Bob")
    assert are_independent(known(("ann", event), hours_ago=72), "ann", "bob")
    assert are_independent(known(("ann", event)), "ann", "cy")
    assert known(("ann", event)).is_between("ann", "bob", AT_MS, 0)


@pytest.mark.parametrize(
    ("by", "event"),
    [
        ("ann", on.AccountUnlocked("bob")),
        ("ann", on.ActingEnded("bob")),
        ("floor", on.AccountLocked("bob", AT_MS)),
        ("bob", on.PasswordChanged("bob", HASH)),
        ("ann", on.SessionEnded("1", on.Ending.REVOKED)),
    ],
)
def test_what_puts_no_account_into_the_hands_of_another_changes_nothing(by: str, event: Any) -> None:  # noqa: ANN401
    assert are_independent(known((by, event)), "ann", "bob")


def test_whoever_decides_on_a_way_back_has_the_account_in_hand_though_the_floor_wrote_it() -> None:
    way_back = on.WayBackIssued("bob", HASH, AT_MS, "Ann", "a lost phone")
    assert not are_independent(known(("floor", way_back)), "ann", "bob")
    assert are_independent(known(("floor", way_back)), "cy", "bob")


def test_it_goes_through_others_however_many() -> None:
    chain = [(str(number), opened(str(number + 1))) for number in range(5)]
    for order in (chain, chain[::-1]):
        assert not are_independent(known(*order), "0", "5")


def test_two_accounts_that_one_person_opened_are_not_independent_however_young_the_floor_is() -> None:
    twins = ("ann", opened("bob")), ("ann", opened("cy"))
    for began_ago_ms in (2 * SPAN_MS, SPAN_MS - 1):
        assert not are_independent(known(*twins, began_ago_ms=began_ago_ms), "bob", "cy")
        assert not are_independent(known(*twins, began_ago_ms=began_ago_ms), "ann", "cy")
    # Whom the first of two managers has hired stands with whom the second has hired.
    both = ("ann", opened("bob")), ("greta", opened("cy"))
    assert are_independent(known(*both, began_ago_ms=SPAN_MS - 1), "bob", "cy")
    assert are_independent(known(*both, began_ago_ms=SPAN_MS - 1), "bob", "greta")
    # After the span nobody asks any more who has opened them.
    assert are_independent(known(*twins, hours_ago=72), "bob", "cy")
    # To let two people act in a higher position gives neither account away.
    acting = ("ann", ACTING), ("ann", on.ActingGranted("cy", Position.PIT_MANAGER, AT_MS))
    assert are_independent(known(*acting), "bob", "cy")


def test_two_people_who_changed_each_other_end_the_search() -> None:
    found = known(("ann", RESET), ("bob", on.PasswordChanged("ann", HASH, temporary=True)))
    assert not are_independent(found, "ann", "bob")
