"""After the crash the rules of interruption apply to what was under way, and play goes on to the end of a round."""

from collections.abc import Iterator
from itertools import takewhile
from random import Random

from punto.floor.handler import Answer, Floor
from punto.table import PLAYING, Phase, Table
from punto.table.events import RoundVoided, WithdrawalOffered
from punto.table.log import read as read_logged
from punto.table.state import Asked, Offer
from tests.torture.evening import Evening
from tests.torture.evidence import Evidence
from tests.torture.house import FA_FA, SETUPS
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
    """EB4 5.9: void, or continue; B8 5.17: each may withdraw, or continue; FF2 says nothing: referred."""
    if table.phase not in PLAYING:
        if answer or after != table:
            yield f"{key}: no round was under way, and yet it was interrupted"
        return
    tags = [type(event).__struct_config__.tag for event in answer.events] if answer else []
    if tags[:1] != ["irregularity-found"]:
        yield f"{key}: {table.phase.value} was interrupted, and recovery noted {tags}"
    elif tags[1:] != _remedy(key, table):
        yield f"{key}: {table.phase.value} was interrupted, and recovery did {tags[1:]}, not {_remedy(key, table)}"
    elif answer:
        yield from _check_remedy(key, table, answer, after)


def _remedy(key: str, table: Table) -> list[str]:
    """The events that must follow. Whether anything is decided by the cards is for the rules to say."""
    decided = table.game.outcome_established(table.deal, table.open.wagers)
    match key:
        case "E1":
            return [] if decided else ["round-voided"]
        case _ if table.pending:
            return []  # whoever must decide or answer still must
        case "B1" if decided:
            return []
        case "B1":
            return ["withdrawal-offered"] if table.wagers else ["withdrawal-offered", "offer-closed"]
        case _:
            return ["referred"]


def _check_remedy(key: str, table: Table, answer: Answer, after: Table) -> Iterator[str]:
    last = answer.events[1] if len(answer.events) > 1 else None
    match last:
        case RoundVoided(returns=returns):
            staked = {number: placed.cents for number, placed in table.wagers.items()}
            if after.phase is not Phase.VOID or {each.number: each.cents for each in returns} != staked:
                yield f"{key}: the round was voided, and not every stake went back"
        case WithdrawalOffered(whole=whole, wagers=wagers):
            waits = isinstance(after.pending, Offer) or not table.wagers
            if not whole or not waits or not {*wagers} <= {*table.wagers}:
                yield f"{key}: the offer to withdraw is not all or nothing, or nobody waits for answers"
        case None if after != table:
            yield f"{key}: the round was to go on as it was, and is another"
        case _ if key == FA_FA and not table.pending and not isinstance(after.pending, Asked):
            yield f"{key}: nobody was asked to decide"


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
