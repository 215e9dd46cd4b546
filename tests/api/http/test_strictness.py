"""Bodies, queries and headers that no careful client sends: a clear problem each, and never a 500."""

import asyncio
from collections.abc import Callable

import httpx
import pytest

from tests.api.conftest import BODY, Caller, Service, secret
from tests.evening.book import below

OPEN = '{"ruleset":"casino","seats":2}'

NO_JSON = {
    "empty": b"",
    "blank": b"  \n",
    "cut off": b'{"ruleset":',
    "two values": b"{} {}",
    "a comma too many": b'{"ruleset":"casino","seats":2,}',
    "single quotes": b"{'ruleset':'casino'}",
    "a comment": b'{"ruleset":"casino"/**/}',
    "two byte order marks": 2 * b"\xef\xbb\xbf" + OPEN.encode(),
    "UTF-16": OPEN.encode("utf-16"),
    "no UTF-8": b'{"ruleset":"\xff\xfe"}',
    "an overlong form": b'{"ruleset":"\xc0\x80"}',
    "half of a surrogate pair": b'{"ruleset":"\\ud83d"}',
    "half of a pair in bytes": b'{"ruleset":"\xed\xa0\x80"}',
    "half of a pair as a key": b'{"\\udc00":1}',
    "the character 0": b'{"ruleset":"casino","seats":2,"table":"\\u0000"}',
    "a bare control character": b'{"ruleset":"cas\x01ino"}',
    "NaN": b'{"ruleset":"casino","seats":NaN}',
    "Infinity": b'{"ruleset":"casino","seats":-Infinity}',
    "a key twice": b'{"ruleset":"casino","seats":2,"seats":3}',
    "a key twice deep down": b'{"ruleset":"casino","seats":2,"options":{"sweeps":true,"sweeps":false}}',
    "a number of 5000 digits": b'{"ruleset":"casino","seats":' + b"9" * 5000 + b"}",
    "100,000 brackets": b"[" * 100_000 + b"]" * 100_000,
    "100,000 braces": b'{"a":' * 100_000,
}


TAKING_JSON = [
    "/v1/games",
    "/v1/games/{game}/hands",
    "/v1/games/{game}/moves",
    "/v1/games/{game}/rewinds",
    "/v1/games/{game}/legal-moves",
    "/v1/games/{game}/branches",
    "/v1/games/{game}/disputes",
    "/v1/games/{game}/disputes/1/appeals",
    "/v1/games/{game}/disputes/1/withdrawal",
    "/v1/games/{game}/signatures/3/withdrawal",
    "/v1/games/{game}/rulings",
    "/v1/games/{game}/rectifications",
    "/v1/games/{game}/stood-moves",
    "/v1/games/{game}/adjustments",
    "PUT /v1/games/{game}/suspension",
    "DELETE /v1/games/{game}/suspension",
    "/v1/games/{game}/abandonment",
    "/v1/games/{game}/annulment",
    "/v1/games/{game}/notes",
    "/v1/games/{game}/players",
    "/v1/records",
    "/v1/players",
    "/v1/players/p/name",
    "/v1/players/p/transfer",
    "/v1/players/p/merger",
    "/v1/players/p/separation",
    "/v1/players/p/erasure",
]
NOT_READ = dict.fromkeys([*((TAKING_JSON[2], name) for name in NO_JSON), *((path, "cut off") for path in TAKING_JSON)])
"""One reader decodes the bodies of all."""


def test_what_is_no_json_is_a_bad_request(service: Service):
    director, game = service.caller("director"), known(service.caller("recorder"))
    answers = {(path, name): director.post(path.format(game=game), NO_JSON[name]) for path, name in NOT_READ}
    told = {case: (answer.status_code, answer.json()["code"]) for case, answer in answers.items()}
    assert told == dict.fromkeys(NOT_READ, (400, "malformed_json"))


_GAMES: dict[int, str] = {}


def known(caller: Caller) -> str:
    """A game that nothing is to happen to."""
    return _GAMES.setdefault(id(caller.client), "") or _GAMES.setdefault(-id(caller.client), caller.open())


