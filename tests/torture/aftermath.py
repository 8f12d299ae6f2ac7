"""After the crash the rules of interruption apply to what was under way, and play goes on to the end of a round."""

from collections.abc import Iterator
from itertools import takewhile
from random import Random

from punto.floor.answers import Answer
from punto.floor.handler import Floor
from punto.rules import Found
from punto.table import PLAYING, AnyEvent, Phase, Return, Table
from punto.table.events import IrregularityFound, RoundVoided
from punto.table.log import read as read_logged
from punto.table.state import Offer, replace
from tests.torture.evening import Evening
from tests.torture.evidence import Evidence
from tests.torture.house import FA_FA, SETUPS, TERMINALS
from tests.torture.pen import Pen


def check_aftermath(floor: Floor, evidence: Evidence, now_ms: int, chance: Random) -> Iterator[str]:
    """What is wrong with how the floor goes on."""
    before = {key: floor.table(key) for key in SETUPS}
    answers = {answer.table: answer for answer in floor.recover(now_ms)}
    for key, table in before.items():
        yield from _check_interruption(key, table, answers.get(key), floor.table(key))
    yield from _check_asked_again(floor, evidence)
    pen = Pen("after", now_ms, chance)
    for key in Evening(floor, pen).finish_rounds():
        yield f"{key} does not come to the end of a round: {floor.table(key).phase}"


def _check_interruption(key: str, table: Table, answer: Answer | None, after: Table) -> Iterator[str]:
    """Hold the table after recovery against what the rulebook says of an interruption."""
    if table.phase not in PLAYING:
        if answer or after != table:
            yield f"{key}: no round was under way, and yet it was interrupted"
    elif not answer or not _noted(answer.events[0]):
        yield f"{key}: {table.phase.value} was interrupted, and recovery did not note it"
    elif not _is_right(key, table, answer, after):
        done = [type(event).__name__ for event in answer.events]
        yield f"{key}: {table.phase.value} with {table.awaited} was interrupted, and recovery wrongly did {done}"


def _noted(event: AnyEvent) -> bool:
    return isinstance(event, IrregularityFound) and event.found is Found.INTERRUPTION


def _is_right(key: str, table: Table, answer: Answer, after: Table) -> bool:
    """EB4 5.9: void, or continue; B8 5.17: all may withdraw, or continue; FF2 says nothing of it: referred.

    Whether anything is decided by the cards is for the rules to say.
    """
    decided = table.game.outcome_established(table.seen_deal, table.open.wagers)
    if key == TERMINALS and not decided:
        returned = {each.number: each.cents for each in _returns(answer)}
        staked = {number: placed.cents for number, placed in table.wagers.items()}
        return after.phase is Phase.VOID and returned == staked
    if table.awaited:  # whoever must decide or answer still must
        # Unless it is that very choice which is open, patrons have it once this is done (interpretation 38).
        open_already = isinstance(table.pending, Offer) and table.pending.clause.endswith(" 5.17.1")
        noted = table if open_already else replace(table, interrupted=True)
        return _waits_for(after) == _waits_for(table) and replace(after, pending=table.pending) == noted
    if key == FA_FA:
        return len(after.asked) == 1 and replace(after, asked=(), matters=table.matters) == table
    if decided:
        return after == table
    if table.unread_in_hands:  # what a patron may know is exposed first (interpretation 48)
        return after == replace(table, interrupted=True)
    patrons = {placed.patron for placed in table.wagers.values()}
    offered = {*after.pending.waiting} if isinstance(after.pending, Offer) and after.pending.whole else set()
    return offered == patrons and replace(after, pending=None) == table


def _returns(answer: Answer) -> Iterator[Return]:
    for event in answer.events:
        if isinstance(event, RoundVoided):
            yield from event.returns


def _waits_for(table: Table) -> object:
    """For what the table waits; the time for answers may begin anew."""
    return replace(table.pending, until_ms=0) if isinstance(table.pending, Offer) else table.pending


def _check_asked_again(floor: Floor, evidence: Evidence) -> Iterator[str]:
    """Whoever had no answer asks again: what was done gets its first answer, and is not done twice."""
    commands = evidence.under_way.commands if evidence.under_way else ()
    first = {command.id: floor.store.find(command.id) for command in commands}
    for command, answer in zip(commands, floor.handle_all(commands), strict=True):
        entry = first[command.id]
        if entry is None:
            continue
        if not isinstance(answer, Answer) or floor.store.find(command.id) != entry:
            yield f"{command.id} was there, and asked again got {answer}"
            continue
        log = (read_logged(each.body) for each in floor.store.read(entry.stream, entry.version - 1))
        events = [each.event for each in takewhile(lambda each: each.command == entry.command, log)]  # noqa: B023
        if [*answer.events] != events:
            yield f"{command.id} asked again got {answer.events}; done was {events}"
