"""Whole tournaments over HTTP, from the entry list to the final standings: real games, played by chance, and rulings after them."""

from random import Random
from typing import Any

import msgspec
import pytest

from domain.games import RULESETS
from domain.standings.plan import Bye, Outcome
from replay.sample_games import random_record
from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, opened
from tests.domain.standings.fide import checked

LONG = 1_000


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


def entered(recorder: Caller, path: str, *lines: list[str]) -> None:
    answer = recorder.post(f"{path}/entries", {"entries": [{"players": players} for players in lines]})
    assert answer.status_code == 201, answer.text


def drawn(director: Caller, path: str) -> int:
    """Pairs the next round; answers its number."""
    answer = director.post(f"{path}/rounds", {})
    assert answer.status_code == 201, answer.text
    return int(answer.json()["events"][0]["body"]["round"])


def closed(director: Caller, path: str, round: int) -> None:
    answer = director.post(f"{path}/rounds/{round}/closing", {})
    assert answer.status_code == 201, answer.text


def played(recorder: Caller, path: str, round: int, plan: dict[str, Any], *, without: str = "") -> dict[str, str]:
    """Opens a game at every table that lacks one and plays it by chance, but at one; answers the games that were played, by table."""
    open = {table: game for table, game in opened(recorder, path, round).items() if game and table != without}
    games = {table: game for table, game in open.items() if recorder.get(f"/v1/games/{game}").json()["phase"] != "game_over"}
    for table, game in games.items():
        record = random_record("", RULESETS[plan["ruleset"]], plan["options"], plan["seats"], Random(game), LONG)
        for hand in msgspec.to_builtins(record["hands"]):
            dealt = recorder.post(f"/v1/games/{game}/hands", {"dealer": hand["dealer"], "deck": hand["deck"]})
            assert dealt.status_code == 201, dealt.text
            moves = recorder.post(f"/v1/games/{game}/moves", {"moves": hand["moves"]})
            assert moves.status_code == 201, moves.text
        assert recorder.get(f"/v1/games/{game}").json()["phase"] == "game_over", table
    return games


