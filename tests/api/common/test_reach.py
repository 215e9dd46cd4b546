"""What a token of one tournament finds in lists: byte for byte what it would find in a store that holds nothing else."""

import json
import random
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from api.services import Services
from domain.access import Grant, OfGame, OfTable, OfTournament, Scope
from domain.player import player_stream
from domain.tournament.tournament import tournament_stream
from tests.api.conftest import Caller, Service, add_token, link, running, settings_of, without_limits
from tests.api.people import merge, register
from tests.api.play import finish_hand
from tests.api.tournament import announced, opened, paired, scored

AT = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)


def still(services: Services) -> Services:
    """Spreadsheets say when they were made."""
    return replace(without_limits(services), clock=lambda: AT)


@dataclass
class Evening:
    """A spring and an autumn tournament, and a free game, move by move among each other; ``spring`` holds the streams of the first."""

    service: Service
    folder: Path
    games: dict[str, str]
    spring: set[UUID]


def spoken(service: Service, game: str) -> None:
    recorder, arbiter = service.caller("recorder"), service.caller("arbiter")
    assert recorder.post(f"/v1/games/{game}/disputes", {"position": 1, "claim": "too late"}).status_code == 201
    assert arbiter.post(f"/v1/games/{game}/rulings", {"dispute": 1, "decision": "stands", "reason": "in time"}).status_code == 201


def hand_played(recorder: Caller, game: str) -> None:
    recorder.deal(game)
    finish_hand(recorder, game, random.Random(1))


def entered(director: Caller, tournament: str) -> None:
    answer = director.put(f"/v1/tournaments/{tournament}/rounds/1/tables/2/result", {"points": [9, 1]})
    assert answer.status_code == 201, answer.text


def people(director: Caller) -> None:
    for id, club in (
        ("p1", "lehrte"),
        ("p2", "burgdorf"),
        ("p3", "lehrte"),
        ("first", "lehrte"),
        ("other", "sehnde"),
        ("nobody", "sehnde"),
    ):
        register(director, id, f"{id.title()} Kowalski", alias=f"the {id}", club=club)


def free_game(service: Service) -> str:
    recorder = service.caller("recorder")
    game = recorder.open(players=["p1", "other"])
    hand_played(recorder, game)
    spoken(service, game)
    scored(service.caller("director"), game, 3, 1)
    return game


def played(service: Service) -> dict[str, str]:
    """The games by name. ``p1`` plays everywhere, ``p2`` in spring, ``p3`` in autumn; ``first`` is who ``p2`` was before."""
    director, recorder = service.caller("director"), service.caller("recorder")
    people(director)
    for name, first, second in (("autumn", "p1", "p3"), ("spring", "p1", "p2")):
        path = announced(director, id=name, title=f"{name} open", hall_names="aliases")
        entries = [{"players": [one]} for one in (first, second, f"{name}-1", f"{name}-2")]
        assert recorder.post(f"{path}/entries", {"entries": entries}).status_code == 201
        paired(director, path, [[1], [2]], [[3], [4]])
    tables = {name: opened(recorder, f"/v1/tournaments/{name}") for name in ("spring", "autumn")}
    games = {f"{name} {table}": game for name, found in tables.items() for table, game in found.items()}
    hand_played(recorder, games["autumn 1"])
    hand_played(recorder, games["spring 1"])
    games["free"] = free_game(service)
    spoken(service, games["autumn 1"])
    spoken(service, games["spring 1"])
    scored(director, games["autumn 1"], 2, 1)
    scored(director, games["spring 1"], 1, 2)
    entered(director, "spring")
    entered(director, "autumn")
    merge(director, "p2", "first")
    merge(director, "p3", "other")
    assert recorder.post(f"/v1/games/{games['spring 2']}/disputes", {"position": 1, "claim": "misdealt"}).status_code == 201
    return games


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    folder = tmp_path_factory.mktemp("evening")
    with running(settings_of(folder), still) as service:
        games = played(service)
        ids = ("p1", "p2", "first", "spring-1", "spring-2")
        streams = {UUID(games["spring 1"]), UUID(games["spring 2"]), tournament_stream("spring"), *map(player_stream, ids)}
        yield Evening(service, folder, games, streams)


@contextmanager
def left_with(evening: Evening, folder: Path, streams: set[UUID]) -> Iterator[Service]:
    """A service of the same store, of which the events of these streams are left: with the same ids, at the same sequences."""
    (folder / "data").mkdir()
    with (
        closing(sqlite3.connect(evening.folder / "data" / "journal.db")) as whole,
        closing(sqlite3.connect(folder / "data" / "journal.db")) as left,
    ):
        whole.backup(left)
        (guard,) = left.execute("SELECT sql FROM sqlite_schema WHERE name = 'events_are_not_removed'").fetchone()
        left.execute("DROP TRIGGER events_are_not_removed")
        marks = ", ".join("?" * len(streams))
        left.execute(f"DELETE FROM events WHERE originator_id NOT IN ({marks})", [stream.bytes for stream in streams])
        left.execute(guard)
        left.commit()
    with running(settings_of(folder), still) as service:
        yield service


