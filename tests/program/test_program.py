"""The check of the program: whatever is not as in the release is named, and what is fine is not."""

import hashlib
import marshal
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from types import CodeType

import pytest
from msgspec.structs import replace
from tests.marks import by_day
from tests.program.laid import Laid, copied, shown

from punto.program import MANIFEST, Interpreter, Reference, check, compare, measure, read_manifest, text_of
from punto.program.disk import digest_of

Tampering = Callable[[Laid], object]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Laid:
    """A release that pip has installed and compiled."""
    laid = Laid(tmp_path_factory.mktemp("installed"))
    laid.release()
    laid.compile()
    return laid


@pytest.fixture
def laid(installed: Laid, tmp_path: Path) -> Laid:
    """The same, to be tampered with."""
    return copied(installed, tmp_path / "laid")


def flip(path: Path) -> None:
    """Change one byte, and keep size and time."""
    status = path.stat()
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def recompile(laid: Laid, name: str, code: CodeType) -> None:
    """Put other code into a compiled file, under the stamp that it had."""
    path = laid.compiled(name)
    path.write_bytes(path.read_bytes()[:16] + marshal.dumps(code))


def of(text: str) -> CodeType:
    return compile(text, "x.py", "exec", dont_inherit=True)


def link(laid: Laid) -> None:
    path = laid.site / "punto/py.typed"
    path.rename(laid.site.parent / "elsewhere")
    path.symlink_to(laid.site.parent / "elsewhere")


def pipe(laid: Laid) -> None:
    path = laid.site / "punto/py.typed"
    path.unlink()
    os.mkfifo(path)


def test_a_release_as_it_was_installed_is_the_same(laid: Laid) -> None:
    found = laid.check()
    assert (found.verdict, found.differences, found.against) == ("same", (), "release")
    assert found.release == found.measured.root
    assert found.measured.beside.keys() == {"click", "python"}


