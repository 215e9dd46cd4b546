"""`kiebitz demo`: an evening that can be looked at afterwards, and a season."""

import re
from contextlib import closing
from io import StringIO
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace
from rich.console import Console

from deploy.cli.main import main
from deploy.demo import tournaments
from deploy.demo.evening import Played
from deploy.demo.plans import Plan, first_plans, plans
from deploy.demo.scripts import HAPPENINGS, Request, script_with
from deploy.demo.season import Round, cups, fixtures, players, rounds, words
from deploy.demo.sheets import WIDTH, sheet
from deploy.processes.serve_lock import sole_writer
from deploy.stores.opening import open_events
from domain.games import RULESETS
from domain.journal.archive import from_stored
from tests.api.conftest import Service, service
from tests.deploy.serving import done, served

__all__ = ["service"]  # a fixture

REF = re.compile(rb'"id":"[0-9a-f-]{36}","digest":"[^"]+"')
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


def demo(data: Path, *arguments: object) -> Result:
    return CliRunner().invoke(main, ["demo", "--no-serve", "--data", str(data), *map(str, arguments)])


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """Where an evening was recorded, and what was printed of it."""
    data = tmp_path_factory.mktemp("evening")
    return data, demo(data)


def sheets(result: Result) -> str:
    """What is the same whenever the same is played."""
    return result.output[: ID.search(result.output).start()]  # type: ignore[union-attr]


def tables(result: Result) -> list[str]:
    return re.findall(r"^Table (\w+)", result.output, re.MULTILINE)


def test_every_game_has_a_table_and_its_sheet_is_printed(evening: tuple[Path, Result]):
    _, result = evening
    assert result.exit_code == 0, result.output
    assert tables(result) == [plan.table for plan in first_plans(RULESETS)]
    for ruleset in RULESETS.values():
        assert f": {ruleset.about().names['en']}, " in result.output
    assert re.search(r"Amsel +Casino and Royal Casino +3 +148 +8 : 25 +seat 1", result.output)
    assert re.search(r"Zeisig +Casino and Royal Casino +1 .* still playing", result.output)


def test_nothing_printed_on_a_sheet_is_wider_than_a_terminal(tmp_path: Path):
    output = sheets(demo(tmp_path, "--games", 24, "--seed", 5))
    assert max(len(line.rstrip()) for line in output.splitlines()) <= WIDTH


def test_it_is_printed_in_german_if_that_is_asked_for(tmp_path: Path):
    output = demo(tmp_path, "--lang", "de").output
    assert "Tisch Amsel: Casino und Royal Casino, 2 Sitze" in output
    assert re.search(r"Großes Casino +2 : 0 +0 : 2 +2 : 0", output)
    assert re.search(r"Zeisig .* läuft noch", output)


def test_the_same_seed_plays_the_same_and_another_seed_something_else(evening: tuple[Path, Result], tmp_path: Path):
    first, again, other = evening[1], demo(tmp_path / "2"), demo(tmp_path / "3", "--seed", 2)
    assert sheets(first) == sheets(again)
    assert sheets(first) != sheets(other)


def test_the_evening_can_be_looked_at_with_the_printed_token_and_goes_on(evening: tuple[Path, Result]):
    printed = evening[1].output
    token = re.search(r"kb_\S+", printed)
    assert token is not None
    with served("--data", evening[0]) as server, server.client(token[0]) as client:
        games = [game for game in done(client.get("/v1/games?limit=200"))["games"] if game["tournament"] is None]
        assert {game["table"] for game in games} == {plan.table for plan in first_plans(RULESETS)}
        assert {game["id"] for game in games} <= set(ID.findall(printed))
        assert "Zeisig" in [game["table"] for game in games if game["turn"] is not None]


def test_more_games_are_played_if_asked_for():
    first = first_plans(RULESETS)
    many = plans(RULESETS, 30)
    assert (plans(RULESETS, 1), many[: len(first)]) == (first[:1], first)
    assert len({plan.table for plan in many}) == 30
    assert [plan for plan in many[len(first) :] if plan.record] == []


def test_a_ruleset_that_nobody_planned_for_has_a_table_too():
    unplanned = {"sixth": RULESETS["casino"]}
    assert [(plan.table, plan.ruleset, plan.options) for plan in first_plans(unplanned)] == [("Amsel", "sixth", {})]


def a_long_match(hands: int) -> Played:
    points = {"rows": {"cards": (3, 100), "sweeps": (0, 0)}, "points": (3, 100), "totals": (3, 100), "end": "played_out"}
    told = {"rows": ["cards", "sweeps"], "hands": [{"hand": number + 1, **points} for number in range(hands)]}
    return Played(Plan("casino", "Amsel"), {"seats": 2}, told)


def printed(hands: int) -> str:
    console = Console(width=WIDTH, file=StringIO())
    console.print(sheet(a_long_match(hands), RULESETS["casino"].about(), "en"))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_of_a_long_match_the_last_hands_are_printed_and_what_is_left_out_is_told():
    found = printed(40)
    assert re.findall(r"hand (\d+)", found) == [str(number) for number in range(35, 41)]
    assert "Earlier hands left out: 34. Rows without points left out: 1." in found


def test_of_a_game_in_its_first_hand_there_is_no_sheet_yet():
    assert "No hand is over yet." in printed(0)


def test_of_every_game_there_is_a_table_that_plays_on_and_one_that_has_finished(evening: tuple[Path, Result]):
    output = evening[1].output
    rows = re.findall(r"^  (?:[A-ZÄÖÜ][a-zäöüß]+) {2,}(\S.*?) {2,}.*?(still playing)?\s*$", output, re.MULTILINE)
    for ruleset in RULESETS.values():
        assert {bool(on) for name, on in rows if name == ruleset.about().names["en"]} == {True, False}


