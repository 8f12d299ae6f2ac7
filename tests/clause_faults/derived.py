"""Faults that follow from the declarations: every pay row, and what a rulebook's conduct says clause by clause."""

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from punto.games import GAMES, RULEBOOKS
from punto.rules import RANKS, Announcement, Conduct, Found, Label, Late, Layout, Odds, Remedy, Rulebook
from tests.clause_faults.fault import DeclarationWrong, Fault, RulebookWrong
from tests.games.mutator import mutants, widened
from tests.games.test_mutants import Jury

# For each remedy another that the table would carry out instead. What is missing here says no more than its name:
# the function behind it is broken by hand.
OTHER_REMEDY: Final = MappingProxyType(
    {
        Remedy.VOID: Remedy.PLAY_ON,
        Remedy.VOID_AND_PROPOSE: Remedy.PLAY_ON,
        Remedy.VOID_AND_REPLACE: Remedy.PLAY_ON,
        Remedy.PLAY_ON: Remedy.VOID,
        Remedy.REBUILD: Remedy.VOID,
        Remedy.OFFER_THEN_REBUILD: Remedy.REBUILD,
        Remedy.ORDER_THEN_OFFER: Remedy.VOID,
        Remedy.OFFER_ALL_THEN_PLAY_ON: Remedy.PLAY_ON,
        Remedy.OFFER_THEN_REOPEN: Remedy.REFER,
        Remedy.OFFER_THEN_PLAY_ON: Remedy.PLAY_ON,
        Remedy.RETRIEVE: Remedy.PLAY_ON,
        Remedy.REFER: Remedy.PLAY_ON,
    }
)
# What a rule says here, no code carries out: at an ordinary table the withdrawal is refused before anybody asks.
_NOT_CARRIED_OUT: Final = frozenset({(Found.CUTTING_CARD_FIRST, Remedy.PLAY_ON)})
# Rows of a wager that another clause defines than the wager's own.
_DEFINED_ELSEWHERE: Final = {("fa-fa-fabulous-4", "Tie", 1): "FF2 1.1.11"}
_OTHER_PHRASE: Final = Label("Off we go", "开始")
_OTHER_LATE: Final = {Late.REFUSED: Late.NOT_HONOURED, Late.NOT_HONOURED: Late.REFUSED}


class WrongedRulebook(NamedTuple):
    """A rulebook with one wrong, what the wrong is, and the clause that it breaks."""

    rulebook: Rulebook
    wrong: str
    clause: str


def derived_faults() -> Iterator[Fault]:
    """Every fault that can be derived."""
    for key in GAMES:
        yield from _faults_of_pays(key)
    for rulebook in RULEBOOKS.values():
        for each in wronged_rulebooks(rulebook):
            yield Fault(f"{rulebook.code}: {each.wrong}", (each.clause,), RulebookWrong(rulebook.code, each.wrong))


def _faults_of_pays(key: str) -> Iterator[Fault]:
    """Every row pays one more than it should, is dropped, or also pays for a neighbouring number."""
    game = GAMES[key]
    play = RULEBOOKS[game.rulebook].play
    jury = Jury(game)
    # The golden deals notice every wrong that changes a settlement (`test_mutants.py`): the others change nothing.
    noticed = {(mutant.wager, mutant.wrong) for mutant in mutants(game) if jury.noticed(mutant)}
    for wager in game.wagers:
        for place, pay in enumerate(wager.pays, 1):
            dearer = f"row {place} pays {Odds(pay.odds.won + 1, pay.odds.staked)}"
            yield _of_wager(key, wager.name, dearer, pay.clause)
            defined = _DEFINED_ELSEWHERE.get((key, wager.name, place), wager.clause)
            by_wager = () if wager.clause == play.outcome else (defined,)
            if by_wager:
                yield _of_wager(key, wager.name, f"row {place} dropped", *by_wager)
            for condition in widened(pay.when):
                wider = f"row {place} when {condition}"
                if (wager.name, wider) in noticed:
                    yield _of_wager(key, wager.name, wider, pay.clause, *by_wager)


