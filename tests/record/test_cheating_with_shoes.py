"""Somebody who holds all keys of the floor cheats with the order of a shoe: the audit, or the shoe's text, shows it."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from tests.floor.contributors import KEYS, SIGNING, Contributors, played, secret_of
from tests.record.forgery import Forgery

from punto.record import Code, audit, read_shoe, verify
from punto.record.exporting import export
from punto.record.fairness import Chosen, fairness_of
from punto.store import MemoryStore
from punto.table.contributions import contribution_digest

T1 = "table/T1"
Cheat = Callable[[Forgery], object]


@cache
def _played() -> MemoryStore:
    store = MemoryStore()
    played(store)
    return store


def event(type_: str, nth: int, **fields: object) -> Cheat:
    """Give fields of an event other values."""
    return lambda store: store.edit(T1, store.version_of(T1, type_, nth), lambda body: body["event"].update(fields))


def moved(type_: str, nth: int, **to: Any) -> Cheat:  # noqa: ANN401
    """Take an event from its place and put it before another."""
    ((before, other),) = to.items()

    def cheat(store: Forgery) -> None:
        version = store.version_of(T1, type_, nth)
        body, command = store.body(T1, version), store.entries[T1][version - 1].command
        store.remove(T1, version)
        place = store.version_of(T1, before.replace("_", "-"), other)
        at_ms = store.body(T1, place)["at_ms"]
        store.insert(T1, place, body | {"at_ms": at_ms}, command)

    return cheat


def removed(type_: str, nth: int) -> Cheat:
    """Take an event out."""
    return lambda store: store.remove(T1, store.version_of(T1, type_, nth))


def another_order(store: Forgery) -> None:
    """The floor opens another order than it dealt from."""
    version = store.version_of(T1, "shoe-ended", -1)
    cards = store.body(T1, version)["event"]["order"].split()
    event("shoe-ended", -1, order=" ".join(reversed(cards)))(store)


def swapped_seal(store: Forgery) -> None:
    """The floor opens the second shoe with the order and the salt of the first."""
    first = store.body(T1, store.version_of(T1, "shoe-ended", 0))["event"]
    event("shoe-ended", -1, order=first["order"], salt=first["salt"])(store)


def ground_after_the_reveal(store: Forgery) -> None:
    """The floor commits anew, to an order that it likes better, once it has seen the secrets."""
    first = store.body(T1, store.version_of(T1, "shoe-loaded", 0))["event"]
    event("shoe-loaded", -1, commitment=first["commitment"])(store)


def another_secret(store: Forgery) -> None:
    event("contribution-revealed", -1, secret=secret_of("mallory"))(store)


def another_commitment(store: Forgery) -> None:
    """Somebody commits once the other secrets are known: commitment and secret fit each other, and not the deal."""
    shoe = store.body(T1, store.version_of(T1, "shoe-loaded", -1))["event"]["commitment"]
    digest = contribution_digest(shoe, "ann", secret_of("mallory"))
    event("contribution-committed", -1, commitment=digest)(store)
    version = next(
        v
        for v in range(len(store.entries[T1]), 0, -1)
        if store.body(T1, v)["event"].get("type") == "contribution-revealed"
        and store.body(T1, v)["event"]["patron"] == "ann"
    )
    store.edit(T1, version, lambda body: body["event"].update(secret=secret_of("mallory")))


def exchanged(store: Forgery) -> None:
    """The contributions are used in another order."""
    one, other = (store.version_of(T1, "contribution-committed", nth) for nth in (-2, -1))
    store.swap(T1, one)
    assert other == one + 1


def eve_again(store: Forgery) -> None:
    """Whoever withheld contributes to the next shoe all the same."""
    version = store.version_of(T1, "contribution-committed", -1)
    body = store.body(T1, version)
    eve = body | {"command": "eve", "by": {"name": "eve", "position": "patron"}}
    store.insert(T1, version + 1, eve | {"event": body["event"] | {"patron": "eve"}}, "eve")


def in_anothers_name(store: Forgery) -> None:
    """Staff contribute in the place of a patron."""
    version = store.version_of(T1, "contribution-committed", -1)
    store.edit(T1, version, lambda body: body.update(by={"name": "pam", "position": "pit-manager"}))


def downgraded(store: Forgery) -> None:
    """The shoe is said to be of the first protocol, to which nobody contributes."""
    version = store.version_of(T1, "shoe-loaded", -1)
    store.edit(T1, version, lambda body: body["event"].pop("protocol"))


def not_permuted(store: Forgery) -> None:
    """The floor's own order is dealt."""
    ended = store.body(T1, store.version_of(T1, "shoe-ended", -1))["event"]
    order = ended["order"].split()
    cut = [*order[60:], *order[:60]]
    for nth in range(4):
        event("card-drawn", nth, card=cut[nth])(store)


