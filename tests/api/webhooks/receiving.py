"""A receiver of messages on loopback, and a service that may send to it."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from typing import Any

from api.services import Services
from tests.api.conftest import Caller, without_limits
from tests.deploy.serving import PATIENCE

HERE = (ip_network("127.0.0.0/8"),)


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def said(self) -> dict[str, Any]:
        return dict(json.loads(self.body))

    @property
    def sequence(self) -> int:
        return int(self.said["data"]["sequence"])


Answer = tuple[int, dict[str, str]]
OK: Answer = (204, {})


@dataclass
class Receiver:
    """``answers``: what is answered, one after the other; then always 204. ``hold``: while it is not set, nothing is answered."""

    url: str
    answers: list[Answer] = field(default_factory=list)
    got: list[Received] = field(default_factory=list)
    at_once: list[int] = field(default_factory=list)
    """How many requests were under way when each came."""
    hold: threading.Event = field(default_factory=threading.Event)
    _came: threading.Condition = field(default_factory=threading.Condition)
    _under_way: int = 0

    def take(self, one: Received) -> Answer:
        with self._came:
            self._under_way += 1
            self.at_once.append(self._under_way)
            self.got.append(one)
            answer = self.answers.pop(0) if self.answers else OK
            self._came.notify_all()
        self.hold.wait(PATIENCE)
        with self._came:
            self._under_way -= 1
        return answer

    def until(self, enough: Callable[[list[Received]], bool]) -> list[Received]:
        """What came, as soon as it is enough."""
        with self._came:
            assert self._came.wait_for(lambda: enough(self.got), PATIENCE), [one.said for one in self.got]
            return list(self.got)

    def after(self, count: int) -> list[Received]:
        return self.until(lambda got: len(got) >= count)


@contextmanager
def receiving() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, more = receiver.take(Received(self.path, headers, body))
            self.send_response(status)
            for name, value in {"Content-Length": "0", **more}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver = Receiver(f"http://127.0.0.1:{server.server_port}/news")
    receiver.hold.set()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield receiver
    finally:
        receiver.hold.set()
        server.shutdown()
        thread.join()
        server.server_close()


def may_send_here(services: Services) -> Services:
    return replace(without_limits(services), webhook_networks=HERE)


def registered(caller: Caller, receiver: Receiver, **wanted: Any) -> dict[str, Any]:
    answer = caller.post("/v1/webhooks", {"url": receiver.url, "role": "director", "scope": "everything", **wanted})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())
