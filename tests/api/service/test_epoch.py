"""The epoch of the store: told in answers, and asked for again by whoever goes on from one."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from api.common.live.change_feed import ChangeSignal
from api.http.request import part_of
from tests.api.conftest import Caller, Service, link, running, settings_of, without_limits
from tests.api.games.test_writing import dealt, first_card
from tests.deploy.serving import until

NDJSON = {"Accept": "application/x-ndjson"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with running(settings_of(tmp_path), without_limits) as service:
        yield service


def epoch_of(caller: Caller) -> str:
    return str(caller.get("/v1/feed?limit=1").json()["epoch"])


def begun(service: Service, common: int | None) -> str:
    """What another process does that finds events gone."""
    service.services.journal.store.begin_epoch(common)
    return service.services.journal.store.epoch.id


def refusal(answer: Any) -> tuple[int, str, str | None, int | None]:
    problem = answer.json()
    return answer.status_code, problem["code"], problem.get("epoch"), problem.get("common")


def test_every_answer_to_somebody_known_names_the_epoch(recorder: Caller, nobody: Caller):
    game = dealt(recorder)
    epoch = epoch_of(recorder)
    moved = recorder.trail(game, 0, first_card(recorder, game))
    read = [recorder.get(path) for path in ("/v1/games", f"/v1/games/{game}/table", "/v1/feed", f"/v1/games/{uuid4()}")]
    assert [answer.headers["kiebitz-epoch"] for answer in (moved, *read)] == [epoch] * 5
    assert recorder.get("/v1/feed", headers=NDJSON).headers["kiebitz-epoch"] == epoch
    assert "kiebitz-epoch" not in nobody.get("/v1/games").headers


def test_the_feed_leads_on_in_its_epoch(recorder: Caller):
    dealt(recorder)
    for accept in ({}, NDJSON):
        answer = recorder.get("/v1/feed?limit=1", headers=accept)
        assert f"epoch={answer.headers['kiebitz-epoch']}" in link(answer)
        assert recorder.get(link(answer), headers=accept).status_code == 200


@pytest.mark.parametrize("common", [1, None])
def test_who_goes_on_from_another_epoch_is_told_up_to_where_all_is_the_same(service: Service, recorder: Caller, common: int | None):
    game = dealt(recorder)
    dealt(recorder)
    old = epoch_of(recorder)
    paths = [link(recorder.get(f"{path}limit=1")) for path in ("/v1/feed?", "/v1/games?", f"/v1/games/{game}/legal-moves?")]
    new = begun(service, common)
    paths += ["/v1/games?min_sequence=1", f"/v1/games/{game}", "/v1/scores?changed_since=1"]
    for path in paths:
        assert refusal(recorder.get(path, headers={"Kiebitz-Epoch": old})) == (409, "epoch_changed", new, common)
    for path in paths[:3]:  # by themselves
        assert refusal(recorder.get(path)) == (409, "epoch_changed", new, common)
    assert refusal(recorder.get(paths[0], headers=NDJSON)) == (409, "epoch_changed", new, common)
    card = first_card(recorder, game)
    assert refusal(recorder.trail(game, 0, card, headers={"Kiebitz-Epoch": old})) == (409, "epoch_changed", new, common)
    assert recorder.trail(game, 0, card, headers={"Kiebitz-Epoch": new}).status_code == 201


def test_who_follows_the_new_epoch_goes_on_after_the_last_common_sequence(service: Service, recorder: Caller):
    game = dealt(recorder)
    begun(service, 1)
    epoch = epoch_of(recorder)
    page = recorder.get(f"/v1/feed?after=1&epoch={epoch}").json()
    assert [(entry["id"], entry["sequence"]) for entry in page["entries"]] == [(game, 2)]


def test_what_was_told_before_there_were_epochs_holds_in_the_first_one_only(service: Service, recorder: Caller):
    dealt(recorder)
    dealt(recorder)
    cursor = recorder.get("/v1/games?limit=1").json()["next"].partition("~")[0]
    bare = ["/v1/feed?after=1", "/v1/feed?as_of=1", "/v1/scores?changed_since=1", f"/v1/games?limit=1&cursor={cursor}"]
    assert [recorder.get(path).status_code for path in bare] == [200] * 4
    new = begun(service, 2)
    assert [refusal(recorder.get(path)) for path in bare] == [(409, "epoch_changed", new, None)] * 4
    assert [recorder.get(path, headers={"Kiebitz-Epoch": new}).status_code for path in bare[:3]] == [200] * 3
    assert [recorder.get(path).status_code for path in ("/v1/feed", "/v1/feed?after=0", "/v1/games", "/v1/scores")] == [200] * 4


def test_an_etag_of_another_epoch_is_not_taken_for_what_lies_there_now(service: Service, recorder: Caller):
    game = dealt(recorder)
    paths = [f"/v1/games/{game}", f"/v1/games/{game}/table", f"/v1/games/{game}/score-sheet"]
    held = [recorder.get(path).headers["etag"] for path in paths]
    assert [recorder.get(path, headers={"If-None-Match": etag}).status_code for path, etag in zip(paths, held, strict=True)] == [304] * 3
    begun(service, 1)
    answers = [recorder.get(path, headers={"If-None-Match": etag}) for path, etag in zip(paths, held, strict=True)]
    assert [answer.status_code for answer in answers] == [200] * 3
    card = first_card(recorder, game)
    overtaken = recorder.trail(game, 0, card, headers={"If-Match": held[1]})
    assert (overtaken.status_code, overtaken.json()["code"]) == (412, "stale_position")
    assert recorder.trail(game, 0, card, headers={"If-Match": answers[1].headers["etag"]}).status_code == 201


def test_who_waits_for_news_is_told_of_the_epoch_at_once(service: Service, recorder: Caller):
    dealt(recorder)
    page = recorder.get("/v1/feed").json()
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(recorder.get, f"/v1/feed?after={page['after']}&epoch={page['epoch']}&wait=30")
        pulse = part_of(service.client.app, ChangeSignal)
        until(lambda: pulse._looking is not None)
        new = begun(service, 1)
        assert refusal(waiting.result()) == (409, "epoch_changed", new, 1)


def test_an_epoch_that_nobody_knows_is_another_one(recorder: Caller):
    dealt(recorder)
    present = epoch_of(recorder)
    assert refusal(recorder.get("/v1/games", headers={"Kiebitz-Epoch": "0" * 16})) == (409, "epoch_changed", present, None)
    assert refusal(recorder.get("/v1/games?cursor=Mg~x")) == (409, "epoch_changed", present, None)


def test_it_takes_a_token_to_learn_of_it(nobody: Caller):
    assert nobody.get("/v1/games", headers={"Kiebitz-Epoch": "x"}).status_code == 401
