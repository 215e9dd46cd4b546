"""Writing: games, hands, moves, rewinds; positions, keys and two writers at once."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from httpx import Response

from api.services import Services
from deploy.compose import open_services
from domain.codec import link_events
from domain.events import Stamp
from domain.journal.application import Journal
from domain.journal.commits import CommandKey, to_stored
from domain.opening import opening
from tests.api.at_once import Crowd, at_once, crowd
from tests.api.conftest import Caller, Service, add_token, secret, settings_of, trailing

HAND = ("3H", "8C", "5S", "8D", "KC", "KD", "4D", "KS", "KH", "QH", "QS", "QD")
"""Two seats, dealer 1: seat 0 holds 3H 8C KH QH."""


def dealt(caller: Caller, **wanted: Any) -> str:
    game = caller.open(**wanted)
    caller.deal(game, *HAND)
    return game


def first_card(caller: Caller, game: str, seat: int = 0) -> str:
    return str(caller.get(f"/v1/games/{game}/table").json()["hands"][seat][0])


def test_a_game_is_opened_with_its_place_and_its_etag(recorder: Caller):
    answer = recorder.post(
        "/v1/games",
        {"ruleset": "casino", "seats": 2, "players": ["p1", None], "tournament": "t", "round": 3, "table": "7", "openness": "never"},
    )
    done = answer.json()
    assert answer.status_code == 201
    assert (answer.headers["location"], answer.headers["etag"]) == (f"/v1/games/{done['game']}", '"1"')
    assert (done["position"], done["phase"], done["to_act"], done["hand"]) == (1, "no_hand", [], 0)
    assert done["events"][0]["body"]["players"] == ["p1", None]
    row = recorder.get(answer.headers["location"]).json()
    assert (row["tournament"], row["round"], row["table"], row["openness"]) == ("t", 3, "7", "never")


def test_a_game_from_paper_is_opened_with_the_time_at_which_it_was_played(recorder: Caller):
    game = recorder.open(happened_at="2025-09-05T12:00:00+02:00")
    [opened] = recorder.get(f"/v1/games/{game}/history").json()["events"]
    assert opened["happened_at"] == "2025-09-05T10:00:00.000000Z"


def test_a_game_is_not_opened_by_a_question_that_is_not_understood(recorder: Caller):
    answer = recorder.post("/v1/games?dry=true", {"ruleset": "casino", "seats": 2})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_parameter")


def test_a_game_of_a_ruleset_that_is_not_kept_is_malformed(recorder: Caller):
    answer = recorder.post("/v1/games", {"ruleset": "bridge", "seats": 4})
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, "unknown_ruleset", "ruleset")


def test_players_that_do_not_fit_the_seats_are_malformed(recorder: Caller):
    answer = recorder.post("/v1/games", {"ruleset": "casino", "seats": 2, "players": ["a", "a"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_players")


def test_without_a_deck_the_service_shuffles_and_records_the_order(recorder: Caller):
    one, other = recorder.open(), recorder.open()
    decks = []
    for game in (one, other):
        done = recorder.deal(game)
        (event,) = done["events"]
        assert event["body"]["how"] == "shuffled"
        decks.append(recorder.get(f"/v1/games/{game}/record").json()["hands"][0]["deck"])
    assert sorted(decks[0]) == sorted(decks[1])
    assert decks[0] != decks[1]


def test_a_move_answers_what_it_did_and_who_is_to_act(recorder: Caller):
    game = dealt(recorder)
    card = first_card(recorder, game)
    answer = recorder.trail(game, 0, card)
    done = answer.json()
    assert (answer.status_code, answer.headers["etag"], done["position"]) == (201, '"3"', 3)
    assert (done["phase"], done["turn"], done["to_act"], done["hand"]) == ("play", 1, [1], 1)
    assert done["events"][0]["body"]["move"] == {"type": "trail", "card": card}
    assert recorder.get(answer.headers["location"]).json()["events"][0] == {**done["events"][0], "link": done_link(recorder, game, 3)}


def done_link(caller: Caller, game: str, position: int) -> str:
    return str(caller.get(f"/v1/games/{game}/history?after={position - 1}").json()["events"][0]["link"])


def test_when_it_happened_is_kept_in_utc(recorder: Caller):
    game = dealt(recorder)
    answer = recorder.post(
        f"/v1/games/{game}/moves", {**trailing(0, first_card(recorder, game)), "happened_at": "2025-11-21T20:04:11+01:00"}
    )
    assert answer.json()["events"][0]["happened_at"] == "2025-11-21T19:04:11.000000Z"


def test_a_batch_is_recorded_whole_or_not_at_all(recorder: Caller):
    game = dealt(recorder)
    table = recorder.get(f"/v1/games/{game}/table").json()
    moves = [trailing(0, table["hands"][0][0]), trailing(1, table["hands"][1][0])]
    refused = recorder.post(f"/v1/games/{game}/moves", {"moves": [*moves, trailing(1, table["hands"][1][1])]})
    assert (refused.status_code, refused.json()["code"], refused.json()["index"]) == (422, "not_your_turn", 2)
    assert recorder.get(f"/v1/games/{game}").json()["position"] == 2
    done = recorder.post(f"/v1/games/{game}/moves", {"moves": moves})
    assert [event["position"] for event in done.json()["events"]] == [3, 4]


def test_a_dry_run_answers_the_same_and_records_nothing(recorder: Caller):
    game = dealt(recorder)
    move = trailing(0, first_card(recorder, game))
    dry = recorder.post(f"/v1/games/{game}/moves?dry_run=true", move)
    assert (dry.status_code, dry.json()["dry_run"]) == (200, True)
    assert recorder.get(f"/v1/games/{game}").json()["position"] == 2
    done = recorder.post(f"/v1/games/{game}/moves", move).json()
    assert dry.json()["events"][0]["body"] == done["events"][0]["body"]
    assert "sequence" not in dry.json()
    assert recorder.post(f"/v1/games/{game}/moves?dry_run=true", move).json()["code"] == "not_your_turn"


def test_a_rewind_restores_the_table_and_marks_what_came_after_void(recorder: Caller):
    game = dealt(recorder)
    before = recorder.get(f"/v1/games/{game}/table").json()
    recorder.trail(game, 0, before["hands"][0][0])
    done = recorder.post(f"/v1/games/{game}/rewinds", {"to": 2, "reason": "wrong card"})
    assert (done.status_code, done.json()["position"], done.json()["to_act"]) == (201, 4, [0])
    assert recorder.get(f"/v1/games/{game}/table").json() == before
    events = recorder.get(f"/v1/games/{game}/history").json()["events"]
    assert [event["position"] for event in events if event.get("void")] == [3]


def test_nobody_goes_back_to_a_position_that_was_not_there_when_he_asked(new_service: Service, tmp_path: Path):
    """The table of the position is read before the moves that lead to it and beyond are stored."""
    recorder = new_service.caller("recorder")
    game = dealt(recorder)
    hands = recorder.get(f"/v1/games/{game}/table").json()["hands"]
    moves = {"moves": [trailing(0, hands[0][0]), trailing(1, hands[1][0])]}
    played, refused = at_once(
        new_service,
        settings_of(tmp_path).journal_url,
        UUID(game),
        partial(recorder.post, f"/v1/games/{game}/moves", moves),
        partial(recorder.post, f"/v1/games/{game}/rewinds", {"to": 3}),
    )
    assert played.status_code == 201
    assert (refused.status_code, refused.json()["code"]) == (422, "rewind_ahead")


def test_the_reason_of_a_rewind_stands_in_no_event(service: Service, recorder: Caller):
    game = dealt(recorder)
    recorder.trail(game, 0, first_card(recorder, game))
    recorder.post(f"/v1/games/{game}/rewinds", {"to": 2, "reason": "Anna was asleep"})
    history = recorder.get(f"/v1/games/{game}/history")
    assert "Anna" not in history.text
    assert service.services.registers.text(history.json()["events"][-1]["body"]["reason"]["id"]) == "Anna was asleep"


REWINDS = {
    "ahead": (9, "rewind_ahead"),
    "to itself": (3, "rewind_ahead"),
    "before the hand": (1, "rewind_too_far"),
    "to nothing": (0, "rewind_too_far"),
}


@pytest.mark.parametrize(("to", "code"), REWINDS.values(), ids=REWINDS)
def test_a_rewind_stays_within_the_hand(service: Service, to: int, code: str):
    recorder = service.caller("recorder")
    game = dealt(recorder)
    recorder.trail(game, 0, first_card(recorder, game))
    answer = recorder.post(f"/v1/games/{game}/rewinds", {"to": to})
    assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_before_the_first_hand_there_is_nothing_to_rewind(recorder: Caller):
    assert recorder.post(f"/v1/games/{recorder.open()}/rewinds", {"to": 1}).json()["code"] == "nothing_to_rewind"


@pytest.mark.parametrize("path", ["", "/hands", "/moves", "/rewinds", "/history", "/table", "/legal-moves", "/score-sheet", "/record"])
def test_a_game_that_does_not_exist_is_unknown_everywhere(service: Service, path: str):
    recorder = service.caller("recorder")
    bodies: dict[str, Any] = {"/hands": {"dealer": 0}, "/moves": trailing(0, "KC"), "/rewinds": {"to": 1}}
    address = f"/v1/games/{uuid4()}{path}"
    answer = recorder.post(address, bodies[path]) if path in bodies else recorder.get(address)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_game")


# If-Match


def test_with_the_position_it_stands_at_a_move_goes_through(recorder: Caller):
    game = dealt(recorder)
    assert recorder.trail(game, 0, first_card(recorder, game), headers={"If-Match": '"2"'}).status_code == 201


def test_the_etag_of_a_read_serves_as_well(recorder: Caller):
    game = dealt(recorder)
    etag = recorder.get(f"/v1/games/{game}/table").headers["etag"]
    assert recorder.trail(game, 0, first_card(recorder, game), headers={"If-Match": etag}).status_code == 201


def test_an_etag_that_a_compressing_proxy_made_weak_names_the_same_position(recorder: Caller):
    game = dealt(recorder)
    etag = recorder.get(f"/v1/games/{game}/table").headers["etag"]
    assert recorder.trail(game, 0, first_card(recorder, game), headers={"If-Match": f"W/{etag}"}).status_code == 201
    stale = recorder.trail(game, 1, first_card(recorder, game, 1), headers={"If-Match": 'W/"2"'})
    assert (stale.status_code, stale.json()["position"]) == (412, 3)


def test_any_position_may_be_named_by_an_asterisk(recorder: Caller):
    game = dealt(recorder)
    assert recorder.trail(game, 0, first_card(recorder, game), headers={"If-Match": "*"}).status_code == 201


def test_a_stale_position_is_answered_with_the_events_that_were_missed(recorder: Caller):
    game = dealt(recorder)
    done = recorder.trail(game, 0, first_card(recorder, game)).json()
    answer = recorder.trail(game, 1, first_card(recorder, game, 1), headers={"If-Match": '"2"'})
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["position"]) == (412, "stale_position", 3)
    assert problem["missed"] == done["events"]


def test_a_position_that_is_not_yet_is_stale_too(recorder: Caller):
    game = dealt(recorder)
    answer = recorder.trail(game, 0, first_card(recorder, game), headers={"If-Match": '"7"'})
    assert (answer.status_code, answer.json()["missed"]) == (412, [])


# Idempotency-Key


def test_the_same_key_is_answered_again_and_not_done_again(new_service: Service):
    recorder = new_service.caller("recorder")
    game = dealt(recorder)
    recorder.trail(game, 0, first_card(recorder, game))
    other = recorder.open()
    requests: dict[str, tuple[str, dict[str, Any]]] = {
        "game": ("/v1/games", {"ruleset": "casino", "seats": 2}),
        "hand": (f"/v1/games/{other}/hands", {"dealer": 1}),
        "move": (f"/v1/games/{game}/moves", trailing(1, first_card(recorder, game, 1))),
        "rewind": (f"/v1/games/{game}/rewinds", {"to": 2, "reason": "undo"}),
    }
    for what, asked in requests.items():
        same = {"Idempotency-Key": what, "Request-Id": "sent-twice"}
        first = recorder.post(*asked, headers=same)
        head = new_service.services.journal.head()
        again = recorder.post(*asked, headers=same)
        assert first.status_code == 201, what
        replayed = {**first.headers, "idempotent-replayed": "true"}
        assert (again.status_code, again.content, dict(again.headers)) == (201, first.content, replayed), what
        assert new_service.services.journal.head() == head, what


def test_a_key_is_answered_again_also_when_the_position_is_stale_by_now(recorder: Caller):
    game = dealt(recorder)
    headers = {"Idempotency-Key": f"once-{game}", "If-Match": '"2"'}
    card = first_card(recorder, game)
    first = recorder.trail(game, 0, card, headers=headers)
    recorder.trail(game, 1, first_card(recorder, game, 1))
    assert recorder.trail(game, 0, card, headers=headers).content == first.content


SPELLINGS = {
    "as it was sent": b'{"ruleset":"casino","seats":2,"table":"K\xc3\xb6nig","options":{"target":11}}',
    "with blanks": b'{ "ruleset": "casino",\n "seats": 2, "table": "K\xc3\xb6nig", "options": {"target": 11} }\n',
    "in another order": b'{"options":{"target":11},"table":"K\xc3\xb6nig","seats":2,"ruleset":"casino"}',
    "with other spellings": b'{"ruleset":"c\\u0061sino","seats":2,"table":"K\\u00f6nig","options":{"t\\u0061rget":11}}',
}


@pytest.mark.parametrize("body", SPELLINGS.values(), ids=SPELLINGS)
def test_bodies_that_mean_the_same_are_the_same_request(service: Service, body: bytes):
    caller = service.caller("director")
    headers = {"Idempotency-Key": "spelled"}
    first = caller.post("/v1/games", SPELLINGS["as it was sent"], headers=headers)
    assert (first.status_code, caller.post("/v1/games", body, headers=headers).content) == (201, first.content)


def test_a_key_that_was_recorded_when_bodies_were_compared_byte_for_byte_is_still_answered(service: Service, recorder: Caller):
    body = b'{ "seats": 2, "ruleset": "casino" }'
    former = CommandKey("p_recorder", "former", sha256(b"POST\n/v1/games\n\n" + body).hexdigest())
    opened = link_events(uuid4(), 0, None, Stamp(datetime.now(UTC), "p_recorder"), [opening(service.services.rulesets["casino"], {}, 2)])
    service.services.journal.store.insert_events(list(map(to_stored, opened)), command=former)
    answer = recorder.post("/v1/games", body, headers={"Idempotency-Key": "former"})
    assert (answer.status_code, answer.headers["idempotent-replayed"]) == (201, "true")


@pytest.mark.parametrize("other", ["body", "path", "query"])
def test_a_key_of_another_request_is_refused(service: Service, other: str):
    recorder = service.caller("recorder")
    headers = {"Idempotency-Key": f"reused-{other}"}
    recorder.post("/v1/games", {"ruleset": "casino", "seats": 2}, headers=headers)
    path = f"/v1/games/{recorder.open()}/hands" if other == "path" else "/v1/games" + ("?" if other == "query" else "")
    body = {"dealer": 1} if other == "path" else {"ruleset": "casino", "seats": 3}
    answer = recorder.post(path, body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")


def test_keys_of_different_principals_do_not_meet(service: Service):
    headers = {"Idempotency-Key": "shared"}
    games = {
        service.caller(role).post("/v1/games", {"ruleset": "casino", "seats": 2}, headers=headers).json()["game"]
        for role in ("recorder", "director")
    }
    assert len(games) == 2


def test_a_refusal_is_not_kept_under_its_key(recorder: Caller):
    game = dealt(recorder)
    headers = {"Idempotency-Key": f"refused-{game}"}
    card = first_card(recorder, game, 1)
    assert recorder.trail(game, 1, card, headers=headers).status_code == 422
    recorder.trail(game, 0, first_card(recorder, game))
    assert recorder.trail(game, 1, card, headers=headers).status_code == 201


# Several at once


async def _at_once(folder: Path, url: str | None, *sent: dict[str, str]) -> list[Sequence[Response]]:
    """Eight callers make the same move, in a game for each of these heads: all are under way before the first is answered."""
    settings = settings_of(folder, url)
    with open_services(settings, alone=settings.embedded, migrate_too=True) as services:
        token = f"Bearer {add_token(services, 'recorder')}"
        async with crowd(services, settings.journal_url, Authorization=token) as callers:
            return [await _moved(callers, headers) for headers in sent]


async def _moved(callers: Crowd, headers: dict[str, str]) -> Sequence[Response]:
    client = callers.client
    game = (await client.post("/v1/games", content='{"ruleset":"casino","seats":2}')).json()["game"]
    await client.post(f"/v1/games/{game}/hands", content=json.dumps({"dealer": 1, "deck": HAND, "fill": "sorted"}))
    card = (await client.get(f"/v1/games/{game}/table")).json()["hands"][0][0]
    move = partial(client.post, f"/v1/games/{game}/moves", content=json.dumps(trailing(0, card)), headers=headers)
    answers = await callers.together(*(move() for _ in range(8)))
    assert (await client.get(f"/v1/games/{game}")).json()["position"] == 3
    return answers


def _url(database_url: str) -> str | None:
    return None if database_url.startswith("sqlite") else database_url


def test_of_many_who_play_the_same_move_one_succeeds_and_under_one_key_all_get_its_answer(database_url: str, tmp_path: Path):
    heads: list[dict[str, str]] = [{}, {"If-Match": '"2"'}, {"Idempotency-Key": "same", "If-Match": '"2"'}]
    plain, positioned, same = asyncio.run(_at_once(tmp_path, _url(database_url), *heads))
    assert sorted(answer.status_code for answer in plain) == [201] + [422] * 7
    assert {answer.json()["code"] for answer in plain if answer.status_code == 422} == {"not_your_turn"}
    assert sorted(answer.status_code for answer in positioned) == [201] + [412] * 7
    assert {(answer.status_code, answer.content) for answer in same} == {(201, same[0].content)}
    assert sorted(answer.headers.get("idempotent-replayed", "") for answer in same) == [""] + ["true"] * 7
    assert secret("recorder") not in same[0].text


def test_who_asks_again_too_soon_gets_409_and_the_answer_when_it_is_there(database_url: str, tmp_path: Path):
    settings = settings_of(tmp_path, _url(database_url))

    async def told(services: Services) -> None:
        token = f"Bearer {add_token(services, 'recorder')}"
        async with crowd(services, settings.journal_url, **{"Authorization": token, "Idempotency-Key": "k"}) as callers:
            open_game = partial(callers.client.post, "/v1/games", content='{"ruleset":"casino","seats":2}')
            answers = await callers.together(open_game(), open_game())
            (first,), (early,) = ([one for one in answers if one.status_code == status] for status in (201, 409))
            again = await open_game()
        assert (early.json()["code"], early.headers["retry-after"]) == ("in_flight", "1")
        assert (again.status_code, again.content, again.headers["idempotent-replayed"]) == (201, first.content, "true")

    with open_services(settings, alone=settings.embedded, migrate_too=True) as services:
        impatient = Journal(services.journal.store, services.clock, alone=settings.embedded, patience=0)
        asyncio.run(told(replace(services, journal=impatient)))


def test_a_game_of_a_preset_holds_its_options_and_not_its_name(recorder: Caller):  # COM-45
    game = recorder.open(ruleset="canasta", seats=4, options={"preset": "source", "end": "hands", "hand_count": 1})
    plain = recorder.open(
        ruleset="canasta", seats=4, options={"target_check": "immediate", "first_upcard": "left", "end": "hands", "hand_count": 1}
    )
    [opened], [other] = (recorder.get(f"/v1/games/{one}/history").json()["events"] for one in (game, plain))
    assert opened["body"]["setup"] == other["body"]["setup"]
    assert opened["body"]["setup"]["options"].keys() >= {"target_check", "first_upcard"}
    assert "preset" not in opened["body"]["setup"]["options"]
    record = recorder.get(f"/v1/games/{game}/record").json()
    assert record["options"] == opened["body"]["setup"]["options"]


@pytest.mark.parametrize("name", ["house", 1, ["source"]])
def test_a_preset_that_is_none_opens_no_game(recorder: Caller, name: Any):  # COM-45
    refused = recorder.post("/v1/games", {"ruleset": "canasta", "seats": 4, "options": {"preset": name}})
    assert (refused.status_code, refused.json()["code"], refused.json()["rules"]) == (422, "bad_option", ["COM-45", "CAN-3"])
