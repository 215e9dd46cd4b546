"""Command `kiebitz simulate`: random games as records, for every ruleset."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from domain.games import RULESETS
from tests.deploy.serving import run

DECKS = Path(__file__).parent.parent.parent.parent / "domain" / "games" / "quartett" / "decks"


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def simulated(*arguments: object) -> list[dict[str, Any]]:
    result = kiebitz("simulate", *arguments)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def moves(record: dict[str, Any]) -> int:
    return sum(len(hand["moves"]) for hand in record["hands"])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_random_games_are_accepted_by_check_and_by_import(ruleset: str, tmp_path: Path):
    out = tmp_path / "games.ndjson"
    assert kiebitz("simulate", ruleset, "--games", 3, "--max-moves", 150, "--out", out).exit_code == 0
    checked, imported = kiebitz("check", out), kiebitz("import", out, "--data", tmp_path / "data")
    assert (checked.exit_code, checked.stdout.splitlines()[-1]) == (0, "3 of 3 as they should be.")
    assert (imported.exit_code, imported.stdout.splitlines()[-1]) == (0, "3 of 3 recorded.")


def test_a_seed_always_gives_the_same_games_however_many_are_asked_for():
    first = run("simulate", "casino", "--games", "2", "--seed", "7").stdout
    again = run("simulate", "casino", "--games", "3", "--seed", "7").stdout
    assert again.startswith(first)
    assert [record["name"] for record in map(json.loads, again.splitlines())] == ["casino 7-1", "casino 7-2", "casino 7-3"]
    assert simulated("casino", "--seed", 8)[0]["hands"] != json.loads(first.splitlines()[0])["hands"]


def test_a_game_that_is_not_over_in_time_ends_in_the_middle_of_a_hand():
    [record] = simulated("casino", "--max-moves", 10)
    assert moves(record) == 10


def test_options_are_json_or_text_and_single_ones_count_more():
    given = ("--options", '{"sweeps": true, "target": 5}', "--option", "variant=royal", "--option", "target=11")
    [record] = simulated("casino", *given)
    assert (record["options"], record["seats"]) == ({"sweeps": True, "target": 11, "variant": "royal"}, 2)


def test_so_many_seats_as_the_options_need_unless_others_are_asked_for():
    assert simulated("casino", "--option", "partners=true")[0]["seats"] == 4
    assert simulated("casino", "--seats", 3)[0]["seats"] == 3


def test_an_option_can_be_read_from_a_file(tmp_path: Path):
    deck = json.loads((DECKS / "metals.json").read_text()) | {"id": "mine"}
    (tmp_path / "mine.json").write_text(json.dumps(deck))
    [record] = simulated("quartett-trumpf", "--option", f"deck_def=@{tmp_path / 'mine.json'}", "--max-moves", 5)
    assert record["options"] == {"deck_def": deck}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--seats", 9), "bad_seats (COM-11, CNO-1). This game cannot be played on 9 seats."),
        (("--option", "jokers=2"), "bad_option (COM-10, CNO-2). "),
        (("--option", "partners"), "is not NAME=VALUE"),
        (("--options", "[]"), "is not a JSON object"),
        (("--option", "target=@nowhere.json"), "nowhere.json: no such file or directory"),
    ],
)
def test_what_cannot_be_played_is_an_error_of_usage(arguments: tuple[object, ...], said: str):
    result = kiebitz("simulate", "casino", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_a_refused_set_up_is_told_in_german_too():
    assert "Mit 9 Sitzen geht dieses Spiel nicht." in kiebitz("simulate", "casino", "--seats", 9, "--lang", "de").stderr


def test_nothing_is_left_of_a_file_that_was_not_written_to_its_end(tmp_path: Path):
    assert kiebitz("simulate", "casino", "--seats", 9, "--out", tmp_path / "games.ndjson").exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_games_of_a_preset_hold_its_options_and_not_its_name():  # COM-45
    [record] = simulated("casino", "--option", "preset=source", "--option", "variant=royal", "--max-moves", 1)
    assert record["options"] == {
        "variant": "royal",
        "partners": False,
        "sweeps": True,
        "target": 21,
        "count_out": "order",
        "last_sweep": "not",
    }
