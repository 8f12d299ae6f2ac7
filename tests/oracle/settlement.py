"""A second settlement of all eleven games, written from the rulebooks alone (EB4, FF2, B8, TNC5, E7U)."""

from fractions import Fraction
from typing import TypedDict

Result = tuple[Fraction, str]


class Round(TypedDict):
    """The record of one completed round, as `play` returns it (EB4 3.6-3.9)."""

    player: list[str]
    banker: list[str]
    player_total: int
    banker_total: int
    winner: str
    natural: bool
    used: int


# --- cards and the draw ----------------------------------------


def check_card(game: str, card: str) -> None:
    """Refuse a card that the game's deck does not contain (EB4 2.1, FF2 2.1, B8 2.1, TNC5 2.1, E7U 2.1)."""
    if len(card) != 2:
        raise ValueError(f"not a card: {card!r}")
    if game == "fa-fa-fabulous-4":
        known = card[0] in "A23456789TSLF" and card[1] in "fgeow"
    else:
        known = card[0] in "A23456789TJQK" and card[1] in "shdc"
    if not known:
        raise ValueError(f"not a card of {game}: {card!r}")


def points(card: str) -> int:
    """Count one card (EB4 3.3, FF2 3.3, B8 3.3, TNC5 3.3, E7U 3.3)."""
    if card[0] == "A":
        return 1
    if card[0] in "23456789":
        return int(card[0])
    return 0


def total(hand: list[str]) -> int:
    """Count a hand and keep the last digit (EB4 3.4, FF2 3.4, B8 3.4, TNC5 3.4, E7U 3.4)."""
    count = 0
    for card in hand:
        count += points(card)
    return count % 10


def banker_draws(banker_two: int, player_third: str | None) -> bool:
    """Say whether Banker draws once neither hand is natural (EB4 3.8, FF2 3.8, B8 and TNC5 3.14, E7U 3.7)."""
    if player_third is None:
        return banker_two <= 5
    if banker_two <= 2:
        return True
    if banker_two == 3:
        return player_third[0] != "8"
    if banker_two == 4:
        return player_third[0] in "234567"
    if banker_two == 5:
        return player_third[0] in "4567"
    if banker_two == 6:
        return player_third[0] in "67"
    return False


def play(game: str, cards: list[str]) -> Round:
    """Deal a round from the given cards and name the winner (EB4 3.6-3.9, E7U 3.6-3.8)."""
    if game not in (
        "baccarat",
        "super-six",
        "fortune-six",
        "super-6",
        "no-commission",
        "tiger",
        "tiger-no-commission",
        "fabulous-4s",
        "fa-fa-fabulous-4",
        "live-tiger-no-commission",
        "7-up",
    ):
        raise ValueError(f"no such game: {game!r}")

    used = 0

    def draw() -> str:
        """Take the next card of the list, which must be there (EB4 5.3)."""
        nonlocal used
        if used >= len(cards):
            raise ValueError("too few cards to complete the round")
        card = cards[used]
        check_card(game, card)
        used += 1
        return card

    player: list[str] = []
    banker: list[str] = []
    if game == "7-up":
        player.append("7*")
        banker.append(draw())
        player.append(draw())
        banker.append(draw())
    else:
        player.append(draw())
        banker.append(draw())
        player.append(draw())
        banker.append(draw())

    player_two = total(player)
    banker_two = total(banker)
    natural = player_two in (8, 9) or banker_two in (8, 9)
    if not natural:
        player_third: str | None = None
        if player_two <= 5:
            player_third = draw()
            player.append(player_third)
        if banker_draws(banker_two, player_third):
            banker.append(draw())

    player_total = total(player)
    banker_total = total(banker)
    if player_total > banker_total:
        winner = "player"
    elif banker_total > player_total:
        winner = "banker"
    else:
        winner = "tie"
    return {
        "player": player,
        "banker": banker,
        "player_total": player_total,
        "banker_total": banker_total,
        "winner": winner,
        "natural": natural,
        "used": used,
    }


# --- Electronic Baccarat ----------------------------------------


