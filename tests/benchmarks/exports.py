"""A million score lines as CSV and NDJSON, in process and over HTTP, beside PostgreSQL's own COPY TO of a table with the same lines.

The limit is a hard one: the lines lie ready in a plain table, and PostgreSQL's own client reads them to the end and throws them away.
"""

import http.client
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from urllib.parse import urlsplit
from uuid import UUID

import click
import psycopg

from api.common.tables.files import FormatName
from api.scores.formats import FileInfo, add_names, maker
from api.scores.schema import COLUMNS
from api.services import Services
from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.config.tokens import issue
from domain import codec
from domain.access import WHOLE
from domain.effects import HandClosed, HandOpened, Scored
from domain.events import Event, Stamp, digest
from domain.events.game import GameOpened, HandDealt, MovePlayed
from domain.journal.commits import StoredEvent, to_stored
from domain.setup import Setup
from projections.models.score_lines.score_list import ScoreFilters, entries, latest
from tests.benchmarks.measure import Figure, compared, middle
from tests.deploy.serving import KIEBITZ, Served, environment, greeted
from tests.postgres import NoServerError, fresh_database, machine_programs, running_server, wheel_programs

ROWS = ("canastas", "melds", "red_threes", "going_out", "concealed", "hand_cards", "bonus")
SETUP = Setup("canasta", {}, 4, ((0, 2), (1, 3)), ROWS, (0, 0))
HANDS = 8
LINES_A_GAME = HANDS * 4 * len(ROWS)
START = datetime(2026, 1, 1, tzinfo=UTC)

GOAL = 2.0
"""Half of COPY's speed: twice its time."""
MEMORY = 64.0
"""MB that a server may grow by while it sends a million lines."""
_AT_ONCE = 100
_PIECE = 1 << 20

_LONG = """CREATE TABLE long_table AS
SELECT g.game, g.ruleset, g.tournament, g.round, g.table_name AS "table", to_timestamp(g.opened_at / 1e6) AS opened_at,
    to_timestamp(b.played_at / 1e6) AS played_at, b.position, b.hand,
    to_timestamp(b.at / 1e6) AS written_at, b.party, b.seat, b.player, b.recorded AS recorded_player, NULLIF(b.club, '') AS club,
    'recorded'::text AS how, line.key AS row, line.value::bigint AS points, 'counted'::text AS status, b.ruling, b.since AS sequence
FROM score_blocks AS b JOIN score_games AS g USING (opened), json_each_text(b.rows::json) AS line
ORDER BY b.opened, b.position, b.seat"""
_COPY = "COPY long_table TO STDOUT (FORMAT csv, HEADER)"


def figures(quick: bool) -> Iterator[Figure]:
    games = 20 if quick else 1_000_000 // LINES_A_GAME + 1
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        try:
            url = fresh_database(stack.enter_context(running_server()))
            psql = (machine_programs() or wheel_programs() or Path()) / "psql"
        except NoServerError as reason:
            click.echo(f"no PostgreSQL: {reason}", err=True)
            return
        copied = partial(_copied, psql, url, games * LINES_A_GAME)
        for name, settings in (("PostgreSQL", Settings(data=folder, database_url=url)), ("SQLite", Settings(data=folder))):
            token = _filled(settings, games)
            if not settings.embedded:
                _laid_out(url, games * LINES_A_GAME)
            yield from _figures(name, settings, token, copied, games * LINES_A_GAME, 1 if quick else 3)


def _figures(name: str, settings: Settings, token: str, copied: Callable[[], float], lines: int, rounds: int) -> Iterator[Figure]:
    forms: tuple[FormatName, ...] = ("csv", "ndjson")
    with open_services(settings) as services:
        for form in (*forms, "parquet"):
            goal = GOAL if form in forms else None
            ours, copy = middle(rounds, partial(_in_process, services, form, lines), copied)
            yield compared(f"a score line as {form}, {name}", ours, "COPY TO (CSV) of the same lines", copy, goal)
    where = ("--data", settings.data) if settings.embedded else ("--database-url", settings.database_url)
    with _serving(*where) as server:
        _received(server.url, token, "format=ndjson&to=2000-01-01T00:00:00Z")
        before = _peak(server.process.pid)
        for form in forms:
            ours, copy = middle(rounds, partial(_over_http, server.url, token, form, lines), copied)
            yield compared(f"a score line as {form} over HTTP, {name}", ours, "COPY TO (CSV) of the same lines", copy, GOAL)
        grown = _peak(server.process.pid) - before
        yield Figure(f"memory of the server, {lines:,} lines, {name}", grown, "MB", "64 MB", MEMORY, grown / MEMORY, 1.0)


