"""For other ASGI servers: ``uvicorn --factory deploy.server.asgi:create``. One worker only on the embedded database."""

import os
from contextlib import ExitStack

from litestar import Litestar

from api.app import create_app
from deploy.config.settings import read_settings
from deploy.server.serve import open_service

_OPEN = ExitStack()
"""Holds the data folder's lock for as long as the process lives."""


def create() -> Litestar:
    """Settings come from the environment. Raises ``Failure``."""
    services, _ = _OPEN.enter_context(open_service(read_settings(os.environ)))
    return create_app(services)