TAMPERED: dict[str, tuple[Tampering, str]] = {
    "a byte of a source": (lambda laid: flip(laid.site / "punto/pay.py"), "changed punto/pay.py"),
    "a byte of a page": (
        lambda laid: flip(laid.site / "punto/server/pages/assets/index-1.js"),
        "changed punto/server/pages/assets/index-1.js",
    ),
    "a constant in a compiled file": (
        lambda laid: recompile(laid, "punto/rules/deal.py", of("DECKS = 6\n")),
        f"compiled punto/rules/__pycache__/deal.{sys.implementation.cache_tag}.pyc",
    ),
    "a constant of another kind in a compiled file": (
        lambda laid: recompile(laid, "punto/rules/deal.py", of("DECKS = 8.0\n")),
        f"compiled punto/rules/__pycache__/deal.{sys.implementation.cache_tag}.pyc",
    ),
    "a function in a compiled file": (
        lambda laid: recompile(
            laid,
            "punto/pay.py",
            of((laid.site / "punto/pay.py").read_text().replace("stake * ODDS[0]", "stake + ODDS[0]")),
        ),
        f"compiled punto/__pycache__/pay.{sys.implementation.cache_tag}.pyc",
    ),
    "garbage in a compiled file": (
        lambda laid: laid.compiled("punto/pay.py").write_bytes(
            laid.compiled("punto/pay.py").read_bytes()[:16] + b"\xe3" + b"\xff" * 200
        ),
        f"compiled punto/__pycache__/pay.{sys.implementation.cache_tag}.pyc",
    ),
    "a compiled file that is half there": (
        lambda laid: laid.compiled("punto/pay.py").write_bytes(laid.compiled("punto/pay.py").read_bytes()[:60]),
        f"compiled punto/__pycache__/pay.{sys.implementation.cache_tag}.pyc",
    ),
    "a module more": (lambda laid: laid.write("punto/more.py", ""), "added punto/more.py"),
    "a compiled module without a source": (lambda laid: laid.write("punto/more.pyc", b"x"), "added punto/more.pyc"),
    "a library that is imported before a source": (
        lambda laid: laid.write("punto/pay.so", b"\x7fELF"),
        "added punto/pay.so",
    ),
    "something among compiled files": (
        lambda laid: laid.write("punto/__pycache__/pay.py", ""),
        "added punto/__pycache__/pay.py",
    ),
    "a file less": (lambda laid: (laid.site / "punto/rules/deal.py").unlink(), "missing punto/rules/deal.py"),
    "a page less": (
        lambda laid: (laid.site / "punto/server/pages/index.html").unlink(),
        "missing punto/server/pages/index.html",
    ),
    "a link in place of a file": (
        link,
        "link punto/py.typed",
    ),
    "a folder that is a link": (
        lambda laid: (laid.site / "punto/side").symlink_to(laid.site / "click"),
        "link punto/side",
    ),
    "a pipe in place of a file": (
        pipe,
        "unreadable punto/py.typed",
    ),
    "a dependency": (lambda laid: flip(laid.site / "click/core.py"), "changed click/core.py"),
    "a dependency's compiled file": (
        lambda laid: recompile(laid, "click/core.py", of("x = 1\n")),
        f"compiled click/__pycache__/core.{sys.implementation.cache_tag}.pyc",
    ),
    "a file of a dependency less": (lambda laid: (laid.site / "click/core.py").unlink(), "missing click/core.py"),
    "a library beside a dependency's source": (
        lambda laid: laid.write("click/core.so", b"\x7fELF"),
        "added click/core.so",
    ),
    "a link to a folder among dependencies": (
        lambda laid: (laid.site / "click/side").symlink_to(laid.site.parent),
        "added click/side",
    ),
    "a link to a folder beside dependencies": (
        lambda laid: (laid.site / "msgspec").symlink_to(laid.site.parent),
        "added msgspec",
    ),
    "a module that no distribution has": (lambda laid: laid.write("msgspec.py", ""), "added msgspec.py"),
    "a line that Python runs when it starts": (
        lambda laid: laid.write("more.pth", "import os; os.environ['X'] = 'x'\n"),
        "before more.pth",
    ),
    "a sitecustomize": (lambda laid: laid.write("sitecustomize.py", ""), "before sitecustomize.py"),
    "a usercustomize": (lambda laid: laid.write("usercustomize/__init__.py", ""), "before usercustomize"),
    "the manifest": (lambda laid: flip(laid.site / MANIFEST), f"changed {MANIFEST}"),
}


BY_DAY = (
    *("a byte of a source", "a byte of a page", "a constant in a compiled file", "garbage in a compiled file"),
    *("a module more", "a library that is imported before a source", "a file less", "a link in place of a file"),
    *("a dependency", "a dependency's compiled file", "a library beside a dependency's source"),
    *("a line that Python runs when it starts", "a sitecustomize", "the manifest"),
)


@pytest.mark.parametrize("tampering", by_day(TAMPERED, BY_DAY))
def test_what_is_tampered_with_is_named(laid: Laid, tampering: str) -> None:
    tamper, said = TAMPERED[tampering]
    tamper(laid)
    found = laid.check()
    assert found.verdict == "different"
    assert said in [shown(laid, each) for each in found.differences]


@pytest.mark.parametrize("tampering", ["a byte of a page", "a module more", "a sitecustomize"])
def test_what_is_tampered_with_is_named_alone(laid: Laid, tampering: str) -> None:
    tamper, said = TAMPERED[tampering]
    tamper(laid)
    assert laid.said(whole=False) == [said]


def test_a_file_that_nobody_may_read_is_named_and_not_missing(laid: Laid, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: str, algorithm: str) -> bytes:
        if path.endswith("pay.py"):
            raise PermissionError(13, "Permission denied")
        return hashlib.new(algorithm, Path(path).read_bytes()).digest()

    monkeypatch.setattr("punto.program.disk._read_once", refused)
    [difference] = laid.check(whole=False).differences
    assert str(difference) == "unreadable punto/pay.py: Permission denied"


