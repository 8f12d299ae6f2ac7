"""A crowd of terminals at the tables of a measured floor: they wager, and note when each is answered."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Final

from bench.terminals import Terminal, address

WAGERS: Final = (b"Player", b"Tie", b"Fortune Six", b"Banker", b"Banker Pair", b"Player Pair")
_ANSWER: Final = re.compile(rb'"t":"(accepted|refused)","id":"(w[^"]+)"')


class Crowd:
    """The terminals: what each has asked, what it was answered, and when."""

    def __init__(self, tables: int) -> None:
        self.tables = tables
        self.terminals: list[Terminal] = []
        self.asked: dict[bytes, float] = {}
        self.askers: dict[bytes, int] = {}
        self.taken_s: list[float] = []
        self.accepted = self.refused = self.late = 0
        self.open: set[int] = set()
        # Of each terminal, the wagers of this round, for which no acceptance may come once cards lie on its table.
        self.before_cards: list[bool] = []
        self.serial = 0

    async def connect(self, port: int, cookies: list[str]) -> None:
        """Open all connections, and sit down with credits."""
        for number, cookie in enumerate(cookies):
            self.before_cards.append(False)
            heard = self._heard_by(number)
            self.terminals.append(await Terminal.connect(port, "/live", heard, cookie, address(number)))
        for number, terminal in enumerate(self.terminals):
            table = self.table(number)
            terminal.send(b'{"t":"sit","table":"%d"}' % table)
            terminal.send(
                b'{"t":"buy","id":"buy-%d-%d","table":"%d","cents":1000000000}' % (time.time_ns(), number, table)
            )
            if number % 10 == 0:
                await asyncio.sleep(0.005)

    def _heard_by(self, number: int) -> Callable[[bytes], None]:
        """A closure: the cheapest callback there is."""
        table = self.table(number)
        answers = _ANSWER.findall

        def heard(frame: bytes) -> None:
            if b'"phase":"' in frame:
                if b'"phase":"bets-open"' in frame:
                    self.open.add(table)
                    self.before_cards[number] = True
                elif b'"phase":"bets-closed"' in frame:
                    self.open.discard(table)
                elif b'"phase":"initial-deal"' in frame:
                    self.before_cards[number] = False
            if b'ed","id":"w' in frame:
                now = time.perf_counter()
                for kind, id_ in answers(frame):
                    self.askers.pop(id_, None)
                    self.taken_s.append(now - self.asked.pop(id_, now))
                    if kind == b"accepted":
                        self.accepted += 1
                        self.late += not self.before_cards[number]
                    else:
                        self.refused += 1

        return heard

    def wager(self, number: int, place: int) -> None:
        """One wager of one terminal."""
        self.serial += 1
        id_ = b"w%014x-%07d" % (time.time_ns() // 1000, self.serial)
        cents = 100 * (1 + self.serial % 50)
        text = b'{"t":"stake","id":"%s","table":"%d","wager":"%s","cents":%d}'
        self.asked[id_] = time.perf_counter()
        self.askers[id_] = number
        self.terminals[number].send(text % (id_, self.table(number), WAGERS[place], cents))

    async def all_open(self) -> None:
        """Wait until every table has just opened its bets."""
        while self.open:
            await asyncio.sleep(0.02)
        while len(self.open) < self.tables:
            await asyncio.sleep(0.02)

    async def reconnect(self, number: int, port: int, cookies: list[str]) -> None:
        """A connection is lost, and made anew; what had no answer is asked again by nobody here."""
        self.terminals[number].close()
        self.asked = {id_: at for id_, at in self.asked.items() if self.askers[id_] != number}
        heard = self._heard_by(number)
        self.terminals[number] = await Terminal.connect(port, "/live", heard, cookies[number], address(number))
        self.terminals[number].send(b'{"t":"sit","table":"%d"}' % self.table(number))

    def table(self, number: int) -> int:
        """Where a terminal sits."""
        return number % self.tables + 1

    async def answered(self, patience_s: float) -> None:
        """Wait until every wager has its answer, or no longer."""
        until = time.perf_counter() + patience_s
        while self.asked and time.perf_counter() < until:
            await asyncio.sleep(0.02)

    def begin(self) -> None:
        """Forget the last run."""
        self.taken_s.clear()
        self.accepted = self.refused = self.late = 0
