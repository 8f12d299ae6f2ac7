"""Files that a person names: whatever has no end is refused after so many bytes."""

import os
from pathlib import Path
from threading import Thread
from typing import Self

import pytest
from tests.cli.shell import punto

from punto.cli.files import read_text
from punto.errors import UnreadableFile

ENDLESS = (
    "verify",
    "audit floor.db --head",
    "serve --check",
    "accept --by Ann --reason why",
    "key rotate --new-key new.key --by Ann",
    "scenario",
)


class Endless:
    """A file of which only so much may be read."""

    def __init__(self, most: int) -> None:
        self.left = most

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def read(self, size: int = -1) -> bytes:
        assert 0 <= size <= self.left, "it is read beyond the limit"
        self.left -= size
        return b"x" * size


@pytest.mark.parametrize("command", ENDLESS)
def test_a_file_without_an_end_is_refused_in_one_line(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.cli.files.open_binary", lambda _: Endless(20_000_000))
    refused = punto(*command.split(), "endless.toml")
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert "bytes: expected a shorter file" in refused.err


@pytest.mark.parametrize("command", ["accept --by Ann --reason why", "key rotate --new-key k --by Ann", "verify"])
def test_the_address_of_a_store_in_place_of_a_file_is_told_as_it_was_given(command: str) -> None:
    for address, told in (
        ("memory:", "memory:"),
        ("postgresql://ann:secret@127.0.0.1/floor", "postgresql://ann@127.0.0.1/floor"),
    ):
        refused = punto(*command.split(), address)
        assert (refused.status, refused.out) == (2, "")
        assert refused.err.startswith(f"punto: {told} is the address of a store: expected ")


def test_no_more_than_the_limit_and_one_byte_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.cli.files.open_binary", lambda _: Endless(11))
    with pytest.raises(UnreadableFile, match="longer than 10 bytes"):
        read_text("endless", 10)


def test_a_pipe_that_ends_is_read_whole(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = Thread(target=(tmp_path / "pipe").write_text, args=("all of it",))
    writer.start()
    assert read_text(str(tmp_path / "pipe")) == "all of it"
    writer.join()
