"""The audit over HTTP, and what is still answered of games whose events somebody has tampered with, in a real store."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from deploy.compose import open_services
from deploy.config.settings import Settings
from domain.journal.commits import to_stored
from tests.api.client import Client
from tests.api.conftest import Caller, Service, app_of, running, settings_of, trailing, without_limits
from tests.api.contract import Contract
from tests.api.games.test_writing import dealt, first_card
from tests.api.play import worked
from tests.append_only import drop_triggers
from tests.tampering import REWIND, TAMPERINGS, UNSEEN, Rows, a_game, rows_of

TOLD = ("a_card_of_an_effect", "a_dropped_move", "no_json", "an_event_of_another_game")
"""Of every way the audit itself is held against what it has to find in ``tests/replay/test_audit.py``; these say how HTTP tells it."""
UNREADABLE = (
    "no_json",
    "no_bytes",
    "no_utf8",
    "brackets_without_end",
    "a_field_too_many",
    "an_effect_of_an_unknown_word",
    "a_time_without_an_offset",
    "an_unknown_name",
    "a_dropped_move",
    "all_effects_removed",
    "a_zone_laid_in_the_middle",
    "a_turn_passed_to_nobody",
    "a_game_closed_in_the_middle",
    "a_deck_cut_short",
    "a_deal_dropped",
    "a_seat_that_does_not_exist",
    "a_move_that_is_none",
    "a_restored_table_without_zones",
    "a_rewind_to_no_position",
    "a_second_opening",
    "options_that_no_game_has",
    "another_number_of_seats",
    "a_row_of_the_sheet_gone",
    "a_player_on_two_seats",
    "the_last_move_is_no_json",
)
"""What a reader may stumble over: events that cannot be decoded, folded, or told."""
UNPROVEN = "the_tail_cut_off"
NO_OPENING = ("an_opening_that_is_no_json", "no_opening", "the_opening_after_the_deal")
"""Without an opening there is no game: reads answer that it is corrupt. But lists, and the audit, go on."""


def test_a_game_as_it_was_played_is_sound(recorder: Caller):
    game = worked(recorder, "game-two-players-classic")
    answer = recorder.get(f"/v1/games/{game}/audit")
    events = recorder.get(f"/v1/games/{game}").json()["position"]
    sound = {"game": game, "ruleset": "casino", "verdict": "sound", "events": events, "judged": events}
    assert answer.json() == {**sound, "divergences": [], "unjudged": [], "remarks": []}
    assert (answer.headers["cache-control"], "etag" in answer.headers) == ("no-store", False)


def test_a_game_with_a_rewind_is_sound(recorder: Caller):
    game = dealt(recorder)
    recorder.trail(game, 0, first_card(recorder, game))
    recorder.post(f"/v1/games/{game}/rewinds", {"to": 2, "reason": "the wrong card"})
    recorder.trail(game, 0, first_card(recorder, game))
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def test_there_is_no_audit_of_a_game_that_does_not_exist(recorder: Caller):
    answer = recorder.get(f"/v1/games/{uuid4()}/audit")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_game")


def test_what_officials_did_is_held_against_what_they_may_do(service: Service):
    recorder, arbiter = service.caller("recorder"), service.caller("arbiter")
    game = dealt(recorder)
    hands = recorder.get(f"/v1/games/{game}/table").json()["hands"]
    recorder.trail(game, 0, hands[0][0])
    effects = [["moved", [hands[0][1]], "hand:0", "board"]]
    stood = {**trailing(0, hands[0][1]), "effects": [*effects, ["turn", "play", 1, [1]]]}
    for what, body in (
        ("stood-moves", stood),
        ("rectifications", {"effects": [["moved", [hands[0][1]], "board", "hand:0"]], "reason": "It was not."}),
        ("adjustments", {"adjustments": [{"party": 1, "points": -2}, {"party": 0, "points": 1}], "reason": "Late."}),
        ("disputes", {"position": 3, "claim": "The wrong card.", "suspends": True}),
        ("rulings", {"dispute": 1, "decision": "rewind", "to": 2, "reason": "It was."}),
    ):
        answer = arbiter.post(f"/v1/games/{game}/{what}", body)
        assert answer.status_code == 201, answer.text
    recorder.trail(game, 0, hands[0][2])
    found = recorder.get(f"/v1/games/{game}/audit").json()
    assert (found["verdict"], found["divergences"]) == ("sound", [])


# Tampered with in the store


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A store with a game for each way to tamper with one."""
    return settings_of(tmp_path_factory.mktemp("tampered"))


@pytest.fixture(scope="module")
def games(settings: Settings) -> dict[str, UUID]:
    """By the name of the way. The service has recorded and projected them before somebody tampers with them."""
    ways = {name: TAMPERINGS[name].way for name in dict.fromkeys((*TOLD, *UNREADABLE, *NO_OPENING))} | {UNPROVEN: UNSEEN[UNPROVEN]}
    # As an older version began them: no event knows the id, so that one game stands for all, also with its links made anew.
    history = a_game(bound=False)
    found, before = {name: uuid4() for name in ways}, rows_of(history)
    with running(settings, without_limits) as service:
        for game in found.values():
            service.services.journal.store.insert_events([to_stored(replace(recorded, stream=game)) for recorded in history])
    for name, way in ways.items():
        overwrite(settings, found[name], before, way(before))
    return found


