"""Every role on an open socket: whatever a page can say, in every phase, at its own table and at another's.

The cells are made from the wire's own unions, so that a new command, message, position or phase is tried as soon as it
is there. What is expected of a command is what the table itself says of it, which `tests/table/test_roles.py` compares
with a table that was written by hand; of other messages it stands here. What is for a role is heard and goes no further
than to the door of the floor, so that every cell finds the same tables; what is not for it changes nothing. By day a
part is tried that has every pair of a role and a message at both tables, and every pair of a role and a phase.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from tests.server.house import Message, Page, setup
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, PASSWORD, _cheap_hashes
from tests.server.test_attendance import Street, street
from tests.server.waiting import waits
from tests.table.roles import STAFF, fields_of, name_of
from tests.width import width

from punto.errors import NeedsSecond, NotAllowed, OutOfTurn, PuntoError
from punto.rules import Duty, Position
from punto.rules.money import Cents
from punto.server import reception
from punto.server.config import TableConfig
from punto.server.hosted import Hosted
from punto.server.ids import fresh_id
from punto.server.proposals import OF_TWO, Proposal, marked
from punto.server.seating import has_table
from punto.server.wire import asks
from punto.table import Actor, AnyCommand, Phase, Source, act
from punto.table import commands as do
from punto.table.actor import check_second
from punto.table.authority import can_ever_give
from punto.table.events import Ruling

__all__ = ["_cheap_hashes"]

DEALT: Final = TableConfig(key="2", setup=setup("baccarat", bets_ms=600_000, source=Source.DEVICE), automatic=False)
OTHER: Final = TableConfig(key="3", setup=setup("baccarat", bets_ms=600_000, source=Source.DEVICE), automatic=False)
TABLES: Final = ("2", "3")
GRETA: Final = Actor(MANAGER, Position.GAMING_SHIFT_MANAGER)
DORA: Final = Actor("dora", Position.DEALER)
FORMS: Final = {str(form.__struct_config__.tag): form for form in asks.COMMANDS}
COMMANDS: Final = {name_of(kind): kind for kind in AnyCommand.__args__}
KINDS: Final[dict[str, Any]] = {str(kind.__struct_config__.tag): kind for kind in asks.AnyAsk.__args__}
# Between opening and closing, what brings a table into each of its states.
STATES: Final[dict[str, list[dict[str, Any]]]] = {
    "change-of-shoe": [],
    "ready": [{"kind": do.LoadShoe}],
    "bets-open": [{"kind": do.OpenBets}],
    "bets-closed": [{"kind": do.CloseBets}],
    "initial-deal": [{"kind": do.DrawCard, "card": "9s"}],
    "drawing": [{"kind": do.DrawCard, "card": card} for card in ("8d", "Kc", "Kh")],
    "outcome": [{"kind": do.Announce}],
    "settled": [{"kind": do.Settle}],
    "referred": [
        {"kind": do.OpenBets},
        {"kind": do.CloseBets},
        {"kind": do.DrawCard, "card": "9s"},
        {"kind": do.Refer, "by": DORA, "matter": "a drink was spilt"},
    ],
    "void": [{"kind": do.Rule, "ruling": Ruling.VOID, "reason": "the card cannot be read"}],
    "closed": [{"kind": do.EndShoe, "reason": "late"}, {"kind": do.CloseTable}],
}
# What a message says besides its id and its table.
SAID: Final[dict[str, dict[str, Any]]] = {
    "stake": {"wager": "Banker", "cents": 500, "round": 0},
    "buy": {"cents": 500},
    "redeem": {"code": "ABCD-EFGH-JKLM-NPQR"},
    "bend": {"side": "player", "card": 1, "lift": 0.5, "edge": "left"},
    "watch": {"role": "display"},
    "watch as staff": {"role": "staff"},
    "sit": {"position": 0},
    "ping": {"n": 0},
}
# Messages in which two things can be asked.
VARIANTS: Final = {"watch as staff": "watch"}
DENIED: Final = frozenset({"not-allowed", "not-signed-in", "not-seated"})
# How many of the cells of a role and a message are tried by day: some at each table.
BY_DAY: Final = 3


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reception, "_MOST_TRESPASSES", 100_000)
    monkeypatch.setattr(reception, "_MOST_A_SECOND", 100_000)
    monkeypatch.setattr(reception, "_FAR_TOO_MANY", 1_000_000)


@dataclass
class Role:
    """Somebody with a page: *by* is who acts; nobody, where the floor knows nobody or lets nobody in."""

    name: str
    page: Page
    by: Actor | None = None

    @property
    def staff(self) -> Actor | None:
        return self.by if self.by is not None and self.by.position in STAFF else None

    @property
    def is_patron(self) -> bool:
        return self.by is not None and self.by.position is Position.PATRON


@dataclass(frozen=True)
class Cell:
    """What one page says, when, and at which table."""

    state: str
    role: str
    message: str
    table: str


def messages() -> list[str]:
    """All that a page can say: every command, known to the wire or not, and every other message."""
    return [*sorted(f"do {name}" for name in COMMANDS), *sorted((KINDS.keys() | VARIANTS.keys()) - {"do"})]


def cells(roles: list[str]) -> Iterator[Cell]:
    """The cells of this run, one state after the other."""
    places = [(state, table) for state in STATES for table in TABLES]
    most = width(BY_DAY, len(places))
    for at, (state, table) in enumerate(places):
        for number, role in enumerate(roles):
            for index, message in enumerate(messages()):
                if (at - 5 * number - 3 * index) % len(places) < most:
                    yield Cell(state, role, message, table)


async def steps(there: Street, state: str, tables: tuple[str, ...] = TABLES) -> None:
    """Bring tables into a state, from the one before."""
    for step in STATES[state]:
        fields = {"by": GRETA, **step}
        kind = fields.pop("kind")
        for table in tables:
            command = kind(id=fresh_id(), table=table, at_ms=there.clock(), **fields)
            await there.server.hall.writer.give(command)


def plain_of(name: str) -> dict[str, Any]:
    """What a page says of a command, with values that can be."""
    plain: dict[str, Any] = msgspec.to_builtins(fields_of(COMMANDS[name], DEALT.setup))
    known = {field.encode_name for field in msgspec.structs.fields(FORMS[name])} if name in FORMS else set(plain)
    return {key: value for key, value in plain.items() if key in known}


def given(there: Street, role: Role, name: str, hosted: Hosted) -> AnyCommand | None:
    """The command that the floor is to judge; none where none may come of what the page says."""
    by, plain = role.by, plain_of(name)
    if by is None or name not in FORMS:
        return None
    form = msgspec.convert({"do": name, **plain}, FORMS[name])
    fields = {field: getattr(form, field) for field in form.__struct_fields__}
    if role.is_patron:
        of_the_terminal = COMMANDS[name] in (do.BuyIn, do.CashOut, do.PlaceWager)
        if not can_ever_give(by.position, COMMANDS[name]) or by.name not in hosted.places or of_the_terminal:
            return None
        own = {"patron": by.name, "position": hosted.places[by.name]}
        fields |= {field: value for field, value in own.items() if field in fields}
    elif not has_table(by, hosted):
        return None
    command: Any = COMMANDS[name](id="cell", table=hosted.key, by=by, at_ms=there.clock(), **fields)
    return marked(command, hosted.table, hosted.file)


def of_command(there: Street, role: Role, name: str, hosted: Hosted) -> str:
    """What is expected of a command: that it is judged, proposed, refused for want of authority, or does not read."""
    if name not in FORMS:
        return "unread"
    command = given(there, role, name, hosted)
    if command is None:
        return "denied"
    try:
        act(hosted.table, command)
    except NeedsSecond:
        return "proposed" if isinstance(command, OF_TWO) else "judged"
    except NotAllowed:
        return "denied"
    except PuntoError:
        pass  # who asks may, the table is not so far: the floor says so
    return "judged"


def _of_second(then: str) -> Callable[[Role, Hosted], str]:
    """What is expected of whoever would be the second person for a correction."""

    def expected(role: Role, hosted: Hosted) -> str:
        if role.staff is None or not has_table(role.staff, hosted):
            return "denied"
        if hosted.table.setup is None:
            return "out-of-turn"
        try:
            check_second(hosted.table.book, hosted.table.open.ranks, GRETA, role.staff, Duty.APPROVE)
        except NotAllowed:
            return "denied"
        return then

    return expected


def _is_free(role: Role, hosted: Hosted) -> bool:
    return role.staff is not None and hosted.dealer_name in ("", role.staff.name)


def _sits(role: Role, hosted: Hosted) -> bool:
    return role.is_patron and role.by is not None and role.by.name in hosted.places


def _if_seated(then: str) -> Callable[[Role, Hosted], str]:
    return lambda role, hosted: then if _sits(role, hosted) else "denied"


def _takes(role: Role, hosted: Hosted) -> str:
    if role.staff is None:
        return "denied"
    return "done" if role.staff.position is not Position.DEALER or _is_free(role, hosted) else "out-of-turn"


# What is expected of every other message: that it is done, judged by the floor, refused for want of authority, or what
# code it gets.
EXPECTED: Final[dict[str, Callable[[Role, Hosted], str]]] = {
    "bend": lambda *_: "denied",  # nobody handles a card here
    "buy": _if_seated("judged"),
    "collect": _if_seated("bad-ticket"),
    "confirm": _of_second("judged"),
    "hand-back": lambda role, hosted: (
        "denied" if role.staff is None else "done" if _is_free(role, hosted) else "out-of-turn"
    ),
    "leave": lambda *_: "done",
    "ping": lambda *_: "done",
    "redeem": _if_seated("bad-ticket"),
    "sit": lambda role, hosted: (
        "denied" if not role.is_patron else "done" if hosted.table.setup is not None else "not-seated"
    ),
    "stake": _if_seated("judged"),
    "take-table": _takes,
    "watch": lambda *_: "done",
    "watch as staff": lambda role, _: "denied" if role.staff is None else "done",
    "watch-floor": lambda *_: "done",
    "withdraw": _of_second("done"),
}


class Matrix:
    """Tries cells, and holds the floor's door: what is to be judged is seen there, and goes no further."""

    def __init__(self, there: Street, roles: dict[str, Role], keepers: dict[str, Page], session: str) -> None:
        self.there, self.roles, self._keepers, self._session = there, roles, keepers, session
        self._seen: list[AnyCommand] = []
        self._holds = False
        self.digests: dict[str, str] = {}
        writer = there.server.hall.writer
        real: Any = writer.put

        def put(command: AnyCommand, then: Callable[[PuntoError], None], *more: Any, **named: Any) -> None:  # noqa: ANN401
            self._seen.append(command)
            if self._holds:
                asyncio.get_running_loop().call_soon(then, OutOfTurn("seen at the door"))
            else:
                real(command, then, *more, **named)

        writer.put = put  # type: ignore[method-assign]

    def propose(self) -> None:
        """A correction waits at each table for a second person."""
        for key in TABLES:
            fields: Any = {"patron": "ann", "cents": Cents(500), "reason": "misread"}
            command = do.CorrectCredits(id=f"of-{key}", table=key, by=GRETA, at_ms=self.there.clock(), **fields)
            proposals = self.there.server.hall.tables[key].proposals
            proposals._done.clear()  # noqa: SLF001
            self.digests[key] = proposals.add(command, self._session, None).digest

    def state(self) -> tuple[object, ...]:
        """What a message may change: of tables, seats, who deals and what is proposed."""
        hosted = [self.there.server.hall.tables[key] for key in TABLES]
        return tuple((each.version, each.dealer_name, dict(each.seats), tuple(self._waiting(each))) for each in hosted)

    @staticmethod
    def _waiting(hosted: Hosted) -> dict[str, Proposal]:
        return hosted.proposals._waiting  # noqa: SLF001

    async def tries(self, cell: Cell) -> str:
        """Try a cell; what is wrong with what came of it."""
        role, hosted = self.roles[cell.role], self.there.server.hall.tables[cell.table]
        name = cell.message.removeprefix("do ")
        of_other = EXPECTED.get(cell.message)
        expected = of_other(role, hosted) if of_other else of_command(self.there, role, name, hosted)
        before, self._seen, self._holds = self.state(), [], expected == "judged"
        answer = await self._says(role.page, cell)
        self._holds = False
        code = str(answer.get("code", ""))
        after = self.state()
        match expected:
            case "judged":
                by = [(each.by, each.table) for each in self._seen]
                # Two people give what is confirmed, in the name of the first.
                right = by == [(GRETA if cell.message == "confirm" else role.by, cell.table)] and code == "out-of-turn"
                right = right and after == before
            case "proposed":
                right = answer["t"] == "proposed" and not self._seen
                for digest in self._waiting(hosted).keys() - {self.digests[cell.table]}:
                    del self._waiting(hosted)[digest]
            case "done":
                right = answer["t"] != "refused" and not self._seen
                await self._restores(cell)
            case "denied":
                right = code in DENIED and after == before
            case "unread":
                right = code == "malformed" and after == before and not self._seen
            case _:
                right = code == expected and after == before
        return "" if right else f"{cell}: expected {expected}, was told {answer}, seen {self._seen}"

    async def _says(self, page: Page, cell: Cell) -> Message:
        """Say it; the answer, or that there was none before the floor heard the next message."""
        kind, _, name = cell.message.partition(" ")
        if kind == "do":
            return await page.act(cell.table, name, **plain_of(name))
        tag = VARIANTS.get(cell.message, cell.message)
        known = {field.encode_name: field for field in msgspec.structs.fields(KINDS[tag])}
        message = {"t": tag, **SAID.get(cell.message, {})}
        message |= {key: value for key, value in {"table": cell.table, "id": fresh_id()}.items() if key in known}
        message |= {"digest": self.digests[cell.table]} if "digest" in known else {}
        missing = [key for key, field in known.items() if field.required and key not in message]
        assert not missing, f"{cell.message} says nothing of {missing}: add it to SAID"
        start = len(page.told)
        if "id" in message and tag not in ("take-table", "hand-back"):
            return await page.ask(**message)
        await page.send(**message)
        await heard(page)
        news = [each for each in page.told[start:] if each["t"] == "refused"]
        return news[0] if news else {"t": "none"}

    async def _restores(self, cell: Cell) -> None:
        """Have everybody where they were."""
        if cell.message in ("ping", "watch-floor"):
            return
        self.propose()
        for key, page in self._keepers.items():
            if self.there.server.hall.tables[key].dealer_name != {"2": "dealer", "3": "eve"}[key]:
                await page.take(key)
        patron = self.roles["patron"]
        if cell.role == "patron":
            await patron.page.send(t="leave", table="3")
            await patron.page.send(t="sit", table="2")
            await heard(patron.page)


