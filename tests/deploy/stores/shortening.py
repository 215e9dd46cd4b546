"""Shorter limits of a connection to PostgreSQL, where the product has set them."""

from deploy.stores.postgres.connections import Connection

_SHORTEN = "SELECT set_config(%(limit)s, '300ms', false) WHERE current_setting(%(limit)s) = '5s'"


def shorten(connection: Connection, limit: str) -> None:
    """Shorten a limit of five seconds; one that was not set stays as it is, so that a test waits in vain."""
    connection.execute(_SHORTEN, {"limit": limit})
