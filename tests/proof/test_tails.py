"""Tails and the list of them: what is torn, damaged, gone or forgotten."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from punto.errors import UnreadableFile
from punto.proof.outposts import Doubt, Outpost, Tail
from punto.store import Tip

PLACE: Final = 160
LAST: Final = 199


def head(number: int) -> Tip:
    return Tip(number, bytes([number]) * 32)


def kept(folder: Path, writer: str = "w", last: int = LAST) -> Path:
    """A tail whose writer has ended; its file."""
    tail = Tail(folder, writer)
    for number in range(2, last + 1):
        tail.write(f"heads/{writer}", head(number))
    tail.close()
    return tail.path


def garble(path: Path, *numbers: int) -> None:
    """Damage the places of these numbers."""
    text = bytearray(path.read_bytes())
    for number in numbers:
        text[PLACE * (number % 64) + 20] ^= 1
    path.write_bytes(text)


def doubts(folder: Path) -> list[tuple[str, str, str, int, int]]:
    return [(Path(each.where).name, *each[1:]) for each in Outpost(folder).doubts()]


def test_a_folder_in_order_leaves_no_doubt(tmp_path: Path) -> None:
    outpost = Outpost(tmp_path / "outside")
    assert [*outpost.doubts()] == [], "before anything was kept there"
    kept(tmp_path / "outside")
    assert [*outpost.doubts()] == []
    outpost.publish(b"a note")
    assert [*outpost.doubts()] == []
    assert [*outpost.tails()] == [("heads/w", head(LAST))]


def test_a_folder_in_the_place_of_the_checkpoint_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / "checkpoint").mkdir()
    with pytest.raises(UnreadableFile, match="a folder stands where the checkpoint file should be: move it away"):
        Outpost(tmp_path).note()


def test_a_checkpoint_in_a_new_folder_needs_no_tail(tmp_path: Path) -> None:
    Outpost(tmp_path / "outside").publish(b"a note")
    assert doubts(tmp_path / "outside") == []


def test_no_tail_is_made_before_there_is_something_to_keep(tmp_path: Path) -> None:
    """Otherwise a process that was killed in between would leave one that says nothing."""
    Tail(tmp_path / "outside", "w").close()
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize(
    ("numbers", "last", "further"),
    [
        ((LAST,), LAST - 1, 1),
        ((LAST, LAST - 1, LAST - 2), LAST - 3, 3),
        ((LAST - 63,), LAST, 1),
        ((LAST - 1, LAST - 30), LAST, 0),
    ],
)
def test_places_after_the_last_one_may_have_named_more(
    tmp_path: Path, numbers: tuple[int, ...], last: int, further: int
) -> None:
    garble(kept(tmp_path), *numbers)
    assert [*Outpost(tmp_path).tails()] == [("heads/w", head(last))]
    assert doubts(tmp_path) == ([("tail-w", "heads/w", "is damaged", last, further)] if further else [])


@pytest.mark.parametrize("content", [b"", b"\0" * PLACE * 64, b"something else", b" " * PLACE * 64])
def test_a_tail_of_which_no_place_can_be_read_is_in_doubt(tmp_path: Path, content: bytes) -> None:
    kept(tmp_path).write_bytes(content)
    assert doubts(tmp_path) == [("tail-w", "heads/w", "cannot be read", 0, 0)]


def test_a_tail_that_is_gone_is_named_by_the_list(tmp_path: Path) -> None:
    kept(tmp_path)
    kept(tmp_path, "other").unlink()
    assert doubts(tmp_path) == [("tail-other", "heads/other", "is gone", 0, 0)]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.write_bytes(b""), "cannot be read"),
        (lambda path: path.write_bytes(path.read_bytes()[:-3]), "cannot be read"),
        (lambda path: path.write_bytes(path.read_bytes().replace(b"w\n", b"v\n")), "cannot be read"),
        (lambda path: path.unlink(), "is gone"),
    ],
)
def test_a_list_that_is_gone_or_damaged_is_in_doubt(
    tmp_path: Path, damage: Callable[[Path], object], said: str
) -> None:
    kept(tmp_path)
    Outpost(tmp_path).publish(b"a note")
    damage(tmp_path / "tails")
    assert doubts(tmp_path) == [("tails", "", said, 0, 0)]


def test_a_tail_that_a_checkpoint_covers_is_forgotten_with_its_place_in_the_list(tmp_path: Path) -> None:
    for writer in ("covered", "later", "held"):
        kept(tmp_path, writer)
    gone, garbled = kept(tmp_path, "gone"), kept(tmp_path, "garbled")
    gone.unlink()
    garbled.write_bytes(b"")
    holder = Tail(tmp_path, "held")
    holder.write("heads/held", head(LAST))
    covered = {f"heads/{writer}": head(LAST) for writer in ("covered", "held", "gone", "garbled")}
    Outpost(tmp_path).forget_tails({**covered, "heads/later": head(LAST - 1)})
    assert sorted(path.name for path in tmp_path.glob("tail*")) == ["tail-held", "tail-later", "tails"]
    assert doubts(tmp_path) == []
    holder.close()
    (tmp_path / "tail-later").unlink()
    assert [each[0] for each in doubts(tmp_path)] == ["tail-later"]


def test_a_tail_that_somebody_removes_is_made_again(tmp_path: Path) -> None:
    tail = Tail(tmp_path, "w")
    tail.write("heads/w", head(2))
    (tmp_path / "tail-w").unlink()
    tail.write("heads/w", head(3))
    tail.close()
    assert [*Outpost(tmp_path).tails()] == [("heads/w", head(3))]
    assert [*Outpost(tmp_path).doubts()] == []


def test_a_doubt_says_which_file_it_is_about(tmp_path: Path) -> None:
    path = kept(tmp_path)
    path.write_bytes(b"")
    assert [*Outpost(tmp_path).doubts()] == [Doubt(str(path), "heads/w", "cannot be read")]
