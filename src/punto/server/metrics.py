"""What is measured: commands, groups, people and the process, as Prometheus reads them.

A group costs two observations and one pass over its commands in C; everything else is worked out when somebody asks.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Histogram, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from punto.errors import Conflict, Corrupt, Fenced, NotAllowed, NotWritten, PuntoError, StreamStopped
from punto.server.crowd import CROWD
from punto.server.descriptors import ROOM
from punto.table import Phase

if TYPE_CHECKING:
    from punto.server.audits import Audits
    from punto.server.hall import Hall
    from punto.server.writer import Written

_SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
_MOST_SHOWN: Final = 50
_FAILURES: Final = (Conflict, Corrupt)


class Metrics(Collector):
    """The figures of one server."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        # Kinds of commands with the kinds of their answers.
        self._handled: Counter[tuple[type, type]] = Counter()
        self._store_failed = False
        self._registry = CollectorRegistry()
        self._sizes = Histogram("punto_group_commands", "Commands in a group.", buckets=_SIZES, registry=self._registry)
        self._seconds = Histogram(
            "punto_group_seconds",
            "Seconds from the start of a group until it is durable.",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        hall.writer.watch = self.wrote

    @property
    def store_failed(self) -> bool:
        """Whether the store has refused the last group."""
        return self._store_failed

    def wrote(self, written: "Written", seconds: float) -> None:
        """A group is over."""
        self._sizes.observe(len(written.asked))
        self._seconds.observe(seconds)
        kinds = [type(asked.command) for asked in written.asked]
        self._handled.update(zip(kinds, map(type, written.answers), strict=True))
        for asked, answer in zip(written.asked, written.answers, strict=True):
            if isinstance(answer, NotAllowed) and answer.on_record and not answer.is_repeated:
                self._hall.trespasses.count(asked.command.by.name)
        failed = bool(written.answers) and all(map(_is_failure, written.answers))
        self._store_failed = written.in_doubt or failed

    def exposed(self) -> bytes:
        """All figures, as text."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """What is counted by hand, and the hall as it is now."""
        yield from self._commands()
        yield self._people()
        hall, pool, program = self._hall, self._hall.pool, self._hall.program.state
        hosted = list(hall.tables.values())
        gauges = (
            ("punto_connections", "Pages that are connected.", len(hall.connections)),
            ("punto_seated_patrons", "Patrons who sit at a table.", sum(len(each.seats) for each in hosted)),
            ("punto_tables", "Tables that are hosted.", len(hall.tables)),
            (
                "punto_open_tables",
                "Tables that are open, and not stopped.",
                sum(each.table.phase is not Phase.CLOSED and not each.is_stopped for each in hosted),
            ),
            ("punto_workers_busy", "Workers that do heavy work.", pool.running),
            ("punto_work_waiting", "Pieces of heavy work that wait.", pool.waiting),
            ("punto_program_differences", "Files in which the program is not what it should be.", program.total),
            ("punto_program_checked_seconds", "When the program was last checked, in Unix time.", program.at_ms / 1000),
            ("punto_claims_open", "Claims of patrons that wait for an answer.", hall.claims.book.waiting),
            (
                "punto_claims_overdue",
                "Claims that should have been answered by now.",
                len(hall.claims.book.overdue(hall.now_ms())),
            ),
        )
        for name, said, value in gauges:
            yield GaugeMetricFamily(name, said, value)
        if hall.audits is not None:
            yield from _audits(hall.audits)
        counters = (
            ("punto_work_stopped", "Heavy work that was stopped at its deadline.", pool.stopped),
            ("punto_workers_died", "Workers that died.", pool.died),
            ("punto_turned_away", "Connections that were turned away for want of descriptors.", ROOM.turned_away),
            ("punto_turned_away_addresses", "Connections beyond those that one address may have.", CROWD.turned_away),
        )
        for name, said, value in counters:
            yield CounterMetricFamily(name, said, value)

    def _people(self) -> Metric:
        people = CounterMetricFamily(
            "punto_refused_people", "Refusals for want of authority, of whoever was refused most.", labels=("person",)
        )
        for name, count in self._hall.trespasses.most(_MOST_SHOWN):
            people.add_metric((name,), count)
        return people

    def _commands(self) -> Iterator[Metric]:
        handled = CounterMetricFamily("punto_commands", "Commands by kind and result.", labels=("kind", "result"))
        refused = CounterMetricFamily("punto_refused", "Commands that were refused, by code.", labels=("code",))
        failed = CounterMetricFamily("punto_store_errors", "Commands that the store did not take.", labels=("code",))
        results: Counter[tuple[str, str]] = Counter()
        refusals: Counter[str] = Counter()
        failures: Counter[str] = Counter()
        for (kind, answer), count in self._handled.copy().items():
            code = answer.code if issubclass(answer, PuntoError) else ""
            results[_tag(kind), "refused" if code else "accepted"] += count
            if code:
                (failures if issubclass(answer, _FAILURES) else refusals)[code] += count
        for labels, count in sorted(results.items()):
            handled.add_metric(labels, count)
        for family, counts in ((refused, refusals), (failed, failures)):
            for code, count in sorted(counts.items()):
                family.add_metric((code,), count)
        return iter((handled, refused, failed))


def _audits(audits: "Audits") -> Iterator[Metric]:
    """The last audit, and whether something of audits needs somebody."""
    state = audits.state
    alarms = GaugeMetricFamily("punto_audit_alarm", "What of audits needs somebody: 1 while it does.", labels=("what",))
    for what in ("wrong", "failed", "overdue"):
        alarms.add_metric((what,), state.alarm == what)
    yield alarms
    for name, said, value in (
        ("punto_audit_findings", "What the last audit found.", state.total),
        ("punto_audit_entries", "Entries that the last audit judged.", state.entries),
        ("punto_audit_new_entries", "Entries among them that no audit before had read.", state.new),
        ("punto_audit_started_seconds", "When the last audit began, in seconds since 1970.", state.started_ms / 1000),
        ("punto_audit_took_seconds", "How long the last audit took.", state.took_ms / 1000),
    ):
        yield GaugeMetricFamily(name, said, value)


def _is_failure(answer: object) -> bool:
    """Whether the store has failed; it works well where another process owns a table, or a stream is stopped."""
    return isinstance(answer, _FAILURES) and not isinstance(answer, Fenced | NotWritten | StreamStopped)


def _tag(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]
