"""Who projects, of several processes: one that stands still is replaced, and writes nothing when it goes on."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from deploy.stores.opening import open_projections
from deploy.stores.postgres import leases
from projections.engine.store import Busy
from tests.projections.engine.test_projector import running, some_games
from tests.projections.helpers import COUNTS, counted, projector, sequences

PATIENCE = 300.0

A_PROJECTOR_THAT_FREEZES = """
import os, signal, sys
from deploy.stores.postgres import leases
from projections.engine.store import Projection
from projections.engine.projector import Projector
from deploy.stores.opening import open_projections
from tests.projections.helpers import COUNTS
from tests.projections.engine.test_projector import some_games
from tests.projections.histories import a_whole_game

log, frozen = some_games(5), []
leases._ASK = leases._ASK.replace(leases._LEASE, "2 seconds")

def freeze(where, sequence):
    if where == sys.argv[2] and sequence > 20 and not frozen:
        frozen.append(where)
        os.kill(os.getpid(), signal.SIGSTOP)

def read(after, limit):
    freeze("before its transaction", after)
    return log.read(after, 6)

def apply(tx, batch):
    COUNTS.apply(tx, batch)
    freeze("in the middle of it", batch[0][0])

made = Projector([Projection("counts", 1, COUNTS.tables, apply)], open_projections(sys.argv[1]), read, log.head, log.wait)
made.prepare()
log.append(*a_whole_game(9).events)
for _ in range(20):
    try:
        made.step()
    except Exception:
        pass
os._exit(0)  # as it is, without giving anything back
"""


@contextmanager
def frozen(url: str, where: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that leads and stands still. It knows more events than the others."""
    command = [sys.executable, "-P", "-c", A_PROJECTOR_THAT_FREEZES, url, where]
    with subprocess.Popen(command) as process:
        try:
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status)
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("where", ["before its transaction", "in the middle of it"])
def test_a_leader_that_is_frozen_is_replaced_and_writes_nothing_when_it_thaws(
    postgres_url: str, where: str, monkeypatch: pytest.MonkeyPatch
):
    for name in ("_ASK", "_END"):
        monkeypatch.setattr(leases, name, getattr(leases, name).replace(leases._LEASE, "2 seconds"))
    log = some_games(5)
    with frozen(postgres_url, where) as process, closing(open_projections(postgres_url)) as store:
        standby = projector(store, log, [COUNTS], batch=5)
        with running(standby):
            assert standby.wait_for(log.head(), PATIENCE)
            process.send_signal(signal.SIGCONT)
            assert process.wait(PATIENCE) == 0
            assert counted(store) == sequences(log)


def test_who_lost_the_lease_may_not_write(postgres_url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("deploy.stores.postgres.leases._RENEWED", 3600.0)
    with closing(open_projections(postgres_url)) as one, closing(open_projections(postgres_url)) as other:
        assert (one.lead(), other.lead()) == (True, False)
        with one.transaction() as tx:
            tx.run("UPDATE projector SET until = '-infinity'")
        assert other.lead()
        with pytest.raises(Busy), one.transaction(leading=True):
            pass
        assert (one.lead(), other.lead()) == (False, True)
        with other.transaction(leading=True), one.transaction():
            pass


def test_while_the_leader_writes_nobody_takes_its_place(postgres_url: str):
    with closing(open_projections(postgres_url)) as one, closing(open_projections(postgres_url)) as other:
        assert one.lead()
        with one.transaction(leading=True), other.transaction() as tx:
            assert tx.lock_rows("SELECT holder FROM projector") == []
            assert not other.lead()
