"""A shoe as a portable text: one coup a line, readable by eye, checked by anybody.

    punto shoe 1
    game fortune-six
    decks 8

    1 Ks 2h 5d 4c 9s = 4-6 B ; ann / Banker / 10.00 / win / 15.00
    2 9h 8c = void EB4 5.9.1 ; ann / Tie / 5.00 / void / 5.00

The first line names the format and its version. Then come headers, a word and its value, of which only *game* is
needed; *cut-at* and *first-bets* say when a virtual shoe was cut, and when its first bets opened; `demonstration
rules` says that the cards were virtual though the rulebook has a dealing device. A virtual shoe of the second protocol
has a line `contribution` for each patron, with the commitment and the secret, in the order in which they committed;
*ended* says why it was taken out, and *abandoned-before* how many shoes just before it were taken out unused.

Then comes one line a round: its
number, its cards in the order dealt, the two totals and the outcome as roads write it, and each wager with its patron,
stake, result and what was paid in all. Of a stake beyond the table's limits only part is settled: `10.00 of 15.00`; of
one that was returned, nothing: `0.00 of 5.00`. Cards that were discarded when a device was reset have a line of their
own before the round's, void by the clause of the reset. Lines that begin with `|` are the declaration of a game that
is not in the catalogue. `#` begins a comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from sys import intern
from typing import Final

from punto.errors import BadShoeFile, quoted
from punto.record.shoeorder import Brought, is_hex

MARK: Final = "punto shoe 1"
HEADERS: Final = (
    "table",
    "shoe",
    "game",
    "rulebook",
    "digest",
    "decks",
    "unit",
    "demonstration",
    "opened",
    "protocol",
    "commitment",
    "salt",
    "beacon",
    "contributions-closed",
    "beacon-round",
    "beacon-value",
    "abandoned-before",
    "cut",
    "cut-at",
    "first-bets",
    "behind",
    "ended",
    "order",
)
CONTRIBUTION: Final = "contribution"
_ROUND: Final = re.compile(
    r"([0-9]{1,9})\s+"  # number
    r"((?:[^\s=;]+\s+)*)=\s*"  # cards
    r"(void\b[^;]*|([0-9])-([0-9])\s+([BPTbp]+)\s*)"  # what came of them
    r"((?:;[^;]*)*)"  # wagers
)
_DIGITS: Final = frozenset("0123456789")
_DECLARED: Final = "|"
# What would end the name of a wager, or be taken for something else.
_MARKS: Final = re.compile(r"[%;#/]|^ | $")
_WRITTEN: Final = re.compile(r"%([0-9A-F]{2})")
_AMOUNT: Final = re.compile(r"([0-9]{1,14})\.([0-9]{2})")
# Far more than any shoe has: ten decks of 65 cards, and a table full of patrons who wager on everything.
MOST_BYTES: Final = 4_000_000
MOST_LINES: Final = 10_000
MOST_ROUNDS: Final = 1_000
MOST_CONTRIBUTIONS: Final = 999
MOST_CARDS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Bet:
    """A wager, and what became of it; *counted* of the stake was settled, as a rule all of it."""

    patron: str
    wager: str
    stake_cents: int
    counted_cents: int
    result: str
    paid_cents: int

    def __str__(self) -> str:
        stake = _amount(self.stake_cents)
        if self.counted_cents != self.stake_cents:
            stake = f"{_amount(self.counted_cents)} of {stake}"
        wager = _MARKS.sub(lambda mark: f"%{ord(mark[0]):02X}", self.wager)
        return f"{self.patron} / {wager} / {stake} / {self.result} / {_amount(self.paid_cents)}"


@dataclass(frozen=True, slots=True)
class CoupLine:
    """A round: complete, with totals and outcome; or void, with the clause."""

    number: int
    cards: str
    totals: tuple[int, int] | None
    outcome: str
    void: str | None
    bets: tuple[Bet, ...]
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        if self.void is None:
            assert self.totals
            came = f"{self.totals[0]}-{self.totals[1]} {self.outcome}"
        else:
            came = f"void {self.void}".rstrip()
        cards = f"{self.cards} " if self.cards else ""
        return f"{self.number} {cards}= {came}" + "".join(f" ; {bet}" for bet in self.bets)


@dataclass(frozen=True, slots=True)
class ShoeFile:
    """A shoe: headers, rounds, the declaration of a game that is not in the catalogue, and what patrons brought."""

    headers: dict[str, str]
    coups: tuple[CoupLine, ...]
    declaration: str = ""
    brought: tuple[Brought, ...] = ()

    def __str__(self) -> str:
        headers = [f"{key} {self.headers[key]}" for key in HEADERS if self.headers.get(key)]
        brought = [f"{CONTRIBUTION} {' / '.join(part for part in each if part)}" for each in self.brought]
        declared = [f"{_DECLARED} {line}".rstrip() for line in self.declaration.splitlines()]
        return "\n".join([MARK, *headers, *brought, *declared, "", *map(str, self.coups)]) + "\n"


def read(text: str) -> ShoeFile:
    """A shoe from its text; `BadShoeFile` says which line does not read.

    A text with more bytes, lines, rounds or cards than any shoe has is refused as soon as that shows.
    """
    _check_size(text)
    lines = _lines(text)
    if next(lines, (1, ""))[1] != MARK:
        raise BadShoeFile(f"line 1: expected {MARK!r}", 1)
    headers: dict[str, str] = {}
    coups: list[CoupLine] = []
    declared: list[str] = []
    brought: list[Brought] = []
    cards = 0
    for number, line in lines:
        if line[0] in _DIGITS:
            coup = _coup(line, number)
            coups.append(coup)
            cards += coup.cards.count(" ") + 1
            if len(coups) > MOST_ROUNDS or cards > MOST_CARDS:
                most = f"{MOST_ROUNDS:,} rounds and {MOST_CARDS:,} cards"
                raise BadShoeFile(f"line {number}: too much for one shoe: expected no more than {most}", number)
            continue
        if line[0] == _DECLARED and not coups:
            declared.append(line[1:].removeprefix(" ") + "\n")
            continue
        key, _, value = line.partition(" ")
        if key == CONTRIBUTION and not coups and len(brought) < MOST_CONTRIBUTIONS:
            brought.append(_brought(value, number))
            continue
        if key not in HEADERS or key in headers or coups:
            raise BadShoeFile(f"line {number}: {quoted(key)}: expected each header once, before the rounds", number)
        headers[key] = value.strip()
    if not headers.get("game"):
        raise BadShoeFile("line 1: no header 'game': expected the game that was played")
    return ShoeFile(headers, tuple(coups), "".join(declared), tuple(brought))


def _brought(value: str, number: int) -> Brought:
    """What a patron brought: a name, a commitment, and the secret if it was revealed."""
    parts = [part.strip() for part in value.split(" / ")]
    if len(parts) not in (2, 3) or not parts[0] or not all(map(is_hex, parts[1:])):
        raise BadShoeFile(f"line {number}: expected a contribution: patron / commitment / secret", number)
    return Brought(*parts)


def _check_size(text: str) -> None:
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise BadShoeFile(f"{size:,} bytes: the text of a shoe has {MOST_BYTES:,} at most")
    if len(text.splitlines()) > MOST_LINES:
        raise BadShoeFile(f"line {MOST_LINES + 1}: the text of a shoe has {MOST_LINES:,} lines at most", MOST_LINES + 1)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        content = line if line.startswith(_DECLARED) else line.partition("#")[0].strip()
        if content:
            yield number, content


def _coup(line: str, number: int) -> CoupLine:
    match = _ROUND.fullmatch(line)
    if not match:
        raise BadShoeFile(f"line {number}: expected a round, as in '1 Ks 2h 5d 4c 9s = 4-6 B'", number)
    round_, cards, came, player, banker, outcome, bets = match.groups()
    void = came.removeprefix("void").strip() if player is None else None
    totals = (int(player), int(banker)) if player is not None else None
    read_bets = tuple(_bet(part, number) for part in bets.split(";")[1:])
    return CoupLine(int(round_), " ".join(cards.split()), totals, outcome or "", void, read_bets, number)


def _bet(part: str, number: int) -> Bet:
    fields = [each.strip() for each in part.split(" / ")]
    if len(fields) != 5 or not fields[0]:  # noqa: PLR2004 (patron, wager, stake, result, paid)
        raise BadShoeFile(f"line {number}: expected a wager, as in 'ann / Banker / 10.00 / win / 15.00'", number)
    patron, _, stake, result, paid = fields
    wager = _WRITTEN.sub(lambda mark: chr(int(mark[1], 16)), fields[1])
    counted, _, whole = stake.partition(" of ")
    counted_cents = _cents(counted, number)
    stake_cents = _cents(whole, number) if whole else counted_cents
    # The same few names come thousands of times: each is kept once.
    return Bet(intern(patron), intern(wager), stake_cents, counted_cents, intern(result), _cents(paid, number))


def _cents(text: str, number: int) -> int:
    match = _AMOUNT.fullmatch(text)
    if not match:
        raise BadShoeFile(f"line {number}: {quoted(text)} is no amount: expected e.g. 10.00", number)
    return int(match.group(1)) * 100 + int(match.group(2))


def _amount(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"
