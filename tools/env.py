"""Fill `.venv` from a hashed lock: `python3 tools/env.py run|lab|dev`; done already means done at once."""

import hashlib
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
# The machine's own python, which has pip; an environment of ours has none.
PYTHON = getattr(sys, "_base_executable", sys.executable)
# Each holds all of those before it.
LOCKS = ("run", "lab", "dev")


def digest(lock: str) -> str:
    """What the environment is made from: the lock, the project's metadata, and the interpreter."""
    import tomllib  # not before the interpreter is known to have it

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    folders = project["tool"]["hatch"]["build"]["dev-mode-dirs"]
    made_from = [project["build-system"], project["project"], folders, sys.version]
    locked = (ROOT / "requirements" / f"{lock}.txt").read_bytes()
    return hashlib.sha256(json.dumps(made_from).encode() + locked).hexdigest()[:16]


def stamp(lock: str) -> Path:
    """The file whose presence says that the lock is installed."""
    return VENV / f".{lock}-{digest(lock)}"


def interpreter(venv: Path) -> Path:
    """The environment's own python."""
    return venv / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


# An older Python gets as far as being told that it is too old: it does not know list[str].
def fill(venv: Path, lock: str) -> "list[str]":
    """Make an environment and fill it with uv, or else with pip. How to install more comes back."""
    shutil.rmtree(venv, ignore_errors=True)
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", str(venv)], check=True)
    quiet = ["--quiet", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]
    # Tests use a fifth of what is installed: Python compiles that much when it is first imported.
    lean = ["--no-compile"] if lock == "dev" else []
    pip = [PYTHON, "-m", "pip", "--python", str(interpreter(venv)), "install", *quiet, *lean]
    lock_file = ROOT / "requirements" / f"{lock}.txt"
    all_of_it = ["--require-hashes", "-r", str(lock_file)]
    at_hand = shutil.which("uv") or shutil.which("uv", path=str(interpreter(VENV).parent))
    uv = at_hand or _uv_of(venv, lock_file, pip)
    if uv:
        tool = [uv, "pip", "install", "--quiet", "--python", str(interpreter(venv))]
        # Where pip is told of another index, uv may find none: then pip does it all.
        if not subprocess.run([*tool, *all_of_it], stderr=subprocess.DEVNULL, check=False).returncode:
            return tool
    subprocess.run([*pip, *all_of_it], check=True)
    return pip


def _uv_of(venv: Path, lock_file: Path, pip: "list[str]") -> "str | None":
    """The uv that the lock names, installed by pip before all else: it takes a tenth of the time for the rest."""
    lines = lock_file.read_text(encoding="utf-8").splitlines(keepends=True)
    first = next((number for number, line in enumerate(lines) if line.startswith("uv==")), None)
    if first is None:
        return None
    wanted = [lines[first], *itertools.takewhile(lambda line: line.startswith(" "), lines[first + 1 :])]
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder) / "uv.txt"
        alone.write_text("".join(wanted), encoding="utf-8")
        subprocess.run([*pip, "--no-deps", "--require-hashes", "-r", str(alone)], check=False)
    return shutil.which("uv", path=str(interpreter(venv).parent))


def install(lock: str) -> None:
    """Make `.venv`, with Punto itself in it; the pages' modules, which development needs too, come beside it."""
    modules = [PYTHON, "-m", "tools.pages", "modules"]
    quiet = subprocess.DEVNULL  # what goes wrong with them is told by the step that needs them and tries again
    beside = subprocess.Popen(modules, cwd=str(ROOT), stdout=quiet, stderr=quiet) if lock == "dev" else None
    try:
        tool = fill(VENV, lock)
        subprocess.run([*tool, "--no-build-isolation", "--no-deps", "-e", str(ROOT)], check=True)
    finally:
        if beside:
            beside.wait()


def main(lock: str) -> int:
    """Install the lock unless it, or a fuller one, is there already."""
    if sys.version_info < OLDEST:
        print(f"Punto needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try PYTHON=python3.11 make …")
        return 2
    if any(stamp(fuller).exists() for fuller in LOCKS[LOCKS.index(lock) :]):
        return 0
    print(f"Setting up .venv from requirements/{lock}.txt …", flush=True)
    try:
        install(lock)
    except subprocess.CalledProcessError as failure:
        print(
            f"Setting up .venv failed: {failure.cmd[0]} ended with status {failure.returncode} (its words are above)."
        )
        return 1
    stamp(lock).touch()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
