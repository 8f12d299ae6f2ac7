"""`punto verify` of a receipt, as a person types it."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from tests.cli.shell import punto
from tests.floor.floors import KEYS
from tests.floor.taken import RAISED, WAGER, Taken

from punto.floor.keys import Keys

# Receipts, genuine and forged, and what of each the page and the command must find alike.
VERDICTS: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "receipt_verdicts.json").read_text("utf-8")
)
# What the command says where the page has a doubt, or holds a receipt against a checkpoint.
SAID: Final = {
    "no-key": "64 hexadecimal digits",
    "foreign": "given with --key",
    "other-key": "was signed by another key, ",
    "": "the receipt is right",
    "same": " heads agrees",
    "joined": " heads agrees",
    "other-log": "and this checkpoint is of 'punto/",
    "needs-proof": "/api/checkpoints/consistency",
    "only-signed": "no proof of inclusion yet",
    "stranger": "punto: notes/",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Receipts before and after checkpoints, and the checkpoints with the proof that joins them."""
    folder = tmp_path_factory.mktemp("receipts")
    taken = Taken().play()
    (folder / "signed.txt").write_text(taken.take(WAGER).text())
    taken.checkpoint()
    (folder / "early.txt").write_text(taken.take(WAGER).text())
    (folder / "code.txt").write_text(taken.take(RAISED).code())
    taken.go_on(20)
    taken.checkpoint()
    proofs = taken.receipts.proofs
    for name, version in (("old", 1), ("new", 2)):
        (folder / name).write_bytes(proofs.taken(version).note)
    sizes = [proofs.taken(version).checkpoint.size for version in (1, 2)]
    (folder / "joined").write_text(proofs.consistency(*sizes).text())
    return folder


def test_a_receipt_says_plainly_what_it_proves(folder: Path) -> None:
    said = punto("verify", "early.txt", "--key", KEYS.public, cwd=folder)
    assert (said.status, said.err) == (0, "")
    for part in ("the receipt is right", "ann", "a stake of 50.00 on Banker was accepted", "table T1, round 2"):
        assert part in said.out
    assert "shoe 1: " in said.out
    assert re.search(r"^  when +2025-12-31 16:00:00 UTC$", said.out, re.MULTILINE)
    assert f"floor     {KEYS.public}\n" in said.out
    assert "included in the checkpoint of" in said.out
    changed = punto("verify", "code.txt", cwd=folder)
    assert "the stake on Banker was changed from 50.00 to 75.00" in changed.out
    assert "compare it with the key that the floor publishes" in changed.out


def test_a_receipt_that_is_only_signed_says_so(folder: Path) -> None:
    said = punto("verify", "signed.txt", cwd=folder)
    assert said.status == 0
    assert "signed; the proof of inclusion follows with the next checkpoint" in said.out
    refused = punto("verify", "signed.txt", "--checkpoint", "old", cwd=folder)
    assert refused.status == 1
    assert "no proof of inclusion yet" in refused.out


def test_a_receipt_is_held_against_any_checkpoint(folder: Path) -> None:
    assert "old: the checkpoint of" in punto("verify", "early.txt", "--checkpoint", "old", cwd=folder).out
    alone = punto("verify", "early.txt", "--checkpoint", "new", cwd=folder)
    assert alone.status == 1
    assert "/api/checkpoints/consistency?from=" in alone.out
    joined = punto("verify", "early.txt", "--checkpoint", "new", "--consistency", "joined", "--json", cwd=folder)
    told = json.loads(joined.out)
    assert told["right"] is True
    assert told["against"] > told["checkpoint"] > 0


def test_what_is_forged_is_wrong_and_what_does_not_read_is_refused(folder: Path) -> None:
    lines = (folder / "early.txt").read_text().split("\n")
    lines[2] = ("B" if lines[2][0] == "A" else "A") + lines[2][1:]
    (folder / "forged.txt").write_text("\n".join(lines))
    forged = punto("verify", "forged.txt", "--json", cwd=folder)
    assert forged.status == 1
    assert json.loads(forged.out)["error"]["code"] == "bad-receipt"
    (folder / "cut.txt").write_text("\n".join(lines[:4]))
    cut = punto("verify", "cut.txt", cwd=folder)
    assert cut.status == 2
    assert cut.err.startswith("punto: cut.txt: the receipt ends too early")
    other = punto("verify", "early.txt", "--key", Keys.fresh().public, cwd=folder)
    assert other.status == 1
    assert "not under the one given with --key" in other.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["early.txt", "--key", "abc"], "64 hexadecimal digits"),
        (["early.txt", "--consistency", "joined"], "expected --checkpoint with it"),
        (["early.txt", "--checkpoint", "early.txt"], "early.txt: the note has no signatures"),
        (["early.txt", "--checkpoint", "new", "--consistency", "new"], "new: no consistency proof"),
        (["joined", "--checkpoint", "new"], "joined: not a receipt"),
        (["early.txt", "--checkpoint", "new", "--key", "0" * 64], "not under the one given with --key"),
    ],
)
def test_bad_input_gets_one_line(folder: Path, arguments: list[str], said: str) -> None:
    answer = punto("verify", *arguments, cwd=folder)
    assert answer.status in {1, 2}
    assert said in (answer.err or answer.out)
    assert len((answer.err or answer.out).splitlines()) == 1


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The receipts and notes of the verdicts, each as a file."""
    folder = tmp_path_factory.mktemp("verdicts")
    for kind in ("receipts", "notes"):
        (folder / kind).mkdir()
        for name, text in VERDICTS[kind].items():
            (folder / kind / name).write_text(text)
    (folder / "consistency").write_text(VERDICTS["consistency"])
    return folder


@pytest.mark.parametrize("receipt", VERDICTS["receipts"])
def test_a_receipt_is_right_only_by_the_keys_behind_its_signer_and_its_checkpoints(judged: Path, receipt: str) -> None:
    """So says the page, too: web/src/lib/receipt/receipt.test.ts reads the same verdicts."""
    for case in (each for each in VERDICTS["cases"] if each["receipt"] == receipt):
        arguments = [f"receipts/{receipt}"]
        for name in case["keys"]:
            arguments += ["--key", VERDICTS["keys"][name]]
        if case["note"]:
            arguments += ["--checkpoint", f"notes/{case['note']}"]
        if case["joined"]:
            arguments += ["--consistency", "consistency"]
        answer = punto("verify", *arguments, cwd=judged)
        assert answer.status == case["status"], (case, answer)
        said = answer.out + answer.err
        assert SAID[case["doubt"] or case["held"]] in said, (case, said)
        assert ("the receipt is right" in said) is (case["verdict"] == "right"), (case, said)
        assert case["status"] == 0 or said.count("\n") == 1, (case, said)


def test_a_checkpoint_by_another_key_is_named_with_what_to_do(judged: Path) -> None:
    keys = VERDICTS["keys"]
    said = punto("verify", "receipts/signed after the rotation, included before", "--key", keys["today"], cwd=judged)
    assert f"another key, {keys['first']}: if that is a former key of this floor, name it with --key, too" in said.out
