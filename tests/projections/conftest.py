"""The projections are tested on both stores."""

from tests.deploy.stores.conftest import store

__all__ = ["store"]
