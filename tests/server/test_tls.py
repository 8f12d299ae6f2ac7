"""What the floor speaks TLS with: handshakes of a real client with the context that uvicorn is given."""

import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import pytest
from tests.server.certificates import make_certificate
from tests.server.http.floor import BY_HAND, configured

from punto.server.serving import settings

PATIENCE_S: Final = 10.0


def context_of(folder: Path) -> ssl.SSLContext:
    """The floor's own context."""
    make_certificate(folder)
    files = {"tls_certificate": str(folder / "cert.pem"), "tls_key": str(folder / "key.pem")}
    config = settings(cast("Any", SimpleNamespace(config=configured(folder, BY_HAND, **files))))
    config.load()
    assert config.ssl is not None
    return config.ssl


def shaken(server: ssl.SSLContext, client: ssl.SSLContext) -> str:
    """The suite that both agree on."""
    near, far = socket.socketpair()
    near.settimeout(PATIENCE_S)
    far.settimeout(PATIENCE_S)

    def answer() -> None:
        with suppress(OSError), server.wrap_socket(far, server_side=True):
            pass

    with ThreadPoolExecutor(1) as pool:
        pool.submit(answer)
        with near, client.wrap_socket(near) as spoken:
            found = spoken.cipher()
            assert found
            return found[0]


def client_of(suites: str, version: ssl.TLSVersion) -> ssl.SSLContext:
    """A client that knows these suites and one version, however weak they are."""
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    client.set_ciphers(f"{suites}:@SECLEVEL=0")
    client.minimum_version = client.maximum_version = version
    return client


@pytest.mark.parametrize("suite", ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"])
def test_suites_with_forward_secrecy_and_authenticated_encryption_are_spoken(tmp_path: Path, suite: str) -> None:
    assert shaken(context_of(tmp_path), client_of(suite, ssl.TLSVersion.TLSv1_2)) == suite


@pytest.mark.parametrize("suite", ["AES128-SHA256", "AES256-SHA384", "AES128-SHA", "AES256-CCM"])
def test_a_suite_with_cbc_or_without_need_is_refused(tmp_path: Path, suite: str) -> None:
    with pytest.raises(ssl.SSLError, match=r"(?i)handshake.failure"):
        shaken(context_of(tmp_path), client_of(f"ECDHE-ECDSA-{suite}", ssl.TLSVersion.TLSv1_2))


def test_nothing_older_than_tls_1_2_is_spoken_and_1_3_is(tmp_path: Path) -> None:
    server = context_of(tmp_path)
    assert server.minimum_version is ssl.TLSVersion.TLSv1_2
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old = client_of("ALL", ssl.TLSVersion.TLSv1_1)
    with pytest.raises((ssl.SSLError, OSError)):
        shaken(server, old)
    assert shaken(server, client_of("ALL", ssl.TLSVersion.TLSv1_3)).startswith("TLS_")
