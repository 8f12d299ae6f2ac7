"""Checkpoints leave the machine: to an address and to a witness, both real servers on loopback."""

import asyncio
from pathlib import Path
from time import monotonic

import pytest
from tests.floor.keeping_server import keeping_server
from tests.proof.witness_server import TestWitness, serving
from tests.server.http.floor import RUNNING, opened
from tests.server.waiting import waits

from punto.floor import Keys
from punto.proof.headlog import COSIGNATURES, floor_verifier, open_checkpoint, origin_of, read_cosigned
from punto.proof.notes import Checkpoint, Note, open_note
from punto.record import audit
from punto.server import messenger
from punto.server.config import WitnessConfig
from punto.store import SqliteStore

ENDS_S = 10.0


@waits
async def test_checkpoints_go_to_an_address_and_a_witness_and_come_back_cosigned(tmp_path: Path) -> None:
    keys = Keys.at(tmp_path / "floor.key")
    log = floor_verifier(keys.public)
    state = TestWitness(log)
    outside = tmp_path / "outside"
    with keeping_server() as keeping, serving(state) as witness:
        asked = WitnessConfig(address=witness.address, key=witness.key.text())
        where = (str(outside), keeping.url)
        async with opened(tmp_path, RUNNING, checkpoints=where, witnesses=(asked,), checkpoint_every_s=0.05) as floor:
            await floor.until(lambda: state.seen and len(state.bodies) > 3)
            reader = floor.nobody()
            await floor.until(lambda: floor.server.hall.writer.floor.history.end(COSIGNATURES).version > 2)
            told = (await reader.get("/api/checkpoints/latest")).content
            assert open_note(told, [log]).verified
            assert (await reader.get("/health")).json()["status"] == "well"
        # At the close the last checkpoint went everywhere, and the witness has seen it.
        last = open_checkpoint((outside / "checkpoint").read_bytes(), (keys.public,))
        assert keeping.note is not None
        assert open_checkpoint(keeping.note, (keys.public,)) == last
        assert state.seen[origin_of(keys.public)] == last
        opened_note = open_note((outside / "checkpoint").read_bytes(), [log, witness.key])
        assert [each.name for each in opened_note.verified] == [log.name, witness.key.name]
    store = SqliteStore(tmp_path / "floor.db")
    cosigned = [read_cosigned(entry.body) for entry in store.read(COSIGNATURES)]
    assert [each.size for each in cosigned] == sorted({each.size for each in cosigned})
    assert cosigned[-1].size == last.size
    assert not [each for each in audit(store, public_key=keys.public).findings if "cosign" in each.stream]
    store.close()


@waits
async def test_a_floor_where_nothing_happens_is_not_kept_awake_by_its_witness(tmp_path: Path) -> None:
    keys = Keys.at(tmp_path / "floor.key")
    state = TestWitness(floor_verifier(keys.public))
    with serving(state) as witness:
        asked = WitnessConfig(address=witness.address, key=witness.key.text())
        quiet = RUNNING.__class__(key="1", setup=RUNNING.setup, automatic=False)
        async with opened(tmp_path, quiet, witnesses=(asked,), checkpoint_every_s=0.02) as floor:
            await floor.until(lambda: floor.hall.writer.floor.history.end(COSIGNATURES).version)
            asked_before = len(state.bodies)
            await asyncio.sleep(0.3)
            assert len(state.bodies) <= asked_before + 1


@waits
async def test_a_place_that_fails_is_tried_again_and_holds_up_nobody(tmp_path: Path) -> None:
    with keeping_server() as keeping, pytest.MonkeyPatch.context() as patch:
        patch.setattr(messenger, "FIRST_WAIT_S", 0.02)
        patch.setattr(messenger.Messenger.__init__, "__defaults__", (0.02,))
        patch.setenv("PUNTO_CHECKPOINT_TOKEN", "a token of some length")
        keeping.token, keeping.fails = "a token of some length", 3
        async with opened(tmp_path, RUNNING, checkpoints=(keeping.url,), checkpoint_every_s=0.05) as floor:
            await floor.until(lambda: keeping.note is not None)
            assert keeping.puts > 3
            await floor.until(lambda: not floor.server.checkpointing.faults)
            keeping.fails = 10**9
            await floor.until(lambda: floor.server.checkpointing.faults)
            health = (await floor.nobody("127.0.0.1").get("/health")).json()
            assert "status 503" in health["damaged"][f"outside {keeping.url}"]
            keeping.answers.clear()  # from now on nobody is answered at all
            rounds = floor.hall.tables["1"].table.round
            await floor.until(lambda: floor.hall.tables["1"].table.round > rounds + 2)
            keeping.fails = 0
            keeping.answers.set()
            began = monotonic()
        assert monotonic() - began < ENDS_S
        assert keeping.note is not None
        assert Checkpoint.parse(Note.parse(keeping.note).text).size > 3
