"""What is installed from a clone may go without pages; a release may not."""

import compileall
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hatchling.bridge.app import Application
from tests.marks import ROOT
from tools.wheel import MANIFEST, Release

from punto import __version__
from punto.program import Interpreter, check
from tools import pages, release


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that is packed, but the pages."""
    root = tmp_path_factory.mktemp("clone")
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore", "web/package.json"):
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    shutil.copytree(ROOT / "requirements", root / "requirements")
    shutil.copy(ROOT / "web/package-lock.json", root / "web/package-lock.json")
    (root / "web/src").mkdir()
    unwanted = shutil.ignore_patterns("__pycache__", "pictures", "pages")
    for name in ("docs", "src", "tools"):
        shutil.copytree(ROOT / name, root / name, ignore=unwanted)
    shutil.copy(ROOT / "tools/pages.py", root / "tools/pages.py")
    shutil.copy(ROOT / "src/punto/server/http/pages.py", root / "src/punto/server/http/pages.py")
    return root


@pytest.fixture
def project(clone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, once more without the pages of an earlier test, and with `tools.pages` looking at it."""
    shutil.rmtree(folder_of(clone), ignore_errors=True)
    shutil.rmtree(clone / "out", ignore_errors=True)
    (clone / "PKG-INFO").unlink(missing_ok=True)
    for name, path in (("ROOT", clone), ("WEB", clone / "web"), ("PAGES", folder_of(clone))):
        monkeypatch.setattr(pages, name, path)
    monkeypatch.delenv("PUNTO_RELEASE", raising=False)
    return clone


def folder_of(project: Path) -> Path:
    return project / "src" / "punto" / "server" / "pages"


def fill(project: Path, stamp: str | None = None) -> None:
    """Pages, as if they had been built from the sources that lie there."""
    (folder_of(project) / "assets").mkdir(parents=True)
    for name in ("index.html", "favicon.svg", "assets/index-1.js"):
        (folder_of(project) / name).write_text(name)
    (folder_of(project) / pages.STAMP).write_text(pages.digest(pages.sources()) if stamp is None else stamp)


def asked(project: Path, version: str = "standard") -> list[str]:
    """Ask the hook as a build does; what it warns of."""
    warned: list[str] = []
    app = Application()
    app.display_warning = lambda message="", **_: warned.append(message)  # type: ignore[method-assign]
    hook: Any = Release(str(project), {}, None, None, "out", "wheel", app)  # type: ignore[arg-type]
    hook.initialize(version, {})
    hook.finalize(version, {}, "out")
    return warned


def built(project: Path, target: str, **environment: str) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", "out"]
    subprocess.run(command, cwd=project, env={**os.environ, **environment}, check=True, capture_output=True)
    [archive] = (project / "out").glob("*.whl" if target == "wheel" else "*.tar.gz")
    return archive


def test_what_is_installed_from_a_clone_may_go_without_pages_and_says_so(project: Path) -> None:
    assert asked(project) == ["The pages are not built: punto serve will show none; everything else works."]
    assert asked(project, "editable") == []
    fill(project)
    assert asked(project) == []


