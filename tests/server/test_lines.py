"""The log as staff read it: nothing in it tells a card that lies face down."""

import pytest

from punto.rules import Side
from punto.server.faces.lines import shown_event
from punto.table import events as on


@pytest.mark.parametrize(
    "event",
    [
        on.CardDrawn("9h", Side.PLAYER, up=False),
        on.CardsSetAside("9h 2c"),
        on.CardsRebuilt("9h 2c", "2c 9h", "9h", "B8 5.7"),
        on.CountBegun(Side.PLAYER, 1, "B8 5.11", "9h"),
        on.OrderDetermined("9h 2c"),
        on.ShoeLoaded(3, "abc", "9h 2c"),
        on.ShoeEnded(3, "9h 2c", "9h"),
    ],
)
def test_what_is_hidden_is_left_out(event: on.AnyEvent) -> None:
    assert "9h" not in str(shown_event(event, all_up=False))


@pytest.mark.parametrize(
    "event",
    [
        on.CardDrawn("9h", Side.PLAYER, up=True),
        on.CardsExposed(Side.PLAYER, "9h 2c"),
        on.CardsRebuilt("9h 2c", "2c 9h", "", "B8 5.7"),
    ],
)
def test_what_lies_open_is_told(event: on.AnyEvent) -> None:
    assert "9h" in str(shown_event(event, all_up=True))
