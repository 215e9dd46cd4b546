"""Timeouts and limits for clients that never finish a request, against a real server."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from domain.version import VERSION
from tests.deploy.serving import IMPATIENT, PATIENCE, Served, done, listens, open_game, play_on, served, until

FOR_EVER = {"KIEBITZ_HEADER_SECONDS": "3600", "KIEBITZ_BODY_SECONDS": "3600"}
AT_ONCE = {"KIEBITZ_HEADER_SECONDS": "0.2", "KIEBITZ_BODY_SECONDS": "0.2"}
HALF = b"GET /v1/games HTTP/1.1\r\nHost: here\r\nX-Slow:"
LIVE = b'{"status":"live","version":"%b"}' % VERSION.encode()
TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\n"


def connected(server: Served, sent: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    parts = urlsplit(server.url)
    line = socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=PATIENCE, source_address=(source, 0))
    line.sendall(sent)
    return line


def rest(line: socket.socket) -> bytes:
    """All that comes until the other end closes."""
    with line:
        return b"".join(iter(lambda: line.recv(65536), b""))


def told(answer: bytes) -> tuple[int, str]:
    """Status and code of a problem that is the last answer on a connection; everything in it belongs together."""
    begin = answer.rindex(b"HTTP/1.1 ")
    head, _, body = answer[begin:].partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    problem = json.loads(body)
    assert (headers["content-type"], int(headers["content-length"])) == ("application/problem+json", len(body))
    assert (headers["connection"], headers["cache-control"]) == ("close", "no-store")
    assert re.fullmatch("[0-9a-f]{32}", headers["request-id"])
    assert headers["date"].endswith(" GMT")  # RFC 9110, 6.6.1
    assert (int(status.split(" ")[1]), f"/docs#{problem['code']}") == (problem["status"], problem["type"])
    assert problem["title"]
    assert problem["detail"]
    return problem["status"], problem["code"]


def is_open(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        while line.recv(65536):  # what was said to him before the end
            pass
        return False
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


def half_a_body(server: Served, sent: bytes = b'{"ruleset"', length: int = 1000) -> bytes:
    head = f"POST /v1/games HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {length}\r\n\r\n".encode() + sent


def being_read(server: Served, *half: Any) -> socket.socket:
    """On which the service waits for the rest of a body, see ``half_a_body``."""
    line = connected(server, half_a_body(server, *half).replace(b"Content-Length", b"Expect: 100-continue\r\nContent-Length"))
    assert line.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    return line


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served("--data", tmp_path_factory.mktemp("impatient"), **AT_ONCE) as server:
        yield server


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Its log has no traceback at the end."""
    with served("--data", tmp_path_factory.mktemp("patient"), **FOR_EVER) as server:
        yield server
        assert server.end() == 0
        assert server.process.stdout is not None
        assert "Traceback" not in server.process.stdout.read()


def test_who_says_nothing_or_never_ends_a_header_or_a_body_is_let_go(impatient: Served):
    silent, header, body, empty = [connected(impatient, sent) for sent in (b"", HALF, half_a_body(impatient), b"\r\n\r\n")]
    assert rest(silent) == b""
    assert told(rest(header)) == (408, "request_timeout")
    assert told(rest(body)) == (408, "request_timeout")
    assert rest(empty) == b""


def test_who_goes_on_with_half_a_request_on_a_used_connection_is_let_go_too(impatient: Served):
    whole = b"GET /health/live HTTP/1.1\r\nHost: here\r\n\r\n"
    answered = rest(connected(impatient, whole + HALF))
    assert answered.startswith(b"HTTP/1.1 200 OK\r\n")
    assert LIVE + TIMEOUT in answered
    assert told(answered) == (408, "request_timeout")


def test_who_was_answered_before_he_sent_his_body_is_let_go_too(impatient: Served):
    line = connected(impatient, b"POST /v1/games HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n")
    assert line.recv(12) == b"HTTP/1.1 401"
    line.sendall(b"{}")
    assert TIMEOUT not in rest(line)


def test_an_answer_that_takes_its_time_is_not_cut_off(impatient: Served):
    with impatient.client() as client:
        game = open_game(client)
        head = done(client.get("/v1/feed"))["head"]
        with impatient.client() as waiting:
            assert waiting.get("/v1/feed", params={"after": head, "wait": 1}).json()["entries"] == []
        assert play_on(client, game)["position"] == 2


def test_a_header_without_end_is_refused(patient: Served):
    answer = rest(connected(patient, HALF + b" " + b"x" * 70_000))
    assert answer.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")
    assert told(answer) == (431, "header_too_large")


