"""Patrons contribute to the order of a virtual shoe: who, when, how often, and what follows when one is withheld."""

from hashlib import sha256
from typing import Any

import pytest
from tests.table.desk import DEALER, MANAGER, SHIFT, SYSTEM, Desk, patron

from punto.errors import BadContribution, Malformed, NotAllowed, OutOfTurn, PuntoError
from punto.table import Actor, Setup, Source
from punto.table import commands as do
from punto.table import events as on
from punto.table.contributions import (
    COMMIT_MS,
    MOST_CONTRIBUTIONS,
    MOST_WITHHELD,
    REVEAL_MS,
    Beacon,
    Cause,
    contribution_digest,
)
from punto.table.events import Ruling
from punto.table.shoes import ShoePlace, bound_commitment, next_place

SALT = "pepper"
ANN = patron("ann")
BEACON = Beacon("quicknet", "83cf", 1_692_803_367, 3)


def secret_of(name: str) -> str:
    return sha256(name.encode()).hexdigest()


class Shoes(Desk):
    """A table with virtual shoes, each committed to as the floor does it."""

    def __init__(self) -> None:
        super().__init__("tiger", source=Source.VIRTUAL)

    @property
    def order(self) -> str:
        setup: Setup = self.table.open
        return " ".join(str(card) for card in setup.rules.deck.cards * setup.decks)

    def load(self, beacon: Beacon | None = None) -> None:
        opened = (self.order, SALT)
        made = bound_commitment(self.table.open, next_place(self.table, "T1"), opened, beacon)
        self(do.LoadShoe, commitment=made, sealed="s", beacon=beacon)

    def contribute(self, *names: str) -> None:
        for name in names:
            digest = contribution_digest(self.table.shoe.commitment, name, secret_of(name))
            self(do.Contribute, patron(name), patron=name, shoe=self.table.shoe.number, commitment=digest)

    def close(self, by: Any = DEALER) -> None:  # noqa: ANN401
        self.now_ms += COMMIT_MS
        self(do.CloseContributions, by)

    def reveal(self, *names: str) -> None:
        for name in names:
            self(do.RevealContribution, patron(name), patron=name, shoe=self.table.shoe.number, secret=secret_of(name))

    def try_to_reveal(self, secret: str, by: Actor = ANN) -> None:
        self(do.RevealContribution, by, patron="ann", shoe=1, secret=secret)

    def try_to_contribute(self, commitment: str, by: Actor = ANN, shoe: int = 1) -> None:
        self(do.Contribute, by, patron="ann", shoe=shoe, commitment=commitment)

    def end(self, by: Any = DEALER, **fields: Any) -> on.ShoeEnded:  # noqa: ANN401
        (ended,) = self(do.EndShoe, by, order=self.order, salt=SALT, **fields)
        assert isinstance(ended, on.ShoeEnded)
        return ended


def loaded(*names: str, beacon: Beacon | None = None) -> Shoes:
    shoes = Shoes()
    shoes.load(beacon)
    shoes.contribute(*names)
    return shoes


def closed(*names: str, beacon: Beacon | None = None) -> Shoes:
    shoes = loaded(*names, beacon=beacon)
    shoes.close()
    return shoes


def test_bets_open_once_everybody_has_revealed() -> None:
    shoes = loaded("ann", "bob")
    with pytest.raises(OutOfTurn, match="close the contributions"):
        shoes(do.OpenBets)
    shoes.close()
    shoes.reveal("bob")
    with pytest.raises(OutOfTurn, match="not all contributions"):
        shoes(do.OpenBets)
    shoes.reveal("ann")
    shoes(do.OpenBets)
    assert [each.patron for each in shoes.table.shoe.contributions] == ["ann", "bob"], "as they committed"


def test_a_shoe_to_which_nobody_contributes_needs_no_close() -> None:
    shoes = loaded()
    shoes(do.OpenBets)
    with pytest.raises(OutOfTurn, match="takes no contributions"):
        shoes.contribute("ann")


