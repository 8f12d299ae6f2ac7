"""FF2: Fa Fa Fabulous 4 Baccarat, version 2, dealt from the five-element deck."""

from datetime import datetime
from typing import Final

from punto.cards import ELEMENTS
from punto.games import names
from punto.games.announcements import NO_MORE_BETS, PLACE_YOUR_BETS
from punto.games.conducts import fa_fa
from punto.games.families import fabulous_banker, fabulous_fours, fabulous_player, precious_pairs, tie
from punto.games.zone import SINGAPORE
from punto.rules import Announcement, Game, Label, Layout, Odds, Pay, RoundClauses, Rulebook, Wager
from punto.rules.facts import banker_pair_rank, player_pair_rank

FF2: Final = Rulebook(
    code="FF2",
    title=Label("Fa Fa Fabulous 4 Baccarat", "发发神奇4点百家乐"),
    version=2,
    in_force=datetime(2019, 5, 9, 17, 0, tzinfo=SINGAPORE),
    opens=Announcement("FF2 3.1", (PLACE_YOUR_BETS,)),
    closes=Announcement("FF2 3.2", (NO_MORE_BETS,)),
    play=RoundClauses(
        decks="FF2 2.1",
        values="FF2 3.3",
        totals="FF2 3.4",
        deal="FF2 3.7",
        draw="FF2 3.8",
        outcome="FF2 3.9",
        tie="FF2 3.10",
        tie_wager="FF2 1.1.10",
        cutting_card=None,
    ),
    # FF2 2.2: five diagrams, none with a number of positions (interpretation 35).
    conduct=fa_fa("FF2", tuple(Layout(key, 1, 9) for key in "ABCDE")),
)

PLAIN_TIE: Final = tie(FF2.play, "FF2 4.1")
# FF2 1.1.11: two fours against two fours, always a natural tie; paid in place of Tie's own line (interpretation 2).
ELEMENT_EIGHTS: Final = player_pair_rank("4") & banker_pair_rank("4")

# FF2 3.5, 3.11, 3.12, 3.13: the wagers, and what a win with four means for each.
FA_FA_FABULOUS_4: Final = Game(
    key="fa-fa-fabulous-4",
    title=Label("Fa Fa Fabulous 4 Baccarat", "发发神奇4点百家乐"),
    rulebook=FF2.code,
    deck=ELEMENTS,
    wagers=(
        fabulous_player(FF2.play, "FF2 4.1"),
        fabulous_banker(FF2.play, "FF2 4.1"),
        Wager(names.TIE, PLAIN_TIE.clause, (Pay("FF2 4.1", ELEMENT_EIGHTS, Odds(800)), *PLAIN_TIE.pays)),
        *fabulous_fours("FF2 1.1.6", "FF2 1.1.1", "FF2 4.1"),
        *precious_pairs("FF2 1.1.7", "FF2 4.2", suit="g"),
    ),
)
