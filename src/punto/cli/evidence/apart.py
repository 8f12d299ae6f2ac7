"""What is tried in a process of its own: forked and copied processes, the generator's state, Python's own scaling.

`python -m punto.cli.evidence.apart` prints what it found as JSON, and `… apart draw N` the digests of N shoes. No other
thread runs in such a process, so that it may fork; what it puts in the place of Python's source of bits ends with it.
"""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import chain, permutations, product
from math import factorial
from typing import Final

import msgspec
from msgspec import Struct

from punto.cli.evidence.samples import both, own
from punto.floor.shuffle import by_chance

SIZE: Final = 416
_FORKS: Final = 8
_SPAWNED: Final = 3
_SHOES_EACH: Final = 4
# Every number of cards that a shoe may have left to choose from.
_BOUNDS: Final = range(2, 651)
_BYTE: Final = 8
_FEW: Final = 5
_DIGITS: Final = 32

Shoe = Callable[[], tuple[int, ...]]


class Copies(Struct, frozen=True):
    """Shoes from processes that began as copies of one another: how many there are, and how many are different."""

    processes: int
    shoes: int
    distinct: int

    @property
    def diverge(self) -> bool:
        """Whether no two shoes are the same."""
        return self.shoes == self.distinct


class Apart(Struct, frozen=True):
    """What was found in the process."""

    # Processes that were forked after their parent had shuffled, and fresh ones.
    forked: Copies
    spawned: Copies
    # The same of a generator that keeps a state in the process.
    planted_forked: Copies
    # A shoe depends on the bytes that the kernel gives and on nothing before; a generator with a state does not ask.
    kernel_bytes_a_shoe: int
    stateless: bool
    refuses_state: bool
    planted_stateless: bool
    # Python's choice below each bound, with every number of as many bits as the bound has; every word for those bits.
    bounds: int
    numbers: int
    uneven_bounds: list[int]
    uneven_bits: list[int]
    orders: int
    uneven_orders: int

    @property
    def holds(self) -> bool:
        """Whether everything is as it must be."""
        return self.copies_differ and self.scales_evenly

    @property
    def copies_differ(self) -> bool:
        """Whether copies deal different shoes and no state is kept, and the planted generator fails both."""
        return (
            self.forked.diverge
            and self.spawned.diverge
            and not self.planted_forked.diverge
            and self.stateless
            and self.refuses_state
            and not self.planted_stateless
        )

    @property
    def scales_evenly(self) -> bool:
        """Whether Python's choices favour no number and no order."""
        return not self.uneven_bounds and not self.uneven_bits and not self.uneven_orders


class Fed(random.SystemRandom):
    """Python's own generator, with bits from a list in place of the kernel's."""

    def __init__(self, given: Iterator[int]) -> None:
        super().__init__()
        self._given = given

    def getrandbits(self, _k: int, /) -> int:
        """The next number, whatever is asked for."""
        return next(self._given)

    def below(self, bound: int) -> int:
        """The choice by which `shuffle` exchanges cards."""
        return int(self._randbelow(bound))  # type: ignore[attr-defined]


def examined() -> Apart:
    """Everything, in this process and in copies of it."""
    own(SIZE), both(SIZE)  # the parent has shuffled before it is copied
    planted = random.Random(os.urandom(16))  # noqa: S311

    def bad() -> tuple[int, ...]:
        order = list(range(SIZE))
        planted.shuffle(order)
        return tuple(order)

    read, stateless = is_stateless(lambda: by_chance(tuple(range(SIZE))))
    bounds = {bound: 2 ** bound.bit_length() for bound in _BOUNDS}
    orders = all_orders()
    return Apart(
        forked=_forked(lambda: own(SIZE), lambda: both(SIZE)),
        spawned=_spawned(),
        planted_forked=_forked(bad, bad),
        kernel_bytes_a_shoe=read,
        stateless=stateless,
        refuses_state=_refuses_state(),
        planted_stateless=is_stateless(bad)[1],
        bounds=len(bounds),
        numbers=sum(bounds.values()),
        uneven_bounds=[bound for bound, words in bounds.items() if not is_even(bound, words)],
        uneven_bits=[bits for bits in sorted({bound.bit_length() for bound in _BOUNDS}) if not bits_are_even(bits)],
        orders=len(orders),
        uneven_orders=factorial(_FEW) - sum(times == 1 for times in orders.values()),
    )


