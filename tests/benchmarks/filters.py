"""The first page of every list with every combination of its filters, over HTTP in this process, beside the 50 ms that were promised: for
who reads everything, and for who reads one tournament and those that are published."""

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import combinations, product
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeAlias
from urllib.parse import urlencode

import click
import httpx

from api.access.tokens import hash_secret, new_secret
from api.app import create_app
from api.services import Services
from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.config.tokens import issue
from domain.access import Grant, OfTournament
from domain.journal.registers import stamp
from domain.journal.sessions import Token
from tests.benchmarks.measure import Figure, compared
from tests.benchmarks.season import Fixture, crowd, fill
from tests.postgres import NoServerError, fresh_database, running_server

Filters: TypeAlias = Mapping[str, Sequence[str]]
"""Values for each filter of a list: one that much matches, one that little does, one that nothing does."""
Query: TypeAlias = tuple[tuple[str, str], ...]

GOAL = 0.050
_SAMPLE = 400
_AGAIN, _TIMES = 20, 5
"""So many of the slowest are asked again, so often: what else the machine did is not to be taken for a slow query."""


def figures(quick: bool) -> list[Figure]:
    games = 500 if quick else 10_000
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        found = _figures("SQLite", Settings(data=folder), games)
        try:
            url = fresh_database(stack.enter_context(running_server()))
        except NoServerError as reason:
            click.echo(f"no PostgreSQL: {reason}", err=True)
            return found
        return found + _figures("PostgreSQL", Settings(data=folder, database_url=url), games)


def _figures(name: str, settings: Settings, games: int) -> list[Figure]:
    with open_services(settings, alone=settings.embedded, migrate_too=True) as services:
        [last] = deque(fill(services.journal.store, games), maxlen=1)
        crowd(services.journal.store, games)
        services.projector.prepare()
        services.projector.catch_up()
        lists = lists_of(last, services.journal.head())
        _, secret = issue(services.registers, services.clock, "director", "bench")
        found = asyncio.run(_asked(name, services, secret, lists, games))
        own = _of_tournament(services, last.tournament)
        return found + asyncio.run(_asked(f"{name}, one tournament and those that are published", services, own, lists, games))


def _of_tournament(services: Services, tournament: str) -> str:
    secret = new_secret(services.new_salt)
    issued = Token(
        "bench", hash_secret(secret), "bench", "director", "bench", stamp(services.clock()), grant=Grant(OfTournament(tournament))
    )
    services.registers.add_token(issued)
    return secret