async def heard(page: Page) -> None:
    """Wait until the floor has heard all that the page has said."""
    number = len(page.told)
    await page.send(t="ping", n=number)
    await page.until(lambda: {"t": "pong", "n": number} in page.told[number:])


def versions(there: Street) -> dict[str, int]:
    """How far each stream of a table and of money has come."""
    tips = there.server.hall.writer.floor.store.streams()
    return {name: tip.version for name, tip in tips if name.startswith(("table/", "wallet/", "book/", "cashier/"))}


async def roles_of(there: Street) -> dict[str, Role]:
    """A page of every role: all positions, whoever acts in another, who is not let in yet, a patron, and nobody."""
    found: dict[str, Role] = {}
    for position in STAFF:
        name = position.value
        await there.hired(name, position)
        found[name] = Role(name, await signs_in(there, name), Actor(name, position))
        there.clock.go(1)  # nobody signs in too often
    manager = await there.session()
    await there.identity.house.register_patron(manager, "ann")
    await there.identity.accounts.open(manager, "tim", Position.GAMING_SHIFT_MANAGER, OTHER_PASSWORD)
    found["temporary"] = Role("temporary", await signs_in(there, "tim", OTHER_PASSWORD))
    await there.hired("pat", Position.DEALER)
    await there.identity.accounts.let_act(manager, "pat", Position.PIT_MANAGER, 3_600_000)
    found["acting"] = Role("acting", await signs_in(there, "pat"), Actor("pat", Position.PIT_MANAGER, acting=True))
    token = await there.identity.enrol_guest()
    page = await there.page(terminal=token)
    found["patron"] = Role("patron", page, Actor(there.identity.named(token), Position.PATRON))
    await page.send(t="sit", table="2")
    await page.until(lambda: page.own.get("2"))
    found["nobody"] = Role("nobody", await there.page())
    return found