def test_what_was_played_is_there_once_when_the_evening_is_recorded_again(tmp_path: Path):
    first, again = demo(tmp_path, "--games", 3), demo(tmp_path, "--games", 3)
    assert ID.findall(first.output) == ID.findall(again.output)


def test_no_demo_is_recorded_beside_a_running_server(tmp_path: Path):
    with sole_writer(tmp_path / "serve.lock", "serve"):
        result = demo(tmp_path)
    assert (result.exit_code, "in use by kiebitz serve" in result.stderr) == (1, True)


# The season


def large(data: Path, games: int, *arguments: object) -> Result:
    result = demo(data, "--size", "large", "--games", games, *arguments)
    assert result.exit_code == 0, result.output
    return result


def recorded(data: Path) -> list[list[tuple[str, Any]]]:
    """The names and bodies of the events of each game; without the references to texts, whose ids and salts are new each time."""
    with closing(open_events(f"sqlite:///{data}/journal.db")) as store:
        histories = [[from_stored(event) for event in store.select_events(game)] for game in store.games()]
    return sorted([[(event.name, REF.sub(b"", event.state.partition(b'"body":')[2])) for event in history] for history in histories])


def test_the_season_that_was_broken_off_goes_on_where_it_was(tmp_path: Path):
    assert "Recorded: 18 games" in large(tmp_path / "1", 18).output
    again = large(tmp_path / "1", 20).output
    assert "Of these games 16 were there already.\nRecorded: 4 games" in again
    large(tmp_path / "2", 20)
    assert recorded(tmp_path / "1") == recorded(tmp_path / "2")
    assert len(recorded(tmp_path / "2")) == 20


def test_the_season_tells_how_to_go_on_with_it_and_can_be_looked_at(tmp_path: Path):
    output = large(tmp_path, 1, "--seed", 4, "--lang", "de").output
    assert f"demo --size large --games 1 --seed 4 --data {tmp_path}" in output
    [token] = re.findall(r"kb_\S+", output)
    with served("--data", tmp_path) as server, server.client(token) as client:
        asked = [client.get(path) for path in re.findall(r'"http://127.0.0.1:8000(/v1/\S+)"', output)]
        assert [answer.status_code for answer in asked] == [200, 200, 200]
        assert done(client.get("/v1/tournaments/s4-sweeps-open-1"))["title"] == "Sweeps open 1"
        [game] = done(client.get("/v1/games?tournament=s4-sweeps-open-1"))["games"]
        directory = {player.id: player.name for player in players()}
        assert [done(client.get(f"/v1/players/{id}"))["name"] for id in game["players"]] == [directory[id] for id in game["players"]]


def test_an_evening_is_no_season(tmp_path: Path):
    for arguments in (("--games", 201), ("--database-url", "postgresql://localhost/club")):
        result = demo(tmp_path, *arguments)
        assert (result.exit_code, "For a season: --size large." in result.stderr) == (2, True)


def test_a_seed_has_one_season_however_much_of_it_is_played():
    each_cup_once = sum(cup.rounds * cup.tables for cup in cups(RULESETS))
    season = list(islice(fixtures(RULESETS, 1), each_cup_once))
    assert list(islice(fixtures(RULESETS, 1), 70)) == season[:70]
    assert {fixture.cup.ruleset for fixture in season} == RULESETS.keys()
    assert len({(fixture.tournament, fixture.round, fixture.table) for fixture in season}) == each_cup_once
    assert [fixture.number for fixture in season] == list(range(1, each_cup_once + 1))


def test_nobody_sits_at_two_tables_of_a_round():
    by_round: dict[tuple[str, int], list[str]] = {}
    for fixture in islice(fixtures(RULESETS, 1), 720):
        by_round.setdefault((fixture.tournament, fixture.round), []).extend(fixture.players)
    assert all(len(set(seated)) == len(seated) for seated in by_round.values())
    assert {player for seated in by_round.values() for player in seated} <= {player.id for player in players()}


def test_a_ruleset_that_nobody_planned_for_has_a_cup_too():
    unplanned = {"sixth": RULESETS["casino"]}
    assert [(cup.name, cup.ruleset, cup.options) for cup in cups(unplanned)] == [("sixth-cup", "sixth", {})]
    assert next(fixtures(unplanned, 1)).cup.seats == 2


def test_every_name_in_the_pool_is_there_once():
    pool = players()
    assert len({player.id for player in pool}) == len({player.name for player in pool}) == len(pool)
    assert {player.club for player in pool} == set(words("clubs"))


def small(key: str, name: str) -> Round:
    """A tournament of one table and one round."""
    first = next(rounds({key: RULESETS[key]}, 1))
    table = replace(first.fixtures[0], tournament=name)
    return Round(name, 1, replace(first.cup, rounds=1), table.players, (table,))


@pytest.mark.parametrize(("what", "key"), list(zip(HAPPENINGS, cycle(RULESETS), strict=False)))
def test_whatever_happens_in_a_season_the_service_records_it(service: Service, what: str, key: str):
    def post(path: str, request: Request) -> Any:
        answer = service.caller(request.role).post(path, request.body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    director, round, path = service.caller("director"), small(key, f"{what}-{key}"), "/v1/games"
    told = script_with(round.fixtures[0], what, Random(round.tournament))
    for request in tournaments.pairing(round):
        post(request.path, request)
    for request in told.requests:
        path = f"/v1/games/{post(path + request.path, request)['game']}"
    for request in tournaments.closing(round, [told]):
        post(request.path, request)
    game = director.get(path).json()
    assert game["phase"] == "game_over" or game["standing"] != "open" or what == "unfinished"
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"
    assert director.get(f"/v1/tournaments/{round.tournament}").json()["state"] == "finished"
