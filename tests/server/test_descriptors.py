"""At the limit of open files newcomers are turned away in words, and the log says so once."""

import json
import socket
from pathlib import Path

import pytest
from tests.cli.served import serving

from punto.server.descriptors import KEPT, Room


def ask(address: tuple[str, int]) -> tuple[socket.socket, bytes]:
    """A newcomer who asks, and stays connected; the head of the answer."""
    connection = socket.create_connection(address, timeout=10)
    connection.sendall(b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
    return connection, connection.recv(2_000)


def test_a_floor_without_room_says_so_and_goes_on_for_those_who_are_there(tmp_path: Path) -> None:
    # The soft limit is lower than the hard one: the floor raises it.
    shell = ("sh", "-c", 'ulimit -Sn 100 && ulimit -Hn 160 && exec "$@"', "sh")
    with serving("--demonstration", "--folder", "kept", "--port", "0", cwd=tmp_path, before=shell) as floor:
        floor.get("/health")
        host, _, port = floor.address.removeprefix("http://").rpartition(":")
        first, answer = ask((host, int(port)))
        assert b"200 OK" in answer
        others = [ask((host, int(port))) for _ in range(130)]
        served = [answer for _, answer in others if b" 200 " in answer[:20]]
        away = [answer for _, answer in others if b" 503 " in answer[:20]]
        assert len(served) + len(away) == 130
        assert 30 < len(served) <= 160 - KEPT
        assert json.loads(away[0].partition(b"\r\n\r\n")[2])["code"] == "full"
        first.sendall(b"GET /metrics HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        figures = b""
        while b"punto_turned_away_total" not in figures or b"punto_workers_died_total" not in figures:
            figures += first.recv(65_536)
        assert f"punto_turned_away_total {len(away)}.0".encode() in figures
        for connection, _ in (*others, (first, b"")):
            connection.close()
        assert floor.said.count("the limit of open files is reached") == 1
        assert floor.stop() == 0


def test_the_log_says_it_again_after_a_while(capsys: pytest.CaptureFixture[str]) -> None:
    room = Room()
    assert not room.is_full(10_000)  # where there is no limit, there is always room
    room.begin(1_000)
    assert not room.is_full(999 - KEPT)
    assert all(room.is_full(1_000 - KEPT) for _ in range(500))
    room._said_s -= 61  # noqa: SLF001
    assert room.is_full(999)
    assert room.turned_away == 501
    said = capsys.readouterr().out
    assert said.count("the limit of open files is reached") == 2
    assert "turned_away=500" in said
