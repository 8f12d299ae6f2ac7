"""Could anybody have chosen the order of a shoe? What its text shows of commitments, contributions and their bias."""

from collections.abc import Iterator
from datetime import datetime
from enum import Enum
from hashlib import sha256
from typing import Final, NamedTuple

from punto.errors import quoted
from punto.proof.beacons import is_signed
from punto.record.shoefile import ShoeFile
from punto.record.shoeorder import FIRST, SECOND, Bound, dealt_order, first_commitment, second_commitment

# Why a shoe is taken out to which somebody has revealed nothing.
UNREVEALED: Final = "unrevealed"
# How many shoes were abandoned just before this one.
_ABANDONED: Final = "abandoned-before"
# The least time that patrons have to contribute.
_COMMIT_S: Final = 2
# A beacon that is known by name: of another key or of other times it is another.
QUICKNET: Final = "quicknet"
_QUICKNET_DIGEST: Final = "b7233f87642a053d93de1626c1c6349ce15211159682dcd082fa5ff5888bf5b7"
# The longest number that is read.
_LONGEST: Final = 15


class Wrong(NamedTuple):
    """Something that is not right, and in which line."""

    line: int
    said: str


class Chosen(Enum):
    """Who could have chosen the order of the cards."""

    # The text shows no commitment, or none that was kept.
    ANYBODY = "anybody"
    # The floor alone committed to it: it could try many shuffles first.
    FLOOR = "floor"
    # Nobody, if one of those who contributed was honest.
    NOBODY = "nobody"
    # No bets opened on it, so its order decided nothing.
    UNUSED = "unused"


class Fairness(NamedTuple):
    """Who could have chosen the order, who contributed, and how many shoes were abandoned just before."""

    chosen: Chosen
    contributors: int
    beacon: str
    abandoned: int
    # Whether the floor's file named a beacon that the floor did not reach.
    unreached: bool = False
    # The patrons who had revealed nothing when the shoe was given up, and the beacon if its value had not come.
    withheld: tuple[str, ...] = ()


def fairness_of(shoe: ShoeFile) -> Fairness:
    """What a right text shows of the order of its cards."""
    headers = shoe.headers
    kept = bool(headers.get("order")) and committed_to(shoe) == headers.get("commitment")
    beacon = headers.get("beacon", "") if headers.get("beacon-value") else ""
    contributed = bool(shoe.brought or beacon) and _protocol(shoe) == SECOND and _is_dealt(shoe)
    chosen = Chosen.ANYBODY if not kept else Chosen.NOBODY if contributed else Chosen.FLOOR
    if not _is_dealt(shoe):
        chosen = Chosen.UNUSED
    withheld = tuple(_withheld(shoe)) if headers.get("ended", "") == UNREVEALED else ()
    abandoned = headers.get(_ABANDONED, "")
    unreached = headers.get("beacon", "").endswith(" unreached")
    count = int(abandoned) if _is_whole(abandoned) else 0
    return Fairness(chosen, len(shoe.brought), beacon, count, unreached, withheld)


def _withheld(shoe: ShoeFile) -> Iterator[str]:
    """Who had revealed nothing, by the text."""
    yield from (each.patron for each in shoe.brought if not each.secret)
    beacon = _Beacon.read(shoe.headers.get("beacon", ""))
    if beacon and beacon.reached and not shoe.headers.get("beacon-value"):
        yield beacon.name


def committed_to(shoe: ShoeFile) -> str:
    """The commitment that follows from the order and the salt, by the protocol that the text names."""
    headers = shoe.headers
    opened = headers.get("order", ""), headers.get("salt", "")
    if _protocol(shoe) == FIRST:
        return first_commitment(*opened)
    said = {field: headers.get(field, "") for field in Bound._fields[:-1]}
    return second_commitment(Bound(**said, abandoned=headers.get(_ABANDONED, "")), *opened)


def as_permuted(shoe: ShoeFile) -> list[str]:
    """The floor's order as the contributions permute it, before the cut."""
    order, headers = shoe.headers.get("order", "").split(), shoe.headers
    return dealt_order(order, headers.get("commitment", ""), shoe.brought, headers.get("beacon-value", ""))


def verify_contributions(shoe: ShoeFile) -> Iterator[Wrong]:
    """Every patron's secret is what was committed to, and none is missing where bets were opened."""
    headers = shoe.headers
    named = headers.get("protocol") or str(FIRST)
    if named not in (str(FIRST), str(SECOND)):
        yield Wrong(1, f"protocol: expected 1 or 2, not {quoted(named)}")
        return
    if _protocol(shoe) == FIRST:
        if shoe.brought or headers.get("beacon"):
            yield Wrong(1, "contribution: by the first protocol nobody contributed to a shoe")
        return
    yield from _verify_secrets(shoe)
    yield from _verify_beacon(shoe)
    yield from _verify_course(shoe)


