"""Passkeys: what a browser says that one has signed, and whether that is so (W3C Web Authentication)."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from punto.errors import Malformed, WrongProof
from punto.server.identity.challenges import decoded, encoded
from punto.server.identity.people import Passkey

_PUBLIC_KEY: Final = "public-key"
_WRONG: Final = "this passkey does not let you in here: try another, or sign in with password and code"
T = TypeVar("T")
_Short = Annotated[str, Meta(max_length=1_400)]
_Long = Annotated[str, Meta(max_length=6_000)]


class Signed(Struct, frozen=True, forbid_unknown_fields=True):
    """What a passkey has signed, each part in base64 for addresses."""

    id: _Short
    client_data: _Short
    authenticator_data: _Short
    signature: _Short


class Made(Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey that a browser has made, each part in base64 for addresses."""

    id: _Short
    client_data: _Short
    attestation: _Long


class _ClientData(Struct):
    """The part of what was signed that says which challenge was answered."""

    challenge: str = ""


_CLIENT_DATA: Final = msgspec.json.Decoder(_ClientData)


def challenge_in(client_data: str) -> str:
    """The challenge that a browser says was answered."""
    try:
        return _CLIENT_DATA.decode(decoded(client_data)).challenge
    except msgspec.DecodeError:
        raise Malformed("the answer of the passkey does not read") from None


def host_of(origin: str) -> str:
    """The host whose pages a passkey is for; passkeys know no hosts that are numbers."""
    return urlsplit(origin).hostname or ""


async def made(answer: Made, origin: str) -> Passkey:
    """A new passkey, once its device has shown that it can sign with it, and that its owner is there."""
    host = host_of(origin)

    def look() -> Passkey:
        from webauthn import verify_registration_response  # noqa: PLC0415 (it takes a sixth of a second to load)

        found = verify_registration_response(
            credential=_credential(answer.id, clientDataJSON=answer.client_data, attestationObject=answer.attestation),
            expected_challenge=decoded(challenge_in(answer.client_data)),
            expected_rp_id=host,
            expected_origin=origin,
            require_user_verification=True,
        )
        public = encoded(found.credential_public_key)
        return Passkey(encoded(found.credential_id), public, host, "", 0, found.sign_count)

    return await _verified(look)


async def count_of(answer: Signed, passkey: Passkey, origin: str) -> int:
    """How often a passkey has signed by now, once it has signed this; a copy of it has signed less often, and fails."""

    def look() -> int:
        from webauthn import verify_authentication_response  # noqa: PLC0415

        found = verify_authentication_response(
            credential=_credential(
                answer.id,
                clientDataJSON=answer.client_data,
                authenticatorData=answer.authenticator_data,
                signature=answer.signature,
            ),
            expected_challenge=decoded(challenge_in(answer.client_data)),
            expected_rp_id=passkey.rp,
            expected_origin=origin,
            credential_public_key=decoded(passkey.key),
            credential_current_sign_count=passkey.count,
            require_user_verification=True,
        )
        return found.new_sign_count

    return await _verified(look)


def _credential(id_: str, **response: str) -> dict[str, Any]:
    return {"id": id_, "rawId": id_, "type": _PUBLIC_KEY, "response": response}


async def _verified(look: Callable[[], T]) -> T:
    """What comes of a look, away from the event loop; the library raises whatever it likes about what does not read."""
    try:
        return await asyncio.to_thread(look)
    except Exception:  # noqa: BLE001
        raise WrongProof(_WRONG) from None
