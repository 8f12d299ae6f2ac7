"""EB4: Electronic Baccarat, version 4, and its seven games."""

from datetime import datetime
from typing import Final

from punto.cards import STANDARD
from punto.games import names
from punto.games.announcements import BETS_ARE_CLOSED, BETS_ARE_OPEN, NO_MORE_BETS, PLACE_YOUR_BETS
from punto.games.conducts import on_terminals
from punto.games.families import (
    TigerClauses,
    any_six,
    banker,
    banker_dragon_bonus,
    banker_half_on_six,
    fabulous_banker,
    fabulous_fours,
    fabulous_player,
    pairs,
    player,
    player_dragon_bonus,
    precious_pairs,
    six_by_cards,
    tie,
    tigers,
)
from punto.games.zone import SINGAPORE
from punto.rules import Announcement, Clause, Game, Label, RoundClauses, Rulebook, Wager

EB4: Final = Rulebook(
    code="EB4",
    title=Label("Electronic Baccarat", "电子百家乐"),
    version=4,
    in_force=datetime(2025, 3, 20, 9, 0, tzinfo=SINGAPORE),
    opens=Announcement("EB4 3.1", (PLACE_YOUR_BETS, BETS_ARE_OPEN)),
    closes=Announcement("EB4 3.2", (NO_MORE_BETS, BETS_ARE_CLOSED)),
    play=RoundClauses(
        decks="EB4 2.1",
        values="EB4 3.3",
        totals="EB4 3.4",
        deal="EB4 3.6",
        draw="EB4 3.8",
        outcome="EB4 3.9",
        tie="EB4 3.9.1",
        tie_wager="EB4 1.1.20",
        cutting_card="EB4 3.10",
    ),
    conduct=on_terminals("EB4", cutting_card="EB4 3.10", optional=("EB4 4.5", "EB4 4.6", "EB4 4.9", "EB4 4.10")),
)

PLAYER_DRAGON: Final = player_dragon_bonus("EB4 1.1.10", "EB4 4.6")
BANKER_DRAGON: Final = banker_dragon_bonus("EB4 1.1.1", "EB4 4.5")
TIGERS: Final = tigers(
    TigerClauses(
        tiger="EB4 1.1.21",
        small="EB4 1.1.17",
        big="EB4 1.1.3",
        tie="EB4 1.1.23",
        pair="EB4 1.1.22",
        paid="EB4 4.10",
        pair_paid="EB4 4.9",
    )
)


def _without_commission(paid: Clause) -> tuple[Wager, ...]:
    """Player, Banker and Tie as 4.1 to 4.4 and 4.8 all price them."""
    return (player(EB4.play, paid), banker_half_on_six(EB4.play, paid), tie(EB4.play, paid))


SUPER_SIX: Final = Game(
    key="super-six",
    title=Label("Super Six No Commission Baccarat", "超级六免佣百家乐"),
    rulebook=EB4.code,
    deck=STANDARD,
    wagers=(
        *_without_commission("EB4 4.1"),
        *pairs("EB4 1.1.13", "EB4 4.1"),
        any_six(names.SUPER_SIX, "EB4 1.1.18", "EB4 4.1"),
    ),
)

FORTUNE_SIX: Final = Game(
    key="fortune-six",
    title=Label("Fortune Six No Commission Baccarat", "幸运六免佣百家乐"),
    rulebook=EB4.code,
    deck=STANDARD,
    wagers=(
        *_without_commission("EB4 4.2"),
        *pairs("EB4 1.1.13", "EB4 4.2"),
        six_by_cards(names.FORTUNE_SIX, "EB4 1.1.5", "EB4 4.2"),
        PLAYER_DRAGON,
        BANKER_DRAGON,
    ),
)

SUPER_6: Final = Game(
    key="super-6",
    title=Label("Super 6 No Commission Baccarat", "超级6免佣百家乐"),
    rulebook=EB4.code,
    deck=STANDARD,
    wagers=(
        *_without_commission("EB4 4.3"),
        *pairs("EB4 1.1.13", "EB4 4.3"),
        any_six(names.SUPER_6, "EB4 1.1.18", "EB4 4.3"),
        PLAYER_DRAGON,
        BANKER_DRAGON,
    ),
)

NO_COMMISSION: Final = Game(
    key="no-commission",
    title=Label("No Commission Baccarat", "免佣百家乐"),
    rulebook=EB4.code,
    deck=STANDARD,
    wagers=(*_without_commission("EB4 4.4"), *pairs("EB4 1.1.13", "EB4 4.4")),
)

TIGER: Final = Game(
    key="tiger",
    title=Label("Tiger Baccarat", "老虎百家乐"),
    rulebook=EB4.code,
    deck=STANDARD,
    wagers=(player(EB4.play, "EB4 4.7"), banker(EB4.play, "EB4 4.7"), tie(EB4.play, "EB4 4.7"), *TIGERS),
)

TIGER_NO_COMMISSION: Final = Game(
    key="tiger-no-commission",
    title=Label("Tiger No Commission Baccarat", "老虎免佣百家乐"),
    rulebook=EB4.code,
    deck=STANDARD,
    wagers=(*_without_commission("EB4 4.8"), *TIGERS),
)

FABULOUS_4S: Final = Game(
    key="fabulous-4s",
    title=Label("Fabulous 4's Baccarat", "神奇4点百家乐"),
    rulebook=EB4.code,
    deck=STANDARD,
    wagers=(
        fabulous_player(EB4.play, "EB4 4.11"),
        fabulous_banker(EB4.play, "EB4 4.11"),
        tie(EB4.play, "EB4 4.11"),
        *fabulous_fours("EB4 1.1.11", "EB4 1.1.2", "EB4 4.11"),
        *precious_pairs("EB4 1.1.14", "EB4 4.12", suit="d"),
    ),
)
