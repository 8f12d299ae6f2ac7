"""A floor that will be frozen: it stops in the middle of transactions, each under the name of one table."""

import sys
from collections.abc import Iterator
from threading import Event, Thread
from time import sleep

from tests.store.places import written

from punto.errors import PuntoError
from punto.store import Entry, database
from punto.store.postgres import PostgresStore

ENTRIES = 200
THAWED = Event()


def _append(url: str, number: int, told: list[str], ends: list[str]) -> None:
    name = f"table/{number}"
    entries = written(name, *(b"%d" % each for each in range(ENTRIES)))
    store = PostgresStore(url)
    epoch = store.claim(name)

    def made() -> Iterator[Entry]:
        held = number * (ENTRIES - 1) // 3 % ENTRIES
        yield from entries[:held]
        told.append(name)
        THAWED.wait(30)  # here the process is frozen
        yield from entries[held:]

    try:
        store.append(made(), {name: epoch})
        ends.append("written")
    except PuntoError as error:
        ends.append(error.code)


def main(url: str, count: int) -> None:
    """Begin so many transactions, say so, and end none of them before long."""
    database._LONGEST_TRANSACTION = "0"  # type: ignore[misc]  # noqa: SLF001 (a server before version 17 cannot tell)
    told: list[str] = []
    ends: list[str] = []
    threads = [Thread(target=_append, args=(url, number, told, ends)) for number in range(count)]
    for thread in threads:
        thread.start()
    while len(told) < count:
        sleep(0.01)
    print("under way", flush=True)  # noqa: T201
    sys.stdin.read()
    THAWED.set()
    for thread in threads:
        thread.join()
    print(*ends, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