async def signs_in(there: Street, name: str, password: str = PASSWORD) -> Page:
    """The page of a member of staff."""
    _, token = await there.identity.sign_in(name, password)
    return await there.page(staff=token)


def test_the_cells_have_every_position_message_and_phase_and_the_day_every_pair() -> None:
    roles = [each.value for each in STAFF] + ["temporary", "acting", "patron", "nobody"]
    assert {*Position} == {*STAFF, Position.PATRON, Position.SYSTEM}, "a new position signs in, or does not"
    assert FORMS.keys() < COMMANDS.keys()
    assert EXPECTED.keys() == (KINDS.keys() | VARIANTS.keys()) - {"do"}
    tried = [*cells(roles)]
    pairs: dict[str, set[tuple[str, str]]] = {
        "a role and a message": {(cell.role, cell.message) for cell in tried},
        "a role and a state": {(cell.role, cell.state) for cell in tried},
        "a message and a table": {(cell.message, cell.table) for cell in tried},
        "a message and a state": {(cell.message, cell.state) for cell in tried},
        "a role and a table": {(cell.role, cell.table) for cell in tried},
    }
    counts = {"role": len(roles), "message": len(messages()), "state": len(STATES), "table": len(TABLES)}
    for pair, found in pairs.items():
        _, first, _, _, second = pair.split()
        assert len(found) == counts[first] * counts[second], pair
    assert {(each.role, each.message, each.table) for each in tried} >= {
        (role, message, table) for role in roles for message in messages() for table in TABLES
    }