@contextmanager
def _serving(*where: object) -> Iterator[Served]:
    """For as long as it takes."""
    command = [str(KIEBITZ), "serve", "--port", "0", *map(str, where)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment()) as process:
        try:
            yield greeted(process)
        finally:
            process.terminate()


def _copied(psql: Path, url: str, lines: int) -> float:
    """Seconds a line, like the two below."""
    start = perf_counter()
    subprocess.run([psql, url, "--no-psqlrc", "--command", _COPY], stdout=subprocess.DEVNULL, check=True)
    return (perf_counter() - start) / lines


def _in_process(services: Services, form: FormatName, lines: int) -> float:
    start = perf_counter()
    as_of = latest(services.store, WHOLE)
    for _ in maker(form, FileInfo(as_of, START, named=False))(add_names(entries(services.store, WHOLE, ScoreFilters(), as_of), None)):
        pass
    return (perf_counter() - start) / lines


def _over_http(url: str, token: str, form: FormatName, lines: int) -> float:
    start = perf_counter()
    _received(url, token, f"format={form}")
    return (perf_counter() - start) / lines


def _received(url: str, token: str, query: str) -> None:
    address = urlsplit(url)
    assert address.hostname
    line = http.client.HTTPConnection(address.hostname, address.port)
    line.request("GET", f"/v1/scores?{query}", headers={"Authorization": f"Bearer {token}"})
    answer = line.getresponse()
    assert answer.status == 200, answer.read()
    piece = bytearray(_PIECE)
    while answer.readinto(piece):
        pass
    line.close()


def _peak(process: int) -> float:
    """The most memory (MB) that a process ever had; Linux only."""
    status = Path(f"/proc/{process}/status")
    found = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")] if status.exists() else []
    return int(found[0].split()[1]) / 1024 if found else 0.0


# The store


def _filled(settings: Settings, games: int) -> str:
    """Records and projects so many games; answers a token."""
    with open_services(settings, migrate_too=True) as services:
        for first in range(0, games, _AT_ONCE):
            some = range(first, min(first + _AT_ONCE, games))
            services.journal.store.insert_events([event for number in some for event in stored_game(number)])
        services.projector.prepare()
        services.projector.catch_up()
        assert not any(status.lag or status.error for status in services.projector.status())
        return issue(services.registers, services.clock, "director", "bench")[1]


def stored_game(number: int) -> Iterator[StoredEvent]:
    id, link = UUID(int=number, version=4), None
    for position, event in enumerate(_events(number), 1):
        stamp = Stamp(START + timedelta(minutes=number, seconds=position), "bench")
        recorded = codec.encode_event(id, position, link, stamp, event)
        link = digest(recorded.state)
        yield to_stored(recorded)


def _events(number: int) -> Iterator[Event]:
    players = tuple(f"p-{(number * 7 + seat * 131) % 500}" for seat in range(4))
    yield GameOpened(SETUP, 1, players, "game_over", f"t-{number % 40}", number % 7 + 1, str(number % 20 + 1))
    for hand in range(1, HANDS + 1):
        yield HandDealt(hand % 4, 1, "recorded", (HandOpened(hand, hand % 4),))
        scored = (Scored(row, (10 * hand + place, 100 - number % 90)) for place, row in enumerate(ROWS))
        yield MovePlayed(0, {"type": "go_out"}, (*scored, HandClosed("went_out", {})))


def _laid_out(url: str, lines: int) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_LONG)
        connection.execute("VACUUM ANALYZE")
        found = connection.execute("SELECT * FROM long_table LIMIT 0")
        assert [column.name for column in found.description or ()] == [column.name for column in COLUMNS]
        assert connection.execute("SELECT count(*) FROM long_table").fetchone() == (lines,)
