"""Shoes as texts, made without any floor: for pages that must judge them by themselves."""

import random
from hashlib import sha256
from typing import Final

from punto.cards import parse_cards
from punto.games import GAMES
from punto.roads import Outcome
from punto.rules import Deal

DECKS: Final = 4
_SALT: Final = "5a" * 32
_CUT: Final = 33
_BEHIND: Final = 14


def shoe_text(key: str, seed: int = 8) -> str:
    """A shoe of a game: sealed, cut, dealt to its cutting card and opened."""
    game = GAMES[key]
    cards = DECKS * [str(card) for card in game.deck.cards]
    random.Random(seed).shuffle(cards)
    order = " ".join(cards)
    seal = sha256(f"punto shoe 1\n{_SALT}\n{order}".encode()).hexdigest()
    lines = [
        "punto shoe 1",
        f"game {key}",
        f"decks {DECKS}",
        f"commitment {seal}",
        f"salt {_SALT}",
        f"cut {_CUT}",
        f"behind {_BEHIND}",
        f"order {order}",
        "",
    ]
    left = cards[_CUT:] + cards[:_CUT]
    number = 0
    while len(left) > _BEHIND:
        number += 1
        dealt = next(
            count for count in range(3, 7) if Deal.of(game.opening, parse_cards(" ".join(left[:count]), game.deck)).coup
        )
        coup = Deal.of(game.opening, parse_cards(" ".join(left[:dealt]), game.deck)).coup
        assert coup
        lines.append(f"{number} {' '.join(left[:dealt])} = {coup.player.total}-{coup.banker.total} {Outcome.of(coup)}")
        left = left[dealt:]
    return "\n".join(lines) + "\n"
