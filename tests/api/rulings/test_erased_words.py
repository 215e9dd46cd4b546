"""Confidential words: what an event holds of them leads nobody to them, no viewer gets it, and erased they are gone altogether."""

import json
from hashlib import sha256
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from domain.events.base import TextRef
from domain.events.game import NoteAdded
from domain.journal.commits import Call
from tests.api.conftest import Caller, Service, running, settings_of
from tests.api.play import worked
from tests.api.rulings.test_rulings import dealt, sent
from tests.api.tournament import announced
from tests.append_only import drop_triggers
from tests.deploy.stores.stores import sql_of

WORDS = "Anna was drunk"
OLD = sha256(WORDS.encode()).hexdigest()

EXITS = (
    "",
    "/table",
    "/table?view=arbiter",
    "/history?limit=1000",
    "/replay?limit=1000",
    "/replay?view=arbiter",
    "/stream?view=arbiter",
    "/replay?view=arbiter&tables=false&wait=1",
    "/score-sheet?format=json",
    "/score-sheet?format=csv",
    "/score-sheet?format=html",
    "/disputes",
    "/record",
    "/audit",
)


def references(official: Caller, game: str) -> list[dict[str, str]]:
    """The references to words in a game's events."""
    events = official.get(f"/v1/games/{game}/history?limit=1000").json()["events"]
    found = [event["body"].get(name) for event in events for name in ("reason", "claim", "text")]
    return [one for one in found if one]


def spoken(service: Service) -> str:
    """An open game in which much was said: a note of before there were salts, a note, a dispute, points given before a rewind."""
    director = service.caller("director")
    game = worked(director, "game-two-players-classic")
    old = NoteAdded(TextRef(str(uuid4()), OLD))
    service.services.journal.commit_now(Call("p_director"), UUID(game), lambda now: (old,))
    sent(director, game, "notes", {"text": WORDS})
    sent(director, game, "adjustments", {"adjustments": [{"party": 0, "points": -1}], "reason": "late"})
    sent(director, game, "disputes", {"claim": "He saw a card."})
    sent(director, game, "rulings", {"dispute": 1, "decision": "rewind", "to": 3, "reason": "He did."})
    sent(director, game, "abandonment", {"reason": "They went home."})
    return game


# What an event holds of them


def test_the_digest_of_words_is_salted_and_the_salt_is_kept_beside_them(new_service: Service):
    director = new_service.caller("director")
    game = dealt(director)
    for _ in range(2):
        sent(director, game, "notes", {"text": WORDS})
    first, second = references(director, game)
    found = [new_service.services.registers.find_text(one["id"]) for one in (first, second)]
    for reference, text in zip((first, second), found, strict=True):
        assert text is not None
        assert text.salt is not None
        assert (text.body, len(text.salt)) == (WORDS, 16)
        assert reference["digest"] == f"b1:{sha256(text.salt + WORDS.encode()).hexdigest()}"
    assert first["digest"] != second["digest"]


def test_the_title_of_a_tournament_and_the_reason_of_a_rewind_are_salted_like_any_words(service: Service):
    director = service.caller("director")
    tournament, game = announced(director, title=WORDS), dealt(director)
    director.trail(game, 0, "4S")
    sent(director, game, "rewinds", {"to": 2, "reason": WORDS})
    title = director.get(f"{tournament}/history").json()["events"][0]["body"]["title"]
    assert [one["digest"][:3] for one in (title, *references(director, game))] == ["b1:", "b1:"]


# Who gets it


def test_no_exit_tells_a_viewer_the_digest_or_the_id_of_words_though_all_cards_are_open(service: Service):
    director, viewer, game = service.caller("director"), service.caller("viewer"), spoken(service)
    kept = [part for one in references(director, game) for part in one.values()]
    assert (len(kept), OLD in kept) == (14, True)
    for path in EXITS:
        for accept in ("*/*", "application/x-ndjson"):
            answer = viewer.get(f"/v1/games/{game}{path}", headers={"Accept": accept})
            assert answer.status_code in (200, 406)
            assert [one for one in kept if one in answer.text] == [], path


def test_no_text_id_stands_on_a_sheet_that_a_rewind_restores_for_viewers(service: Service):
    director, viewer = service.caller("director"), service.caller("viewer")
    game = worked(director, "hand-two-players-classic")
    sent(director, game, "adjustments", {"adjustments": [{"party": 0, "points": -1}], "reason": "late"})
    director.deal(game)
    sent(director, game, "disputes", {"claim": "misdealt"})
    position = director.get(f"/v1/games/{game}").json()["position"]
    sent(director, game, "rulings", {"dispute": 1, "decision": "rewind", "to": position - 2, "reason": "misdealt"})
    late = references(director, game)[0]["id"]
    assert late in director.get(f"/v1/games/{game}/history?limit=1000").text
    assert late not in viewer.get(f"/v1/games/{game}/history?limit=1000").text


