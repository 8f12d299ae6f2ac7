"""A device with passkeys, in memory: it makes them and signs with them as a browser would."""

import base64
import json
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 1, 4, 64
HOST = "localhost"
PAGE = f"http://{HOST}:8421"


def encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Authenticator:
    """One device. Its owner is asked for a finger unless *verified* is false; it counts what it signs."""

    def __init__(self, *, host: str = HOST, page: str = PAGE, verified: bool = True) -> None:
        self.host = host
        self.page = page
        self.count = 0
        self._flags = PRESENT | (VERIFIED if verified else 0)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._raw_id = sha256(str(self._key.private_numbers().private_value).encode()).digest()[:16]

    @property
    def id(self) -> str:
        return encoded(self._raw_id)

    def made(self, challenge: str) -> dict[str, Any]:
        """A passkey, as a page sends it."""
        numbers = self._key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        credential = bytes(16) + len(self._raw_id).to_bytes(2) + self._raw_id + cbor2.dumps(public)
        data = self._data(self._flags | ATTESTED) + credential
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", challenge)
        return {"id": self.id, "client_data": encoded(client_data), "attestation": encoded(attestation)}

    def signed(self, challenge: str) -> dict[str, str]:
        """What it signs, as a page sends it."""
        self.count += 1
        data, client_data = self._data(self._flags), self._client_data("webauthn.get", challenge)
        signature = self._key.sign(data + sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return {
            "id": self.id,
            "client_data": encoded(client_data),
            "authenticator_data": encoded(data),
            "signature": encoded(signature),
        }

    def _data(self, flags: int) -> bytes:
        return sha256(self.host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _client_data(self, kind: str, challenge: str) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": self.page, "crossOrigin": False}
        return json.dumps(said).encode()
