"""A scenario, played on the pages: what is reported and decided goes through them, the rest is brought about beside."""

from collections.abc import Iterator
from typing import Any, Final

from tests.web.staff.casebook import Case, spelt
from tests.web.staff.conftest import House
from tests.web.staff.console import Console, Office, Terminal, money
from tests.web.staff.ruling import rule

from punto.rules import Found
from punto.table import Table
from punto.table.state import Offer

STAFF: Final = {
    "dealer": "dealer",
    "system": "dealer",
    "pit-supervisor": "supervisor",
    "pit-manager": "manager",
    "assistant-casino-manager": "assistant",
    "gaming-shift-manager": "shift",
}
REPORTS: Final = {
    "report-reset": Found.DEVICE_RESET,
    "report-absence": Found.PATRON_ABSENT,
    "report-carried-off": Found.CARDS_CARRIED_OFF,
    "report-stake": Found.OFF_LIMITS,
    "report-display": Found.DISPLAY_WRONG,
    "refer": Found.OTHER,
    "allow-withdrawal": Found.CUTTING_CARD_FIRST,
}
DECISIONS: Final = ("rule", "order-cards", "set-cards-aside", "count-cards", "assign-missing", "remove-wager")
# What staff do on the dealer's console besides.
ACTS: Final = ("keep-shoe", "restore-terminals", "attest")
# What a patron says, at a terminal or to the Dealer.
SAID: Final = ("answer-offer", "accept-cards", "refuse-cards", "expose-cards", "take-device", "give-up-device")
OURS: Final = ("by", "do", "draw", "expect", "refused", "phase", "credits", "after_s")


