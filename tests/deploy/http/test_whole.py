"""Equivalence of the fast path and the usual one: for any input in any pieces, the same bytes are sent and as many requests count."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import pytest
import uvloop
from msgspec import Struct
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.server import ServerState

from api.app import BODY_LIMIT
from deploy.config.settings import USUAL
from deploy.http.connections import ConnectionRegistry
from deploy.http.protocol import LimitedProtocol
from deploy.http.server import configure_server
from deploy.http.short import _LONGEST

Told = TypeVar("Told")

MOVE = b'{"seat": 0}'
HEAD = b"Host: here\r\nAuthorization: Bearer kb_1\r\n"
H2C = (b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA")


def post(*lines: bytes, body: bytes = MOVE, length: bytes | None = None, version: bytes = b"1.1") -> bytes:
    told = b"Content-Length: %b" % (b"%d" % len(body) if length is None else length)
    return b"\r\n".join((b"POST /short/moves?dry_run=true HTTP/" + version, HEAD[:-2], *lines, told, b"", body))


def get(*lines: bytes, path: bytes = b"/short/table", version: bytes = b"1.1") -> bytes:
    return b"\r\n".join((b"GET " + path + b" HTTP/" + version, HEAD[:-2], *lines, b"", b""))


def chunked(*chunks: bytes, lines: tuple[bytes, ...] = (), trailer: bytes = b"") -> bytes:
    head = (b"POST /short/moves HTTP/1.1", HEAD[:-2], b"Transfer-Encoding: chunked", *lines, b"", b"")
    return b"\r\n".join(head) + b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n" + trailer + b"\r\n"


SENT: dict[str, bytes] = {
    "a move": post(),
    "a table": get(),
    "a table with a query": get(path=b"/short/table?view=public&at=%C3%A4?#part"),
    "an address in percents": get(path=b"/short/t%61ble"),
    "a whole address": get(path=b"http://here/short/table"),
    "no path": get(path=b"http://here"),
    "another operation": get(path=b"/long"),
    "a move and a table": post() + get(),
    "three moves": post() + post(body=b"") + post(b"Connection: close"),
    "a table, and no request": get() + b"\0\0\0\0",
    "a move, and half of one": post() + post()[:-4],
    "a move that closes": post(b"Connection: close"),
    "a move after the close": post(b"Connection: close") + post(),
    "a connection to keep": post(b"Connection: Keep-Alive", b"Keep-Alive: timeout=5"),
    "the version before": post(version=b"1.0"),
    "the version before, to be kept": post(b"Connection: keep-alive", version=b"1.0"),
    "a body that is asked for": post(b"Expect: 100-continue"),
    "another expectation": post(b"Expect: everything"),
    "chunks": chunked(MOVE[:4], MOVE[4:]),
    "chunks and a trailer": chunked(MOVE, trailer=b"Expect: 100-continue\r\nX-Late: 1\r\n"),
    "chunks that are none": chunked(MOVE)[:-9] + b"x\r\n",
    "chunks and a length": chunked(MOVE, lines=(b"Content-Length: 4",)),
    "an upgrade": get(*H2C) + get(),
    "an upgrade with a body": post(*H2C) + get(),
    "an upgrade with chunks": chunked(MOVE[:4], MOVE[4:], lines=H2C) + post(*H2C),
    "an upgrade to web sockets": get(b"Connection: Upgrade", b"Upgrade: websocket") + get(),
    "a connection to somewhere": b"CONNECT here:80 HTTP/1.1\r\nHost: here\r\n\r\n",
    "a move, and rubbish": post() + b"\0\0",
    "a move, and words": post() + b"aaaaaaa\r\n\r\n",
    "moves, and an address that is too long": post() + post() + get(path=b"/" + b"x" * 40_000),
    "a method that nobody knows": b"FROB" + get()[3:],
    "a method in small letters": b"get" + get()[3:],
    "the begin of a method, and a blank": get()[:2] + get()[3:],
    "bytes that are no method": b"\x16\x03" + get(),
    "blanks behind values": get(b"Request-Id: mine \t", b"Accept: a "),
    "no host": get().replace(b"Host: here\r\n", b""),
    "no host, the version before": get(version=b"1.0").replace(b"Host: here\r\n", b""),
    "two hosts": get(b"Host: there"),
    "a length with a blank": post(length=b"11 "),
    "a length with noughts": post(length=b"00000000011"),
    "a length that is none": post(length=b"+11"),
    "no length": post(length=b""),
    "two lengths": post(b"Content-Length: 11"),
    "a body that is longer": post(length=b"4"),
    "a body that is shorter": post(length=b"40"),
    "a body without a length": get() + MOVE,
    "a long body": post(body=b"x" * (HIGH_WATER_LIMIT + 10)),
    "a very long body": post(body=b"x" * 200_000),
    "a table with a body": get(b"Content-Length: 2") + b"{}",
    "a header that is folded": get(b"X-Folded: one\r\n two"),
    "a header twice": get(b"Accept: a", b"Accept: b"),
    "for whom a proxy calls": get(b"X-Forwarded-For: 10.0.0.1, 192.0.2.7", b"X-Forwarded-Proto: http, HTTPS"),
    "for nobody": get(b"X-Forwarded-For: nobody", b"X-Forwarded-Proto: "),
    "lines before": b"\r\n\r\n" + post(),
    "an id": post(b"Request-Id: mine"),
}


class Line(asyncio.Transport):
    """Transport that stores the bytes written, and whether it was closed."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 4000), "sockname": ("127.0.0.1", 8000)})
        self.written = b""
        self.is_closed = self.is_paused = False

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False