WRONG = {
    "a list": ("games", "[]", "$"),
    "text": ("games", '"casino"', "$"),
    "null": ("games", "null", "$"),
    "an unknown field": ("games", '{"ruleset":"casino","seats":2,"colour":"red"}', "$"),
    "a ruleset that is a number": ("games", '{"ruleset":7,"seats":2}', "ruleset"),
    "players that are no list": ("games", '{"ruleset":"casino","seats":2,"players":"p"}', "players"),
    "a player that is a number": ("games", '{"ruleset":"casino","seats":2,"players":[1,2]}', "players[0]"),
    "a player without a name": ("games", '{"ruleset":"casino","seats":2,"players":["",null]}', "players[0]"),
    "a round with a fraction": ("games", '{"ruleset":"casino","seats":2,"round":1.0}', "round"),
    "a round that is true": ("games", '{"ruleset":"casino","seats":2,"round":true}', "round"),
    "a round beyond 64 bits": ("games", '{"ruleset":"casino","seats":2,"round":99999999999999999999}', "round"),
    "an openness of one's own": ("games", '{"ruleset":"casino","seats":2,"openness":"always"}', "openness"),
    "a hand without a dealer": ("hands", "{}", "$"),
    "a fill of one's own": ("hands", '{"dealer":1,"deck":[],"fill":"random"}', "fill"),
    "a fill without a deck": ("hands", '{"dealer":1,"fill":"sorted"}', "fill"),
    "a time without an offset": ("hands", '{"dealer":1,"happened_at":"2026-11-21T19:00:00"}', "happened_at"),
    "a time that is a number": ("hands", '{"dealer":1,"happened_at":1700000000}', "happened_at"),
    "a time at the edge of the calendar": ("hands", '{"dealer":1,"happened_at":"0001-01-01T00:00:00+23:59"}', "happened_at"),
    "no move": ("moves", '{"seat":0}', "move"),
    "no seat": ("moves", '{"move":{"type":"trail","card":"KC"}}', "seat"),
    "neither": ("moves", "{}", "seat"),
    "both forms": ("moves", '{"seat":0,"move":{},"moves":[]}', "moves"),
    "no moves at all": ("moves", '{"moves":[]}', "moves"),
    "moves that are no list": ("moves", '{"moves":{"seat":0,"move":{}}}', "moves"),
    "a move of moves with another field": ("moves", '{"moves":[{"seat":0,"move":{},"by":"me"}]}', "moves[0]"),
    "a rewind to nowhere": ("rewinds", "{}", "$"),
    "a rewind to text": ("rewinds", '{"to":"1"}', "to"),
    "a rewind with a fraction": ("rewinds", '{"to":1.0}', "to"),
    "a rewind far ahead": ("rewinds", '{"to":1e300}', "to"),
    "a rewind below the start": ("rewinds", '{"to":-1}', "to"),
    "a reason that is a number": ("rewinds", '{"to":1,"reason":5}', "reason"),
    "a branch from nowhere": ("branches", '{"moves":[{"seat":0,"move":{}}]}', "$"),
    "a branch from position 0": ("branches", '{"position":0,"moves":[{"seat":0,"move":{}}]}', "position"),
    "a branch without moves": ("branches", '{"position":1,"moves":[]}', "moves"),
    "a move of a branch without a seat": ("branches", '{"position":1,"moves":[{"move":{}}]}', "moves[0]"),
    "a dispute without a claim": ("disputes", "{}", "$"),
    "a dispute about position 0": ("disputes", '{"claim":"x","position":0}', "position"),
    "a dispute that perhaps suspends": ("disputes", '{"claim":"x","suspends":"yes"}', "suspends"),
    "a claim that is a number": ("disputes", '{"claim":7}', "claim"),
    "a claim too long": ("disputes", '{"claim":"' + "x" * 4001 + '"}', "claim"),
    "a ruling without words": ("rulings", '{"decision":"stands"}', "$"),
    "a ruling with another field": ("rulings", '{"decision":"stands","reason":"x","points":3}', "$"),
    "points with a fraction": ("adjustments", '{"reason":"x","adjustments":[{"party":0,"points":1.0}]}', "adjustments[0]"),
    "points beyond all measure": ("adjustments", '{"reason":"x","adjustments":[{"party":0,"points":99999999}]}', "adjustments[0]"),
    "no points": ("adjustments", '{"reason":"x","adjustments":[]}', "adjustments"),
    "a deadline without an offset": ("disputes/1/appeals", '{"deadline":"2026-11-21T19:00:00"}', "deadline"),
    "a deadline at the edge": ("disputes/1/appeals", '{"deadline":"0001-01-01T00:00:00+23:59"}', "deadline"),
    "an annulment without a reason": ("annulment", "{}", "$"),
    "a suspension because of a number": ("PUT suspension", '{"reason":1}', "reason"),
    "an empty note": ("notes", '{"text":""}', "text"),
    "a player on seat -1": ("players", '{"seat":-1,"player":"p"}', "seat"),
    "a judgement at no position": ("legal-moves", '{"seat":0,"move":{},"position":0}', "position"),
}


