"""Print texts of shoes, right and damaged, with what `punto verify` finds: `python -m tests.web.shoetexts`.

The unit tests of the pages read them: the page that checks a shoe must find what the command finds.
"""

import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any, Final

from tests.record import test_shoefile as shoefiles
from tests.record.play import COUNTED, DEALT, METHOD_C, REBUILT, TERMINALS, VIRTUAL, play
from tests.web.sealed import BETS_AT, CLOSED_AT, OPENED_AT, SIGNING, contributed_text, of_round, shoe_text
from tests.width import SEED, width

from punto.cards import STANDARD, parse_cards
from punto.errors import BadShoeFile
from punto.games import GAMES, digest
from punto.record import ShoeFile, read_shoe, verify
from punto.record.fairness import Wrong
from punto.roads import Outcome
from punto.rules import CLASSIC, Deal

# What is said of a payment. The page knows no odds, and says so: of these it says nothing.
_PAYMENT: Final = re.compile(r": (win|lose|push), not .* \(|is due \(")
_RANDOM: Final = width(700, 20_000)

_DEVICE: Final = "punto shoe 1\ngame {game}\n{headers}\n{rounds}"
_AT: Final = "2026-11-17 20:00:0{}.250+08:00"
_ROUND: Final = "1 2s 4h Kd 5c = 2-9 B"
_BET: Final = f"{_ROUND} ; ann / "
# Texts without an order: game, headers, rounds.
_PLAIN: Final = {
    "plain": ("baccarat", "", _ROUND),
    "no rounds": ("baccarat", "", ""),
    "all told": ("baccarat", "rulebook B8 8\ndecks 4\nunit 100\n", f"{_BET}Tie / 10.00 / lose / 0.00"),
    "tens": ("baccarat", "", "1 2s 10h kd 5c 10s = 2-5 B"),
    "natural mark": ("baccarat", "", "1 4s 2h 5d Kc = 9-2 Pn"),
    "pairs": ("baccarat", "", "1 4s 2h 4d 2c = 8-4 Pbp"),
    "pairs left out": ("baccarat", "", "1 4s 2h 4d 2c = 8-4 P"),
    "pairs turned": ("baccarat", "", "1 4s 2h 4d 2c = 8-4 Ppb"),
    "a pair left out": ("baccarat", "", "1 4s 2h 4d 2c = 8-4 Pp"),
    "pair that is none": ("baccarat", "", f"{_ROUND}b"),
    "pair with the seven": ("7-up", "", "1 Kh 7s 9c = 4-9 Bp"),
    "the seven as a card": ("7-up", "", "1 Kh 7* 9c = 4-9 Bp"),
    "sequence": ("baccarat", "", f"{_ROUND}\n3{_ROUND[1:]}"),
    "same round": ("baccarat", "", f"{_ROUND}\n{_ROUND}"),
    "back": ("baccarat", "", f"2{_ROUND[1:]}\n{_ROUND}"),
    "round 0": ("baccarat", "", f"0{_ROUND[1:]}"),
    "a long number": ("baccarat", "", f"1234567890{_ROUND[1:]}"),
    "discarded": ("baccarat", "", f"1 2s = void B8 5.9\n{_ROUND}"),
    "discarded twice": ("baccarat", "", f"1 2s = void B8 5.9\n1 2s = void B8 5.9\n{_ROUND}"),
    "discarded with a wager": ("baccarat", "", f"1 2s = void B8 5.9 ; ann / Tie / 5.00 / void / 5.00\n{_ROUND}"),
    "unknown game": ("tigger", "", _ROUND),
    "other digest": ("baccarat", f"digest {'0' * 64}\n", _ROUND),
    "own digest": ("baccarat", f"digest {digest(GAMES['baccarat'])}\n", _ROUND),
    "digest of another game": ("baccarat", f"digest {digest(GAMES['tiger'])}\n", _ROUND),
    "empty digest": ("baccarat", "digest\n", _ROUND),
    "other rulebook": ("baccarat", "rulebook EB4 4\n", _ROUND),
    "other version": ("baccarat", "rulebook B8 7\n", _ROUND),
    "empty rulebook": ("baccarat", "rulebook\n", _ROUND),
    "other deck": ("fa-fa-fabulous-4", "", _ROUND),
    "own deck": ("fa-fa-fabulous-4", "", "1 2f 4g Sw 5o = 2-9 B"),
    "too often": ("baccarat", "decks 4\n", "\n".join(f"{n} 4s 2h 4s 2c = 8-4 P" for n in (1, 2, 3))),
    "three decks": ("baccarat", "decks 3\n", _ROUND),
    "eleven decks": ("baccarat", "decks 11\n", _ROUND),
    "no decks": ("baccarat", "decks\n", _ROUND),
    "a cut of nothing": ("baccarat", "cut many\n", _ROUND),
    "an empty order": ("baccarat", "order\ncut many\n", _ROUND),
    "a seal without an order": ("baccarat", "commitment 00\n", _ROUND),
    "cut before the bets": ("tiger", f"cut-at {_AT.format(1)}\nfirst-bets {_AT.format(2)}\n", _ROUND),
    "cut with the bets": ("tiger", f"cut-at {_AT.format(1)}\nfirst-bets {_AT.format(1)}\n", _ROUND),
    "cut after the bets": ("tiger", f"cut-at {_AT.format(2)}\nfirst-bets {_AT.format(1)}\n", _ROUND),
    "cut and no bets": ("tiger", f"cut-at {_AT.format(1)}\n", ""),
    "bets and no cut": ("tiger", f"first-bets {_AT.format(1)}\n", _ROUND),
    "cut at no time": ("tiger", "cut-at noon\n", _ROUND),
    "cut at nothing": ("tiger", "cut-at\n", _ROUND),
    "cut in another zone": ("tiger", f"cut-at {_AT.format(1).replace('+08', '+09')}\n", _ROUND),
    "bets at no time": ("tiger", "first-bets 2026\n", _ROUND),
    "demonstration": ("baccarat", "demonstration rules: B8 has a dealing device\n", _ROUND),
    "demonstration that is none": ("tiger", "demonstration rules\n", _ROUND),
    "demonstration of nothing": ("tiger", "demonstration\n", _ROUND),
    "unit": ("baccarat", "unit 7\n", f"{_BET}Banker / 10.00 / win / 19.50"),
    "no unit": ("baccarat", "unit 0\n", _ROUND),
    "an empty unit": ("baccarat", "unit\n", _ROUND),
    "a unit that no wager asks for": ("super-six", "unit 3\n", f"{_BET}Tie / 10.50 / lose / 0.00"),
    "units of two wagers": (
        "7-up",
        "unit 5\n",
        "1 Kh 7s 9c = 4-9 Bp ; ann / Player / 1.00 / lose / 0.00 ; bob / Banker / 1.00 / win / 1.80",
    ),
    "a large unit": ("baccarat", f"unit {10**15 - 1}\n", _ROUND),
    "too large a unit": ("baccarat", f"unit {10**15}\n", _ROUND),
    "stake and unit": ("baccarat", "unit 100\n", f"{_BET}Tie / 10.50 / lose / 0.00"),
    "part and unit": ("baccarat", "unit 100\n", f"{_BET}Tie / 10.50 of 12.00 / lose / 1.50"),
    "void": ("baccarat", "", "1 2s = void B8 5.9"),
    "void without cards": ("baccarat", "", "1 = void B8 5.9"),
    "void and the clause alone": ("baccarat", "", "1 2s = void 5.9"),
    "void without a clause": ("baccarat", "", "1 2s = void"),
    "void by a word": ("baccarat", "", "1 2s = void B8 5.9a"),
    "void by a chapter": ("baccarat", "", "1 2s = void B8 5"),
    "void by another book": ("baccarat", "", "1 2s = void EB4 5.9"),
    "voided": ("baccarat", "", "1 2s = voided 5.9"),
    "void where nothing is referred": ("fa-fa-fabulous-4", "", "1 2f = void"),
    "void and many": ("baccarat", "", "1 2s 4h Kd 5c 5d = void B8 5.9"),
    "void goes back": ("baccarat", "", "1 2s = void B8 5.9 ; ann / Tie / 5.00 / void / 5.00"),
    "void and kept": ("baccarat", "", "1 2s = void B8 5.9 ; ann / Tie / 5.00 / void / 0.00"),
    "void and called won": ("baccarat", "", "1 2s = void B8 5.9 ; ann / Tie / 5.00 / win / 5.00"),
    "void and a part": ("baccarat", "", "1 2s = void B8 5.9 ; ann / Tie / 3.00 of 5.00 / void / 5.00"),
    "void and returned": ("baccarat", "", "1 2s = void B8 5.9 ; ann / Tie / 0.00 of 5.00 / returned / 5.00"),
    "void and returned whole": ("baccarat", "", "1 2s = void B8 5.9 ; ann / Tie / 5.00 / returned / 5.00"),
    "no amount": ("baccarat", "", f"{_BET}Tie / 10 / lose / 0.00"),
    "no amount paid": ("baccarat", "", f"{_BET}Tie / 10.00 / lose / none"),
    "no amount of": ("baccarat", "", f"{_BET}Tie / 10.00 of / lose / 0.00"),
    "amount of amount of amount": ("baccarat", "", f"{_BET}Tie / 1.00 of 2.00 of 3.00 / lose / 0.00"),
    "a large amount": ("baccarat", "", f"{_BET}Tie / {'9' * 14}.99 / lose / 0.00"),
    "too large an amount": ("baccarat", "", f"{_BET}Tie / {'9' * 15}.99 / lose / 0.00"),
    "no stake": ("baccarat", "", f"{_BET}Tie / 0.00 / lose / 0.00"),
    "no patron": ("baccarat", "", f"{_ROUND} ;  / Tie / 10.00 / lose / 0.00"),
    "no wager": ("baccarat", "", f"{_BET}Tiger / 10.00 / lose / 0.00"),
    "a wager of every object": ("baccarat", "", f"{_BET}toString / 10.00 / lose / 0.00"),
    "written wager": ("baccarat", "", f"{_BET}%54ie / 10.00 / lose / 0.00"),
    "badly written wager": ("baccarat", "", f"{_BET}%5tie / 10.00 / lose / 0.00"),
    "part": ("baccarat", "", f"{_BET}Tie / 10.00 of 15.00 / lose / 5.00"),
    "no part": ("fortune-six", "", f"{_BET}Tie / 10.00 of 15.00 / lose / 5.00"),
    "more than the stake": ("baccarat", "", f"{_BET}Tie / 20.00 of 15.00 / lose / 0.00"),
    "returned": ("baccarat", "", f"{_BET}Tie / 0.00 of 15.00 / returned / 15.00"),
    "returned and kept": ("baccarat", "", f"{_BET}Tie / 0.00 of 15.00 / returned / 5.00"),
    "returned and called lost": ("baccarat", "", f"{_BET}Tie / 0.00 of 15.00 / lose / 15.00"),
    "paid too much": ("baccarat", "", f"{_BET}Banker / 10.00 / win / 99.00"),
    "lost and called won": ("baccarat", "", f"{_BET}Tie / 10.00 / win / 90.00"),
}
# What texts are damaged with: what ends something, what only looks right, what other programs leave in files.
_BITS: Final = (
    *("9" * 5_000, "-1", "0", "0.00", "٣", "3", " / ", ";", "#", "=", "|", "\x1b[31m", "void", "void é", " of ", "\n"),
    *(
        "%23",
        "unit 7\n",
        "\t",
        "\x0b",
        "\x1f",
        "\x1e",
        "\x85",
        "\xa0",
        "\u2028",
        "\ufeff",
        "\r\n",
        "\0",
        "é",
        "_",
        "10s",
    ),
)


