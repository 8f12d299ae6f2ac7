"""A bare Starlette echo: what a WebSocket message costs when nothing is done with it."""

import sys

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket


async def echo(socket: WebSocket) -> None:
    """Send back whatever comes."""
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(text)


if __name__ == "__main__":
    app = Starlette(routes=[WebSocketRoute("/live", echo)])
    uvicorn.run(app, port=int(sys.argv[1]), log_level="warning", ws_per_message_deflate=False)
