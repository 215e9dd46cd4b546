"""The service of the tests over HTTP."""

from tests.api.conftest import service

__all__ = ["service"]
