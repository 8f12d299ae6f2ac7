import pickle
from collections.abc import Iterator

import pytest

from punto import errors
from punto.errors import BadDeclaration, PuntoError, UnknownCard


def every_error(root: type[PuntoError] = PuntoError) -> Iterator[type[PuntoError]]:
    yield root
    for child in root.__subclasses__():
        yield from every_error(child)


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [error.code for error in every_error()]
    assert len(set(codes)) == len(codes)


def test_the_tree_at_the_top_of_the_file_is_the_tree() -> None:
    assert errors.__doc__
    for error in every_error():
        assert error.__name__ in errors.__doc__


@pytest.mark.parametrize("error", [UnknownCard("card 2: no", 2), BadDeclaration("line 3: no", 3, 7), PuntoError("no")])
def test_an_error_survives_pickling(error: PuntoError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(copy) is type(error)
    assert vars(copy) == vars(error)
    assert str(copy) == error.message
