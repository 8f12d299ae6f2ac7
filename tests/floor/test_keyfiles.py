"""Where a key comes from: a file, a variable, a command. Whatever goes wrong, no line ever shows the secret."""

import sys
import time
from pathlib import Path

import pytest
from tests.children import run

from punto.errors import UnreadableFile, UnwritableFile
from punto.floor import keyfiles
from punto.floor.keyfiles import KeySource, KeyText, Kind, is_read_by_others, make_new_key_file, parse_key
from punto.floor.keys import Keys, sealing_in, signer_in, split

SECRET = bytes(range(32))
FORMER = (b"\x11" * 32, b"\x22" * 32)
TEXT = KeyText(Kind.WHOLE, SECRET, "ab" * 32, FORMER)
HEX = SECRET.hex()


def test_a_text_reads_as_it_was_written(tmp_path: Path) -> None:
    make_new_key_file(tmp_path / "a.key", TEXT)
    assert (tmp_path / "a.key").stat().st_mode & 0o077 == 0
    assert KeySource(file=str(tmp_path / "a.key")).read(Kind.WHOLE) == TEXT
    assert [path.name for path in tmp_path.iterdir()] == ["a.key"]
    with pytest.raises(UnwritableFile, match="already exists"):
        make_new_key_file(tmp_path / "a.key", TEXT)
    assert HEX not in repr(TEXT)
    assert HEX not in repr(Keys.from_text(TEXT))


_KILLED = """
import os, signal, sys
from pathlib import Path
from punto.floor.keyfiles import KeyText, Kind, make_new_key_file
os.fsync = lambda number: os.kill(os.getpid(), signal.SIGKILL)
make_new_key_file(Path(sys.argv[1]), KeyText(Kind.WHOLE, bytes(32)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only there a file needs no name")
def test_a_process_that_is_killed_while_it_writes_a_key_leaves_nothing_of_it(tmp_path: Path) -> None:
    assert run([sys.executable, "-c", _KILLED, str(tmp_path / "n.key")]).returncode < 0
    assert list(tmp_path.iterdir()) == []


def test_a_key_is_written_where_files_need_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyfiles, "_OWN", "/no/such/folder/{}")
    make_new_key_file(tmp_path / "a.key", TEXT)
    assert KeySource(file=str(tmp_path / "a.key")).read(Kind.WHOLE) == TEXT
    assert [path.name for path in tmp_path.iterdir()] == ["a.key"]


def test_the_halves_of_a_key_are_the_key(tmp_path: Path) -> None:
    signing, sealing = split(TEXT)
    whole = Keys.from_text(TEXT)
    assert signer_in(signing).public == whole.public == signer_in(TEXT).public
    assert sealing_in(sealing) == whole.sealing == sealing_in(TEXT)
    assert signing.first == sealing.first == TEXT.first
    assert sealing.former == FORMER
    make_new_key_file(tmp_path / "sealing.key", sealing)
    with pytest.raises(UnreadableFile, match="holds a 'punto sealing key 1': expected 'punto key 1'"):
        Keys.at(tmp_path / "sealing.key")


@pytest.mark.parametrize("printed", [HEX, f"{HEX}\n", TEXT.written()])
def test_a_variable_and_a_command_give_a_line_or_the_whole_text(monkeypatch: pytest.MonkeyPatch, printed: str) -> None:
    monkeypatch.setenv("FLOOR_KEY", printed)
    found = KeySource(variable="FLOOR_KEY").read(Kind.WHOLE)
    assert (found.kind, found.secret) == (Kind.WHOLE, SECRET)
    echo = (sys.executable, "-S", "-c", "import sys; print(sys.argv[1], end='')", printed)
    assert KeySource(command=echo).read(Kind.WHOLE) == found


def test_a_command_is_run_without_a_shell(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be run"):
        KeySource(command=(f"echo {HEX}; touch {tmp_path}/made",)).read(Kind.WHOLE)
    assert not (tmp_path / "made").exists()


WRONG = {
    "a command that is not there": (("no-such-client",), "'no-such-client': cannot be run"),
    "a command that fails": (("sh", "-c", f"echo {HEX}; echo {HEX} >&2; exit 3"), "ended with status 3"),
    "a command that prints two keys": (("printf", f"{HEX}\\n{HEX}\\n"), "not a floor's key"),
    "a command that prints nothing": (("true",), "not a floor's key"),
    "a command that prints a longer key": (("printf", f"{HEX}00"), "not a floor's key"),
    "a command that prints a strange line": (("printf", f"punto key 1\\n{HEX}\\nformer {HEX}x\\n"), "line 3"),
    "a command that prints half a key": (
        ("printf", f"punto signing key 1\\n{HEX}\\n"),
        "holds a 'punto signing key 1'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_key_is_told_in_one_line_without_the_secret(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    command, said = WRONG[name]
    with pytest.raises(UnreadableFile) as refused:
        KeySource(command=command).read(Kind.WHOLE)
    assert said in refused.value.message
    assert "\n" not in refused.value.message
    assert HEX not in refused.value.message + "".join(capfd.readouterr())


def test_a_command_has_a_deadline_even_if_its_children_hold_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyfiles, "COMMAND_S", 0.1)
    began = time.monotonic()
    with pytest.raises(UnreadableFile, match=r"printed no key within 0\.1 s"):
        KeySource(command=("sh", "-c", "sleep 3 & wait")).read(Kind.WHOLE)
    assert time.monotonic() - began < 2.5


def test_a_variable_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLOOR_KEY", raising=False)
    with pytest.raises(UnreadableFile, match="FLOOR_KEY: is not in the environment"):
        KeySource(variable="FLOOR_KEY").read(Kind.WHOLE)
    monkeypatch.setenv("FLOOR_KEY", f"x{HEX}")
    with pytest.raises(UnreadableFile) as refused:
        KeySource(variable="FLOOR_KEY").read(Kind.WHOLE)
    assert HEX not in refused.value.message


@pytest.mark.parametrize("lines", ["former", "first ab", f"first {HEX}\nfirst {HEX}", f"former {HEX}\nfirst {HEX}", ""])
def test_lines_that_no_key_has_are_refused(lines: str) -> None:
    with pytest.raises(UnreadableFile):
        parse_key(f"punto key 1\n{HEX}\n{lines}\n\n{lines or 'x'}\n", "here", Kind.WHOLE)


def test_a_key_that_others_can_read_is_noticed(tmp_path: Path) -> None:
    key = tmp_path / "floor.key"
    assert not is_read_by_others("")
    assert not is_read_by_others(str(key))
    Keys.at(key)
    assert not is_read_by_others(str(key))
    key.chmod(0o644)
    assert is_read_by_others(str(key))