def lists_of(last: Fixture, head: int) -> dict[str, Filters]:
    """Every list with its filters. ``last`` is the newest game, ``head`` the newest sequence."""
    begins = last.begins.isoformat()
    opened = {"opened_from": ("2025-09-01T00:00:00Z", begins, "2099-01-01T00:00:00Z")}
    histories = {
        "tournament": ("casino-1", last.tournament, "none"),
        "round": ("1", "77"),
        "ruleset": ("casino", "none"),
        "table": ("3", "none"),
        "game": ("00000000-0000-4000-8000-000000000001",),
        "player": (last.players[0], "none"),
        "from": opened["opened_from"],
        "to": ("2099-01-01T00:00:00Z", begins, "2025-09-01T00:00:00Z"),
        "changed_since": (str(head // 2), str(head)),
    }
    return {
        "/v1/tokens": {},
        "/v1/codes": {},
        "/v1/sessions": {},
        "/v1/webhooks": {},
        "/v1/series": {},
        "/v1/ratings/lists": {"ruleset": ("casino",)},
        "/v1/games": {
            "ruleset": ("casino", "quartett-classic", "none"),
            "tournament": ("casino-1", last.tournament, "none"),
            "round": ("1", "77"),
            "table": ("3", "none"),
            "player": (last.players[0], "none"),
            "phase": ("game_over", "play", "none"),
            "finished": ("true", "false"),
            "state": ("open", "suspended"),
            **opened,
            "opened_to": ("2099-01-01T00:00:00Z", begins, "2025-09-01T00:00:00Z"),
            "from": opened["opened_from"],
            "to": ("2099-01-01T00:00:00Z", begins, "2025-09-01T00:00:00Z"),
            "changed_since": (str(head // 2), str(head)),
            "ref_system": ("club-book", "none"),
            "ref_id": ("17", "none"),
        },
        "/v1/rulings": {
            "ruleset": ("casino", "none"),
            "game": ("00000000-0000-4000-8000-000000000001",),
            "decision": ("stands", "annul"),
            "instance": ("arbiter", "committee"),
            "rules": ("CNO-22", "CNO-22,CNO-23", "QKL-99"),
            "tournament": (last.tournament, "none"),
            "from": opened["opened_from"],
            "to": ("2099-01-01T00:00:00Z", begins, "2025-09-01T00:00:00Z"),
            "q": ("the", "nothing of the kind"),
            "changed_since": (str(head // 2), str(head)),
        },
        "/v1/players": {
            "search": ("zi", "p f", "balthasar wendehals", "nobody"),
            "club": ("morgenstern", "village", "none"),
            "merged": ("false", "true"),
            "erased": ("false", "true"),
        },
        "/v1/clubs": {},
        "/v1/tournaments": {
            "ruleset": ("casino", "none"),
            "state": ("announced", "finished"),
            "announced_from": opened["opened_from"],
            "announced_to": ("2099-01-01T00:00:00Z", begins, "2025-09-01T00:00:00Z"),
        },
        "/v1/scores": {
            "tournament": ("casino-1", last.tournament, "none"),
            "round": ("1", "77"),
            "table": ("3", "none"),
            "game": ("00000000-0000-4000-8000-000000000001",),
            "ruleset": ("casino", "quartett-classic", "none"),
            "player": (last.players[0], "none"),
            "club": ("morgenstern", "none"),
            "from": opened["opened_from"],
            "to": ("2099-01-01T00:00:00Z", begins, "2025-09-01T00:00:00Z"),
            "changed_since": ("0", str(head // 2), str(head)),
            "as_of": (str(head // 2), str(head)),
            "names": ("true",),
        },
        "/v1/results": {
            "tournament": ("casino-1", last.tournament, "none"),
            "table": ("3", "none"),
            "game": ("00000000-0000-4000-8000-000000000001",),
            "club": ("morgenstern", "none"),
            "round": ("1", "77"),
            "ruleset": ("casino", "none"),
            "player": (last.players[0], "none"),
            "from": opened["opened_from"],
            "to": ("2099-01-01T00:00:00Z", begins, "2025-09-01T00:00:00Z"),
            "names": ("true",),
        },
        "/v1/ratings": {
            "ruleset": ("casino",),
            "to": ("2099-01-01T00:00:00Z", "2025-09-01T00:00:00Z"),
            "club": ("morgenstern", "none"),
            "minimum_games": ("1", "10"),
        },
        "/v1/statistics": {"ruleset": ("casino",), "tournament": (last.tournament, "none"), "from": (begins,), "to": (begins,)},
        "/v1/tables/hands": histories,
        "/v1/tables/looks": {"tournament": (last.tournament, "none")},
        "/v1/tables/standings": {
            "tournament": (last.tournament, "none"),
            "ruleset": ("casino", "none"),
            "changed_since": (str(head // 2), str(head)),
        },
        "/v1/tables/moves": {**histories, "lines": ("true",)},
        "/v1/disputes": {
            "undecided": ("true", "false"),
            "state": ("open", "ruled"),
            "tournament": (last.tournament, "none"),
            "round": ("1", "77"),
            "table": ("3", "none"),
            "from": opened["opened_from"],
            "to": ("2099-01-01T00:00:00Z", begins, "2025-09-01T00:00:00Z"),
            "ruleset": ("casino", "none"),
            "game": ("00000000-0000-4000-8000-000000000001",),
            "changed_since": (str(head // 2), str(head)),
        },
        f"/v1/players/{last.players[0]}/scores": {"tournament": (last.tournament, "none"), "ruleset": ("casino", "none")},
        f"/v1/players/{last.players[0]}/ratings": {"ruleset": ("casino", "none")},
        "/v1/feed": {
            "kind": ("game", "player"),
            "name": ("move.played", "game.annulled", "player.merged"),
            "game": ("00000000-0000-4000-8000-000000000001",),
            "tournament": ("casino-1", last.tournament, "none"),
            "after": (str(head // 2), str(head)),
        },
    }


def queries(filters: Filters) -> tuple[list[Query], int]:
    """All combinations of up to two filters, a sample of the larger ones, and how many there are in all; none with half of a ref."""
    small = [query for size in range(3) for names in combinations(filters, size) for query in _chosen(filters, names)]
    large = [query for size in range(3, len(filters) + 1) for names in combinations(filters, size) for query in _chosen(filters, names)]
    return [*small, *Random(1).sample(large, min(_SAMPLE, len(large)))], len(small) + len(large)


def _chosen(filters: Filters, names: Sequence[str]) -> Iterator[Query]:
    if ("ref_system" in names) != ("ref_id" in names):
        return iter(())
    return (tuple(zip(names, values, strict=True)) for values in product(*(filters[name] for name in names)))


async def _asked(name: str, services: Services, secret: str, lists: Mapping[str, Filters], games: int) -> list[Figure]:
    app = create_app(services)
    transport = httpx.ASGITransport(app=app)  # pyrefly: ignore[bad-argument-type]
    headers = {"Authorization": f"Bearer {secret}"}
    found = []
    async with httpx.AsyncClient(transport=transport, base_url="http://bench", headers=headers) as http:
        for path, filters in lists.items():
            asked, all_of_them = queries(filters)
            taken = sorted([(await _taken(http, path, query, 1), query) for query in asked], reverse=True)
            slowest, query = max([(await _taken(http, path, query, _TIMES), query) for _, query in taken[:_AGAIN]])
            what = f"{name}, {games:,} games: {path}?{urlencode(query)}, the slowest of {len(asked)} ({all_of_them:,} in all)"
            found.append(compared(what, slowest, "50 ms", GOAL, 1.0, scale=1e3, unit="ms"))
    return found


async def _taken(http: httpx.AsyncClient, path: str, query: Query, times: int) -> float:
    """Median of so many times, after it was asked once before."""
    taken = []
    for _ in range(times + 1):
        start = perf_counter()
        answer = await http.get(path, params=query)
        taken.append(perf_counter() - start)
        answer.raise_for_status()
    return median(taken[1:])
