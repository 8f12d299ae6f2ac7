"""The hook that runs `make quick` before a commit: it replaces nobody's hooks, and says what it judges."""

import os
import shutil
from pathlib import Path

import pytest
from tests.children import run
from tests.marks import ROOT

IDENTITY = {f"GIT_{who}_{what}": "punto@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
SAID = "make quick judges the working tree: it also holds changes that this commit leaves out."


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with one file, whose `make` says that it was called and succeeds."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")  # of a locale that is not installed, a shell complains
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    make = tmp_path / "bin" / "make"
    make.parent.mkdir()
    make.write_text('#!/bin/sh\necho "make $*" >&2\n')
    make.chmod(0o755)
    monkeypatch.setenv("PATH", f"{make.parent}{os.pathsep}{os.environ['PATH']}")
    clone = tmp_path / "clone"
    shutil.copytree(ROOT / "tools" / "hooks", clone / "tools" / "hooks")
    (clone / "rules").write_text("one\n")
    git(clone, "init", "-q")
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "first")
    return clone


def git(clone: Path, *words: str) -> tuple[int, str]:
    """Run git; its status and all that was said."""
    done = run(["git", *words], cwd=clone, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def install(clone: Path) -> tuple[int, str]:
    done = run([clone / "tools" / "hooks" / "install"], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_make_quick_runs_before_each_commit(clone: Path) -> None:
    for _ in range(2):
        assert install(clone) == (0, "make quick now runs before each commit\n")
    (clone / "rules").write_text("two\n")
    status, said = git(clone, "commit", "-qam", "second")
    assert (status, said) == (0, "make --no-print-directory quick\n")


def test_a_commit_of_less_than_was_judged_says_so(clone: Path) -> None:
    install(clone)
    (clone / "rules").write_text("two\n")
    git(clone, "add", "rules")
    (clone / "rules").write_text("three\n")
    status, said = git(clone, "commit", "-qm", "second")
    assert (status, said) == (0, f"{SAID}\nmake --no-print-directory quick\n")


def test_a_commit_that_leaves_a_new_file_out_says_so(clone: Path) -> None:
    install(clone)
    (clone / "rules").write_text("two\n")
    (clone / "more").write_text("three\n")
    assert git(clone, "commit", "-qam", "second") == (0, f"{SAID}\nmake --no-print-directory quick\n")


def test_a_commit_that_make_quick_refuses_is_not_made(clone: Path, tmp_path: Path) -> None:
    install(clone)
    (tmp_path / "bin" / "make").write_text("#!/bin/sh\nexit 2\n")
    (clone / "rules").write_text("two\n")
    assert git(clone, "commit", "-qam", "second")[0] != 0
    assert git(clone, "log", "--format=%s") == (0, "first\n")


def test_hooks_of_ones_own_are_left_alone(clone: Path) -> None:
    own = clone / ".git" / "hooks" / "pre-commit"
    own.parent.mkdir(exist_ok=True)
    own.write_text("#!/bin/sh\n")
    assert install(clone) == (1, ".git/hooks/pre-commit is there already: call tools/hooks/pre-commit from it\n")
    own.with_name("commit-msg").write_text("#!/bin/sh\n")
    assert install(clone)[1].startswith(".git/hooks/pre-commit is there already: call")
    own.with_name("commit-msg").unlink()
    other = own.rename(own.with_name("pre-push"))
    ignored = ".git/hooks/pre-push is there already, and git would ignore it: "
    assert install(clone) == (1, f"{ignored}copy tools/hooks/pre-commit beside it instead\n")
    other.unlink()
    git(clone, "config", "core.hooksPath", ".husky")
    status, said = install(clone)
    assert status == 1
    assert said.startswith("Git takes its hooks from .husky here: call tools/hooks/pre-commit from your own")
    assert git(clone, "config", "core.hooksPath") == (0, ".husky\n")