def test_a_viewer_s_audit_says_where_something_diverges_and_not_what_stands_there(service: Service):
    director, viewer, game = service.caller("director"), service.caller("viewer"), spoken(service)
    sql = sql_of(service.services.registers)
    stream, last = sql.to_column(UUID(game)), director.get(f"/v1/games/{game}").json()["position"]
    drop_triggers(sql)
    sql.change("UPDATE events SET topic = 'note.added/9' WHERE originator_id = ? AND originator_version = ?", (stream, last))
    told, shown = (caller.get(f"/v1/games/{game}/audit").json() for caller in (director, viewer))
    assert [one["kind"] for one in told["divergences"]] == ["unknown_name"]
    assert "b1:" in told["divergences"][0]["recorded"]
    assert shown == told | {"divergences": [told["divergences"][0] | {"recorded": "…", "recomputed": "…"}]}


# Erased


def erased(director: Caller, game: str, position: int) -> bool:
    return bool(director.delete(f"/v1/games/{game}/notes/{position}").json()["erased"])


def test_with_words_go_their_salt_and_the_fingerprint_of_the_request_that_held_them(new_service: Service):
    director = new_service.caller("director")
    game, registers = dealt(director), new_service.services.registers
    for key in ("first", "second"):
        position = sent(director, game, "notes", {"text": WORDS}, headers={"Idempotency-Key": key})["position"]
    [_, reference] = references(director, game)
    assert (erased(director, game, position), erased(director, game, position)) == (True, False)
    assert (registers.find_text(reference["id"]), registers.text(reference["id"])) == (None, None)
    assert sql_of(registers).query("SELECT body, salt FROM texts WHERE id = ?", (reference["id"],)) == [(None, None)]
    commands = [registers.find_command("p_director", key) for key in ("first", "second")]
    assert [bool(one and one.fingerprint) for one in commands] == [True, False]
    assert references(director, game)[1] == reference


def test_a_key_whose_words_were_erased_records_nothing_twice_and_is_answered_as_the_first_time(new_service: Service):
    director = new_service.caller("director")
    game, headers = dealt(director), {"Idempotency-Key": "once"}
    first = sent(director, game, "notes", {"text": WORDS}, headers=headers)
    assert director.post(f"/v1/games/{game}/notes", {"text": "other"}, headers=headers).json()["code"] == "key_reused"
    assert erased(director, game, first["position"])
    for text in (WORDS, "other"):
        assert sent(director, game, "notes", {"text": text}, headers=headers) == first
    assert director.get(f"/v1/games/{game}").json()["position"] == first["position"]
    assert WORDS not in director.get(f"/v1/games/{game}/notes").text


def test_an_erasure_that_broke_off_before_the_fingerprint_went_is_asked_for_again(service: Service):
    director, registers = service.caller("director"), service.services.registers
    game = dealt(director)
    position = sent(director, game, "notes", {"text": WORDS}, headers={"Idempotency-Key": "left"})["position"]
    sql_of(registers).change("UPDATE texts SET body = NULL WHERE id = ?", (references(director, game)[0]["id"],))
    assert not erased(director, game, position)
    command = registers.find_command("p_director", "left")
    assert command is not None
    assert command.fingerprint == ""


def test_of_an_imported_game_erasing_takes_the_fingerprint_of_the_record_too(service: Service, tmp_path: Path):
    director = service.caller("director")
    game = dealt(director)
    position = sent(director, game, "notes", {"text": WORDS})["position"]
    record = director.get(f"/v1/games/{game}/record?full=true&texts=true").text
    assert json.loads(record)["salts"].keys() == json.loads(record)["texts"].keys()
    with running(settings_of(tmp_path)) as other:
        there, headers = other.caller("director"), {"Idempotency-Key": "moved", "Content-Type": "application/json"}
        assert there.call("POST", "/v1/records", content=record, headers=headers).status_code == 201
        assert erased(there, game, position)
        command = other.services.registers.find_command("p_director", "moved")
        assert command is not None
        assert command.fingerprint == ""


@pytest.mark.parametrize("given", [{}, {"id": "named"}], ids=["without an id", "with an id"])
def test_the_key_of_a_registration_registers_nobody_again_after_the_erasure(new_service: Service, given: dict[str, str]):
    director = new_service.caller("director")
    body, headers = {"name": "Wilhelmine", **given}, {"Idempotency-Key": "joined"}
    first = director.post("/v1/players", body, headers=headers)
    player = first.json()["player"]
    assert director.post(f"/v1/players/{player}/erasure", {"confirm": player}).status_code == 200
    assert director.post("/v1/players", body, headers=headers).json() == first.json()
    assert director.get("/v1/players?search=wilhelmine").json()["items"] == []
    assert [one["id"] for one in director.get("/v1/players").json()["items"]] == [player]
