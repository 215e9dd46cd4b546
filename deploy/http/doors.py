"""Where callers come in: sockets at the address that is set, of one process or of several."""

import socket

from deploy.config.failures import Failure, system_problem
from deploy.system.language import say

_BACKLOG = 2048
_ANYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}


def listening(host: str, port: int) -> socket.socket:
    """Raises ``Failure`` if the port is taken or the address is not this machine's."""
    line = _bound(host, port)
    line.listen(_BACKLOG)
    return line


def address_of(line: socket.socket, scheme: str = "http") -> str:
    """Where a browser on this machine finds it."""
    host, port = line.getsockname()[:2]
    host = _ANYWHERE.get(host, host)
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


class Door:
    """An address at which several processes listen, each by a socket of its own, between which the kernel spreads who comes. Nobody
    comes in by the one that lies here: it keeps the port while there is no other.

    Raises ``Failure``, as ``listening`` does.
    """

    def __init__(self, host: str, port: int) -> None:
        self._line = _bound(host, port)
        # Only now: had it been so before, a second service could have come to the port of one that runs already.
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)

    def address(self, scheme: str) -> str:
        return address_of(self._line, scheme)

    def another(self) -> socket.socket:
        """For one more process, which listens when it is ready. Nobody waits at one that has ended. Raises OSError."""
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
    line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # what is left of the service before shall not be in the way
    if line.family is socket.AF_INET6:
        line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