def test_a_file_that_changes_while_it_is_read_is_named(laid: Laid, monkeypatch: pytest.MonkeyPatch) -> None:
    path, read = laid.site / "punto/pay.py", os.read

    def grows(descriptor: int, size: int) -> bytes:
        if os.path.sameopenfile(descriptor, kept.fileno()):
            with path.open("a") as file:
                file.write("#\n")
        return read(descriptor, size)

    with path.open() as kept:
        monkeypatch.setattr("punto.program.disk.os.read", grows)
        found = laid.said(whole=False)
    assert "unsteady punto/pay.py" in found
    assert "missing punto/pay.py" not in found


def test_a_name_that_is_no_text_or_breaks_lines_is_spelled_out(laid: Laid) -> None:
    (Path(os.fsdecode(os.fsencode(laid.site) + b"/punto/\xff.py"))).write_bytes(b"")
    (laid.site / "punto" / "a\nb.py").write_bytes(b"")
    assert laid.said(whole=False) == ["added punto/\\xff.py", "added punto/a\\nb.py"]


def test_a_name_that_is_written_in_other_letters_is_named_with_both(laid: Laid) -> None:
    (laid.site / "punto/py.typed").rename(laid.site / "punto/PY.typed")
    assert [str(each) for each in laid.check(whole=False).differences] == [
        "added      punto/PY.typed",
        "missing    punto/py.typed: there it is spelled punto/PY.typed",
    ]


def test_two_files_never_have_the_lines_of_one_with_a_break_in_its_name(laid: Laid) -> None:
    before = measure(laid.interpreter(), whole=False)
    first, second = laid.site / "punto/__init__.py", laid.site / "punto/pay.py"
    line = hashlib.sha256(second.read_bytes()).hexdigest()
    name = f"__init__.py\n{line}  punto"
    second.unlink()
    (laid.site / "punto" / name).mkdir()
    first.rename(laid.site / "punto" / name / "pay.py")
    shutil.rmtree(laid.site / "punto" / "__pycache__")
    assert measure(laid.interpreter(), whole=False).root != before.root


# Compiled files


def stale(laid: Laid) -> None:
    recompile(laid, "punto/pay.py", of("x = 1\n"))
    path = laid.site / "punto/pay.py"
    os.utime(path, (1, 1))


def of_another_python(laid: Laid) -> None:
    path = laid.compiled("punto/pay.py")
    path.write_bytes(b"\0\0\r\n" + path.read_bytes()[4:])


def orphaned(laid: Laid) -> None:
    laid.compiled("punto/gone.py").write_bytes(laid.compiled("punto/pay.py").read_bytes())


def moved(laid: Laid) -> None:
    code = compile((laid.site / "punto/pay.py").read_text(), "/somewhere/else.py", "exec", dont_inherit=True)
    recompile(laid, "punto/pay.py", code)


@pytest.mark.parametrize("harmless", [stale, of_another_python, orphaned, moved])
def test_a_compiled_file_that_python_does_not_use_or_that_says_the_same_is_fine(
    laid: Laid, harmless: Tampering
) -> None:
    harmless(laid)
    assert laid.said(whole=False) == []


@pytest.mark.parametrize(
    ("flags", "believes", "fits", "used"),
    [
        (0b01, "default", False, True),  # nobody looks at the source
        (0b11, "default", False, False),
        (0b11, "default", True, True),
        (0b11, "never", False, True),
        (0b01, "always", False, False),
    ],
)
def test_a_compiled_file_that_names_its_sources_digest_is_judged_as_python_takes_it(
    laid: Laid, flags: int, believes: str, fits: bool, used: bool
) -> None:
    digest = source_hash((laid.site / "punto/pay.py").read_bytes()) if fits else b"8 bytes!"
    header = MAGIC_NUMBER + struct.pack("<I", flags) + digest
    laid.compiled("punto/pay.py").write_bytes(header + marshal.dumps(of("x = 1\n")))
    found = laid.said(whole=False, believes=believes)
    assert found == [f"compiled punto/__pycache__/pay.{sys.implementation.cache_tag}.pyc"] * used


