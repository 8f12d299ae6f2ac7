"""`punto program`: what it prints, and its exit status."""

import json
from pathlib import Path

import pytest
from tests.cli.shell import punto, refusal
from tests.program.laid import Laid

from punto.program import MANIFEST, Interpreter


@pytest.fixture
def laid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Laid:
    """A small program, which the command takes for the one that runs it."""
    laid = Laid(tmp_path / "laid")
    here = laid.interpreter()
    monkeypatch.setattr(Interpreter, "here", classmethod(lambda _: here))
    return laid


def test_a_release_that_is_whole_has_status_0(laid: Laid) -> None:
    root = laid.release().root
    said = punto("program")
    assert (said.status, said.err) == (0, "")
    first, second, *rest = said.out.splitlines()
    assert first.endswith(": the program is that of the release that is installed")
    assert second == f"  root {root}"
    said_so = "".join("".join(rest).split())  # a long path is broken anywhere
    assert said_so.startswith(f"7filesof{laid.site}/punto,1dependency,Python3.".replace(" ", ""))


def test_a_release_that_was_changed_has_status_1_and_a_line_for_each_file(laid: Laid) -> None:
    laid.release()
    laid.write("punto/pay.py", "ODDS = 2\n")
    laid.write("punto/more.py", "")
    said = punto("program", "--only-punto")
    assert said.status == 1
    assert said.out.splitlines()[:2] == ["added      punto/more.py", "changed    punto/pay.py"]
    assert "2 differences from the release that is installed" in said.out
    told = json.loads(punto("program", "--only-punto", "--json").out)
    assert told["verdict"] == "different"
    assert told["differences"] == [
        {"path": "punto/more.py", "word": "added", "said": ""},
        {"path": "punto/pay.py", "word": "changed", "said": ""},
    ]


@pytest.mark.usefixtures("laid")
def test_without_a_release_it_says_so_with_status_2() -> None:
    said = punto("program", "--only-punto")
    assert said.status == 2
    assert "this is no release of Punto, and has no manifest" in said.out
    assert json.loads(punto("program", "--only-punto", "--json").out)["verdict"] == "no-release"


def test_a_kept_manifest_and_a_kept_digest_find_a_release_that_was_made_to_fit(laid: Laid, tmp_path: Path) -> None:
    root = laid.release().root
    kept, lines = tmp_path / "kept.json", tmp_path / "kept.txt"
    kept.write_bytes((laid.site / MANIFEST).read_bytes())
    lines.write_text(punto("program", "--list").out)
    for against in (("--release", str(kept)), ("--release", str(lines)), ("--digest", root)):
        assert punto("program", "--only-punto", *against).status == 0, against
    laid.write("punto/pay.py", "ODDS = 2\n")
    laid.release()
    assert punto("program", "--only-punto").status == 0
    for name in (kept, lines):
        said = punto("program", "--only-punto", "--release", str(name))
        assert (said.status, said.out.splitlines()[0]) == (1, "changed    punto/pay.py")
    said = punto("program", "--only-punto", "--digest", root)
    assert (said.status, said.out.splitlines()[0]) == (1, f"changed    punto: its root is not {root}")


def test_a_digest_alone_is_enough_to_compare_with(laid: Laid) -> None:
    root = laid.release().root
    (laid.site / MANIFEST).unlink()
    assert punto("program", "--only-punto", "--digest", root).status == 0


def test_the_list_in_json_is_a_manifest_with_python_and_the_dependencies(laid: Laid, tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text(punto("program", "--list", "--json").out)
    assert punto("program", "--release", str(tmp_path / "kept.json")).status == 0
    laid.distribute("click", {})
    said = punto("program", "--release", str(tmp_path / "kept.json"))
    assert "click: 8.0 has other files than before" in said.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--digest", "12"),
        ("--digest", "0" * 64, "--release", "x"),
        ("--release", "no-such-file"),
        ("--release", __file__),
        ("--list", "--digest", "0" * 64),
    ],
)
def test_what_cannot_be_compared_with_is_refused(arguments: tuple[str, ...]) -> None:
    refusal(lambda *more: punto("program", *more), *arguments)  # type: ignore[arg-type]