# Copies


def _forked(*ways: Shoe) -> Copies:
    """Shoes of this process and of its copies, all drawn after the copies were made."""
    readers = []
    for _ in range(_FORKS):
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.write(writer, "".join(_digests(ways)).encode())
            os._exit(0)
        os.close(writer)
        readers.append((child, reader))
    found = _digests(ways)
    for child, reader in readers:
        with os.fdopen(reader) as file:
            text = file.read()
        os.waitpid(child, 0)
        found += [text[at : at + _DIGITS] for at in range(0, len(text), _DIGITS)]
    expected = (_FORKS + 1) * _SHOES_EACH * len(ways)
    return Copies(_FORKS + 1, expected, len(set(found)) if len(found) == expected else 0)


def _spawned() -> Copies:
    """Shoes of processes that start from nothing, and know nothing of one another."""
    found: list[str] = []
    for _ in range(_SPAWNED):
        command = [sys.executable, "-m", __spec__.name, "draw", str(_SHOES_EACH)]
        found += subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()  # noqa: S603
    return Copies(_SPAWNED, _SPAWNED * _SHOES_EACH, len(set(found)))


def _digests(ways: tuple[Shoe, ...], number: int = _SHOES_EACH) -> list[str]:
    return [sha256(repr(way()).encode()).hexdigest()[:_DIGITS] for _ in range(number) for way in ways]


# State


@contextmanager
def _kernel(source: Callable[[int], bytes]) -> Iterator[None]:
    """Have `random` read its bytes from elsewhere."""
    before = random._urandom  # type: ignore[attr-defined] # noqa: SLF001
    random._urandom = source  # type: ignore[attr-defined] # noqa: SLF001
    try:
        yield
    finally:
        random._urandom = before  # type: ignore[attr-defined] # noqa: SLF001


def is_stateless(shoe: Shoe) -> tuple[int, bool]:
    """How many bytes of the kernel one shoe takes, and whether the same bytes give that shoe again after others."""
    read: list[bytes] = []

    def recorded(count: int) -> bytes:
        read.append(os.urandom(count))
        return read[-1]

    with _kernel(recorded):
        first = shoe()
    for _ in range(3):
        shoe()
    again = iter(list(read))
    with _kernel(lambda _: next(again)):
        second = shoe()
    return sum(map(len, read)), first == second


def _refuses_state() -> bool:
    """Whether Python's generator says itself that it has no state to read."""
    try:
        random.SystemRandom().getstate()
    except NotImplementedError:
        return True
    return False


# Scaling


def is_even(bound: int, words: int) -> bool:
    """Whether each number below a bound comes of just one word, and every other word is thrown away."""
    found: Counter[int] = Counter()
    for word in range(words):
        try:
            found[Fed(iter([word])).below(bound)] += 1
        except StopIteration:  # it asked for another word
            continue
    return sorted(found) == list(range(bound)) and set(found.values()) == {1}


def bits_are_even(bits: int) -> bool:
    """Whether every word of so many bits comes of as many strings of bytes from the kernel."""
    length = -(-bits // _BYTE)
    strings = (number.to_bytes(length, "big") for number in range(2 ** (_BYTE * length)))
    generator = random.SystemRandom()
    with _kernel(lambda _: next(strings)):
        found = Counter(generator.getrandbits(bits) for _ in range(2 ** (_BYTE * length)))
    return len(found) == 2**bits and len(set(found.values())) == 1


def all_orders() -> Counter[tuple[int, ...]]:
    """How often each order of five cards comes, over all choices."""
    found: Counter[tuple[int, ...]] = Counter(dict.fromkeys(permutations(range(_FEW)), 0))
    for given in product(*[range(bound) for bound in range(_FEW, 1, -1)]):
        order = list(range(_FEW))
        Fed(chain(given)).shuffle(order)
        found[tuple(order)] += 1
    return found


def main(arguments: list[str]) -> None:
    """Print what was found, or the digests of so many shoes."""
    if arguments[:1] == ["draw"]:
        sys.stdout.write("\n".join(_digests((lambda: own(SIZE),), int(arguments[1]))) + "\n")
        return
    sys.stdout.buffer.write(msgspec.json.encode(examined()))


if __name__ == "__main__":
    main(sys.argv[1:])
