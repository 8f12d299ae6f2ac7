"""Shoes as texts, made without any floor: for pages that must judge them by themselves."""

import random
from hashlib import sha256
from typing import Final

from tests.proof.beacon import TestBeacon
from tests.record.shuffled import commitment_of, contribution_of, dealt_order

from punto.cards import parse_cards
from punto.games import GAMES, RULEBOOKS, digest
from punto.roads import Outcome
from punto.rules import Deal

DECKS: Final = 4
_SALT: Final = "5a" * 32
_CUT: Final = 33
_BEHIND: Final = 14
SIGNING: Final = TestBeacon()
# A network whose first round came a minute before contributions were closed; each takes three seconds.
_GENESIS_S: Final = 1_794_916_744
_ROUND: Final = 22
OPENED_AT: Final = "2026-11-17 20:00:00+08:00"
CUT_AT: Final = "2026-11-17 20:00:01.000+08:00"
CLOSED_AT: Final = "2026-11-17 20:00:05.250+08:00"
BETS_AT: Final = "2026-11-17 20:00:08.250+08:00"


def shoe_text(key: str, seed: int = 8) -> str:
    """A shoe of a game by the first protocol: sealed, cut, dealt to its cutting card and opened."""
    cards = _shuffled(key, seed)
    order = " ".join(cards)
    seal = sha256(f"punto shoe 1\n{_SALT}\n{order}".encode()).hexdigest()
    headers = [f"game {key}", f"decks {DECKS}", f"commitment {seal}", f"salt {_SALT}"]
    return _text(key, headers, order, cards)


def contributed_text(key: str, *, beacon: bool = False, abandoned: int = 0) -> str:
    """A shoe of the second protocol, to which two patrons contributed, and a beacon if one is asked for."""
    game, cards = GAMES[key], _shuffled(key, 9)
    order = " ".join(cards)
    book = RULEBOOKS[game.rulebook]
    rulebook = f"{book.code} {book.version}" if book.version else book.code
    named = f"our-own {SIGNING.key} {_GENESIS_S} 3" if beacon else ""
    value = SIGNING.sign(_ROUND) if beacon else ""
    about = ["T1", "7", key, rulebook, digest(game), str(DECKS), str(_BEHIND), named, str(abandoned)]
    seal = commitment_of(about, _SALT, order)
    secrets = [("ann", "1a" * 32), ("bob", "2b" * 32)]
    headers = [
        "table T1",
        "shoe 7",
        f"opened {OPENED_AT}",
        f"game {key}",
        f"rulebook {rulebook}",
        f"digest {digest(game)}",
        f"decks {DECKS}",
        "protocol 2",
        f"commitment {seal}",
        f"salt {_SALT}",
        *([f"beacon {named}"] if beacon else []),
        f"abandoned-before {abandoned}",
        f"contributions-closed {CLOSED_AT}",
        *([of_round(_ROUND)] if beacon else []),
        f"cut-at {CUT_AT}",
        f"first-bets {BETS_AT}",
        *(f"contribution {patron} / {contribution_of(seal, patron, secret)} / {secret}" for patron, secret in secrets),
    ]
    return _text(key, headers, order, dealt_order(cards, seal, secrets, value))


def of_round(round_: int) -> str:
    """The lines with a round of the beacon and its value."""
    return f"beacon-round {round_}\nbeacon-value {SIGNING.sign(round_)}"


def _shuffled(key: str, seed: int) -> list[str]:
    cards = DECKS * [str(card) for card in GAMES[key].deck.cards]
    random.Random(seed).shuffle(cards)
    return cards


def _text(key: str, headers: list[str], order: str, cards: list[str]) -> str:
    """The text of a shoe whose cards come in that order once it is cut."""
    game = GAMES[key]
    lines = ["punto shoe 1", *headers, f"cut {_CUT}", f"behind {_BEHIND}", f"order {order}", ""]
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
