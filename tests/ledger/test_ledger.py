"""Transfers, postings and meters, by hand."""

import pytest
from msgspec.structs import astuple
from tests.marks import interpretation

from punto.errors import BadStake, Corrupt, Unaffordable
from punto.ledger import Holding, Meter, TableMeters, Transfer, given, postings, transfers
from punto.ledger.book import Booked, read
from punto.ledger.periods import period_of
from punto.rules import Found, Result
from punto.rules.money import Cents
from punto.table import events as on
from punto.table.log import ENCODER

LOST = on.Payment(1, "ann", "Player", Cents(500), Cents(500), Result.LOSE, Cents(0), Cents(0), "EB4 3.9")
WON = on.Payment(2, "ann", "Tie", Cents(100), Cents(100), Result.WIN, Cents(800), Cents(900), "EB4 4.2")
CAPPED = on.Payment(3, "bob", "Player", Cents(900), Cents(600), Result.LOSE, Cents(0), Cents(300), "B8 4.1")
SETTLED = on.RoundSettled(1, "Ks 2h 5d 4c 9s", (LOST, WON, CAPPED))


def test_a_settlement_moves_stakes_and_winnings() -> None:
    assert transfers("T1", SETTLED) == (
        Transfer("escrow/T1", "house/T1", Cents(500)),
        Transfer("escrow/T1", "wallet/ann", Cents(100)),
        Transfer("house/T1", "wallet/ann", Cents(800)),
        Transfer("escrow/T1", "house/T1", Cents(600)),
        Transfer("escrow/T1", "wallet/bob", Cents(300)),
    )


def test_a_reversal_moves_every_cent_back() -> None:
    there = transfers("T1", SETTLED)
    back = transfers("T1", on.SettlementReversed(1, SETTLED.payments))
    assert back == tuple(Transfer(move.taker, move.giver, move.cents) for move in there)


def test_transfers_between_the_same_accounts_are_booked_as_one() -> None:
    booked = postings("T1", [SETTLED], {"wallet/ann": Holding(50), "wallet/bob": Holding(0)}.__getitem__)
    assert [(each.stream, each.cents, each.balance_cents) for each in booked] == [
        ("book/T1", 1_100, 0),
        ("wallet/ann", 100, 150),
        ("wallet/ann", 800, 950),
        ("wallet/bob", 300, 300),
    ]


def test_a_wallet_that_does_not_cover_it_refuses_all_of_it() -> None:
    placed = on.WagerPlaced(1, "ann", "Player", Cents(500), 1)
    with pytest.raises(Unaffordable, match=r"^5\.00 is more than the credits of 4\.99$"):
        postings("T1", [placed], lambda _: Holding(499))
    changed = on.WagerChanged(1, "ann", Cents(100), Cents(700))
    with pytest.raises(Unaffordable):
        postings("T1", [on.LateWithdrawal(1, "ann", "x"), changed], lambda _: Holding(599))


@interpretation(36)
def test_what_was_paid_and_is_gone_is_owed_and_squared_by_what_tables_pay() -> None:
    reversal = on.SettlementReversed(1, (WON,))
    booked = postings("T1", [reversal], lambda _: Holding(300))
    assert [astuple(each)[:4] for each in booked] == [
        ("wallet/ann", "wallet/ann", "escrow/T1", 100),
        ("wallet/ann", "wallet/ann", "house/T1", 200),
        ("wallet/ann", "owed/ann", "house/T1", 600),
    ]
    assert astuple(booked[-1])[4:] == (0, 600)
    at_once = postings("T1", [reversal, on.RoundSettled(1, "x", (WON,))], lambda _: Holding(300))
    assert astuple(at_once[-1])[1:] == ("wallet/ann", "owed/ann", 600, 300, 0)
    later = postings("T1", [on.RoundSettled(1, "x", (WON,))], lambda _: Holding(0, 600))
    assert astuple(later[-1])[1:] == ("wallet/ann", "owed/ann", 600, 300, 0)
    lost = postings("T1", [on.RoundSettled(1, "x", (LOST,))], lambda _: Holding(0, 600))
    assert [each.stream for each in lost] == ["book/T1"]
    bought = postings("T1", [on.CreditsBought("ann", Cents(1_000), 1)], lambda _: Holding(0, 600))
    assert [astuple(each)[3:] for each in bought] == [(1_000, 1_000, 600)]
    less = postings("T1", [on.RoundSettled(1, "x", (WON,))], lambda _: Holding(6_000, 5_000))
    assert astuple(less[-1])[1:] == ("wallet/ann", "owed/ann", 900, 6_000, 4_100), "what was bought stays the patron's"


def test_what_goes_to_a_stopped_wallet_is_booked_aside_and_the_wallet_is_not_touched() -> None:
    aside = on.CreditsWithheld("ann", Cents(900))
    booked = postings("T1", [SETTLED, aside], {"wallet/bob": Holding(0)}.__getitem__)
    assert [astuple(each)[:4] for each in booked] == [
        ("book/T1", "escrow/T1", "house/T1", 1_100),
        ("book/T1", "escrow/T1", "withheld/ann", 100),
        ("book/T1", "house/T1", "withheld/ann", 800),
        ("wallet/bob", "escrow/T1", "wallet/bob", 300),
    ]
    assert given("T1", [SETTLED]) == {"wallet/ann": 900, "wallet/bob": 300}


@interpretation(36)
def test_what_is_released_goes_against_a_debt_first() -> None:
    booked = postings("T1", [on.CreditsReleased("ann", Cents(900))], lambda _: Holding(0, 600))
    assert [astuple(each) for each in booked] == [
        ("wallet/ann", "withheld/ann", "wallet/ann", 900, 900, 600),
        ("wallet/ann", "wallet/ann", "owed/ann", 600, 300, 0),
    ]


