"""A table as each audience may see it: anybody, one patron, staff. What may not be seen never gets into a face."""

from punto.server.faces.own import own_state
from punto.server.faces.public import Shown, public_state
from punto.server.faces.staff import staff_state
from punto.server.faces.state import Fields, changed, encoded

__all__ = ["Fields", "Shown", "changed", "encoded", "own_state", "public_state", "staff_state"]
