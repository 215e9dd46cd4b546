"""Scenarios for a store with a log, on both databases: backups, kills, moves, erasure, a lost tree."""

import os
import signal
from pathlib import Path

import pytest

from deploy.log.writer.writer import StoreChangedError
from replay.proof.checkpoints import read_checkpoint
from tests.deploy.log.writer.conftest import EMBEDDED
from tests.deploy.log.writer.logged_store import GAMES, Place, keeper_of, logged, place_at, signed_by
from tests.deploy.serving import Served, done, open_game, play_on, served, until
from tests.tampering import LENGTH

ORIGIN = "club.example/log/1"
KEYS = "KIEBITZ_LOG_FOLDER"


@pytest.fixture
def place(journal_url: str, tmp_path: Path) -> Place:
    """A game, signed."""
    found = place_at(tmp_path / "data", journal_url)
    found.record(GAMES[0])
    found.begin()
    found.sign()
    return found


def refused(server: Served) -> tuple[str, str]:
    """Return the state of the service, and why nothing is signed."""
    told = until(lambda: (found := logged(server))["error"] and found)
    return told["status"], told["error"].partition(":")[0]


def audited(place: Place) -> int:
    return place.kiebitz("audit", "--all").exit_code


def test_a_restored_backup_signs_nothing_until_the_events_are_back_or_the_log_is_forked(
    place: Place, tmp_path: Path, request: pytest.FixtureRequest
):
    server = None if place.settings.embedded else request.getfixturevalue("postgres_server")
    restored = place.copied(server, tmp_path / "restored")
    place.record(GAMES[1])
    before = place.sign()
    keys = {KEYS: str(place.settings.log_keys)}
    assert audited(restored) == 1
    with served(*restored.where, **keys) as service:
        assert refused(service) == ("degraded", "OtherStore")
        service.end()
    assert place.note == before
    assert (place.sign(), audited(place), audited(restored)) == (before, 0, 1)  # the right store in its place again
    restored.take_tree(place)
    restored.fork()
    restored.sign()
    assert restored.signed.size == LENGTH + 1
    told = restored.kiebitz("audit", "--all")
    assert (told.exit_code, f"the first {LENGTH} are the same" in told.output) == (0, True)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_what_was_signed_when_the_keeper_was_killed_is_published_as_it_was(place: Place):
    """SIGKILL between the file beside the key and the tables: nobody was told, and it is not forgotten."""
    before = place.signed.size
    with served(*place.where) as service, service.client() as client:
        until(lambda: signed_by(service))
        with place.publishing_held():
            open_game(client)
            until(lambda: place.signed.size > before)
            note = place.note
            assert place.head().note != note
            os.kill(keeper_of(service), signal.SIGKILL)
        told = until(lambda: signed_by(service, least=read_checkpoint(note).size))
        service.end()
    assert (told["origin"], told["status"], place.head().note, place.note) == (ORIGIN, "ready", note, note)
    assert audited(place) == 0


def test_a_tree_that_is_lost_is_made_anew_with_the_roots_that_were_signed(place: Place):
    before, note = place.head(), place.note
    place.lose_tree()
    place.sign()
    assert (place.head()[:3], place.note) == (before[:3], note)
    place.tamper("UPDATE events SET topic = 'note.added/1' WHERE sequence = 60")
    place.lose_tree()
    with pytest.raises(StoreChangedError):
        place.sign()
    assert place.note == note


@EMBEDDED
def test_what_is_erased_changes_nothing_that_was_signed(place: Place):
    """Names and words lie in registers; events hold ids, and digests whose salts go with the words."""
    with served(*place.where) as service, service.client() as client:
        done(client.post("/v1/players", json={"id": "p-anna", "name": "Anna"}))
        game = open_game(client)
        noted = done(client.post(f"/v1/games/{game}/notes", json={"text": "Anna saw a card."}))["position"]
        until(lambda: signed_by(service))
        before = place.signed
        done(client.post("/v1/players/p-anna/erasure", json={"confirm": "p-anna"}))
        done(client.delete(f"/v1/games/{game}/notes/{noted}"))
        until(lambda: place.signed.size > before.size)
        service.end()
    told = place.kiebitz("audit", "--all")
    assert (told.exit_code, "as they were signed" in told.output) == (0, True), told.output


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_two_services_on_one_database_keep_one_log(place: Place, tmp_path: Path):
    """Each with a keeper, both with the same key: each event stands in the tree once, and no checkpoint contradicts another."""
    other = ("--data", tmp_path / "other", *place.where[2:])
    with served(*place.where) as one, served(*other, **{KEYS: str(place.settings.log_keys)}) as two:
        with one.client() as here, two.client(one.token) as there:
            games = [open_game(here), open_game(there)]
            for turn in range(4):
                play_on(here, games[turn % 2])
                play_on(there, games[turn % 2])
        told = [until(lambda: signed_by(service, one.token)) for service in (one, two)]  # noqa: B023 # at once
        assert {(found["entries"], found["error"]) for found in told} == {(LENGTH + 10, None)}
        for service in (one, two):
            service.end()
    assert (place.signed.size, audited(place)) == (LENGTH + 10, 0)
