"""What the evidence was made with: the machine, the versions, and the digests of the code that shuffles and tests."""

import platform
import random
import ssl
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct

import punto

# What makes a shoe, and what judges it.
_MODULES: Final = (
    "punto.floor.shuffle",
    "punto.table.contributions",
    "punto.surroundings",
    "punto.lab.tails",
    "punto.lab.randomness.battery",
    "punto.lab.randomness.draws",
    "punto.lab.randomness.judgement",
    "punto.lab.randomness.laws",
    "punto.lab.randomness.measures",
    "punto.lab.randomness.planted",
    "punto.cli.evidence.apart",
    "punto.cli.evidence.programs",
    "punto.cli.evidence.samples",
)
# Where Linux shows a device by which a hypervisor tells a copied machine that it is a copy.
_GENERATIONS: Final = ("/sys/bus/acpi/drivers/vmgenid", "/sys/bus/platform/drivers/vmgenid")


class Machine(Struct, frozen=True):
    """The machine and the versions, and each file of the code with its SHA-256."""

    punto: str
    python: str
    kernel: str
    openssl: str
    processor: str
    numpy: str
    told_of_copies: bool
    digests: dict[str, str]


def this_machine() -> Machine:
    """This machine, and the code as it is installed here."""
    files = {name.replace(".", "/") + ".py": import_module(name).__file__ for name in _MODULES}
    files["random.py (Python)"] = random.__file__
    return Machine(
        punto=punto.__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        kernel=f"{platform.system()} {platform.release()} {platform.machine()}",
        openssl=ssl.OPENSSL_VERSION,
        processor=_processor(),
        numpy=np.__version__,
        told_of_copies=any(_has_device(Path(driver)) for driver in _GENERATIONS),
        digests={name: sha256(Path(file).read_bytes()).hexdigest() for name, file in files.items() if file},
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _has_device(driver: Path) -> bool:
    """Whether a driver has a device: links to devices lie beside its own three files."""
    try:
        return any(each.is_symlink() and each.name != "module" for each in driver.iterdir())
    except OSError:
        return False
