"""A club that records a table and enters two: what is read of its evening later is that of one evening."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
import pytest

from domain.games import RULESETS
from replay.cases import play_record
from replay.sample_games import random_record
from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, opened

Told: TypeAlias = Literal["moves", "rows", "points"]
"""What a club knows of the tables that nobody recorded; with moves all of them were."""

PLAYERS = 3
RECORDED = 1
BEGAN = datetime(2026, 10, 3, 19, 0, tzinfo=UTC)
PAIRS = list(combinations(range(1, PLAYERS + 1), 2))
"""Three tables: everybody meets everybody."""


@cache
def game_of(number: int) -> dict[str, Any]:
    """A game of the evening as a portable record, the same for each club."""
    return random_record("", RULESETS["casino"], {"target": 11}, 2, Random(number), 1_000)


_OF_ITS_OWN = {"game", "position", "sequence", "opened_at", "written_at", "tournament", "url", "as_of", "next", "shown"}
"""Ids, and when something was recorded: no two evenings have them in common."""


class Evening(NamedTuple):
    """``games`` in the order of ``PAIRS``."""

    club: str
    path: str | None
    games: Sequence[str]


def a_club(service: Service, club: str, told: Told, *, tournament: bool) -> Evening:
    director, recorder = service.caller("director"), service.caller("recorder")
    if not tournament:
        games = [recorder.open(options={"target": 11}, players=[who(club, one), who(club, other)]) for one, other in PAIRS]
        for number, game in enumerate(games):
            entered(recorder, game, number, told)
        return Evening(club, None, games)
    path = announced(director, id=club, options={"target": 11}, format="round_robin", seed="club", tie_breaks=["wins", "lots"])
    entries = [{"players": [who(club, number)]} for number in range(1, PLAYERS + 1)]
    assert director.post(f"{path}/entries", {"entries": entries}).status_code == 201
    games = []
    for round in range(1, PLAYERS + 1):
        assert director.post(f"{path}/rounds", {}).status_code == 201
        for _, game in sorted(opened(recorder, path, round).items()):
            entered(recorder, game, len(games), told)
            games.append(game)
        assert director.post(f"{path}/rounds/{round}/closing", {}).status_code == 201
    return Evening(club, path, games)


def who(club: str, number: int) -> str:
    return f"{club}-{number}"


def entered(recorder: Caller, game: str, number: int, told: Told) -> None:
    """The first tables by their moves, the others as the club knows them; every hand with its time."""
    hands = msgspec.to_builtins(game_of(number)["hands"])
    sheet = play_record({**game_of(number), "hands": hands}, RULESETS).score_sheet
    assert sheet
    for place, hand in enumerate(hands):
        happened_at = (BEGAN + timedelta(minutes=20 * place)).isoformat()
        if told == "moves" or number < RECORDED:
            body: dict[str, Any] = {"dealer": hand["dealer"], "deck": hand["deck"]}
        else:
            rows = {"rows": sheet["hands"][place]["rows"]} if told == "rows" else {}
            body = {"dealer": hand["dealer"], "result": {"points": sheet["hands"][place]["points"], **rows}}
        answer = recorder.post(f"/v1/games/{game}/hands", {**body, "happened_at": happened_at})
        assert answer.status_code == 201, answer.text
        if "deck" in body:
            assert recorder.post(f"/v1/games/{game}/moves", {"moves": hand["moves"]}).status_code == 201
    assert recorder.get(f"/v1/games/{game}").json()["phase"] == "game_over"


def common(value: Any, club: str) -> Any:
    """What the evening of a club has in common with that of another one: its players are named alike."""
    match value:
        case dict():
            return {key: common(one, club) for key, one in value.items() if key not in _OF_ITS_OWN}
        case list():
            return [common(one, club) for one in value]
        case str():
            return value.replace(club, "club")
    return value


def pages(caller: Caller, path: str) -> Iterator[Any]:
    """All items, page by page."""
    while path:
        answer = caller.get(path)
        assert answer.status_code == 200, answer.text
        yield from answer.json()["items"]
        path = answer.links.get("next", {}).get("url", "")


def lines(caller: Caller, evening: Evening) -> list[dict[str, Any]]:
    """Each player's lines, in the order of his games."""
    found = [line for number in range(1, PLAYERS + 1) for line in pages(caller, _scores(evening, number))]
    return [dict(common(line, evening.club)) for line in found]