def _verify_course(shoe: ShoeFile) -> Iterator[Wrong]:
    """What happened to the shoe before its first bets, and why it was given up if there were none."""
    headers, dealt = shoe.headers, _is_dealt(shoe)
    if (shoe.brought or headers.get("beacon-value")) and dealt and not headers.get("contributions-closed"):
        yield Wrong(1, "contribution: bets were opened before the contributions were closed")
    if shoe.coups and not headers.get("first-bets"):
        yield Wrong(1, "first-bets: expected the time at which bets first opened on this shoe")
    if headers.get("ended", "") == UNREVEALED:
        if dealt:
            yield Wrong(1, "ended: bets opened, so nothing was withheld")
        elif not any(_withheld(shoe)):
            yield Wrong(1, "ended: everybody who is named here revealed their contribution: nobody withheld one")
    if not _is_whole(headers.get(_ABANDONED, "")):
        yield Wrong(1, "abandoned-before: expected a whole number")
    loaded_s, closed_s = (_seconds(headers.get(name, "")) for name in ("opened", "contributions-closed"))
    if loaded_s is not None and closed_s is not None and closed_s < loaded_s + _COMMIT_S:
        yield Wrong(1, f"contributions-closed: patrons had less than {_COMMIT_S} s to contribute")


def _verify_secrets(shoe: ShoeFile) -> Iterator[Wrong]:
    patrons = [each.patron for each in shoe.brought]
    for patron in sorted({name for name in patrons if patrons.count(name) > 1}):
        yield Wrong(1, f"contribution: {patron} contributed more than once")
    for each in shoe.brought:
        if each.secret and not each.fits(shoe.headers.get("commitment", "")):
            yield Wrong(1, f"contribution: what {each.patron} revealed is not what was committed to")
        elif not each.secret and _is_dealt(shoe):
            yield Wrong(1, f"contribution: bets were opened though {each.patron} had revealed nothing")


def _verify_beacon(shoe: ShoeFile) -> Iterator[Wrong]:
    """The beacon's value is what it signed for the first round after contributions were closed."""
    headers = shoe.headers
    value, round_ = headers.get("beacon-value", ""), headers.get("beacon-round", "")
    beacon = _Beacon.read(headers.get("beacon", ""))
    if beacon is not None and beacon.name == QUICKNET and beacon.digest != _QUICKNET_DIGEST:
        yield Wrong(1, f"beacon: this is not the key of {QUICKNET}, or not its times")
    if beacon is None:
        if headers.get("beacon") or value:
            yield Wrong(1, "beacon: expected name, key, first second and period of the beacon that the shoe names")
        return
    if not value:
        if beacon.reached and _is_dealt(shoe):
            yield Wrong(1, "beacon-value: bets were opened before the beacon's value had come")
        return
    if not _is_whole(round_) or not is_signed(beacon.key, int(round_), value):
        yield Wrong(1, f"beacon-value: this is not what the beacon signed for round {quoted(round_)}")
        return
    closed_s = _seconds(headers.get("contributions-closed", ""))
    if closed_s is None:
        yield Wrong(1, "contributions-closed: expected the time, before which nobody knew the beacon's value")
    elif int(round_) != beacon.round_after(closed_s):
        yield Wrong(1, f"beacon-round: the first after the close is {beacon.round_after(closed_s)}")


class _Beacon(NamedTuple):
    name: str
    key: str
    genesis_s: int
    period_s: int
    reached: bool

    @classmethod
    def read(cls, text: str) -> "_Beacon | None":
        words = text.split()
        reached = words[4:] == []
        if len(words) not in (4, 5) or words[4:] not in ([], ["unreached"]):
            return None
        name, key, *numbers = words[:4]
        if not all(map(_is_whole, numbers)) or int(numbers[1]) < 1:
            return None
        return cls(name, key, int(numbers[0]), int(numbers[1]), reached)

    @property
    def digest(self) -> str:
        """What tells one network from another, whatever it is called."""
        return sha256(f"{self.key} {self.genesis_s} {self.period_s}".encode()).hexdigest()

    def round_after(self, at_s: float) -> int:
        passed = at_s - self.genesis_s
        return int(passed // self.period_s) + 2 if passed >= 0 else 1


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST


def _seconds(moment: str) -> float | None:
    try:
        return datetime.fromisoformat(moment).timestamp()
    except ValueError:
        return None


def _is_dealt(shoe: ShoeFile) -> bool:
    return bool(shoe.headers.get("first-bets")) or bool(shoe.coups)


def _protocol(shoe: ShoeFile) -> int:
    return SECOND if shoe.headers.get("protocol") == str(SECOND) else FIRST
