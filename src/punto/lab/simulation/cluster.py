"""The same blocks dealt by a Dask cluster, of several processes or several machines."""

import asyncio
import logging
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import current_thread, main_thread
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
# How often a task that takes long is looked after, and how long a cluster may be without a worker.
_GLANCE_S: Final = 5
_FORSAKEN_S: Final = 30
# What Dask has to say is for its own users.
_NOISY: Final = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio")
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
        with _speaking_of_the_cluster():
            return max(2, 2 * sum(map(int, self._client.nthreads().values())))

    def hand_out(self, stream: Stream, first: int, blocks: int, limit: int) -> Handed:
        """Have blocks dealt by whichever worker is free; if it dies, by another."""
        with _speaking_of_the_cluster():
            future = self._client.submit(_deal, stream, first, blocks, limit, pure=False, retries=_RETRIES)
            return _Task(self._client, future)


@contextmanager
def _speaking_of_the_cluster() -> Iterator[None]:
    """Whatever Dask raises when the cluster goes away becomes one clear word."""
    try:
        yield
    except ClusterGone:
        raise
    except Exception as error:  # noqa: BLE001
        raise ClusterGone(f"the cluster has gone away, or cannot do the work ({type(error).__name__})") from None


class _Task:
    """A task of the cluster."""

    def __init__(self, client: Any, future: Any) -> None:  # noqa: ANN401
        self._client = client
        self._future = future

    def result(self) -> Part:
        """What came of it; a cluster that has no worker for a while is given up."""
        waited_s = 0
        with _speaking_of_the_cluster():
            while True:
                try:
                    dealt: Part = self._future.result(timeout=_GLANCE_S)
                except TimeoutError:
                    waited_s = 0 if self._client.nthreads() else waited_s + _GLANCE_S
                    if waited_s >= _FORSAKEN_S:
                        raise ClusterGone("the cluster has gone away: it has no workers left") from None
                else:
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
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with ExitStack() as stack:
        target: Any = address
        if address == LOCAL:
            if not 1 <= workers <= MOST_WORKERS:
                raise BadUsage(f"--workers: {workers} is too many or too few: expected 1 to {MOST_WORKERS:,}")
            with _uninterrupted():
                own = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=":0",
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


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes that are started now ignore Ctrl-C, which is for us to answer."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _check_reachable(address: str) -> None:
    """Refuse an address that names no host and port, where nobody listens, or where it is no scheduler."""
    try:
        place = urlsplit(address if "://" in address else f"tcp://{address}")
        host, port = place.hostname, place.port
    except ValueError:
        host, port = None, None
    if not host or not port:
        raise _unreachable(address, "is no address")
    try:
        socket.create_connection((host, port), _PATIENCE_S).close()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _unreachable(address, f"cannot be reached: {reason}") from None
    # On a thread of its own, for a notebook has a loop already.
    with ThreadPoolExecutor(1) as pool:
        try:
            pool.submit(asyncio.run, asyncio.wait_for(_asked(address), _PATIENCE_S)).result()
        except Exception:  # noqa: BLE001
            raise _unreachable(address, "does not answer as a scheduler") from None


async def _asked(address: str) -> None:
    """Ask for the scheduler's identity; a stranger may answer anything."""
    core = part("distributed.core", "--cluster", "cluster")
    comm = await core.connect(address, timeout=_PATIENCE_S)
    try:
        await core.send_recv(comm, op="identity")
    finally:
        comm.abort()


def _unreachable(address: str, reason: str) -> ClusterGone:
    expected = "a Dask scheduler's address as in tcp://host:8786, or local"
    return ClusterGone(f"--cluster: {quoted(address, 60)} {reason}: expected {expected}")
