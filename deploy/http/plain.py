"""Requests that offer another protocol: uvicorn and its parser leave their bodies unread, RFC 9110 (7.8) lets a server ignore the offer."""

import sys
from typing import Any

from httptools import HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_FRAMING = (b"content-length", b"transfer-encoding")


class PlainProtocol(HttpToolsProtocol):
    """One connection. Its requests are HTTP/1.1, whatever else they offer to speak (RFC 9110, 7.8)."""

    _data: bytes = b""
    """What came last."""

    def _is_stopped(self) -> bool:
        """Whether the parser reads no further than the head, since an upgrade is asked for."""
        return self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"

    def _should_upgrade(self) -> bool:
        return False

    def _unsupported_upgrade_warning(self) -> None:
        """uvicorn calls it where the parser has stopped. Another one, told the framing alone, reads the body and what follows."""
        stopped = sys.exception()
        if not isinstance(stopped, HttpParserUpgrade) or not self._is_stopped():
            return
        rest = self._data[stopped.args[0] :]
        framing = self._framing()
        self.parser = HttpRequestParser(_AfterHead(self))
        self.parser.feed_data(framing)
        if rest:
            self._data = rest
            HttpToolsProtocol.data_received(self, rest)

    def _framing(self) -> bytes:
        """The head, with no more in it than tells where the request ends."""
        lines = [b"%b / HTTP/%b" % (self.parser.get_method(), self.parser.get_http_version().encode())]
        lines += [name + b": " + value for name, value in self.headers if name in _FRAMING]
        return b"\r\n".join([*lines, b"", b""])


class _AfterHead:
    """Tells a connection what its parser reads behind a head that it knows."""

    def __init__(self, connection: PlainProtocol) -> None:
        self._connection: Any = connection
        self._is_known = True

    def on_message_begin(self) -> None:
        if not self._is_known:
            self._connection.on_message_begin()

    def on_url(self, url: bytes) -> None:
        if not self._is_known:
            self._connection.on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._is_known:
            self._connection.on_header(name, value)

    def on_headers_complete(self) -> None:
        if not self._is_known:
            self._connection.on_headers_complete()
        self._is_known = False

    def on_body(self, body: bytes) -> None:
        self._connection.on_body(body)

    def on_message_complete(self) -> None:
        self._connection.on_message_complete()