def test_json_of_another_form_is_malformed_and_the_place_is_named(service: Service):
    director, game = service.caller("director"), known(service.caller("recorder"))
    for name, (path, body, where) in WRONG.items():
        answer = director.post("/v1/games" if path == "games" else below(f"/v1/games/{game}", path), body)
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed_body"), name
        assert answer.json()["where"].startswith(where), name


RULED = {
    "options that are a list": ("games", {"ruleset": "casino", "seats": 2, "options": []}, "bad_option"),
    "an unknown option": ("games", {"ruleset": "casino", "seats": 2, "options": {"jokers": 2}}, "bad_option"),
    "a target with a fraction": ("games", {"ruleset": "casino", "seats": 2, "options": {"target": 21.0}}, "bad_option"),
    "a deep option": ("games", {"ruleset": "casino", "seats": 2, "options": {"target": [[[[[[[[[]]]]]]]]]}}, "bad_option"),
    "seats with a fraction": ("games", '{"ruleset":"casino","seats":2.0}', "bad_seats"),
    "seats that are true": ("games", {"ruleset": "casino", "seats": True}, "bad_seats"),
    "seats as text": ("games", {"ruleset": "casino", "seats": "2"}, "bad_seats"),
    "seats beyond 64 bits": ("games", {"ruleset": "casino", "seats": 10**30}, "bad_seats"),
    "seats beyond all numbers": ("games", '{"ruleset":"casino","seats":1e999}', "bad_seats"),
    "a dealer as text": ("hands", {"dealer": "1"}, "bad_dealer"),
    "a dealer with a fraction": ("hands", '{"dealer":1.0}', "bad_dealer"),
    "a dealer beyond 64 bits": ("hands", {"dealer": 10**30}, "bad_dealer"),
    "a deck that is text": ("hands", {"dealer": 1, "deck": "KC"}, "bad_deck"),
    "a deck of numbers": ("hands", {"dealer": 1, "deck": [1, 2]}, "bad_deck"),
    "a deck of numbers to fill up": ("hands", {"dealer": 1, "deck": [1, 2], "fill": "sorted"}, "bad_deck"),
    "a deck of lists": ("hands", {"dealer": 1, "deck": [["KC"]], "fill": "sorted"}, "bad_deck"),
    "a card too many": ("hands", {"dealer": 1, "deck": ["KC", "KC"], "fill": "sorted"}, "bad_deck"),
    "a move that is text": ("moves", {"seat": 0, "move": "trail"}, "malformed_move"),
    "a type that is a list": ("moves", {"seat": 0, "move": {"type": ["trail"]}}, "malformed_move"),
    "an unknown type": ("moves", {"seat": 0, "move": {"type": "shout"}}, "unknown_move"),
    "a card that is a number": ("moves", {"seat": 0, "move": {"type": "trail", "card": 7}}, "malformed_move"),
    "a deep move": ("moves", {"seat": 0, "move": {"type": "trail", "card": [[[[[[[[]]]]]]]]}}, "malformed_move"),
    "a value beyond 64 bits": (
        "moves",
        {"seat": 0, "move": {"type": "build", "card": "KC", "value": 10**30, "groups": []}},
        "malformed_move",
    ),
    "a seat beyond 64 bits": ("moves", {"seat": 10**30, "move": {"type": "trail", "card": "KC"}}, "hand_over"),
    "a seat that is a list": ("moves", {"seat": [], "move": {"type": "trail", "card": "KC"}}, "hand_over"),
}