@pytest.fixture(scope="module")
def alone(evening: Evening, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The same store without all that is not of the spring tournament."""
    with left_with(evening, tmp_path_factory.mktemp("alone"), evening.spring) as service:
        yield service


def scoped(service: Service, role: str, scope: Scope, **more: Any) -> Caller:
    name = f"{role} {len(service.services.registers.list_tokens())}"
    return replace(service.caller("viewer"), token=add_token(service.services, role, name, Grant(scope, **more)))


TABLES = ("/v1/games", "/v1/results", "/v1/scores", "/v1/disputes", "/v1/tournaments", "/v1/players")
FILTERS = (
    *(f"/v1/games?{query}" for query in ("player=p1", "player=other", "ruleset=casino", "finished=false", "state=abandoned", "round=1")),
    *(f"/v1/games?tournament={tournament}" for tournament in ("autumn", "spring", "winter")),
    *(f"/v1/results?{query}" for query in ("player=p1", "player=other", "player=first", "names=true", "tournament=autumn")),
    *(f"/v1/scores?{query}" for query in ("player=p1", "player=other", "club=lehrte", "club=sehnde", "names=true", "tournament=autumn")),
    *(f"/v1/disputes?{query}" for query in ("undecided=true", "state=ruled", "tournament=autumn")),
    *(f"/v1/players?{query}" for query in ("search=the", "search=kowalski", "search=other", "club=sehnde", "club=lehrte", "merged=true")),
    *("/v1/rulings", "/v1/rulings?decision=stands", "/v1/clubs", "/v1/tournaments?state=running"),
    *(f"/v1/players/{player}" for player in ("p1", "p2", "p3", "first", "other", "nobody", "spring-1", "autumn-1", "stranger")),
    *(f"/v1/players/{player}/scores" for player in ("p1", "p2", "p3", "first", "other", "nobody", "spring-1", "autumn-1", "stranger")),
    *(f"/v1/feed?tournament={tournament}" for tournament in ("autumn", "spring", "winter")),
    *(f"/v1/feed{query}" for query in ("", "?kind=player", "?kind=game", "?kind=tournament", "?name=points.adjusted", "?after=20")),
)
PASSING = {"kiebitz-epoch", "date", "request-id"}
BY_WHOM = PASSING | {"cache-control", "ratelimit", "ratelimit-policy", "vary"}
"""But for who may keep it, and how often those at an address may ask: of what nobody in particular is told."""


def told(caller: Caller, path: str, but: set[str] = PASSING) -> list[tuple[int, dict[str, str], bytes]]:
    """Answers to a list, page by page in twos, with all that their heads say but for whom."""
    pages = []
    if "/scores" not in path:
        but = but | {"kiebitz-as-of"}  # see the test of what it tells
    while path:
        answer = caller.get(path)
        heads = {name: value for name, value in answer.headers.items() if name not in but}
        pages.append((answer.status_code, heads, answer.content))
        path = link(answer)
    return pages


def test_every_list_tells_a_viewer_of_one_tournament_what_a_store_of_nothing_else_tells(evening: Evening, alone: Service):
    caller, other = scoped(evening.service, "viewer", OfTournament("spring")), alone.caller("viewer")
    assert [path for path in (*TABLES, *FILTERS) if told(caller, path) != told(other, path)] == []


def test_pages_of_one_are_as_long_and_their_cursors_the_same(evening: Evening, alone: Service):
    caller = scoped(evening.service, "viewer", OfTournament("spring"))
    for path in (f"{path}?limit=1" for path in (*TABLES, "/v1/rulings")):
        pages = told(caller, path)
        assert pages == told(alone.caller("viewer"), path)
        assert len(pages) < len(told(evening.service.caller("viewer"), path))


@pytest.mark.parametrize(("path", "form"), list(zip(TABLES, cycle(("csv", "ndjson", "xlsx", "parquet")), strict=False)))
def test_whole_tables_hold_no_more_than_their_pages(evening: Evening, alone: Service, path: str, form: str):
    caller = scoped(evening.service, "viewer", OfTournament("spring"))
    assert told(caller, f"{path}?format={form}") == told(alone.caller("viewer"), f"{path}?format={form}")


def test_the_feed_tells_lines_and_pages_of_what_may_be_known_and_goes_on_at_the_same_sequences(evening: Evening, alone: Service):
    caller, other = scoped(evening.service, "viewer", OfTournament("spring")), alone.caller("viewer")
    for path in ("/v1/feed?limit=3", "/v1/feed?limit=5&kind=player", "/v1/feed?limit=1&after=12"):
        assert told(caller, path) == told(other, path)
    for game in evening.games.values():
        assert told(caller, f"/v1/feed?game={game}") == told(other, f"/v1/feed?game={game}")
    lines = [one.get("/v1/feed", headers={"Accept": "application/x-ndjson"}).content for one in (caller, other)]
    assert lines[0] == lines[1] != b""


def test_where_a_tournament_lies_that_may_not_be_known_of_is_not_told(evening: Evening, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("domain.journal.feed.SEARCHED", 3)
    caller, known = scoped(evening.service, "viewer", OfTournament("spring")), evening.service.caller("viewer")
    page = caller.get("/v1/feed?tournament=autumn").json()
    assert (page["entries"], page["after"]) == ([], page["head"])
    assert known.get("/v1/feed?tournament=autumn").json()["after"] < page["head"]


def test_a_cursor_of_who_reads_everything_shows_nobody_else_more(evening: Evening):
    whole, caller = evening.service.caller("viewer"), scoped(evening.service, "viewer", OfTournament("spring"))
    for path in ("/v1/games", "/v1/results", "/v1/scores", "/v1/disputes", "/v1/players"):
        own = {row for page in told(caller, path) for row in rows_of(page[2])}
        for page in told(whole, f"{path}?limit=1"):
            cursor = json.loads(page[2])["next"]
            assert cursor is None or own.issuperset(rows_of(caller.get(path, params={"cursor": cursor}).content))


def rows_of(body: bytes) -> list[str]:
    """The rows of a page of a list."""
    (rows,) = [value for value in json.loads(body).values() if isinstance(value, list)]
    return [json.dumps(row) for row in rows]


def test_officials_of_a_tournament_read_names_and_claims_where_the_list_is_of_it_alone(evening: Evening, alone: Service):
    director, viewer = scoped(evening.service, "director", OfTournament("spring")), alone.caller("viewer")
    lists = ("/v1/results?names=true", "/v1/scores?names=true", "/v1/disputes?undecided=false")
    for path in [*(f"{path}&tournament=spring" for path in lists), f"/v1/disputes?game={evening.games['spring 1']}"]:
        assert told(director, path) == told(alone.caller("director"), path)
        assert told(director, path) != told(viewer, path)
    for path in (*lists, "/v1/players", "/v1/players/p1", "/v1/rulings"):
        assert told(director, path) == told(viewer, path)


def test_a_table_and_a_game_of_a_tournament_reach_as_far_as_it_does(evening: Evening, alone: Service):
    game = UUID(evening.games["spring 1"])
    for scope in (OfTable("spring", "1", 1), OfGame(game, "spring", 1, "1")):
        caller = scoped(evening.service, "recorder", scope)
        for path in (*TABLES, "/v1/feed", "/v1/rulings", "/v1/clubs", "/v1/players/p1/scores"):
            assert told(caller, path) == told(alone.caller("viewer"), path)
    table = scoped(evening.service, "arbiter", OfTable("spring", "1", 1))
    assert "claim" in table.get(f"/v1/disputes?game={game}").text
    assert "claim" not in table.get(f"/v1/disputes?game={evening.games['spring 2']}").text
    assert "claim" not in table.get("/v1/disputes?tournament=spring").text


@pytest.mark.parametrize("path", ["/v1/games", "/v1/disputes", "/v1/rulings"])
def test_the_sequence_to_go_on_with_tells_nothing_of_what_is_recorded_elsewhere(new_service: Service, path: str):
    director = new_service.caller("director")
    game = director.open(seats=2)
    caller = scoped(new_service, "viewer", OfGame(UUID(game)))
    before = caller.get(path).headers["kiebitz-as-of"]
    director.open(seats=2)
    assert caller.get(path).headers["kiebitz-as-of"] == before
    assert int(before) < int(director.get(path).headers["kiebitz-as-of"])


def test_a_game_of_no_tournament_reaches_no_farther_than_itself(evening: Evening, tmp_path: Path):
    game = UUID(evening.games["free"])
    streams = {game, *map(player_stream, ("p1", "other"))}
    with left_with(evening, tmp_path, streams) as alone:
        caller = scoped(evening.service, "viewer", OfGame(game))
        for path in (*TABLES, "/v1/rulings", "/v1/clubs", "/v1/players/p1/scores", "/v1/players/p3", f"/v1/disputes?game={game}"):
            assert told(caller, path) == told(alone.caller("viewer"), path)
        entries = [one.get("/v1/feed?limit=1000").json()["entries"] for one in (caller, alone.caller("viewer"))]
        assert entries[0] == entries[1] != []


def test_nobody_in_particular_gets_the_list_of_tournaments_and_otherwise_401(evening: Evening):
    nobody = evening.service.caller(None)
    closed = [*TABLES[:4], *TABLES[5:], "/v1/rulings", "/v1/clubs", "/v1/feed", "/v1/players/p1", "/v1/players/p1/scores"]
    named = [f"{path}?tournament=spring" for path in TABLES[:4]] + [f"/v1/rulings?game={evening.games['spring 1']}"]
    assert [nobody.get(path).status_code for path in [*closed, *named]] == [401] * (len(closed) + len(named))
    assert nobody.get("/v1/tournaments").json() == {"items": [], "next": None}


def published(service: Service, tournament: str, publication: str) -> None:
    answer = service.caller("director").post(f"/v1/tournaments/{tournament}/publication", {"publication": publication})
    assert answer.status_code == 201, answer.text


@contextmanager
def with_autumn_published(folder: Path) -> Iterator[Evening]:
    with running(settings_of(folder), still) as service:
        games = played(service)
        published(service, "autumn", "aliases")
        ids = ("p1", "p2", "first", "spring-1", "spring-2", "p3", "other", "autumn-1", "autumn-2")
        tables = {UUID(game) for name, game in games.items() if name != "free"}
        yield Evening(service, folder, games, {*tables, *map(tournament_stream, ("spring", "autumn")), *map(player_stream, ids)})


def test_what_is_published_stands_in_the_lists_of_everybody_until_it_is_withdrawn(tmp_path: Path):
    (tmp_path / "autumn").mkdir()
    (tmp_path / "alone").mkdir()
    with with_autumn_published(tmp_path / "autumn") as evening:
        caller, nobody = scoped(evening.service, "viewer", OfTournament("spring")), evening.service.caller(None)
        with left_with(evening, tmp_path / "alone", evening.spring) as alone:
            for path in (*TABLES, "/v1/feed", "/v1/rulings", "/v1/clubs", "/v1/players/p3"):
                assert told(caller, path) == told(alone.caller("viewer"), path)
        whole = evening.service.caller("viewer")
        for path in (f"{path}?tournament=autumn" for path in (*TABLES[:4], "/v1/feed")):
            assert told(nobody, path, BY_WHOM) == told(whole, path, BY_WHOM)
        (listed,) = nobody.get("/v1/tournaments").json()["items"]
        assert listed["id"] == "autumn"
        published(evening.service, "autumn", "no")
        for path in (*TABLES, "/v1/feed", "/v1/rulings", "/v1/clubs", "/v1/players/p1/scores"):
            assert b"autumn" not in caller.get(path).content
        assert caller.get("/v1/players/p3").json()["code"] == "unknown_player"
        assert nobody.get("/v1/games?tournament=autumn").status_code == 401
        assert nobody.get("/v1/tournaments").json() == {"items": [], "next": None}


def test_who_waits_is_not_woken_by_what_he_may_not_know(evening: Evening):
    service = evening.service
    recorder, caller = service.caller("recorder"), scoped(service, "viewer", OfTournament("spring"))
    after = service.services.journal.head()
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(caller.get, f"/v1/feed?after={after}&wait=30")
        for name in ("free", "autumn 2", "spring 2"):
            assert recorder.post(f"/v1/games/{evening.games[name]}/notes", {"text": "so"}).status_code == 201
        entries = waiting.result().json()["entries"]
    assert [(entry["id"], entry["sequence"]) for entry in entries] == [(evening.games["spring 2"], after + 3)]


def test_lists_files_and_the_feed_reach_as_far_on_a_database_server(postgres_service: Service):
    games = played(postgres_service)
    published(postgres_service, "autumn", "names")
    of_spring, nobody = scoped(postgres_service, "viewer", OfTournament("spring")), postgres_service.caller(None)
    of_free, free = scoped(postgres_service, "viewer", OfGame(UUID(games["free"]))), {games["free"]}
    of_both = {game for name, game in games.items() if name != "free"}
    of_autumn = {game for name, game in games.items() if name.startswith("autumn")}
    for caller, expected in ((of_spring, of_both), (of_free, of_autumn | free)):
        assert {game["id"] for game in caller.get("/v1/games").json()["items"]} == expected
        assert {entry["id"] for entry in caller.get("/v1/feed?kind=game&limit=1000").json()["entries"]} == expected
        assert {row.split(",")[0] for row in caller.get("/v1/disputes?format=csv").text.splitlines()[1:]} <= expected
    assert {game["id"] for game in nobody.get("/v1/games?tournament=autumn").json()["items"]} == of_autumn
    (totals,) = of_free.get("/v1/players/p1/scores").json()["totals"]
    assert totals["games"] == 2
