"""Every clause broken on purpose: a planted fault that one of the tests linked to the clause must notice.

The faults are in two places: small wrongs in the declarations are derived (`derived.py`), all others are written by
hand in `faults.toml`. Clauses that no fault can break are in `unplantable.toml`, each with its reason.
"""