def test_what_the_rules_judge_is_refused_with_their_code_and_numbers(recorder: Caller):
    for name, (path, body, code) in RULED.items():
        answer = recorder.post("/v1/games" if path == "games" else f"/v1/games/{known(recorder)}/{path}", body)
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (422, code), name
        assert problem["rules"][0].startswith("COM-"), name
        assert problem["detail"] != code, name


TYPES = [
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/jsonp",
]


@pytest.mark.parametrize("media_type", TYPES)
def test_a_body_of_another_type_is_not_read(service: Service, media_type: str):
    answer = service.caller("recorder").call("POST", "/v1/games", content=OPEN, headers={"Content-Type": media_type})
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "media_type", ["application/json", "Application/JSON", "application/json; charset=utf-8", 'application/json;charset="UTF-8"']
)
def test_json_may_say_that_it_is_utf_8(service: Service, media_type: str):
    assert service.caller("recorder").call("POST", "/v1/games", content=OPEN, headers={"Content-Type": media_type}).status_code == 201


def test_json_and_ndjson_may_begin_with_a_byte_order_mark(service: Service):
    director, mark = service.caller("director"), b"\xef\xbb\xbf"
    assert director.call("POST", "/v1/games", content=mark + OPEN.encode(), headers=BODY).status_code == 201
    line = mark + b'{"name":"Marked"}\n'
    assert director.call("POST", "/v1/players", content=line, headers={"Content-Type": "application/x-ndjson"}).json()["registered"] == 1


