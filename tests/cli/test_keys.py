"""`punto key`, as a person types it: on a floor that is closed, and on one that is open."""

import re
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.cli.served import PATIENCE_S, free_port, serving
from tests.cli.shell import Said, punto
from tests.floor.floors import START_MS, House
from tests.floor.keeping_server import keeping_server
from tests.floor.liar import Liar, short
from tests.floor.test_signer import answering

from punto.errors import OutcomeUnknown, PuntoError, StoreGone
from punto.floor import Keys
from punto.floor.ownership import KEY_FENCE
from punto.floor.sequencer import Sequencer
from punto.proof.headlog import open_checkpoint
from punto.proof.rotations import KEYS as KEYS_STREAM
from punto.store import SqliteStore, open_store

__all__ = ["short"]


def made(home: Path, key: str = "floor.key", more: str = "") -> Path:
    """A floor with one table that has played a round, and a folder outside."""
    (home / "marina").mkdir()
    keys = Keys.at(home / "floor.key")
    with closing(SqliteStore(home / "marina" / "floor.db")) as store:
        Sequencer(House(store, keys).round_only().floor.history, [home / "outside"]).checkpoint(START_MS)
    (home / "marina" / "floor.toml").write_text(
        f'store = "floor.db"\nkey-file = "../{key}"\ncheckpoints = ["../outside"]\nport = {free_port()}\n{more}'
        '[[table]]\nkey = "T2"\ngame = "fortune-six"\n'
    )
    return home


def audited(home: Path, key: str) -> Said:
    return punto("audit", "marina/floor.db", "--key", key, cwd=home)


def test_a_floor_that_is_open_stops_when_its_key_is_rotated(tmp_path: Path) -> None:
    home = made(tmp_path)
    with serving("marina/floor.toml", cwd=home) as floor:
        said = punto("key", "rotate", "marina/floor.toml", "--new-key", "new.key", "--by", "Greta", cwd=home)
        assert (said.status, said.err) == (0, "")
        assert Keys.at(home / "new.key").public in said.out
        assert floor.process.wait(PATIENCE_S) == 2
    told = [line for line in floor.said.splitlines() if line.startswith("punto: ")]
    assert [re.search("the floor's key was rotated by Greta.*open the floor with that one", line) for line in told]
    assert len(told) == 1
    assert "Traceback" not in floor.said
    assert audited(home, "new.key").status == 0
    former = audited(home, "floor.key")
    assert former.status == 1
    assert "(unknown-key)" in former.out
    note = punto("audit", "marina/floor.db", "--head", "outside/checkpoint", cwd=home)
    assert "the key that signed what was kept outside, outside/checkpoint" in " ".join(note.out.split())
    assert "Greta rotated the floor's key from" in " ".join(note.out.split())


def test_a_copy_from_before_a_rotation_opens_with_the_former_key_and_is_rotated_to_the_same_one(tmp_path: Path) -> None:
    home = made(tmp_path)
    file, store = home / "marina" / "floor.toml", home / "marina" / "floor.db"
    assert punto("backup", "marina/floor.db", "copy.db", cwd=home).status == 0
    rotation = ("key", "rotate", "marina/floor.toml", "--new-key", "new.key", "--by", "Greta")
    rotated = punto(*rotation, cwd=home)
    assert "Make a new backup now: copies from before the rotation open only with the former key" in rotated.out
    assert "Destroy the former key once no such copy is kept" in rotated.out
    with_former = file.read_text()
    with_new = with_former.replace("../floor.key", "../new.key")
    store.unlink()
    (home / "copy.db").rename(store)
    accept = ("accept", "marina/floor.toml", "--by", "Greta", "--reason", "the disk was lost")
    file.write_text(with_new)
    refused = punto(*accept, cwd=home)
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "bring that key; if the key was rotated after this copy was made, it is the former one" in refused.err
    file.write_text(with_former)
    assert punto(*accept, cwd=home).status == 0
    assert punto(*rotation, cwd=home).status == 0
    file.write_text(with_new)
    assert audited(home, "new.key").status == 0
    assert punto("repair", "marina/floor.toml", cwd=home).status == 0


