import tomllib
from base64 import b64decode, b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from tests.marks import ROOT

from punto.errors import BadNote, BadSignature, Malformed
from punto.proof import (
    EMPTY_ROOT,
    Algorithm,
    Checkpoint,
    Note,
    Signature,
    VerifierKey,
    cosign,
    cosigned_at_s,
    open_note,
    sign,
    sign_note,
    verifier_key,
)
from punto.proof.notes import NOTE_LIMIT, SIGNATURE_LIMIT

PUBLISHED = tomllib.loads((ROOT / "tests" / "golden" / "proof" / "notes.toml").read_text())
NEUMANN = PUBLISHED["note"][0]
PUBLIC_LOG = PUBLISHED["checkpoint"]

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
NAME = "casino.example/floor"
VERIFIER = verifier_key(NAME, KEY)
WITNESS = verifier_key("witness.example", OTHER_KEY, Algorithm.COSIGNATURE)
TEXT = Checkpoint(NAME, 0, EMPTY_ROOT).text()
SIGNED = sign_note(TEXT, NAME, KEY)


def line_at_fault(raw: bytes) -> int:
    with pytest.raises(BadNote) as refused:
        Note.parse(raw)
    assert "\n" not in refused.value.message
    return refused.value.at


@pytest.mark.parametrize("published", PUBLISHED["note"], ids=lambda note: note["key"].split("+")[0])
def test_a_note_that_others_published_is_opened_with_its_key(published: dict[str, str]) -> None:
    key = VerifierKey.parse(published["key"])
    assert key.text() == published["key"]
    opened = open_note(published["text"].encode(), [key])
    assert opened.text + "\n" == published["text"][: len(opened.text) + 1]
    assert [each.name for each in opened.verified] == [key.name]
    assert opened.unknown == ()
    with pytest.raises(BadSignature):
        open_note(published["text"].replace("is", "was", 1).encode(), [key])


def test_whoever_signs_the_published_text_arrives_at_the_published_note() -> None:
    key = Ed25519PrivateKey.from_private_bytes(b64decode(NEUMANN["private"])[1:])
    assert verifier_key("PeterNeumann", key).text() == NEUMANN["key"]
    text, _, _ = NEUMANN["text"].partition("\n— ")
    assert sign_note(text, "PeterNeumann", key).encode().decode() == NEUMANN["text"]


def test_the_checkpoint_of_a_public_log_is_opened_with_the_keys_of_its_witnesses() -> None:
    log, witnesses = VerifierKey.parse(PUBLIC_LOG["key"]), list(map(VerifierKey.parse, PUBLIC_LOG["witnesses"]))
    raw = PUBLIC_LOG["text"].encode()
    opened = open_note(raw, [log, *witnesses])
    assert {each.name for each in opened.verified} == {log.name, *(each.name for each in witnesses)}
    assert [each.name for each in opened.unknown] == [log.name]  # of another kind, and so of another key
    checkpoint = Checkpoint.parse(opened.text)
    assert (checkpoint.origin, checkpoint.size) == (log.name, 1_432_088_532)
    assert checkpoint.text() == opened.text
    assert {cosigned_at_s(each) for each in opened.verified if each.name != log.name} == {0x6A122120}
    assert Note.parse(raw).encode() == raw
    with pytest.raises(BadSignature):
        open_note(raw.replace(b"1432088532", b"1432088533"), witnesses)


@pytest.mark.parametrize("text", PUBLIC_LOG["witnesses"])
def test_the_key_of_a_public_witness_is_read_and_written(text: str) -> None:
    key = VerifierKey.parse(text)
    assert key.algorithm is Algorithm.COSIGNATURE
    assert key.text() == text


def test_a_note_is_opened_with_any_of_its_keys() -> None:
    note = SIGNED.add([sign(TEXT, "casino.example/next", OTHER_KEY)])
    both = [VERIFIER, verifier_key("casino.example/next", OTHER_KEY)]
    assert open_note(note.encode(), both).verified == note.signatures
    for place in range(2):
        opened = open_note(note.encode(), both[place : place + 1])
        assert opened.verified == note.signatures[place : place + 1]
        assert opened.unknown == note.signatures[1 - place : 2 - place]


