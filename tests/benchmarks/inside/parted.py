"""`kiebitz serve` that tells, when it is asked, how much processor time each part took since the last time."""

import sys
from time import process_time

import api.games.moves
import api.http.guards
from deploy.stores.postgres.journal import PostgresEventStore
from deploy.stores.sqlite.journal import SqliteEventStore
from domain import codec
from domain.game import Game
from domain.journal.writer import GroupWriter
from projections.engine.driver import ThreadDriver
from projections.engine.projector import Projector
from tests.benchmarks.inside.meter import Meter
from tests.benchmarks.inside.telling import Told, serve_and_tell

PARTS = [
    (api.http.guards, "admit", "guard"),
    (Game, "play", "decide"),
    (codec, "link_events", "encode"),
    (api.games.moves, "commit_to_game", "journal"),
    (GroupWriter, "append", "queue"),
    (GroupWriter, "_store", "queue"),
    (SqliteEventStore, "commit_group", "commit"),
    (SqliteEventStore, "commit_at_once", "commit"),
    (PostgresEventStore, "commit_group", "commit"),
    (api.games.moves, "build_commit_response", "answer"),
    (Projector, "step", "projection"),
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