def test_a_rotation_is_refused_in_one_line_or_finished_when_it_was_cut_short(tmp_path: Path) -> None:
    home = made(tmp_path)

    def rotate(*more: str) -> Said:
        return punto("key", "rotate", "marina/floor.toml", "--by", "Greta", *more, cwd=home)

    unnamed = punto("key", "rotate", "marina/floor.toml", "--new-key", "new.key", cwd=home)
    assert (unnamed.status, unnamed.err.count("\n"), "--by" in unnamed.err) == (2, 1, True)

    Keys.at(home / "other.key")
    for refused, why in (
        (rotate("--new-key", "other.key"), "no rotation of this floor made this key"),
        (rotate("--new-key", "new.key", "--by", " "), "names nobody"),
        (rotate("--new-key", "new.key", "--by", "Greta\x1b[2J"), "expected one line without control characters"),
        (rotate("--new-key", "no/new.key"), "the key cannot be written"),
        (rotate("--new-key", "new.key", "--key", "x"), "only where it has a signer"),
        (rotate("--new-key", "floor.key"), "no rotation of this floor made"),
    ):
        assert (refused.status, refused.err.count("\n")) == (2, 1)
        assert why in refused.err
    assert not (home / "new.key").exists()
    assert rotate("--new-key", "new.key").status == 0
    store = open_store(str(home / "marina" / "floor.db"))
    store.claim(KEY_FENCE)  # as if the last step were missing
    store.close()
    assert rotate("--new-key", "new.key").status == 0
    text = (home / "marina" / "floor.toml").read_text()
    (home / "marina" / "floor.toml").write_text(text.replace("../floor.key", "../new.key"))
    assert rotate("--new-key", "new.key").status == 2
    assert rotate("--new-key", "third.key").status == 0
    assert audited(home, "third.key").status == 0
    assert (home / "third.key").read_text().count("former ") == 2
    store = open_store(str(home / "marina" / "floor.db"))
    assert store.epoch(KEY_FENCE) % 2 == 0
    store.close()


def run_out(monkeypatch: pytest.MonkeyPatch, after: int, error: PuntoError) -> list[str]:
    """Have stores take so many writings and refuse all others; what they were asked to write."""
    asked: list[str] = []

    def refusing(name: str) -> None:
        write = getattr(SqliteStore, name)

        def asks(store: SqliteStore, what: Any, *given: Any) -> Any:  # noqa: ANN401 (as the store has it)
            what = what if isinstance(what, str) else [*what]
            asked.append("rotation" if any(row[0] == KEYS_STREAM for row in what) else name)
            if len(asked) > after:
                raise error.anew()
            return write(store, what, *given)

        monkeypatch.setattr(SqliteStore, name, asks)

    for name in ("append", "claim", "keep"):
        refusing(name)
    return asked


def test_whatever_fails_after_a_rotation_is_durable_says_that_it_is_on_record_and_is_finished_by_the_same_command(
    tmp_path: Path,
) -> None:
    full = StoreGone("floor.db: there is no more room (database or disk is full): nothing was written")
    after, told = 0, []
    while True:
        home = tmp_path / str(after)
        home.mkdir()
        rotate = ("key", "rotate", "marina/floor.toml", "--new-key", "new.key", "--by", "Greta")
        made(home)
        with pytest.MonkeyPatch.context() as patch:
            asked = run_out(patch, after, full)
            said = punto(*rotate, cwd=home)
        if said.status == 0:
            break
        assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
        assert "there is no more room (database or disk is full)" in said.err
        on_record = "rotation" in asked[:after]
        assert ("the rotation is on record: keep new.key, make room" in said.err) == on_record
        assert ("nothing was written" in said.err) == (not on_record)
        assert ("no floor opens on this store" in said.err) == (asked[after] == "rotation"), "the fence stands"
        told.append(on_record)
        again = punto(*rotate, cwd=home)
        assert (again.status, again.err) == (0, "")
        assert audited(home, "new.key").status == 0
        note = (home / "outside" / "checkpoint").read_bytes()
        assert open_checkpoint(note, (Keys.at(home / "new.key").public,))
        after += 1
    assert told == sorted(told)
    assert told.count(True) >= 3, "the fence, a checkpoint's claim, and the checkpoint itself"