def test_optimized_files_are_compared_with_optimized_sources(laid: Laid) -> None:
    for level in (1, 2):
        path = laid.compiled("punto/pay.py")
        optimized = path.with_name(path.name.replace(".pyc", f".opt-{level}.pyc"))
        code = compile((laid.site / "punto/pay.py").read_text(), "x", "exec", dont_inherit=True, optimize=level)
        optimized.write_bytes(path.read_bytes()[:16] + marshal.dumps(code))
    assert laid.said(whole=False) == []
    optimized.write_bytes(path.read_bytes()[:16] + marshal.dumps(of("x = 1")))
    assert laid.said(whole=False) == [f"compiled punto/__pycache__/{optimized.name}"]


def test_compiled_files_that_are_kept_in_a_folder_of_their_own_are_looked_at_there(laid: Laid, tmp_path: Path) -> None:
    prefix = tmp_path / "cache"
    kept = Path(f"{prefix}{laid.site}/punto/pay.{sys.implementation.cache_tag}.pyc")
    kept.parent.mkdir(parents=True)
    kept.write_bytes(laid.compiled("punto/pay.py").read_bytes()[:16] + marshal.dumps(of("x = 1")))
    assert laid.said(whole=False, cache_prefix=str(prefix)) == [f"compiled {kept}"]


