"""Fast path over real connections: a request in one piece gets the same response as one in several."""

import json
import re
import socket
from collections.abc import Iterator

import pytest

from deploy.http.short import _header_of
from tests.deploy.http.test_connections import connected, rest
from tests.deploy.serving import PATIENCE, Served, done, open_game, play_on, served

_DIFFERS = rb'(?mi)^(date|request-id): .*\r\n|(?<="at":")[^"]+'
"""Between two answers that are the same."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served("--data", tmp_path_factory.mktemp("short")) as server:
        yield server


@pytest.fixture
def game(server: Served) -> str:
    with server.client() as client:
        game = open_game(client)
        play_on(client, game)  # the deal
        return game


def request(server: Served, method: str, path: str, body: bytes = b"", *more: str, version: str = "1.1") -> bytes:
    lines = (f"{method} {path} HTTP/{version}", "Host: here", f"Authorization: Bearer {server.token}", *more)
    of_body = ("Content-Type: application/json", f"Content-Length: {len(body)}") if body else ()
    return "\r\n".join((*lines, *of_body, "", "")).encode() + body


def move_of(server: Served, game: str) -> bytes:
    with server.client() as client:
        table = done(client.get(f"/v1/games/{game}/table"))
    return json.dumps({"seat": table["turn"], "move": {"type": "trail", "card": table["hands"][table["turn"]][0]}}).encode()


def asked(server: Served, sent: bytes) -> bytes:
    return re.sub(_DIFFERS, b"", rest(connected(server, sent)))


def asked_in_pieces(server: Served, sent: bytes) -> bytes:
    """The body when the server asks for it."""
    head, _, body = sent.partition(b"\r\n\r\n")
    line = connected(server, head + b"\r\nExpect: 100-continue\r\n\r\n")
    assert received(line, b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    line.sendall(body)
    return re.sub(_DIFFERS, b"", rest(line))


def received(line: socket.socket, end: bytes) -> bytes:
    found = b""
    line.settimeout(PATIENCE)
    while not found.endswith(end):
        piece = line.recv(65536)
        assert piece, found
        found += piece
    return found


@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize("wanted", ["application/json", "text/html"])
def test_a_table_is_told_by_the_short_way_as_by_the_frameworks(server: Served, game: str, version: str, wanted: str):
    more = ("Connection: close", f"Accept: {wanted}", "Accept-Encoding: gzip")
    short, usual = (
        asked(server, request(server, "GET", f"/{slash}v1/games/{game}/table", b"", *more, version=version)) for slash in ("", "/")
    )
    assert short == usual
    assert b"\r\nconnection: close\r\n" in short


def test_a_refused_move_is_told_in_one_piece_as_in_two_and_as_by_the_framework(server: Served, game: str):
    body = b'{"seat":0,"move":{"type":"trail","card":"nothing"}}'
    sent = request(server, "POST", f"/v1/games/{game}/moves", body, "Connection: close")
    usual = asked(server, request(server, "POST", f"//v1/games/{game}/moves", body, "Connection: close"))
    assert asked(server, sent) == asked_in_pieces(server, sent) == usual
    assert usual.startswith(b"HTTP/1.1 422 ")


def test_a_move_is_recorded_whichever_way_it_comes(server: Served, game: str):
    heads = list[list[bytes]]()
    for ask in (asked, asked_in_pieces, asked):
        slash = "/" if len(heads) == 2 else ""
        move = move_of(server, game)
        answer = ask(server, request(server, "POST", f"/{slash}v1/games/{game}/moves", move, "Connection: close"))
        head, _, body = answer.partition(b"\r\n\r\n")
        heads.append([line.partition(b":")[0] for line in head.split(b"\r\n")])
        assert json.loads(body)["events"][0]["position"] == 2 + len(heads)
    assert heads == heads[:1] * 3


def test_requests_that_come_together_are_answered_in_turn_and_the_connection_stays(server: Served, game: str):
    move = move_of(server, game)
    table, played = request(server, "GET", f"/v1/games/{game}/table"), request(server, "POST", f"/v1/games/{game}/moves", move)
    live, last = request(server, "GET", "/health/live"), request(server, "GET", f"/v1/games/{game}/table", b"", "Connection: close")
    answers = rest(connected(server, table + played + live + table + last))
    told = [(head[:3], *re.findall(rb'\r\netag: "(\d+)', head)) for head in re.split(rb"HTTP/1\.1 (?=\d\d\d )", answers)[1:]]
    assert told == [(b"200", b"2"), (b"201", b"3"), (b"200",), (b"200", b"3"), (b"200", b"3")]


def test_a_body_that_breaks_off_records_nothing(server: Served, game: str):
    move = move_of(server, game)
    sent = request(server, "POST", f"/v1/games/{game}/moves", move)
    with connected(server, sent[:-1]) as line:
        line.shutdown(socket.SHUT_WR)
        assert line.recv(65536) in (b"", b"HTTP/1.1 400 Bad Request\r\n")
    with server.client() as client:
        assert done(client.get(f"/v1/games/{game}"))["position"] == 2


def test_who_may_not_is_told_so_before_his_body_has_come(server: Served, game: str):
    head = request(server, "POST", f"/v1/games/{game}/moves", b"x" * 1000).partition(b"\r\n\r\n")[0].replace(b"Bearer ", b"Bearer no")
    with connected(server, head + b"\r\n\r\nx") as line:
        assert line.recv(12) == b"HTTP/1.1 401"


@pytest.mark.parametrize("value", [b"one\r\ntwo: 2", b"one\ntwo", b"one\rtwo", b"one\0two", b"one\x7ftwo", b"one\x0btwo"])
def test_a_header_that_could_be_taken_for_several_is_never_sent(value: bytes):
    with pytest.raises(ValueError, match="several lines"):
        _header_of([(b"content-length", b"0"), (b"location", value)])


def test_headers_are_written_line_by_line():
    assert (
        _header_of([(b"etag", b'"3"'), (b"location", "/ä".encode("latin-1")), (b"x", b"a\tb")])
        == b'etag: "3"\r\nlocation: /\xe4\r\nx: a\tb\r\n'
    )
