"""What a floor is: its tables with their games, limits and timings, where it listens and where it keeps things."""

from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from punto.floor.keyfiles import KeySource
from punto.games import GAMES, RULEBOOKS
from punto.rules import Method, Position
from punto.rules.money import Cents
from punto.server.auditplan import AuditPlan
from punto.server.clockwork import Pace
from punto.server.heavy.pool import USUAL_WORKERS
from punto.server.orders import (
    CLAIMS_ANSWERED_WITHIN_HOURS,
    CLAIMS_WITHIN_HOURS,
    HOUR_MS,
    INDEPENDENCE_HOURS,
    SHIFT_HOURS,
    CashLimit,
    ClaimTerms,
    Orders,
    ordered,
)
from punto.server.retention import Retention
from punto.table import Limit, Setup, Timings, with_virtual_cards
from punto.table.contributions import Beacon

LOOPBACK: Final = "127.0.0.1"
PORT: Final = 8421
# A room of guests whose devices share one address; more pages than that are no guests'.
PAGES_PER_ADDRESS: Final = 200
# Pages and whatever they ask for beside them.
CONNECTIONS_PER_ADDRESS: Final = 600
# An hour before the gaming day ends, when least is played.
AUDIT_AT: Final = "05:00"
AUDIT_WHOLE_EVERY_DAYS: Final = 7


class SecondFactor(Enum):
    """What staff need besides a password: a passkey or one-time codes, or that as they like."""

    REQUIRED = "required"
    OFFERED = "offered"


class TableConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table: how it is set up, and who deals."""

    key: str
    setup: Setup
    # Whether the clock or an automatic dealer deals where no dealer has taken the table.
    automatic: bool = True
    # Whether rounds begin with nobody there.
    always: bool = False
    pace: Pace = Pace()


class WitnessConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody who cosigns checkpoints: where, and with which key."""

    address: str
    key: str


class BeaconConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public beacon that adds to the order of virtual shoes, and the addresses that serve its rounds."""

    beacon: Beacon
    addresses: tuple[str, ...]


class CashReporting(Struct, frozen=True, forbid_unknown_fields=True):
    """What a patron moves in cash within a gaming day, in one direction, before a report is due; 0: no reports."""

    threshold_cents: Cents = Cents(0)


class FloorConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole floor."""

    name: str = "Punto"
    tables: tuple[TableConfig, ...]
    store: str
    # Where the floor's key comes from: one of a file, a variable of the environment, and a command that prints it.
    key_file: str = ""
    key_env: str = ""
    key_command: tuple[str, ...] = ()
    # The socket of the process that holds the signing key; then the key above only seals.
    signer: str = ""
    # Folders and addresses outside the store that keep its checkpoints, and how often one is taken.
    checkpoints: tuple[str, ...] = ()
    checkpoint_every_s: float = 10.0
    # The file with the token that addresses ask for; without it, the environment may have one.
    checkpoint_token_file: str = ""
    witnesses: tuple[WitnessConfig, ...] = ()
    beacon: BeaconConfig | None = None
    host: str = LOOPBACK
    port: int = PORT
    # The addresses at which browsers reach the floor, besides its own.
    origins: tuple[str, ...] = ()
    tls_certificate: str = ""
    tls_key: str = ""
    # Whether a proxy in front of the floor speaks TLS, and says who asks.
    behind_proxy: bool = False
    # The addresses from which such a proxy is believed.
    proxies: tuple[str, ...] = (LOOPBACK, "::1")
    # Whether browsers are to come by TLS only to all names below the floor's own, too.
    hsts_subdomains: bool = False
    # What a reader of /metrics from another machine must show; without it, only this machine may read them.
    metrics_token: str = ""
    # Where significant events are sent, besides the record.
    syslog: str = ""
    currency: str = "$"
    languages: tuple[str, ...] = ("en", "zh")
    demonstration: bool = False
    grace_s: float = 10.0
    idle_s: float = 1_800.0
    # Whether everybody on the staff needs a passkey or one-time codes besides a password.
    second_factor: SecondFactor = SecondFactor.REQUIRED
    # Before accounts, money and rulings staff show who they are again if they last did so longer ago than this.
    prove_again_s: float = 600.0
    # So long a password that a manager has set lets somebody in.
    first_password_hours: int = 72
    # How many pages all guests at one address may have open.
    pages_per_address: int = PAGES_PER_ADDRESS
    # How many connections one address may have open, pages and requests together; 0 for no limit.
    connections_per_address: int = CONNECTIONS_PER_ADDRESS
    # How many processes do heavy work.
    workers: int = USUAL_WORKERS
    # For how long whoever opened or changed an account is no second person beside it; 0 lets everybody be.
    independence_hours: int = INDEPENDENCE_HOURS
    # How long a shift is, and how much cash each position moves alone; positions without a limit have the usual one.
    shift_hours: int = SHIFT_HOURS
    cash_limits: dict[Position, CashLimit] = {}
    # When the floor audits itself, as HH:MM, or empty for never; and after how many days it reads the whole again.
    audit_at: str = AUDIT_AT
    audit_whole_every_days: int = AUDIT_WHOLE_EVERY_DAYS
    # How old a round may be when a patron raises a claim about it, and within how long staff answer.
    claims_within_hours: int = CLAIMS_WITHIN_HOURS
    claims_answered_within_hours: int = CLAIMS_ANSWERED_WITHIN_HOURS
    # How long law requires personal data to stay.
    retention: Retention = Retention()
    # When reports of cash are due.
    cash_reports: CashReporting = CashReporting()
    # The list of the patrons whom the house lets play no more.
    exclusions: str = ""
    # What a guest of a demonstration begins with.
    play_credits_cents: Cents = Cents(100_000)

    @property
    def key_source(self) -> KeySource:
        """Where the floor's key comes from."""
        return KeySource(self.key_file, self.key_env, self.key_command)

    @property
    def orders(self) -> Orders:
        """The house's orders for its staff."""
        own_device = not self.demonstration  # whose staff come by links
        usual = ordered(
            self.independence_hours,
            self.shift_hours,
            self.cash_limits,
            own_device=own_device,
            report_cents=self.cash_reports.threshold_cents,
        )
        prove_again_ms = round(self.prove_again_s * 1000)
        return replace(usual, second_factor=self.asks_for_second, prove_again_ms=prove_again_ms)

    @property
    def asks_for_second(self) -> bool:
        """Whether everybody on the staff must have a passkey or one-time codes: not those who come by links."""
        return self.second_factor is SecondFactor.REQUIRED and not self.demonstration

    @property
    def audit_plan(self) -> AuditPlan:
        """When the floor audits itself: no other process can read what is in memory."""
        return AuditPlan("" if self.store.startswith("memory:") else self.audit_at, self.audit_whole_every_days)

    @property
    def claim_terms(self) -> ClaimTerms:
        """The house's orders for claims of patrons."""
        return ClaimTerms(self.claims_within_hours * HOUR_MS, self.claims_answered_within_hours * HOUR_MS)

    @property
    def address(self) -> str:
        """Where the floor itself is reached, without a proxy."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.tls_certificate else 'http'}://{host}:{self.port}"


def is_public(host: str) -> bool:
    """Whether other machines can reach what listens there.

    >>> is_public("127.0.0.1"), is_public("localhost"), is_public("0.0.0.0"), is_public("floor.example")
    (False, False, True, True)
    """
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def demonstration(folder: Path, port: int = PORT) -> FloorConfig:
    """A floor with a table for each of the eleven games, automatic dealers and play credits.

    At the first where patrons may handle cards they do: who wagers most squeezes them.
    """
    squeezed = next(key for key in GAMES if _methods(key))
    return FloorConfig(
        name="Punto",
        tables=tuple(
            _demonstration_table(number, key, Method.A if key == squeezed else None)
            for number, key in enumerate(GAMES, 1)
        ),
        store=f"sqlite:{folder / 'floor.db'}",
        key_file=str(folder / "floor.key"),
        checkpoints=(str(folder / "checkpoints"),),
        port=port,
        demonstration=True,
    )


def _methods(game: str) -> tuple[Method, ...]:
    return RULEBOOKS[GAMES[game].rulebook].conduct.methods


def _demonstration_table(number: int, game: str, method: Method | None) -> TableConfig:
    setup = Setup(
        game=game,
        limits={"*": Limit(Cents(500), Cents(500_000))},
        timings=Timings(bets_ms=15_000, answer_ms=10_000),
        hlga=bool(_methods(game)),
        method=method,
    )
    return TableConfig(key=str(number), setup=with_virtual_cards(setup))