def eb4_player(r: Round, table: str) -> Result:
    """Settle Player at even money by the game's own table (EB4 4.1-4.4, 4.7, 4.8)."""
    if r["winner"] == "player":
        return Fraction(1), table
    if r["winner"] == "tie":
        return Fraction(0), "EB4 3.9.1"
    return Fraction(-1), "EB4 3.9"


def eb4_banker_half_on_six(r: Round, table: str) -> Result:
    """Settle Banker without commission, at half for a win on six (EB4 4.1-4.4, 4.8)."""
    if r["winner"] == "banker":
        if r["banker_total"] == 6:
            return Fraction(1, 2), table
        return Fraction(1), table
    if r["winner"] == "tie":
        return Fraction(0), "EB4 3.9.1"
    return Fraction(-1), "EB4 3.9"


def eb4_banker_less_commission(r: Round) -> Result:
    """Settle Banker of Tiger Baccarat less commission (EB4 4.7, 1.1.4)."""
    if r["winner"] == "banker":
        return Fraction(95, 100), "EB4 4.7"
    if r["winner"] == "tie":
        return Fraction(0), "EB4 3.9.1"
    return Fraction(-1), "EB4 3.9"


def eb4_tie(r: Round, table: str) -> Result:
    """Settle Tie by the game's own table (EB4 1.1.20, 4.1-4.4, 4.7, 4.8, 4.11)."""
    if r["winner"] == "tie":
        return Fraction(8), table
    return Fraction(-1), "EB4 1.1.20"


def eb4_pair(hand: list[str], table: str) -> Result:
    """Settle Player Pair or Banker Pair on a hand's first two cards (EB4 1.1.13, 3.7, 4.1-4.4)."""
    if hand[0][0] == hand[1][0]:
        return Fraction(11), table
    return Fraction(-1), "EB4 1.1.13"


def eb4_super_six(r: Round) -> Result:
    """Settle Super Six of the Super Six game (EB4 1.1.18, 4.1)."""
    if r["winner"] == "banker" and r["banker_total"] == 6:
        return Fraction(15), "EB4 4.1"
    return Fraction(-1), "EB4 1.1.18"


def eb4_fortune_six(r: Round) -> Result:
    """Settle Fortune Six by the number of Banker's cards (EB4 1.1.5, 4.2)."""
    if r["winner"] == "banker" and r["banker_total"] == 6:
        if len(r["banker"]) == 2:
            return Fraction(12), "EB4 4.2"
        return Fraction(20), "EB4 4.2"
    return Fraction(-1), "EB4 1.1.5"


def eb4_super_6(r: Round) -> Result:
    """Settle Super 6 of the Super 6 game (EB4 1.1.18, 4.3)."""
    if r["winner"] == "banker" and r["banker_total"] == 6:
        return Fraction(15), "EB4 4.3"
    return Fraction(-1), "EB4 1.1.18"


def eb4_banker_dragon_bonus(r: Round) -> Result:
    """Settle Banker Dragon Bonus by natural or margin (EB4 1.1.1, 1.1.9, 4.5)."""
    if r["winner"] == "tie" and r["natural"]:
        return Fraction(0), "EB4 4.5"
    if r["winner"] != "banker":
        return Fraction(-1), "EB4 1.1.1"
    if len(r["banker"]) == 2 and r["banker_total"] in (8, 9):
        return Fraction(1), "EB4 4.5"
    margin = r["banker_total"] - r["player_total"]
    if margin == 9:
        return Fraction(30), "EB4 4.5"
    if margin == 8:
        return Fraction(10), "EB4 4.5"
    if margin == 7:
        return Fraction(6), "EB4 4.5"
    if margin == 6:
        return Fraction(4), "EB4 4.5"
    if margin == 5:
        return Fraction(2), "EB4 4.5"
    if margin == 4:
        return Fraction(1), "EB4 4.5"
    return Fraction(-1), "EB4 1.1.1"