LONG = b"x" * 40_000
ENDLESS = b"x" * 70_000
NO_REQUESTS = {
    "a method of one's own": (b"FROB /health/live HTTP/1.1\r\nHost: here\r\n\r\n", (501, "unknown_method")),
    "a method with a body": (b"Frob-It /v1/games HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}", (501, "unknown_method")),
    "words": (b"good evening, is the hall open?\r\n\r\n", (501, "unknown_method")),
    "something else": (b"\x16\x03\x01\x02\x00\x01\x00", (400, "malformed_request")),
    "a version of one's own": (b"GET /health/live HTTP/9.7\r\nHost: here\r\n\r\n", (400, "malformed_request")),
    "no address": (b"GET  HTTP/1.1\r\nHost: here\r\n\r\n", (400, "malformed_request")),
    "a header without a name": (b"GET /health/live HTTP/1.1\r\n: here\r\n\r\n", (400, "malformed_request")),
    "a length that is none": (b"POST /v1/games HTTP/1.1\r\nHost: here\r\nContent-Length: x\r\n\r\n", (400, "malformed_request")),
    "a long address": (b"GET /" + LONG + b" HTTP/1.1\r\nHost: here\r\n\r\n", (414, "uri_too_long")),
    "a long query": (b"GET /v1/games?player=" + LONG + b" HTTP/1.1\r\nHost: here\r\n\r\n", (414, "uri_too_long")),
    "a long address without end": (b"GET /" + LONG, (414, "uri_too_long")),
    "a long header": (b"GET /health/live HTTP/1.1\r\nHost: here\r\nX-Long: " + ENDLESS + b"\r\n\r\n", (431, "header_too_large")),
    "many headers": (b"GET /health/live HTTP/1.1\r\n" + b"X-Many: 1\r\n" * 6000 + b"\r\n", (431, "header_too_large")),
}


def test_what_is_no_request_is_told_why_in_a_problem(patient: Served):
    whole = b"GET /health/live HTTP/1.1\r\nHost: here\r\n\r\n"
    for name, (sent, problem) in NO_REQUESTS.items():
        assert told(rest(connected(patient, sent))) == problem, name
        line = connected(patient, whole)
        assert line.recv(65536).startswith(b"HTTP/1.1 200 OK\r\n")
        line.sendall(sent)
        behind = (400, "malformed_request") if problem[0] == 501 else problem  # where a request begins is known of the first alone
        assert told(rest(line)) == behind, f"{name}, on a used connection"


def test_a_body_that_breaks_its_own_form_is_told_so_too(patient: Served):
    head = b"POST /v1/games HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    line = connected(patient, head + f"Authorization: Bearer {patient.token}\r\n\r\n".encode() + b'2\r\n{"\r\n')
    line.sendall(b"no number\r\n")
    assert told(rest(line)) == (400, "malformed_request")


def test_130_unfinished_requests_keep_nobody_out_and_the_oldest_of_them_make_room(tmp_path: Path):
    with served("--data", tmp_path, KIEBITZ_CONNECTIONS="100", **FOR_EVER) as server, ExitStack() as held:
        unfinished = [held.enter_context(connected(server, HALF)) for _ in range(130)]
        with server.client() as client:
            game = open_game(client)
            assert play_on(client, game)["position"] == 2
        assert told(rest(unfinished[0])) == (408, "request_timeout")
        gone = [not is_open(line) for line in unfinished[1:]]
        assert sum(gone) >= 30
        assert gone == sorted(gone, reverse=True)  # the oldest


def test_where_everybody_is_busy_a_newcomer_is_refused(tmp_path: Path):
    with served("--data", tmp_path, KIEBITZ_CONNECTIONS="2", **FOR_EVER) as server:
        with server.client() as client:
            head = done(client.get("/v1/feed"))["head"]
        with known(server) as first, known(server) as second:
            for line in (first, second):
                line.sendall(waiting(server, head))
            answer = rest(connected(server))
            assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
            assert b"\r\nretry-after: 1\r\n" in answer
            assert told(answer) == (503, "no_room")


def known(server: Served) -> socket.socket:
    """A connection on which something was answered already: what it sends now comes before a newcomer."""
    line = connected(server, b"GET /health/live HTTP/1.1\r\nHost: here\r\n\r\n")
    while not line.recv(65536).endswith(LIVE):
        pass
    return line


def waiting(server: Served, head: int, wait: int = 30, *more: str) -> bytes:
    """A request that is answered when something is recorded, or the time is up."""
    headers = "".join(f"{one}\r\n" for one in ("Host: here", f"Authorization: Bearer {server.token}", *more))
    return f"GET /v1/feed?after={head}&wait={wait} HTTP/1.1\r\n{headers}\r\n".encode()


