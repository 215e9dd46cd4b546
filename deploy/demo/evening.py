"""Recording of the demo evening through the API, in this process, with sign-in links for browsers.

The requests are the same that a client would send.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import cycle, islice
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import msgspec
from msgspec import Struct

from api.app import create_app
from api.http.request import Role
from api.services import Services
from deploy.config.failures import Failure, say
from deploy.config.tokens import a_day, issue
from deploy.demo.club_evening import NIGHT, Game, build_club_evening
from deploy.demo.season import SERIES, build_season
from deploy.demo.tables import PLAYERS, Player, Request, Table, record_of, requests_of, tables
from domain.access import UNBOUND, Grant, OfTable, OfTournament
from domain.games import RULESETS
from domain.journal.registers import Registers


class Played(Struct, frozen=True):
    """A table at the end of the evening, and its score sheet as the API shows it."""

    table: Table
    game: str
    sheet: dict[str, Any]


class Evening(Struct, frozen=True):
    """A recorded evening. ``night``: the games of its tournament, by round and table (`2/1`). ``secret``: that of a director. ``season``:
    whether it has a series.
    """

    played: list[Played]
    night: dict[str, str]
    secret: str
    season: bool


def record_evening(
    services: Services,
    seed: int = 1,
    games: int | None = None,
    advance: Callable[[int], object] = lambda done: None,
    *,
    season: bool = False,
) -> Evening:
    """Record every table, a club night, and a ``season`` if wanted. Existing games stay as they are; ids and times are new.

    Raises ``Failure``.
    """
    # Always the same principal, because idempotency keys belong to a principal.
    _, secret = issue(services.registers, services.clock, "director", "demo", "demo-director")
    return asyncio.run(_record(services, secret, tables(RULESETS, games), seed, advance, season=season))


async def _record(
    services: Services, secret: str, tables: Iterable[Table], seed: int, advance: Callable[[int], object], *, season: bool
) -> Evening:
    app = create_app(services)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    transport = httpx.ASGITransport(app=app)  # pyrefly: ignore[bad-argument-type]
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://kiebitz", headers=headers) as http:
        lines = b"\n".join(map(msgspec.json.encode, PLAYERS))
        _body(await http.post("/v1/players", content=lines, headers={"Content-Type": "application/x-ndjson"}))
        client, seated = _Client(http, f"evening {seed}"), cycle(PLAYERS)
        played: list[Played] = []
        for number, table in enumerate(tables, 1):
            played.append(await _record_table(client, number, table, record_of(table, RULESETS, seed), seated))
            advance(number)
        night = await _record_club_evening(_Client(http, NIGHT))
        for number, request in enumerate(build_season() if season else ()):
            await _Client(http, SERIES).send(number, request)
        return Evening(played, night, secret, season)


class _Client(Struct, frozen=True):
    """Client of the API. ``keys`` is the prefix of every idempotency key: a request sent twice is carried out once."""

    http: httpx.AsyncClient
    keys: str

    async def send(self, key: object, request: Request, address: str = "") -> dict[str, Any]:
        content, headers = msgspec.json.encode(request.body), {"Idempotency-Key": f"{self.keys} {key}"}
        return _body(await self.http.request(request.method, address + request.path, content=content, headers=headers))

    async def play(self, key: object, requests: Iterable[Request]) -> dict[str, Any]:
        """Send the requests of a game; return the last response."""
        told, address = dict[str, Any](), "/v1/games"
        for number, request in enumerate(requests):
            told = await self.send(f"{key} {number}", request, address)
            address = f"/v1/games/{told['game']}"
        return told


def _body(answer: httpx.Response) -> dict[str, Any]:
    if not answer.is_success:
        raise Failure(say("demo_refused", problem=answer.text), say("demo_advice"))
    body: dict[str, Any] = answer.json()
    return body


async def _record_table(client: _Client, number: int, table: Table, record: dict[str, Any], seated: Iterator[Player]) -> Played:
    players = [player.id for player in islice(seated, record["seats"])]
    last = await client.play(number, requests_of(record, players=players, table=table.name))
    path = f"/v1/games/{last['game']}/score-sheet?min_sequence={last['sequence']}"
    return Played(table, last["game"], _body(await client.http.get(path)))


async def _record_club_evening(client: _Client) -> dict[str, str]:
    games = dict[str, str]()
    for number, step in enumerate(build_club_evening()):
        if isinstance(step, Game):
            games[step.name] = (await client.play(number, step.requests))["game"]
        else:
            await client.send(number, step)
    return games


# Sign-in links for browsers


class _SignInLink(NamedTuple):
    """A sign-in link. ``what``: the key of its sentence. ``page``: names a game by its round and table."""

    what: str
    role: Role
    page: str
    grant: Grant = UNBOUND


_WAYS = (
    _SignInLink("demo_director", "director", f"/t/{NIGHT}/desk"),
    _SignInLink("demo_arbiter", "arbiter", "/g/{2/2}", Grant(OfTournament(NIGHT))),
    _SignInLink("demo_count", "arbiter", "/g/{2/1}", Grant(OfTournament(NIGHT))),
    _SignInLink("demo_recorder", "recorder", "/g/{2/3}/record", Grant(OfTable(NIGHT, "3", 1))),
    _SignInLink("demo_player", "player", "/me", Grant(OfTournament(NIGHT), player=PLAYERS[2].id)),
    _SignInLink("demo_viewer", "viewer", f"/t/{NIGHT}"),
)


_SEASON = (
    _SignInLink("demo_series", "viewer", f"/s/{SERIES}"),
    _SignInLink("demo_rating", "viewer", f"/p/{PLAYERS[3].id}"),
    _SignInLink("demo_rulings", "arbiter", "/rulings"),
)


def sign_in_links(registers: Registers, clock: Callable[[], datetime], evening: Evening, service: str) -> Iterator[tuple[str, str]]:
    """Yield the key of a sentence and an address for each role. Each link is valid for a day and can be used repeatedly."""
    for way in (*_WAYS, *(_SEASON if evening.season else ())):
        token, _ = issue(registers, clock, way.role, "demo", f"demo-{way.role}-page", grant=way.grant)
        code = a_day(registers, clock, token, many=True)
        yield way.what, f"{service}/in?next={quote(way.page.format_map(evening.night))}#{code}"