async def told(scope: Any, body: bytes) -> tuple[Any, bytes]:
    """All that came, as an answer; one that fails where it is asked to."""
    if body == b"fail":
        raise RuntimeError("on purpose")
    known = {name: value for name, value in scope.items() if name not in ("extensions", "state", "app")}
    answer = repr(sorted(known.items())).encode() + body
    headers = [(b"x-evil", b"a\r\nb")] if body == b"evil" else [(b"content-length", b"%d" % len(answer))]
    return {"type": "http.response.start", "status": 201, "headers": headers}, answer


class Echo:
    """An application, and its short way: either tells all that it was given."""

    def __init__(self) -> None:
        self.short = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body, more = body + message["body"], message.get("more_body", False)
        await self.gate.wait()
        start, answer = await told(scope, body)
        await send(start)
        await send({"type": "http.response.body", "body": answer})

    def prepare_scope(self, scope: Any) -> bool:
        return bool(scope["path"] in ("/short/table", "/short/moves"))

    async def handle_request(self, scope: Any, receive: Any) -> tuple[Any, bytes]:
        self.short += 1
        await self.gate.wait()
        return await told(scope, scope["state"]["body"])


class Server(Struct):
    app: Echo
    state: ServerState
    callers: ConnectionRegistry
    protocol: LimitedProtocol
    line: Line

    async def feed(self, *pieces: bytes) -> None:
        for piece in pieces:
            if self.line.is_closed:
                break
            self.come(piece)
            await turns()

    def come(self, *pieces: bytes) -> None:
        """In the next turn of the loop, as what is read from a connection."""
        for piece in pieces:
            asyncio.get_running_loop().call_soon(self.protocol.data_received, piece)

    def end(self) -> tuple[bytes, bool, bool, int, int, int]:
        """All that can be seen from outside: what left, whether it ends, whether it is read on, and what is counted."""
        counted = self.callers.busy, self.state.total_requests, len(self.state.tasks)
        self.protocol.connection_lost(None)
        return re.sub(rb"request-id: [0-9a-f]{32}", b"", self.line.written), self.line.is_closed, self.line.is_paused, *counted


async def turns() -> None:
    """As many as the longest way takes."""
    for _ in range(12):
        await asyncio.sleep(0)