def test_one_address_does_not_take_the_room_of_the_others(tmp_path: Path):
    limits = {"KIEBITZ_CONNECTIONS_PER_ADDRESS": "3", "KIEBITZ_TRUSTED_PROXIES": "none"}
    with served("--data", tmp_path, **limits, **FOR_EVER) as server, ExitStack() as held:
        other = held.enter_context(connected(server, HALF, "127.0.0.2"))
        unfinished = [held.enter_context(connected(server, HALF)) for _ in range(5)]
        assert [told(rest(line)) for line in unfinished[:2]] == [(408, "request_timeout")] * 2
        assert [is_open(line) for line in (other, *unfinished[2:])] == [True] * 4


def test_a_hall_behind_one_address_is_served_as_it_is(tmp_path: Path):
    with served("--data", tmp_path, KIEBITZ_TRUSTED_PROXIES="none") as server, ExitStack() as held:
        with server.client() as client:
            head = done(client.get("/v1/feed"))["head"]
        for _ in range(200):  # two for each of 200 phones: one waits for news, one has asked something
            held.enter_context(connected(server, waiting(server, head)))
            held.enter_context(known(server))
        with server.client() as client:
            assert play_on(client, open_game(client))["position"] == 2


def test_behind_a_proxy_callers_are_counted_by_the_address_that_it_names(tmp_path: Path):
    with served("--data", tmp_path, KIEBITZ_CONNECTIONS_PER_ADDRESS="2") as server, server.client() as client, ExitStack() as held:
        head = done(client.get("/v1/feed"))["head"]

        def ask(address: str, wait: int) -> bytes:
            return waiting(server, head, wait, "Connection: close", f"X-Forwarded-For: 10.9.9.9, {address}")

        for _ in range(2):
            held.enter_context(known(server)).sendall(ask("192.0.2.1", 30))
        assert told(rest(connected(server, ask("192.0.2.1", 0)))) == (503, "no_room")
        assert rest(connected(server, ask("192.0.2.2", 0))).startswith(b"HTTP/1.1 200 ")
        assert client.get("/v1/feed").status_code == 200


def test_who_hangs_up_within_a_body_is_no_matter_for_the_log(tmp_path: Path):
    with served("--data", tmp_path) as server:
        for _ in range(3):
            connected(server, half_a_body(server)).close()
        with server.client() as client:
            assert open_game(client)
        assert server.end() == 0
        assert server.process.stdout is not None
        assert server.process.stdout.read() == ""


def test_a_body_that_a_stop_cuts_off_is_unavailable_and_nothing_is_recorded(tmp_path: Path):
    with served("--data", tmp_path, command=IMPATIENT) as server:
        line = being_read(server)
        server.process.send_signal(signal.SIGTERM)
        answer = rest(line)
        assert server.process.wait(PATIENCE) == 0
        assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert b'"code":"unavailable"' in answer
        assert b'"unclear":false' in answer
        assert server.process.stdout is not None
        assert "Traceback" not in server.process.stdout.read()


def test_who_asks_it_twice_to_end_breaks_nothing_off(tmp_path: Path):
    """As a terminal's Ctrl-C and the SIGTERM of a parent reach a worker."""
    body = b'{"ruleset": "casino", "seats": 2}'
    with served("--data", tmp_path) as server:
        with being_read(server, body[:9], len(body)) as line:
            server.process.send_signal(signal.SIGTERM)
            until(lambda: not listens(server.url) or None)
            server.process.send_signal(signal.SIGINT)
            line.sendall(body[9:])
            assert rest(line).startswith(b"HTTP/1.1 201 Created\r\n")
        assert server.process.wait(PATIENCE) == 0
        assert server.process.stdout is not None
        assert server.process.stdout.read() == ""


def test_it_takes_no_more_connections_than_it_may_have_files_open():
    tried = [(5000, 9000), (300, 9000), (300, 400)]  # soft and hard limits; nobody gets a hard one back
    fits = (
        "import resource as r; from deploy.http.server import limit_connections; from deploy.http.connections import ConnectionLimits as L"
    )
    each = "r.setrlimit(r.RLIMIT_NOFILE, limits); most = limit_connections(L()).connections; print((r.getrlimit(r.RLIMIT_NOFILE)[0], most))"
    command = [sys.executable, "-P", "-c", f"{fits}\nfor limits in {tried}: {each}"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout.splitlines()
    assert told == ["(5000, 2000)", "(2200, 2000)", "(400, 200)"]
