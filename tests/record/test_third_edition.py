"""The third edition of the register: what a patron has seen is known to that patron, and to no other."""

from tests.marks import interpretation
from tests.record.play import play
from tests.record.test_second_edition import edited, found_in

from punto.record import Code

SQUEEZED = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "baccarat", "decks": 4, "method": "A"}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 30000, "position": 1}
{"by": "patron bob", "do": "buy-in", "patron": "bob", "cents": 30000, "position": 2}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 3000, "position": 1}
{"by": "patron bob", "do": "place-wager", "patron": "bob", "wager": "Tie", "stake_cents": 1000, "position": 2}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "2s Kh 3d 4c"}
{"by": "patron ann", "do": "accept-cards", "patron": "ann", "side": "player"}
{"by": "system clock", "do": "report-interruption"}
"""


@interpretation(48)
def test_an_offer_to_whoever_has_seen_the_cards_is_found_and_one_that_leaves_another_out() -> None:
    assert found_in(play(SQUEEZED)) == []
    for wagers, patrons in (([1, 2], ["ann", "bob"]), ([1], ["ann"]), ([], [])):
        found = edited(SQUEEZED, "withdrawal-offered", 0, wagers=wagers, patrons=patrons)
        assert Code.BAD_OFFER in {each.code for each in found}, patrons
    found = edited(SQUEEZED, "irregularity-found", 0, remedy="play-on", clause="B8 5.17.2")
    assert Code.BAD_REMEDY in {each.code for each in found}
