import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from punto import errors
from punto.errors import BadDeclaration, Fenced, KeyRotated, NotWitnessed, PuntoError, UnknownCard


def every_error(root: type[PuntoError] = PuntoError) -> Iterator[type[PuntoError]]:
    yield root
    for child in root.__subclasses__():
        yield from every_error(child)


def test_every_error_stands_in_one_file() -> None:
    # The other tests of this file see only the errors of modules that some test has imported before.
    known = {error.__name__ for error in every_error() if error.__module__ == errors.__name__}
    assert errors.__file__
    home = Path(errors.__file__)
    strays = [
        f"{path.name}: {node.name}"
        for path in sorted(home.parent.rglob("*.py"))
        if path != home
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and {ast.unparse(base).split(".")[-1] for base in node.bases} & known
    ]
    assert strays == []


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [error.code for error in every_error()]
    assert len(set(codes)) == len(codes)


def drawn(picture: str) -> list[tuple[str, str]]:
    """Each name of a drawn tree, in order, with the name that it hangs from."""
    above: dict[int, str] = {}
    found = []
    for line in picture.splitlines():
        if leaf := re.match(r"^    ((?:│   |    )*(?:├── |└── )?)([A-Z]\w+)(?:   |$)", line):
            depth, name = len(leaf[1]) // 4, leaf[2]
            above[depth] = name
            found.append((name, above.get(depth - 1, "Exception")))
    return found


def test_the_tree_at_the_top_of_the_file_is_the_tree() -> None:
    assert errors.__doc__
    found = drawn(errors.__doc__)
    assert len(dict(found)) == len(found)
    assert dict(found) == {error.__name__: error.__mro__[1].__name__ for error in every_error()}


@pytest.mark.parametrize(
    "error",
    [
        UnknownCard("card 2: no", 2),
        BadDeclaration("line 3: no", 3, 7),
        NotWitnessed("no", 1, 422),
        PuntoError("no"),
    ],
)
def test_an_error_survives_pickling(error: PuntoError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(copy) is type(error)
    assert vars(copy) == vars(error)
    assert str(copy) == error.message


@pytest.mark.parametrize(
    "error",
    [Fenced("run elsewhere", name="table/1"), KeyRotated("another key", new="ab"), BadDeclaration("no game", 3, 7)],
)
def test_an_error_that_is_kept_can_be_raised_anew_without_growing(error: PuntoError) -> None:
    for _ in range(3):
        with pytest.raises(type(error)) as caught:
            raise error.anew()
    assert vars(caught.value) == vars(error)
    assert str(caught.value) == str(error)
    assert error.__traceback__ is None, "whoever keeps it keeps nothing of those who met it"
