"""Client addresses as the service sees them: from the connection, or from trusted proxies."""

import asyncio
import json
from ipaddress import ip_network
from typing import Any

import pytest
from uvicorn.server import ServerState

from deploy.config.settings import LOOPBACK, ConnectionLimits
from deploy.http.connections import ConnectionRegistry
from deploy.http.server import configure_server

FORGED = ("X-Forwarded-For: 203.0.113.9, 192.0.2.1", "X-Forwarded-Proto: http, https")
CHAIN = ("X-Forwarded-For: 203.0.113.9, 192.0.2.1, 10.0.0.7",)


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers with who asks."""
    told = json.dumps([scope["client"][0], scope["scheme"]]).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(told))]})
    await send({"type": "http.response.body", "body": told})


async def told(limits: ConnectionLimits, *requests: tuple[str, ...]) -> list[Any]:
    """Return what the service learns about the requests on one connection from this machine."""
    config = configure_server(echo, ConnectionRegistry(limits))
    config.lifespan = "off"
    config.load()
    assert config.loaded_app is echo  # nothing stands between that would believe others
    made: Any = config.http_protocol_class
    server = await asyncio.get_running_loop().create_server(
        lambda: made(config=config, server_state=ServerState(), app_state={}), "127.0.0.1", 0
    )
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        answers = []
        for headers in requests:
            writer.write("\r\n".join(("GET / HTTP/1.1", "Host: here", *headers, "", "")).encode())
            await reader.readuntil(b"\r\n\r\n")
            answers.append(json.loads(await reader.readuntil(b"]")))
        writer.close()
        return answers


@pytest.mark.parametrize(
    ("trusted", "headers", "expected"),
    [
        (LOOPBACK, FORGED, ["192.0.2.1", "https"]),
        (LOOPBACK, CHAIN, ["10.0.0.7", "http"]),
        ((*LOOPBACK, ip_network("10.0.0.0/24")), CHAIN, ["192.0.2.1", "http"]),
        (LOOPBACK, ("X-Forwarded-For: 2001:db8:1:2:3::4",), ["2001:db8:1:2::/64", "http"]),
        (LOOPBACK, (), ["127.0.0.1", "http"]),
        ((), FORGED, ["127.0.0.1", "http"]),
    ],
)
def test_only_trusted_proxies_say_from_where_a_request_comes(trusted: Any, headers: tuple[str, ...], expected: list[str]):
    assert asyncio.run(told(ConnectionLimits(trusted=trusted), headers)) == [expected]


def test_each_request_of_a_proxy_has_its_own_caller():
    answers = asyncio.run(told(ConnectionLimits(), ("X-Forwarded-For: 192.0.2.1",), (), ("X-Forwarded-For: 192.0.2.2",)))
    assert [address for address, _ in answers] == ["192.0.2.1", "127.0.0.1", "192.0.2.2"]
