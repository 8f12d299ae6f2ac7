"""Addresses outside that keep the newest checkpoint: it is put there, and asked for when the floor opens.

`PUT` replaces the note at the address, `GET` gives it back, and 404 says that there is none: any server does that which
keeps files.
"""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from punto.errors import OutsideGone
from punto.proof.calls import CallFailed, Response, call

_KEPT: Final = (HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.ACCEPTED, HTTPStatus.NO_CONTENT)
_NOTHING: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.NO_CONTENT)
_KIND: Final = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Address:
    """Somebody else's place for the newest checkpoint, and the token that lets the floor write there."""

    url: str
    token: str = field(default="", repr=False)

    def note(self, timeout_s: float) -> bytes | None:
        """The checkpoint that is kept there; none where there is none. `OutsideGone` where nobody answers."""
        response = self._call("GET", None, timeout_s)
        if response.status in _NOTHING:
            return None
        if response.status != HTTPStatus.OK:
            raise OutsideGone(f"{self.url} answers with status {response.status}: no checkpoint is known from there")
        return response.body

    def publish(self, note: bytes, timeout_s: float) -> None:
        """Have a checkpoint kept in place of the one before; `OutsideGone` where it is not known to be kept."""
        response = self._call("PUT", note, timeout_s)
        if response.status not in _KEPT:
            raise OutsideGone(f"{self.url} answers with status {response.status}: the checkpoint is not kept there")

    def _call(self, method: str, body: bytes | None, timeout_s: float) -> Response:
        headers = {"Content-Type": _KIND} if body is not None else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        try:
            return call(method, self.url, body, headers, timeout_s)
        except CallFailed as failed:
            raise OutsideGone(f"{self.url} {failed}") from None