def test_a_body_over_the_limit_is_too_large(recorder: Caller):
    answer = recorder.post("/v1/games", b" " * (1024 * 1024 + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_streamed_body_over_the_limit_is_too_large(recorder: Caller):
    answer = recorder.call("POST", "/v1/games", content=(b" " * 65536 for _ in range(20)), headers=BODY)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


QUERIES = {
    "an unknown name": ("/v1/games?colour=red", "unknown_parameter", "colour"),
    "a misspelt filter": ("/v1/games?rulset=casino", "unknown_parameter", "rulset"),
    "a name twice": ("/v1/games?limit=1&limit=2", "bad_parameter", "limit"),
    "a limit of 0": ("/v1/games?limit=0", "bad_parameter", "limit"),
    "a limit too high": ("/v1/games?limit=201", "bad_parameter", "limit"),
    "a limit with a fraction": ("/v1/games?limit=1.0", "bad_parameter", "limit"),
    "a limit in other digits": ("/v1/games?limit=١", "bad_parameter", "limit"),
    "an empty limit": ("/v1/games?limit=", "bad_parameter", "limit"),
    "a limit without a value": ("/v1/games?limit", "bad_parameter", "limit"),
    "a huge number": ("/v1/games?round=" + "9" * 400, "bad_parameter", "round"),
    "finished: yes": ("/v1/games?finished=yes", "bad_parameter", "finished"),
    "finished: 1": ("/v1/games?finished=1", "bad_parameter", "finished"),
    "a day that no month has": ("/v1/games?opened_from=2026-11-31", "bad_parameter", "opened_from"),
    "a time without an offset": ("/v1/games/{game}/table?at=2026-11-21T10:00:00", "bad_parameter", "at"),
    "the character 0": ("/v1/games?table=%00", "bad_parameter", "table"),
    "no UTF-8": ("/v1/games?table=%ff", "bad_parameter", ""),
    "too many": ("/v1/games?" + "&".join(f"a{number}=1" for number in range(60)), "bad_parameter", ""),
    "a position of 0": ("/v1/games/{game}/table?position=0", "bad_parameter", "position"),
    "a negative position": ("/v1/games/{game}/score-sheet?position=-1", "bad_parameter", "position"),
    "a view of one's own": ("/v1/games/{game}/table?view=god", "bad_parameter", "view"),
    "a seat without a number": ("/v1/games/{game}/table?view=seat:", "bad_parameter", "view"),
    "both places": ("/v1/games/{game}/table?position=1&at=2026-11-21T10:00:00Z", "bad_parameter", "at"),
    "a format of one's own": ("/v1/games/{game}/score-sheet?format=xlsx", "bad_parameter", "format"),
    "a cursor of one's own": ("/v1/games/{game}/legal-moves?cursor=next", "bad_cursor", "cursor"),
    "a cursor of another seat": ("/v1/games/{game}/legal-moves?cursor=1.0.0&seat=1", "bad_cursor", "cursor"),
    "a replay from both ends": ("/v1/games/{game}/replay?after=1&before=2", "bad_parameter", "before"),
    "a replay before the first": ("/v1/games/{game}/replay?before=0", "bad_parameter", "before"),
    "a replay of hand 0": ("/v1/games/{game}/replay?hand=0", "bad_parameter", "hand"),
    "a replay of another's eyes": ("/v1/games/{game}/replay?view=everybody", "bad_parameter", "view"),
    "a filter by an inner name": ("/v1/games?from_=2026-11-21", "unknown_parameter", "from_"),
    "a negative after": ("/v1/games/{game}/history?after=-1", "bad_parameter", "after"),
    "a position of an audit": ("/v1/games/{game}/audit?position=1", "unknown_parameter", "position"),
    "a parameter where there are none": ("/v1/rulesets?x=1", "unknown_parameter", "x"),
}


def test_a_query_that_cannot_be_meant_is_a_bad_request_and_the_parameter_is_named(recorder: Caller):
    answers = {name: recorder.get(path.format(game=known(recorder))) for name, (path, _, _) in QUERIES.items()}
    told = {name: (answer.status_code, answer.json()["code"], answer.json().get("where", "")) for name, answer in answers.items()}
    assert told == {name: (400, code, where) for name, (_, code, where) in QUERIES.items()}


def test_a_cursor_of_the_list_that_was_not_given_out_is_refused(recorder: Caller):
    for cursor in ("x", "%C3%A4", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "*"):
        answer = recorder.get(f"/v1/games?cursor={cursor}")
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor")


@pytest.mark.parametrize(
    "value", ["42", '"x"', '""', '"', "", '"1", "2"', "W/2", 'w/"2"', 'W/W/"2"', '"-1"', '"1e3"', '"' + "9" * 400 + '"', '"١"']
)
def test_an_if_match_that_names_no_position_is_a_bad_request(service: Service, value: str):
    recorder = service.caller("recorder")
    answer = recorder.post(f"/v1/games/{known(recorder)}/hands", {"dealer": 9}, headers={"If-Match": value.encode()})
    assert (answer.status_code, answer.json()["where"]) == (400, "If-Match")


@pytest.mark.parametrize("value", [b"", b"x" * 201, b"k\xc3\xa4se", b"a\tb"])
def test_a_key_that_cannot_be_kept_is_a_bad_request(service: Service, value: bytes):
    answer = service.caller("recorder").post("/v1/games", OPEN, headers={"Idempotency-Key": value})
    assert (answer.status_code, answer.json()["where"]) == (400, "Idempotency-Key")


@pytest.mark.parametrize("name", ["Accept", "Accept-Language", "If-None-Match"])
@pytest.mark.parametrize("value", ["", ",", ";;;", "*;q=x", "a/b;q=2", "\x7f", '"', "de;q=0"])
def test_nonsense_in_a_header_that_only_asks_for_something_breaks_nothing(service: Service, name: str, value: str):
    recorder = service.caller("recorder")
    assert recorder.get(f"/v1/games/{known(recorder)}/score-sheet", headers={name: value}).status_code in (200, 406)


def as_sent(service: Service, method: str, path: str, headers: list[tuple[str, str]], content: str | None = None) -> httpx.Response:
    """Past the test client, which makes one header of several."""

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(service.client.app), base_url="http://kiebitz") as client:
            return await client.request(method, path, headers=headers, content=content)

    return asyncio.run(ask())


ONCE = {
    "Authorization": (f"Bearer {secret('recorder')}", f"Bearer {secret('director')}"),
    "Host": ("kiebitz.example", "elsewhere.example"),
    "Content-Type": ("application/json", "text/plain"),
    "If-Match": ('"1"', '"2"'),
    "Idempotency-Key": ("one", "another"),
}


@pytest.mark.parametrize("same", [True, False], ids=["the same twice", "another one"])
@pytest.mark.parametrize(("name", "values"), ONCE.items(), ids=ONCE)
def test_a_header_that_may_be_given_once_is_a_bad_request_when_it_is_given_twice(
    service: Service, name: str, values: tuple[str, str], same: bool
):
    given = {"Authorization": ONCE["Authorization"][0], **BODY}
    others = [(key, value) for key, value in given.items() if key != name]
    twice = [(name, values[0]), (name, values[0] if same else values[1])]
    answer = as_sent(service, "POST", "/v1/games", [*others, *twice], OPEN)
    assert (answer.status_code, answer.json().get("code"), answer.json().get("where")) == (400, "bad_header", name)


def test_a_host_that_is_named_twice_is_a_bad_request_without_a_token_too(service: Service):
    for path in ("/health/live", "/docs", "/openapi.json", "/v1/schemas/scores"):
        answer = as_sent(service, "GET", path, [("Host", "a.example"), ("Host", "b.example")])
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_header"), path


def test_several_headers_that_are_lists_count_together(service: Service, recorder: Caller):
    path, token = "/v1/rulesets", ("Authorization", f"Bearer {secret('recorder')}")
    etag = recorder.get(path).headers["etag"]
    answer = as_sent(service, "GET", path, [token, ("If-None-Match", '"other"'), ("If-None-Match", etag)])
    assert answer.status_code == 304
    accepted = as_sent(service, "GET", "/v1/feed", [token, ("Accept", "image/png"), ("Accept", "application/x-ndjson")])
    assert accepted.headers["content-type"] == "application/x-ndjson"


BAD_IDS = {
    "turned": "p\u202e1",
    "a blank of no width": "p\u200b1",
    "C1": "p\u00851",
    "a line": "p1\n",
    "a blank at the end": "p1 ",
    "a slash": "p/1",
    "nothing": "",
    "dots": "..",
    "an accent apart": "Mu\u0308ller",
    "endless": "x" * 101,
}
WITH_IDS: dict[str, Callable[[str], tuple[str, object]]] = {
    "a seat": lambda id: ("/v1/games", {"ruleset": "casino", "seats": 2, "players": [id, None]}),
    "a tournament of a game": lambda id: ("/v1/games", {"ruleset": "casino", "seats": 2, "tournament": id}),
    "a table": lambda id: ("/v1/games", {"ruleset": "casino", "seats": 2, "table": id}),
    "a substitute": lambda id: ("/v1/games/{game}/players", {"seat": 0, "player": id}),
    "a player": lambda id: ("/v1/players", {"name": "Anna", "id": id}),
    "a club": lambda id: ("/v1/players", {"name": "Anna", "club": id}),
    "another club": lambda id: ("/v1/players/p1/transfer", {"club": id}),
    "a tournament": lambda id: ("/v1/tournaments", {"id": id, "ruleset": "casino", "seats": 2, "format": "swiss"}),
    "an entry": lambda id: ("/v1/tournaments/t1/entries", {"players": [id]}),
    "an entry of several": lambda id: ("/v1/tournaments/t1/entries", {"entries": [{"players": [id]}]}),
    "a table of a round": lambda id: ("/v1/tournaments/t1/rounds", {"tables": [{"table": id, "parties": [[1], [2]]}]}),
    "a record": lambda id: ("/v1/records", {"ruleset": "casino", "seats": 2, "hands": [], "players": [id, None]}),
}


@pytest.mark.parametrize(
    ("place", "name"), dict.fromkeys([*(("a seat", name) for name in BAD_IDS), *((place, "turned") for place in WITH_IDS)])
)
def test_an_id_of_another_form_is_refused_wherever_one_comes_in(service: Service, place: str, name: str):
    director = service.caller("director")
    path, body = WITH_IDS[place](BAD_IDS[name])
    answer = director.post(path.replace("{game}", director.open() if "{game}" in path else ""), body)
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] in ("malformed_body", "bad_player_id", "bad_players")


def test_nothing_that_was_refused_was_recorded(service: Service):
    recorder = service.caller("recorder")
    assert recorder.get(f"/v1/games/{known(recorder)}").json()["position"] == 1
