"""Find Chromium for the browser tests, or install it where that may be done, and print its path.

`PUNTO_BROWSER=/path/to/chromium` names the browser to use; then nothing is looked for and nothing is installed.
"""

import os
import re
import shutil
import subprocess
import sys

# The shell is the same engine without the browser around it: a tenth to a quarter faster.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PACKAGE = "chromium-headless-shell"
# Letters that the pages need in both languages.
FONTS = ("fonts-dejavu-core", "fonts-noto-cjk")
CHINESE = "Noto Sans CJK SC"


def found() -> str | None:
    """The browser on the path, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def has_chinese() -> bool:
    """Whether the machine has Chinese letters."""
    listed = shutil.which("fc-list")
    return bool(listed) and CHINESE in subprocess.run([str(listed)], capture_output=True, text=True, check=False).stdout


def install(*packages: str) -> bool:
    """Install packages of Debian, as root or by a sudo that asks no password; whether that could be done."""
    if not shutil.which("apt-get"):
        return False
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    print(f"Installing {', '.join(packages)} for the browser tests …", file=sys.stderr, flush=True)
    for command in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", *packages]):
        done = subprocess.run([*sudo, "apt-get", *command], env=environment, capture_output=True, check=False)
        if done.returncode:
            return False
    return True


def _use(named: str) -> int:
    """Print the path of a browser that was named, if it is one."""
    path = shutil.which(named)
    if path is None or not _is_browser(path):
        fault = "not found, or not executable" if path is None else "not a browser"
        print(f"PUNTO_BROWSER={named}: {fault}: expected the path of Chromium or Chrome", file=sys.stderr)
        return 1
    _warn_of_letters()
    print(path)
    return 0


def _is_browser(path: str) -> bool:
    """Whether a program says that it has a version like those of Chromium, which have four parts."""
    try:
        told = subprocess.run(
            [path, "--version"], capture_output=True, text=True, errors="replace", timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return bool(re.search(r"\d+\.\d+\.\d+\.\d+", told.stdout))


def _warn_of_letters() -> None:
    if not has_chinese():
        print(f"The pages are also shown in Chinese, and {CHINESE} is missing: some tests may fail", file=sys.stderr)


def main() -> int:
    """Print the path of the browser; without one, say what to install."""
    named = os.environ.get("PUNTO_BROWSER")
    if named:
        return _use(named)
    # What is there is used as it is.
    missing = ([] if found() else [PACKAGE]) + ([] if has_chinese() else list(FONTS))
    if missing:
        install(*missing)
    path = found()
    if path is None:
        print(f"The browser tests need Chromium, and it cannot be installed here: {PACKAGE}", file=sys.stderr)
        return 1
    _warn_of_letters()
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