def eb4_player_dragon_bonus(r: Round) -> Result:
    """Settle Player Dragon Bonus by natural or margin (EB4 1.1.10, 1.1.9, 4.6)."""
    if r["winner"] == "tie" and r["natural"]:
        return Fraction(0), "EB4 4.6"
    if r["winner"] != "player":
        return Fraction(-1), "EB4 1.1.10"
    if len(r["player"]) == 2 and r["player_total"] in (8, 9):
        return Fraction(1), "EB4 4.6"
    margin = r["player_total"] - r["banker_total"]
    if margin == 9:
        return Fraction(30), "EB4 4.6"
    if margin == 8:
        return Fraction(10), "EB4 4.6"
    if margin == 7:
        return Fraction(6), "EB4 4.6"
    if margin == 6:
        return Fraction(4), "EB4 4.6"
    if margin == 5:
        return Fraction(2), "EB4 4.6"
    if margin == 4:
        return Fraction(1), "EB4 4.6"
    return Fraction(-1), "EB4 1.1.10"


def eb4_tiger(r: Round) -> Result:
    """Settle Tiger by the number of Banker's cards (EB4 1.1.21, 4.10)."""
    if r["winner"] == "banker" and r["banker_total"] == 6:
        if len(r["banker"]) == 2:
            return Fraction(12), "EB4 4.10"
        return Fraction(20), "EB4 4.10"
    return Fraction(-1), "EB4 1.1.21"


def eb4_small_tiger(r: Round) -> Result:
    """Settle Small Tiger, a two-card six that wins (EB4 1.1.17, 4.10)."""
    if r["winner"] == "banker" and r["banker_total"] == 6 and len(r["banker"]) == 2:
        return Fraction(22), "EB4 4.10"
    return Fraction(-1), "EB4 1.1.17"


def eb4_big_tiger(r: Round) -> Result:
    """Settle Big Tiger, a three-card six that wins (EB4 1.1.3, 4.10)."""
    if r["winner"] == "banker" and r["banker_total"] == 6 and len(r["banker"]) == 3:
        return Fraction(50), "EB4 4.10"
    return Fraction(-1), "EB4 1.1.3"


def eb4_tiger_tie(r: Round) -> Result:
    """Settle Tiger Tie, six against six (EB4 1.1.23, 4.10)."""
    if r["player_total"] == 6 and r["banker_total"] == 6:
        return Fraction(35), "EB4 4.10"
    return Fraction(-1), "EB4 1.1.23"


def eb4_tiger_pair(r: Round) -> Result:
    """Settle Tiger Pair by its best line, once (EB4 1.1.22, 4.9)."""
    player_paired = r["player"][0][0] == r["player"][1][0]
    banker_paired = r["banker"][0][0] == r["banker"][1][0]
    if player_paired and banker_paired:
        if r["player"][0][0] == r["banker"][0][0]:
            return Fraction(100), "EB4 4.9"
        return Fraction(20), "EB4 4.9"
    if player_paired or banker_paired:
        return Fraction(4), "EB4 4.9"
    return Fraction(-1), "EB4 1.1.22"


def eb4_fabulous_player(r: Round) -> Result:
    """Settle Player of Fabulous 4's, half on four and double on one (EB4 4.11)."""
    if r["winner"] == "player":
        if r["player_total"] == 4:
            return Fraction(1, 2), "EB4 4.11"
        if r["player_total"] == 1:
            return Fraction(2), "EB4 4.11"
        return Fraction(1), "EB4 4.11"
    if r["winner"] == "tie":
        return Fraction(0), "EB4 3.9.1"
    return Fraction(-1), "EB4 3.9"


def eb4_fabulous_banker(r: Round) -> Result:
    """Settle Banker of Fabulous 4's, a push on four and double on one (EB4 4.11)."""
    if r["winner"] == "banker":
        if r["banker_total"] == 4:
            return Fraction(0), "EB4 4.11"
        if r["banker_total"] == 1:
            return Fraction(2), "EB4 4.11"
        return Fraction(1), "EB4 4.11"
    if r["winner"] == "tie":
        return Fraction(0), "EB4 3.9.1"
    return Fraction(-1), "EB4 3.9"