def hurried(store: Forgery) -> None:
    """Contributions are closed before anybody else can bring one."""
    loaded_ms = store.body(T1, store.version_of(T1, "shoe-loaded", -1))["at_ms"]
    version = store.version_of(T1, "contributions-closed", -1)
    store.edit(T1, version, lambda body: body.update(at_ms=loaded_ms + 1_900))


CHEATS: dict[str, tuple[Cheat, str]] = {
    "contributions are closed at once": (hurried, "before patrons had time to bring them"),
    "a shoe that was abandoned is kept quiet": (
        event("shoe-loaded", -1, abandoned=0),
        "shoes abandoned just before this one: 1, not 0",
    ),
    "another order is opened": (another_order, "not the one that was committed to"),
    "the seal of another shoe is opened": (swapped_seal, "not the one that was committed to"),
    "the floor commits once it knows the secrets": (ground_after_the_reveal, "is not what was committed to"),
    "a secret is exchanged": (another_secret, "is not what was committed to"),
    "a contribution is made up afterwards": (another_commitment, "the order that was opened has"),
    "a contribution is left out": (removed("contribution-committed", -1), "that nobody awaited"),
    "contributions change places": (exchanged, "the order that was opened has"),
    "a secret is revealed before the close": (
        moved("contribution-revealed", -1, contributions_closed=-1),
        "revealed while contributions were still taken",
    ),
    "a contribution comes after the close": (
        moved("contribution-committed", -1, contribution_revealed=-1),
        "taken after contributions were closed",
    ),
    "the cut comes after the close": (moved("shoe-cut", 0, contribution_revealed=-1), "cut after its contributions"),
    "bets open though one is withheld": (removed("contribution-revealed", -1), "was withheld: bob"),
    "bets open while contributions are taken": (removed("contributions-closed", -1), "were still taken"),
    "the contributions permute nothing": (not_permuted, "the order that was opened has"),
    "the beacon's value is another": (
        event("beacon-drawn", -1, signature=SIGNING.sign(7)),
        "that the beacon did not sign for round",
    ),
    "the beacon's value is left out": (removed("beacon-drawn", -1), "was withheld: the beacon"),
    "a round of the beacon is chosen": (
        event("contributions-closed", -1, beacon_round=7),
        "is not the first after the close",
    ),
    "there is no time to reveal": (event("contributions-closed", -1, until_ms=1), "with too little time"),
    "whoever withheld is let in again": (eve_again, "who had not revealed an earlier one"),
    "staff contribute for a patron": (in_anothers_name, "what only patrons themselves do"),
    "the shoe is of an older protocol": (downgraded, "patrons could not contribute"),
    "a shoe is abandoned without a reason": (event("shoe-ended", -1, reason=" "), "without a reason"),
    "a shoe is said to be spent": (event("shoe-ended", -1, cause="spent"), "it was decided"),
    "somebody who revealed is said to have withheld": (event("shoe-ended", 0, unrevealed=["ann"]), "who revealed"),
    "a decision is blamed on a patron": (event("shoe-ended", 0, cause="decided", reason="-"), "it was unrevealed"),
}


def test_what_was_played_is_clean() -> None:
    assert not audit(Forgery(_played()).sign(KEYS), public_key=KEYS.public).findings


@pytest.mark.parametrize("name", CHEATS)
def test_the_audit_finds_it(name: str) -> None:
    cheat, said = CHEATS[name]
    store = Forgery(_played())
    cheat(store)
    findings = audit(store.sign(KEYS), public_key=KEYS.public).findings
    assert any(said in each.said for each in findings), [str(each) for each in findings]
    assert {each.code for each in findings} & {Code.BAD_SHOE, Code.NOT_ALLOWED}


def _text() -> str:
    return str(export(_played(), "T1", 2))


def line_with(header: str) -> str:
    return next(line for line in _text().splitlines() if line.startswith(f"{header} "))


def _with(header: str, value: str) -> Callable[[str], str]:
    return lambda text: text.replace(line_with(header), f"{header} {value}")


def _opened(text: str) -> str:
    assert line_with("opened") in text
    return line_with("opened").removeprefix("opened ").replace("+08:00", ".999+08:00")


def _swapped(text: str) -> str:
    one, other = [line for line in text.splitlines() if line.startswith("contribution ")]
    return text.replace(one, "x").replace(other, one).replace("\nx\n", f"\n{other}\n")


