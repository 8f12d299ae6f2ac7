"""The writer goes on while a group is written, and tells nobody of it before it is durable."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from random import Random
from typing import Any

import pytest
from tests.floor.test_handler import ANN, KEYS, command, in_order, opened, wager
from tests.floor.test_sending import PEOPLE, Deaf, Slow, Waiting, commands_of
from tests.server.waiting import waits
from tests.width import width

from punto.errors import Conflict, NotWritten, OutcomeUnknown, PuntoError, StoreGone
from punto.floor import Answer, Floor
from punto.record import audit
from punto.server.writer import Asked, Outcome, Writer, Written
from punto.store import Store
from punto.store.contract import Row
from punto.table import commands as do


class Desk:
    """Commands that are given to a writer, and all that is told of them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.floor = Floor(store, KEYS, in_order)
        opened(self.floor, "T1", "T2")
        self.writer = Writer(self.floor, self.publish)
        self.told: list[tuple[str, Outcome]] = []
        self.unsure: Counter[str] = Counter()
        self.groups = 0
        self.failed: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self.failed.append(context))

    def publish(self, written: Written) -> None:
        """All that is told is durable by now, and the tables are as the answers leave them, or later."""
        self.groups += 1
        for asked, answer in zip(written.asked, written.answers, strict=True):
            if isinstance(answer, Answer):
                tip = self.store.tip(f"table/{answer.table}")
                assert tip is not None
                assert tip.version >= answer.version, "nobody is told of what is not on record"
                assert answer.table in written.tables, "pages miss no event"
            asked.then(answer)
        for asked in written.unsure:
            assert asked.unsure is not None
            asked.unsure()

    def give(self, group: list) -> None:  # type: ignore[type-arg]
        """Give commands."""
        for each in group:
            then = partial(lambda id_, outcome: self.told.append((id_, outcome)), each.id)
            self.writer.put(each, then, unsure=partial(self.unsure.update, [each.id]))

    def close(self) -> None:
        """Let the thread go."""
        self.writer.close()


@waits
async def test_groups_are_written_while_the_next_ones_are_judged_and_each_is_answered_once() -> None:
    store = Slow()
    desk = Desk(store)
    groups = [*commands_of(Random(7))]
    for group in groups:
        desk.give(group)
        await asyncio.sleep(0.0005)
    assert await desk.writer.settle_down(5)
    await asyncio.sleep(0)
    assert store.sent, "at least one group was judged upon another"
    assert Counter(id_ for id_, _ in desk.told) == Counter(each.id for group in groups for each in group)
    assert not desk.unsure
    plain = Floor(Slow(), KEYS, in_order)
    opened(plain, "T1", "T2")
    expected = [answer for group in groups for answer in plain.handle_all(group)]
    assert [type(outcome) for _, outcome in desk.told] == [type(answer) for answer in expected]
    for by in PEOPLE:
        assert desk.floor.balance(f"wallet/{by.name}") == plain.balance(f"wallet/{by.name}")
    desk.close()


@waits
async def test_whatever_is_called_between_two_groups_finds_the_last_one_durable() -> None:
    store = Slow()
    desk = Desk(store)
    desk.writer.goes_on = lambda: True
    for group in commands_of(Random(3)):
        desk.give(group)
        waiting, stored, believed = await desk.writer.call(
            lambda: (store.waiting, store.tip("table/T1"), desk.floor.history.end("table/T1"))
        )
        assert waiting is None
        assert stored == believed
    assert await desk.writer.settle_down(5)
    desk.close()


@pytest.mark.parametrize("seed", range(width(6, 120)))
@waits
async def test_everybody_is_told_the_truth_once_whatever_happens_to_groups_on_their_way(seed: int) -> None:
    store, chance = Deaf(), Random(seed)
    desk = Desk(store)
    desk.writer.goes_on = lambda: chance.random() < 0.8
    faults: tuple[Exception, ...] = (
        StoreGone("no room: nothing was written"),
        OutcomeUnknown("the answer was lost"),
        OutcomeUnknown("the answer was lost"),
        Conflict("in the way"),
    )
    groups = [*commands_of(chance)]
    for group in groups:
        if chance.random() < 0.25:
            fault = chance.choice(faults)
            if isinstance(fault, OutcomeUnknown) and chance.random() < 0.5:
                store.after = fault
            else:
                store.before = fault
        store.is_deaf = chance.random() < 0.4
        desk.give(group)
        await asyncio.sleep(0.001 * chance.random())
    store.is_deaf = False
    async with asyncio.timeout(10):
        while len(desk.told) < sum(map(len, groups)):  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    store.before = store.after = None
    assert await desk.writer.settle_down(5)
    assert Counter(id_ for id_, _ in desk.told) == Counter(each.id for group in groups for each in group)
    assert not desk.failed, "the writer itself never fails"
    assert not desk.floor.in_doubt
    commands = {each.id: each for group in groups for each in group}
    accepted = {id_ for id_, outcome in desk.told if isinstance(outcome, Answer)}
    for id_, outcome in desk.told:
        found = desk.floor.accepted_before(id_, commands[id_].by)
        if isinstance(outcome, Answer):
            assert found is not None, "accepted is on record"
        elif isinstance(outcome, NotWritten | StoreGone | Conflict):
            assert found is None or id_ in accepted, "what was turned away is not on record"
        assert not isinstance(outcome, OutcomeUnknown), "that is no answer"
        assert isinstance(outcome, Answer | PuntoError)
    report = audit(store, public_key=KEYS.public)
    assert report.clean, [str(each) for each in report.findings]
    desk.close()


@waits
async def test_a_durable_group_is_told_with_its_tables_while_the_next_one_is_in_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Deaf()
    desk = Desk(store)
    desk.writer.goes_on = lambda: True
    once = command(do.BuyIn, ANN, patron="ann", cents=10_000, position=1)
    desk.floor.handle(once)
    asked = [Asked(each, lambda _: None) for each in (once, wager())]
    assert not desk.writer._write(asked[:1], frozenset()).answers, "it is being written"  # noqa: SLF001
    send = store.send

    def send_and_fall_silent(entries: Iterable[Row], fences: Mapping[str, int]) -> Waiting:
        store.after, store.is_deaf = OutcomeUnknown("the answer was lost"), True
        return send(entries, fences)

    monkeypatch.setattr(store, "send", send_and_fall_silent)
    again = desk.writer._write(asked[1:], frozenset())  # noqa: SLF001
    assert [type(each) for each in again.answers] == [Answer]
    assert again.unsure == asked[1:]
    [answer] = again.answers
    assert isinstance(answer, Answer)
    assert not again.tables[answer.table].wagers, "as it stood before the group that is in doubt"
    assert not desk.writer._write([], frozenset()).answers  # noqa: SLF001
    store.is_deaf = False
    settled = desk.writer._write([], frozenset())  # noqa: SLF001
    assert [type(each) for each in settled.answers] == [Answer]
    assert settled.holdings["ann"].balance_cents == 9_000
    desk.close()