def test_a_release_is_refused_without_pages_and_with_stale_ones(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTO_RELEASE", "1")
    with pytest.raises(SystemExit, match="a release has pages, and they are not built: run make release"):
        asked(project)
    fill(project)
    assert asked(project) == []
    (project / "web" / "App.svelte").write_text("changed since")
    with pytest.raises(SystemExit, match="a release has fresh pages, and these are of other sources: run make release"):
        asked(project)
    (project / "PKG-INFO").touch()  # an archive of a release has its pages, and no stamp
    assert asked(project) == []
    (project / "web" / "App.svelte").unlink()


def test_a_wheel_from_a_clone_holds_everything_but_the_pages(project: Path) -> None:
    wheel = built(project, "wheel")
    assert release.missing(wheel) == ["punto/server/pages/index.html", MANIFEST]
    with zipfile.ZipFile(wheel) as opened:
        packed = {name for name in opened.namelist() if name.startswith("punto/")}
    wanted = {path.relative_to(project / "src").as_posix() for path in (project / "src").rglob("*") if path.is_file()}
    rules = {f"punto/server/words/rules/{path.name}" for path in (ROOT / "docs" / "rules").iterdir()}
    assert packed == wanted | rules


@pytest.mark.parametrize("form", [pytest.param("a folder", marks=pytest.mark.nightly), "a repository"])
def test_what_is_installed_from_a_clone_has_every_command_and_says_how_to_get_the_pages(
    project: Path, tmp_path: Path, form: str
) -> None:
    source = str(project)
    if form == "a repository":
        identity = ["-c", "user.name=Punto", "-c", "user.email=punto@localhost", "-c", "commit.gpgsign=false"]
        for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "all"]):
            subprocess.run(["git", "-C", project, *command], check=True)
        source = f"git+file://{project}"
    uv = [str(Path(sys.executable).parent / "uv"), "pip", "install", "--python", sys.executable, "--offline"]
    target = tmp_path / "installed"
    options = ["--no-deps", "--no-build-isolation", "--no-cache", "--target", str(target), "--quiet"]
    subprocess.run([*uv, *options, source], check=True, cwd=tmp_path)

    def run(*command: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(target)}
        done = subprocess.run(
            [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert Path(run("-c", "import punto; print(punto.__file__)")).is_relative_to(target)
    assert "Banker" in run(str(target / "bin" / "punto"), "odds", "baccarat")
    says = run("-c", "from punto.server.http.pages import without_pages; print(without_pages())")
    assert says.endswith("install a release of Punto, or run make pages in a clone of it and pip install . there")


def made(project: Path) -> dict[str, Path]:
    """The archives that lie where releases are, by their kind."""
    return {archive.suffix: archive for archive in (project / "out").iterdir() if archive.suffix != ".json"}


def test_both_archives_of_a_release_hold_the_pages_and_a_wheel_can_be_made_from_the_other(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(project)
    monkeypatch.setattr(release, "ROOT", project)
    monkeypatch.setattr(pages, "main", {"build": 0}.__getitem__)
    assert release.main(project / "out") == 0
    archives = made(project)
    assert archives.keys() == {".whl", ".gz"}
    told = capsys.readouterr().out.splitlines()
    manifest = release.manifest_in(archives[".whl"], archives[".gz"])
    bill = project / "out" / f"punto-{__version__}.cdx.json"
    assert json.loads(bill.read_text())["metadata"]["component"]["version"] == __version__
    assert [line.partition(": ")[0] for line in told[:3]] == [str(archives[".whl"]), str(archives[".gz"]), str(bill)]
    assert told[3] == f"root of the {len(manifest.files)} files of Punto {__version__}: {manifest.root}"
    packed = [name for name in release.contents(archives[".whl"]) if name.startswith("punto/server/pages/")]
    assert sorted(name.removeprefix("punto/server/pages/") for name in packed) == [
        "assets/index-1.js",
        "favicon.svg",
        "index.html",
    ]
    with tarfile.open(archives[".gz"]) as opened:
        opened.extraction_filter = getattr(tarfile, "data_filter", None)
        opened.extractall(project / "out")  # noqa: S202 (packed just now)
    again = built(project / "out" / archives[".gz"].name.removesuffix(".tar.gz"), "wheel", PUNTO_RELEASE="1")
    assert sorted(release.contents(again)) == sorted(release.contents(archives[".whl"]))
    assert release.manifest_in(again, archives[".gz"]) == manifest
    check_installed(again, project / "out" / "installed")


def check_installed(wheel: Path, folder: Path) -> None:
    """What is installed from a wheel and compiled is that of the release, until a byte of it is changed."""
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(folder)  # noqa: S202 (packed just now)
    compileall.compile_dir(str(folder / "punto" / "cards"), quiet=2)
    here = Interpreter.here()
    path = (str(folder), *here.library, *here.sites)
    there = msgspec.structs.replace(here, package=str(folder / "punto"), path=path, strays=(), environment={})
    found = check(there, whole=False)
    assert (found.verdict, found.release) == ("same", found.measured.root), found.differences
    page = folder / "punto" / "server" / "pages" / "index.html"
    page.write_text(page.read_text() + " ")
    assert [str(each) for each in check(there, whole=False).differences] == ["changed    punto/server/pages/index.html"]


def test_a_release_that_is_refused_leaves_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(project, stamp="of other sources")
    monkeypatch.setattr(release, "ROOT", project)
    monkeypatch.setattr(pages, "main", {"build": 0}.__getitem__)
    assert release.main(project / "out") == 1
    assert "these are of other sources" in capsys.readouterr().err
    assert made(project) == {}
