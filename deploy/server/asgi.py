"""ASGI application factory for other servers: ``uvicorn --factory deploy.server.asgi:create``.

The embedded database allows one worker only.
"""

import os
from contextlib import ExitStack

from litestar import Litestar

from api.app import create_app
from deploy.config.settings import read_settings
from deploy.server.serve import open_service

_OPEN = ExitStack()
"""Holds the data folder's lock for as long as the process lives."""


def create() -> Litestar:
    """Create the application with settings from the environment. Raises ``Failure``."""
    services, _ = _OPEN.enter_context(open_service(read_settings(os.environ)))
    return create_app(services)