def _scores(evening: Evening, number: int) -> str:
    return f"/v1/scores?player={who(evening.club, number)}&limit=1000"


def histories(caller: Caller, evening: Evening) -> list[Any]:
    """Totals, averages, months, trends and games of each player."""
    asked = [f"/v1/players/{who(evening.club, number)}/scores?latest=1" for number in range(1, PLAYERS + 1)]
    return [common(caller.get(one).json(), evening.club) for one in asked]


def results(caller: Caller, evening: Evening) -> list[Any]:
    asked = [f"/v1/results?player={who(evening.club, number)}&limit=200" for number in range(1, PLAYERS + 1)]
    return [common(list(pages(caller, one)), evening.club) for one in asked]


@pytest.fixture(scope="module", params=[False, True], ids=["without a tournament", "in a tournament"])
def evenings(service: Service, request: pytest.FixtureRequest) -> Mapping[Told, Evening]:
    """The same evening three times, as three clubs entered it."""
    place = "cup" if request.param else "club"
    tolds: tuple[Told, ...] = ("moves", "rows", "points")
    return {told: a_club(service, f"{place}{number}", told, tournament=request.param) for number, told in enumerate(tolds)}


def test_score_histories_hold_the_same_lines_where_rows_were_told(viewer: Caller, evenings: Mapping[Told, Evening]):
    recorded = lines(viewer, evenings["moves"])
    assert lines(viewer, evenings["rows"]) == recorded
    assert {line["how"] for line in recorded} == {"recorded"}


def test_and_the_same_points_of_the_same_hands_at_the_same_time_where_only_points_were(viewer: Caller, evenings: Mapping[Told, Evening]):
    assert _sums(lines(viewer, evenings["points"])) == _sums(lines(viewer, evenings["moves"]))


def _sums(of: Sequence[Mapping[str, Any]]) -> dict[tuple[Any, ...], list[int]]:
    """The points of each player's hands of one time, table by table: rows are added up."""
    found: dict[tuple[Any, ...], list[int]] = {}
    for line in of:
        rest = tuple(sorted((name, value) for name, value in line.items() if name not in ("row", "points") and value is not None))
        begins = line["row"] in ("cards", "result")
        sums = found.setdefault(rest, [])
        if begins:
            sums.append(0)
        sums[-1] += line["points"]
    return found


@pytest.mark.parametrize("told", ["rows", "points"])
def test_totals_averages_months_and_trends_of_all_players_are_the_same(viewer: Caller, evenings: Mapping[Told, Evening], told: Told):
    recorded = histories(viewer, evenings["moves"])
    assert histories(viewer, evenings[told]) == recorded
    assert any(one["trend"] for history in recorded for one in history["totals"])


@pytest.mark.parametrize("told", ["rows", "points"])
def test_results_are_the_same(viewer: Caller, evenings: Mapping[Told, Evening], told: Told):
    recorded = results(viewer, evenings["moves"])
    assert results(viewer, evenings[told]) == recorded
    assert [len(of_player) for of_player in recorded] == [PLAYERS - 1] * PLAYERS


@pytest.mark.parametrize("evenings", [True], ids=["in a tournament"], indirect=True)
@pytest.mark.parametrize("told", ["rows", "points"])
def test_standings_are_the_same_after_every_round(viewer: Caller, evenings: Mapping[Told, Evening], told: Told):
    for query in ("", *(f"?round={round}" for round in range(1, PLAYERS + 1))):
        first, second = (
            common(viewer.get(f"{one.path}/standings{query}").json()["lines"], one.club) for one in (evenings["moves"], evenings[told])
        )
        assert first == second
        assert len(first) == PLAYERS


@pytest.mark.parametrize("told", ["rows", "points"])
def test_sheets_tell_apart_what_was_recorded_and_what_was_entered(viewer: Caller, evenings: Mapping[Told, Evening], told: Told):
    marked = [
        {hand["facts"].get("reported", False) for hand in viewer.get(f"/v1/games/{game}/score-sheet").json()["hands"]}
        for game in evenings[told].games
    ]
    assert marked == [{False}] * RECORDED + [{True}] * (len(PAIRS) - RECORDED)