def test_a_rotation_of_which_nobody_knows_whether_it_was_written_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = made(tmp_path)
    rotate = ("key", "rotate", "marina/floor.toml", "--new-key", "new.key", "--by", "Greta")
    with monkeypatch.context() as patch:
        asked = run_out(patch, 1, OutcomeUnknown("floor.db: the answer was lost"))
        said = punto(*rotate, cwd=home)
    assert asked == ["claim", "rotation", "claim"]
    assert (said.status, said.err.count("\n")) == (2, 1)
    assert "it is not known whether the rotation is on record: keep new.key, and run the same command again" in said.err
    assert punto(*rotate, cwd=home).status == 0


def test_a_rotation_asks_addresses_as_well_as_folders_and_takes_its_checkpoint_there(tmp_path: Path) -> None:
    home = made(tmp_path)
    file = home / "marina" / "floor.toml"
    rotate = ("key", "rotate", "marina/floor.toml", "--by", "Greta", "--new-key")
    with keeping_server() as keeping:
        file.write_text(file.read_text().replace('["../outside"]', f'["{keeping.url}"]'))
        (home / "another").mkdir()
        keeping.note = (made(home / "another") / "outside" / "checkpoint").read_bytes()
        shutil.rmtree(home / "another")
        refused = punto(*rotate, "new.key", cwd=home)
        assert (refused.status, f"{keeping.url}: holds no checkpoint of this floor" in refused.err) == (2, True)
        before = keeping.note = (home / "outside" / "checkpoint").read_bytes()
        done = punto(*rotate, "new.key", cwd=home)
        assert (done.status, done.err) == (0, "")
        assert keeping.note != before
        (home / "away").write_bytes(keeping.note or b"")
        assert punto("audit", "marina/floor.db", "--key", "new.key", "--head", "away", cwd=home).status == 0
        file.write_text(
            file.read_text()
            .replace("../floor.key", "../new.key")
            .replace(f'["{keeping.url}"]', f'["{keeping.url}", "../outside"]')
        )
        keeping.fails = 1
        late = punto(*rotate, "third.key", cwd=home)
        assert (late.status, late.err.count("\n"), "has not arrived" in late.err) == (0, 1, True)
    unanswered = file.read_text().replace("../new.key", "../third.key")
    file.write_text(unanswered)
    alone = punto(*rotate, "fourth.key", cwd=home)
    assert (alone.status, alone.err.count("\n")) == (0, 2)
    assert alone.err.startswith("punto: no checkpoint could be asked for: ")
    assert sorted(path.name for path in home.iterdir() if path.is_dir()) == ["marina", "outside"]
    assert not [path for path in (home / "marina").iterdir() if path.is_dir()]


def test_a_signer_is_stopped_before_its_key_is_rotated(short: Path) -> None:
    home = made(short, "sealing.key", 'signer = "../s"\n')
    split = ("key", "split", "floor.key", "--signing", "signing.key", "--sealing", "sealing.key")
    assert punto(*split, cwd=home).status == 0
    assert punto(*split, cwd=home).status == 2
    public = Keys.at(home / "floor.key").public
    assert punto("key", "public", "signing.key", cwd=home).out == f"{public}\n"
    rotation = ("key", "rotate", "marina/floor.toml", "--new-key", "new.key", "--by", "Greta")
    with Liar(home / "s", b'{"public":"%s"}\n' % public.encode()):
        refused = punto(*rotation, "--key", "signing.key", cwd=home)
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "stop it first, nothing was changed" in refused.err
    assert "expected --key with the old signing key" in punto(*rotation, cwd=home).err
    assert punto(*rotation, "--key", "signing.key", cwd=home).status == 0
    assert audited(home, "new.key").status == 0


def test_a_decision_says_what_to_tell_the_signer(short: Path) -> None:
    home = made(short, "sealing.key", 'signer = "../s"\n')
    split = ("key", "split", "floor.key", "--signing", "signing.key", "--sealing", "sealing.key")
    assert punto(*split, cwd=home).status == 0
    shutil.rmtree(home / "outside")
    with answering(home):
        said = punto("accept", "marina/floor.toml", "--by", "Greta", "--reason", "the folder is lost", cwd=home)
    assert (said.status, said.err) == (0, "")
    assert "stop the signer, move its file of what it signed last (--state) away, and start it again" in said.out


@pytest.mark.parametrize("arguments", [["--key-file", "a", "--key-env", "B"], ["--key-env", "NO_SUCH"], []])
def test_a_signer_without_a_key_is_refused_in_one_line(arguments: list[str]) -> None:
    said = punto("signer", "--socket", "s", *arguments)
    assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
