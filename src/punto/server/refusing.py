"""How somebody is turned away before anything is read of what is asked."""

import json
from typing import Any

_POLICY = 1008


async def turn_away(scope: Any, receive: Any, send: Any, why: tuple[int, str, str]) -> None:  # noqa: ANN401
    """Answer with a status, a code and a line, and nothing else; a WebSocket is closed."""
    status, code, message = why
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": _POLICY})
        return
    body = json.dumps({"code": code, "message": message}, separators=(",", ":")).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
