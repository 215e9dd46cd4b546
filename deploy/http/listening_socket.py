"""Listening sockets at the configured address, for one process or several (SO_REUSEPORT)."""

import socket

from deploy.config.failures import Failure, system_problem
from deploy.system.language import say

_BACKLOG = 2048
_ANYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}


def listening(host: str, port: int) -> socket.socket:
    """Open a listening socket. Raises ``Failure`` if the port is taken or the address is not this machine's."""
    line = _bound(host, port)
    line.listen(_BACKLOG)
    return line


def address_of(line: socket.socket, scheme: str = "http") -> str:
    """Return the URL of a socket for a browser on this machine."""
    host, port = line.getsockname()[:2]
    host = _ANYWHERE.get(host, host)
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


class ListeningSocket:
    """An address at which several processes listen, each with a socket of its own; the kernel distributes connections among them.

    The socket held here accepts no connections. It reserves the port while there is no other socket. Raises ``Failure`` as ``listening``
    does.
    """

    def __init__(self, host: str, port: int) -> None:
        self._line = _bound(host, port)
        # Set after the bind: set before, it would let a second service bind the port of one that already runs.
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)

    def address(self, scheme: str) -> str:
        return address_of(self._line, scheme)

    def duplicate(self) -> socket.socket:
        """Return a socket for one more process, which listens on it when it is ready.

        No connection waits at the socket of a process that has ended. Raises OSError.
        """
        line = socket.socket(self._line.family)
        try:
            _prepare(line)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            line.bind(self._line.getsockname())
        except OSError:
            line.close()
            raise
        return line

    def close(self) -> None:
        self._line.close()


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except socket.gaierror as error:
        raise Failure(say("no_address", host=host, problem=error.strerror), say("other_host")) from error
    line = socket.socket(family)
    try:
        _prepare(line)
        line.bind(address)
    except OSError as error:
        line.close()
        raise Failure(say("port_problem", host=host, port=port, problem=system_problem(error.errno)), say("other_port")) from error
    return line


def _prepare(line: socket.socket) -> None:
    line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of an earlier run in TIME_WAIT must not block the port
    if line.family is socket.AF_INET6:
        line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