def server(*, short: bool = True) -> Server:
    app, state, callers, line = Echo(), ServerState(), ConnectionRegistry(USUAL), Line()
    state.default_headers = [(b"date", b"today")]
    config = configure_server(app, callers)
    config.load()
    protocol = LimitedProtocol(callers, app if short else None, config, state, {"lifespan": 1}, asyncio.get_running_loop())
    protocol.connection_made(line)
    return Server(app, state, callers, protocol, line)


def run(asked: Callable[[], Awaitable[Told]]) -> Told:
    async def whole() -> Told:
        return await asked()

    return uvloop.run(whole())


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.CRITICAL):
        yield


def pieces(sent: bytes) -> Iterator[tuple[bytes, ...]]:
    """Whole, byte for byte where that is not too much, and cut in two: anywhere about the ends of lines, and here and there."""
    yield (sent,)
    if len(sent) > 2000:
        cuts = [20, *range(150, 170), len(sent) - 1]
    else:
        yield tuple(sent[at : at + 1] for at in range(len(sent)))
        cuts = [at for at in range(1, len(sent)) if at % 7 == 0 or b"\r\n" in sent[at - 2 : at + 2]]
    for cut in cuts:
        yield sent[:cut], sent[cut:]


@pytest.mark.parametrize("name", SENT)
def test_the_same_bytes_leave_with_the_short_way_and_without(name: str):
    async def compared() -> None:
        for cut in pieces(SENT[name]):
            short, usual = server(), server(short=False)
            await short.feed(*cut)
            await usual.feed(*cut)
            assert short.end() == usual.end(), cut

    run(compared)


ANSWERS: dict[str, tuple[int, ...]] = {
    "an upgrade": (201, 201),
    "an upgrade with a body": (201, 201),
    "an upgrade with chunks": (201, 201),
    "an upgrade to web sockets": (201, 201),
    "chunks and a trailer": (201,),
    "blanks behind values": (201,),
    "a move, and rubbish": (201, 400),
    "a move, and words": (201, 400),
    "moves, and an address that is too long": (201, 201, 414),
    "a method that nobody knows": (501,),
    "a method in small letters": (501,),
    "the begin of a method, and a blank": (501,),
    "bytes that are no method": (400,),
    "no host": (400,),
    "no host, the version before": (201,),
    "two hosts": (400,),
}
"""Of what other servers answer otherwise, however it was cut."""


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_does_not_depend_on_how_a_request_was_cut(name: str):
    async def answered() -> set[tuple[int, ...]]:
        found = set()
        for cut in pieces(SENT[name]):
            one = server()
            await one.feed(*cut)
            found.add(tuple(int(status) for status in re.findall(rb"HTTP/1.1 (\d{3}) ", one.end()[0])))
        return found

    assert run(answered) == {ANSWERS[name]}


def test_a_body_is_read_though_another_protocol_is_offered_and_its_trailer_is_no_header():
    async def answered() -> bytes:
        one = server()
        await one.feed(chunked(MOVE, lines=H2C, trailer=b"X-Late: 1\r\n"))
        return one.end()[0]

    written = run(answered)
    assert written.endswith(MOVE)
    assert b"x-late" not in written


@pytest.mark.parametrize("sent", [get(), post(), get(path=b"/long"), post() + get()], ids=["table", "move", "usual", "two"])
def test_who_sends_no_more_is_answered_before_the_connection_ends(sent: bytes):
    async def answered() -> tuple[list[bool], bytes, bool]:
        one = server()
        one.app.gate.clear()
        one.come(sent)
        await turns()
        stays = [one.protocol.eof_received(), one.line.is_closed]
        one.app.gate.set()
        await turns()
        written, is_closed, *_ = one.end()
        return stays, written, is_closed

    stays, written, is_closed = run(answered)
    assert (stays, written.count(b"HTTP/1.1 201 Created"), is_closed) == ([True, False], 1 + (sent == post() + get()), True)


def test_who_asked_nothing_and_sends_no_more_is_let_go():
    async def ended() -> bool:
        return server().protocol.eof_received()

    assert not run(ended)


