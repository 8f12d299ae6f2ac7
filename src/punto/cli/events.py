"""Events as a person reads them: amounts as money, times as hours, nothing that only a machine needs."""

from collections.abc import Iterator
from typing import Any, Final

from punto.ledger.periods import moment_of
from punto.rules.money import money

Plain = dict[str, Any]

_HIDDEN: Final = frozenset({"type", "digest", "sealed", "commitment", "order", "salt"})


def at(time_ms: int) -> str:
    """A time in Singapore, with its date."""
    return moment_of(time_ms).isoformat(" ")[: len("0000-00-00 00:00:00")]


def clock(time_ms: int) -> str:
    """A time in Singapore, of whichever day."""
    return f"{moment_of(time_ms):%H:%M:%S}"


def said(event: Plain) -> list[str]:
    """What an event says besides its type, part by part.

    >>> said({"type": "wager-placed", "number": 1, "patron": "ann", "stake_cents": 5000, "for_patron": True})
    ['number 1', 'patron ann', 'stake 50.00', 'for patron']
    """
    return [part for key, value in event.items() if key not in _HIDDEN for part in _parts(key, value)]


def _parts(key: str, value: object) -> Iterator[str]:
    name = key.replace("_", " ")
    match value:
        case bool():
            yield _yes(name) if value else _no(name)
        case int():
            yield _number(key, name, value)
        case str() if key == "announced":
            yield f"“{value}”"
        case str() if value:
            yield f"{name} {value}"
        case dict() if key == "setup":
            yield from (f"{each} {value[each]}" for each in ("game", "rulebook", "decks") if value.get(each))
        case dict():
            yield f"{name} {' '.join(map(str, value.values()))}"
        case list() | tuple():
            yield from _listed(name, value)


def _yes(name: str) -> str:
    return "face up" if name == "up" else name


def _no(name: str) -> str:
    return "face down" if name == "up" else f"not {name}"


def _number(key: str, name: str, value: int) -> str:
    if key == "cents":
        return money(value)
    if key.endswith("_cents"):
        return f"{name.removesuffix(' cents')} {money(value)}"
    if key.endswith("_ms"):
        return f"{name.removesuffix(' ms')} {clock(value)}"
    return f"{name} {value}"


def _listed(name: str, values: list[Any] | tuple[Any, ...]) -> Iterator[str]:
    plain = [str(each) for each in values if not isinstance(each, dict)]
    if plain:
        yield f"{name} {' '.join(plain)}"
    yield from (f"[{about_wager(each)}]" for each in values if isinstance(each, dict))


def about_wager(each: Plain) -> str:
    """A payment, a stake that went back, or a result that was stated, in a few words.

    >>> about_wager({"number": 2, "result": "win", "pays": "8 to 1"})
    'wager 2 win 8 to 1'
    >>> about_wager({"number": 2, "patron": "ann", "cents": 500})
    'ann returned 5.00'
    """
    cents = each.get("paid_cents", each.get("cents"))
    who = each.get("patron") or f"wager {each['number']}"
    result = each.get("result") or ("returned" if "patron" in each else None)
    words = (who, each.get("wager"), result, each.get("pays"), None if cents is None else money(cents))
    return " ".join(word for word in words if word)