def test_a_note_that_no_known_key_has_signed_is_not_opened() -> None:
    same_name, same_key = verifier_key(NAME, OTHER_KEY), verifier_key("another.example", KEY)
    for keys in ([], [same_name], [same_key], [WITNESS], [verifier_key(NAME, KEY, Algorithm.COSIGNATURE)]):
        with pytest.raises(BadSignature, match=r"^no known key has signed this note$"):
            open_note(SIGNED.encode(), keys)


def test_a_false_signature_of_a_known_key_spoils_the_note() -> None:
    false = Signature(NAME, VERIFIER.key_id, bytes(64))
    short = Signature(NAME, VERIFIER.key_id, b"short")
    for wrong in (false, short):
        for signatures in ((wrong,), (wrong, *SIGNED.signatures), (*SIGNED.signatures, wrong)):
            with pytest.raises(BadSignature, match=r"^the signature of 'casino.example/floor' does not belong"):
                open_note(Note(TEXT, signatures).encode(), [VERIFIER])


def test_signatures_that_are_repeated_count_once() -> None:
    stranger = sign(TEXT, "stranger.example", OTHER_KEY)
    twice = Note(TEXT, (stranger, *SIGNED.signatures, stranger, *SIGNED.signatures))
    opened = open_note(twice.encode(), [VERIFIER])
    assert opened.verified == SIGNED.signatures
    assert opened.unknown == (stranger,)
    assert SIGNED.add(SIGNED.signatures) == SIGNED
    # A witness that cosigns twice at different times is one witness.
    cosigned = SIGNED.add(cosign(TEXT, WITNESS.name, OTHER_KEY, at_s) for at_s in (5, 6))
    assert [cosigned_at_s(each) for each in open_note(cosigned.encode(), [WITNESS]).verified] == [5]


def test_no_flipped_bit_of_a_note_goes_unseen() -> None:
    raw = SIGNED.encode()
    for bit in range(8 * len(raw)):
        changed = bytearray(raw)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises((BadNote, BadSignature)):
            open_note(bytes(changed), [VERIFIER])


def test_a_text_with_blank_lines_ends_at_the_last_of_them() -> None:
    for text in ("one\n\ntwo\n", "one\n\n", "\n", "\n\n", "— a dash\n", "only\n\n— NAME c2lnbmF0dXJl\n"):
        note = sign_note(text, NAME, KEY)
        assert Note.parse(note.encode()) == note
        assert open_note(note.encode(), [VERIFIER]).text == text


@pytest.mark.parametrize("text", ["", "no newline", "a tab\there\n", "a return\r\n", "\x00\n", "half \ud800\n"])
def test_a_text_that_no_note_can_have_is_not_signed(text: str) -> None:
    with pytest.raises(BadNote, match=r" is no text of a note: expected lines of text, the last with its newline$"):
        sign_note(text, NAME, KEY)


GOOD = b64encode(bytes(68)).decode()


@pytest.mark.parametrize(
    ("raw", "at"),
    [
        ("", 1),
        ("text\n", 1),
        ("text\n\n", 3),
        (f"text\n— name {GOOD}\n", 1),
        (f"text\n\n— name {GOOD}", 3),
        (f"text\n\n— name {GOOD}\n\n", 5),
        (f"text\n\n— name {GOOD}\nmore\n", 4),
        (f"text\n\n- name {GOOD}\n", 3),
        (f"text\n\n—name {GOOD}\n", 3),
        (f"text\n\n —name {GOOD}\n", 3),
        (f"text\n\n—  {GOOD}\n", 3),
        (f"text\n\n— name\u00a0x {GOOD}\n", 3),
        (f"text\n\n— name\u2003 {GOOD}\n", 3),
        (f"text\n\n— na+me {GOOD}\n", 3),
        (f"text\n\n— name  {GOOD}\n", 3),
        (f"text\n\n— name {GOOD} \n", 3),
        (f"text\n\n— name {GOOD}\r\n", 3),
        (f"te\txt\n\n— name {GOOD}\n", 1),
        (f"text\n\n— name {GOOD}\n— name {GOOD[:-1]}\n", 4),
        (f"text\n\n— name {GOOD[:40]}-{GOOD[41:]}\n", 3),
        (f"text\n\n— name {GOOD[:-2]}B=\n", 3),  # bits beyond the last byte
        ("text\n\n— name \n", 3),
        ("text\n\n— name\n", 3),
        ("text\n\n— name AAAAAA==\n", 3),  # a key id and no signature
        ("text\n\n— name é\n", 3),
    ],
)
def test_a_note_that_does_not_read_names_its_line(raw: str, at: int) -> None:
    assert line_at_fault(raw.encode()) == at


