"""No id of a player stands where a name belongs: on no page, in no sentence, on no printed sheet, in no column of names.

Every route that is read is asked, in every role, of an evening whose players were typed at the desk. An id may stand in an address or a
value that nobody reads, and in the fields and columns that are there for ids.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from itertools import product
from typing import Any

import pytest

from api.http.description.openapi import operations
from api.http.operations import PAGES, Operation
from api.pages.directing.evening import STEPS
from tests.access.typed import ALIAS, NAMES, PAGE, Typed
from tests.api.conftest import Caller, running, settings_of, without_limits

IDS = frozenset(
    {
        *("id", "ids", "player", "players", "partners", "opponents", "recorded_player", "person", "merged_into", "into", "root", "left"),
        *("register", "histories", "body"),
    }
)
"""Fields and columns for ids, of JSON and of tables; what is told to a director of a person, and events, hold ids alone."""
UNSEEN = frozenset({"href", "src", "action", "for", "id", "name", "list"})
"""Attributes of HTML that nobody reads; ``data-…`` besides."""
TYPED = frozenset({"text", "search"})
"""Fields of a form whose value is read."""
NOT_FILLED = frozenset(
    ("token", "digest", "name", "room", "level", "place", "path", "webhook", "delivery", "session", "code", "board", "to", "key")
)
"""Parts of addresses of which the evening has none: what lies there tells of no player."""
EXAMPLES = frozenset({"/docs", "/docs/schemas", "/docs/schemas/{schema}", "/docs/{tag}", "/openapi.json"})
"""The same for every service, and slow to make."""
VARIANTS: Mapping[str, tuple[str, ...]] = {
    "/t/{tournament}": ("", "?find=e", "?round=1"),
    "/t/{tournament}/wall": (
        *(f"?show={show}&by={by}" for show, by in product(("pairings", "standings", "tables"), ("name", "table"))),
        "?show=prizes",
    ),
    "/t/{tournament}/desk": (
        *(f"?step={step}" for step in (*STEPS, "hall", "devices")),
        *("?step=enter&entrant=1", "?step=enter&entrant=5", "?step=playing&round=1&table=2"),
    ),
    "/g/{game}": ("", "?embed=1"),
    "/s/{series}": ("", "?after={tournament}"),
    "/s/{series}/wall": ("",),
    "/p/{player}": ("", "?tournament={tournament}"),
    "/v1/games/{game}/score-sheet": ("", "?format=csv", "?format=html"),
    "/v1/games/{game}/replay": ("?names=true",),
    "/v1/tournaments/{tournament}/standings": ("", "?format=csv", "?format=html"),
    "/v1/tournaments/{tournament}/standings/diff": ("?old=round:1&new=round:2",),
    "/v1/tournaments/{tournament}/rounds/{round}/seating": ("", "?format=html"),
    "/v1/series/{series}/standings": ("", "?format=csv"),
    "/v1/series/{series}/standings/diff": ("?old=sequence:1",),
    "/v1/scores": ("?names=true", "?names=true&format=csv"),
    "/v1/ratings": ("?ruleset=casino", "?ruleset=casino&format=csv"),
    "/v1/statistics": ("?ruleset=casino", "?ruleset=casino&format=csv"),
    "/ratings": ("", "?ruleset=casino&number=1"),
    "/v1/ratings/lists/{ruleset}/{number}": ("", "?format=csv"),
    "/v1/ratings/lists/{ruleset}/{number}/diff": ("", "?new=2"),
    "/v1/results": ("?names=true", "?names=true&format=csv"),
    "/v1/players/{player}/scores": ("", "?names=true&format=csv"),
}


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Typed]:
    with running(settings_of(tmp_path_factory.mktemp("typed")), without_limits) as service:
        yield Typed(service)


def is_page(path: str, operation: Operation) -> bool:
    return operation.tag == PAGES


def addresses(typed: Typed) -> Iterator[tuple[str, str, bool]]:
    """Every route that is read, each address that the evening has of it, and whether it is a page."""
    filled = {
        "tournament": (typed.tournament,),
        "round": ("1", "2"),
        "table": ("1", "2"),
        "game": (typed.games["1"], typed.games["round 2"], typed.alone),
        "player": (typed.ids[1], typed.ids[3], typed.ids[4]),
        "position": ("2",),
        "ruleset": ("casino",),
        "series": (typed.series,),
        "schema": ("scores",),
        "number": ("1",),
    }
    for path, method, operation in operations(typed.service.client.app):
        parts = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
        if method != "get" or path in EXAMPLES or NOT_FILLED & set(parts):
            continue
        for values, variant in product(product(*(filled[part] for part in parts)), VARIANTS.get(path, ("",))):
            given = {"tournament": typed.tournament, **dict(zip(parts, values, strict=True))}
            yield path, (path + variant).format(**given), is_page(path, operation)


def seen(answer: Any) -> Iterator[str]:
    """What people read of an answer: all of it but ids in the places for ids."""
    kind = answer.headers.get("content-type", "")
    if "html" in kind:
        reader = Reader()
        reader.feed(answer.text)
        yield from reader.seen
    elif "csv" in kind:
        yield from _cells(answer.text)
    elif "ndjson" in kind or "event-stream" in kind:
        lines = (line.removeprefix("data:").strip() for line in answer.text.splitlines())
        yield from (text for line in lines if line.startswith("{") for text in _texts(json.loads(line)))
    elif "json" in kind:
        yield from _texts(answer.json())


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from (text for key, one in value.items() if key not in IDS for text in (key, *_texts(one)))
        case list():
            yield from (text for one in value for text in _texts(one))


def _cells(text: str) -> Iterator[str]:
    heading, *lines = csv.reader(io.StringIO(text))
    standings = "score" in heading
    for line in lines:
        named = zip([*heading, *[""] * (len(line) - len(heading))], line, strict=False)
        yield from (cell for column, cell in named if column not in IDS or standings)


class Reader(HTMLParser):
    """What of a page stands before people's eyes, or is read out to them; of data for scripts what is no id."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self._data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._data = tag == "script" and "json" in (given.get("type") or "")
        for name, value in attrs:
            if name in UNSEEN or name.startswith("data-") or (name == "value" and not self._is_typed(tag, given)):
                continue
            self.seen.append(value or "")

    def handle_data(self, data: str) -> None:
        self.seen += _texts(json.loads(data)) if self._data and data.strip() else [data]

    def handle_endtag(self, tag: str) -> None:
        self._data = False

    @staticmethod
    def _is_typed(tag: str, given: Mapping[str, str | None]) -> bool:
        return tag == "input" and (given.get("type") or "text") in TYPED


