"""A cluster of processes deals what threads deal, whoever of it dies; what cannot be reached is said in one line."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import distributed
import pytest
from tests.cli.shell import PUNTO, Said, process, punto
from tests.cli.test_simulate import DEALT, under_way
from tests.width import width

from punto.errors import BadUsage, ClusterGone
from punto.games import GAMES
from punto.lab.simulation import Stream, Tally, Terms, run, threads
from punto.lab.simulation.cluster import Cluster, cluster

STREAM = Stream(Terms(GAMES["tiger"], 8, 14, 5))
WORKERS = width(2, 3)
# A scheduler and its workers, each a process; they end with the standard input.
HOST = """
import logging, sys
import distributed
if __name__ == "__main__":
    with distributed.LocalCluster(
        n_workers=int(sys.argv[1]), threads_per_worker=1, processes=True, dashboard_address=":0",
        silence_logs=logging.CRITICAL,
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@contextmanager
def hosted(folder: Path, workers: int) -> "Iterator[tuple[str, subprocess.Popen[str]]]":
    """A cluster in processes of its own: its address, and the process of its scheduler."""
    script = folder / "host.py"
    script.write_text(HOST, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, script, str(workers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as host:
        assert host.stdout is not None
        try:
            address = host.stdout.readline().strip()
            assert address.startswith("tcp://")
            yield address, host
        finally:
            try:
                host.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                host.kill()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The scheduler of a cluster of several processes."""
    with hosted(tmp_path_factory.mktemp("cluster"), WORKERS) as (address, _):
        yield address


@contextmanager
def crew_of(address: str, blocks: int = 1) -> Iterator[tuple[Cluster, Any]]:
    """The cluster with pieces of so many blocks, and Dask's own way to talk to it."""
    connect: Any = distributed.Client
    with connect(address, timeout=20, set_as_default=False) as client:
        yield Cluster(client, blocks), client


@cache
def by_threads(rounds: int) -> Tally:
    with threads(2) as crew:
        *_, tally = run(STREAM, rounds, crew)
    return tally


# --- the same rounds -----------------------------------------


@pytest.mark.nightly
def test_processes_deal_what_threads_deal_byte_for_byte(address: str) -> None:
    with crew_of(address) as (crew, client):
        assert len(set(client.run(os.getpid).values()) | {os.getpid()}) == WORKERS + 1
        for rounds in width((1, 3_000_000), (1, 1_000_000, 9_000_000)):
            *_, tally = run(STREAM, rounds, crew)
            assert tally == by_threads(rounds)
            assert tally.dumps() == by_threads(rounds).dumps()


@pytest.mark.nightly
def test_the_usual_pieces_of_work_change_no_count(address: str) -> None:
    with cluster(address, 1) as crew:
        *_, tally = run(STREAM, 9_000_000, crew)
        assert crew.ahead == 2 * WORKERS
    assert tally.dealt == by_threads(9_000_000).dealt


@pytest.mark.nightly
def test_a_cluster_goes_on_from_what_threads_have_dealt_and_threads_from_that(address: str) -> None:
    rounds = width(12_000_000, 30_000_000)
    begun = by_threads(4_000_000)
    with crew_of(address, blocks=3) as (crew, _):
        middle = next(run(STREAM, rounds, crew, begun))
    assert middle.blocks == begun.blocks + 3
    with threads(2) as alone:
        *_, tally = run(STREAM, rounds, alone, middle)
    assert tally == by_threads(rounds)


def test_a_worker_that_is_killed_is_replaced_and_no_round_is_lost_or_counted_twice(address: str) -> None:
    rounds, killed_after = width((40_000_000, [2]), (80_000_000, [2, 20]))
    with crew_of(address) as (crew, client):
        workers = list(client.run(os.getpid).values())
        for number, tally in enumerate(run(STREAM, rounds, crew)):
            last = tally
            if number in killed_after:
                os.kill(workers.pop(), signal.SIGKILL)
    assert len(workers) == WORKERS - len(killed_after)
    assert last.dumps() == by_threads(rounds).dumps()
    assert last == by_threads(rounds)


# --- on the command line -----------------------------------------


ASKED = ("simulate", "7-up", "--rounds", "3e6", "--seed", "5", "--json")


@pytest.mark.nightly
def test_the_answer_of_a_cluster_is_the_same_bytes(address: str) -> None:
    alone = punto(*ASKED, "--workers", "1")
    assert (alone.status, alone.err) == (0, "")
    assert process(*ASKED, "--cluster", address) == alone


@pytest.mark.nightly
def test_the_answer_of_a_cluster_of_its_own_is_the_same_bytes() -> None:
    # Another cluster of this machine may have Dask's usual port for what it shows.
    with ExitStack() as stack:
        with suppress(OSError):
            stack.enter_context(socket.create_server(("", 8787)))
        here = process(*ASKED, "--cluster", "local", "--workers", "2")
    assert here == punto(*ASKED, "--workers", "1")


def gone_in_the_middle(folder: Path) -> Said:
    """What is said when the scheduler is killed under a simulation."""
    with hosted(folder, 2) as (address, host):
        asked = ("tiger", "--rounds", "1e12", "--seed", "5", "--cluster", address, "--resume", "kept.json")
        with under_way(folder, *asked) as begun:
            begun.until(DEALT)
            host.kill()
            return begun.over(40)


@pytest.mark.nightly
def test_when_the_scheduler_is_gone_what_was_dealt_is_kept_and_gone_on_from(tmp_path: Path) -> None:
    said = gone_in_the_middle(tmp_path)
    assert (said.status, said.out) == (2, ""), said.err
    assert "Traceback" not in said.err
    (line,) = [line for line in said.err.splitlines() if line.strip() and " rounds " not in line]
    assert line.startswith("punto: the cluster has gone away")
    assert line.endswith("go on with --resume kept.json")
    kept = (tmp_path / "kept.json").read_bytes()
    rounds = str(json.loads(kept)["rounds"] + 1_000)
    asked = ("simulate", "tiger", "--rounds", rounds, "--json")
    assert punto(*asked, "--resume", "kept.json", cwd=tmp_path) == punto(*asked, "--seed", "5")


@pytest.mark.nightly
def test_a_scheduler_that_is_gone_ends_a_run_with_one_word_and_its_tally_is_good(tmp_path: Path) -> None:
    grown = []
    with hosted(tmp_path, 2) as (address, host), crew_of(address) as (crew, _):
        tallies = run(STREAM, 10**12, crew)
        grown += [next(tallies), next(tallies), next(tallies)]
        host.kill()
        with pytest.raises(ClusterGone, match="has gone away"):
            grown.extend(tallies)
    begun = grown[-1]
    with threads(2) as alone:
        *_, tally = run(STREAM, begun.part.rounds + 1_000_000, alone, begun)
    assert tally == by_threads(begun.part.rounds + 1_000_000)


@pytest.mark.nightly
def test_ctrl_c_ends_a_local_cluster_with_one_line(tmp_path: Path) -> None:
    asked = ("tiger", "--rounds", "1e12", "--seed", "5", "--cluster", "local", "--workers", "2", "--json")
    with under_way(tmp_path, *asked) as begun:
        begun.until(DEALT)
        # A terminal sends it to all processes in the foreground, workers too.
        os.killpg(begun.process.pid, signal.SIGINT)
        said = begun.over(40)
    assert said.status == 130
    assert "go on with --resume punto-tiger-5.json" in said.err
    rounds = json.loads(said.out)["rounds"]
    assert json.loads((tmp_path / "punto-tiger-5.json").read_bytes())["rounds"] == rounds > 0
    assert "Traceback" not in said.err


# --- what cannot be reached -----------------------------------------


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("", "is no address"),
        ("nowhere", "is no address"),
        ("tcp://", "is no address"),
        ("tcp://127.0.0.1", "is no address"),
        ("tcp://127.0.0.1:0", "is no address"),
        ("tcp://127.0.0.1:99999", "is no address"),
        ("tcp://127.0.0.1:port", "is no address"),
        ("tcp://[::1", "is no address"),
        ("foo://127.0.0.1:{}", ""),
        ("tls://127.0.0.1:{}", ""),
        ("tcp://127.0.0.1:{}", "cannot be reached: Connection refused"),
        ("127.0.0.1:{}", "cannot be reached: Connection refused"),
        ("tcp://no-such-host.invalid:8786", "cannot be reached"),
        (f"tcp://{'a' * 70}:8786", ""),
        ("tcp://ö..ä:8786", ""),
    ],
)
def test_an_address_where_there_is_no_scheduler_is_refused_at_once(address: str, reason: str) -> None:
    with pytest.raises(ClusterGone) as refused, cluster(address.format(closed_port()), 1):
        raise AssertionError
    assert refused.value.message.startswith("--cluster: ")
    assert reason in refused.value.message
    assert refused.value.message.endswith("expected a Dask scheduler's address as in tcp://host:8786, or local")


# What else may listen at a port.
STRANGERS = {
    "one that says nothing": b"",
    "one that speaks HTTP": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "one that speaks SSH": b"SSH-2.0-OpenSSH_9.6\r\n",
    "one that sends zeros": bytes(4_000),
    "one that hangs up": b"hang up",
}


class Stranger:
    """Somebody at a port who is no scheduler."""

    def __init__(self, says: bytes) -> None:
        self.says = says
        self.server = socket.create_server(("127.0.0.1", 0))
        self.met: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server.getsockname()[1])

    def close(self) -> None:
        self.server.close()
        for met in self.met:
            met.close()

    def _serve(self) -> None:
        while True:
            try:
                met, _ = self.server.accept()
                if self.says == b"hang up":
                    met.close()
                    continue
                self.met.append(met)
                met.sendall(self.says)
            except OSError:
                if self.server.fileno() < 0:
                    return