def eb4_player_fabulous_4(r: Round) -> Result:
    """Settle Player Fabulous 4, a Player win on four (EB4 1.1.11, 4.11)."""
    if r["winner"] == "player" and r["player_total"] == 4:
        return Fraction(50), "EB4 4.11"
    return Fraction(-1), "EB4 1.1.11"


def eb4_banker_fabulous_4(r: Round) -> Result:
    """Settle Banker Fabulous 4, a Banker win on four (EB4 1.1.2, 4.11)."""
    if r["winner"] == "banker" and r["banker_total"] == 4:
        return Fraction(25), "EB4 4.11"
    return Fraction(-1), "EB4 1.1.2"


def eb4_precious_pair(hand: list[str]) -> Result:
    """Settle a Precious Pair on a hand's first two cards by its best line, once (EB4 1.1.14, 4.12)."""
    if hand[0][0] != hand[1][0]:
        return Fraction(-1), "EB4 1.1.14"
    both_diamonds = hand[0][1] == "d" and hand[1][1] == "d"
    if hand[0][0] == "4":
        if both_diamonds:
            return Fraction(30), "EB4 4.12"
        return Fraction(15), "EB4 4.12"
    if both_diamonds:
        return Fraction(12), "EB4 4.12"
    return Fraction(9), "EB4 4.12"


# --- Fa Fa Fabulous 4 ----------------------------------------


def ff2_player(r: Round) -> Result:
    """Settle Player, half on four and double on one (FF2 3.9, 3.10, 3.12, 4.1)."""
    if r["winner"] == "player":
        if r["player_total"] == 4:
            return Fraction(1, 2), "FF2 4.1"
        if r["player_total"] == 1:
            return Fraction(2), "FF2 4.1"
        return Fraction(1), "FF2 4.1"
    if r["winner"] == "tie":
        return Fraction(0), "FF2 3.10"
    return Fraction(-1), "FF2 3.9"


def ff2_banker(r: Round) -> Result:
    """Settle Banker, a push on four and double on one (FF2 3.9, 3.10, 3.11, 4.1)."""
    if r["winner"] == "banker":
        if r["banker_total"] == 4:
            return Fraction(0), "FF2 4.1"
        if r["banker_total"] == 1:
            return Fraction(2), "FF2 4.1"
        return Fraction(1), "FF2 4.1"
    if r["winner"] == "tie":
        return Fraction(0), "FF2 3.10"
    return Fraction(-1), "FF2 3.9"


def ff2_tie(r: Round) -> Result:
    """Settle Tie, with the high price when all four cards are fours (FF2 1.1.10, 1.1.11, 4.1)."""
    if r["winner"] != "tie":
        return Fraction(-1), "FF2 1.1.10"
    ranks = ""
    for card in r["player"] + r["banker"]:
        ranks += card[0]
    if ranks == "4444":
        return Fraction(800), "FF2 4.1"
    return Fraction(8), "FF2 4.1"


def ff2_player_fabulous_4(r: Round) -> Result:
    """Settle Player Fabulous 4, a Player win on four (FF2 1.1.6, 3.12, 4.1)."""
    if r["winner"] == "player" and r["player_total"] == 4:
        return Fraction(50), "FF2 4.1"
    return Fraction(-1), "FF2 1.1.6"


def ff2_banker_fabulous_4(r: Round) -> Result:
    """Settle Banker Fabulous 4, a Banker win on four (FF2 1.1.1, 3.11, 4.1)."""
    if r["winner"] == "banker" and r["banker_total"] == 4:
        return Fraction(25), "FF2 4.1"
    return Fraction(-1), "FF2 1.1.1"


def ff2_precious_pair(hand: list[str]) -> Result:
    """Settle a Precious Pair on a hand's first two cards by its best line, once (FF2 1.1.7, 3.13, 4.2)."""
    if hand[0][0] != hand[1][0]:
        return Fraction(-1), "FF2 1.1.7"
    both_gold = hand[0][1] == "g" and hand[1][1] == "g"
    if hand[0][0] == "4":
        if both_gold:
            return Fraction(30), "FF2 4.2"
        return Fraction(15), "FF2 4.2"
    if both_gold:
        return Fraction(12), "FF2 4.2"
    return Fraction(9), "FF2 4.2"


