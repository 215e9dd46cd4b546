"""A full record moves a game from one service to another as it was recorded: times, principals, void moves, disputes, rulings."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from jsonschema_rs import Draft202012Validator

from domain.events import digest
from domain.events.base import TextRef
from domain.events.game import NoteAdded
from domain.games import RULESETS
from domain.journal.commits import Call
from tests.api.conftest import Caller, Service, running, settings_of
from tests.api.games.test_cases import played
from tests.api.rulings.test_rulings import dealt, sent
from tests.deploy.stores.stores import sql_of

NDJSON = {"Content-Type": "application/x-ndjson"}
CASES = Path(__file__).parents[2] / "cases"
ONE_OF_EACH = sorted(next(iter(sorted(folder.glob("*.json")))) for folder in CASES.iterdir())


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Service]:
    with running(settings_of(tmp_path)) as service:
        yield service


def full(caller: Caller, game: str, more: str = "") -> str:
    return str(caller.get(f"/v1/games/{game}/record?full=true{more}").text)


def taken_over(director: Caller, record: str) -> Any:
    return director.call("POST", "/v1/records", content=record, headers={"Content-Type": "application/json"})


def disputed(service: Service) -> str:
    """A game in which a move was taken back, a note made, a dispute ruled and points adjusted."""
    recorder, arbiter = service.caller("recorder"), service.caller("arbiter")
    game = dealt(recorder, options={"sweeps": True}, players=["p-1", None], openness="never")
    recorder.post(f"/v1/games/{game}/moves", {"seat": 0, "move": {"type": "trail", "card": "QC"}, "happened_at": "2025-01-02T03:04:05Z"})
    recorder.post(f"/v1/games/{game}/rewinds", {"to": 2, "reason": "another card"})
    sent(recorder, game, "moves", {"seat": 0, "move": {"type": "trail", "card": "4S"}})
    sent(recorder, game, "disputes", {"position": 5, "claim": "he showed another one"})
    sent(arbiter, game, "rulings", {"dispute": 1, "decision": "adjust", "reason": "so be it", "adjustments": [{"party": 0, "points": -1}]})
    return game


def test_a_disputed_game_goes_out_and_comes_in_and_goes_out_the_same_to_the_byte(service: Service, empty: Service):
    game = disputed(service)
    record = full(service.caller("director"), game)
    director = empty.caller("director")
    answer = taken_over(director, record)
    assert (answer.status_code, answer.json()["records"][0]["game"]) == (201, game)
    assert full(director, game) == record
    for path in ("history?limit=1000", "table", "score-sheet", "disputes"):
        here, there = (of.caller("director").get(f"/v1/games/{game}/{path}").json() for of in (service, empty))
        assert _without_words(here) == _without_words(there), path
    assert director.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def _without_words(told: Any) -> Any:
    """Claims and reasons lie in the register of texts and stay where they were said."""
    if isinstance(told, dict):
        return {key: _without_words(value) for key, value in told.items() if key not in ("reason", "claim", "text")}
    return [_without_words(value) for value in told] if isinstance(told, list) else told


def test_the_words_of_people_go_along_where_they_are_asked_for(service: Service, empty: Service):
    game = disputed(service)
    record = full(service.caller("recorder"), game, "&texts=true")
    assert sorted(json.loads(record)["texts"].values()) == ["another card", "he showed another one", "so be it"]
    director = empty.caller("director")
    assert taken_over(director, record).status_code == 201
    assert full(director, game, "&texts=true") == record
    for path in ("history?limit=1000", "score-sheet", "disputes", "notes"):
        here, there = (of.caller("director").get(f"/v1/games/{game}/{path}").json() for of in (service, empty))
        assert here == there, path


def test_words_that_were_erased_do_not_go_along(service: Service, empty: Service):
    game = disputed(service)
    director = service.caller("director")
    before = director.get(f"/v1/games/{game}/record?full=true&texts=true")
    claim = next(iter(json.loads(before.text)["texts"]))
    service.services.registers.erase_text(claim, UUID(game), 3)
    after = director.get(f"/v1/games/{game}/record?full=true&texts=true", headers={"If-None-Match": before.headers["etag"]})
    assert (after.status_code, claim in after.json()["texts"], len(after.json()["texts"])) == (200, False, 2)
    assert taken_over(empty.caller("director"), after.text).status_code == 201
    assert full(empty.caller("director"), game, "&texts=true") == after.text


def test_words_are_for_officials_and_go_with_events(service: Service, recorder: Caller, viewer: Caller):
    game = disputed(service)
    opened = recorder.open(openness="hand_over")
    assert viewer.get(f"/v1/games/{opened}/record").status_code == 200
    for more in ("full=true", "full=true&texts=true"):  # events hold digests of words, and short ones are found by trying
        assert viewer.get(f"/v1/games/{opened}/record?{more}").json()["code"] == "forbidden"
    assert recorder.get(f"/v1/games/{game}/record?texts=true").json()["code"] == "bad_parameter"


def tell_of_another(texts: dict[str, Any], salts: dict[str, Any]) -> None:
    texts["another id"] = "words"


def change_words(texts: dict[str, Any], salts: dict[str, Any]) -> None:
    texts[next(iter(texts))] = "other words"


def tell_a_number(texts: dict[str, Any], salts: dict[str, Any]) -> None:
    texts[next(iter(texts))] = 7


def change_the_salt(texts: dict[str, Any], salts: dict[str, Any]) -> None:
    salts[next(iter(salts))] = "00" * 16


def leave_out_the_salt(texts: dict[str, Any], salts: dict[str, Any]) -> None:
    salts.pop(next(iter(salts)))


CHANGES = [tell_of_another, change_words, tell_a_number, change_the_salt, leave_out_the_salt]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_words_that_no_event_tells_of_are_refused(change: Any, service: Service, empty: Service):
    record = json.loads(full(service.caller("director"), disputed(service), "&texts=true"))
    change(record["texts"], record["salts"])
    answer = taken_over(empty.caller("director"), json.dumps(record))
    assert (answer.status_code, answer.json()["code"], answer.json()["where"].startswith("record.texts.")) == (
        422,
        "malformed_record",
        True,
    )
    assert empty.services.journal.head() == 0


BAD_SALTS: dict[str, Any] = {"a number": 7, "no hexadecimal": "x" * 32, "too short": "00", "capitals": "AB" * 16}


@pytest.mark.parametrize("salt", BAD_SALTS.values(), ids=BAD_SALTS)
def test_a_salt_of_another_form_is_refused_with_its_place(salt: object, service: Service, empty: Service):
    record = json.loads(full(service.caller("director"), disputed(service), "&texts=true"))
    text = next(iter(record["salts"]))
    for salts, where in ((record["salts"] | {text: salt}, text), (record["salts"] | {"other": "00" * 16}, "other")):
        answer = taken_over(empty.caller("director"), json.dumps(record | {"salts": salts}))
        assert (answer.status_code, answer.json()["where"]) == (422, f"record.salts.{where}")
    assert taken_over(empty.caller("director"), json.dumps(record | {"salts": [salt]})).json()["where"] == "record.salts"
    assert empty.services.journal.head() == 0


def test_a_record_of_before_there_were_salts_comes_in_and_goes_out_the_same_to_the_byte(service: Service, empty: Service):
    recorder = service.caller("recorder")
    game, id, words = dealt(recorder), str(uuid4()), "he showed another one"
    reference = TextRef(id, sha256(words.encode()).hexdigest())
    service.services.journal.commit_now(Call("p_recorder"), UUID(game), lambda now: (NoteAdded(reference),))
    sql_of(service.services.registers).change("INSERT INTO texts (id, body) VALUES (?, ?)", (id, words))
    record = full(recorder, game, "&texts=true")
    assert (json.loads(record)["texts"], "salts" in json.loads(record)) == ({id: words}, False)
    assert taken_over(empty.caller("director"), record).status_code == 201
    assert full(empty.caller("director"), game, "&texts=true") == record


def test_a_simple_record_says_what_it_leaves_out(service: Service):
    director, game = service.caller("director"), disputed(service)
    director.post(f"/v1/games/{game}/abandonment", {"reason": "a fire alarm"})
    told = "Not in this record: the abandonment of the game. The full record holds everything."
    assert director.get(f"/v1/games/{game}/record").json()["note"] == told
    assert "note" not in json.loads(full(director, game))
    plain = dealt(service.caller("recorder"))
    assert "note" not in director.get(f"/v1/games/{plain}/record").json()


@pytest.mark.parametrize("file", ONE_OF_EACH, ids=lambda file: file.parent.name)
def test_a_game_of_every_ruleset_is_taken_over_whole(file: Path, service: Service, empty: Service):
    game, _ = played(service.caller("recorder"), json.loads(file.read_text(encoding="utf-8")))
    record = full(service.caller("recorder"), str(game))
    empty.caller("director").call("POST", "/v1/records", content=record + "\n", headers=NDJSON)
    assert full(empty.caller("director"), str(game)) == record


def test_another_game_of_an_id_that_is_here_already_is_left_alone(service: Service, empty: Service):
    here, there = service.caller("director"), empty.caller("director")
    game = disputed(service)
    record = full(here, game)
    assert taken_over(there, record).status_code == 201
    there.post(f"/v1/games/{game}/notes", {"text": "only there"})
    longer = full(there, game)
    answer = taken_over(here, longer)
    assert (answer.status_code, answer.json()["code"]) == (409, "game_exists")
    for more in ("", "?dry_run=true"):
        report = here.call("POST", f"/v1/records{more}", content=longer, headers=NDJSON).json()
        assert (report["recorded"], report["already"], report["records"][0]["error"]["code"]) == (0, 0, "game_exists")
    assert full(here, game) == record


@pytest.mark.parametrize("role", ["recorder", "arbiter"])
def test_only_a_director_brings_events_with_their_times_and_principals(role: str, service: Service, empty: Service):
    record = full(service.caller("director"), disputed(service))
    answer = empty.caller(role).call("POST", "/v1/records", content=record, headers={"Content-Type": "application/json"})
    assert (answer.status_code, empty.services.journal.head()) == (403, 0)


def test_a_record_that_was_tampered_with_is_refused_with_the_place(service: Service, empty: Service):
    record = json.loads(full(service.caller("director"), disputed(service)))
    record["events"][3]["by"] = "somebody else"
    answer = empty.caller("director").post("/v1/records", record)
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, "divergent_record", "record.events[4]")
    assert empty.services.journal.head() == 0


def test_a_record_of_rules_that_are_not_kept_here_is_refused(service: Service, empty: Service):
    record = full(service.caller("director"), disputed(service))
    for old, new in ((f'"edition":{RULESETS["casino"].edition}', '"edition":9'), ('"ruleset":"casino"', '"ruleset":"whist"')):
        answer = taken_over(empty.caller("director"), relinked(record.replace(old, new)))
        assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, "unjudged_record", "record.events[0]")
    assert empty.services.journal.head() == 0


def relinked(text: str) -> str:
    """As one would do who changes a record and covers it up."""
    record, link = json.loads(text), None
    for event in record["events"]:
        event["link"] = link
        stored = {key: value for key, value in event.items() if key not in ("position", "name")}
        link = digest(msgspec.json.encode(stored))
    return json.dumps(record)


MALFORMED: dict[str, tuple[Any, str | None]] = {
    "without an id": (lambda record: record.pop("id"), "record.id"),
    "with an id that is none": (lambda record: record.update(id="x"), "record.id"),
    "with a gap": (lambda record: record["events"][1].update(position=7), "record.events[1]"),
    "with an event that nobody knows": (lambda record: record["events"][1].update(name="hand.dealt/9"), None),
    "without events": (lambda record: record.update(events=[]), None),
    "with events that are none": (lambda record: record.update(events=[1]), None),
}


@pytest.mark.parametrize(("change", "where"), MALFORMED.values(), ids=MALFORMED)
def test_a_full_record_of_another_form_is_malformed(change: Any, where: str | None, service: Service, empty: Service):
    record = json.loads(full(service.caller("director"), disputed(service)))
    change(record)
    answer = empty.caller("director").post("/v1/records", record)
    assert answer.status_code == 422
    assert where is None or answer.json()["where"] == where


def test_a_dry_run_takes_nothing_over(service: Service, empty: Service):
    record = full(service.caller("director"), disputed(service))
    answer = empty.caller("director").call("POST", "/v1/records?dry_run=true", content=record, headers={"Content-Type": "application/json"})
    assert (answer.status_code, empty.services.journal.head()) == (200, 0)


def test_every_record_that_goes_out_is_of_the_form_that_the_schema_describes(service: Service, nobody: Caller):
    schema = nobody.get("/schemas/record.json")
    assert schema.headers["content-type"] == "application/schema+json"
    checked = Draft202012Validator(schema.json(), validate_formats=True)
    caller, game = service.caller("director"), disputed(service)
    for path in ("record", "record?full=true", "record?full=true&texts=true"):
        checked.validate(caller.get(f"/v1/games/{game}/{path}").json())
    for case in CASES.glob("*/*.json"):
        read = json.loads(case.read_text(encoding="utf-8"))
        assert checked.is_valid(read) or "error" in read["expect"], case
    assert not checked.is_valid({"ruleset": "casino", "seats": 2, "hands": [], "more": 1})