def test_a_compiled_file_that_crashes_its_reader_is_named_and_those_after_it_are_compared(
    laid: Laid, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from punto.program import comparing  # noqa: PLC0415

    crashing = tmp_path / "crashing.py"
    text = Path(comparing.__file__).read_text()
    loads = "code = marshal.loads(body)"
    assert loads in text
    crashing.write_text(
        text.replace(loads, f'if b"crash" in body:\n            import os; os.abort()\n        {loads}')
    )
    monkeypatch.setattr("punto.program.compiled.comparing", type("m", (), {"__file__": str(crashing)}))
    recompile(laid, "punto/__init__.py", of("x = 'crash'"))
    recompile(laid, "punto/pay.py", of("x = 'crash'"))
    recompile(laid, "punto/rules/deal.py", of("DECKS = 6\n"))
    said = [str(each).partition(": ")[2] for each in laid.check(whole=False).differences]
    assert said == ["reading it as Python reads it crashes"] * 2 + ["does not say what its source says"]


def test_a_compiled_file_whose_reading_does_not_end_is_named(
    laid: Laid, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "hanging.py").write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr("punto.program.compiled._PATIENCE_S", 0.05)
    monkeypatch.setattr("punto.program.compiled.comparing", type("m", (), {"__file__": str(tmp_path / "hanging.py")}))
    said = [str(each).partition(": ")[2] for each in laid.check(whole=False).differences]
    assert said == ["reading it as Python reads it does not end"] * 4


# What runs first


@pytest.mark.parametrize(
    ("name", "told", "said"),
    [
        ("LD_PRELOAD", "/opt/x.so", ["before LD_PRELOAD"]),
        ("PYTHONSTARTUP", "/opt/x.py", ["before PYTHONSTARTUP"]),
        ("PYTHONPATH", "{front}", ["before PYTHONPATH", "before {front}/click.py"]),
        ("PYTHONPATH", "{site}", []),
        ("PYTHONPATH", "/nowhere", []),
    ],
)
def test_what_the_environment_has_run_first_is_named(
    laid: Laid, tmp_path: Path, name: str, told: str, said: list[str]
) -> None:
    front = tmp_path / "front"
    front.mkdir()
    (front / "click.py").write_text("")
    (front / "another.py").write_text("")
    told = told.format(front=front, site=laid.site)
    path = (told, str(laid.site)) if name == "PYTHONPATH" else (str(laid.site),)
    found = laid.said(whole=False, environment={name: told}, path=path)
    assert sorted(found) == sorted(each.format(front=front) for each in said)


def test_a_script_beside_a_module_of_the_same_name_is_named_and_any_other_is_not(laid: Laid, tmp_path: Path) -> None:
    scripts = tmp_path / "bin"
    scripts.mkdir()
    (scripts / "punto").write_text("#!python")
    path = (str(scripts), str(laid.site))
    assert laid.said(whole=False, path=path) == []
    (scripts / "json.py").write_text("")
    assert laid.said(whole=False, path=path) == [f"before {scripts}/json.py"]


def test_modules_that_were_loaded_from_elsewhere_are_named(laid: Laid) -> None:
    assert laid.said(whole=False, strays=("/opt/punto/pay.py",)) == ["before /opt/punto/pay.py"]


def test_a_line_that_a_distribution_has_installed_is_fine_until_it_is_changed(laid: Laid) -> None:
    laid.distribute("more", {"more.pth": "import click\n"})
    laid.write("more.pth", "import click\n")
    assert laid.said() == []
    laid.write("more.pth", "import klick\n")
    assert laid.said(whole=False) == ["before more.pth"]


# Dependencies


def test_a_dependency_whose_record_was_changed_with_it_differs_from_what_was_measured_before(laid: Laid) -> None:
    first = laid.check().reference
    changed = {"click/__init__.py": "def echo(): ...\n", "click/core.py": "class Command: x = 1\n"}
    laid.write("click/core.py", changed["click/core.py"])
    laid.distribute("click", changed)
    assert laid.said() == []
    [difference] = laid.check(reference=first).differences
    assert str(difference) == "changed    click: 8.0 has other files than before"


def test_a_dependency_without_a_record_is_said_not_to_be_checked(laid: Laid) -> None:
    (laid.site / "click-8.0.dist-info/RECORD").unlink()
    assert "unchecked click 8.0" in laid.said()


def test_what_only_another_program_needs_is_not_looked_at(laid: Laid) -> None:
    laid.distribute("other", {"other.py": "x = 1\n"})
    laid.write("other.py", "x = 2\n")
    assert laid.said() == []


# What it is compared with


def test_without_a_release_and_a_former_measurement_there_is_nothing_to_compare_with(laid: Laid) -> None:
    (laid.site / MANIFEST).unlink()
    flip(laid.site / "punto/pay.py")
    assert laid.check().verdict == "no-release"


def test_without_a_release_the_former_measurement_counts(laid: Laid) -> None:
    (laid.site / MANIFEST).unlink()
    first = laid.check().reference
    found = laid.check(reference=first)
    assert (found.verdict, found.against) == ("same", "former")
    flip(laid.site / "punto/server/pages/index.html")
    assert laid.said(reference=first) == ["changed punto/server/pages/index.html"]


def test_a_release_whose_manifest_was_made_to_fit_differs_from_what_was_measured_before(laid: Laid) -> None:
    first = laid.check().reference
    flip(laid.site / "punto/pay.py")
    laid.compiled("punto/pay.py").unlink()
    laid.release()
    assert laid.said() == []
    assert laid.said(reference=first) == ["changed punto/pay.py"]


def test_another_release_is_not_compared_with_the_one_before(laid: Laid) -> None:
    first = laid.check().reference
    flip(laid.site / "punto/pay.py")
    laid.compiled("punto/pay.py").unlink()
    again = laid.release()
    assert first is not None
    older = replace(first, manifest=replace(first.manifest, version="0.0"))
    found = laid.check(reference=older)
    assert (found.differences, found.verdict) == ((), "same")
    assert found.reference == Reference(
        replace(again, version=found.measured.version, beside=found.measured.beside), release=True
    )


def test_without_a_release_another_version_differs_until_somebody_accepts_it(laid: Laid) -> None:
    (laid.site / MANIFEST).unlink()
    first = laid.check().reference
    assert first is not None
    older = replace(first, manifest=replace(first.manifest, version="0.0"))
    flip(laid.site / "punto/server/pages/index.html")
    found = laid.check(reference=older)
    assert (found.verdict, found.reference) == ("different", older)


def test_what_is_compared_with_later_is_what_was_measured_first_and_never_what_ran_last(laid: Laid) -> None:
    (laid.site / MANIFEST).unlink()
    first = laid.check().reference
    flip(laid.site / "punto/server/pages/index.html")
    for _ in range(2):
        found = laid.check(reference=first)
        assert (found.verdict, found.reference) == ("different", first)
    flip(laid.site / "punto/server/pages/index.html")
    assert laid.check(reference=first).verdict == "same"


def test_a_release_that_was_changed_before_its_first_check_is_right_again_once_it_is_as_its_manifest_says(
    laid: Laid,
) -> None:
    release = laid.release()
    flip(laid.site / "punto/server/pages/index.html")
    found = laid.check()
    assert found.verdict == "different"
    assert found.reference is not None
    assert (found.reference.release, found.reference.manifest.files) == (True, release.files)
    flip(laid.site / "punto/server/pages/index.html")
    assert laid.said(reference=found.reference) == []


def test_a_manifest_that_comes_later_counts_for_the_files_and_what_was_measured_first_for_the_dependencies(
    laid: Laid,
) -> None:
    (laid.site / MANIFEST).unlink(missing_ok=True)
    first = laid.check().reference
    assert first is not None
    flip(laid.site / "punto/server/pages/index.html")
    release = laid.release()
    found = laid.check(reference=first)
    assert (found.verdict, found.differences) == ("same", ())
    assert found.reference == Reference(replace(release, beside=first.manifest.beside), release=True)


def test_a_manifest_that_was_kept_stands_for_that_of_the_release(laid: Laid) -> None:
    kept = read_manifest((laid.site / MANIFEST).read_bytes())
    flip(laid.site / "punto/pay.py")
    laid.compiled("punto/pay.py").unlink()
    laid.release()
    found = check(laid.interpreter(), kept=kept, whole=False)
    assert [str(each) for each in found.differences] == ["changed    punto/pay.py"]


def test_the_lines_of_a_manifest_are_those_of_sha256sum(laid: Laid) -> None:
    measured = measure(laid.interpreter(), whole=False)
    text = text_of(measured.files)
    assert hashlib.sha256(text.encode()).hexdigest() == measured.root
    told = subprocess.run(
        ["sha256sum", *sorted(measured.files)], cwd=laid.site, capture_output=True, text=True, check=True
    )
    assert told.stdout == text
    assert read_manifest(text.encode()).root == measured.root
    assert compare(measured, read_manifest(text.encode())) == ()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"{\xff",
        b'{"version": "1", "root": "0", "files": {}}',
        b"0123  punto/pay.py\n",
        b"\xff\n",
        b"a" * 64 + b"  punto/pay.py\n" + b"b" * 64 + b"  punto/pay.py\n",
    ],
)
def test_what_is_no_manifest_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_manifest(content)


# The program that runs these tests


def test_the_package_that_runs_is_measured_as_it_lies_there() -> None:
    here = Interpreter.here()
    measured = measure(here, whole=False)
    assert measured.files["punto/program/disk.py"] == digest_of(f"{here.package}/program/disk.py").hex()
    assert len(measured.files) > 500


@pytest.mark.nightly
def test_a_check_of_everything_takes_less_than_a_minute() -> None:
    found = measure()
    assert found.took_ms < 60_000
    assert len(found.beside) > 40
