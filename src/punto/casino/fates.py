"""What goes wrong in a run: processes die, the power fails, the disk fills, the clock jumps, somebody forges."""

from random import Random
from typing import TYPE_CHECKING, Final

from punto.casino.attacker import FORGED_CODE, FORGERIES, PASSWORD, SCRAPS, Forgery
from punto.casino.diskstore import DiskStore, Uneventful
from punto.casino.network import Weather
from punto.casino.process import CheapHasher
from punto.casino.trace import Broken
from punto.errors import PuntoError
from punto.floor import Keys
from punto.floor.rotating import rotate
from punto.surroundings import Surroundings, context_with

if TYPE_CHECKING:
    from punto.casino.house import Casino
    from punto.casino.journal import Contents
    from punto.casino.process import Process
    from punto.store.contract import Row

_JUMPS_S: Final = (-86_400.0, -600.0, -5.0, 5.0, 3_600.0, 86_400.0)
# What would make it unclear, after a forgery, what honest processes had written.
_NOT_AFTER_FORGERY: Final = ("power failure", "failed sync", "within a transaction", "key rotated")


class _Operator(Uneventful):
    """Somebody at the machine, with a process that only lasts for one act."""

    def __init__(self, casino: "Casino") -> None:
        self._casino = casino

    def written(self, entries: "list[Row]") -> None:
        """What such a process writes is as good as what the floor writes."""
        self._casino.truth.written(entries, self)


