"""`punto settle`: what became, or has become so far, of every wager."""

import sys
from typing import Any

import msgspec

from punto.cards import check_decks, parse_cards
from punto.cli.entry import as_json
from punto.cli.files import as_text, lines_of
from punto.cli.wire import encode
from punto.errors import PuntoError
from punto.rules import Coup, Deal, Game, Hand, Language, Settlement

Answer = dict[str, Any]

ALL_ANSWERED = 0
SOME_REFUSED = 1


class Settler:
    """Answers deals of one game; wagers of a class of coups are put into words once."""

    def __init__(self, game: Game, decks: int, language: Language) -> None:
        self.game = game
        self.decks = check_decks(decks)
        self.language = language
        self._rendered: dict[int, msgspec.Raw] = {}

    def answer(self, text: str) -> Answer:
        """The answer to one deal, complete or partial."""
        deal = self.game.deal(parse_cards(text, self.game.deck), self.decks)
        coup = deal.coup
        return self.complete(deal, coup) if coup else self.partial(deal)

    def complete(self, deal: Deal, coup: Coup) -> Answer:
        """Every wager settled, with the clause and the reason."""
        settled = self.game.settle(coup)
        wagers = self._rendered.get(id(settled))
        if wagers is None:
            wagers = self._rendered[id(settled)] = msgspec.Raw(encode(self.wagers(settled)).encode())
        return {
            "cards": _text(deal),
            "complete": True,
            "player": _hand(coup.player),
            "banker": _hand(coup.banker),
            "winner": coup.winner,
            "natural": coup.natural,
            "wagers": wagers,
        }

    def wagers(self, settled: tuple[Settlement, ...]) -> Answer:
        """Each wager's result, net, clause and reason."""
        return {
            settlement.wager.name: {
                "result": settlement.result.value,
                "net": str(settlement.net),
                "clause": settlement.clause,
                "why": settlement.why(self.language),
            }
            for settlement in settled
        }

    def partial(self, deal: Deal) -> Answer:
        """What the cards so far already decide."""
        assert deal.next, "a partial deal waits for a card"
        standings = self.game.standings(deal)
        return {
            "cards": _text(deal),
            "complete": False,
            "next": deal.next.value,
            "outcome_established": self.game.outcome_established(deal),
            "wagers": {name: {"result": standing.value} for name, standing in standings.items()},
        }


def _text(deal: Deal) -> str:
    return " ".join([str(card) for card in deal.cards])


def _hand(hand: Hand) -> Answer:
    return {"cards": [str(card) for card in hand.cards], "total": hand.total}


def batch(settler: Settler, name: str) -> int:
    """One deal a line in, one JSON object a line out; a bad line gets an error object, and the others are answered."""
    status = ALL_ANSWERED
    for number, line in enumerate(lines_of(name), 1):
        if not line.strip():
            continue
        try:
            answer = settler.answer(as_text(name, line))
        except PuntoError as error:
            status = SOME_REFUSED
            error.message = f"line {number}: {error.message}"
            answer = as_json(error)
        sys.stdout.write(encode(answer) + "\n")
        if name == "-":
            sys.stdout.flush()  # whoever writes the lines may be waiting for each answer
    return status


def show(settler: Settler, text: str, *, as_json: bool) -> None:
    """The answer to one deal, for a person or as JSON."""
    if as_json:
        sys.stdout.write(encode(settler.answer(text)) + "\n")
        return
    from punto.cli.settled import drawing

    drawing(settler.game, settler.game.deal(parse_cards(text, settler.game.deck), settler.decks), settler.language)
