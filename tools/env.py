"""Fill `.venv` from a hashed lock: `python3 tools/env.py run|lab|dev`; done already means done at once."""

import hashlib
import json
import shutil
import subprocess
import sys
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
    """Make an environment and fill it; uv when the machine has it, else pip. How to install more comes back."""
    shutil.rmtree(venv, ignore_errors=True)
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", str(venv)], check=True)
    uv = shutil.which("uv") or shutil.which("uv", path=str(interpreter(VENV).parent))
    if uv:
        tool = [uv, "pip", "install", "--quiet", "--python", str(interpreter(venv))]
    else:
        quiet = ["--quiet", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]
        # Tests use a fifth of what is installed: Python compiles that much when it is first imported.
        lean = ["--no-compile"] if lock == "dev" else []
        tool = [PYTHON, "-m", "pip", "--python", str(interpreter(venv)), "install", *quiet, *lean]
    lock_file = ROOT / "requirements" / f"{lock}.txt"
    subprocess.run([*tool, "--require-hashes", "-r", str(lock_file)], check=True)
    return tool


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
