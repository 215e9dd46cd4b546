"""The journal is tested on both stores."""

from tests.deploy.stores.conftest import events, journal_url

__all__ = ["events", "journal_url"]