class Stage:
    """One case, at its own table."""

    def __init__(self, house: House, case: Case) -> None:
        self.house = house
        self.case = case
        self.key = case.key
        lines = [line.fields for line in case.lines()]
        words = dict.fromkeys(str(line["patron"]) for line in lines if line.get("patron"))
        self.names: dict[str, str] = {word: house.patron(word).name for word in words}
        self.before = {word: house.record.credits(name) for word, name in self.names.items()}
        self._console: Console | None = None
        self._pages: dict[str, Office] = {}
        self._terminals: dict[str, Terminal] = {}
        self._token = ""

    def play(self) -> None:
        """Every line, with what must come of it."""
        for line in self.case.lines():
            version = self.house.record.version(self.key)
            fields = spelt(line.fields, self.case.book, self.names)
            self._perform({key: value for key, value in fields.items() if key not in OURS}, fields)
            wrong = [*self._against(fields, version), *self._owing(line.fields)]
            assert not wrong, f"line {line.number}: {wrong}"

    # What is done

    def _perform(self, given: dict[str, Any], line: dict[str, Any]) -> None:
        position, _, name = self._by(line)
        do = line.get("do", "draw-card")
        if "refused" in line:
            self._refused(position, name, do, given, line)
        elif "draw" in line:
            for card in line["draw"].split():
                self._draw(position, card)
        elif do in REPORTS or do.startswith("report-"):
            self._report(position, do, given)
        elif do in DECISIONS:
            self._decide(self.office(position), do, given)
        elif do in ACTS or "same_moment_as" in given:
            self._act(position, do, given)
        elif do == "call-time":
            self._call_time()
        elif do == "answer-offer":
            self._answer(name, given["withdraw"])
        elif position == "patron":
            self._of_patron(name, do, given)
        else:
            self.house.wire(STAFF[position]).done(self.key, do, **given)

    def _report(self, position: str, do: str, given: dict[str, Any]) -> None:
        second = given.pop("confirmed_by", None)
        found = self._found(do, given)
        if second is None:
            self.console(position).report(found, **given)
        else:
            self.console(position).propose(found, **given)
            self.house.console(self.key, STAFF[second["position"]]).confirm()

    @staticmethod
    def _found(do: str, given: dict[str, Any]) -> Found:
        """What a report is about; where a field says so, it is taken from there."""
        if do == "report-interruption":
            return Found.TERMINALS_DOWN if given.get("terminals") else Found.INTERRUPTION
        return REPORTS[do] if do in REPORTS else Found(given.pop("found"))

    @staticmethod
    def _by(line: dict[str, Any]) -> tuple[str, str, str]:
        by = line["by"]
        position, _, name = by.partition(" ") if isinstance(by, str) else (by["position"], "", by["name"])
        return position, "", name

    def _draw(self, position: str, card: str) -> None:
        if position == "patron":
            self._read(card)
            return
        named = {} if card == "?" else {"card": card}
        self.house.wire(STAFF[position]).done(self.key, "draw-card", **named)

    def _read(self, card: str) -> None:
        """What a patron draws, the shoe reads."""
        self._token = self._token or self.house.shoe(self.key)
        answer = self.house.read(self.key, self._token, card)
        assert answer.ok, answer.text()

    def _of_patron(self, name: str, do: str, given: dict[str, Any]) -> None:
        patron = self.house.patron(self._word(name))
        match do:
            case "buy-in":
                patron.sit(self.key, given["position"])
                answer = patron.wire.ask("buy", table=self.key, cents=given["cents"])
                assert answer["t"] == "accepted", answer
            case "place-wager":
                patron.stake(self.key, given["wager"], given["stake_cents"])
            case "expose-cards" if given.get("cards"):
                self.house.wire("dealer").done(self.key, do, **given)
            case _:
                patron.wire.act(self.key, do, **given)

    def _refused(self, position: str, name: str, do: str, given: dict[str, Any], line: dict[str, Any]) -> None:
        """What the table refuses; as far as a script can ask it at all."""
        if do == "draw-card":
            given = {"card": line["draw"].split()[0]}
        if position == "patron" and (do not in SAID or given.get("cards")):
            return
        # Nobody says on a page that another has confirmed something.
        if (
            position == "system"
            or "confirmed_by" in given
            or (do == "answer-offer" and line["refused"] == "out-of-turn")
        ):
            return
        if position == "patron":
            wire = self.house.patron(self._word(name)).wire
        else:
            self.console("dealer")
            wire = self.house.wire(STAFF[position], taken=True)
        answer = wire.act(self.key, do, **given)
        if line["refused"] == "needs-second":
            assert answer["t"] == "proposed", (answer, line)
            wire.ask("withdraw", table=self.key, digest=answer["digest"])
        else:
            assert answer.get("code") == line["refused"], (answer, line)

    def _act(self, position: str, do: str, given: dict[str, Any]) -> None:
        match do:
            case "keep-shoe":
                self.house.console(self.key, STAFF[position]).keep_shoe(given["reason"], given.get("counted"))
            case "restore-terminals":
                self.console(position).restore(given["terminals"])
            case "attest":
                self.console(position).vouch(self._wager(given["wager"]))
            case _:
                patron, cents, moment = given["patron"], given["stake_cents"], given["same_moment_as"]
                self.console(position).place(patron, given["position"], given["wager"], cents, moment)

    def _decide(self, office: Office, do: str, given: dict[str, Any]) -> None:
        match do:
            case "rule":
                rule(office, given)
            case "order-cards":
                office.order(given["order"].split())
            case "set-cards-aside":
                office.set_aside(given["cards"].split())
            case "count-cards":
                office.count(given["device"].split(), given["discards"].split())
            case "assign-missing":
                office.assign(given["cards"].split())
            case _:
                office.remove(self._wager(given["number"]), given.get("stake_cents", 0))

    def _answer(self, name: str, withdraw: list[int]) -> None:
        offer = self._offer()
        wagers = [self._wager(number, of_patron=False) for number in withdraw]
        if self._word(name) in self.case.seated:
            self.terminal(self._word(name)).answer((each.partition(" $")[0] for each in wagers), whole=offer.whole)
        else:
            self.console("dealer").answer(name, wagers, whole=offer.whole)

    def _call_time(self) -> None:
        if self.case.patient:
            self.house.time_is_up(self.key)
            self.console("dealer").call_time()
            return
        for name in self._offer().waiting:
            self._answer(name, [])

    # What stands where

    def _table(self) -> Table:
        return self.house.record.table(self.key)

    def _offer(self) -> Offer:
        pending = self._table().pending
        assert isinstance(pending, Offer)
        return pending

    def _wager(self, number: int, *, of_patron: bool = True) -> str:
        """A wager as it is listed."""
        placed = self._table().wagers[number]
        listed = f"{placed.wager} ${money(placed.cents)}"
        return f"{placed.patron}: {listed}" if of_patron else listed

    def _word(self, name: str) -> str:
        return {other: word for word, other in self.names.items()}[name]

    def console(self, position: str) -> Console:
        """The dealer's console; who is above the Dealer may report too, and does it in the Dealer's place here."""
        del position
        if self._console is None:
            self._console = self.house.console(self.key)
            self._console.take()
        return self._console

    def office(self, position: str) -> Office:
        if position not in self._pages:
            self._pages[position] = self.house.office(self.key, STAFF[position])
        return self._pages[position]

    def terminal(self, word: str) -> Terminal:
        if word not in self._terminals:
            self._terminals[word] = self.house.terminal(self.key, word)
        return self._terminals[word]

    # What must come of it

    def _against(self, line: dict[str, Any], version: int) -> Iterator[str]:
        came = self.house.record.events(self.key, version)
        if "refused" in line and came:
            yield f"refused, yet there came {came}"
        if "expect" in line:
            yield from differences(self._expected(line), came, "events")
        if "phase" in line and self._table().phase.value != line["phase"]:
            yield f"expected phase {line['phase']}: {self._table().phase.value}"

    def _expected(self, line: dict[str, Any]) -> list[Any]:
        expected: list[Any] = [{"type": each} if isinstance(each, str) else each for each in line["expect"]]
        if line.get("do") == "call-time" and not self.case.patient:
            # In place of silence there was an answer.
            silent = expected[0].pop("silent", [])
            expected = [*({"type": "offer-answered"} for _ in silent), *expected]
        return expected

    def _owing(self, line: dict[str, Any]) -> Iterator[str]:
        for word, cents in line.get("credits", {}).items():
            has = self.house.record.credits(self.names[word]) - self.before[word]
            if has != cents:
                yield f"expected {word} to have {cents} cents: {has}"


def differences(expected: Any, found: Any, where: str) -> Iterator[str]:  # noqa: ANN401
    """Whatever is otherwise than expected; a field that is left out may be anything."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key in found:
                yield from differences(value, found[key], f"{where}.{key}")
            elif value not in (None, False, "", 0, []):
                yield f"{where}.{key}: expected {value!r}, there is none"
    elif isinstance(expected, list) and isinstance(found, (list, tuple)):
        if len(expected) != len(found):
            yield f"{where}: expected {expected}, came {found}"
        for place, (one, other) in enumerate(zip(expected, found, strict=False), 1):
            yield from differences(one, other, f"{where}[{place}]")
    elif expected != found:
        yield f"{where}: expected {expected!r}, came {found!r}"