@pytest.fixture(scope="module")
def refused() -> dict[str, str]:
    """What is said of each stranger; all are tried at the same time, and waited for one second."""

    def said(stranger: Stranger) -> str:
        with pytest.raises(ClusterGone) as gone, cluster(f"tcp://127.0.0.1:{stranger.port}", 1):
            raise AssertionError
        return gone.value.message

    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr("punto.lab.simulation.cluster._PATIENCE_S", 1)
        met = {name: stack.enter_context(closing(Stranger(says))) for name, says in STRANGERS.items()}
        pool = stack.enter_context(ThreadPoolExecutor(len(met)))
        found = {name: pool.submit(said, stranger) for name, stranger in met.items()}
        return {name: message.result(timeout=25) for name, message in found.items()}


@pytest.mark.parametrize("name", STRANGERS)
def test_somebody_at_the_port_who_is_no_scheduler_is_noticed(name: str, refused: dict[str, str]) -> None:
    assert re.fullmatch(r"--cluster: 'tcp://127\.0\.0\.1:\d+' .*: expected a Dask scheduler's .*", refused[name])


# The command says so in a process of its own, where nothing else must come out, and it must come to an end.
HEARD = width(("one that speaks HTTP",), tuple(STRANGERS))


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Said | None]]:
    """What the command says of strangers; all are tried at the same time."""
    folder = tmp_path_factory.mktemp("strangers")
    found: dict[str, Said | None] = {}
    with ExitStack() as stack:
        asked = {}
        for name in HEARD:
            stranger = Stranger(STRANGERS[name])
            stack.callback(stranger.close)
            command = [*PUNTO, "simulate", "tiger", "--rounds", "10", "--cluster", f"tcp://127.0.0.1:{stranger.port}"]
            asked[name] = stack.enter_context(
                subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
            )
        start = time.monotonic()
        for name, running in asked.items():
            try:
                out, err = running.communicate(timeout=max(0.1, 25 - (time.monotonic() - start)))
                found[name] = Said(running.returncode, out, err)
            except subprocess.TimeoutExpired:
                running.kill()
                running.communicate()
                found[name] = None
        yield found


