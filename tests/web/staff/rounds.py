"""Rounds that are dealt beside the pages, so that the pit has something to look at."""

from typing import Final

from tests.web.staff.conftest import House

PLAYER_WINS: Final = "4s 2h 5d Kc"
BANKER_WINS: Final = "2s 4h Kd 5c"


def begun(house: House, table: str, *wagers: tuple[str, str, int]) -> None:
    """Bets are open, and these lie there: a patron's name, the wager, the cents; each at a position of their own."""
    dealer = house.wire("dealer")
    if house.record.table(table).phase.value == "change-of-shoe":
        dealer.done(table, "load-shoe")
    dealer.done(table, "open-bets")
    seats = {patron: seat for seat, patron in enumerate(dict.fromkeys(patron for patron, _, _ in wagers), 1)}
    for patron, seat in seats.items():
        if not house.record.credits(patron):
            dealer.done(table, "buy-in", patron=patron, cents=100_000, position=seat)
    for patron, wager, cents in wagers:
        dealer.done(table, "place-wager", patron=patron, wager=wager, stake_cents=cents, position=seats[patron])


def dealt(house: House, table: str, cards: str) -> None:
    """The round goes on to its end with these cards, which a device has."""
    house.wire("dealer").done(table, "close-bets")
    finished(house, table, cards)


def finished(house: House, table: str, cards: str) -> None:
    """The same, where bets are closed already."""
    dealer = house.wire("dealer")
    for card in cards.split():
        dealer.done(table, "draw-card", card=card)
    dealer.done(table, "announce")
    dealer.done(table, "settle")


def drawn(house: House, table: str) -> None:
    """The round goes on to its end with whatever a virtual shoe has."""
    dealer = house.wire("dealer")
    dealer.done(table, "close-bets")
    while (phase := house.record.table(table).phase.value) != "outcome":
        announced = dealer.act(table, "announce")["t"] == "accepted" if phase == "drawing" else False
        if not announced:
            dealer.done(table, "draw-card")
    dealer.done(table, "settle")