def overwrite(settings: Settings, game: UUID, before: Rows, after: Rows) -> None:
    """Only what was tampered with is touched."""
    with closing(sqlite3.connect(settings.journal_file, isolation_level=None)) as database:
        drop_triggers(database)
        id, where = game.bytes, "WHERE originator_id = ? AND originator_version = ?"
        for position in before.keys() | after.keys():
            if position not in after:
                database.execute(f"DELETE FROM events {where}", (id, position))
            elif position not in before:
                names = "originator_id, originator_version, topic, state"
                database.execute(f"INSERT INTO events ({names}) VALUES (?, ?, ?, ?)", (id, position, *after[position]))
            elif before[position] != after[position]:
                database.execute(f"UPDATE events SET topic = ?, state = ? {where}", (*after[position], id, position))


@pytest.fixture(scope="module")
def tampered(settings: Settings, games: Mapping[str, UUID]) -> Iterator[Service]:
    """The service started again on that store, its projections filled anew."""
    with open_services(settings, alone=settings.embedded) as opened_again:
        services = without_limits(opened_again)
        with app_of(services) as app, Client(app) as client:
            yield Service(services, client, Contract(client.get("/openapi.json").json()))


@pytest.mark.parametrize("name", TOLD)
def test_tampering_in_the_store_is_found_where_it_was_done(tampered: Service, games: Mapping[str, UUID], name: str):
    tampering, found = TAMPERINGS[name], tampered.caller("recorder").get(f"/v1/games/{games[name]}/audit").json()
    assert found["verdict"] == "divergent"
    assert {(divergence["position"], divergence["kind"]) for divergence in found["divergences"]} >= set(tampering.found)
    assert found["divergences"][0]["position"] == min(position for position, _ in tampering.found)


def test_what_a_store_cannot_prove_by_itself_is_not_found(tampered: Service, games: Mapping[str, UUID]):
    assert tampered.caller("recorder").get(f"/v1/games/{games[UNPROVEN]}/audit").json()["verdict"] == "sound"


def reads(game: UUID) -> Iterator[str]:
    yield from (
        "",
        "/history?limit=1000",
        "/record",
        "/record?full=true",
        "/legal-moves",
        "/replay?limit=100",
        "/table?at=2026-11-21T19:00:30Z",
    )
    yield from (f"/score-sheet?format={form}" for form in ("json", "html"))
    yield from (f"/table?position=20&view={view}" for view in ("public", "seat:1"))
    for position in (REWIND, 21):
        yield from (f"/table?position={position}", f"/score-sheet?position={position}", f"/legal-moves?position={position}")


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_damaged_game_still_answers(tampered: Service, games: Mapping[str, UUID], name: str):
    recorder, viewer, game = tampered.caller("recorder"), tampered.caller("viewer"), games[name]
    for path in reads(game):
        for caller in (recorder, viewer):
            answer = caller.get(f"/v1/games/{game}{path}")
            assert answer.status_code < 500, f"{path}: {answer.text}"
    for position in (20, 54):
        tried = {"position": position, "moves": [trailing(seat, card) for seat in (0, 1) for card in ("KC", "2D")]}
        assert recorder.post(f"/v1/games/{game}/branches", tried).status_code in (200, 404, 422)
        assert recorder.post(f"/v1/games/{game}/legal-moves", {**trailing(0, "KC"), "position": position}).status_code in (200, 404, 422)
    lines = recorder.get(f"/v1/games/{game}/history", headers={"Accept": "application/x-ndjson"})
    assert lines.text.count("\n") == len(recorder.get(f"/v1/games/{game}/history?limit=1000").json()["events"])


@pytest.mark.parametrize("name", NO_OPENING)
def test_without_an_opening_there_is_no_game_to_read(tampered: Service, games: Mapping[str, UUID], name: str):
    answer = tampered.caller("recorder").get(f"/v1/games/{games[name]}/table")
    assert (answer.status_code, answer.json()["code"]) == (500, "corrupt")


def test_damaged_games_keep_nobody_from_the_lists_and_projections_can_be_filled_anew(tampered: Service, games: Mapping[str, UUID]):
    recorder = tampered.caller("recorder")
    for name in [status.name for status in tampered.services.projector.status()]:
        tampered.services.projector.rebuild(name, accept_missing=True)  # some of the events are gone
    listed = recorder.get("/v1/games?limit=200").json()["items"]
    assert {game["id"] for game in listed} >= {str(game) for name, game in games.items() if name not in NO_OPENING}


def test_what_the_audit_of_a_closed_game_names_is_not_for_a_viewer(tampered: Service, games: Mapping[str, UUID]):
    answer = tampered.caller("viewer").get(f"/v1/games/{games['a_card_of_an_effect']}/audit")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_an_official_who_reads_where_the_cards_of_a_closed_game_diverge_leaves_a_line(tampered: Service, games: Mapping[str, UUID]):
    game = games["a_card_of_an_effect"]
    tampered.caller("committee").get(f"/v1/games/{game}/audit")
    looks = tampered.caller("director").get(f"/v1/games/{game}/looks").json()["items"]
    assert {(look["by"], look["view"]) for look in looks if look["by"] == "p_committee"} == {("p_committee", "arbiter")}
