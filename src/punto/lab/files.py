"""Files that are written whole, or not at all."""

import os
import tempfile
from pathlib import Path

from punto.errors import UnwritableFile, quoted


def check_writable(path: Path) -> Path:
    """The file, if one can be made in its place; this is found out by making one beside it."""
    shown = quoted(str(path), 60)
    try:
        if not path.parent.is_dir():
            raise UnwritableFile(f"{shown}: its folder does not exist: expected one that does")
        if path.is_dir() or (path.exists() and not os.access(path, os.W_OK)):
            raise UnwritableFile(f"{shown}: cannot be written: expected a file that may be made or replaced")
        tempfile.NamedTemporaryFile(dir=path.parent, prefix=".punto.").close()
    except OSError as error:
        raise UnwritableFile(f"{shown}: cannot be written: {error.strerror}: expected another name or folder") from None
    return path


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in its place all at once; what was there before stays until then."""
    draft = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".punto.", delete=False) as file:
            draft = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(0o666 & ~_umask())
        draft.replace(path)
    except BaseException as error:
        if draft:
            draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise UnwritableFile(f"{path}: cannot be written: {error.strerror}: what was there is unharmed") from None
        raise


def _umask() -> int:
    """The mask for new files; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
