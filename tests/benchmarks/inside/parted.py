"""`kiebitz serve` that tells, when it is asked, how much processor time each part took since the last time."""

import sys
from time import process_time

import api.games.moves
import api.http.guards
import domain.moves
from deploy.stores.postgres.journal import PostgresEventStore
from deploy.stores.sqlite.journal import SqliteEventStore
from domain import codec
from domain.journal.writer import GroupWriter
from projections.engine.driver import ThreadDriver
from projections.engine.projector import Projector
from tests.benchmarks.inside.meter import Meter
from tests.benchmarks.inside.telling import Told, serve_and_tell

PARTS = [
    (api.http.guards, api.http.guards.authenticate.__name__, "guard"),
    (domain.moves, domain.moves.play_moves.__name__, "decide"),
    (codec, codec.link_events.__name__, "encode"),
    (api.games.moves, "commit_to_game", "journal"),
    (GroupWriter, GroupWriter.append.__name__, "queue"),
    (GroupWriter, "_store", "queue"),
    (SqliteEventStore, SqliteEventStore.commit_group.__name__, "commit"),
    (SqliteEventStore, SqliteEventStore.commit_at_once.__name__, "commit"),
    (PostgresEventStore, PostgresEventStore.commit_group.__name__, "commit"),
    (api.games.moves, "build_commit_response", "answer"),
    (Projector, Projector.step.__name__, "projection"),
    (ThreadDriver, "_rest", "projection"),
]
"""Whoever calls them names them by these owners; what none of them does is the wire: connections, HTTP, the framework, the loop."""


def main(*where: str) -> None:
    meter = Meter()
    for owner, name, part in PARTS:
        meter.wrap(owner, name, part)
    begun = process_time()

    def tell() -> Told:
        nonlocal begun
        taken, begun = process_time() - begun, process_time()
        found = {**meter.seconds, "wire": taken - sum(meter.seconds.values())}
        meter.seconds.clear()
        return found

    serve_and_tell(tell, *where)


if __name__ == "__main__":
    main(*sys.argv[1:])
