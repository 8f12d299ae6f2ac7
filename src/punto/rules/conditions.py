"""Conditions: expression trees over facts.

One object can be evaluated, worded in each language, written down and read back equal, and asked which facts it reads.

>>> from punto.rules.facts import banker_pair, banker_total, margin, natural
>>> natural_tie = natural() & margin(0)
>>> str(natural_tie)
'natural and margin 0'
>>> sorted(fact.name for fact in natural_tie.facts)
['margin', 'natural']
>>> (~banker_pair() & banker_total(6)).words(Language.CHINESE)
'庄家前两张不成对且庄家 6 点'
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from punto.rules.coup import Coup
from punto.rules.traits import Reading, Value
from punto.rules.words import Label, Language

Values = Mapping[Reading, Value]

YES_OR_NO: Final[tuple[Value, ...]] = (False, True)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is so or not, or is this or that, of a coup: computed from traits of its hands and nothing else.

    *says* and *denies* hold one `{}` for the value, unless the fact is a plain yes or no; *spoken* has the words of
    values that do not speak for themselves, and *unspoken* those of their denial where they differ.
    """

    name: str
    reads: tuple[Reading, ...]
    of: Callable[..., Value] = field(repr=False)
    values: tuple[Value, ...] = field(repr=False)
    says: Label = field(repr=False)
    denies: Label = field(repr=False)
    spoken: Mapping[Value, Label] = field(default_factory=dict, repr=False, compare=False)
    unspoken: Mapping[Value, Label] = field(default_factory=dict, repr=False, compare=False)

    @property
    def plain(self) -> bool:
        """Whether the fact is a yes or no, and so takes no value in a condition."""
        return self.values == YES_OR_NO

    def read(self, values: Values) -> Value:
        """The fact's value, from the values of the traits that it reads."""
        return self.of(*[values[reading] for reading in self.reads])

    def on(self, coup: Coup) -> Value:
        """The fact's value on a coup."""
        return self.of(*[trait.of(coup.hand(side)) for side, trait in self.reads])

    def words(self, value: Value, language: Language, *, so: bool) -> str:
        """That the fact has the value, or has not, in words."""
        known = self.spoken if so or not self.unspoken else self.unspoken
        word = known[value].text(language) if value in known else str(value)
        return (self.says if so else self.denies).text(language).format(word)

    def __call__(self, value: Value = True) -> "Is":  # noqa: FBT002
        return Is(self, value)


class Condition(ABC):
    """Something that holds of a coup or does not."""

    __slots__ = ()

    @property
    @abstractmethod
    def comparisons(self) -> "tuple[Is, ...]":
        """Every comparison of a fact with a value in it, in order."""

    @abstractmethod
    def holds(self, values: Values) -> bool:
        """Whether it holds, given the values of the traits behind its facts."""

    @abstractmethod
    def words(self, language: Language, *, so: bool = True) -> str:
        """The condition, or its denial, in words."""

    def sentence(self, language: Language) -> str:
        """The condition in words, as a sentence begins."""
        words = self.words(language)
        return words[0].upper() + words[1:]

    @property
    def facts(self) -> frozenset[Fact]:
        """The facts that the condition reads."""
        return frozenset(comparison.fact for comparison in self.comparisons)

    @property
    def reads(self) -> frozenset[Reading]:
        """The traits behind the facts."""
        return frozenset(reading for fact in self.facts for reading in fact.reads)

    def on(self, coup: Coup) -> bool:
        """Whether it holds of a coup."""
        return self.holds({reading: reading.trait.of(coup.hand(reading.side)) for reading in self.reads})

    def __and__(self, other: "Condition") -> "And":
        return And((self, other))

    def __or__(self, other: "Condition") -> "Or":
        return Or((self, other))

    def __invert__(self) -> "Not":
        return Not(self)


@dataclass(frozen=True, slots=True)
class Is(Condition):
    """A fact has a value."""

    fact: Fact
    value: Value

    def __post_init__(self) -> None:
        known = [value for value in self.fact.values if value == self.value and type(value) is type(self.value)]
        assert known, f"{self.fact.name} cannot be {self.value!r}"
        assert self.value is not False, "say ~fact() instead"

    @property
    def comparisons(self) -> "tuple[Is, ...]":
        return (self,)

    def holds(self, values: Values) -> bool:
        return self.fact.read(values) == self.value

    def words(self, language: Language, *, so: bool = True) -> str:
        return self.fact.words(self.value, language, so=so)

    def __str__(self) -> str:
        return self.fact.name if self.fact.plain else f"{self.fact.name} {self.value}"


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """A condition does not hold."""

    of: Condition

    @property
    def comparisons(self) -> tuple[Is, ...]:
        return self.of.comparisons

    def holds(self, values: Values) -> bool:
        return not self.of.holds(values)

    def words(self, language: Language, *, so: bool = True) -> str:
        return self.of.words(language, so=not so)

    def __str__(self) -> str:
        return f"not ({self.of})" if isinstance(self.of, _Joined) else f"not {self.of}"


@dataclass(frozen=True, slots=True)
class _Joined(Condition):
    """Two conditions or more, joined alike; nested ones of the same kind are laid flat."""

    parts: tuple[Condition, ...]

    sign: ClassVar[str]
    spoken: ClassVar[Label]
    denied: ClassVar[Label]

    def __post_init__(self) -> None:
        flat: list[Condition] = []
        for part in self.parts:
            flat += part.parts if isinstance(part, type(self)) else (part,)
        assert len(flat) > 1, "one part needs no joining"
        object.__setattr__(self, "parts", tuple(flat))

    @property
    def comparisons(self) -> tuple[Is, ...]:
        return tuple(comparison for part in self.parts for comparison in part.comparisons)

    def words(self, language: Language, *, so: bool = True) -> str:
        # De Morgan: to deny "a and b" is to say "not a, or not b".
        said = [_bracketed(part, part.words(language, so=so), language) for part in self.parts]
        return (self.spoken if so else self.denied).text(language).join(said)

    def __str__(self) -> str:
        return f" {self.sign} ".join([f"({p})" if isinstance(p, _Joined) else str(p) for p in self.parts])


def _bracketed(part: Condition, words: str, language: Language) -> str:
    """A joined part inside another join, in brackets."""
    inner = part.of if isinstance(part, Not) else part
    if not isinstance(inner, _Joined):
        return words
    return f"({words})" if language is Language.ENGLISH else f"（{words}）"


AND: Final = Label(" and ", "且")
OR: Final = Label(" or ", "或")


@dataclass(frozen=True, slots=True)
class And(_Joined):
    """All parts hold."""

    sign = "and"
    spoken = AND
    denied = OR

    def holds(self, values: Values) -> bool:
        return all(part.holds(values) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Or(_Joined):
    """At least one part holds."""

    sign = "or"
    spoken = OR
    denied = AND

    def holds(self, values: Values) -> bool:
        return any(part.holds(values) for part in self.parts)
