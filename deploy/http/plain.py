"""Protocol upgrades are ignored: requests that offer one are read as plain HTTP/1.1 (RFC 9110, 7.8).

uvicorn and its parser would leave the bodies of such requests unread.
"""

import sys
from typing import Any

from httptools import HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_FRAMING = (b"content-length", b"transfer-encoding")


class PlainProtocol(HttpToolsProtocol):
    """A connection whose requests are HTTP/1.1, whatever upgrade they offer (RFC 9110, 7.8)."""

    _data: bytes = b""
    """The data received last."""

    def _is_upgrade_requested(self) -> bool:
        """Return whether the parser stops after the head, because an upgrade is requested."""
        return self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"

    def _should_upgrade(self) -> bool:
        return False

    def _unsupported_upgrade_warning(self) -> None:
        """Continue with a fresh parser where the first one stopped; it gets the framing headers alone, then the body and what follows.

        uvicorn calls this method where the parser has stopped.
        """
        stopped = sys.exception()
        if not isinstance(stopped, HttpParserUpgrade) or not self._is_upgrade_requested():
            return
        rest = self._data[stopped.args[0] :]
        framing = self._framing()
        self.parser = HttpRequestParser(_AfterHead(self))
        self.parser.feed_data(framing)
        if rest:
            self._data = rest
            HttpToolsProtocol.data_received(self, rest)

    def _framing(self) -> bytes:
        """Return the head, reduced to the headers that determine where the request ends."""
        lines = [b"%b / HTTP/%b" % (self.parser.get_method(), self.parser.get_http_version().encode())]
        lines += [name + b": " + value for name, value in self.headers if name in _FRAMING]
        return b"\r\n".join([*lines, b"", b""])


class _AfterHead:
    """Callbacks of the second parser: forwards what it reads behind a head that the connection already has."""

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
