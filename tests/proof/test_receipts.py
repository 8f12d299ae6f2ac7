"""Receipts: what they say, that nothing in them can be changed, and what they are held against."""

from dataclasses import replace
from hashlib import sha256
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.floor.floors import KEYS
from tests.floor.taken import CASH_OUT, RAISED, TICKET, WAGER, Taken

from punto.errors import BadNote, BadReceipt
from punto.floor.keys import Keys
from punto.proof.compact import packed
from punto.proof.consistency import Consistency, check_against
from punto.proof.headlog import origin_of
from punto.proof.receipts import Certified, Inclusion, Receipt, Seal, decode, read_receipt
from punto.proof.signers import LocalSigner
from punto.proof.writers import fresh_writer
from punto.server.reception import is_too_long

# As a patron's text may be; the whole of it, and one QR code's.
MOST_TEXT: Final = 2_500
# What the largest QR code holds of the signs of base45, at its lowest level of correction.
MOST_SIGNS: Final = 4_296


@pytest.fixture(scope="module")
def taken() -> Taken:
    taken = Taken().play()
    taken.checkpoint()
    taken.go_on(40)
    taken.checkpoint()
    return taken


@pytest.fixture(scope="module")
def receipt(taken: Taken) -> Receipt:
    return taken.take(WAGER)


def test_a_receipt_says_who_wagered_what_and_under_which_seal(taken: Taken, receipt: Receipt) -> None:
    claim = receipt.check()
    assert (claim.kind, claim.patron, claim.wager, claim.cents) == ("wager", "ann", "Banker", 5_000)
    assert (claim.table, claim.round, claim.shoe) == ("T1", 2, 1)
    assert claim.seal == taken.house.floor.table("T1").shoe.commitment
    assert claim.signer_floor == claim.writer_floor == KEYS.public
    assert claim.is_of(KEYS.public)
    assert not claim.is_of(Keys.fresh().public)
    assert claim.checkpoint == taken.receipts.proofs.latest().checkpoint.size


def test_a_changed_wager_a_ticket_and_a_cash_out_have_receipts_too(taken: Taken) -> None:
    raised = taken.take(RAISED).check()
    assert (raised.kind, raised.wager, raised.from_cents, raised.cents) == ("stake", "Banker", 5_000, 7_500)
    ticket = taken.take(TICKET).check()
    assert (ticket.kind, ticket.patron, ticket.cents, ticket.command) == ("ticket", "bob", 10_000, TICKET)
    cashed = taken.take(CASH_OUT).check()
    assert (cashed.kind, cashed.patron, cashed.cents) == ("cash-out", "bob", 500)


def test_a_receipt_comes_back_from_its_text_and_from_its_code(receipt: Receipt) -> None:
    for each in (receipt, receipt.plain()):
        assert read_receipt(each.text()) == read_receipt(each.code()) == decode(each.encode()) == each
        assert read_receipt("\n" + each.text().replace("\n", "\r\n")) == each
        assert each.text().startswith("punto receipt 1\n")
        each.check()


def forged(raw: bytes) -> bool:
    """Whether bytes are taken for a receipt."""
    try:
        decode(raw).check()
    except BadReceipt:
        return False
    return True


def test_no_byte_of_a_receipt_can_be_another(receipt: Receipt) -> None:
    raw = receipt.encode()
    for at in range(len(raw)):
        other = bytearray(raw)
        other[at] ^= 1 << at % 8
        assert not forged(bytes(other)), f"byte {at} was changed, and nobody noticed"


def test_no_byte_can_be_left_out_or_added(receipt: Receipt) -> None:
    raw = receipt.encode()
    for cut in (*range(3), 40, len(raw) // 2, len(raw) - 1):
        assert not forged(raw[:cut])
    assert not forged(raw + b"\0")
    assert not forged(receipt.plain().encode() + b"\0")


def test_no_sign_of_the_text_can_be_another(receipt: Receipt) -> None:
    for text in (receipt.text().strip(), receipt.code()):
        for at in range(0, len(text), 13):
            sign = "A" if text[at] != "A" else "B"
            with pytest.raises(BadReceipt):
                read_receipt(text[:at] + sign + text[at + 1 :]).check()


@pytest.mark.parametrize(
    "text",
    [
        *("", "punto receipt 1", "punto receipt 2\nAQ", "punto receipt 1\n!", "punto receipt 1\n中", "x" * 7_000),
        *("PUNTO RECEIPT 1:", "PUNTO RECEIPT 1:::::", "punto receipt 1\nAQAA", "punto receipt 1\nAf8A", "receipt"),
    ],
)
def test_what_is_no_receipt_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadReceipt) as refused:
        read_receipt(text).check()
    assert "\n" not in refused.value.message
    assert refused.value.code == "bad-receipt"


