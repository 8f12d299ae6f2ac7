"""Whoever goes past the proxy to the floor's own port is turned away, as uvicorn serves it."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import httpx
import pytest
from tests.server.http.floor import BY_HAND, configured, opened
from tests.server.waiting import waits

from punto.server.proxies import OnlyProxies
from punto.server.serving import settings

PROXY: Final = "10.0.0.5"
NETWORK: Final = "10.1.0.0/24"
PUBLIC: Final[dict[str, Any]] = {"host": "0.0.0.0", "behind_proxy": True, "proxies": (PROXY, NETWORK)}  # noqa: S104


def served(server: object) -> Any:  # noqa: ANN401 (an ASGI application)
    """A server within all that uvicorn puts around it."""
    config = settings(cast("Any", server))
    config.load()
    return config.loaded_app


def browser(application: object, address: str) -> httpx.AsyncClient:
    """A browser of ann's, whose requests come to the floor from an address."""
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(cast("Any", application), client=(address, 1234)),
        base_url="https://floor.example",
        headers={"x-forwarded-for": "192.0.2.9", "x-forwarded-proto": "https"},
        trust_env=False,
    )


@waits
async def test_behind_a_proxy_on_a_public_host_only_the_proxy_is_answered(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND, **PUBLIC) as floor:
        application = served(floor.server)
        for address in (PROXY, "10.1.0.77", f"::ffff:{PROXY}"):
            async with browser(application, address) as proxied:
                assert (await proxied.get("/health")).status_code == 200, address
        for address in ("10.0.0.6", "10.1.1.1", "127.0.0.1", "::1", "::ffff:10.0.0.6", "2001:db8::1", "testclient"):
            async with browser(application, address) as direct:
                for path in ("/", "/health", "/metrics", "/api/me", "/assets/x.js", "/nothing"):
                    answer = await direct.get(path)
                    assert (answer.status_code, answer.json()["code"]) == (421, "not-here"), (address, path)
                assert (await direct.post("/api/guest")).status_code == 421


@waits
@pytest.mark.parametrize(("address", "taken"), [(PROXY, True), ("10.0.0.6", False), ("127.0.0.1", False)])
async def test_a_websocket_that_does_not_come_by_the_proxy_is_closed(
    tmp_path: Path, address: str, *, taken: bool
) -> None:
    heard: list[Any] = []

    async def application(scope: Any, _: Any, __: Any) -> None:  # noqa: ANN401
        heard.append(scope["client"][0])

    application.config = configured(tmp_path, BY_HAND, **PUBLIC)  # type: ignore[attr-defined]
    sent: list[Any] = []

    async def receive() -> Any:  # noqa: ANN401
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:  # noqa: ANN401
        sent.append(message)

    headers = [(b"x-forwarded-for", b"192.0.2.9")]
    scope = {"type": "websocket", "path": "/live", "headers": headers, "client": (address, 1)}
    await served(application)(scope, receive, send)
    assert heard == (["192.0.2.9"] if taken else [])
    assert sent == ([] if taken else [{"type": "websocket.close", "code": 1008}])


@pytest.mark.parametrize("how", [{"behind_proxy": True}, {}, {"host": "0.0.0.0"}])  # noqa: S104
def test_a_floor_without_a_proxy_or_for_this_machine_only_hears_everybody(tmp_path: Path, how: dict[str, Any]) -> None:
    stub = SimpleNamespace(config=configured(tmp_path, BY_HAND, **how))
    assert not isinstance(served(stub), OnlyProxies)