@waits
async def test_what_is_not_for_a_role_changes_nothing_in_any_phase_on_an_open_socket(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT, OTHER, prove_again_s=86_400, idle_s=86_400) as there:
        roles = await roles_of(there)
        await there.hired("eve", Position.DEALER)
        keepers = {"2": roles["dealer"].page, "3": await signs_in(there, "eve")}
        for key, page in keepers.items():
            await page.take(key)
        session = await there.session()
        matrix = Matrix(there, roles, keepers, session.id)
        wrong, tried, phases = list[str](), 0, set[Phase]()
        of_state: dict[str, list[Cell]] = {state: [] for state in STATES}
        for cell in cells([*roles]):
            of_state[cell.state].append(cell)
        for state, chosen in of_state.items():
            await steps(there, state)
            phases.add(there.server.hall.tables["2"].table.phase)
            matrix.propose()
            before = versions(there)
            for cell in chosen:
                said = await matrix.tries(cell)
                wrong += [said] if said else []
            tried += len(chosen)
            await there.server.hall.writer.settle_down()
            assert versions(there) == before, state
        assert not wrong, f"{len(wrong)} cells:\n" + "\n".join(wrong[:20])
        assert phases == {*Phase}
    every = len(roles) * len(messages()) * len(STATES) * len(TABLES)
    print(f"{tried} of {every} cells of {len(roles)} roles, {len(messages())} messages and {len(STATES)} states")  # noqa: T201


