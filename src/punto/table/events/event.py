"""What every event is."""

from msgspec import Struct


class Event(Struct, frozen=True, tag_field="type", tag=True, omit_defaults=True, gc=False):
    """Something that happened at a table."""