def test_no_wallet_holds_more_than_a_number_can_say() -> None:
    with pytest.raises(BadStake):
        postings("T1", [on.CreditsBought("ann", Cents(1), 1)], lambda _: Holding(2**53))


def test_an_event_without_money_is_booked_nowhere() -> None:
    assert postings("T1", [on.BetsClosed("No more bets", "EB4 3.2")], lambda _: Holding(0)) == []
    unchanged = on.WagerChanged(1, "ann", Cents(100), Cents(100))
    assert postings("T1", [unchanged], lambda _: Holding(0)) == []


def test_a_booked_transfer_is_read_back_and_garbage_is_not() -> None:
    booked = Booked(1, "c", "wallet/ann", "escrow/T1", Cents(500), Cents(100))
    assert read(ENCODER.encode(booked)) == booked
    with pytest.raises(Corrupt):
        read(b"{}")


def test_meters_count_what_goes_in_is_staked_is_won_and_goes_out() -> None:
    meters = TableMeters()
    for event in (
        on.CreditsBought("ann", Cents(10_000), 1),
        on.BetsOpened(1, 1, "", "", 0, "B8", 8, ""),
        on.WagerPlaced(1, "ann", "Player", Cents(500), 1),
        on.WagerPlaced(2, "ann", "Tie", Cents(50), 1),
        on.WagerChanged(2, "ann", Cents(50), Cents(100)),
        on.WagerPlaced(3, "bob", "Player", Cents(900), 2),
        on.WagerPlaced(4, "bob", "Tie", Cents(100), 2),
        on.WagerTakenBack(4, "bob", Cents(100)),
        SETTLED,
        on.CreditsCashedOut("ann", Cents(1_000), 1),
        on.CreditsCorrected("ann", Cents(-5), "misread", None),  # type: ignore[arg-type]
        on.BetsOpened(2, 1, "", "", 0, "B8", 8, ""),
        on.WagerPlaced(1, "ann", "Player", Cents(500), 1),
        on.RoundVoided(2, Found.INTERRUPTION, "B8 5.1", (on.Return(1, "ann", Cents(500)),), False),
    ):
        meters.add(event)
    total = meters.total
    assert (total.in_cents, total.out_cents, total.drop_cents) == (10_000, 1_000, 10_000)
    assert (total.wagered_cents, total.returned_cents, total.won_cents) == (2_100, 1_000, 800)
    assert (total.hold_cents, total.escrow_cents) == (300, 0)
    assert (total.rounds, total.voids, total.corrected_cents) == (2, 1, -5)
    assert meters.positions[2].hold_cents == 600
    assert [(each.rounds, each.voids) for each in meters.positions.values()] == [(2, 1), (1, 0)]


def test_a_position_has_part_in_a_round_once_its_wager_is_settled_or_goes_back() -> None:
    meters = TableMeters()
    opened = on.BetsOpened(1, 1, "", "", 0, "B8", 8, "")
    placed = [on.WagerPlaced(number, "ann", "Player", Cents(500), number) for number in (1, 2, 3, 4)]
    meters.add(opened)
    for wager in placed:
        meters.add(wager)
    meters.add(on.WagerTakenBack(1, "ann", Cents(500)))
    assert [each.rounds for each in meters.positions.values()] == [0, 0, 0, 0]
    lost = on.Payment(4, "ann", "Player", Cents(500), Cents(500), Result.LOSE, Cents(0), Cents(0), "B8 3.15")
    for event in (
        on.WagerWithdrawn(2, "ann", Cents(500), "B8 5.9"),
        on.Ruled(on.Ruling.RETURN, "misread", (on.Return(3, "ann", Cents(500)),)),
        on.RoundSettled(1, "x", (lost,)),
        on.SettlementReversed(1, (lost,)),
        on.RoundSettled(1, "x", (lost,)),
    ):
        meters.add(event)
    assert [each.rounds for each in meters.positions.values()] == [0, 1, 1, 1]
    assert meters.total.rounds == 1


def test_a_wager_that_was_never_placed_cannot_be_counted() -> None:
    with pytest.raises(Corrupt, match=r"^wager 7 was never placed in this round$"):
        TableMeters().add(on.WagerTakenBack(7, "ann", Cents(500)))


def test_a_meter_is_copied_added_to_and_taken_from() -> None:
    meter = Meter(in_cents=5, rounds=1)
    copy = meter.copy()
    meter.add(copy)
    assert (meter.in_cents, meter.rounds, copy.in_cents) == (10, 2, 5)
    meter.subtract(copy)
    assert meter == copy


@pytest.mark.parametrize(
    ("hour", "day", "shift"),
    [(6, 1, "day"), (13, 1, "day"), (14, 1, "swing"), (22, 1, "night"), (29, 1, "night"), (30, 2, "day")],
)
def test_a_gaming_day_begins_at_six_and_has_three_shifts(hour: int, day: int, shift: str) -> None:
    found = period_of(1_767_196_800_000 + hour * 3_600_000)
    assert (found.day.day, found.shift) == (day, shift)


@pytest.mark.parametrize(
    ("at_ms", "day", "shift"),
    [
        (253_402_271_999_999, "9999-12-31", "night"),
        (253_402_300_799_999, "9999-12-31", "night"),
        (2**70, "9999-12-31", "night"),
        (-(2**70), "0001-01-01", "day"),
    ],
)
def test_moments_beyond_the_calendar_belong_to_its_first_or_last_day(at_ms: int, day: str, shift: str) -> None:
    found = period_of(at_ms)
    assert (str(found.day), found.shift) == (day, shift)