# --- Baccarat with commission ----------------------------------------


def b8_player(r: Round) -> Result:
    """Settle Player at even money (B8 3.15, 4.1)."""
    if r["winner"] == "player":
        return Fraction(1), "B8 4.1"
    if r["winner"] == "tie":
        return Fraction(0), "B8 3.15.1"
    return Fraction(-1), "B8 3.15"


def b8_banker(r: Round) -> Result:
    """Settle Banker less commission (B8 1.1.1, 3.15, 4.1)."""
    if r["winner"] == "banker":
        return Fraction(95, 100), "B8 4.1"
    if r["winner"] == "tie":
        return Fraction(0), "B8 3.15.1"
    return Fraction(-1), "B8 3.15"


def b8_tie(r: Round) -> Result:
    """Settle Tie (B8 1.1.11, 4.1)."""
    if r["winner"] == "tie":
        return Fraction(8), "B8 4.1"
    return Fraction(-1), "B8 1.1.11"


def b8_pair(hand: list[str]) -> Result:
    """Settle Player Pair or Banker Pair on a hand's first two cards (B8 1.1.6, 3.13, 4.1)."""
    if hand[0][0] == hand[1][0]:
        return Fraction(11), "B8 4.1"
    return Fraction(-1), "B8 1.1.6"


# --- Tiger No Commission, dealt live ----------------------------------------


def tnc5_player(r: Round) -> Result:
    """Settle Player at even money (TNC5 3.15, 4.1)."""
    if r["winner"] == "player":
        return Fraction(1), "TNC5 4.1"
    if r["winner"] == "tie":
        return Fraction(0), "TNC5 3.15.1"
    return Fraction(-1), "TNC5 3.15"


def tnc5_banker(r: Round) -> Result:
    """Settle Banker without commission, at half for a win on six (TNC5 3.15, 4.1)."""
    if r["winner"] == "banker":
        if r["banker_total"] == 6:
            return Fraction(1, 2), "TNC5 4.1"
        return Fraction(1), "TNC5 4.1"
    if r["winner"] == "tie":
        return Fraction(0), "TNC5 3.15.1"
    return Fraction(-1), "TNC5 3.15"


def tnc5_tie(r: Round) -> Result:
    """Settle Tie (TNC5 1.1.11, 4.1)."""
    if r["winner"] == "tie":
        return Fraction(8), "TNC5 4.1"
    return Fraction(-1), "TNC5 1.1.11"


def tnc5_tiger(r: Round) -> Result:
    """Settle Tiger by the number of Banker's cards (TNC5 1.1.12, 4.3)."""
    if r["winner"] == "banker" and r["banker_total"] == 6:
        if len(r["banker"]) == 2:
            return Fraction(12), "TNC5 4.3"
        return Fraction(20), "TNC5 4.3"
    return Fraction(-1), "TNC5 1.1.12"


def tnc5_small_tiger(r: Round) -> Result:
    """Settle Small Tiger, a two-card six that wins (TNC5 1.1.7, 4.3)."""
    if r["winner"] == "banker" and r["banker_total"] == 6 and len(r["banker"]) == 2:
        return Fraction(22), "TNC5 4.3"
    return Fraction(-1), "TNC5 1.1.7"


def tnc5_big_tiger(r: Round) -> Result:
    """Settle Big Tiger, a three-card six that wins (TNC5 1.1.1, 4.3)."""
    if r["winner"] == "banker" and r["banker_total"] == 6 and len(r["banker"]) == 3:
        return Fraction(50), "TNC5 4.3"
    return Fraction(-1), "TNC5 1.1.1"


def tnc5_tiger_tie(r: Round) -> Result:
    """Settle Tiger Tie, six against six (TNC5 1.1.14, 3.15.1, 4.3)."""
    if r["player_total"] == 6 and r["banker_total"] == 6:
        return Fraction(35), "TNC5 4.3"
    return Fraction(-1), "TNC5 1.1.14"


