"""How a process of Python came to run Punto: where it takes modules from, and what it was told when it started."""

import _imp
import os
import site
import sys
import sysconfig
from typing import Final

from msgspec import Struct

import punto

# What a process may be told that has it run something before Punto, or something else in its place.
_TELLING: Final = (
    *("PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONPLATLIBDIR", "PYTHONBREAKPOINT", "PYTHONINSPECT"),
    *("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"),
)


class Interpreter(Struct, frozen=True):
    """What must be known of a process to say which files it runs; another process may do the looking."""

    # The folder of the package itself, and where else modules of it were loaded from.
    package: str
    strays: tuple[str, ...]
    executable: str
    version: str
    path: tuple[str, ...]
    # Python's own library, and where everything is that was installed.
    library: tuple[str, ...]
    sites: tuple[str, ...]
    prefix: str
    environment: dict[str, str]
    cache_tag: str
    cache_prefix: str | None
    # How compiled files that name the digest of their source are believed: "default", "always" or "never".
    believes: str

    @classmethod
    def here(cls) -> "Interpreter":
        """This process."""
        package = os.path.realpath(punto.__path__[0])
        library = {os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
        user = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
        places = [*site.getsitepackages(), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *user]
        sites = dict.fromkeys(os.path.realpath(each) for each in places)
        return cls(
            package=package,
            strays=tuple(sorted(_strays(package))),
            executable=os.path.realpath(sys.executable),
            version=sys.version.split()[0],
            path=tuple(dict.fromkeys(os.path.realpath(each) for each in sys.path)),
            library=tuple(sorted(library)),
            sites=tuple(each for each in sites if os.path.isdir(each)),
            prefix=os.path.realpath(sys.prefix),
            environment={name: os.environ[name] for name in _TELLING if os.environ.get(name)},
            cache_tag=sys.implementation.cache_tag or "",
            cache_prefix=sys.pycache_prefix,
            believes=_imp.check_hash_based_pycs,
        )


def _strays(package: str) -> set[str]:
    """Files of modules of the package that were loaded from somewhere else."""
    modules = [module for name, module in list(sys.modules.items()) if f"{name}.".startswith("punto.")]
    files = {os.path.realpath(str(module.__file__)) for module in modules if getattr(module, "__file__", None)}
    return {each for each in files if not each.startswith(package + os.sep)}
