"""Build the pages: `python -m tools.pages build`; `check`, `lint`, `format`, `test` and `modules` do what they say.

The types of the live messages are written first, from the floor's own, and so is the catalogue of games. What was
built from the same sources is left alone. Where the machine has no node, or one too old, it comes from PyPI into
`.venv-node`.
"""

import fcntl
import gzip
import hashlib
import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools import env, weblint

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
WIRE = WEB / "src" / "wire.ts"
CATALOGUE = WEB / "src" / "pages" / "verify" / "catalogue.ts"
PAGES = ROOT / "src" / "punto" / "server" / "pages"
MODULES = WEB / "node_modules"
CACHE = ROOT / ".cache"
STAMP = ".built-from"
# Kinds of files that are worth compressing.
PACKED = {".css", ".html", ".js", ".json", ".svg"}
# What is in web/ and decides nothing about the pages.
UNREAD = {"node_modules", ".vite", ".svelte-kit", "dist", "coverage", "tests", "vitest.config.ts"}
TESTS = ".test.ts"
# How the name of a file ends for as long as it is written.
FRESH = ".fresh"
# Texts of shoes, and what `punto verify` finds in each: the page must find the same.
SHOE_TEXTS = WEB / "tests" / "shoetexts.json"


class Failed(Exception):
    """Something that ends the build, in one line."""


def write_types() -> None:
    """Write the types of the messages, and the games by which a page judges, if they have changed."""
    for tool, path in (("wire", WIRE), ("catalogue", CATALOGUE)):
        done = subprocess.run([sys.executable, ROOT / "tools" / f"{tool}.py"], capture_output=True, check=False)
        if done.returncode:
            last = done.stderr.decode().strip().splitlines()[-1:]
            raise Failed(f"tools/{tool}.py cannot write {path.name}: {''.join(last)}")
        if not path.exists() or path.read_bytes() != done.stdout:
            put(path, done.stdout)


def put(path: Path, content: bytes) -> None:
    """Write a file as a whole: another check that runs beside this one reads the old content or the new."""
    fresh = path.with_name(f"{path.name}-{os.getpid()}{FRESH}")
    fresh.write_bytes(content)
    fresh.replace(path)


def digest(paths: list[Path]) -> str:
    """What is in the files, and what they are called."""
    seen = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        seen.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
    return seen.hexdigest()


def sources() -> list[Path]:
    """Every file that the pages are made from."""
    files = (path for path in WEB.rglob("*") if not UNREAD & set(path.relative_to(WEB).parts))
    return sorted(path for path in files if path.is_file() and not path.name.endswith((TESTS, FRESH)))


def is_stamped(folder: Path, made_from: str) -> bool:
    """Whether a folder was filled from just these sources."""
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_text() == made_from


def is_new_enough(version: str) -> bool:
    """Whether Vite runs on this version of node.

    >>> [is_new_enough(version) for version in ("v20.18.0", "v20.19.0", "v21.7.3", "v22.11.0", "v22.12.0", "v24.1.0")]
    [False, True, False, False, True, True]
    """
    found = re.match(r"v(\d+)\.(\d+)\.", version)
    major, minor = (int(found[1]), int(found[2])) if found else (0, 0)
    return (major, minor) >= (22, 12) or (major == 20 and minor >= 19)  # noqa: PLR2004 (versions are their own names)


