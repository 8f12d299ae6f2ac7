import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from threading import enumerate as enumerate_threads
from time import monotonic

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.proof.witness_server import TestWitness, serving

from punto.errors import BadNote, Malformed, NotWitnessed, WitnessGone
from punto.proof import (
    Checkpoint,
    Cosignatures,
    Frontier,
    Leaves,
    Note,
    Witness,
    WitnessSize,
    add_checkpoint,
    consistency_proof,
    cosign,
    cosigned_at_s,
    leaf_hash,
    open_note,
    sign,
    sign_note,
    verifier_key,
)
from punto.proof.calls import ANSWER_LIMIT, Response
from punto.proof.witness import read_response, request_body

ORIGIN = "casino.example/floor"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
LOG = verifier_key(ORIGIN, KEY)
LEAVES = Leaves([leaf_hash(b"head %d" % number) for number in range(20)])
OTHERS = Leaves([leaf_hash(b"forged %d" % number) for number in range(20)])
PATIENCE_S = 20.0


def checkpoint(size: int, leaves: Leaves = LEAVES, origin: str = ORIGIN, key: Ed25519PrivateKey = KEY) -> Note:
    return sign_note(Checkpoint(origin, size, Frontier.of(size, leaves.read).root()).text(), origin, key)


def ask(witness: Witness, old: int, new: int, leaves: Leaves = LEAVES) -> Cosignatures | WitnessSize:
    return add_checkpoint(witness, old, consistency_proof(old, new, leaves.read), checkpoint(new, leaves), PATIENCE_S)


@pytest.fixture
def state() -> TestWitness:
    return TestWitness(LOG)


@pytest.fixture
def witness(state: TestWitness) -> Iterator[Witness]:
    with serving(state) as served:
        yield served


def refused_with(status: int, call: Callable[[], object]) -> str:
    with pytest.raises(NotWitnessed) as refused:
        call()
    assert refused.value.status == status
    return refused.value.message


def test_a_witness_cosigns_a_log_that_grows(state: TestWitness, witness: Witness) -> None:
    old = 0
    for new in (1, 2, 2, 7, 16, 20):
        match ask(witness, old, new):
            case Cosignatures(signatures):
                note = checkpoint(new).add(signatures)
                opened = open_note(note.encode(), [LOG, witness.key])
                assert [each.name for each in opened.verified] == [ORIGIN, witness.key.name]
                assert cosigned_at_s(opened.verified[1]) == state.now_s
            case answer:
                pytest.fail(f"not cosigned: {answer}")
        old = new


def test_the_body_is_that_of_the_specification(state: TestWitness, witness: Witness) -> None:
    ask(witness, 0, 6)
    ask(witness, 6, 8)
    lines = state.bodies[1].decode().split("\n")
    assert lines[0] == "old 6"
    assert [len(line) for line in lines[1:5]] == [44, 44, 44, 0]
    assert "\n".join(lines[5:]).encode() == checkpoint(8).encode()
    assert state.bodies[0] == b"old 0\n\n" + checkpoint(6).encode()


def test_a_witness_that_saw_another_size_tells_it(state: TestWitness, witness: Witness) -> None:
    assert ask(witness, 5, 9) == WitnessSize(0)
    ask(witness, 0, 9)
    assert ask(witness, 0, 12) == WitnessSize(9)
    assert ask(witness, 5, 12) == WitnessSize(9)
    assert isinstance(ask(witness, 9, 12), Cosignatures)
    assert state.seen[ORIGIN].size == 12


def test_a_witness_refuses_a_log_that_was_rewritten(witness: Witness) -> None:
    ask(witness, 0, 9)
    assert refused_with(422, lambda: ask(witness, 9, 12, OTHERS)) == (
        "witness 'witness.example/w1' does not cosign: the log does not begin with what it saw last"
    )
    refused_with(422, lambda: ask(witness, 9, 9, OTHERS))
    refused_with(422, lambda: add_checkpoint(witness, 9, (), checkpoint(12), PATIENCE_S))


def test_a_witness_refuses_a_log_that_was_cut(witness: Witness) -> None:
    ask(witness, 0, 9)
    assert ask(witness, 5, 8) == WitnessSize(9)
    refused_with(400, lambda: add_checkpoint(witness, 9, (), checkpoint(8), PATIENCE_S))


def test_a_witness_refuses_another_key_and_another_log(witness: Witness) -> None:
    stranger = Ed25519PrivateKey.generate()
    refused_with(403, lambda: add_checkpoint(witness, 0, (), checkpoint(3, key=stranger), PATIENCE_S))
    refused_with(404, lambda: add_checkpoint(witness, 0, (), checkpoint(3, origin="another"), PATIENCE_S))


def answer(status: int, content_type: str, body: bytes, old: int = 5) -> Cosignatures | WitnessSize:
    witness = Witness("http://witness.example", TestWitness().verifier)
    return read_response(Response(status, content_type, body), witness, old, checkpoint(9))


def test_a_cosignature_of_another_key_or_text_is_not_taken() -> None:
    state, text = TestWitness(), checkpoint(9).text
    good = cosign(text, state.name, state.key, 7)
    stranger = cosign(text, state.name, KEY, 7)
    other_text = cosign(checkpoint(8).text, state.name, state.key, 7)
    plain = sign(text, state.name, state.key)
    assert answer(200, "", good.line().encode()) == Cosignatures((good,))
    assert answer(200, "", (stranger.line() + good.line() * 2 + plain.line()).encode()) == Cosignatures((good,))
    for lines in (stranger.line(), other_text.line(), plain.line(), good.line() + other_text.line()):
        assert "has no valid cosignature of its key" in refused_with(200, lambda: answer(200, "", lines.encode()))  # noqa: B023


