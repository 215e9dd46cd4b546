"""Serves a witness by the same server as the service, with the same brakes."""

from collections.abc import Callable

from deploy.connections.callers import Callers
from deploy.connections.doors import address_of, listening
from deploy.connections.server import Server, answer_at, configured, fitting
from deploy.log.witness.app import create_app
from deploy.log.witness.witness import Witness
from deploy.logs.lines import start_logging
from deploy.settings import Settings
from deploy.tls import tls_context


def serve_witness(witness: Witness, settings: Settings, started: Callable[[str], None]) -> None:
    """Until SIGTERM or SIGINT. ``started`` is called with the address. Raises ``Failure`` if the port is taken."""
    start_logging(settings.log_format)
    tls = tls_context(settings)
    with listening(settings.host, settings.port) as line:
        config = configured(create_app(witness), Callers(fitting(settings.limits)), tls)
        address = address_of(line, "https" if tls else "http")
        answer_at([line], Server(config, lambda: started(address), lambda: None))
