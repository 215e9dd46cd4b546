"""Connection proxy in front of PostgreSQL that a test can cut at an exact moment."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Literal
from urllib.parse import urlsplit

Cut = Literal["none", "request", "reply"]


class Line:
    """Forwards between one client at a time and the server; each client gets a connection of his own.

    `cut` says what becomes of the next message of a client who is connected: his request is lost on the way, or the server's reply.
    Either way the connection ends. With `open` unset new clients are turned away (`turned_away`: how many); `held` keeps replies back until
    it is unset, as a server that stands still.
    """

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.cut: Cut = "none"
        self.open = True
        self.turned_away = 0
        self._flowing = Event()
        self.held = False
        self.happened = Event()
        Thread(target=self._accept, daemon=True).start()

    @property
    def held(self) -> bool:
        return not self._flowing.is_set()

    @held.setter
    def held(self, held: bool) -> None:
        (self._flowing.clear if held else self._flowing.set)()

    def close(self) -> None:
        self.open, self.held = False, False
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.open:
                    server = socket.create_connection(self._server)
                    Thread(target=self._requests, args=(client, server), daemon=True).start()
                    Thread(target=self._replies, args=(client, server), daemon=True).start()
                else:
                    client.close()
                    self.turned_away += 1

    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                if self.cut == "request":
                    self._end(client, server)
                    return
                server.sendall(data)
        self._shut(client, server)

    def _replies(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                if self.cut == "reply":
                    self._end(client, server)
                    return
                if self.held:
                    self.happened.set()
                    self._flowing.wait()
                client.sendall(data)
        self._shut(client, server)

    def _end(self, client: socket.socket, server: socket.socket) -> None:
        self.cut = "none"
        self._shut(client, server)
        self.happened.set()

    @staticmethod
    def _shut(*ends: socket.socket) -> None:
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def line_to(url: str) -> Iterator[tuple[Line, str]]:
    """A line to the server of that URL, and the URL that leads over it."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    line = Line(parts.hostname, parts.port)
    try:
        yield line, url.replace(f"{parts.hostname}:{parts.port}", f"127.0.0.1:{line.port}")
    finally:
        line.close()
