"""`kiebitz demo`: an evening that can be looked at afterwards."""

import re
from io import StringIO
from pathlib import Path

from click.testing import CliRunner, Result
from rich.console import Console

from deploy.cli import main
from deploy.demo.evening import Played
from deploy.demo.plans import Plan, first_plans, plans
from deploy.demo.sheets import WIDTH, sheet
from deploy.serve_lock import sole_writer
from domain.games import RULESETS
from tests.deploy.serving import done, served

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


def demo(data: Path, *arguments: object) -> Result:
    return CliRunner().invoke(main, ["demo", "--data", str(data), *map(str, arguments)])


def sheets(result: Result) -> str:
    """What is the same whenever the same is played."""
    return result.output[: ID.search(result.output).start()]  # type: ignore[union-attr]


def tables(result: Result) -> list[str]:
    return re.findall(r"^Table (\w+)", result.output, re.MULTILINE)


def test_every_game_has_a_table_and_its_sheet_is_printed(tmp_path: Path):
    result = demo(tmp_path)
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
    assert "Tisch Amsel: Casino und Royal Casino, 2 Plätze" in output
    assert re.search(r"Großes Casino +2 : 0 +0 : 2 +2 : 0", output)
    assert re.search(r"Zeisig .* läuft noch", output)


def test_the_same_seed_plays_the_same_and_another_seed_something_else(tmp_path: Path):
    first, again, other = demo(tmp_path / "1"), demo(tmp_path / "2"), demo(tmp_path / "3", "--seed", 2)
    assert sheets(first) == sheets(again)
    assert sheets(first) != sheets(other)


def test_the_evening_can_be_looked_at_with_the_printed_token_and_goes_on(tmp_path: Path):
    printed = demo(tmp_path).output
    token = re.search(r"kb_\S+", printed)
    assert token is not None
    with served("--data", tmp_path) as server, server.client(token[0]) as client:
        games = done(client.get("/v1/games"))["games"]
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


def test_no_demo_is_recorded_beside_a_running_server(tmp_path: Path):
    with sole_writer(tmp_path / "serve.lock", "serve"):
        result = demo(tmp_path)
    assert (result.exit_code, "in use by kiebitz serve" in result.stderr) == (1, True)
