"""Command `kiebitz audit`, on the local store, in one process and in several."""

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
from domain.events.base import text_ref_of
from domain.events.tournament import ResultEntered
from domain.journal.commits import to_stored
from domain.journal.registers import Person
from domain.tournament.tournament import tournament_stream
from replay.audit_result import DivergenceKind
from tests.append_only import drop_triggers
from tests.deploy.serving import served
from tests.domain.test_rating_lists import rating_lists
from tests.replay.test_audit_of_players import a_directory
from tests.replay.test_audit_of_series import a_series
from tests.replay.test_audit_of_tournaments import a_full_tournament, place
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
    assert (result.exit_code, result.output.splitlines()) == (0, [*sound, "3 of 3 games, 0 of 0 tournaments, 0 of 0 players sound."])


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
    assert result.output.endswith("2 of 3 games, 0 of 0 tournaments, 0 of 0 players sound.\n")


def test_only_the_games_of_a_tournament(data: Path):
    result = kiebitz("audit", "--tournament", "spring", "--data", data, "--lang", "en")
    assert (result.exit_code, result.output) == (0, "0 of 0 games, 0 of 0 tournaments sound.\n")


def test_a_game_that_is_not_there_is_an_error(data: Path):
    for game in ("nonsense", UUID(int=9, version=4)):
        result = kiebitz("audit", game, "--data", data)
        assert (result.exit_code, result.stderr.startswith("Error: There is no game")) == (1, True)


@pytest.mark.parametrize("arguments", [(), ("--all", "--tournament", "x"), (str(GAMES[0]), "--all")])
def test_which_games_has_to_be_said_in_one_way(data: Path, arguments: tuple[str, ...]):
    assert kiebitz("audit", *arguments, "--data", data).exit_code == 2


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_kind_of_divergence_has_words(language: str):
    from deploy.config.failures import sentence

    for kind in DivergenceKind.__args__:  # pyrefly: ignore[missing-attribute]
        assert sentence(f"audit_{kind}", language) != f"audit_{kind}"


# Everything else that was recorded


@pytest.fixture
def season(data: Path) -> Path:
    """The games, three players, a tournament in which every result was entered, a series and rating lists."""
    with closing(open_events(f"sqlite:///{data / 'journal.db'}")) as recorder:
        recorded = a_full_tournament(games=False).events
        recorder.insert_events([to_stored(one) for one in (*recorded, *a_series(), *rating_lists())])
        for id in {ref.id for one in recorded if (ref := text_ref_of(one.event))}:  # erased: nobody said them
            recorder.change("INSERT INTO texts (id, body, salt) VALUES (?, NULL, NULL)", (id,))
        directory = a_directory()
        stamped = [
            (sequence, one)
            for name, own in directory.histories.items()
            for sequence, one in zip(directory.sequences[name], own, strict=True)
        ]
        for _, one in sorted(stamped, key=lambda one: one[0]):
            recorder.insert_events([to_stored(one)])
        recorder.enter_players([Person(name, name.title(), None, "2026-01-01T00:00:00Z", "p") for name in directory.histories])
    return data


TOURNAMENT_EVENTS = len(a_full_tournament(games=False).events)


def swap_points(data: Path) -> int:
    """Of a result that was entered; answers its position."""
    position, stream = place(a_full_tournament(games=False), ResultEntered), tournament_stream("spring").bytes
    with closing(sqlite3.connect(data / "journal.db", isolation_level=None)) as database:
        drop_triggers(database)
        where = "WHERE originator_id = ? AND originator_version = ?"
        change = f"UPDATE events SET state = CAST(replace(CAST(state AS TEXT), '[21,14]', '[14,21]') AS BLOB) {where}"
        assert database.execute(change, (stream, position)).rowcount == 1
    return position