@pytest.mark.parametrize("body", [b"", b"\n", b"no", b"no\n", b"\xff\n", "— name AAAA\n".encode(), "— ".encode()])
def test_an_answer_that_does_not_read_is_no_answer(body: bytes) -> None:
    with pytest.raises(WitnessGone, match="answers with cosignatures that do not read"):
        answer(200, "text/plain", body)


@pytest.mark.parametrize("body", [b"", b"9", b"-9\n", b"09\n", b"9\n\n", b" 9\n", b"9" * 30 + b"\n", b"nine\n"])
def test_a_size_that_does_not_read_is_no_answer(body: bytes) -> None:
    assert answer(409, "Text/X.tlog.size; charset=utf-8", b"9\n") == WitnessSize(9)
    with pytest.raises(WitnessGone, match="answers with a size that does not read"):
        answer(409, "text/x.tlog.size", body)


def test_a_witness_that_refuses_the_size_it_asks_for_is_not_asked_again() -> None:
    refused_with(409, lambda: answer(409, "text/x.tlog.size", b"5\n"))
    refused_with(409, lambda: answer(409, "text/plain", b"9\n"))


@pytest.mark.parametrize("status", [100, 201, 204, 301, 307, 401, 410, 429, 500, 503])
def test_any_other_status_is_no_answer(status: int) -> None:
    with pytest.raises(WitnessGone, match=f"answers with status {status}; nothing is cosigned$"):
        answer(status, "text/plain", b"")


def test_another_path_is_not_the_witness(witness: Witness) -> None:
    with pytest.raises(WitnessGone, match="answers with status 410"):
        ask(Witness(witness.address + "other", witness.key), 0, 3)


@pytest.mark.parametrize(
    "address",
    ["", "witness.example", "ftp://w.example", "http://", "http://w.example:x", "http://w.example:99999", "http://[::1",
     "https://w.example/?q", "https://w.example/#f", "https://w.example/a b", "https://w.example/\n"],
)  # fmt: skip
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(Malformed, match=r"is no address of a witness: expected https://HOST/PATH$"):
        ask(Witness(address, TestWitness().verifier), 0, 3)


def test_a_key_that_signs_notes_is_no_key_of_a_witness() -> None:
    with pytest.raises(BadNote, match=r"signs notes: expected one that cosigns checkpoints$"):
        Witness("https://w.example/", LOG)


def test_a_password_in_an_address_is_refused_and_not_told() -> None:
    with pytest.raises(Malformed) as refused:
        ask(Witness("https://user:secret@w.example/", TestWitness().verifier), 0, 3)
    assert "secret" not in refused.value.message


def test_a_proof_that_no_tree_needs_is_our_own_mistake() -> None:
    with pytest.raises(AssertionError):
        request_body(5, [bytes(32)] * 64, checkpoint(9))


def test_a_witness_that_is_not_there_is_gone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(WitnessGone, match="cannot be reached"):
        ask(Witness(f"http://127.0.0.1:{port}", TestWitness().verifier), 0, 3)


@contextmanager
def answering(act: Callable[[socket.socket, Event], None]) -> Iterator[Witness]:
    """A server that takes one connection and does as it likes until it is told to stop."""
    over = Event()

    def run() -> None:
        with suppress(OSError):
            connection, _ = server.accept()
            with connection:
                act(connection, over)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = Thread(target=run)
        thread.start()
        try:
            yield Witness(f"http://127.0.0.1:{server.getsockname()[1]}", TestWitness().verifier)
        finally:
            over.set()
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def silence(connection: socket.socket, over: Event) -> None:  # noqa: ARG001
    over.wait()


def dripping_header(connection: socket.socket, over: Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not over.wait(0.02):
        connection.sendall(b"x")


def dripping_body(connection: socket.socket, over: Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")
    while not over.wait(0.02):
        connection.sendall(b"x")


def dripping_without_length(connection: socket.socket, over: Event) -> None:
    connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
    while not over.wait(0.02):
        connection.sendall(b"x")


@pytest.mark.parametrize("act", [silence, dripping_header, dripping_body, dripping_without_length])
def test_a_witness_that_is_slow_is_given_up_in_time(act: Callable[[socket.socket, Event], None]) -> None:
    with answering(act) as witness:
        begun = monotonic()
        with pytest.raises(WitnessGone, match=r"does not answer within 0\.2 s$"):
            add_checkpoint(witness, 0, (), checkpoint(3), 0.2)
        assert monotonic() - begun < 5
        # Nor does the thread that called wait any longer, though the witness goes on.
        for thread in enumerate_threads():
            if thread.name == "witness":
                thread.join(PATIENCE_S)
                assert not thread.is_alive()


def endless(connection: socket.socket, over: Event) -> None:
    connection.recv(65_536)
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while not over.is_set():
        connection.sendall(b"x" * 65_536)


def test_an_answer_without_end_is_cut() -> None:
    with (
        answering(endless) as witness,
        pytest.raises(WitnessGone, match=f"answers with more than {ANSWER_LIMIT} bytes"),
    ):
        ask(witness, 0, 3)


def garbage(connection: socket.socket, over: Event) -> None:  # noqa: ARG001
    connection.recv(65_536)
    connection.sendall(b"SSH-2.0-witness\r\n")


def hanging_up(connection: socket.socket, over: Event) -> None:  # noqa: ARG001
    connection.recv(65_536)


@pytest.mark.parametrize("act", [garbage, hanging_up])
def test_what_does_not_speak_http_is_no_witness(act: Callable[[socket.socket, Event], None]) -> None:
    with answering(act) as witness, pytest.raises(WitnessGone, match="cannot be reached"):
        ask(witness, 0, 3)
