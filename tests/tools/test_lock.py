"""The locks are resolved anew as a whole, or for one package alone."""

from pathlib import Path

import pytest

from tools import lock

HASHES = "    --hash=sha256:00\n"
PINS = {"run": ("click", "msgspec"), "lab": ("click", "msgspec", "numba"), "dev": ("click", "pytest-cov"), "node": ()}


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A repository whose packages are all at version 1, and an uv that finds a version 2 of each; what it was asked."""
    asked: list[list[str]] = []
    (tmp_path / "requirements").mkdir()
    for name, packages in PINS.items():
        (tmp_path / "requirements" / f"{name}.txt").write_text("".join(f"{each}==1 \\\n{HASHES}" for each in packages))

    def uv(command: list[str], **_: object) -> None:
        asked.append(command)
        target = Path(command[command.index("-o") + 1])
        which = command[command.index("--upgrade-package") + 1] if "--upgrade-package" in command else ""
        text = target.read_text()
        target.write_text(text.replace(f"{which}==1", f"{which}==2") if which else text.replace("==1", "==2"))

    monkeypatch.setattr(lock, "ROOT", tmp_path)
    monkeypatch.setattr("subprocess.run", uv)
    return asked


def pins(folder: Path) -> dict[str, dict[str, str]]:
    return {name: lock.pinned((folder / "requirements" / f"{name}.txt").read_text()) for name in PINS}


def test_without_a_name_everything_moves(
    tmp_path: Path, asked: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert lock.main() == 0
    assert pins(tmp_path) == {name: dict.fromkeys(packages, "2") for name, packages in PINS.items()}
    assert ["--upgrade" in command for command in asked] == [True] * 4
    assert capsys.readouterr().out.splitlines() == [
        "click: 1 to 2",
        "msgspec: 1 to 2",
        "numba: 1 to 2",
        "pytest-cov: 1 to 2",
    ]


def test_with_a_name_that_package_alone_moves_in_the_locks_that_have_it(
    tmp_path: Path, asked: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert lock.main("Msgspec") == 0
    assert pins(tmp_path) == {
        "run": {"click": "1", "msgspec": "2"},
        "lab": {"click": "1", "msgspec": "2", "numba": "1"},
        "dev": {"click": "1", "pytest-cov": "1"},
        "node": {},
    }
    assert [command[-1].rpartition("/")[2] for command in asked] == ["run.txt", "lab.txt"]
    assert not [command for command in asked if "--upgrade" in command]
    assert capsys.readouterr().out == "msgspec: 1 to 2\n"


@pytest.mark.usefixtures("asked")
def test_a_name_is_spelled_as_in_the_locks(tmp_path: Path) -> None:
    assert lock.main("Pytest_Cov") == 0
    assert pins(tmp_path)["dev"] == {"click": "1", "pytest-cov": "2"}


def test_a_name_that_is_in_no_lock_is_refused(asked: list[list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    assert lock.main("msgpsec") == 2
    assert asked == []
    assert capsys.readouterr().err == "msgpsec is in no lock: expected a package of requirements/\n"


@pytest.mark.usefixtures("asked")
def test_a_lock_that_names_an_address_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "requirements" / "lab.txt").open("a") as file:
        file.write("--index-url https://example.org/simple\n")
    assert lock.main("numba") == 1
    assert capsys.readouterr().err == "lab.txt names an address; it must not be committed\n"


def test_versions_and_extras_are_read_as_they_are_written() -> None:
    text = f"a-b==1.2.3 ; sys_platform == 'win32' \\\n{HASHES}psycopg[binary]==3.2.9 \\\n{HASHES}"
    assert lock.pinned(text) == {"a-b": "1.2.3", "psycopg": "3.2.9"}
