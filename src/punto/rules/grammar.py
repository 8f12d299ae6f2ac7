"""The written form of a condition, read back: a parser that points at what it cannot read.

    condition  =  term { "or" term }
    term       =  factor { "and" factor }
    factor     =  "not" factor  |  "(" condition ")"  |  fact [ value ]

>>> parse_condition("winner banker and (banker total 6 or not natural)")
...     # doctest: +ELLIPSIS
And(parts=(Is(...), Or(parts=(Is(...), Not(of=Is(...))))))
>>> parse_condition("winner banker and banker total 12")
Traceback (most recent call last):
punto.errors.BadCondition: 'banker total' cannot be '12': expected 0 1 2 3 4 5 6 7 8 9
"""

import re
from difflib import get_close_matches
from itertools import takewhile
from typing import Final, NamedTuple, NoReturn

from punto.cards import Deck
from punto.errors import BadCondition
from punto.rules.conditions import And, Condition, Fact, Is, Not, Or
from punto.rules.facts import FACTS
from punto.rules.traits import PAIR_RANK, PAIR_SUIT, Value

_TOKEN: Final = re.compile(r"[()]|[^\s()]+")
_LONGEST_NAME: Final = max(len(name.split()) for name in FACTS)
_DEEPEST: Final = 40
_JOINTS: Final = frozenset({"and", "or", "not", "(", ")"})


class _Token(NamedTuple):
    text: str
    at: int


def parse_condition(text: str, deck: Deck | None = None) -> Condition:
    """The condition that the text states; `BadCondition.at` is the character that is wrong, counted from 1.

    With a *deck*, ranks and suits that it does not have are refused.
    """
    parser = _Parser(text, deck)
    condition = parser.condition(0)
    if parser.peek() is not None:
        parser.fail("expected 'and', 'or' or the end")
    return condition


class _Parser:
    """Recursive descent over the tokens of one condition."""

    def __init__(self, text: str, deck: Deck | None) -> None:
        self.deck = deck
        self.tokens = [_Token(match.group(), match.start() + 1) for match in _TOKEN.finditer(text)]
        self.place = 0
        self.end = len(text.rstrip()) + 1

    def peek(self) -> str | None:
        """The next token's text, in lower case; nothing at the end."""
        return self.tokens[self.place].text.lower() if self.place < len(self.tokens) else None

    def fail(self, message: str) -> NoReturn:
        """Refuse the next token."""
        if self.place == len(self.tokens):
            raise BadCondition(f"the condition ends too early: {message}", self.end)
        token = self.tokens[self.place]
        raise BadCondition(f"'{token.text}' does not fit here: {message}", token.at)

    def condition(self, depth: int) -> Condition:
        """Terms joined by `or`."""
        terms = [self.term(depth)]
        while self.peek() == "or":
            self.place += 1
            terms.append(self.term(depth))
        return Or(tuple(terms)) if len(terms) > 1 else terms[0]

    def term(self, depth: int) -> Condition:
        """Factors joined by `and`."""
        factors = [self.factor(depth)]
        while self.peek() == "and":
            self.place += 1
            factors.append(self.factor(depth))
        return And(tuple(factors)) if len(factors) > 1 else factors[0]

    def factor(self, depth: int) -> Condition:
        """A fact, a denial, or a condition in brackets."""
        if depth > _DEEPEST:
            self.fail(f"conditions nest {_DEEPEST} deep at most")
        match self.peek():
            case "not":
                self.place += 1
                return Not(self.factor(depth + 1))
            case "(":
                self.place += 1
                inner = self.condition(depth + 1)
                if self.peek() != ")":
                    self.fail("expected ')'")
                self.place += 1
                return inner
            case _:
                return self.atom()

    def atom(self) -> Condition:
        """A fact by its longest name, and its value unless it is a plain yes or no."""
        words = [token.text.lower() for token in self.tokens[self.place : self.place + _LONGEST_NAME]]
        for size in range(len(words), 0, -1):
            fact = FACTS.get(" ".join(words[:size]))
            if fact:
                self.place += size
                return fact() if fact.plain else self.value(fact)
        if not words or words[0] in _JOINTS:
            self.fail("expected a fact, 'not' or '('")
        name = " ".join(takewhile(_is_word, words))
        near = get_close_matches(name, FACTS, 1)
        hint = f"did you mean '{near[0]}'?" if near else "expected one of " + ", ".join(FACTS)
        raise BadCondition(f"there is no fact '{name or words[0]}': {hint}", self.tokens[self.place].at)

    def value(self, fact: Fact) -> Is:
        """The value that a fact is compared with."""
        values = _values(fact, self.deck)
        expected = " ".join(map(str, values))
        word = self.peek()
        if word is None or word in _JOINTS:
            self.fail(f"'{fact.name}' needs a value: expected {expected}")
        for value in values:
            if str(value).lower() == word.replace("10", "t"):
                self.place += 1
                return fact(value)
        token = self.tokens[self.place]
        raise BadCondition(f"'{fact.name}' cannot be '{token.text}': expected {expected}", token.at)


def _is_word(text: str) -> bool:
    """Whether the text may be part of a fact's name."""
    return text.isalpha() and text not in _JOINTS


def _values(fact: Fact, deck: Deck | None) -> tuple[Value, ...]:
    """The values that a fact can have, with the cards of the deck if there is one."""
    if deck is None:
        return fact.values
    trait = fact.reads[0].trait
    if trait == PAIR_RANK:
        return tuple(rank.letter for rank in deck.ranks)
    if trait == PAIR_SUIT:
        return tuple(suit.letter for suit in deck.suits)
    return fact.values