def test_a_note_that_is_not_utf_8_names_its_line() -> None:
    assert line_at_fault(b"one\ntwo \xff\n\n\xe2\x80\x94 name AAAA\n") == 2


def test_a_note_has_a_limit_in_bytes_and_in_signatures() -> None:
    line = SIGNED.signatures[0].line()
    assert len(Note.parse((TEXT + "\n" + line * SIGNATURE_LIMIT).encode()).signatures) == SIGNATURE_LIMIT
    assert line_at_fault((TEXT + "\n" + line * (SIGNATURE_LIMIT + 1)).encode()) == 5
    assert line_at_fault(b"a" * NOTE_LIMIT + SIGNED.encode()) == 1
    # Sixteen signatures of the longest kind there is must be accepted.
    assert open_note(SIGNED.add(Signature(f"w{n}", bytes(4), bytes(5000)) for n in range(16)).encode(), [VERIFIER])


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(raw: bytes) -> None:
    with pytest.raises(Malformed):
        open_note(raw, [VERIFIER])


PIECES = ["", "text", "— ", "— name ", "— name", f"— name {GOOD}", "— é+ AAAA", "=", "\x00", "\x85"]


@given(st.lists(st.sampled_from(PIECES)), st.booleans())
def test_whatever_reads_as_a_note_is_written_as_it_was(lines: list[str], is_ended: bool) -> None:
    raw = ("\n".join(lines) + "\n" * is_ended).encode()
    try:
        note = Note.parse(raw)
    except BadNote as refused:
        assert 1 <= refused.at <= len(lines) + 1
    else:
        assert note.encode() == raw


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]) | st.just("\n")), st.integers(1, 2**63 - 1))
def test_every_text_is_signed_cosigned_and_opened(body: str, at_s: int) -> None:
    text = body + "\n"
    raw = sign_note(text, NAME, KEY).add([cosign(text, WITNESS.name, OTHER_KEY, at_s)]).encode()
    opened = open_note(raw, [VERIFIER, WITNESS])
    assert opened.text == text
    assert [each.name for each in opened.verified] == [NAME, WITNESS.name]
    assert cosigned_at_s(opened.verified[1]) == at_s


def test_a_cosignature_has_its_own_key_id_and_signs_its_time() -> None:
    cosignature = cosign(TEXT, WITNESS.name, OTHER_KEY, 1_679_315_147)
    assert len(cosignature.payload) == 72
    assert cosigned_at_s(cosignature) == 1_679_315_147
    assert WITNESS.verifies(TEXT, cosignature)
    assert WITNESS.key_id != verifier_key(WITNESS.name, OTHER_KEY).key_id
    message = f"cosignature/v1\ntime 1679315147\n{TEXT}".encode()
    OTHER_KEY.public_key().verify(cosignature.payload[8:], message)
    for bit in range(8 * 72):
        changed = bytearray(cosignature.payload)
        changed[bit // 8] ^= 1 << bit % 8
        assert not WITNESS.verifies(TEXT, Signature(WITNESS.name, WITNESS.key_id, bytes(changed)))


@pytest.mark.parametrize("at_s", [0, 2**63])
def test_a_cosignature_of_an_impossible_time_does_not_verify(at_s: int) -> None:
    assert not WITNESS.verifies(TEXT, cosign(TEXT, WITNESS.name, OTHER_KEY, at_s))


def test_a_signature_does_not_pass_for_a_cosignature_nor_the_other_way_round() -> None:
    plain, cosignature = sign(TEXT, "w", OTHER_KEY), cosign(TEXT, "w", OTHER_KEY, 7)
    for algorithm, wrong in ((Algorithm.COSIGNATURE, plain), (Algorithm.ED25519, cosignature)):
        key = verifier_key("w", OTHER_KEY, algorithm)
        assert not key.verifies(TEXT, wrong)
        assert not key.verifies(TEXT, Signature("w", key.key_id, wrong.payload))
    assert not WITNESS.verifies(TEXT, Signature(WITNESS.name, WITNESS.key_id, b""))


VKEY = VERIFIER.text()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "+",
        "name",
        f"{VKEY} ",
        f" {VKEY}",
        f"{VKEY}=",
        VKEY[:-4],
        VKEY.replace("casino", "Casino"),
        VKEY.replace("casino", "cas ino"),
        VKEY.replace("casino", "cas\udcffino"),
        VKEY.replace(VERIFIER.key_id.hex(), VERIFIER.key_id.hex().upper()),
        VKEY.replace(VERIFIER.key_id.hex(), "0" + VERIFIER.key_id.hex()),
        VKEY.replace(VERIFIER.key_id.hex(), "00000000"),
        VKEY.removeprefix(NAME),
        "name+00000000+",
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ],
)
def test_a_verifier_key_that_does_not_read_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        VerifierKey.parse(text)


