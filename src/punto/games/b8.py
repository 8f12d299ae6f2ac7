"""B8: Baccarat, version 8, dealt live with commission."""

from datetime import datetime
from typing import Final

from punto.cards import STANDARD
from punto.games.announcements import NO_MORE_BETS, PLACE_YOUR_BETS, SINGAPORE
from punto.games.families import Outcome, banker, pairs, player, tie
from punto.rules import Announcement, Game, Label, Play, Rulebook

B8: Final = Rulebook(
    code="B8",
    title=Label("Baccarat", "百家乐"),
    version=8,
    in_force=datetime(2020, 1, 23, tzinfo=SINGAPORE),
    opens=Announcement("B8 3.1", (PLACE_YOUR_BETS,)),
    closes=Announcement("B8 3.2", (NO_MORE_BETS,)),
    play=Play(
        decks="B8 2.1",
        values="B8 3.3",
        totals="B8 3.4",
        deal="B8 3.12",
        draw="B8 3.14",
        outcome="B8 3.15",
        tie="B8 3.15.1",
        cutting_card="B8 3.17",
    ),
)

OUTCOME: Final = Outcome(wins="B8 3.15", tie="B8 3.15.1", tie_wager="B8 1.1.11")

# B8 3.5
BACCARAT: Final = Game(
    key="baccarat",
    title=Label("Baccarat", "百家乐"),
    rulebook=B8.code,
    deck=STANDARD,
    wagers=(
        player(OUTCOME, "B8 4.1"),
        banker(OUTCOME, "B8 4.1"),
        tie(OUTCOME, "B8 4.1"),
        *pairs("B8 1.1.6", "B8 4.1"),
    ),
)
