"""HTTP server of a witness (c2sp.org/tlog-witness), with the same server and limits as the service."""

import asyncio
from collections.abc import Callable
from typing import Any

from litestar import Litestar, Request, Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath

from deploy.config.settings import Settings
from deploy.config.tls import tls_context
from deploy.http.connections import ConnectionRegistry
from deploy.http.listening_socket import address_of, listening
from deploy.http.server import Server, configure_server, limit_connections, serve_at
from deploy.log.witness.witness import ClockError, Witness
from deploy.system.log_lines import start_logging
from domain.errors import Unavailable
from replay.proof.witness_protocol import LARGEST, SIZE_TYPE, STATUS, CosignatureRefusedError, Why

_SENTENCES: dict[Why, str] = {
    "malformed": "this is no request of c2sp.org/tlog-witness, with a checkpoint without further lines",
    "log_unknown": "this witness signs nothing of this log",
    "not_signed": "the checkpoint is not signed by a key of its log that is known here",
    "old_larger": "the old size is larger than that of the checkpoint",
    "other_size": "",
    "not_an_extension": "the checkpoint was not shown to continue the one that was cosigned last",
}


def serve_witness(witness: Witness, settings: Settings, started: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT. ``started`` is called with the address. Raises ``Failure`` if the port is taken."""
    start_logging(settings.log_format)
    tls = tls_context(settings)
    with listening(settings.host, settings.port) as line:
        config = configure_server(create_app(witness), ConnectionRegistry(limit_connections(settings.limits)), tls)
        address = address_of(line, "https" if tls else "http")
        serve_at([line], Server(config, lambda: started(address), lambda: None))


def create_app(witness: Witness) -> Litestar:
    """Create the application. Cosigned checkpoints are public; a request is authenticated by its log's signature alone."""

    @post("/add-checkpoint", status_code=200, request_max_body_size=LARGEST)
    async def add_checkpoint(request: Request[Any, Any, Any]) -> Response[str]:
        body = await request.body()
        return _plain(await asyncio.to_thread(witness.add_checkpoint, body))

    @get("/{origin_hash:str}/checkpoint")
    async def checkpoint(origin_hash: FromPath[str]) -> Response[str]:
        note = await asyncio.to_thread(witness.last_checkpoint, origin_hash)
        return _plain("no checkpoint of this log was cosigned here\n", 404) if note is None else _plain(note)

    handlers = {CosignatureRefusedError: _build_refusal, ClockError: _later, Unavailable: _later, HTTPException: _of_http}
    return Litestar([add_checkpoint, checkpoint], openapi_config=None, logging_config=None, exception_handlers=handlers)  # type: ignore[arg-type]


def _plain(text: str, status: int = 200, **headers: str) -> Response[str]:
    return Response(text, status_code=status, media_type="text/plain; charset=utf-8", headers=headers)


def _build_refusal(_: Request[Any, Any, Any], refused: CosignatureRefusedError) -> Response[str]:
    if refused.why == "other_size":
        return Response(f"{refused.size}\n", status_code=STATUS[refused.why], media_type=SIZE_TYPE)
    return _plain(f"{_SENTENCES[refused.why]}\n", STATUS[refused.why])


def _later(_: Request[Any, Any, Any], error: ClockError | Unavailable) -> Response[str]:
    seconds = error.seconds if isinstance(error, ClockError) else 1
    return _plain(f"{error}\n", 503, **{"Retry-After": str(max(1, min(seconds, 3600)))})


def _of_http(_: Request[Any, Any, Any], error: HTTPException) -> Response[str]:
    return _plain(f"{error.detail}\n", error.status_code)