class Fates:
    """Has things go wrong, as planned."""

    def __init__(self, casino: "Casino") -> None:
        self._casino = casino
        self._chance = Random(f"{casino.seed}/fates")
        self._earlier: Contents | None = None
        self.are_over = False
        # The kind of forgery that was tried, if any, and whether it changed what the record says.
        self.forged = ""
        self.is_scrap = False

    def begin(self) -> None:
        """Plan what goes wrong from now on."""
        agenda, plan = self._casino.agenda, self._casino.plan
        for planned in plan.faults:
            agenda.after(planned.at_s, lambda kind=planned.kind: self._happen(kind))  # type: ignore[misc]
        if plan.attack_s is not None:
            agenda.after(plan.attack_s * 0.6, self._copy)
            agenda.after(plan.attack_s, self._forge)

    def _happen(self, kind: str) -> None:
        casino = self._casino
        process = casino.front()
        if self.are_over or process is None or (self.forged and any(part in kind for part in _NOT_AFTER_FORGERY)):
            return
        disk = casino.disk
        if kind == "key rotated" and (disk.is_full or disk.is_away or disk.failing_syncs):
            casino.agenda.after(1.0, lambda: self._happen(kind))  # nobody rotates a key on such a disk
            return
        casino.trace.step(casino.agenda.now_s, "fate", kind)
        casino.trace.count(f"fault: {kind}")
        chance, agenda = self._chance, casino.agenda
        match kind:
            case "kill":
                casino.kill(process, "is killed")
            case "power failure":
                casino.lose_power()
            case "kill within a transaction" | "power failure within a transaction":
                process.dies_in, process.power_fails = chance.randrange(9), kind.startswith("power")
            case "restart in order":
                casino.stop(process)
            case "paused owner":
                self._pause(process)
            case "disk full":
                casino.disk.is_full = True
                agenda.after(chance.uniform(1, 4), self._clear_disk)
            case "disk away":
                casino.disk.is_away = True
                agenda.after(chance.uniform(0.3, 3), self._clear_disk)
            case "failed sync":
                casino.disk.failing_syncs = chance.randint(1, 2)
            case "lost answer":
                process.lost_answers = chance.randint(1, 2)
            case "clock jump":
                self._jump(chance.choice(_JUMPS_S))
            case "storm":
                casino.weather.lost, casino.weather.doubled, casino.weather.longest_s = 0.25, 0.2, 2.5
                agenda.after(chance.uniform(2, 5), self._calm)
            case "cut connection":
                for line in casino.lines:
                    if not line.is_cut and chance.random() < 0.4:
                        line.cut()
            case "key rotated":
                self._rotate(process)
            case "outpost full":
                casino.shelf.is_full = True
                agenda.after(chance.uniform(1, 4), self._clear_disk)

    def end(self) -> None:
        """Nothing goes wrong any more."""
        self.are_over = True
        self._clear_disk()
        self._casino.disk.failing_syncs = 0
        self._calm(Weather())
        for process in self._casino.processes:
            process.dies_in, process.lost_answers = -1, 0

    def _clear_disk(self) -> None:
        self._casino.disk.is_full = self._casino.disk.is_away = self._casino.shelf.is_full = False

    def _calm(self, weather: Weather | None = None) -> None:
        plan, now = self._casino.plan, self._casino.weather
        weather = weather or Weather(plan.lost, plan.doubled, plan.longest_s)
        now.lost, now.doubled, now.longest_s = weather.lost, weather.doubled, weather.longest_s

    def _jump(self, span_s: float) -> None:
        self._casino.clock_off_s += span_s
        if self._chance.random() < 0.6:
            self._casino.agenda.after(self._chance.uniform(1, 6), lambda: self._put_right(span_s))

    def _put_right(self, span_s: float) -> None:
        self._casino.clock_off_s -= span_s

    def _pause(self, process: "Process") -> None:
        """The owner stands still, another process takes over, and the first one comes back."""
        casino, agenda = self._casino, self._casino.agenda
        process.loop.paused = process.is_retired = True
        agenda.after(0.3, casino.start_if_needed)
        back_s = self._chance.uniform(0.5, 9)
        agenda.after(back_s, lambda: self._come_back(process))
        agenda.after(back_s + self._chance.uniform(1, 5), lambda: casino.kill(process, "is stopped for good"))

    def _come_back(self, process: "Process") -> None:
        if not process.loop.dead:
            self._casino.trace.step(self._casino.agenda.now_s, process.name, "comes back")
            process.loop.resume()

    def _rotate(self, process: "Process") -> None:
        """Somebody rotates the floor's key, and starts a process with the new one: all others are fenced off."""
        casino, old = self._casino, self._casino.keys
        store = DiskStore(casino.journal, _Operator(casino))
        former = (old.sealing.key, *old.sealing.former)
        new = Keys.from_secret(self._chance.randbytes(32), former)
        surroundings = Surroundings(process.time_ns, self._chance.randbytes, lambda _: None)
        at_ms = process.time_ns() // 1_000_000
        context_with(surroundings).run(rotate, store, old, new.signing, at_ms, "mona")  # type: ignore[arg-type]
        casino.keys = new
        process.is_retired = True
        casino.agenda.after(self._chance.uniform(0.0, 2.0), casino.start_if_needed)
        casino.agenda.after(self._chance.uniform(3.0, 9.0), lambda: casino.kill(process, "is stopped for good"))

    # Forgeries

    def _copy(self) -> None:
        """The attacker copies the database, to put it back later."""
        self._earlier = self._casino.journal.contents()

    def _forge(self) -> None:
        casino = self._casino
        if self.are_over or self._earlier is None:
            return
        if casino.disk.is_away or casino.disk.is_full:
            casino.agenda.after(1.0, self._forge)
            return
        before = casino.journal.contents()
        surroundings = Surroundings(lambda: 1, self._chance.randbytes, lambda _: None)
        for _ in range(20):
            scrap = self._chance.random() < 0.08
            kinds = SCRAPS if scrap else FORGERIES
            kind = self._chance.choice(sorted(kinds))
            forgery = Forgery(before, self._earlier, self._chance, CheapHasher().hash)
            try:
                context_with(surroundings).run(kinds[kind], forgery)
            except LookupError:
                continue  # there is nothing of the kind to forge yet
            if scrap or sorted(forgery.contents().entries) != sorted(before.entries):
                break
        else:
            return
        self.forged, self.is_scrap = kind, scrap
        for process in casino.processes:
            process.dies_in, process.power_fails = -1, False
        casino.disk.failing_syncs = 0
        casino.trace.step(casino.agenda.now_s, "attacker", kind)
        casino.trace.count(f"forgery: {kind}")
        casino.keep_heads()
        casino.journal.replace(forgery.contents())
        casino.agenda.after(1.5, self._profit)

    def _profit(self) -> None:
        """The attacker tries to make use of it: signs in, and redeems a ticket that was never made."""
        casino, process = self._casino, self._casino.front()
        if process is None or process.loop.paused:
            return
        process.run(lambda server: server.identity.sign_in("mallory", PASSWORD), self._signed_in)
        casino.redeem(FORGED_CODE)

    def _signed_in(self, came: object) -> None:
        if not isinstance(came, PuntoError):
            self._casino.broke(Broken("somebody signed in to an account that was forged"))