def test_bets_wait_for_the_beacon() -> None:
    shoes = closed("ann", beacon=BEACON)
    shoes.reveal("ann")
    with pytest.raises(OutOfTurn, match="not all contributions"):
        shoes(do.OpenBets)
    shoes(do.DrawBeacon, SYSTEM, signature="ab12")
    shoes(do.OpenBets)
    assert shoes.table.shoe.beacon_value == "ab12"


def test_a_beacon_that_could_not_be_reached_is_not_waited_for() -> None:
    shoes = closed(beacon=Beacon("quicknet", "83cf", 1_692_803_367, 3, reached=False))
    shoes(do.OpenBets)


REFUSED: list[tuple[type[PuntoError], Shoes, Any]] = [
    (OutOfTurn, loaded("ann"), lambda d: d.contribute("ann")),
    (OutOfTurn, closed("ann"), lambda d: d.contribute("bob")),
    (OutOfTurn, closed("ann"), lambda d: d.close()),
    (OutOfTurn, loaded(), lambda d: d.try_to_contribute("0" * 64, shoe=2)),
    (OutOfTurn, closed("ann"), lambda d: d(do.CutShoe, patron("ann"), patron="ann", cards=9)),
    (OutOfTurn, loaded("ann"), lambda d: d.reveal("ann")),
    (OutOfTurn, closed("ann"), lambda d: d.reveal("bob")),
    (OutOfTurn, closed("ann"), lambda d: [d.reveal("ann"), d.reveal("ann")]),
    (BadContribution, closed("ann"), lambda d: d.try_to_reveal("0" * 64)),
    (BadContribution, closed("ann"), lambda d: d.try_to_reveal("AB" * 32)),
    (BadContribution, loaded(), lambda d: d.try_to_contribute("12")),
    (BadContribution, closed("a", beacon=BEACON), lambda d: d(do.DrawBeacon, SYSTEM, signature="what?")),
    (NotAllowed, loaded(), lambda d: d.try_to_contribute("0" * 64, DEALER)),
    (NotAllowed, closed("ann"), lambda d: d.try_to_reveal(secret_of("ann"), SHIFT)),
    (NotAllowed, loaded(), lambda d: d.try_to_contribute("0" * 64, patron("bob"))),
    (NotAllowed, loaded(), lambda d: d.close(patron("ann"))),
    (NotAllowed, closed("ann", beacon=BEACON), lambda d: d(do.DrawBeacon, SHIFT, signature="ab")),
    (OutOfTurn, loaded(beacon=BEACON), lambda d: d(do.DrawBeacon, SYSTEM, signature="ab")),
    (OutOfTurn, closed("ann"), lambda d: d(do.DrawBeacon, SYSTEM, signature="ab")),
    (NotAllowed, closed("ann"), lambda d: d.end(reason="I do not like it")),
    (Malformed, loaded("ann"), lambda d: d.end(MANAGER)),
    (Malformed, loaded("ann"), lambda d: d.end(MANAGER, reason="  ")),
    (Malformed, loaded("ann"), lambda d: d.end(MANAGER, reason="two\nlines")),
]


@pytest.mark.parametrize(("error", "desk", "act"), REFUSED)
def test_it_is_refused_and_the_table_is_as_it_was(error: type[PuntoError], desk: Shoes, act: Any) -> None:  # noqa: ANN401
    with pytest.raises(error):
        act(desk)


def test_only_so_many_contribute() -> None:
    names = [f"p{number}" for number in range(MOST_CONTRIBUTIONS)]
    shoes = loaded(*names)
    with pytest.raises(OutOfTurn, match="and no more can"):
        shoes.contribute("one too many")


def test_no_contribution_can_be_brought_by_another_or_for_another_shoe() -> None:
    """Whoever copies a commitment cannot open it: name and shoe are part of it."""
    shoes = loaded("ann")
    copied = shoes.table.shoe.contributions[0].commitment
    shoes(do.Contribute, patron("eve"), patron="eve", shoe=1, commitment=copied)
    shoes.close()
    shoes.reveal("ann")
    with pytest.raises(BadContribution):
        shoes(do.RevealContribution, patron("eve"), patron="eve", shoe=1, secret=secret_of("ann"))