def tnc5_tiger_pair(r: Round) -> Result:
    """Settle Tiger Pair by its best line, once (TNC5 1.1.13, 3.13, 4.2)."""
    player_paired = r["player"][0][0] == r["player"][1][0]
    banker_paired = r["banker"][0][0] == r["banker"][1][0]
    if player_paired and banker_paired:
        if r["player"][0][0] == r["banker"][0][0]:
            return Fraction(100), "TNC5 4.2"
        return Fraction(20), "TNC5 4.2"
    if player_paired or banker_paired:
        return Fraction(4), "TNC5 4.2"
    return Fraction(-1), "TNC5 1.1.13"


# --- 7 Up ----------------------------------------


def e7u_player(r: Round) -> Result:
    """Settle Player, at half for a win on seven (E7U 3.8, 4.1)."""
    if r["winner"] == "player":
        if r["player_total"] == 7:
            return Fraction(1, 2), "E7U 4.1"
        return Fraction(1), "E7U 4.1"
    if r["winner"] == "tie":
        return Fraction(0), "E7U 3.8.1"
    return Fraction(-1), "E7U 3.8"


def e7u_banker(r: Round) -> Result:
    """Settle Banker, at nine to five for a win on seven (E7U 3.8, 4.1)."""
    if r["winner"] == "banker":
        if r["banker_total"] == 7:
            return Fraction(9, 5), "E7U 4.1"
        return Fraction(1), "E7U 4.1"
    if r["winner"] == "tie":
        return Fraction(0), "E7U 3.8.1"
    return Fraction(-1), "E7U 3.8"


def e7u_tie(r: Round) -> Result:
    """Settle Tie, better on seven (E7U 1.1.9, 4.1)."""
    if r["winner"] == "tie":
        if r["player_total"] == 7:
            return Fraction(9), "E7U 4.1"
        return Fraction(7), "E7U 4.1"
    return Fraction(-1), "E7U 1.1.9"


def e7u_super_7s(r: Round) -> Result:
    """Settle Super 7's by the sevens of both hands, the permanent one among them (E7U 1.1.7, 4.2)."""
    sevens = 0
    for card in r["player"] + r["banker"]:
        if card[0] == "7":
            sevens += 1
    if sevens == 2:
        return Fraction(2), "E7U 4.2"
    if sevens == 3:
        return Fraction(5), "E7U 4.2"
    if sevens == 4:
        return Fraction(17), "E7U 4.2"
    if sevens == 5:
        return Fraction(70), "E7U 4.2"
    if sevens == 6:
        return Fraction(700), "E7U 4.2"
    return Fraction(-1), "E7U 1.1.7"


# --- the games ----------------------------------------