def _cases(test: Callable[..., None]) -> list[tuple[Any, ...]]:
    """The cases that a test is run with."""
    [cases] = [mark.args[1] for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    return list(cases)


def _written() -> Iterator[tuple[str, str]]:
    """Texts that people wrote for tests, and what a floor has written."""
    good = shoefiles.GOOD
    yield "nothing", ""
    yield "blank", " \n\n"
    yield "good", good
    for old, new, *_ in (
        *_cases(shoefiles.test_a_line_that_does_not_read_is_refused_with_its_number),
        *_cases(shoefiles.test_what_is_wrong_is_found),
    ):
        yield f"{old!r} is {new[:40]!r}", good.replace(old, new)
    for game, lines in _cases(shoefiles.test_what_is_right_is_played_again_line_by_line):
        yield f"{game}: {lines[:1]}", shoefiles.text_of(7, *lines, game=game)
    yield "its own game", shoefiles.own()
    for text, said in _cases(shoefiles.test_a_declaration_that_does_not_fit_is_found):
        yield said, text
    for name, (game, headers, rounds) in _PLAIN.items():
        yield name, _DEVICE.format(game=game, headers=headers, rounds=rounds)
    for at, text in enumerate((TERMINALS, DEALT, VIRTUAL, METHOD_C, REBUILT, COUNTED)):
        for number, shoe in enumerate(shoefiles.shoes_of(play(text)), 1):
            yield f"floor {at}, shoe {number}", str(shoe)


def _sealed() -> Iterator[tuple[str, str]]:
    """Shoes that were sealed and laid open, of every game, each damaged where a seal, an order or a cut can be."""
    for key in GAMES:
        text = shoe_text(key)
        yield f"{key}, sealed", text
        lines = text.splitlines()
        order = next(line for line in lines if line.startswith("order "))
        first = next(line for line in lines if line.startswith("1 "))
        cards = order.split()
        damaged = {
            "two cards changed places": " ".join([*cards[:9], cards[10], cards[9], *cards[11:]]),
            "a card is gone": " ".join(cards[:-1]),
            "a card is there twice": " ".join([*cards, cards[-1]]),
            "a card is another": " ".join([*cards[:-1], cards[-2]]),
            "a card of another deck": " ".join([*cards[:-1], "2f" if "f" not in cards[-1] else "2s"]),
            "no card": " ".join([*cards[:-1], "1s"]),
            "spaces": order.replace(" ", "  "),
        }
        for name, other in damaged.items():
            yield f"{key}, {name}", text.replace(order, other)
        for name, old, new in (
            ("other salt", "salt 5a", "salt 5b"),
            ("no salt", f"salt {'5a' * 32}\n", ""),
            ("other seal", "commitment ", "commitment 0"),
            ("no seal", "commitment ", "# "),
            ("other cut", "cut 33", "cut 34"),
            ("no cut", "cut 33\n", ""),
            ("cut at the end", "cut 33", f"cut {len(cards) - 1}"),
            ("cut beyond the end", "cut 33", f"cut {len(cards)}"),
            ("cut of no number", "cut 33", "cut many"),
            ("all behind", "behind 14", f"behind {len(cards) - 1}"),
            ("more behind than there are", "behind 14", f"behind {len(cards)}"),
            ("behind of no number", "behind 14", "behind -1"),
            ("five decks", "decks 4", "decks 5"),
            ("a round is missing", first + "\n", ""),
            ("a round came twice", first + "\n", f"{first}\n{first}\n"),
            ("a void before", first + "\n", f"1 {first.split()[1]} = void\n{first}\n"),
            ("another game", f"game {key}", "game fa-fa-fabulous-4" if key == "tiger" else "game tiger"),
            ("lower case", first, first.lower()),
        ):
            yield f"{key}, {name}", text.replace(old, new, 1)


def _contributed() -> Iterator[tuple[str, str]]:
    """Shoes to which patrons and a beacon contributed, each damaged wherever that can be."""
    yield "two patrons after two shoes", contributed_text("tiger", abandoned=2)
    for name, text in (("two patrons", contributed_text("tiger")), ("a beacon", contributed_text("7-up", beacon=True))):
        yield name, text
        lines = text.splitlines()
        [first, second] = [line for line in lines if line.startswith("contribution ")]
        patron, commitment, secret = first.removeprefix("contribution ").split(" / ")
        damaged: dict[str, tuple[str, str]] = {
            "another table": ("table T1", "table T2"),
            "another shoe": ("shoe 7", "shoe 8"),
            "another protocol": ("protocol 2", "protocol 1"),
            "a protocol to come": ("protocol 2", "protocol 3"),
            "no protocol": ("protocol 2\n", ""),
            "a protocol that is empty": ("protocol 2", "protocol"),
            "a contribution less": (first + "\n", ""),
            "no contribution": (f"{first}\n{second}\n", ""),
            "contributions in another order": (f"{first}\n{second}", f"{second}\n{first}"),
            "a contribution twice": (first, f"{first}\n{first}"),
            "another secret": (secret, "00" * 32),
            "another commitment": (commitment, "00" * 32),
            "another patron": (f"contribution {patron}", "contribution eve"),
            "no secret": (f" / {secret}", ""),
            "an empty secret": (secret, ""),
            "a secret in capitals": (secret, "AB" * 32),
            "a short secret": (secret, secret[1:]),
            "too many parts": (secret, f"{secret} / {secret}"),
            "no patron": (f"contribution {patron}", "contribution "),
            "one too many": (first, "\n".join(f"contribution p{n} / {commitment} / {secret}" for n in range(1000))),
            "a contribution after the rounds": (text, f"{text}{first}\n"),
            "closed after the bets": (CLOSED_AT, _AT.format(9)),
            "closed before the cut": (CLOSED_AT, _AT.format(0)),
            "no time of the first bets": (f"first-bets {BETS_AT}\n", ""),
            "never closed": (f"contributions-closed {CLOSED_AT}\n", ""),
            "closed at no time": (CLOSED_AT, "noon"),
            "shoes given up before": ("abandoned-before 0", "abandoned-before 2"),
            "many shoes given up": ("abandoned-before 0", "abandoned-before many"),
            "no word of shoes given up": ("abandoned-before 0\n", ""),
            "closed at once": (f"opened {OPENED_AT}", f"opened {CLOSED_AT[:-10]}+08:00"),
            "opened at no time": (OPENED_AT, "noon"),
            "the end is told": ("decks 4", "decks 4\nended decided by pit-manager: worn"),
        }
        if name == "a beacon":
            value = next(line for line in lines if line.startswith("beacon-value ")).split()[1]
            round_ = next(line for line in lines if line.startswith("beacon-round ")).split()[1]
            named = next(line for line in lines if line.startswith("beacon "))
            damaged |= {
                "no beacon": (named + "\n", ""),
                "a beacon of two words": (named, " ".join(named.split()[:3])),
                "a beacon that takes no time": (named, " ".join([*named.split()[:-1], "0"])),
                "an unreached beacon": (named, f"{named} unreached"),
                "a beacon of six words": (named, f"{named} reached"),
                "another value": (value, SIGNING.sign(9)),
                "no value": (f"beacon-value {value}\n", ""),
                "a value of nothing": (value, "zz"),
                "another round": (f"beacon-round {round_}", "beacon-round 9"),
                "a round and its value": (f"beacon-round {round_}\nbeacon-value {value}", of_round(9)),
                "no round": (f"beacon-round {round_}\n", ""),
                "a round of no number": (f"beacon-round {round_}", "beacon-round ٣"),
            }
        for damage, (old, new) in damaged.items():
            assert old in text, damage
            yield f"{name}, {damage}", text.replace(old, new, 1)


def _coups() -> Iterator[tuple[str, str]]:
    """Every cell of the Table of Play as a round: right, with its last card missing, and with one too many."""
    ranks = "KA23456789"
    for player, banker, third in product((0, 5, 6, 7, 8, 9), range(10), range(10)):
        if third and (player > 5 or banker > 7):  # no third card of Player's: one cell for all
            continue
        cards = f"Ks Kh {ranks[player]}d {ranks[banker]}c {ranks[third]}s 2h".split()
        count = next(n for n in range(4, 7) if Deal.of(CLASSIC, parse_cards(" ".join(cards[:n]), STANDARD)).coup)
        coup = Deal.of(CLASSIC, parse_cards(" ".join(cards[:count]), STANDARD)).coup
        assert coup
        came = f"{coup.player.total}-{coup.banker.total} {Outcome.of(coup)}"
        for name, dealt in (("right", count), ("a card less", count - 1), ("a card more", count + 1)):
            line = f"1 {' '.join([*cards, '3d'][:dealt])} = {came}"
            yield f"{player} and {banker}, third {third}: {name}", _DEVICE.format(game="tiger", headers="", rounds=line)


def _by_line(text: str) -> Iterator[tuple[str, str]]:
    """A text with each line gone, twice, or after the next."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        yield f"without line {at + 1}", "\n".join(lines[:at] + lines[at + 1 :])
        yield f"line {at + 1} twice", "\n".join([*lines[:at], line, *lines[at:]])
        yield f"line {at + 1} after the next", "\n".join([*lines[:at], *lines[at + 1 : at + 2], line, *lines[at + 2 :]])


def _by_sign(text: str) -> Iterator[tuple[str, str]]:
    """A text with each sign gone, twice, or a space."""
    for at, sign in enumerate(text):
        for new in ("", sign * 2, " "):
            yield f"sign {at + 1} is {new!r}", text[:at] + new + text[at + 1 :]


def _at_random(texts: list[str], chance: random.Random) -> Iterator[tuple[str, str]]:
    """Texts with something put into one to four places."""
    for number in range(_RANDOM):
        text = chance.choice(texts)
        for _ in range(chance.randint(1, 4)):
            start = chance.randrange(len(text) + 1)
            text = text[:start] + chance.choice([*_BITS, ""]) + text[start + chance.choice([0, 0, 1, 9]) :]
        yield f"seed {SEED}, damage {number}", text


def _all() -> Iterator[tuple[str, str]]:
    yield from _written()
    yield from _sealed()
    yield from _contributed()
    yield from _coups()
    part = shoefiles.text_of(
        1, f"{shoefiles.PLAYER_WINS} ; ann / Player / 1.00 of 2.00 / win / 3.00", headers="unit 100\n"
    )
    for text in (shoefiles.GOOD, part):
        yield from _by_line(text)
        yield from _by_sign(text)
    yield from _at_random([shoefiles.GOOD, shoefiles.own(), part], random.Random(SEED))


def _without_returned(shoe: ShoeFile) -> ShoeFile:
    """The shoe with those wagers only that were settled, if only in part."""
    coups = (replace(coup, bets=tuple(bet for bet in coup.bets if bet.counted_cents)) for coup in shoe.coups)
    return replace(shoe, coups=tuple(coups))


def _payments(shoe: ShoeFile) -> set[Wrong]:
    """What is wrong with payments alone."""
    return {wrong for wrong in verify(_without_returned(shoe)) if _PAYMENT.search(wrong.said)}


def verdict(text: str) -> dict[str, object]:
    """What the command finds in a text, and which of it the page must find too.

    >>> verdict("punto shoe 2")
    {'reads': False, 'declared': False, 'right': False, 'paid': True, 'lines': [1]}
    """
    try:
        shoe = read_shoe(text.removeprefix("\ufeff"))  # the command reads files with or without their mark
    except BadShoeFile as refused:
        return {"reads": False, "declared": False, "right": False, "paid": True, "lines": [refused.at or 1]}
    wrong, payments = list(verify(shoe)), _payments(shoe)
    rest = [each for each in wrong if each not in payments]
    return {
        "reads": True,
        "declared": bool(shoe.declaration),
        "right": not rest,
        "paid": len(rest) == len(wrong),
        "lines": sorted({each.line for each in rest}),
    }


def main() -> None:
    """Print all texts with their verdicts, as JSON."""
    json.dump([{"name": name, "text": text, **verdict(text)} for name, text in _all()], sys.stdout)


if __name__ == "__main__":
    main()
