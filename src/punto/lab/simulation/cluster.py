"""The same blocks dealt by a Dask cluster, of several processes or several machines."""

import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from punto.errors import BadUsage, ClusterGone, quoted
from punto.lab.simulation.running import MOST_WORKERS, Handed
from punto.lab.simulation.stream import Stream
from punto.lab.simulation.tally import Part
from punto.lab.tabular import part

LOCAL: Final = "local"
# A task takes about a second, so that handing it out costs nothing to speak of.
BLOCKS_IN_A_TASK: Final = 64
_PATIENCE_S: Final = 5
# Work that was lost with its worker is dealt again by another, so many times.
_RETRIES: Final = 10


class Cluster:
    """The workers behind a Dask scheduler."""

    def __init__(self, client: Any, blocks: int = BLOCKS_IN_A_TASK) -> None:  # noqa: ANN401
        self.blocks = blocks
        self._client = client

    @property
    def ahead(self) -> int:
        """Twice as many tasks as there are threads to work on them."""
        return max(2, 2 * sum(map(int, self._client.nthreads().values())))

    def hand_out(self, stream: Stream, first: int, blocks: int, limit: int) -> Handed:
        """Have blocks dealt by whichever worker is free; if it dies, by another."""
        handed = self._client.submit(_deal, stream, first, blocks, limit, pure=False, retries=_RETRIES)
        return _Task(handed)


class _Task:
    """A task of the cluster; what the cluster says when it goes away becomes one clear word."""

    def __init__(self, future: Any) -> None:  # noqa: ANN401
        self._future = future

    def result(self) -> Part:
        """What came of it."""
        try:
            dealt: Part = self._future.result()
        except Exception as error:  # noqa: BLE001
            raise ClusterGone(f"the cluster has gone away ({type(error).__name__}): what is dealt is kept") from None
        return dealt

    def cancel(self) -> None:
        """It is not needed any more."""
        self._future.cancel()


def _deal(stream: Stream, first: int, blocks: int, limit: int) -> Part:
    """What a worker does; tables and kernel are made once for all tasks of a stream."""
    return _known.setdefault(stream.terms, stream).deal(first, blocks, limit)


_known: dict[Any, Stream] = {}


@contextmanager
def cluster(address: str, workers: int) -> Iterator[Cluster]:
    """The cluster at an address, or one of this machine's own for as long as it is needed."""
    distributed = part("distributed", "--cluster", "cluster")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        target: Any = address
        if address == LOCAL:
            if not 1 <= workers <= MOST_WORKERS:
                raise BadUsage(f"--workers: {workers} is too many or too few: expected 1 to {MOST_WORKERS:,}")
            own = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
            target = stack.enter_context(own)
        else:
            _check_reachable(address)
        try:
            client = stack.enter_context(distributed.Client(target, timeout=_PATIENCE_S, set_as_default=False))
        except OSError:
            raise _unreachable(address, "does not answer as a scheduler") from None
        if not client.nthreads():
            raise _unreachable(address, "has no workers")
        yield Cluster(client)


def _check_reachable(address: str) -> None:
    """Refuse at once an address that names no host and port, or where nobody listens."""
    place = urlsplit(address if "://" in address else f"tcp://{address}")
    try:
        host, port = place.hostname, place.port
    except ValueError:
        host, port = None, None
    if not host or not port:
        raise _unreachable(address, "is no address")
    try:
        socket.create_connection((host, port), _PATIENCE_S).close()
    except OSError as error:
        raise _unreachable(address, f"cannot be reached: {error.strerror or error}") from None


def _unreachable(address: str, reason: str) -> ClusterGone:
    expected = "a Dask scheduler's address as in tcp://host:8786, or local"
    return ClusterGone(f"--cluster: {quoted(address, 60)} {reason}: expected {expected}")
