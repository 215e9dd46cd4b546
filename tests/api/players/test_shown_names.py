"""Names where players are shown: on sheets to print and in sheets for spreadsheets, before whose eyes."""

import csv
import io
from collections.abc import Iterator

import pytest

from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.api.people import act, erase, merge, register


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(settings_of(tmp_path_factory.mktemp("service")), without_limits) as service:
        director = service.caller("director")
        register(director, "s1", "Anna Müller", alias="Falke")
        register(director, "s2", "=Bert")
        register(director, "s3", "A. Müller")
        merge(director, "s3", "s1")
        yield service


def players(caller: Caller, game: str) -> list[str]:
    """The line of the sheet that names the players."""
    lines = csv.reader(io.StringIO(caller.get(f"/v1/games/{game}/score-sheet?format=csv").text))
    return next((line[4:] for line in lines if line[3] == "players"), [])


def page(caller: Caller, game: str) -> str:
    return str(caller.get(f"/v1/games/{game}/score-sheet?format=html").text)


def test_officials_read_names_and_viewers_aliases(service: Service):
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    game = recorder.open(players=["s1", "s2"])
    assert (players(recorder, game), players(viewer, game)) == (["Anna Müller", "'=Bert"], ["Falke", ""])
    assert "Anna Müller" in page(recorder, game)
    assert "Falke" in page(viewer, game)
    assert "Anna" not in page(viewer, game)


def test_a_merged_id_is_shown_as_the_person(service: Service):
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    game = recorder.open(players=["s3", "never registered"])
    assert (players(recorder, game), players(viewer, game)) == (["Anna Müller", ""], ["Falke", ""])


def test_partners_stand_in_one_column(service: Service):
    recorder = service.caller("recorder")
    game = recorder.open(seats=4, options={"partners": True}, players=["s1", "x", None, "s2"])
    assert players(recorder, game) == ["Anna Müller", "'=Bert"]


def test_a_game_that_names_nobody_has_no_such_line(service: Service):
    recorder = service.caller("recorder")
    assert players(recorder, recorder.open()) == []


def test_who_holds_a_sheet_is_told_when_a_name_has_changed_or_gone(service: Service):
    director = service.caller("director")
    register(director, "s9", "Dora")
    game = director.open(players=["s9", None])
    for format in ("csv", "html"):
        path = f"/v1/games/{game}/score-sheet?format={format}"
        held = {"If-None-Match": director.get(path).headers["etag"]}
        assert director.get(path, headers=held).status_code == 304
        act(director, "s9", "name", {"name": f"Dora of {format}"})
        assert f"Dora of {format}" in director.get(path, headers=held).text
    erase(director, "s9")
    assert players(director, game) == []
