"""The commands shown in the documents, run: what a reader types gives what the page shows."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.shell import punto
from tests.marks import ROOT

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", ROOT / "docs" / "adding-a-game.md"]


def shown() -> list[tuple[str, str]]:
    """Each `$ punto …` line of a page, with what the page shows below it."""
    found = []
    for page in PAGES:
        for block in BLOCK.findall(page.read_text()):
            for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = piece.partition("\n")
                if command.startswith("punto ") and output:
                    found.append((command, output))
    return found


def stripped(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize(("command", "output"), shown())
def test_a_command_of_the_documents_prints_what_they_show(command: str, output: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text(
        'key = "wrong"\ntitle = "Wrong"\n\n[[wager]]\nname = "Banker"\npays = [\n'
        '  { when = "winner banker and banker total 12", odds = "1 to 1" },\n]\n'
    )
    said = punto(*shlex.split(command)[1:], cwd=tmp_path, COLUMNS="120")
    assert stripped(said.out + said.err) == stripped(output)


def test_the_game_declared_in_the_guide_can_be_played(tmp_path: Path) -> None:
    declared = re.search(
        r"^```toml\n(.*?)^```$", (ROOT / "docs" / "adding-a-game.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert declared
    (tmp_path / "dragon.toml").write_text(declared.group(1))
    said = punto("play", "dragon.toml", "--seed", "1", stdin=b"d7 5 b 5\n\nq\n", cwd=tmp_path)
    assert (said.status, said.err) == (0, "")


def test_the_changed_game_of_the_tour_pays_the_changed_price(tmp_path: Path) -> None:
    text = punto("rules", "7-up", "--toml").out.replace("17 to 1", "20 to 1")
    (tmp_path / "mine.toml").write_text(text)
    assert '"net":"20"' in punto("settle", "mine.toml", "7s 7h 7d 5s 2d", "--json", cwd=tmp_path).out