def test_all_counts_games_tournaments_and_players(season: Path):
    result = kiebitz("audit", "--all", "--data", season, "--lang", "en")
    lines = [f"✓ {game} casino: sound, {LENGTH} events" for game in GAMES]
    lines += [f"✓ tournament spring: sound, {TOURNAMENT_EVENTS} events"]
    lines += [f"✓ player {name}: sound, {count}" for name, count in (("one", "8 events"), ("two", "7 events"), ("three", "1 event"))]
    lines += [f"✓ series cup: sound, {len(a_series())} events", "✓ rating lists of casino: sound, 2 events"]
    lines += ["3 of 3 games, 1 of 1 tournaments, 3 of 3 players, 1 of 1 series, 1 of 1 sets of rating lists sound."]
    assert (result.output.splitlines(), result.exit_code) == (lines, 0)


def test_a_changed_result_makes_the_exit_code_1(season: Path):
    position = swap_points(season)
    result = kiebitz("audit", "--all", "--data", season, "--lang", "de")
    assert result.exit_code == 1
    assert f"    Position {position + 1}: der Verweis passt nicht zum Ereignis davor: eines von beiden wurde verändert" in result.output
    assert result.output.endswith(
        "3 von 3 Partien, 0 von 1 Turnieren, 3 von 3 Spielern, 1 von 1 Serien, 1 von 1 Reihen von Wertungslisten in Ordnung.\n"
    )
    told = kiebitz("audit", "--tournament", "spring", "--data", season, "--lang", "en")
    assert (told.exit_code, told.output.splitlines()[-1]) == (1, "0 of 0 games, 0 of 1 tournaments sound.")


def test_as_json_tournaments_and_players_are_objects_of_their_own_kind(season: Path):
    found = [json.loads(line) for line in kiebitz("audit", "--all", "--json", "--data", season).output.splitlines()]
    assert [one["kind"] for one in found if "kind" in one] == ["tournament", "player", "player", "player", "series", "ratings"]
    count = TOURNAMENT_EVENTS
    assert found[3] == {
        "kind": "tournament",
        "id": "spring",
        "stream": str(tournament_stream("spring")),
        "verdict": "sound",
        "events": count,
        "judged": count,
        "divergences": [],
        "unjudged": [],
        "remarks": [],
    }


def test_several_processes_find_the_same_in_the_same_order(season: Path, monkeypatch: pytest.MonkeyPatch):
    tamper(season, "a_raised_score")
    swap_points(season)
    monkeypatch.setattr("deploy.cli.proofs.audits._BATCH", 10)
    monkeypatch.setattr("deploy.cli.bulk.FEW", 1)
    alone, together = (kiebitz("audit", "--all", "--jobs", jobs, "--data", season, "--lang", "en") for jobs in (1, 2))
    assert (together.output, together.exit_code) == (alone.output, 1)


def test_through_a_server_it_finds_as_much_as_the_token_may_see(season: Path):
    position = swap_points(season)
    with served("--data", season) as server:
        result = kiebitz("audit", "--all", "--url", server.url, "--token", server.token, "--lang", "en")
        assert result.exit_code == 1
        assert f"    position {position + 1}: the link does not fit the event before: one of the two was changed" in result.output
        assert result.output.endswith(
            "3 of 3 games, 0 of 1 tournaments, 3 of 3 players, 1 of 1 series, 1 of 1 sets of rating lists sound.\n"
        )
        issued = kiebitz("tokens", "issue", "--role", "viewer", "--data", season).output
        viewer = next(word for word in issued.split() if word.startswith("kb_"))
        seen = kiebitz("audit", "--all", "--url", server.url, "--token", viewer, "--lang", "en")
        assert seen.exit_code == 1
        assert "? tournament spring: this token may not read its audit" in seen.output
        assert seen.output.endswith("0 of 3 games, 0 of 1 tournaments, 0 of 3 players, 0 of 1 series, 0 of 1 sets of rating lists sound.\n")
        one = kiebitz("audit", GAMES[0], "--url", server.url, "--token", server.token, "--lang", "en")
        assert (one.output, one.exit_code) == (f"✓ {GAMES[0]} casino: sound, {LENGTH} events\n", 0)