def settle(game: str, cards: list[str]) -> dict[str, Result]:
    """Settle every wager that the game offers on the given cards (EB4 4, FF2 4, B8 4, TNC5 4, E7U 4)."""
    r = play(game, cards)

    if game == "baccarat":
        return {
            "Player": b8_player(r),
            "Banker": b8_banker(r),
            "Tie": b8_tie(r),
            "Player Pair": b8_pair(r["player"]),
            "Banker Pair": b8_pair(r["banker"]),
        }
    if game == "super-six":
        return {
            "Player": eb4_player(r, "EB4 4.1"),
            "Banker": eb4_banker_half_on_six(r, "EB4 4.1"),
            "Tie": eb4_tie(r, "EB4 4.1"),
            "Player Pair": eb4_pair(r["player"], "EB4 4.1"),
            "Banker Pair": eb4_pair(r["banker"], "EB4 4.1"),
            "Super Six": eb4_super_six(r),
        }
    if game == "fortune-six":
        return {
            "Player": eb4_player(r, "EB4 4.2"),
            "Banker": eb4_banker_half_on_six(r, "EB4 4.2"),
            "Tie": eb4_tie(r, "EB4 4.2"),
            "Player Pair": eb4_pair(r["player"], "EB4 4.2"),
            "Banker Pair": eb4_pair(r["banker"], "EB4 4.2"),
            "Fortune Six": eb4_fortune_six(r),
            "Player Dragon Bonus": eb4_player_dragon_bonus(r),
            "Banker Dragon Bonus": eb4_banker_dragon_bonus(r),
        }
    if game == "super-6":
        return {
            "Player": eb4_player(r, "EB4 4.3"),
            "Banker": eb4_banker_half_on_six(r, "EB4 4.3"),
            "Tie": eb4_tie(r, "EB4 4.3"),
            "Player Pair": eb4_pair(r["player"], "EB4 4.3"),
            "Banker Pair": eb4_pair(r["banker"], "EB4 4.3"),
            "Super 6": eb4_super_6(r),
            "Player Dragon Bonus": eb4_player_dragon_bonus(r),
            "Banker Dragon Bonus": eb4_banker_dragon_bonus(r),
        }
    if game == "no-commission":
        return {
            "Player": eb4_player(r, "EB4 4.4"),
            "Banker": eb4_banker_half_on_six(r, "EB4 4.4"),
            "Tie": eb4_tie(r, "EB4 4.4"),
            "Player Pair": eb4_pair(r["player"], "EB4 4.4"),
            "Banker Pair": eb4_pair(r["banker"], "EB4 4.4"),
        }
    if game == "tiger":
        return {
            "Player": eb4_player(r, "EB4 4.7"),
            "Banker": eb4_banker_less_commission(r),
            "Tie": eb4_tie(r, "EB4 4.7"),
            "Tiger": eb4_tiger(r),
            "Small Tiger": eb4_small_tiger(r),
            "Big Tiger": eb4_big_tiger(r),
            "Tiger Tie": eb4_tiger_tie(r),
            "Tiger Pair": eb4_tiger_pair(r),
        }
    if game == "tiger-no-commission":
        return {
            "Player": eb4_player(r, "EB4 4.8"),
            "Banker": eb4_banker_half_on_six(r, "EB4 4.8"),
            "Tie": eb4_tie(r, "EB4 4.8"),
            "Tiger": eb4_tiger(r),
            "Small Tiger": eb4_small_tiger(r),
            "Big Tiger": eb4_big_tiger(r),
            "Tiger Tie": eb4_tiger_tie(r),
            "Tiger Pair": eb4_tiger_pair(r),
        }
    if game == "fabulous-4s":
        return {
            "Player": eb4_fabulous_player(r),
            "Banker": eb4_fabulous_banker(r),
            "Tie": eb4_tie(r, "EB4 4.11"),
            "Player Fabulous 4": eb4_player_fabulous_4(r),
            "Banker Fabulous 4": eb4_banker_fabulous_4(r),
            "Player Precious Pair": eb4_precious_pair(r["player"]),
            "Banker Precious Pair": eb4_precious_pair(r["banker"]),
        }
    if game == "fa-fa-fabulous-4":
        return {
            "Player": ff2_player(r),
            "Banker": ff2_banker(r),
            "Tie": ff2_tie(r),
            "Player Fabulous 4": ff2_player_fabulous_4(r),
            "Banker Fabulous 4": ff2_banker_fabulous_4(r),
            "Player Precious Pair": ff2_precious_pair(r["player"]),
            "Banker Precious Pair": ff2_precious_pair(r["banker"]),
        }
    if game == "live-tiger-no-commission":
        return {
            "Player": tnc5_player(r),
            "Banker": tnc5_banker(r),
            "Tie": tnc5_tie(r),
            "Tiger": tnc5_tiger(r),
            "Small Tiger": tnc5_small_tiger(r),
            "Big Tiger": tnc5_big_tiger(r),
            "Tiger Tie": tnc5_tiger_tie(r),
            "Tiger Pair": tnc5_tiger_pair(r),
        }
    return {
        "Player": e7u_player(r),
        "Banker": e7u_banker(r),
        "Tie": e7u_tie(r),
        "Super 7's": e7u_super_7s(r),
    }
