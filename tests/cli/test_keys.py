"""`punto key`, as a person types it: on a floor that is closed, and on one that is open."""

import re
import tempfile
from pathlib import Path

import pytest
from tests.cli.served import PATIENCE_S, free_port, serving
from tests.cli.shell import Said, punto
from tests.floor.test_signer import answering

from punto.floor import Keys
from punto.floor.ownership import KEY_FENCE
from punto.store import open_store


def made(home: Path, *more: str) -> Path:
    (home / "password").write_text("a password of some length\n")
    said = punto(
        *("init", "marina", "--manager", "Ann Tan", "--password-file", "password", "--games", "tiger"),
        *("--port", str(free_port()), *more),
        cwd=home,
    )
    assert said.status == 0, said.err
    return home


def audited(home: Path, key: str) -> Said:
    return punto("audit", "marina/floor.db", "--key", key, cwd=home)


def test_a_floor_that_is_open_stops_when_its_key_is_rotated_and_opens_with_the_new_one(tmp_path: Path) -> None:
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
    former = audited(home, "marina-keys/floor.key")
    assert former.status == 1
    assert "(unknown-key)" in former.out
    note = punto("audit", "marina/floor.db", "--head", "marina-checkpoints/checkpoint", cwd=home)
    assert "signed with the key of what was kept outside" in note.out


def test_a_rotation_is_refused_in_one_line_or_finished_when_it_was_cut_short(tmp_path: Path) -> None:
    home = made(tmp_path)

    def rotate(*more: str) -> Said:
        return punto("key", "rotate", "marina/floor.toml", *more, cwd=home)

    Keys.at(home / "other.key")
    for refused, why in (
        (rotate("--new-key", "other.key"), "lacks what opens sealed shoes"),
        (rotate("--new-key", "new.key", "--by", " "), "must be named"),
        (rotate("--new-key", "no/new.key"), "the key cannot be written"),
        (rotate("--new-key", "new.key", "--key", "x"), "only where it has a signer"),
        (rotate("--new-key", "marina-keys/floor.key"), "lacks what opens"),
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
    (home / "marina" / "floor.toml").write_text(text.replace("../marina-keys/floor.key", "../new.key"))
    assert rotate("--new-key", "new.key").status == 2
    assert rotate("--new-key", "third.key").status == 0
    assert audited(home, "third.key").status == 0
    assert (home / "third.key").read_text().count("former ") == 2
    store = open_store(str(home / "marina" / "floor.db"))
    assert store.epoch(KEY_FENCE) % 2 == 0
    store.close()


def test_a_signer_is_stopped_before_its_key_is_rotated() -> None:
    with tempfile.TemporaryDirectory(prefix="punto-") as name:
        home = made(Path(name), "--signer")
        keys = home / "marina-keys"
        rotation = ("key", "rotate", "marina/floor.toml", "--new-key", "new.key")
        with answering(keys, "signer.sock"):
            refused = punto(*rotation, "--key", "marina-keys/signing.key", cwd=home)
            assert (refused.status, refused.err.count("\n")) == (2, 1)
            assert "stop it first, nothing was changed" in refused.err
        assert "expected --key with the old signing key" in punto(*rotation, cwd=home).err
        assert punto(*rotation, "--key", "marina-keys/signing.key", cwd=home).status == 0
        split = ("key", "split", "new.key", "--signing", "s.key", "--sealing", "marina-keys/new.key")
        assert punto(*split, cwd=home).status == 0
        assert punto(*split, cwd=home).status == 2
        assert punto("key", "public", "s.key", cwd=home).out.strip() == Keys.at(home / "new.key").public
        assert audited(home, "s.key").status == 0


@pytest.mark.parametrize("arguments", [["--key-file", "a", "--key-env", "B"], ["--key-env", "NO_SUCH"], []])
def test_a_signer_without_a_key_is_refused_in_one_line(arguments: list[str]) -> None:
    said = punto("signer", "--socket", "s", *arguments)
    assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
