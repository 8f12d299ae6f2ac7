"""Every game against a second settlement that shares no fact, condition or pay code with the first."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracle import settlement
from tests.width import width

from punto.cards import Card
from punto.games import GAMES
from punto.rules import Deal, Game


def played(game: Game, shoe: list[Card]) -> Deal:
    """The deal that takes its cards from the shoe's front."""
    deal = Deal.begin(game.opening)
    while deal.next:
        deal = deal.take(shoe[deal.drawn])
    return deal


@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=width(150, 2000))
@given(data=st.data())
def test_every_wager_comes_to_what_the_second_settlement_says(key: str, data: st.DataObject) -> None:
    game = GAMES[key]
    # Few ranks and suits now and then, so that pairs, sevens and fours meet more often than in a fair shoe.
    kinds = data.draw(
        st.sampled_from([game.deck.cards, [card for card in game.deck.cards if card.points in {0, 4, 7}]])
    )
    shoe = data.draw(st.lists(st.sampled_from(kinds), min_size=6, max_size=6))
    deal = played(game, shoe)
    coup = deal.coup
    assert coup
    said = settlement.play(key, [str(card) for card in shoe])
    assert [str(card) for card in coup.player.cards] == said["player"]
    assert [str(card) for card in coup.banker.cards] == said["banker"]
    assert (coup.player.total, coup.banker.total) == (said["player_total"], said["banker_total"])
    assert (coup.winner.value, coup.natural, deal.drawn) == (said["winner"], said["natural"], said["used"])
    settled = {name: (each.net, each.clause) for name, each in game.settle(coup).items()}
    assert settled == settlement.settle(key, [str(card) for card in deal.cards])
