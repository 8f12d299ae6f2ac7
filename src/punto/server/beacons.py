"""The public beacon that adds to the order of virtual shoes: asked over HTTP, checked, and written down by the floor.

The floor asks now and then whether the beacon answers. A shoe that is loaded while it does names the beacon, and its
bets then wait for the value of the first round after contributions were closed. Any address that serves the beacon's
rounds will do, for the beacon's signature proves each value.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from punto.errors import PuntoError, quoted
from punto.proof.beacons import is_signed
from punto.proof.calls import CallFailed, call
from punto.rules import Position
from punto.server.ids import fresh_id
from punto.surroundings import monotonic
from punto.table import Actor
from punto.table import commands as do
from punto.table.contributing import is_fresh
from punto.table.contributions import Beacon

if TYPE_CHECKING:
    from punto.server.hall import Hall
    from punto.server.hosted import Hosted

_FLOOR: Final = Actor("floor", Position.SYSTEM)
# The beacon is asked this often whether it answers, and counts as reached for this long after an answer.
_EVERY_S: Final = 20.0
_REACHED_S: Final = 65.0
_TIMEOUT_S: Final = 4.0
# A latest round may be older than the clock says by this much.
_LATE_S: Final = 10
# While a shoe waits for a round that is due, the floor looks this often.
_LOOK_S: Final = 0.25
_OK: Final = 200


class Unreachable(Exception):
    """No address of the beacon has answered with the value of a round; the text says why."""


class _Answer(Struct, frozen=True):
    """A round as drand's HTTP API tells it."""

    round: int
    signature: str


_DECODER: Final = msgspec.json.Decoder(_Answer)


def fetch(beacon: Beacon, addresses: tuple[str, ...], round_: int = 0) -> tuple[int, str]:
    """The value of a round, or of the latest one without *round_*; addresses are asked in turn until one has it."""
    why = "the floor's file names no address"
    for address in addresses:
        named = str(round_) if round_ else "latest"
        try:
            response = call("GET", f"{address.rstrip('/')}/public/{named}", None, {}, _TIMEOUT_S)
            if response.status != _OK:
                why = f"{address}: answers with status {response.status}"
                continue
            answer = _DECODER.decode(response.body)
        except CallFailed as failed:
            why = f"{address}: {failed}"
            continue
        except (msgspec.DecodeError, UnicodeDecodeError):
            why = f"{address}: the answer does not read"
            continue
        if round_ and answer.round != round_:
            why = f"{address}: answers with round {answer.round} in place of {round_}"
        elif not is_signed(beacon.key, answer.round, answer.signature):
            why = f"{address}: the beacon has not signed what it answers for round {answer.round}"
        else:
            return answer.round, answer.signature
    raise Unreachable(why)


def _check_recent(beacon: Beacon, round_: int, now_ms: int) -> None:
    """Refuse a latest round that is old: a beacon that has halted is as good as gone."""
    expected = beacon.round_after(now_ms) - 1
    behind = _LATE_S // beacon.period_s + 2
    if not expected - behind <= round_ <= expected + behind:
        raise Unreachable(f"the latest round is {round_}: expected about {expected} at this time")


class BeaconWatch:
    """Asks the beacon that the floor's file names, and gives tables the values that they wait for."""

    def __init__(self, hall: "Hall", beacon: Beacon, addresses: tuple[str, ...]) -> None:
        self._hall = hall
        self._beacon = beacon
        self._addresses = addresses
        self._reached_until = float("-inf")
        self._task: asyncio.Task[None] | None = None
        # Why the beacon was not reached last; empty where it was.
        self.fault = ""

    def named(self) -> Beacon:
        """The beacon for the next shoe, and whether it could be reached of late."""
        return replace(self._beacon, reached=monotonic() < self._reached_until)

    def begin(self) -> None:
        """Ask the beacon, now and again and again."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def end(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _run(self) -> None:
        asked = float("-inf")
        while True:
            try:
                if monotonic() - asked >= _EVERY_S:
                    asked = monotonic()
                    await self._ask()
                await self._give_values()
            except RuntimeError:  # the floor is closing
                return
            await asyncio.sleep(_LOOK_S)

    async def _ask(self, round_: int = 0) -> str:
        """The value of a round, or of the latest; empty where the beacon was not reached."""
        try:
            now_ms = self._hall.now_ms()
            found, signature = await asyncio.to_thread(fetch, self._beacon, self._addresses, round_)
            if not round_:
                _check_recent(self._beacon, found, now_ms)
        except Unreachable as error:
            self._fail(str(error))
            self._reached_until = float("-inf")  # the next shoe does not wait for it
            return ""
        if self.fault:
            self._hall.log.info("the beacon answers again", beacon=self._beacon.name)
        self.fault = ""
        self._reached_until = monotonic() + _REACHED_S
        return signature

    def _fail(self, said: str) -> None:
        if said != self.fault:
            self._hall.log.warning("the beacon was not reached", beacon=self._beacon.name, said=quoted(said, 200))
        self.fault = said

    async def _give_values(self) -> None:
        """Write down the values of all rounds that have come and that a shoe waits for."""
        now_s = self._hall.now_ms() / 1000
        waiting = [each for each in self._hall.tables.values() if self._is_due(each, now_s)]
        for round_ in sorted({each.table.shoe.beacon_round for each in waiting}):
            signature = await self._ask(round_)
            if not signature:
                continue
            for hosted in waiting:
                if hosted.table.shoe.beacon_round == round_:
                    await self._write(hosted, signature)

    def _is_due(self, hosted: "Hosted", now_s: float) -> bool:
        shoe = hosted.table.shoe
        due = is_fresh(hosted.table) and shoe.awaits_beacon and shoe.reveal_until_ms > 0
        same = shoe.beacon is not None and shoe.beacon.key == self._beacon.key
        return due and same and now_s >= self._beacon.comes_s(shoe.beacon_round)

    async def _write(self, hosted: "Hosted", signature: str) -> None:
        command = do.DrawBeacon(
            id=fresh_id(), table=hosted.key, by=_FLOOR, at_ms=self._hall.now_ms(), signature=signature
        )
        with suppress(PuntoError):  # the shoe was replaced meanwhile, or another process has written the value
            await self._hall.writer.give(command)
