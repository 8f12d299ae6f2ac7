"""People at their pages: what a page remembers, how it takes up a lost connection, and how it asks again.

Whatever is asked carries an id. What has no answer yet is asked again under the same id once the page is connected
again; an act of a round only while that round lasts, as the real pages do.
"""

from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from punto.casino.network import Line, Messages
from punto.floor.tickets import issue_id, redeem_id

if TYPE_CHECKING:
    from punto.casino.house import Casino

_FIRST_WAIT_S: Final = 0.25
_LONGEST_WAIT_S: Final = 5.0
_PING_S: Final = 5.0
_SILENCE_S: Final = 12.0
# Refusals that say only that nothing came of asking again: what came of it before is still open.
OF_NOW: Final = frozenset(
    {"store-gone", "store-locked", "conflict", "too-fast", "closing", "fenced", "key-rotated", "unknown"}
)
# The floor lets pages go, and they come back by themselves: it closes, or another process runs it now.
_FOR_A_WHILE: Final = frozenset({"stopping", "elsewhere"})
# What tables wait for while the floor can do nothing, and how that is counted.
_WAITS: Final = {
    "store": "pages told to wait for the store",
    "elsewhere": "pages told that a table is run elsewhere",
}
_FIRST_AGAIN_S: Final = 2.0
_LONGEST_AGAIN_S: Final = 10.0
_OF_ANY_ROUND: Final = frozenset(
    {
        "open-table",
        "close-table",
        "change-limits",
        "restrict-areas",
        "choose-method",
        "load-shoe",
        "cut-shoe",
        "end-shoe",
        "open-bets",
    }
)
_FIRST_WORDS: Final = frozenset({"sit", "watch", "watch-floor", "take-table"})
State = dict[str, Any]
_ENCODER: Final = msgspec.json.Encoder()


class Asked:
    """Something that was asked: the message, and the round that it is meant for, 0 for any."""

    __slots__ = ("again", "in_doubt", "message", "round", "sent")

    def __init__(self, message: State, round_: int) -> None:
        self.message = message
        self.round = round_
        # Whether it was sent, and whether more than once, so that the floor may have done it before.
        self.sent = False
        self.again = False
        # The floor does not know yet whether it was done.
        self.in_doubt = False

    @property
    def is_of_one_round(self) -> bool:
        """Whether it is in doubt, and says itself for which round it is: it counts in no other."""
        return self.in_doubt and self.message["t"] == "stake" and bool(self.message["round"])


