"""`kiebitz serve` that tells, at every SIGUSR1, how much processor time each part took since the last one: one line of JSON.

``python -m tests.benchmarks.moves.parted FOLDER [URL]`` first prints its port.
"""

import json
import signal
import sys
from pathlib import Path
from time import process_time
from types import FrameType

import api.games.moves
import api.http.guards
from api.app import create_app
from deploy.connections.doors import listening
from deploy.serve import open_service, run
from deploy.settings import Settings
from deploy.stores.postgres.journal import PostgresEventStore
from deploy.stores.sqlite.journal import SqliteEventStore
from domain import codec
from domain.game import Game
from domain.journal.writer import GroupWriter
from projections.engine.drive import ThreadDrive
from projections.engine.projector import Projector
from tests.benchmarks.moves.meter import Meter

PARTS = [
    (api.http.guards, "admitted", "guard"),
    (Game, "play", "decide"),
    (codec, "link_events", "encode"),
    (api.games.moves, "commit_to_game", "journal"),
    (GroupWriter, "append", "queue"),
    (GroupWriter, "_store", "queue"),
    (SqliteEventStore, "commit_group", "commit"),
    (SqliteEventStore, "commit_at_once", "commit"),
    (PostgresEventStore, "commit_group", "commit"),
    (api.games.moves, "recorded_response", "answer"),
    (Projector, "step", "projection"),
    (ThreadDrive, "_rest", "projection"),
]
"""Whoever calls them names them by these owners; what none of them does is the wire: connections, HTTP, the framework, the loop."""


def main(folder: str, url: str | None = None) -> None:
    meter = Meter()
    for owner, name, part in PARTS:
        meter.wrap(owner, name, part)
    begun = process_time()

    def tell(_: int, __: FrameType | None) -> None:
        nonlocal begun
        taken, begun = process_time() - begun, process_time()
        print(json.dumps({**meter.seconds, "wire": taken - sum(meter.seconds.values())}), flush=True)
        meter.seconds.clear()

    signal.signal(signal.SIGUSR1, tell)
    settings = Settings(data=Path(folder), database_url=url, port=0)
    with open_service(settings) as (services, _), listening(settings.host, settings.port) as line:
        print(line.getsockname()[1], flush=True)
        run(create_app(services), [line], lambda: None)


if __name__ == "__main__":
    main(*sys.argv[1:])