def _of_wager(key: str, wager: str, wrong: str, *clauses: str) -> Fault:
    return Fault(f"{key}: {wager}: {wrong}", clauses, DeclarationWrong(key, wager, wrong))


def wronged_rulebooks(book: Rulebook) -> Iterator[WrongedRulebook]:
    """Every small wrong that can be done to a rulebook's announcements and conduct."""
    for opens in _other_phrases(book.opens):
        yield WrongedRulebook(replace(book, opens=opens), f"bets open with {_said(opens)}", opens.clause)
    for closes in _other_phrases(book.closes):
        yield WrongedRulebook(replace(book, closes=closes), f"bets close with {_said(closes)}", closes.clause)
    for conduct, wrong, clause in _wronged_conducts(book):
        yield WrongedRulebook(replace(book, conduct=conduct), wrong, clause)


def _other_phrases(announcement: Announcement) -> Iterator[Announcement]:
    """One phrase is another, each in turn."""
    for place in range(len(announcement.phrases)):
        phrases = list(announcement.phrases)
        phrases[place] = _OTHER_PHRASE
        yield Announcement(announcement.clause, tuple(phrases))


def _said(announcement: Announcement) -> str:
    return " or ".join(repr(phrase.en) for phrase in announcement.phrases)


Wronged = Iterator[tuple[Conduct, str, str]]


def _wronged_conducts(book: Rulebook) -> Wronged:
    conduct = book.conduct
    yield from _other_remedies(conduct)
    yield from _other_authorities(conduct)
    yield from _acts_not_asked_for(conduct)
    yield from _other_layouts(conduct, f"{book.code} 2.2")
    late = replace(conduct.late, treatment=_OTHER_LATE[conduct.late.treatment])
    for clause in (conduct.late.placed, conduct.late.withdrawn):
        yield replace(conduct, late=late), f"late changes are {late.treatment.value} ({clause})", clause
    if conduct.areas:
        areas = replace(conduct.areas, most=conduct.areas.most + 1)
        yield replace(conduct, areas=areas), f"{areas.most} wagers lie in an area", areas.clause


def _other_remedies(conduct: Conduct) -> Wronged:
    for found, rules in conduct.rules.items():
        for place, rule in enumerate(rules):
            other = OTHER_REMEDY.get(rule.remedy)
            if other and rule.clause and (found, rule.remedy) not in _NOT_CARRIED_OUT:
                wronged = (*rules[:place], replace(rule, remedy=other), *rules[place + 1 :])
                words = f"{found.value}, rule {place + 1}: {other.value} in place of {rule.remedy.value}"
                yield replace(conduct, rules=MappingProxyType({**conduct.rules, found: wronged})), words, rule.clause


def _other_authorities(conduct: Conduct) -> Wronged:
    """Whoever ranks one lower may do it too; what a Dealer may do anyway has nobody below."""
    for duty, charge in conduct.duties.items():
        rank = RANKS.index(charge.position)
        if charge.clause and rank:
            lower = replace(charge, position=RANKS[rank - 1])
            words = f"a {lower.position.value} may {duty.value}"
            yield replace(conduct, duties=MappingProxyType({**conduct.duties, duty: lower})), words, charge.clause


def _acts_not_asked_for(conduct: Conduct) -> Wronged:
    for act, clause in conduct.acts.items():
        acts = {each: where for each, where in conduct.acts.items() if each is not act}
        yield replace(conduct, acts=MappingProxyType(acts)), f"nobody is asked for {act.value}", clause


def _other_layouts(conduct: Conduct, clause: str) -> Wronged:
    for place, layout in enumerate(conduct.layouts):
        more = Layout(layout.key, layout.fewest, layout.most + 1)
        others = conduct.layouts[:place], conduct.layouts[place + 1 :]
        yield replace(conduct, layouts=others[0] + others[1]), f"layout {layout.key} is missing", clause
        yield (
            replace(conduct, layouts=(*others[0], more, *others[1])),
            f"layout {layout.key} has a position more",
            clause,
        )
