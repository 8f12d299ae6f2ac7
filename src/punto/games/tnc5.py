"""TNC5: Tiger No Commission Baccarat, version 5, dealt live."""

from datetime import datetime
from typing import Final

from punto.cards import STANDARD
from punto.games.announcements import NO_MORE_BETS, PLACE_YOUR_BETS
from punto.games.conducts import dealt
from punto.games.families import TigerClauses, banker_half_on_six, player, tie, tigers
from punto.games.zone import SINGAPORE
from punto.rules import Announcement, Game, Label, Layout, RoundClauses, Rulebook

TNC5: Final = Rulebook(
    code="TNC5",
    title=Label("Tiger No Commission Baccarat", "老虎免佣百家乐"),
    version=5,
    in_force=datetime(2022, 4, 7, tzinfo=SINGAPORE),
    opens=Announcement("TNC5 3.1", (PLACE_YOUR_BETS,)),
    closes=Announcement("TNC5 3.2", (NO_MORE_BETS,)),
    play=RoundClauses(
        decks="TNC5 2.1",
        values="TNC5 3.3",
        totals="TNC5 3.4",
        deal="TNC5 3.12",
        draw="TNC5 3.14",
        outcome="TNC5 3.15",
        tie="TNC5 3.15.1",
        tie_wager="TNC5 1.1.11",
        cutting_card="TNC5 3.17",
    ),
    # TNC5 2.2 and its appendices; the number of A is blank there (interpretation 35).
    conduct=dealt(
        "TNC5",
        (
            Layout("A", 1, 7),
            Layout("B", 1, 8),
            Layout("C", 1, 8),
            Layout("D", 1, 9),
            Layout("E", 8, 16),
            Layout("F", 1, 6),
            Layout("G", 1, 6),
            Layout("H", 1, 8),
        ),
    ),
)

TIGERS: Final = tigers(
    TigerClauses(
        tiger="TNC5 1.1.12",
        small="TNC5 1.1.7",
        big="TNC5 1.1.1",
        tie="TNC5 1.1.14",
        pair="TNC5 1.1.13",
        paid="TNC5 4.3",
        pair_paid="TNC5 4.2",
    )
)

# TNC5 3.5
LIVE_TIGER_NO_COMMISSION: Final = Game(
    key="live-tiger-no-commission",
    title=Label("Tiger No Commission Baccarat, dealt live", "老虎免佣百家乐（真人发牌）"),
    rulebook=TNC5.code,
    deck=STANDARD,
    wagers=(
        player(TNC5.play, "TNC5 4.1"),
        banker_half_on_six(TNC5.play, "TNC5 4.1"),
        tie(TNC5.play, "TNC5 4.1"),
        *TIGERS,
    ),
)