SHORT = {
    "a move": 1,
    "a table": 1,
    "a move that closes": 1,
    "for whom a proxy calls": 1,
    "a move and a table": 1,
    "another operation": 0,
    "a body that is asked for": 0,
    "a very long body": 0,
    "a length with a blank": 1,
    "chunks": 0,
    "an upgrade": 0,
    "the version before": 0,
}


@pytest.mark.parametrize("name", SHORT)
def test_what_comes_whole_and_plain_goes_the_short_way_and_nothing_else(name: str):
    async def counted() -> int:
        one = server()
        await one.feed(SENT[name])
        return one.app.short

    assert run(counted) == SHORT[name]


def test_no_body_that_is_held_is_beyond_the_limit_of_bodies():
    assert 10**_LONGEST <= BODY_LIMIT


def test_who_meets_a_fault_is_told_of_it_as_on_the_usual_way():
    async def compared() -> None:
        short, usual = server(), server(short=False)
        await short.feed(post(body=b"fail"))
        await usual.feed(post(body=b"fail"))
        assert short.end() == usual.end()

    run(compared)


@pytest.mark.parametrize("body", [b"fail", b"evil"])
def test_no_fault_leaves_anything_of_the_answer_that_failed(body: bytes):
    async def failed() -> bytes:
        one = server()
        await one.feed(post(body=body))
        return one.end()[0]

    lines = b"content-type: text/plain; charset=utf-8\r\ncontent-length: 21\r\nconnection: close\r\n\r\nInternal Server Error"
    assert run(failed) == b"HTTP/1.1 500 Internal Server Error\r\ndate: today\r\n" + lines


@pytest.mark.parametrize("before", [0, 1], ids=["the first request", "the second"])
def test_what_was_asked_as_a_whole_is_done_though_he_who_asked_is_gone_at_once(before: int):
    async def asked() -> tuple[int, int]:
        one = server()
        await one.feed(*before * [get()])
        one.come(post())
        asyncio.get_running_loop().call_soon(one.protocol.connection_lost, None)
        await turns()
        return one.app.short, len(one.state.tasks)

    assert run(asked) == (before + 1, 0)


def test_who_goes_before_he_is_answered_leaves_nothing_behind():
    async def gone() -> tuple[bytes, int, int, int]:
        one = server()
        one.app.gate.clear()
        await one.feed(post())
        one.protocol.connection_lost(None)
        one.app.gate.set()
        await turns()
        return one.line.written, one.callers.busy, one.callers.idle, len(one.state.tasks)

    assert run(gone) == (b"", 0, 0, 0)


@pytest.mark.parametrize("short", [True, False])
def test_a_connection_is_busy_until_it_is_answered(short: bool):
    async def asked() -> list[tuple[int, int]]:
        one = server(short=short)
        one.app.gate.clear()
        await one.feed(post())
        waits = one.callers.busy, one.callers.idle
        one.app.gate.set()
        await turns()
        return [waits, (one.callers.busy, one.callers.idle)]

    assert run(asked) == [(1, 0), (0, 1)]


def test_a_body_that_began_has_the_time_of_a_body():
    async def begun() -> float:
        one = server()
        await one.feed(post()[:-4])
        alarm = one.protocol._alarm
        assert alarm is not None
        return alarm.when() - asyncio.get_running_loop().time()

    assert run(begun) > USUAL.header_seconds


def test_while_nothing_can_be_written_an_answer_waits():
    async def paused() -> tuple[bytes, bytes]:
        one = server()
        one.protocol.pause_writing()
        await one.feed(post())
        before = one.line.written
        one.protocol.resume_writing()
        await turns()
        return before, one.line.written[:12]

    assert run(paused) == (b"", b"HTTP/1.1 201")


def test_a_server_that_stops_lets_a_request_end_and_closes():
    async def stopped() -> tuple[int, bool, bool, bool]:
        one = server()
        one.app.gate.clear()
        await one.feed(post())
        waited_for = len(one.state.tasks)
        one.protocol.shutdown()
        before = one.line.is_closed
        one.app.gate.set()
        await turns()
        return waited_for, before, b"\r\nconnection: close\r\n" in one.line.written, one.line.is_closed

    assert run(stopped) == (1, False, True, True)
