"""What a PostgreSQL server is set to where power cuts and its own loss are concerned, as the account that asks gets it."""

import psycopg
from msgspec import Struct

_WAIT = 5  # seconds
_SETTINGS = """
SELECT current_setting('fsync') = 'on', current_setting('full_page_writes') = 'on', current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names'), pg_is_in_recovery()
"""
_STANDBYS = "SELECT sync_state FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup'"


class Durability(Struct, frozen=True):
    """``standby``: the server follows another one. ``standbys``: how those that follow it are waited for, as it calls that; ``None`` where
    the account may not see it.
    """

    fsync: bool
    full_page_writes: bool
    synchronous_commit: str
    synchronous_standby_names: str
    standby: bool
    standbys: tuple[str | None, ...]


def durability(url: str) -> Durability:
    """Raises the driver's errors."""
    with psycopg.connect(url, connect_timeout=_WAIT) as connection:
        [(fsync, pages, commit, names, standby)] = connection.execute(_SETTINGS).fetchall()
        standbys = tuple(state for (state,) in connection.execute(_STANDBYS))
        return Durability(fsync, pages, commit, names, standby, standbys)
