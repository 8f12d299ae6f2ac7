"""`punto person`: what is kept about somebody beside the record, to be shown or handed over; and its erasure."""

import time
from pathlib import Path
from typing import Final

import click
import msgspec

from punto.cli.floors import floor_named
from punto.cli.noting import note, who
from punto.cli.options import check_line
from punto.cli.stores import NamedStore
from punto.cli.times import in_utc as moment
from punto.errors import BadUsage
from punto.floor import Floor
from punto.floor.erasures import Erasures
from punto.floor.keys import Keys
from punto.proof.calls import is_address
from punto.record.journal import PERSONAL, RecordExported
from punto.server.claims.disputes import disputes_on_record
from punto.server.config import FloorConfig
from punto.server.identity import events as on
from punto.server.identity.erasing import About, about, erase_from_the_machine, read_people
from punto.server.identity.events import StayReason
from punto.store import open_store

_WHY: Final = {
    StayReason.LAW: "",
    StayReason.OPEN_CLAIM: ", and until the claim is answered or withdrawn",
    StayReason.CLAIM: ", unless somebody who had no part in the round has it erased in the pit",
}


def run_person(file: str, name: str, *, as_json: bool, erase: tuple[str, str] | None) -> None:
    """Show what is kept about somebody; or erase it, as somebody has decided for a reason."""
    check_line("NAME", name)
    if erase is not None:
        if not all(text.strip() for text in erase):
            raise BadUsage("--erase: expected --by with the name of whoever decides it, and --reason with the reason")
        for option, text in zip(("--by", "--reason"), erase, strict=True):
            check_line(option, text)
    config = floor_named(file)
    store = open_store(config.store, create=False)
    try:
        floor = Floor(store, Keys.open(config.key_source, config.signer))
        at_ms = time.time_ns() // 1_000_000
        disputes = disputes_on_record(floor, at_ms)
        if erase is None:
            found = about(floor, read_people(floor), config.retention, name, disputes)
            name = found.person
            click.echo(_export(found, config, at_ms) if as_json else _shown(found, config, at_ms), nl=False)
        else:
            event = erase_from_the_machine(floor, config.retention, name, erase, disputes)
            for folder in config.checkpoints:
                if not is_address(folder):
                    Erasures(Path(folder)).add(event.erased)
            click.echo(_told(event, left=floor.personal.has_remains), nl=False)
    finally:
        store.close()
    if erase is None:
        note(NamedStore(file, config.store, config), RecordExported(PERSONAL, name, who()))


def _export(found: About, config: FloorConfig, at_ms: int) -> str:
    kept = [
        {
            "kind": line.kept.kind,
            "since": moment(line.kept.at_ms),
            "text": line.kept.text,
            "stays_until": moment(until_ms) if until_ms else None,
            "stays_for": why.value if until_ms else None,
            "commitment": line.kept.commitment,
        }
        for line in found.lines
        for until_ms, why in (found.stays(line, at_ms),)
    ]
    whole = {
        "name": found.person,
        "last_active": moment(found.active_ms) if found.active_ms else None,
        "kept": kept,
        "damaged": len(found.damaged),
        "on_record_for_ever": found.on_record,
        "basis": config.retention.basis or None,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _shown(found: About, config: FloorConfig, at_ms: int) -> str:
    lines = [f"{found.person}, last active {moment(found.active_ms)}" if found.active_ms else found.person]
    for line in found.lines:
        until_ms, why = found.stays(line, at_ms)
        stays = f"; stays until {moment(until_ms)}{_WHY[why]}" if until_ms else ""
        text = " / ".join(line.kept.text.splitlines())
        lines.append(f"  {line.kept.kind.value}, since {moment(line.kept.at_ms)}{stays}: {text}")
    if not found.lines:
        lines.append("  Nothing is kept beside the record.")
    if found.damaged:
        lines.append(f"  {len(found.damaged)} more do not open: they were altered, or are another person's.")
    lines += [f"  On record for ever: {count} entries of {stream}" for stream, count in found.on_record.items()]
    if config.retention.basis and any(line.until_ms for line in found.lines):
        lines.append(f"  Kept by law: {config.retention.basis}")
    return "".join(f"{_plain(line)}\n" for line in lines)


def _told(event: on.PersonErased, *, left: bool) -> str:
    texts = "1 text" if len(event.erased) == 1 else f"{len(event.erased)} texts"
    lines = [f"Erased: {texts} about {event.person}. It is on record who decided it, and why."]
    for stay in event.stays:
        why = _WHY[stay.why] or f", by {event.basis}"
        said = f"{len(stay.commitments)} of {stay.kind.value} until {moment(stay.until_ms)}{why}"
        lines.append(f"  Stays: {said}; then the floor erases it by itself.")
    if left:
        lines.append("  Somebody reads the store just now: the floor clears its log when that has ended.")
    lines.append("  Copies of the store from before still have it: destroy them in time.")
    return "".join(f"{_plain(line)}\n" for line in lines)


def _plain(line: str) -> str:
    """A line without signs that would move about on a screen."""
    return "".join(sign if sign.isprintable() else "?" for sign in line)