def test_lines_may_be_broken_anywhere_or_nowhere_and_the_bytes_have_one_writing(receipt: Receipt) -> None:
    mark, *lines = receipt.text().strip().split("\n")
    code = "".join(lines)
    for joined in (f"{mark}\n{code}", f"{mark} {code}", f"{mark}{code}", " ".join([mark, *lines])):
        assert read_receipt(joined) == receipt
    assert read_receipt(f"{mark}\r\n" + "\r\n\t".join(code[at : at + 7] for at in range(0, len(code), 7))) == receipt
    for other in (code + "=", code + "!"):
        with pytest.raises(BadReceipt, match="not written as receipts are"):
            read_receipt(f"{mark}\n{other}")
    with pytest.raises(BadReceipt, match="not version 1 of a receipt"):
        read_receipt(f"{mark}\nAgAA")


def test_a_receipt_that_somebody_else_has_signed_names_another_floor(receipt: Receipt) -> None:
    forger = fresh_writer(LocalSigner(Ed25519PrivateKey.generate()), 1)
    unsigned = replace(receipt.plain(), signer=Certified.of(forger.certificate), seal=None)
    resigned = replace(unsigned, signature=forger.key.sign(unsigned.message()))
    claim = resigned.check()
    assert claim.writer_floor == KEYS.public
    assert not claim.is_of(KEYS.public), "the wager was signed by the floor, but this receipt was not"


def test_the_key_of_a_checkpoint_does_not_vouch_for_the_seal_and_the_round(receipt: Receipt) -> None:
    """Whoever has a receipt with an inclusion could sign it anew, and keep what the floor has signed: the head."""
    forger = fresh_writer(LocalSigner(Ed25519PrivateKey.generate()), 1)
    unsigned = replace(receipt, signer=Certified.of(forger.certificate), seal=Seal(13, bytes(32)), round=666)
    claim = replace(unsigned, signature=forger.key.sign(unsigned.message())).check()
    assert (claim.checkpoint_key, claim.round, claim.shoe) == (KEYS.public, 666, 13)
    assert not claim.is_of(KEYS.public)
    with pytest.raises(BadReceipt, match="not under the one given with --key"):
        claim.check_keys({KEYS.public})
    with pytest.raises(BadReceipt, match=f"was signed by another key, {KEYS.public}"):
        claim.check_keys()


def test_a_checkpoint_counts_only_by_a_key_behind_the_signer_or_a_key_that_was_given(receipt: Receipt) -> None:
    """Anybody can sign a made-up log under the name of the floor's; that shows in the key alone."""
    forger = Keys.fresh()
    assert isinstance(forger.signing, LocalSigner)
    assert receipt.inclusion
    log = bytes.fromhex(KEYS.public)[:8]
    made_up = replace(receipt, inclusion=receipt.inclusion._replace(key=bytes.fromhex(forger.public), log=log))
    checkpoint = made_up.checkpoint()
    assert checkpoint
    assert checkpoint.origin == origin_of(KEYS.public)
    signature = forger.signing.sign_checkpoint(checkpoint).signatures[0].payload
    assert made_up.inclusion
    claim = replace(made_up, inclusion=made_up.inclusion._replace(signature=signature)).check()
    for keys in ((KEYS.public,), (KEYS.public, Keys.fresh().public)):
        with pytest.raises(BadReceipt, match=f"another key, {forger.public}: if that is a former key"):
            claim.check_keys(keys)
    with pytest.raises(BadReceipt, match=f"another key, {forger.public}, than {KEYS.public}: if both are keys"):
        claim.check_keys()
    assert claim.check_keys((KEYS.public, forger.public)) == {KEYS.public, forger.public}
    assert receipt.check().check_keys() == receipt.plain().check().check_keys() == {KEYS.public}


def test_a_certificate_of_the_forgers_own_is_refused(receipt: Receipt) -> None:
    forger = fresh_writer(LocalSigner(Ed25519PrivateKey.generate()), 1)
    own = Certified.of(forger.certificate)._replace(floor=receipt.writer.floor)
    unsigned = replace(receipt.plain(), signer=own)
    with pytest.raises(BadReceipt, match="is not signed with the key it names"):
        replace(unsigned, signature=forger.key.sign(unsigned.message())).check()


# Against checkpoints from elsewhere


