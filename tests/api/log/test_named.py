"""The closing of a round names the newest checkpoint of the log, and whoever was in the hall can hold later records against it."""

import json
from typing import Any

import pytest

from domain.tournament.tournament import tournament_stream
from replay.proof.checkpoints import digits_of, read_checkpoint, to_base64
from tests.api.conftest import Caller, Service, running, settings_of
from tests.api.log.conftest import Logged
from tests.api.log.test_proofs import played, proven
from tests.api.tournament import announced, entered, paired

KEY = {"Idempotency-Key": "the-closing-of-round-1"}


def ready(service: Service) -> str:
    """A tournament whose first round may be closed."""
    director = service.caller("director")
    path = announced(director, format="manual")
    entered(service.caller("recorder"), path, 2)
    paired(director, path, [[1], [2]])
    assert director.put(f"{path}/rounds/1/tables/1/result", {"points": [21, 14]}).status_code == 201
    return path


def closed(director: Caller, path: str, query: str = "", **headers: str) -> dict[str, Any]:
    """The body of the event."""
    answer = director.post(f"{path}/rounds/1/closing{query}", {}, headers=headers)
    assert answer.status_code in (200, 201), answer.text
    return dict(answer.json()["events"][0]["body"])


def newest(logged: Logged) -> dict[str, Any]:
    checkpoint = read_checkpoint(logged.caller(None).get("/v1/log/checkpoint").text)
    return {"origin": checkpoint.origin, "size": checkpoint.size, "root": to_base64(checkpoint.root)}


def stored(logged: Logged, path: str) -> bytes:
    [*_, last] = logged.service.services.journal.store.select_events(tournament_stream(path.rpartition("/")[2]))
    return last.state


def test_the_newest_checkpoint_is_named_and_shown_with_the_round(new_logged: Logged):
    path, director = ready(new_logged.service), new_logged.caller("director")
    new_logged.sign()
    tried = closed(director, path, "?dry_run=true")
    named = newest(new_logged)
    assert tried == closed(director, path) == {"round": 1, "checkpoint": named}
    assert json.loads(stored(new_logged, path))["body"] == {"round": 1, "checkpoint": named}
    root = read_checkpoint(new_logged.caller(None).get("/v1/log/checkpoint").text).root
    shown = {**named, "digits": digits_of(root)}
    viewer = new_logged.caller("viewer")
    assert viewer.get(f"{path}/rounds/1").json()["checkpoint"] == shown
    assert [round["checkpoint"] for round in viewer.get(f"{path}/rounds").json()["rounds"]] == [shown]
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_a_request_that_comes_again_gets_the_first_answer(new_logged: Logged):
    path, director = ready(new_logged.service), new_logged.caller("director")
    new_logged.sign()
    first = closed(director, path, **KEY)
    played(new_logged)
    assert newest(new_logged) != first["checkpoint"]
    assert closed(director, path, **KEY) == first


def test_where_nothing_is_signed_yet_none_is_named(new_logged: Logged):
    path, director = ready(new_logged.service), new_logged.caller("director")
    assert closed(director, path) == {"round": 1}
    assert stored(new_logged, path).endswith(b'"body":{"round":1}}')
    assert "checkpoint" not in director.get(f"{path}/rounds/1").json()


def test_where_no_log_is_kept_none_is_named(tmp_path):
    with running(settings_of(tmp_path)) as service:
        path, director = ready(service), service.caller("director")
        assert closed(director, path) == {"round": 1}
        assert "checkpoint" not in director.get(f"{path}/rounds/1").json()


@pytest.mark.parametrize("why", ["failure", "another epoch", "behind"])
def test_a_log_that_stands_still_is_not_named(new_logged: Logged, why: str):
    """What its tree knows may be gone from the store."""
    path, director, log = ready(new_logged.service), new_logged.caller("director"), new_logged.service.services.log
    assert log is not None
    new_logged.sign()
    match why:
        case "failure":
            log.tree.note_failure("StoreBehind: 39 entries were signed, and the store has 23")
        case "another epoch":
            new_logged.service.services.journal.store.begin_epoch(3)
        case "behind":
            with log.tree.lock() as tree:
                assert tree.head is not None
                tree.append([], [], tree.head.sequence + 100)
    assert closed(director, path) == {"round": 1}


def test_what_was_named_is_kept_and_what_was_only_tried_is_not(new_logged: Logged):
    path, director = ready(new_logged.service), new_logged.caller("director")
    game = played(new_logged)
    arbiter, log = new_logged.caller("arbiter"), new_logged.service.services.log
    assert log is not None
    closed(director, path, "?dry_run=true")
    assert log.kept.first_with_leaf(1, 0, 1_000) is None
    named = closed(director, path)["checkpoint"]
    new_logged.sign()
    found = proven(new_logged, arbiter, game)
    assert (found["earlier"], found["stood"], found["size"]) == (named["size"], named["size"], newest(new_logged)["size"])


SAYS = {
    "en": "When round 1 was closed, the log club.example/log/1 had {size} entries, and these digits stood for all of them: {digits}.",
    "de": "Als Runde 1 abgeschlossen wurde, hatte das Protokoll club.example/log/1 {size} Einträge, "
    "und diese Ziffern standen für sie alle: {digits}.",
}


@pytest.mark.parametrize("language", SAYS)
def test_pages_tell_it_in_a_sentence(logged: Logged, language: str):
    path, director = ready(logged.service), logged.caller("director")
    logged.sign()
    closed(director, path)
    shown = director.get(f"{path}/rounds/1").json()["checkpoint"]
    sentence, id = SAYS[language].format(**shown), path.rpartition("/")[2]
    spoken = {"headers": {"Accept-Language": language}}
    for page in (f"/t/{id}", f"/t/{id}/desk?step=close", f"{path}/standings?format=html"):
        answer = director.get(page, **spoken)
        assert (answer.status_code, sentence in answer.text) == (200, True), page
