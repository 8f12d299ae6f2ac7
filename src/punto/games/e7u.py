"""E7U: Electronic 7 Up Baccarat, in which Player's first card is always a 7."""

from datetime import datetime
from typing import Final

from punto.cards import STANDARD
from punto.games import names
from punto.games.announcements import BETS_ARE_CLOSED, BETS_ARE_OPEN, NO_MORE_BETS, PLACE_YOUR_BETS
from punto.games.conducts import on_terminals
from punto.games.zone import SINGAPORE
from punto.rules import EVEN, PERMANENT, PUSH, Announcement, Game, Label, Odds, Pay, RoundClauses, Rulebook, Wager
from punto.rules.facts import BANKER_WINS, PLAYER_WINS, TIE, banker_total, player_total, sevens

E7U: Final = Rulebook(
    code="E7U",
    title=Label("Electronic 7 Up Baccarat", "电子 7 Up 百家乐"),
    version=None,
    in_force=datetime(2023, 5, 8, 0, 0, tzinfo=SINGAPORE),
    opens=Announcement("E7U 3.1", (PLACE_YOUR_BETS, BETS_ARE_OPEN)),
    closes=Announcement("E7U 3.2", (NO_MORE_BETS, BETS_ARE_CLOSED)),
    play=RoundClauses(
        decks="E7U 2.1",
        values="E7U 3.3",
        totals="E7U 3.4",
        deal="E7U 3.6",
        draw="E7U 3.7",
        outcome="E7U 3.8",
        tie="E7U 3.8.1",
        tie_wager="E7U 1.1.9",
        cutting_card="E7U 3.9",
    ),
    conduct=on_terminals("E7U", cutting_card="E7U 3.9"),
)

# Banker's win on 7, to which the picture of the layout gives another price (interpretation 13).
BANKER_SEVEN: Final = Pay("E7U 4.1", BANKER_WINS & banker_total(7), Odds(9, 5))

# E7U 3.5.1
SEVEN_UP: Final = Game(
    key="7-up",
    title=Label("7 Up Baccarat", "7 Up 百家乐"),
    rulebook=E7U.code,
    deck=STANDARD,
    opening=PERMANENT,
    wagers=(
        Wager(
            names.PLAYER,
            "E7U 3.8",
            (
                Pay("E7U 4.1", PLAYER_WINS & player_total(7), Odds(1, 2)),
                Pay("E7U 4.1", PLAYER_WINS, EVEN),
                Pay("E7U 3.8.1", TIE, PUSH),
            ),
        ),
        Wager(
            names.BANKER,
            "E7U 3.8",
            (
                BANKER_SEVEN,
                Pay("E7U 4.1", BANKER_WINS, EVEN),
                Pay("E7U 3.8.1", TIE, PUSH),
            ),
        ),
        Wager(
            names.TIE,
            "E7U 1.1.9",
            (Pay("E7U 4.1", TIE & banker_total(7), Odds(9)), Pay("E7U 4.1", TIE, Odds(7))),
        ),
        Wager(
            names.SUPER_7S,
            "E7U 1.1.7",
            (
                Pay("E7U 4.2", sevens(2), Odds(2)),
                Pay("E7U 4.2", sevens(3), Odds(5)),
                Pay("E7U 4.2", sevens(4), Odds(17)),
                Pay("E7U 4.2", sevens(5), Odds(70)),
                Pay("E7U 4.2", sevens(6), Odds(700)),
            ),
        ),
    ),
)