def ids_read_by(typed: Typed, caller: Caller, *, only_pages: bool = False) -> tuple[list[tuple[str, list[str]]], set[str]]:
    """Each address at which the caller reads an id, with what stands there; and the pages that the caller was shown."""
    found, shown = [], set()
    for route, address, is_page in addresses(typed):
        if only_pages and not is_page:
            continue
        answer = caller.get(address, headers=PAGE if is_page else {}, follow_redirects=False)
        if is_page and answer.status_code == 200:
            shown.add(route)
        if texts := [text for text in seen(answer) if typed.in_text(text)]:
            found.append((address, texts[:3]))
    return found, shown


@pytest.mark.parametrize("role", ["viewer", "player", "recorder", "arbiter", "director"])
def test_nobody_within_the_tournament_reads_an_id_for_a_name(typed: Typed, role: str):
    typed.choose("aliases")
    typed.publish("no")
    found, shown = ids_read_by(typed, typed.callers[role], only_pages=role not in ("viewer", "director"))
    assert found == []
    if role == "director":
        pages = {path for path, method, one in operations(typed.service.client.app) if method == "get" and is_page(path, one)}
        assert {page for page in pages - shown - EXAMPLES if not NOT_FILLED & set(re.findall(r"\{(\w+)\}", page))} == set()


@pytest.mark.parametrize("publication", ["aliases", "names"])
def test_nobody_at_all_reads_an_id_for_a_name(typed: Typed, publication: str):
    typed.publish(publication)
    found, shown = ids_read_by(typed, typed.callers["nobody"], only_pages=publication == "names")
    assert found == []
    assert {"/t/{tournament}", "/g/{game}", "/p/{player}", "/t/{tournament}/wall"} <= shown


def test_no_refusal_and_no_remark_holds_an_id(typed: Typed):
    assert len(typed.refusals) == 7
    assert [one["detail"] for one in typed.refusals if typed.in_text(one["detail"])] == []
    assert typed.refusals[0]["detail"] == "Bert Zöllner is entered already, as entrant 2."


def test_the_law_finds_an_id(typed: Typed):
    """A check that could not fail would be none."""
    reader = Reader()
    id = typed.ids[0]
    reader.feed(f'<p title="{id}" data-player="{id}"><a href="/p/{id}">{id}</a><input value="{id}"><option value="{id}">x</option></p>')
    assert [text for text in reader.seen if text == id] == [id] * 3
    assert list(_texts({"shown": [id], "player": id})) == ["shown", id]
    assert id in set(_cells(f"player,player_name\r\n{id},{id}\r\n"))


def read(typed: Typed, role: str) -> set[str]:
    """Which of the names of the evening the caller reads on the pages of the tournament, and what else players are called there."""
    texts = " ".join(
        text
        for address in (f"/t/{typed.tournament}?round=1", f"/t/{typed.tournament}/wall?show=standings", f"/g/{typed.games['1']}")
        for text in seen(typed.callers[role].get(address, headers=PAGE))
    )
    told = (*NAMES, ALIAS, "A. M.", "B. Z.", "Entrant 1", "Entrant 2", "Entrant 3", "Entrant 4")
    return {name for name in told if name in texts}


ALL_BUT = {NAMES[0], NAMES[1], NAMES[4], NAMES[5], "Entrant 3", "Entrant 4"}
WITH = {
    "names": ALL_BUT,
    "initials": {"A. M.", "B. Z.", "Entrant 3", "Entrant 4"},
    "aliases": {ALIAS, "Entrant 2", "Entrant 3", "Entrant 4"},
}


@pytest.mark.parametrize("hall_names", WITH)
def test_who_is_in_the_hall_reads_what_the_director_chose_and_nobody_else_does(typed: Typed, hall_names: str):
    typed.choose(hall_names)
    typed.publish("no")
    for role in ("viewer", "player", "recorder"):
        assert read(typed, role) == WITH[hall_names], role
    for role in ("arbiter", "director"):
        assert read(typed, role) == {*NAMES[:3], *NAMES[4:], "Entrant 4"}, role
    assert read(typed, "viewer of everything") == WITH["aliases"]
    for role in ("viewer elsewhere", "nobody"):
        assert read(typed, role) == set(), role
    typed.publish("aliases")
    for role in ("viewer of everything", "viewer elsewhere", "nobody"):
        assert read(typed, role) == WITH["aliases"], role


def test_who_was_replaced_keeps_the_name_in_the_games_that_were_played(typed: Typed):
    typed.choose("names")
    listed = " ".join(seen(typed.callers["viewer"].get("/", headers=PAGE)))
    assert f"{NAMES[4]} · Entrant 3" in " ".join(listed.split())
    assert typed.director.get(f"{typed.path}/entries").json()["entrants"][4]["replaced"] == [{"player": typed.ids[4], "shown": NAMES[4]}]
