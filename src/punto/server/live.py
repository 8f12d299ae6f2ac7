"""The live endpoint: a WebSocket for every page, as plain ASGI."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from punto.errors import Refusal
from punto.server.allowance import Allowance, Allowances
from punto.server.attendance import Attendance, Papered
from punto.server.connection import Connection, Message, Send
from punto.server.hall import Hall
from punto.server.identity import ADDRESS, Papers
from punto.server.outlet import OUTLET, Outlet
from punto.server.reception import Reception
from punto.table import Actor

Receive = Callable[[], Awaitable[Message]]
Scope = dict[str, Any]

PATH: Final = "/live"


class Known(Papered, Protocol):
    """Who is behind a connection, by its cookies."""

    def patron(self, scope: Scope) -> Actor | None:
        """The patron whose terminal asks."""

    def staff(self, scope: Scope) -> Actor | None:
        """The member of staff who asks, in the position held or acted in."""

    def papers(self, scope: Scope) -> Papers:
        """What a connection shows when it comes."""

    def visitor(self, scope: Scope) -> str:
        """Whose allowance a page takes from."""

    def is_ours(self, scope: Scope) -> bool:
        """Whether the page that asks is one of the floor's own."""


class Live:
    """Takes connections, and hands what they say to the hall."""

    def __init__(self, hall: Hall, known: Known, allowances: Allowances | None = None) -> None:
        self._hall = hall
        self._known = known
        self._allowances = Allowances() if allowances is None else allowances
        self._reception = Reception(hall)
        self._attendance = Attendance(hall, known)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, from its first message to its last."""
        await receive()
        if scope["path"] != PATH or not self._known.is_ours(scope):
            await send({"type": "websocket.close", "code": 1008})
            return
        outlet: Outlet = scope["extensions"][OUTLET]
        visitor = self._known.visitor(scope)
        if visitor.startswith(ADDRESS) and outlet.is_reserved():
            outlet.refuse(None)
            return
        try:
            allowance = self._allowances.enter(visitor, outlet)
        except Refusal as refusal:
            outlet.refuse(refusal)
            return
        try:
            await self._admitted(scope, receive, send, outlet, allowance)
        finally:
            self._allowances.leave(allowance, outlet)

    async def _admitted(self, scope: Scope, receive: Receive, send: Send, outlet: Outlet, allowance: Allowance) -> None:
        await send({"type": "websocket.accept"})
        page = Connection(self._hall, send, outlet, self._known.patron(scope), self._known.staff(scope))
        heard, attendance = self._reception.heard, self._attendance
        try:
            papers = self._known.papers(scope)
            page.session = papers.session
            attendance.enter(page, papers)
            await self._hall.enter(page)
            while not page.closed:
                message = await receive()
                if page.closed or message["type"] != "websocket.receive":
                    return  # what a page sends after it was let go is nobody's any more
                attendance.heard(page, message.get("text"))
                rest_s = heard(page, message.get("text"), allowance)
                if rest_s and not outlet.unheard:
                    await asyncio.sleep(rest_s)
        finally:
            attendance.leave(page)
            self._hall.leave(page)
