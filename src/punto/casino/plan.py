"""What a run is made of: its tables, its people and what goes wrong, all drawn from the seed."""

from dataclasses import dataclass
from random import Random
from typing import Final

from punto.games import GAMES, RULEBOOKS
from punto.rules import Method
from punto.rules.money import Cents
from punto.server.clockwork import Pace
from punto.server.config import FloorConfig, SecondFactor, TableConfig
from punto.table import Limit, Setup, Timings, with_virtual_cards

_PACE: Final = Pace(card_ms=150, speech_ms=100, result_ms=700, shoe_ms=300, cut_ms=600)
_LIMITS: Final = {"*": Limit(Cents(500), Cents(500_000))}
_TERMINALS: Final = tuple(key for key, game in GAMES.items() if RULEBOOKS[game.rulebook].conduct.terminals)
_DEALT: Final = tuple(key for key in GAMES if key not in _TERMINALS)

# What can go wrong, and how often as against the others.
FAULTS: Final = {
    "kill": 6,
    "kill within a transaction": 8,
    "power failure": 3,
    "power failure within a transaction": 6,
    "restart in order": 2,
    "paused owner": 5,
    "disk full": 2,
    "disk away": 3,
    "failed sync": 4,
    "lost answer": 5,
    "clock jump": 3,
    "storm": 4,
    "cut connection": 6,
    "outpost full": 2,
    "key rotated": 2,
}


@dataclass(frozen=True)
class Planned:
    """A fault, and when it happens."""

    at_s: float
    kind: str


@dataclass(frozen=True)
class Plan:
    """One run."""

    config: FloorConfig
    # How many patrons sit at each table, and which tables have a dealer.
    patrons: dict[str, int]
    dealt: tuple[str, ...]
    faults: tuple[Planned, ...]
    attack_s: float | None
    lost: float
    doubled: float
    longest_s: float


def plan_of(seed: int, *, attacked: bool | None = None) -> Plan:
    """The plan that a seed stands for."""
    chance = Random(f"{seed}/plan")
    tables = [_terminals(chance, "E1")] if chance.random() < 0.75 else []
    while len(tables) < 2:
        tables.append(_dealt(chance, f"B{len(tables) + 1}"))
    if chance.random() < 0.15:
        tables.append(_dealt(chance, "B9"))
    config = FloorConfig(
        tables=tuple(tables),
        store="disk:",
        key_file="",
        demonstration=chance.random() < 0.5,
        second_factor=SecondFactor.OFFERED,
        prove_again_s=43_200,
        checkpoint_every_s=4.0,
        audit_at="",
        grace_s=4.0,
        independence_hours=0,
    )
    dealt = tuple(table.key for table in tables if not table.automatic or chance.random() < 0.25)
    rough = chance.random() < 0.6
    is_attacked = chance.random() < 0.22
    return Plan(
        config,
        {table.key: chance.randint(1, 3) for table in tables},
        dealt,
        tuple(_faults(chance)),
        chance.uniform(2, 12) if (is_attacked if attacked is None else attacked) else None,
        chance.choice((0.0, 0.02, 0.08)) if rough else 0.0,
        chance.choice((0.0, 0.03, 0.1)) if rough else 0.0,
        chance.choice((0.02, 0.1, 0.6)),
    )


def _faults(chance: Random) -> list[Planned]:
    kinds, weights = list(FAULTS), list(FAULTS.values())
    return sorted(
        (Planned(chance.uniform(0.5, 16), kind) for kind in chance.choices(kinds, weights, k=chance.randint(2, 9))),
        key=lambda planned: planned.at_s,
    )


def _terminals(chance: Random, key: str) -> TableConfig:
    setup = Setup(
        game=chance.choice(_TERMINALS),
        decks=4,
        behind=chance.choice((14, 100, 180)),
        positions=4,
        limits=_LIMITS,
        timings=Timings(bets_ms=2_000, answer_ms=1_200),
    )
    return TableConfig(key=key, setup=with_virtual_cards(setup), pace=_PACE)


def _dealt(chance: Random, key: str) -> TableConfig:
    game = chance.choice(_DEALT)
    methods = RULEBOOKS[GAMES[game].rulebook].conduct.methods
    setup = Setup(
        game=game,
        decks=4,
        behind=chance.choice((14, 180)),
        limits=_LIMITS,
        method=chance.choice((None, Method.A, Method.B)) if methods else None,
        hlga=bool(methods) and chance.random() < 0.5,
        differential_cents=Cents(chance.choice((0, 0, 20_000))) if methods else Cents(0),
        timings=Timings(bets_ms=2_000, answer_ms=1_200),
    )
    if chance.random() < 0.5:
        return TableConfig(key=key, setup=with_virtual_cards(setup), pace=_PACE)
    setup = Setup(**{name: getattr(setup, name) for name in setup.__struct_fields__} | {"reads": chance.random() < 0.6})
    return TableConfig(key=key, setup=setup, automatic=False, pace=_PACE)
