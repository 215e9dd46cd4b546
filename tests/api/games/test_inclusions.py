"""Legal moves and the score sheet with the response to a move or a deal: as their own addresses answer, and only to who may read them."""

from typing import Any
from uuid import UUID

from domain.access import Grant, OfGame
from tests.api.conftest import Caller, Service, add_token, trailing

BOTH = "include=legal_moves,score_sheet"


def dealt(recorder: Caller) -> tuple[str, Any]:
    game = recorder.open()
    return game, recorder.post(f"/v1/games/{game}/hands?{BOTH}", {"dealer": 1, "deck": [], "fill": "sorted"}).json()


def first_trail(told: Any) -> Any:
    return next(move for move in told["legal_moves"]["moves"] if move["type"] == "trail")


def test_a_deal_and_a_move_answer_what_the_addresses_answer(recorder: Caller):
    game, told = dealt(recorder)
    for _ in range(2):
        assert told["legal_moves"] == recorder.get(f"/v1/games/{game}/legal-moves").json()
        assert told["score_sheet"] == recorder.get(f"/v1/games/{game}/score-sheet").json()
        told = recorder.post(f"/v1/games/{game}/moves?{BOTH}", {"seat": told["turn"], "move": first_trail(told)}).json()


def test_a_table_answers_them_too_at_every_position_and_by_an_etag_of_all(recorder: Caller, viewer: Caller):
    game, told = dealt(recorder)
    recorder.post(f"/v1/games/{game}/moves", {"seat": told["turn"], "move": first_trail(told)})
    for place in ("", "position=2&"):
        table = recorder.get(f"/v1/games/{game}/table?{place}{BOTH}")
        expected = {
            "legal_moves": recorder.get(f"/v1/games/{game}/legal-moves?{place}").json(),
            "score_sheet": recorder.get(f"/v1/games/{game}/score-sheet?{place}").json(),
        }
        assert table.json() == {**recorder.get(f"/v1/games/{game}/table?{place}").json(), "included": expected}
    again = {"If-None-Match": table.headers["etag"]}
    assert recorder.get(f"/v1/games/{game}/table?position=2&{BOTH}", headers=again).status_code == 304
    assert recorder.get(f"/v1/games/{game}/table?position=2&include=legal_moves", headers=again).status_code == 200
    assert viewer.get(f"/v1/games/{game}/table?include=legal_moves").json()["included"] == {"legal_moves": None}


def test_twelve_moves_take_fourteen_requests(recorder: Caller):
    game, told = dealt(recorder)
    for _ in range(12):
        answer = recorder.post(
            f"/v1/games/{game}/moves?include=legal_moves", {"seat": told["turn"], "move": told["legal_moves"]["moves"][0]}
        )
        assert answer.status_code == 201
        told = answer.json()
    assert told["position"] == 14


def test_a_repetition_under_a_key_answers_the_same_also_when_others_played_on(recorder: Caller):
    game, told = dealt(recorder)
    body = {"seat": told["turn"], "move": first_trail(told)}
    first = recorder.post(f"/v1/games/{game}/moves?{BOTH}", body, headers={"Idempotency-Key": "once"})
    recorder.post(f"/v1/games/{game}/moves", {"seat": first.json()["turn"], "move": first_trail(first.json())})
    again = recorder.post(f"/v1/games/{game}/moves?{BOTH}", body, headers={"Idempotency-Key": "once"})
    assert (again.json(), again.headers["idempotent-replayed"]) == (first.json(), "true")


def test_a_recorder_who_sees_what_the_public_sees_reads_no_more_by_it(service: Service, recorder: Caller):
    game, told = dealt(recorder)
    token = add_token(service.services, "recorder", "in sight", Grant(OfGame(UUID(game)), "public"))
    public = Caller(service.client, service.contract, token)
    answer = public.post(f"/v1/games/{game}/moves?{BOTH}", {"seat": told["turn"], "move": first_trail(told)}).json()
    assert answer["legal_moves"] == public.get(f"/v1/games/{game}/legal-moves").json()


def test_a_dry_run_and_an_unknown_part_are_refused(recorder: Caller):
    game, told = dealt(recorder)
    body = {"seat": told["turn"], "move": first_trail(told)}
    for query in ("include=legal_moves&dry_run=true", "include=history", "include="):
        answer = recorder.post(f"/v1/games/{game}/moves?{query}", body)
        assert (answer.status_code, answer.json()["where"]) == (400, "include")
    assert recorder.post(f"/v1/games/{game}/moves?include=legal_moves", trailing(told["turn"], "nothing")).status_code == 422
