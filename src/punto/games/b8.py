"""B8: Baccarat, version 8, dealt live with commission."""

from datetime import datetime
from typing import Final

from punto.cards import STANDARD
from punto.games.announcements import NO_MORE_BETS, PLACE_YOUR_BETS
from punto.games.conducts import dealt
from punto.games.families import banker, pairs, player, tie
from punto.games.zone import SINGAPORE
from punto.rules import Announcement, Game, Label, Layout, RoundClauses, Rulebook

B8: Final = Rulebook(
    code="B8",
    title=Label("Baccarat", "百家乐"),
    version=8,
    in_force=datetime(2020, 1, 23, tzinfo=SINGAPORE),
    opens=Announcement("B8 3.1", (PLACE_YOUR_BETS,)),
    closes=Announcement("B8 3.2", (NO_MORE_BETS,)),
    play=RoundClauses(
        decks="B8 2.1",
        values="B8 3.3",
        totals="B8 3.4",
        deal="B8 3.12",
        draw="B8 3.14",
        outcome="B8 3.15",
        tie="B8 3.15.1",
        tie_wager="B8 1.1.11",
        cutting_card="B8 3.17",
    ),
    # B8 2.2 and its appendices (interpretation 35).
    conduct=dealt(
        "B8", (Layout("A", 1, 7), Layout("B", 1, 9), Layout("C", 7, 14), Layout("D", 1, 1), Layout("E", 1, 1))
    ),
)


# B8 3.5
BACCARAT: Final = Game(
    key="baccarat",
    title=Label("Baccarat", "百家乐"),
    rulebook=B8.code,
    deck=STANDARD,
    wagers=(
        player(B8.play, "B8 4.1"),
        banker(B8.play, "B8 4.1"),
        tie(B8.play, "B8 4.1"),
        *pairs("B8 1.1.6", "B8 4.1"),
    ),
)