def test_a_receipt_is_held_against_the_checkpoint_of_its_size(taken: Taken, receipt: Receipt) -> None:
    latest = taken.receipts.proofs.latest().checkpoint
    check_against(receipt, latest)
    with pytest.raises(BadReceipt, match="two histories"):
        check_against(receipt, replace(latest, root=bytes(32)))
    with pytest.raises(BadReceipt, match="no proof of inclusion yet"):
        check_against(receipt.plain(), latest)
    with pytest.raises(BadReceipt, match="and this checkpoint is of 'punto/other'"):
        check_against(receipt, replace(latest, origin="punto/other"))


def test_a_receipt_is_held_against_a_later_and_an_earlier_checkpoint(taken: Taken) -> None:
    proofs = taken.receipts.proofs
    old, new = proofs.taken(1).checkpoint, proofs.taken(2).checkpoint
    early = taken.take(WAGER)
    early = replace(early, inclusion=_at(taken, early, 1))
    proof = proofs.consistency(old.size, new.size)
    assert Consistency.parse(proof.text()) == proof
    check_against(early, new, [proof])
    check_against(taken.take(WAGER), old, [proof])
    with pytest.raises(BadReceipt, match="expected the proof that one begins with the other"):
        check_against(early, new)
    for other in (proof.proof[:-1], (*proof.proof[:-1], bytes(32)), ()):
        with pytest.raises(BadReceipt, match="does not show that the log"):
            check_against(early, new, [replace(proof, proof=other)])


def _at(taken: Taken, receipt: Receipt, version: int) -> Inclusion:
    """The path of a receipt to an earlier checkpoint."""
    import msgspec  # noqa: PLC0415

    position = taken.receipts.position(receipt)
    assert position is not None
    proofs = taken.receipts.proofs
    return proofs.inclusion(position, msgspec.json.encode(receipt.statement), proofs.taken(version))


@pytest.mark.parametrize(
    "text",
    [
        *("", "punto consistency 1", "punto consistency 1\nfrom 1\n", "punto consistency 1\nfrom 1\nto x\n"),
        *("punto consistency 1\nfrom 1\nto 2\nAAAA\n", "punto consistency 1\nfrom 1\nto 2\n" + ("A" * 43 + "=\n") * 80),
    ],
)
def test_what_is_no_consistency_proof_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        Consistency.parse(text)


# How large they are


def body(name: str, wager: str, id_: str) -> bytes:
    return (
        f'{{"at_ms":1767196800026,"by":{{"name":"{name}","position":"patron"}},"command":"{id_}",'
        f'"event":{{"type":"wager-placed","number":100,"patron":"{name}","wager":"{wager}","stake_cents":500000000,'
        '"position":999},"asked":2719078729}'
    ).encode()


def hashes(count: int) -> tuple[bytes, ...]:
    return tuple(bytes([at]) * 32 for at in range(count))


LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
USUAL_ID: Final = "0006462a0c3b7f-a1b2c3d4e5"
# As long as an id may be that somebody has chosen so that nothing of it can be packed.
LONGEST_ID: Final = "".join(sorted(LETTERS, key=lambda sign: sha256(sign.encode()).digest())) + LETTERS[-32:][::-1]
CHINESE_ID: Final = "".join(chr(0x4E00 + 7 * at) for at in range(32))
LONG: Final = ("Three of the Same Element Suit", "high-limit-area.table-17-of-salo")


@pytest.mark.parametrize(
    ("name", "wager", "table", "second", "id_"),
    [
        ("guest-4f2a91", "Fortune Six", "7", False, USUAL_ID),
        ("guest-4f2a91", *LONG, True, LONGEST_ID),
        ("guest-4f2a91", "Fortune Six", "7", True, CHINESE_ID),
        (LETTERS, *LONG, False, LONGEST_ID),
        (LETTERS, *LONG, True, USUAL_ID),
        ("".join(chr(0x4E00 + at) for at in range(64)), *LONG, False, USUAL_ID),
    ],
)
def test_a_receipt_is_short_in_a_log_of_ten_million_heads(
    receipt: Receipt, name: str, wager: str, table: str, second: bool, id_: str
) -> None:
    assert not is_too_long(id_)
    large = replace(
        receipt,
        table=table,
        version=10**8,
        packed=packed(body(name, wager, id_)),
        number=10**7,
        index=37,
        commands=100,
        path=hashes(7),
        round=10**5,
        signer=receipt.writer if second else None,
        inclusion=Inclusion(10**7, 5 * 10**6, hashes(24), receipt.writer.floor, bytes(64)),
    )
    assert read_receipt(large.text()) == large
    assert len(large.text()) <= MOST_TEXT
    assert len(large.code()) <= 0.66 * MOST_SIGNS
    assert len(large.plain().text()) <= 0.6 * MOST_TEXT
