"""Each store against the simplest model of one: whatever is done, in whatever order, both say the same."""

from typing import ClassVar, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from tests.store.places import Place

from punto.errors import Fenced, KnownCommand, PuntoError, StaleVersion
from punto.store import Entry, Snapshot, Tip

NAMES = ["a", "b", "c/1", "c/10", "赌"]
COMMANDS = [None, *[f"k{number}" for number in range(12)]]

names = st.sampled_from(NAMES)
off_by = st.sampled_from([0] * 12 + [-1, 1])
which = st.integers(0, 1)


class Line(NamedTuple):
    """One entry to be, by how far its version is off."""

    stream: str
    off_by: int
    command: str | None
    body: bytes


lines = st.builds(Line, names, off_by, st.sampled_from(COMMANDS), st.binary(max_size=40))


class Machine(RuleBasedStateMachine):
    """Two store objects at one place, used in turns, and a few dictionaries."""

    place: ClassVar[Place]

    def __init__(self) -> None:
        super().__init__()
        self.place.fresh()
        self.stores = [self.place.open(), self.place.open()]
        self.entries: dict[str, list[Entry]] = {}
        self.commands: dict[str, Entry] = {}
        self.epochs: dict[str, int] = {}
        self.snapshots: dict[str, Snapshot] = {}

    @rule(by=which, batch=st.lists(lines, max_size=6), fenced=st.dictionaries(names, off_by, max_size=3))
    def append(self, by: int, batch: list[Line], fenced: dict[str, int]) -> None:
        ends = {name: len(self.entries.get(name, [])) for name in NAMES}
        entries = []
        for stream, off, command, body in batch:
            ends[stream] += 1
            entries.append(Entry(stream, ends[stream] + off, command, body, bytes([len(body)])))
        fences = {name: self.epochs.get(name, 0) + off for name, off in fenced.items()}
        expected = self._judge(batch, fenced)
        try:
            self.stores[by].append(entries, fences)
        except PuntoError as error:
            assert type(error) is expected
            return
        assert expected is None
        for entry in entries:
            self.entries.setdefault(entry.stream, []).append(entry)
            if entry.command:
                self.commands[entry.command] = entry

    def _judge(self, batch: list[Line], fenced: dict[str, int]) -> type[PuntoError] | None:
        given = [line.command for line in batch if line.command]
        if any(fenced.values()):
            return Fenced
        if any(line.off_by for line in batch):
            return StaleVersion
        if len(set(given)) < len(given) or not self.commands.keys().isdisjoint(given):
            return KnownCommand
        return None

    @rule(by=which, name=names)
    def claim(self, by: int, name: str) -> None:
        self.epochs[name] = self.epochs.get(name, 0) + 1
        assert self.stores[by].claim(name) == self.epochs[name]

    @rule(by=which, stream=names, version=st.integers(1, 4), body=st.binary(max_size=8))
    def keep(self, by: int, stream: str, version: int, body: bytes) -> None:
        snapshot = Snapshot(version, b"h", body)
        self.stores[by].keep(stream, snapshot)
        self.snapshots[stream] = snapshot

    @rule(by=which, stream=names, after=st.integers(0, 5))
    def read(self, by: int, stream: str, after: int) -> None:
        assert list(self.stores[by].read(stream, after)) == self.entries.get(stream, [])[after:]

    @rule(by=which, command=st.sampled_from(COMMANDS[1:]))
    def find(self, by: int, command: str) -> None:
        assert self.stores[by].find(command) == self.commands.get(command)

    @precondition(lambda self: self.place.kind != "memory")
    @rule(by=which)
    def reopen(self, by: int) -> None:
        self.stores[by].close()
        self.stores[by] = self.place.open()

    @invariant()
    def both_see_the_same(self) -> None:
        tips = {name: Tip(len(held), held[-1].hash) for name, held in sorted(self.entries.items())}
        for store in self.stores:
            assert list(store.streams()) == list(tips.items())
            for name in NAMES:
                assert store.tip(name) == tips.get(name)
                assert store.snapshot(name) == self.snapshots.get(name)


def test_a_store_does_what_the_model_does(place: Place) -> None:
    class Here(Machine):
        pass

    Here.place = place
    many = settings.default.max_examples // 6 if settings.default else 16
    run_state_machine_as_test(Here, settings=settings(max_examples=many, stateful_step_count=25))
