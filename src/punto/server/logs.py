"""Logs: set up once, one line for each thing that happened, and no secret in any of them.

Of a request there is its route, never its address, for an address may hold a code; no header, no cookie, no body.
"""

import logging
import sys
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, TextIO

import structlog
from structlog.typing import EventDict, Processor

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]

LEVELS: Final = ("debug", "info", "warning", "error")
_OURS: Final = "punto"
_HIDDEN: Final = "…"
# Names under which nothing is ever logged, should somebody try.
_SECRETS: Final = frozenset(
    {"authorization", "cookie", "cookies", "code", "password", "query", "query_string", "secret", "token"}
)
# Marks the scope of a request that was refused because the floor is closing: nothing has failed.
CLOSING: Final = "punto.closing"
_REFUSED: Final = (401, 403)
_FAILED: Final = 500


def set_up(level: str = "", stream: TextIO | None = None) -> None:
    """Have everything logged from that level on: readable on a terminal, and in lines of JSON anywhere else.

    Without a level it is warnings on a terminal, where somebody reads along, and elsewhere every request too.
    """
    out = stream or sys.stderr
    level = level or ("warning" if out.isatty() else "info")
    plain: list[Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        _without_secrets,
    ]
    if out.isatty():
        last: list[Processor] = [
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        ]
    else:
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *plain,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=plain,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    wanted = logging.getLevelNamesMapping()[level.upper()]
    # Others may quote addresses, headers and frames in what they say besides: of them only warnings are wanted.
    root.setLevel(max(wanted, logging.WARNING))
    logging.getLogger(_OURS).setLevel(wanted)


def _without_secrets(_: object, __: str, event: EventDict) -> EventDict:
    for name in _SECRETS & event.keys():
        if name != "code" or not _is_code(event[name]):
            event[name] = _HIDDEN
    return event


def _is_code(value: object) -> bool:
    """Whether it is the code of an error, and not one that lets somebody in."""
    return isinstance(value, str) and value.replace("-", "").islower() and value.isascii()


class Requests:
    """Logs every request of an application: its route, its answer and how long that took."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._log = structlog.get_logger("punto.requests")
        self._security = structlog.get_logger("punto.security")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        answered = 0

        async def noted(message: Any) -> None:  # noqa: ANN401 (whatever ASGI sends)
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            self._note(scope, answered, time.monotonic() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        client = scope.get("client")
        about = {
            "method": scope["method"],
            "route": scope.get("path_template") or "none",
            "status": status,
            "ms": round(1000 * seconds, 1),
        }
        if status in _REFUSED:
            self._security.warning("a request was refused", address=client[0] if client else "", **about)
        elif scope.get(CLOSING):
            self._log.info("a request came while the floor was closing", **about)
        elif status >= _FAILED or not status:
            self._log.error("a request failed", **about)
        else:
            self._log.info("a request", **about)
