"""Clauses of the rulebooks, in our own words."""

from typing import Annotated, Final

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter

from punto.errors import quoted
from punto.server.http.problems import documented
from punto.server.words.clauses import ClauseText, clauses

_MOST: Final = 50
_CODES: Final = PathParameter(description="A code and a number, such as “B8 3.1”, or several with commas between.")


@get("/api/clauses/{codes:str}", sync_to_thread=True, responses=documented(404))
def clause_texts(codes: Annotated[str, _CODES]) -> tuple[ClauseText, ...]:
    """What clauses say, in our words and in English, in the order asked for."""
    known = clauses()
    asked = [" ".join(code.split()) for code in codes.split(",")]
    for code in asked[:_MOST]:
        if code not in known:
            raise NotFoundException(f"no rulebook has a clause {quoted(code)}: expected a code and a number")
    if len(asked) > _MOST:
        raise NotFoundException(f"{len(asked)} clauses at once: expected no more than {_MOST}")
    return tuple(known[code] for code in asked)
