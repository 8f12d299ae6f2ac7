"""Resolve the dependencies into hashed locks that name no registry."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUIET = ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--quiet"]
EVERYTHING = ["--all-extras"]
PUNTO = "pyproject.toml"
LOCKS = {
    "run": [PUNTO, "--group", "build"],
    "lab": [PUNTO, "--group", "build", *EVERYTHING],
    "dev": [PUNTO, "--group", "dev", *EVERYTHING],
    "node": ["--group", "node"],  # only where the machine has none, in an environment of its own
}


def main() -> int:
    """Write the locks of requirements/, and refuse any address in them."""
    for lock, parts in LOCKS.items():
        target = ROOT / "requirements" / f"{lock}.txt"
        command = [str(Path(sys.executable).parent / "uv"), "pip", "compile", "--upgrade", "--universal"]
        command += ["--python-version", "3.11", "--generate-hashes", *QUIET]
        command += [*parts, "-o", str(target)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        if "://" in target.read_text():
            print(f"{target.name} names an address; it must not be committed")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