def standings(caller: Caller, path: str, query: str = "") -> dict[str, Any]:
    answer = caller.get(f"{path}/standings{query}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def places(told: dict[str, Any]) -> dict[int, int]:
    return {line["entrant"]: line["place"] for line in told["lines"]}


def outcomes(caller: Caller, path: str) -> tuple[list[Outcome], list[Bye]]:
    """What came of every table, for those who reckon by themselves."""
    rounds = caller.get(f"{path}/rounds").json()["rounds"]
    tables = [(one["round"], table) for one in rounds for table in one["tables"]]
    came = [Outcome(number, one["table"], _pairs(one["parties"]), tuple(one["points"]), one["how"]) for number, one in tables]
    return came, [Bye(one["round"], entrant) for one in rounds for entrant in one["byes"]]


def _pairs(parties: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(party) for party in parties)


CANASTA = {"ruleset": "canasta", "options": {"end": "hands", "hand_count": 1}, "seats": 4}


def test_a_canasta_evening_of_16_players_with_changing_partners(director: Caller, recorder: Caller, service: Service, viewer: Caller):
    tie_breaks = ["score_difference", "wins", "lots"]
    path = announced(
        director, id="canasta-evening", title="Canasta", entrants="players", tie_breaks=tie_breaks, seed="c", rounds=2, **CANASTA
    )
    entered(recorder, path, *([f"c{number:02}"] for number in range(1, 17)))
    for _ in range(2):
        number = drawn(director, path)
        games = played(recorder, path, number, CANASTA)
        closed(director, path, number)
    came, byes = outcomes(viewer, path)
    assert (len(came), byes) == (8, [])

    # Nobody had a partner or an opponent twice.
    met = [
        frozenset((one, other)) for outcome in came for one in sum(outcome.parties, ()) for other in sum(outcome.parties, ()) if one < other
    ]
    assert len(met) == len(set(met))

    told = standings(viewer, path)
    assert [line["place"] for line in told["lines"]] == list(range(1, 17))
    assert reckoned(came) == scores(told)

    # A week later the committee finds that a game was counted wrongly.
    points = viewer.get(f"/v1/games/{games['1']}/score-sheet").json()["totals"]
    party = points.index(max(points))
    amends = {"adjustments": [{"party": party, "points": min(points) - max(points) - 5}], "reason": "a red three was counted twice"}
    ruled = service.caller("arbiter").post(f"/v1/games/{games['1']}/adjustments", amends)
    assert ruled.status_code == 201, ruled.text
    changed = standings(viewer, path)
    assert {line["entrant"]: (line["score"], line["tie_breaks"][0]["value"]) for line in changed["lines"]} == reckoned(
        outcomes(viewer, path)[0]
    )
    diff = viewer.get(f"{path}/standings/diff?old=sequence:{ruled.json()['sequence'] - 1}").json()
    ((table,), losers) = diff["tables"], {came[4].parties[party][0], came[4].parties[party][1]}
    assert (table["round"], table["table"], table["acts"][0]["game"]) == (2, "1", games["1"])
    assert {one["entrant"] for one in diff["moved"] if one["after"]["score"] < one["before"]["score"]} == losers
    assert places(standings(viewer, path, f"?as_of={ruled.json()['sequence'] - 1}")) == places(told)
    assert director.post(f"{path}/ending", {}).status_code == 201


def scores(told: dict[str, Any]) -> dict[int, tuple[int, int]]:
    """Score and difference of every player, as the service has them."""
    return {line["entrant"]: (line["score"], line["tie_breaks"][0]["value"]) for line in told["lines"]}


def reckoned(came: list[Outcome]) -> dict[int, tuple[int, int]]:
    """Score and difference of every player, added up by hand: 2 for a win, 1 for a draw."""
    found: dict[int, tuple[int, int]] = {}
    for outcome in came:
        points = outcome.points or ()
        for party, mine, theirs in zip(outcome.parties, points, reversed(points), strict=True):
            for player in party:
                score, difference = found.get(player, (0, 0))
                found[player] = score + (mine > theirs) * 2 + (mine == theirs), difference + mine - theirs
    return found


PAIRS = {"ruleset": "casino", "options": {"partners": True, "target": 1}, "seats": 4}


def test_6_casino_pairs_meet_each_other_at_3_tables(director: Caller, recorder: Caller, service: Service, viewer: Caller):
    tie_breaks = ["direct_encounter", "sonneborn_berger", "wins"]
    path = announced(director, id="casino-pairs", title="Pairs", format="round_robin", tie_breaks=tie_breaks, seed="p", **PAIRS)
    entered(recorder, path, *([f"n{number:02}", f"s{number:02}"] for number in range(1, 7)))
    for _ in range(5):
        number = drawn(director, path)
        games = played(recorder, path, number, PAIRS)
        closed(director, path, number)
    came, byes = outcomes(viewer, path)
    assert len({frozenset(sum(outcome.parties, ())) for outcome in came}) == 15
    agree(standings(viewer, path), came, byes)

    before = standings(viewer, path)
    points = [{"party": 0, "points": 40}, {"party": 1, "points": -40}]
    ruled = service.caller("arbiter").post(f"/v1/games/{games['3']}/adjustments", {"adjustments": points, "reason": "sides were mixed up"})
    assert ruled.status_code == 201, ruled.text
    after = standings(viewer, path)
    agree(after, *outcomes(viewer, path))
    diff = viewer.get(f"{path}/standings/diff?old=sequence:{ruled.json()['sequence'] - 2}").json()
    assert [(one["round"], one["table"]) for one in diff["tables"]] == [(5, "3")]
    moved = {one["entrant"] for one in diff["moved"] if one["before"]["place"] != one["after"]["place"]}
    assert moved == {entrant for entrant, place in places(after).items() if place != places(before)[entrant]}
    assert director.post(f"{path}/ending", {}).status_code == 201


def agree(told: dict[str, Any], came: list[Outcome], byes: list[Bye]) -> None:
    """The standings of the service are those of the FIDE tie-break server."""
    by_fide = checked(6, came, byes, ["DE", "SB", "WON"], round_robin=True)
    assert places(told) == {entrant: place for entrant, (place, _) in by_fide.items()}
    figures = {line["entrant"]: [line["score"], *(figure["value"] for figure in line["tie_breaks"][1:])] for line in told["lines"]}
    assert figures == {entrant: [score, *rest] for entrant, (_, (score, _, *rest)) in by_fide.items()}


CASCADES = {"ruleset": "cascades", "options": {}, "seats": 1}


def test_a_cascades_league(postgres_service: Service):
    director, recorder, arbiter, viewer = map(postgres_service.caller, ("director", "recorder", "arbiter", "viewer"))
    plan = {"scoring": {"by": "points"}, "tie_breaks": ["lots"], "seed": "l", **CASCADES}
    path = announced(director, id="cascades-league", title="League", **plan)
    entered(recorder, path, *([f"l{number}"] for number in range(1, 7)))
    drawn(director, path)
    games = played(recorder, path, 1, CASCADES)
    closed(director, path, 1)

    # One comes later, one leaves; one is ill, and one has to catch his bus.
    entered(recorder, path, ["l7"])
    assert director.post(f"{path}/entries/2/withdrawal", {"reason": "moved away"}).status_code == 201
    drawn(director, path)
    assert [party for outcome in seated(viewer, path, 2) for party in outcome] == [[1], [3], [4], [5], [6], [7]]
    assert director.post(f"{path}/rounds/2/tables/1/forfeit", {"absent": [1], "reason": "ill"}).status_code == 201
    played(recorder, path, 2, CASCADES, without="6")
    assert director.post(f"{path}/rounds/2/tables/6/adjournment", {"reason": "the last bus"}).status_code == 201
    closed(director, path, 2)
    told = standings(viewer, path)
    assert told["open"] == 1
    assert told["lines"][-1]["entrant"] in (2, 7)

    # He finishes a week later, and a result of the first evening turns out to be wrong.
    before = standings(viewer, path)
    played(recorder, path, 2, CASCADES)
    given = {"adjustments": [{"party": 0, "points": 1000}], "reason": "a column was left out"}
    ruled = arbiter.post(f"/v1/games/{games['3']}/adjustments", given)
    assert ruled.status_code == 201, ruled.text
    after = standings(viewer, path)
    assert (after["open"], after["lines"][0]["entrant"]) == (0, 3)
    diff = viewer.get(f"{path}/standings/diff?old=sequence:{ruled.json()['sequence'] - 1}").json()
    assert [(one["round"], one["table"], one["after"]["points"][0] - one["before"]["points"][0]) for one in diff["tables"]] == [
        (1, "3", 1000)
    ]
    assert {one["entrant"]: one["score"] for one in after["lines"]} == totals(viewer, path)
    assert before["lines"] != after["lines"]
    assert director.post(f"{path}/rounds/2/tables/6/adjournment", {}).json()["code"] == "adjourned_already"
    assert director.post(f"{path}/ending", {}).status_code == 201


def seated(caller: Caller, path: str, round: int) -> list[list[list[int]]]:
    return [table["parties"] for table in caller.get(f"{path}/rounds/{round}").json()["tables"]]


def totals(caller: Caller, path: str) -> dict[int, int]:
    """The points of everybody, added up from the score sheets of the games alone."""
    found = dict.fromkeys(range(1, 8), 0)
    for number in (1, 2):
        for table in caller.get(f"{path}/rounds/{number}").json()["tables"]:
            sheets = [caller.get(f"/v1/games/{game['game']}/score-sheet").json() for game in table["games"]]
            found[table["parties"][0][0]] += sum(sheet["totals"][0] for sheet in sheets)
    return found


def test_a_knock_out_of_six_with_byes_a_draw_and_a_forfeit(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director, title="Cup", format="knockout", tie_breaks=["score_difference"], seed="k")
    ratings = [1900, 1800, 1700, 1600, 1500, 1400]
    entries = [{"players": [f"k{number}"], "rating": rating} for number, rating in enumerate(ratings, 1)]
    assert recorder.post(f"{path}/entries", {"entries": entries}).status_code == 201

    drawn(director, path)
    assert (seated(viewer, path, 1), viewer.get(f"{path}/rounds/1").json()["byes"]) == ([[[4], [5]], [[3], [6]]], [1, 2])
    told(director, path, 1, "1", 12, 12)
    told(director, path, 1, "2", 21, 9)
    closed(director, path, 1)
    refused = director.post(f"{path}/rounds", {})
    assert (refused.status_code, refused.json()["code"]) == (422, "knockout_undecided")
    assert "Table 1 of round 1" in refused.json()["detail"]
    told(director, path, 1, "1", 12, 13)

    drawn(director, path)
    assert seated(viewer, path, 2) == [[[1], [5]], [[2], [3]]]
    assert director.post(f"{path}/rounds/2/tables/1/forfeit", {"absent": [5]}).status_code == 201
    told(director, path, 2, "2", 8, 21)
    closed(director, path, 2)
    drawn(director, path)
    assert seated(viewer, path, 3) == [[[1], [3]]]
    told(director, path, 3, "1", 10, 21)
    closed(director, path, 3)
    assert director.post(f"{path}/rounds", {}).json()["code"] == "knockout_over"
    assert [(line["place"], line["entrant"], line["score"]) for line in standings(viewer, path)["lines"]] == [
        (1, 3, 6),
        (2, 1, 4),
        (3, 5, 2),
        (4, 2, 2),
        (5, 4, 0),
        (6, 6, 0),
    ]


def told(director: Caller, path: str, round: int, table: str, *points: int) -> None:
    """The director's word on a table."""
    answer = director.put(f"{path}/rounds/{round}/tables/{table}/result", {"points": list(points)})
    assert answer.status_code == 201, answer.text