def has_node() -> bool:
    """Whether the machine has npm and a node that is new enough."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    return is_new_enough(subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout)


def with_node() -> dict[str, str]:
    """An environment in which `node` and `npm` are found."""
    if has_node():
        return dict(os.environ)
    venv = ROOT / ".venv-node"
    made_from = digest([ROOT / "requirements" / "node.txt"])
    if not is_stamped(venv, made_from):
        print("Setting up .venv-node, for want of node 20.19, 22.12 or newer …", flush=True)
        try:
            env.fill(venv, "node")
        except subprocess.CalledProcessError as failure:
            raise Failed(
                f"no node: {failure.cmd[0]} ended with status {failure.returncode}; "
                "install node 20.19, 22.12 or newer, or see its words above"
            ) from None
        (venv / STAMP).write_text(made_from)
    return {**os.environ, "PATH": f"{env.interpreter(venv).parent}{os.pathsep}{os.environ.get('PATH', '')}"}


def npm(environment: dict[str, str], *arguments: str) -> str:
    """Run npm in web/; its words are shown only when it fails."""
    command = [shutil.which("npm", path=environment["PATH"]) or "npm", *arguments]
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        # What follows the dashes may be hundreds of files.
        said = " ".join(itertools.takewhile(lambda each: each != "--", arguments))
        raise Failed(f"npm {said} ended with status {done.returncode} (its words are above)")
    return done.stdout


def install(environment: dict[str, str]) -> None:
    """Fill node_modules from the lock, unless that was done."""
    made_from = digest([WEB / "package-lock.json"])
    if is_stamped(MODULES, made_from):
        return
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "npm-ci.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two checks may run side by side
        if not is_stamped(MODULES, made_from):
            npm(environment, "ci", "--no-audit", "--no-fund")
            (MODULES / STAMP).write_text(made_from)


def install_early() -> None:
    """Fill node_modules while something else is awaited; where node itself is missing, whoever needs it gets it."""
    if has_node():
        install(dict(os.environ))


def build() -> None:
    """Build the pages, unless they were built from just these sources."""
    write_types()
    made_from = digest(sources())
    if is_stamped(PAGES, made_from) and (PAGES / "index.html").is_file():
        return
    print("Building the pages …", flush=True)
    environment = with_node()
    install(environment)
    npm(environment, "run", "build")
    if not (PAGES / "index.html").is_file():
        raise Failed(f"npm run build left no {PAGES.relative_to(ROOT)}/index.html")
    pack(PAGES)
    (PAGES / STAMP).write_text(made_from)


def pack(folder: Path) -> None:
    """Lay beside each file the same in fewer bytes, for the server to send."""
    for path in [path for path in folder.rglob("*") if path.suffix in PACKED]:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def check() -> None:
    """Check the types of the pages."""
    write_types()
    environment = with_node()
    install(environment)
    npm(environment, "run", "check")


def lint(*, quick: bool = False) -> None:
    """Check the format of the pages, and what eslint finds in what has changed since it was last found clean."""
    write_types()
    environment = with_node()
    install(environment)
    # A file that is clean together with its imports is clean alone, but not the other way round.
    found = {False: weblint.keys(WEB), True: weblint.keys(WEB, alone=True)}
    memory = {False: MODULES / ".cache" / "eslint-clean.json", True: MODULES / ".cache" / "eslint-clean-alone.json"}
    if quick and not memory[quick].exists():
        # `make test` has judged what is committed.
        changed = weblint.uncommitted(found[quick], WEB)
    else:
        changed = weblint.unclean(found[quick], memory[quick])
    # After each component the types of all sources are looked up anew: the others come before them.
    changed.sort(key=lambda name: name.endswith(".svelte"))
    unformatted = None
    try:
        npm(environment, "run", "--silent", "prettier", "--", "--check")
    except Failed as failure:  # told once eslint has been heard, too
        unformatted = failure
    if changed:
        npm(environment, "run", "--silent", "lint", "--", *changed)
    if unformatted:
        raise unformatted
    for alone in {quick, True}:
        weblint.remember(found[alone], memory[alone])


def lint_quickly() -> None:
    """The same, but leave out what merely imports what has changed."""
    lint(quick=True)


def format_sources() -> None:
    """Bring the sources of the pages into the format that `lint` asks for."""
    environment = with_node()
    install(environment)
    npm(environment, "run", "--silent", "prettier", "--", "--write")


def write_shoe_texts() -> None:
    """Write the texts by which the page that checks shoes is tested."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.web.shoetexts"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"tests/web/shoetexts.py cannot write its texts: {''.join(done.stderr.splitlines()[-1:])}")
    SHOE_TEXTS.write_text(done.stdout, encoding="utf-8")


def test() -> None:
    """Run the unit tests of the pages; the last lines say how many passed, and what they reach."""
    write_types()
    write_shoe_texts()
    environment = with_node()
    install(environment)
    told = npm({**environment, "NO_COLOR": "1"}, "run", "test")
    figures = ("Test Files", "Tests", "Branches", "Lines")
    print(*(line.strip() for line in told.splitlines() if line.lstrip().startswith(figures)), sep="\n")


def main(task: str) -> int:
    """Do one of them."""
    if not (WEB / "package.json").is_file():
        print("There is no web/package.json here: the pages cannot be built.", file=sys.stderr)
        return 1
    try:
        {
            "build": build,
            "check": check,
            "format": format_sources,
            "lint": lint,
            "modules": install_early,
            "quick-lint": lint_quickly,
            "test": test,
        }[task]()
    except Failed as failure:
        print(f"The pages: {failure}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