def withheld_by(shoes: Shoes, *names: str, revealed: tuple[str, ...] = ()) -> None:
    """A shoe to which all of these contribute, and which those who reveal nothing have abandoned."""
    shoes.load()
    shoes.contribute(*names, *revealed)
    shoes.close()
    shoes.reveal(*revealed)
    shoes.now_ms += REVEAL_MS
    assert shoes.end().unrevealed == names


def test_a_withheld_contribution_abandons_the_shoe_and_its_patron_sits_out() -> None:
    shoes = closed("ann", "eve", "bob")
    with pytest.raises(OutOfTurn, match="wait 2 s"):
        shoes.end()
    with pytest.raises(NotAllowed, match="have the cards replaced"):
        shoes.end(reason="they take too long")
    shoes.reveal("ann", "bob")
    shoes.now_ms += REVEAL_MS
    ended = shoes.end()
    assert (ended.cause, ended.unrevealed) == (Cause.UNREVEALED, ("eve",))
    shoes.load()
    with pytest.raises(OutOfTurn, match="you withheld a contribution"):
        shoes.contribute("eve")
    shoes.contribute("bob", "ann")
    shoes.close()
    shoes.reveal("ann", "bob")
    shoes(do.OpenBets)


def test_whoever_was_not_there_is_not_shut_out_by_those_who_withheld() -> None:
    """Eve and Mal contribute before anybody else can, and Mal withholds: Ann and Bob contribute to the next shoe."""
    shoes = Shoes()
    withheld_by(shoes, "mal", revealed=("eve",))
    shoes.load()
    shoes.contribute("eve", "ann", "bob")
    shoes.close()
    shoes.reveal("eve", "ann", "bob")
    shoes(do.OpenBets)


def test_patrons_have_time_to_contribute() -> None:
    shoes = loaded("eve")
    shoes.now_ms = shoes.table.shoe.commit_until_ms - COMMIT_MS
    with pytest.raises(OutOfTurn, match=r"patrons still contribute .* wait 1 s"):
        shoes(do.CloseContributions)
    shoes.contribute("ann")
    shoes.close()
    assert [each.patron for each in shoes.table.shoe.contributions] == ["eve", "ann"]


def test_after_many_abandoned_shoes_those_who_ever_revealed_contribute_and_nobody_new() -> None:
    """So they come to an end whoever comes; Ann revealed once, to the first of them."""
    shoes = Shoes()
    withheld_by(shoes, "eve 0", revealed=("ann",))
    for number in range(1, MOST_WITHHELD):
        withheld_by(shoes, f"eve {number}")
    shoes.load()
    with pytest.raises(OutOfTurn, match="5 shoes were abandoned in a row"):
        shoes.contribute("eve again")
    with pytest.raises(OutOfTurn, match="you withheld"):
        shoes.contribute("eve 3")
    shoes.contribute("ann")
    shoes.close()
    shoes.reveal("ann")
    shoes(do.OpenBets)


def test_those_who_withhold_in_turn_come_to_an_end() -> None:
    names = tuple(f"p{number}" for number in range(MOST_WITHHELD + 3))
    shoes = Shoes()
    for place in range(len(names)):
        withheld_by(shoes, names[place], revealed=names[place + 1 :])
    shoes.load()
    for name in (*names, "somebody new"):
        with pytest.raises(OutOfTurn):
            shoes.contribute(name)
    shoes(do.OpenBets)
    assert shoes.table.shoe.abandoned == len(names)


def test_a_shoe_that_a_manager_replaces_meanwhile_lets_nobody_back_in() -> None:
    shoes = Shoes()
    withheld_by(shoes, "eve", revealed=("ann",))
    shoes.load()
    assert shoes.end(MANAGER, reason="a stain").cause is Cause.DECIDED
    shoes.load()
    with pytest.raises(OutOfTurn, match="withheld"):
        shoes.contribute("eve")
    assert shoes.table.shoe.abandoned == 2