TEXT_CHEATS: dict[str, tuple[Callable[[str], str], str]] = {
    "the shoe of another table": (_with("table", "T2"), "for this shoe of this table"),
    "another shoe of the table": (_with("shoe", "3"), "for this shoe of this table"),
    "another number of decks": (_with("decks", "5"), "for this shoe of this table"),
    "another salt": (_with("salt", "00" * 16), "for this shoe of this table"),
    "another beacon": (lambda text: text.replace("our-own", "my-own"), "for this shoe of this table"),
    "no beacon": (lambda text: text.replace(line_with("beacon") + "\n", ""), "expected name, key"),
    "another value": (_with("beacon-value", SIGNING.sign(7)), "not what the beacon signed"),
    "another round": (_with("beacon-round", "7"), "not what the beacon signed"),
    "a round and its value of one's choice": (
        lambda text: _with("beacon-round", "7")(_with("beacon-value", SIGNING.sign(7))(text)),
        "beacon-round: the first after the close",
    ),
    "another secret": (lambda text: text.replace(secret_of("ann"), secret_of("eve")), "is not what was committed to"),
    "no secret": (lambda text: text.replace(f" / {secret_of('ann')}", ""), "though ann had revealed nothing"),
    "a contribution is left out": (
        lambda text: text.replace(line_with("contribution") + "\n", ""),
        "of the shoe is",
    ),
    "contributions in another order": (_swapped, "of the shoe is"),
    "a contribution twice": (
        lambda text: text.replace(
            line_with("contribution"), line_with("contribution") + "\n" + line_with("contribution")
        ),
        "contributed more than once",
    ),
    "a late cut": (_with("cut-at", "2026-12-23 12:59:00.000+08:00"), "after its"),
    "bets before the close": (_with("first-bets", "2026-12-23 12:00:00.000+08:00"), "after the first bets had opened"),
    "no close": (lambda text: text.replace(line_with("contributions-closed") + "\n", ""), "before the contributions"),
    "a round of one's choice and no times": (
        lambda text: (
            _with("beacon-round", "7")(_with("beacon-value", SIGNING.sign(7))(text))
            .replace(line_with("contributions-closed") + "\n", "")
            .replace(line_with("first-bets") + "\n", "")
        ),
        "contributions-closed: expected the time",
    ),
    "a beacon of one's own under a known name": (
        lambda text: text.replace("beacon our-own", "beacon quicknet"),
        "not the key of quicknet",
    ),
    "withheld, and dealt all the same": (_with("ended", "unrevealed"), "so nothing was withheld"),
    "shoes that were abandoned before are kept quiet": (_with("abandoned-before", "0"), "for this shoe of this table"),
    "no word of shoes that were abandoned": (
        lambda text: text.replace(line_with("abandoned-before"), ""),
        "expected a",
    ),
    "no word of when bets opened": (lambda text: text.replace(line_with("first-bets"), ""), "first-bets: expected"),
    "no time to contribute": (
        lambda text: text.replace(line_with("contributions-closed"), f"contributions-closed {_opened(text)}"),
        "patrons had less than 2 s",
    ),
    "a number of abandoned shoes that is none": (_with("abandoned-before", "-5"), "expected a whole number"),
    "another cut": (_with("cut", "61"), "of the shoe is"),
    "an older protocol": (_with("protocol", "1"), "by the first protocol nobody contributed"),
    "a protocol to come": (_with("protocol", "3"), "protocol: expected 1 or 2"),
}


def test_the_text_of_what_was_played_is_right_and_says_that_nobody_chose() -> None:
    shoe = read_shoe(_text())
    assert list(verify(shoe)) == []
    assert str(shoe) == _text()
    found = fairness_of(shoe)
    assert (found.chosen, found.contributors, found.abandoned) == (Chosen.NOBODY, 2, 1)
    assert "ended decided by pit-manager: a patron asked for new cards" in _text()


@pytest.mark.parametrize("name", TEXT_CHEATS)
def test_the_verifier_finds_it(name: str) -> None:
    cheat, said = TEXT_CHEATS[name]
    text = cheat(_text())
    assert text != _text()
    wrong = [each.said for each in verify(read_shoe(text))]
    assert any(said in each for each in wrong), wrong


def test_an_abandoned_shoe_lies_open_and_says_who_revealed_nothing() -> None:
    shoe = read_shoe(str(export(_played(), "T1", 1)))
    assert list(verify(shoe)) == []
    assert shoe.headers["ended"] == "unrevealed"
    assert [each.patron for each in shoe.brought if not each.secret] == ["eve"]


def test_without_contributions_the_text_says_that_the_floor_could_have_chosen() -> None:
    house = Contributors()
    house.load()
    house.round()
    house.end()
    shoe = read_shoe(str(export(house.store, "T1", 1)))
    assert list(verify(shoe)) == []
    assert fairness_of(shoe).chosen is Chosen.FLOOR
