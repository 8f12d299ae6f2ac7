"""A connection without a page: what a test brings about, so that the pages can get to their part."""

import json
from contextlib import ExitStack
from itertools import count
from typing import Any, Final

from websockets.sync.client import connect

from punto.server.ids import fresh_id

_PATIENCE_S: Final = 15
_LINES: Final = 4

Message = dict[str, Any]


class Wire:
    """A few connections of one person, taken in turns: together they are as fast as a script likes."""

    def __init__(self, port: int, cookie: str, lines: int = _LINES) -> None:
        origin = f"http://127.0.0.1:{port}"
        headers = {"Cookie": cookie, "Origin": origin}
        self._opened = ExitStack()
        self._sockets = [
            self._opened.enter_context(
                connect(f"ws://127.0.0.1:{port}/live", additional_headers=headers, proxy=None, max_queue=None)
            )
            for _ in range(lines)
        ]
        self._turn = count()

    def ask(self, t: str, **message: Any) -> Message:  # noqa: ANN401
        """Send a message that has an id; its answer, once that has come."""
        socket = self._sockets[next(self._turn) % len(self._sockets)]
        id_ = fresh_id()
        socket.send(json.dumps({"t": t, "id": id_, **message}))
        while True:
            told: list[Message] = json.loads(socket.recv(timeout=_PATIENCE_S))
            for each in told:
                if each.get("id") == id_:
                    return each

    def act(self, table: str, do: str, **fields: Any) -> Message:  # noqa: ANN401
        """Give a command of a table."""
        return self.ask("do", table=table, act={"do": do, **fields})

    def done(self, table: str, do: str, **fields: Any) -> None:  # noqa: ANN401
        """Give a command that must be accepted."""
        answer = self.act(table, do, **fields)
        assert answer["t"] == "accepted", answer

    def send(self, **message: Any) -> None:  # noqa: ANN401
        """Send a message without an answer, on every line."""
        for socket in self._sockets:
            socket.send(json.dumps(message))

    def hear(self, t: str) -> Message:
        """The next message of a kind, on the first line."""
        while True:
            told: list[Message] = json.loads(self._sockets[0].recv(timeout=_PATIENCE_S))
            for each in told:
                if each["t"] == t:
                    return each

    def close(self) -> None:
        self._opened.close()
