"""Who projects, of several processes on one database: a row that says so for some seconds, by the clock of the server.

A lock would not do: the server leaves it to a process that stands still, for as long as its connection lives. So it does with what a
transaction holds, and its time limit for those that are idle does not always count (not after a pipeline, as executemany makes one):
who takes over ends them.
"""

from time import monotonic
from uuid import uuid4

from deploy.stores.postgres.connections import AnyConnection
from projections.engine.store import Busy

_LEASE = "5 seconds"
_RENEWED = 1.5  # seconds after which one who leads asks anew

_TABLES = 0x6B69_6562_0002  # an advisory lock, "kieb" and a number: who changes tables
_CREATE = """
CREATE TABLE IF NOT EXISTS projector (one boolean PRIMARY KEY DEFAULT true CHECK (one), holder text NOT NULL, until timestamptz NOT NULL)
"""
_FIRST = "INSERT INTO projector (holder, until) VALUES ('', '-infinity') ON CONFLICT DO NOTHING"
_ASK = f"""
UPDATE projector SET holder = %(me)s, until = clock_timestamp() + interval '{_LEASE}'
WHERE one = (SELECT one FROM projector WHERE holder = %(me)s OR until < clock_timestamp() FOR UPDATE SKIP LOCKED)
"""
_FOUND = "SELECT holder, until < clock_timestamp() FROM projector"
_END = f"""
SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
WHERE datname = current_database() AND application_name = %s AND state <> 'idle' AND wait_event = 'ClientRead'
AND state_change < clock_timestamp() - interval '{_LEASE}' AND pg_has_role(usesysid, 'USAGE')
"""
_HOLD = "SELECT FROM projector WHERE holder = %s FOR SHARE"
_GIVE_BACK = "UPDATE projector SET until = '-infinity' WHERE holder = %s"


class Lease:
    """Used by one thread at a time. ``ask`` often: a lease that was not asked for anew in time goes to whoever asks next.

    ``holder``: a name of one's own. Who takes that of one that is certainly dead need not wait for its lease to end.
    """

    def __init__(self, holder: str | None = None) -> None:
        self._me = f"kiebitz-{holder or uuid4().hex[:12]}"
        self._asked_at: float | None = None
        """When it was last given, on the clock of this process; ``None`` while somebody else leads."""
        self._there = False

    @property
    def given(self) -> bool:
        return self._asked_at is not None

    def mark(self, connection: AnyConnection) -> None:
        """As one of this process, so that it can be ended if the process stands still."""
        connection.execute("SELECT set_config('application_name', %s, false)", (self._me,))

    @property
    def lasts(self) -> bool:
        """Whether it need not be asked for yet."""
        return self._asked_at is not None and monotonic() - self._asked_at < _RENEWED

    def ask(self, connection: AnyConnection) -> bool:
        """Whether this process leads, from now on for some seconds."""
        now = monotonic()  # taken before: the lease lasts from then on, at the least
        self._asked_at = now if self._is_given(connection) else None
        return self.given

    def hold(self, connection: AnyConnection) -> None:
        """Until the end of the transaction nobody else gets it. Raises ``Busy`` where somebody else has it by now."""
        if connection.execute(_HOLD, (self._me,)).rowcount != 1:
            self._asked_at = None
            raise Busy

    def give_back(self, connection: AnyConnection) -> None:
        """So that the next one need not wait."""
        connection.execute(_GIVE_BACK, (self._me,))

    def _is_given(self, connection: AnyConnection) -> bool:
        if not self._there:
            _create(connection)
            self._there = True
        [(holder, over)] = connection.execute(_FOUND).fetchall()
        if over and holder != self._me:
            connection.execute(_END, (holder,))
        return connection.execute(_ASK, {"me": self._me}).rowcount == 1


def _create(connection: AnyConnection) -> None:
    with connection.transaction():
        lock_tables(connection)
        connection.execute(_CREATE)
        connection.execute(_FIRST)


def lock_tables(connection: AnyConnection) -> None:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_TABLES,))
