"""Proof files of games: each is told what its history tells, the verifier proves it, and a record can be held against it later."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from deploy.cli.proofs.verify import read_history
from deploy.log.writer.epochs import change_key
from deploy.log.writer.key_files import log_files, open_signed_file, read_seed
from domain.access import Grant, OfGame
from replay.proof import single_file
from tests.api.conftest import Caller, add_token
from tests.api.log.conftest import Logged
from tests.append_only import drop_triggers
from tests.deploy.stores.stores import sql_of
from tests.replay.proof.made import lies, verified

DECK = ("3H", "8C", "9D", "6S", "KD", "KC", "2S", "5H", "JC", "4D", "AH", "TS")


def played(logged: Logged, **wanted: Any) -> str:
    recorder = logged.caller("recorder")
    game = recorder.open(**wanted)
    recorder.deal(game, *DECK)
    assert recorder.trail(game, 0, "3H").status_code == 201
    logged.sign()
    return game


def seat(logged: Logged, game: str, number: int) -> Caller:
    name = f"seat {number} of {game}"
    grant = Grant(OfGame(UUID(game)), seat=number)
    return replace(logged.caller("viewer"), token=add_token(logged.service.services, "player", name, grant))


def proven(logged: Logged, caller: Caller, game: str, query: str = "") -> dict[str, Any]:
    answer = caller.get(f"/v1/games/{game}/proof{query}")
    assert answer.status_code == 200, answer.text
    return verified(answer.content, logged.known_keys())


def refused(caller: Caller, game: str, query: str = "") -> tuple[int, str]:
    answer = caller.get(f"/v1/games/{game}/proof{query}")
    return answer.status_code, answer.json()["code"]


def told(proof: dict[str, Any]) -> list[Any]:
    """The bodies, without what only stored bytes have."""
    return [json.loads(event["bytes"])["body"] for event in proof["file"]["events"]]


def bodies(caller: Caller, game: str) -> list[Any]:
    return [event["body"] for event in caller.get(f"/v1/games/{game}/history").json()["events"]]


def test_the_record_a_seat_and_the_public_each_get_what_their_history_tells(any_logged: Logged):
    game = played(any_logged)
    arbiter, player, viewer = any_logged.caller("arbiter"), seat(any_logged, game, 1), any_logged.caller("viewer")
    views = {"full": arbiter, "seat:1": player, "public": viewer}
    found = {name: proven(any_logged, caller, game) for name, caller in views.items()}
    assert {name: (proof["view"], proof["last"]) for name, proof in found.items()} == {name: (name, 3) for name in views}
    assert {name: told(proof) for name, proof in found.items()} == {name: bodies(caller, game) for name, caller in views.items()}
    assert len({json.dumps(told(proof)) for proof in found.values()}) == 3


def test_a_view_that_was_told_during_the_game_holds_against_its_record_once_it_is_open(new_logged: Logged):
    game, recorder = played(new_logged), new_logged.caller("recorder")
    early = [proven(new_logged, seat(new_logged, game, number), game) for number in (0, 1)]
    assert recorder.trail(game, 1, "KD").status_code == 201
    assert new_logged.caller("director").post(f"/v1/games/{game}/abandonment", {"reason": "rain"}).status_code == 201
    new_logged.sign()
    whole = proven(new_logged, recorder, game)
    history = tuple(read_history(whole["file"]))
    assert [single_file.same_record(view["file"], whole["file"]) for view in early] == [True, True]
    assert [lies(view, history) for view in early] == [[], []]
    late = proven(new_logged, new_logged.caller("viewer"), game)
    assert "?" not in json.dumps(told(late)[1])
    assert lies(late, history) == []


def test_an_earlier_position_of_each_view(logged: Logged):
    game = played(logged)
    assert [proven(logged, logged.caller("arbiter"), game, f"?position={to}")["last"] for to in (1, 2, 3)] == [1, 2, 3]
    assert proven(logged, logged.caller("arbiter"), game, "?view=seat:0&position=2")["view"] == "seat:0"
    assert refused(logged.caller("arbiter"), game, "?position=4") == (400, "ahead")


@pytest.mark.parametrize("view", ["full", "seat:0", "seat:1"])
def test_a_viewer_gets_no_view_that_is_closed_to_him(logged: Logged, view: str):
    assert refused(logged.caller("viewer"), played(logged), f"?view={view}") == (403, "forbidden")


def test_of_a_game_that_is_not_live_the_public_is_told_nothing_and_a_seat_what_is_its(logged: Logged):
    game = played(logged, live=False)
    assert refused(logged.caller("viewer"), game) == (403, "forbidden")
    assert refused(logged.caller("viewer"), game, "?position=1") == (403, "forbidden")
    assert proven(logged, seat(logged, game, 0), game)["last"] == 3


def test_who_left_his_seat_is_told_as_far_as_he_sat_there(logged: Logged):
    game, recorder = played(logged, players=["p0", "p1"]), logged.caller("recorder")
    token = add_token(logged.service.services, "player", f"p0 of {game}", Grant(OfGame(UUID(game)), player="p0"))
    gone = replace(logged.caller("viewer"), token=token)
    assert recorder.post(f"/v1/games/{game}/players", {"seat": 0, "player": "p9"}).status_code == 201
    assert recorder.trail(game, 1, "KD").status_code == 201
    logged.sign()
    assert proven(logged, gone, game)["last"] == 4
    assert refused(gone, game, "?position=5") == (403, "forbidden")
    assert proven(logged, gone, game, "?view=public")["last"] == 5


def test_what_is_in_no_checkpoint_yet_is_told_so_at_once_or_after_the_wait(logged: Logged):
    game = played(logged)
    logged.caller("recorder").trail(game, 1, "KD")
    for query in ("", "?wait=1"):
        answer = logged.caller("arbiter").get(f"/v1/games/{game}/proof{query}")
        assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "not_signed_yet", "1")
    assert proven(logged, logged.caller("arbiter"), game, "?position=3")["last"] == 3


def test_a_proof_is_waited_for_until_it_is_signed(logged: Logged):
    game = played(logged)
    logged.caller("recorder").trail(game, 1, "KD")
    with ThreadPoolExecutor(1) as keeping:
        signing = keeping.submit(logged.sign_once_looked_at)
        assert proven(logged, logged.caller("arbiter"), game, "?wait=30")["last"] == 4
        signing.result()


def test_events_that_are_not_those_that_were_entered_prove_nothing(new_logged: Logged):
    game, store = played(new_logged), new_logged.service.services.journal.store
    drop_triggers(store)
    changed = b'{"at":"2026-11-21T20:00:00Z","by":"x","link":null,"body":{}}'
    sql_of(store).change("UPDATE events SET state = ? WHERE originator_version = 1", (changed,))
    assert refused(new_logged.caller("arbiter"), game) == (500, "corrupt")
    assert new_logged.caller("viewer").get("/v1/log/tile/entries/000.p/1").json()["code"] == "corrupt"


def test_from_a_leaf_on_another_key_blinds_and_every_event_is_proven_by_its_own(new_logged: Logged):
    game, log = played(new_logged), new_logged.service.services.log
    assert log is not None
    assert change_key(log.register, log.tree, open_signed_file(new_logged.settings)) == 3
    new_logged.caller("recorder").trail(game, 1, "KD")
    new_logged.sign()
    keys = [key.key for key in log.register.blinding_keys(1)]
    assert len(set(keys)) == 2
    assert proven(new_logged, new_logged.caller("arbiter"), game)["last"] == 4
    assert proven(new_logged, new_logged.caller("viewer"), game)["last"] == 4


def test_the_key_of_receipts_signs_no_checkpoint(logged: Logged):
    files = log_files(logged.settings)
    assert read_seed(files.key) != read_seed(files.told)
    names = [key.name for key in logged.known_keys()]
    assert names == ["club.example/log/1", "club.example/log/1/told"]