@pytest.mark.parametrize("name", HEARD)
def test_the_command_says_in_one_line_that_it_has_met_no_scheduler(name: str, heard: dict[str, Said | None]) -> None:
    said = heard[name]
    assert said is not None, "it was waited for without end"
    assert (said.status, said.out) == (2, "")
    assert re.fullmatch(r"punto: --cluster: 'tcp://127\.0\.0\.1:\d+' .*: expected a Dask scheduler's .*\n", said.err)


def test_a_scheduler_without_workers_is_refused(tmp_path: Path) -> None:
    with hosted(tmp_path, 0) as (address, _), pytest.raises(ClusterGone, match="has no workers"), cluster(address, 1):
        raise AssertionError


@pytest.mark.parametrize("workers", [0, -1, 1025])
def test_a_local_cluster_of_no_workers_or_too_many_is_refused(workers: int) -> None:
    with pytest.raises(BadUsage, match="expected 1 to 1,024"), cluster("local", workers):
        raise AssertionError


def test_a_local_cluster_of_no_workers_is_refused_on_the_command_line(tmp_path: Path) -> None:
    asked = ("simulate", "tiger", "--rounds", "10", "--cluster", "local", "--workers", "0")
    said = punto(*asked, cwd=tmp_path)
    assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith("punto: --workers: 0 is too many or too few")