@waits
@pytest.mark.parametrize("withdrawn", ["closed", "moved", "revoked", "password", "acting", "handed-back"])
async def test_an_open_page_gives_nothing_any_more_once_its_authority_is_withdrawn(
    tmp_path: Path, withdrawn: str
) -> None:
    async with street(tmp_path, DEALT, OTHER) as there:
        accounts, manager = there.identity.accounts, await there.session()
        await there.hired("pam", Position.DEALER if withdrawn in ("acting", "handed-back") else Position.PIT_MANAGER)
        if withdrawn == "acting":
            await accounts.let_act(manager, "pam", Position.PIT_MANAGER, 3_600_000)
        session, token = await there.identity.sign_in("pam", PASSWORD)
        page = await there.page(staff=token)
        await page.take("2")
        await steps(there, "ready", ("2",))
        match withdrawn:
            case "closed":
                await accounts.close(manager, "pam")
            case "moved":
                await accounts.move(manager, "pam", Position.DEALER)
            case "revoked":
                await there.identity.revoke(manager, session.id)
            case "password":
                await accounts.set_password(manager, "pam", OTHER_PASSWORD)
            case "acting":
                await accounts.end_acting(manager, "pam")
            case "handed-back":
                assert (await page.ask("hand-back", table="2"))["t"] == "accepted"
        before = versions(there)
        of_a_dealer = withdrawn in ("moved", "acting")
        for name in ["close-table", "keep-shoe", "choose-method", "correct-credits"] + ["open-bets"] * (
            not of_a_dealer
        ):
            with suppress(Exception):  # the page is gone by then
                answer = await page.act("2", name, **plain_of(name))
                assert answer["t"] == "refused", answer
        await there.server.hall.writer.settle_down()
        assert versions(there) == before