class Person:
    """Somebody at a page."""

    # How long somebody thinks between two acts, at most.
    thinks_s = 2.0
    # What a page is called when the floor knows who is behind it.
    is_known_as = "patron"

    def __init__(self, casino: "Casino", name: str) -> None:
        self.casino = casino
        self.name = name
        self.cookie = ""
        self.chance = Random(f"{casino.seed}/{name}")
        self.line: Line | None = None
        self.is_connected = False
        self.tables: dict[str, State] = {}
        self.own: dict[str, State] = {}
        self.staff: dict[str, State] = {}
        self.credits_cents = 0
        self.pending: dict[str, Asked] = {}
        self._wait_s = _FIRST_WAIT_S
        self._again_s = _FIRST_AGAIN_S
        self._is_asking_again = False
        self._heard_s = 0.0
        self._serial = 0
        self.is_done = False
        # Signed out: no connection is taken up before somebody has signed in again.
        self.is_away = False

    # Connections

    def begin(self) -> None:
        """Open the page."""
        self._connect()
        self._plan()
        self.casino.agenda.after(_PING_S, self._ping)

    def _connect(self) -> None:
        if self.line is None and not self.is_away:
            self._heard_s = self.casino.agenda.now_s
            self.line = self.casino.connect(self)
            if self.line is None:
                self._try_again()

    def _try_again(self) -> None:
        self.casino.agenda.after(self._wait_s * (0.75 + self.chance.random() / 2), self._connect)
        self._wait_s = min(_LONGEST_WAIT_S, self._wait_s * 2)

    def connected(self) -> None:
        """The floor has taken the connection: say what one looks at, and ask again what has no answer."""
        self.is_connected = True
        self._wait_s = _FIRST_WAIT_S
        self.arrive()
        for asked in [*self.pending.values()]:
            if not asked.round:
                self._ask_again(asked)

    def arrive(self) -> None:
        """Say where one sits and what one looks at."""

    def lost(self, line: Line) -> None:
        """A connection is no more: take it up again before long."""
        if line is self.line:
            self.line = None
            self.is_connected = False
            self._try_again()

    def come_back(self) -> None:
        """Open the page anew, after signing in again."""
        self.is_away = False
        self._connect()

    def _ping(self) -> None:
        self.casino.agenda.after(_PING_S, self._ping)
        if self.line is None:
            return
        if self.casino.agenda.now_s - self._heard_s > _SILENCE_S:
            self.casino.trace.count("connections given up")
            self.line.cut()
        elif self.is_connected:
            self.send({"t": "ping"})

    def send(self, message: State) -> int:
        """Send a message, if the page is connected; how many of it are on their way."""
        if self.line is not None and self.is_connected:
            return self.line.send(_ENCODER.encode(message), first=message["t"] in _FIRST_WORDS)
        return 0

    # What is told

    def hear(self, messages: Messages) -> None:
        """The floor has told something."""
        self._heard_s = self.casino.agenda.now_s
        for message in messages:
            match message["t"]:
                case "table":
                    self._see(message)
                case "own":
                    self.own[message["table"]] = self.own.get(message["table"], {}) | message["set"]
                case "staff":
                    self.staff[message["table"]] = self.staff.get(message["table"], {}) | message["set"]
                case "purse":
                    self.credits_cents = message["purse"]["credits_cents"]
                case "welcome" if not message[self.is_known_as]:
                    self._ended("not signed in")
                case "ended":
                    self._ended(message["code"])
                case "refused" if not message["id"]:
                    self.was_turned_away(message["code"])
                case "accepted" | "ticket" | "proposed" | "refused" | "unknown":
                    self._answered(message)

    def was_turned_away(self, code: str) -> None:
        """Something that awaits no answer was refused, such as a seat."""

    def _ended(self, code: str) -> None:
        """The floor lets the page go: for a while, or the session is over."""
        if code == "elsewhere":
            self.casino.trace.count("pages led to another process")
        if code not in _FOR_A_WHILE and not self.is_away:
            self.is_away = True
            if self.line is not None:
                self.line.cut()
            self.casino.agenda.after(1.0 + self.chance.random(), lambda: self.casino.sign_in(self))

    def _see(self, message: State) -> None:
        key, told = message["table"], message["set"]
        if (told.get("wait") or {}).get("what") in _WAITS:
            self.casino.trace.count(_WAITS[told["wait"]["what"]])
        self.tables[key] = told if message.get("whole") else self.tables.get(key, {}) | told
        if message.get("whole"):
            for id_, asked in [*self.pending.items()]:
                if asked.round and asked.message["table"] == key:
                    if asked.round == self.tables[key]["round"] or asked.is_of_one_round:
                        self._ask_again(asked)
                    else:
                        del self.pending[id_]
                        self.casino.trace.count("commands given up")

    def _answered(self, message: State) -> None:
        id_, kind = message["id"], message["t"]
        asked = self.pending.get(id_)
        if asked is None:
            return
        if kind == "unknown":
            self.casino.trace.count("answers unknown")
            self._doubt(asked)
            return
        if kind == "refused" and message["code"] in OF_NOW and (asked.again or asked.in_doubt):
            self.casino.trace.count("asked again, and still not known")
            self._doubt(asked)
            return
        del self.pending[id_]
        if not any(each.in_doubt for each in self.pending.values()):
            self._again_s = _FIRST_AGAIN_S
        if kind == "refused":
            self.casino.trace.count("commands refused")
            self.casino.refused(self, asked.message, message["code"])
        else:
            self.casino.trace.count("commands acknowledged")
            if kind != "proposed":
                self.casino.accepted(self, asked.message, message)
            self.was_accepted(asked.message, message)

    def _doubt(self, asked: Asked) -> None:
        """The floor does not know yet: ask again before long, until it does."""
        asked.in_doubt = True
        if not self._is_asking_again:
            self._is_asking_again = True
            self.casino.agenda.after(self._again_s, self._ask_for_doubtful)
            self._again_s = min(_LONGEST_AGAIN_S, self._again_s * 2)

    def _ask_for_doubtful(self) -> None:
        self._is_asking_again = False
        for asked in [*self.pending.values()]:
            if asked.in_doubt:
                self._ask_again(asked)

    def _ask_again(self, asked: Asked) -> None:
        self.casino.trace.count("commands asked again")
        self._send(asked)

    def _send(self, asked: Asked) -> None:
        message = asked.message
        again = asked.sent and message["t"] == "collect"
        copies = self.send(message | {"again": True} if again else message)
        if copies:
            asked.again = asked.again or asked.sent or copies > 1
            asked.sent = True

    def was_accepted(self, _: State, answer: State) -> None:
        """Something that was asked is done."""

    # What is asked

    def fresh_id(self) -> str:
        """An id that nobody else has."""
        self._serial += 1
        return f"{round(self.casino.agenda.now_s * 1000):012x}-{self.name}-{self._serial}"

    def ask(self, message: State, round_: int = 0) -> None:
        """Ask for something, under a fresh id."""
        id_ = self.fresh_id()
        message = message | {"id": id_}
        asked = self.pending[id_] = Asked(message, round_)
        self.casino.asked(self, message)
        self._send(asked)

    def act(self, table: str, do: str, **fields: Any) -> None:
        """Give a command."""
        round_ = 0 if do in _OF_ANY_ROUND else self.tables.get(table, {}).get("round", 0)
        self.ask({"t": "do", "table": table, "act": {"do": do, **fields}}, round_)

    # What is done

    def _plan(self) -> None:
        self.casino.agenda.after(self.thinks_s * (0.1 + self.chance.random()), self._think)

    def _think(self) -> None:
        if self.is_done:
            return
        self._plan()
        if self.is_connected:
            self.think()

    def think(self) -> None:
        """Do something, or nothing."""

    def now_and_then(self, probability: float) -> bool:
        """Whether something happens that happens so often."""
        return self.chance.random() < probability


def command_of(asked: State, answer: State) -> str | None:
    """The id under which something that was accepted must be on record; none where it leaves no command there."""
    match asked["t"]:
        case "stake" | "do" | "buy" | "confirm":
            return str(asked["id"])
        case "redeem":
            return redeem_id(asked["code"])
        case "collect":
            return issue_id(answer["code"])
    return None
