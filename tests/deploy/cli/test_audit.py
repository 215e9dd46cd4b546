"""`kiebitz audit`: on a store of its own, in one process and in several."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.stores.migrating import migrate
from deploy.stores.opening import open_events
from domain.journal.mapper import to_stored
from replay.findings import DivergenceKind
from tests.append_only import drop_triggers
from tests.tampering import LENGTH, TAMPERINGS, a_game, rows_of

GAMES = [UUID(int=number, version=4) for number in range(1, 4)]
TAMPERED = GAMES[1]


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three games."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    url = f"sqlite:///{folder / 'journal.db'}"
    migrate(url)
    with closing(open_events(url)) as recorder:
        for game in GAMES:
            recorder.insert_events([to_stored(recorded) for recorded in a_game(game=game)])
    return folder


def tamper(data: Path, name: str) -> None:
    """With the second game."""
    before = rows_of(a_game(game=TAMPERED))
    after = TAMPERINGS[name].way(before)
    with closing(sqlite3.connect(data / "journal.db", isolation_level=None)) as database:
        drop_triggers(database)
        database.execute("DELETE FROM events WHERE originator_id = ?", (TAMPERED.bytes,))
        for position, row in after.items():
            names = "originator_id, originator_version, topic, state"
            database.execute(f"INSERT INTO events ({names}) VALUES (?, ?, ?, ?)", (TAMPERED.bytes, position, *row))


def test_sound_games_have_a_line_each_and_the_exit_code_0(data: Path):
    result = kiebitz("audit", "--all", "--data", data, "--lang", "en")
    sound = [f"✓ {game} casino: sound, {LENGTH} events" for game in GAMES]
    assert (result.exit_code, result.output.splitlines()) == (0, [*sound, "3 of 3 sound."])


def test_divergences_are_told_in_full_and_the_exit_code_is_1(data: Path):
    tamper(data, "a_number_that_became_true")
    result = kiebitz("audit", TAMPERED, "--data", data, "--lang", "de")
    lines = result.output.splitlines()
    assert result.exit_code == 1
    assert lines[0] == f"✗ {TAMPERED} casino: weicht ab (3), {LENGTH} von {LENGTH} Ereignissen geprüft"
    assert lines[1:4] == [
        "    Position 3: nach den Regeln geschieht etwas anderes",
        '        aufgezeichnet: effect 3: ["mark","last_capturer",false,null]',
        '        erwartet: effect 3: ["mark","last_capturer",0,null]',
    ]


def test_as_json_it_is_one_object_a_line(data: Path):
    tamper(data, "no_json")
    result = kiebitz("audit", "--all", "--json", "--data", data)
    found = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 1
    assert {one["game"]: one["verdict"] for one in found} == {str(game): "divergent" if game == TAMPERED else "sound" for game in GAMES}


def test_a_game_whose_opening_is_gone_is_audited_with_all_others(data: Path):
    tamper(data, "no_opening")
    result = kiebitz("audit", "--all", "--data", data, "--lang", "en")
    assert f"✗ {TAMPERED} ?: divergent (1), 0 of {LENGTH - 1} events judged" in result.output.splitlines()
    assert result.output.endswith("2 of 3 sound.\n")


def test_several_processes_find_the_same_in_the_same_order(data: Path, monkeypatch: pytest.MonkeyPatch):
    tamper(data, "a_raised_score")
    monkeypatch.setattr("deploy.cli.audit._BATCH", 10)
    monkeypatch.setattr("deploy.cli.audit._FEW", 1)
    alone, together = (kiebitz("audit", "--all", "--jobs", jobs, "--data", data, "--lang", "en") for jobs in (1, 2))
    assert together.output == alone.output


def test_only_the_games_of_a_tournament(data: Path):
    result = kiebitz("audit", "--tournament", "spring", "--data", data, "--lang", "en")
    assert (result.exit_code, result.output) == (0, "0 of 0 sound.\n")


def test_a_game_that_is_not_there_is_an_error(data: Path):
    for game in ("nonsense", UUID(int=9, version=4)):
        result = kiebitz("audit", game, "--data", data)
        assert (result.exit_code, result.stderr.startswith("Error: there is no game")) == (1, True)


@pytest.mark.parametrize("arguments", [(), ("--all", "--tournament", "x"), (str(GAMES[0]), "--all")])
def test_which_games_has_to_be_said_in_one_way(data: Path, arguments: tuple[str, ...]):
    assert kiebitz("audit", *arguments, "--data", data).exit_code == 2


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_kind_of_divergence_has_words(language: str):
    from deploy.language import sentence

    for kind in DivergenceKind.__args__:  # type: ignore[attr-defined]
        assert sentence(f"audit_{kind}", language) != f"audit_{kind}"
