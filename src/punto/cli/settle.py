"""`punto settle`: what became, or has become so far, of every wager."""

import sys
from typing import Any

import msgspec

from punto.cards import check_decks, parse_cards
from punto.cli.entry import as_json
from punto.cli.files import LONGEST_LINE, Line, as_text, lines_of
from punto.cli.wire import encode
from punto.errors import LongLine, PuntoError
from punto.rules import Coup, Deal, Game, Hand, Language, Settlement, established

Answer = dict[str, Any]

ALL_ANSWERED = 0
SOME_REFUSED = 1


class Answers:
    """Answers deals of one game; what a wager can come to is put into words once."""

    def __init__(self, game: Game, decks: int, language: Language) -> None:
        self.game = game
        self.decks = check_decks(decks)
        self.language = language
        self._wagers = {
            wager.name: {each.row: msgspec.Raw(encode(self._settled(each)).encode()) for each in wager.settlements}
            for wager in game.wagers
        }

    def deal(self, text: str) -> Deal:
        """The deal that a text names."""
        return self.game.deal(parse_cards(text, self.game.deck), self.decks)

    def answer(self, text: str) -> Answer:
        """The answer to one deal, complete or partial."""
        deal = self.deal(text)
        coup = deal.coup
        return self._complete(deal, coup) if coup else self._partial(deal)

    def _complete(self, deal: Deal, coup: Coup) -> Answer:
        """Every wager settled, with the clause and the reason."""
        return {
            "cards": _text(deal),
            "complete": True,
            "player": _hand(coup.player),
            "banker": _hand(coup.banker),
            "winner": coup.winner.value,
            "natural": coup.natural,
            "wagers": {name: self._wagers[name][each.row] for name, each in self.game.settle(coup).items()},
        }

    def _settled(self, settlement: Settlement) -> Answer:
        """A wager's result, net, clause and reason."""
        return {
            "result": settlement.result.value,
            "net": str(settlement.net),
            "clause": settlement.clause,
            "why": settlement.why(self.language),
        }

    def _partial(self, deal: Deal) -> Answer:
        """What the cards so far already decide."""
        assert deal.next, "a partial deal waits for a card"
        standings = self.game.standings(deal)
        return {
            "cards": _text(deal),
            "complete": False,
            "next": deal.next.value,
            "outcome_established": established(standings.values()),
            "wagers": {name: {"result": standing.value} for name, standing in standings.items()},
        }


def _text(deal: Deal) -> str:
    return " ".join([str(card) for card in deal.cards])


def _hand(hand: Hand) -> Answer:
    return {"cards": [str(card) for card in hand.cards], "total": hand.total}


def batch(answers: Answers, name: str) -> int:
    """One deal a line in, one JSON object a line out; a bad line gets an error object, and the others are answered."""
    status = ALL_ANSWERED
    for number, line in enumerate(lines_of(name), 1):
        try:
            text = _read(name, line)
            if not text.strip():
                continue
            answer = answers.answer(text)
        except PuntoError as error:
            status = SOME_REFUSED
            answer = as_json(type(error)(f"line {number}: {error.message}", error.at))
        sys.stdout.write(encode(answer) + "\n")
        if name == "-":
            sys.stdout.flush()  # whoever writes the lines may be waiting for each answer
    return status


def _read(name: str, line: Line) -> str:
    if not line.whole:
        raise LongLine(f"longer than {LONGEST_LINE:,} bytes: expected the cards of one deal", LONGEST_LINE + 1)
    return as_text(name, line.content)


def show(answers: Answers, text: str, *, as_json: bool) -> None:
    """The answer to one deal, for a person or as JSON."""
    if as_json:
        sys.stdout.write(encode(answers.answer(text)) + "\n")
        return
    from punto.cli.settled import drawing

    drawing(answers.game, answers.deal(text), answers.language)