def test_no_part_of_a_verifier_key_is_a_verifier_key() -> None:
    places = range(0, len(VKEY) + 1, 3)
    for begin in places:
        for end in places:
            if VKEY[begin:end] != VKEY:
                with pytest.raises(BadNote):
                    VerifierKey.parse(VKEY[begin:end])


def test_a_key_of_another_length_is_refused() -> None:
    for length in (0, 31, 33):
        with pytest.raises(BadNote, match=rf"^an Ed25519 key has 32 bytes: this one has {length}$"):
            VerifierKey("name", bytes(length))


def test_bytes_that_are_no_point_of_the_curve_verify_nothing() -> None:
    for public in (bytes(32), b"\xff" * 32):
        key = VerifierKey("name", public)
        assert not key.verifies(TEXT, Signature("name", key.key_id, b"\xff" * 64))


def test_a_checkpoint_is_written_and_read() -> None:
    for checkpoint in (
        Checkpoint(NAME, 0, EMPTY_ROOT),
        Checkpoint("a log with spaces + more", 2**63 - 1, bytes(32), ("one", "— two")),
    ):
        assert Checkpoint.parse(checkpoint.text()) == checkpoint


ROOT_LINE = b64encode(EMPTY_ROOT).decode()


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("", 1),
        ("log\n7\n", 1),
        (f"log\n7\n{ROOT_LINE}", 1),
        (f"\n7\n{ROOT_LINE}\n", 1),
        (f"log\n\n{ROOT_LINE}\n", 2),
        (f"log\n07\n{ROOT_LINE}\n", 2),
        (f"log\n-7\n{ROOT_LINE}\n", 2),
        (f"log\n+7\n{ROOT_LINE}\n", 2),
        (f"log\n7 \n{ROOT_LINE}\n", 2),
        (f"log\n٧\n{ROOT_LINE}\n", 2),
        (f"log\n{2**63}\n{ROOT_LINE}\n", 2),
        (f"log\n{'9' * 5000}\n{ROOT_LINE}\n", 2),
        ("log\n7\n\n", 3),
        ("log\n7\nAAAA\n", 3),
        (f"log\n7\n{ROOT_LINE[:-1]}\n", 3),
        (f"log\n7\n{ROOT_LINE} \n", 3),
        (f"log\n7\n{ROOT_LINE}\n\n", 4),
        (f"log\n7\n{ROOT_LINE}\nfine\n\nmore\n", 5),
    ],
)
def test_a_checkpoint_that_does_not_read_names_its_line(text: str, at: int) -> None:
    with pytest.raises(BadNote) as refused:
        Checkpoint.parse(text)
    assert refused.value.at == at


@pytest.mark.parametrize("fields", [("", 1), ("a\nb", 1), ("a\tb", 1), ("log", -1), ("log", 2**63)])
def test_a_checkpoint_that_cannot_be_written_is_not_made(fields: tuple[str, int]) -> None:
    with pytest.raises(BadNote):
        Checkpoint(*fields, EMPTY_ROOT)


@given(st.text())
def test_no_text_breaks_the_readers_of_checkpoints_and_keys(text: str) -> None:
    for parse in (Checkpoint.parse, VerifierKey.parse):
        with pytest.raises(BadNote):
            parse(text)


def test_messages_about_long_input_stay_short() -> None:
    long = "x" * 100_000
    for parse in (Checkpoint.parse, VerifierKey.parse):
        for text in (long, f"{long}\n{long}\n{long}\n", f"log\n7\n{long}\n", f"{long}+00000000+AA=="):
            with pytest.raises(BadNote) as refused:
                parse(text)
            assert len(refused.value.message) < 200