def test_a_table_that_is_closed_and_opened_lets_nobody_back_in() -> None:
    shoes = Shoes()
    withheld_by(shoes, "eve", revealed=("ann",))
    setup = shoes.table.open
    shoes(do.CloseTable, SHIFT)
    shoes(do.OpenTable, SHIFT, setup=setup)
    shoes.load()
    assert shoes.table.shoe.abandoned == 1
    with pytest.raises(OutOfTurn, match="withheld"):
        shoes.contribute("eve")


def test_a_shoe_counts_as_abandoned_until_somebody_bets_on_it() -> None:
    shoes = loaded()
    shoes(do.OpenBets)
    shoes(do.CloseBets)
    shoes(do.Refer, MANAGER, matter="the lights went out")
    shoes(do.Rule, SHIFT, ruling=Ruling.VOID, reason="nobody could see")
    shoes.end(MANAGER, reason="a fresh start")
    shoes.load()
    assert shoes.table.shoe.abandoned == 1
    shoes(do.OpenBets)
    shoes(do.PlaceWager, ANN, patron="ann", wager="Player", stake_cents=10_000, position=1)
    shoes(do.CloseBets)
    shoes(do.Refer, MANAGER, matter="the lights went out")
    shoes(do.Rule, SHIFT, ruling=Ruling.VOID, reason="nobody could see")
    shoes.end(MANAGER, reason="a fresh start")
    shoes.load()
    assert shoes.table.shoe.abandoned == 0


def test_the_floors_clock_abandons_a_shoe_also_while_the_time_of_day_stands_still() -> None:
    shoes = closed("eve")
    before = shoes.now_ms
    shoes.now_ms = before - 1_000  # the next command is given at the same time
    assert shoes.end(SYSTEM).cause is Cause.UNREVEALED


def test_everybody_contributes_again_once_bets_have_opened() -> None:
    shoes = closed("ann", "eve")
    shoes.reveal("ann")
    shoes.now_ms += REVEAL_MS
    shoes.end()
    shoes.load()
    shoes(do.OpenBets)
    shoes(do.CloseBets)
    shoes(do.Refer, MANAGER, matter="the lights went out")
    shoes(do.Rule, SHIFT, ruling=Ruling.VOID, reason="nobody could see")
    assert shoes.end(MANAGER, reason="a fresh start").cause is Cause.DECIDED
    shoes.load()
    shoes.contribute("eve")


def test_a_late_beacon_abandons_the_shoe_and_blames_nobody() -> None:
    shoes = closed("ann", beacon=BEACON)
    shoes.reveal("ann")
    shoes.now_ms += REVEAL_MS
    ended = shoes.end()
    assert (ended.cause, ended.unrevealed) == (Cause.UNREVEALED, ())
    shoes.load()
    shoes.contribute("ann", "somebody else")


def test_a_commitment_is_bound_to_table_number_rulebook_decks_and_beacon() -> None:
    setup = Shoes().table.open
    opened = ("As", SALT)
    other = Desk("tiger", source=Source.VIRTUAL, decks=6).table.open
    game = Desk("fortune-six", source=Source.VIRTUAL).table.open
    made = {
        bound_commitment(setup, ShoePlace("T1", 1), opened, None),
        bound_commitment(setup, ShoePlace("T2", 1), opened, None),
        bound_commitment(setup, ShoePlace("T1", 2), opened, None),
        bound_commitment(setup, ShoePlace("T1", 1), opened, BEACON),
        bound_commitment(other, ShoePlace("T1", 1), opened, None),
        bound_commitment(game, ShoePlace("T1", 1), opened, None),
        bound_commitment(setup, ShoePlace("T1", 1), ("As", "salt"), None),
        bound_commitment(setup, ShoePlace("T1", 1, abandoned=1), opened, None),
    }
    assert len(made) == 8


def test_another_shoes_order_does_not_open_this_one() -> None:
    """A seal that is swapped for that of another shoe opens nothing."""
    shoes = loaded()
    committed = bound_commitment(shoes.table.open, ShoePlace("T1", 2), (shoes.order, SALT), None)
    assert committed != shoes.table.shoe.commitment
