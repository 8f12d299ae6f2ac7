"""Events as staff are shown them: without what is hidden for good, and now and then without what may be hidden."""

from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from punto.table import AnyEvent
from punto.table import events as on

# What is left out for good: a shoe's sealed order (its opened one is for those who verify it), and cards set aside.
NEVER: Final[dict[type[on.Event], frozenset[str]]] = {
    on.ShoeLoaded: frozenset({"sealed"}),
    on.ShoeEnded: frozenset({"order", "salt"}),
    on.CardsSetAside: frozenset({"cards"}),
}
# What may name cards that still lie face down.
CARDS: Final = frozenset(
    {"before", "cards", "player", "banker", "order", "surplus", "discarded", "left", "missing", "device", "discards"}
)
# What a report quotes may name such cards too.
QUOTED: Final = frozenset({"note", "matter", "order", "reason"})
# What names only cards that everybody has seen.
OPEN: Final = (on.CardsExposed, on.OutcomeAnnounced, on.RoundSettled)


def _may_be_hidden(kind: type[on.Event], field: str, type_: object) -> bool:
    if kind is on.CardDrawn:
        return field == "card"
    return field in QUOTED or (field in CARDS and type_ is str and kind not in OPEN)


def _as_shown(kind: type[on.Event]) -> type[Struct]:
    """An event as staff are shown it."""
    fields: list[Any] = []
    for field in msgspec.structs.fields(kind):
        if field.name in NEVER.get(kind, ()):
            continue
        if _may_be_hidden(kind, field.name, field.type):
            fields.append((field.name, field.type | UnsetType, UNSET))
        elif field.required:
            fields.append((field.name, field.type))
        else:
            fields.append((field.name, field.type, field.default))
    return msgspec.defstruct(
        kind.__name__,
        fields,
        namespace={"__doc__": kind.__doc__},
        module=__name__,
        tag_field="type",
        tag=kind.__struct_config__.tag,
        frozen=True,
        kw_only=True,
        omit_defaults=True,
        forbid_unknown_fields=True,
    )


# Events by the form in which they are shown.
SHOWN: Final[dict[type[Struct], type[on.Event]]] = {_as_shown(kind): kind for kind in AnyEvent.__args__}
AnyShown: Any = None
for _form in SHOWN:
    AnyShown = _form if AnyShown is None else AnyShown | _form
