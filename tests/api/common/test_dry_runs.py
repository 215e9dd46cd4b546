"""A dry run answers what the request itself would answer, and nothing is recorded: no event, no text, no key."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from domain.games.casino.ruleset import RULESET as CASINO
from tests.api.conftest import BODY, Caller, Service, trailing
from tests.api.people import register
from tests.api.tournament import announced, entered, paired
from tests.evening.book import below, split_method

NDJSON = {"Content-Type": "application/x-ndjson"}
CSV = {"Content-Type": "text/csv"}
_POINTS = [{"party": 1, "points": -1}]
DECK = ["3H", "8C", "5S", "KC"]
RECORD = {"ruleset": "casino", "seats": 2, "hands": [{"dealer": 1, "deck": DECK, "fill": "sorted", "moves": []}]}


class Act(NamedTuple):
    """Where, what, and something else that could be asked there."""

    address: str
    body: str
    other: str
    headers: dict[str, str] = BODY


def of_game(path: str, body: dict[str, Any], other: dict[str, Any]) -> Callable[[Caller], Act]:
    def made(director: Caller) -> Act:
        game = director.open(players=["p1", None])
        director.deal(game, *DECK)
        return Act(below(f"/v1/games/{game}", path), json.dumps(body), json.dumps(other))

    return made


def of_tournament(
    path: str, body: dict[str, Any], other: dict[str, Any], prepare: Callable[[Caller, str], object] = lambda _, __: None
) -> Callable[[Caller], Act]:
    def made(director: Caller) -> Act:
        tournament = announced(director)
        entered(director, tournament, 4)
        prepare(director, tournament)
        return Act(below(tournament, path), json.dumps(body), json.dumps(other))

    return made


def listed(path: str, body: str, other: str, headers: dict[str, str]) -> Callable[[Caller], Act]:
    """``NEW`` in them stands for an id that nobody has."""

    def made(director: Caller) -> Act:
        id = uuid4().hex[:12]
        return Act(path or f"{announced(director)}/entries", body.replace("NEW", id), other.replace("NEW", id), headers)

    return made


CARD = "3H"
POSITIONED = {
    "a move": of_game("moves", trailing(0, CARD), trailing(0, "7S")),
    "a note": of_game("notes", {"text": "late"}, {"text": "later"}),
    "a dispute": of_game("disputes", {"claim": "late"}, {"claim": "later"}),
    "points": of_game("adjustments", {"adjustments": _POINTS, "reason": "late"}, {"adjustments": _POINTS, "reason": "later"}),
    "a suspension": of_game("PUT suspension", {"reason": "late"}, {"reason": "later"}),
    "a substitute": of_game("players", {"seat": 1, "player": "p_42"}, {"seat": 1, "player": "p_43"}),
    "the end of a tournament": of_tournament("ending", {"how": "cancelled"}, {"how": "finished"}),
    "an entry": of_tournament("entries", {"players": ["p9"]}, {"players": ["p8"]}),
    "a withdrawal": of_tournament("entries/2/withdrawal", {"reason": "ill"}, {"reason": "away"}),
    "a correction": of_tournament("correction", {"rounds": 4}, {"rounds": 5}),
    "a round": of_tournament("rounds", {}, {"byes": [1]}),
    "an unpairing": of_tournament("unpairing", {"reason": "late"}, {"reason": "later"}, paired),
    "a change of a round": of_tournament(
        "rounds/1/change",
        {"tables": [{"table": "1", "parties": [[1], [2]]}, {"table": "2", "parties": [[3], [4]]}], "reason": "late"},
        {"dissolve": ["1", "2"], "byes": [1, 2, 3, 4]},
        paired,
    ),
    "a wish": of_tournament("wishes", {"kind": "apart", "entrants": [1, 2]}, {"kind": "apart", "entrants": [1, 3]}),
    "presence": of_tournament("presence", {"absent": [2]}, {"absent": [3]}),
    "a closing": of_tournament("PUT rounds/1/tables/1/result", {"points": [3, 1]}, {"points": [1, 3]}, paired),
}
NEW = {
    "a game": listed(
        "/v1/games",
        '{"ruleset": "casino", "seats": 2, "players": ["NEW-1", null]}',
        '{"ruleset": "casino", "seats": 2, "players": ["NEW-2", null]}',
        BODY,
    ),
    "a tournament": listed(
        "/v1/tournaments",
        '{"id": "NEW-1", "ruleset": "casino", "seats": 2, "format": "swiss"}',
        '{"id": "NEW-2", "ruleset": "casino", "seats": 2, "format": "swiss"}',
        BODY,
    ),
    "a record": listed(
        "/v1/records", json.dumps({**RECORD, "players": ["NEW-1", None]}), json.dumps({**RECORD, "players": ["NEW-2", None]}), BODY
    ),
}
LISTS = {
    "members": listed("/v1/players", '{"id": "NEW-1", "name": "Anna"}', '{"id": "NEW-2", "name": "Ben"}', NDJSON),
    "members as CSV": listed("/v1/players", "id,name\nNEW-1,Anna", "id,name\nNEW-2,Ben", CSV),
    "entries as CSV": listed("", "player\np1\np2", "player\np3", CSV),
    "records": listed(
        "/v1/records",
        json.dumps({**RECORD, "players": ["NEW-1", None]}) + "\n",
        json.dumps({**RECORD, "players": ["NEW-2", None]}) + "\n",
        NDJSON,
    ),
}
EVERY = {**POSITIONED, **NEW, **LISTS}
acts = pytest.mark.parametrize("made", EVERY.values(), ids=EVERY)
positioned = pytest.mark.parametrize("made", POSITIONED.values(), ids=POSITIONED)


def sent(caller: Caller, act: Act, body: str, *, dry: bool, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    method, address = split_method(act.address)
    return caller.call(method, f"{address}{'?dry_run=true' if dry else ''}", content=body, headers={**act.headers, **named})


def head(caller: Caller) -> int:
    return int(caller.get("/v1/feed?limit=1").json()["head"])


@acts
def test_nothing_is_kept_of_it_not_even_the_key(service: Service, made: Callable[[Caller], Act]):
    director = service.caller("director")
    act, key = made(director), uuid4().hex
    before = head(director)
    for _ in range(2):
        dry = sent(director, act, act.body, dry=True, Idempotency_Key=key)
        assert (dry.status_code, "idempotent-replayed" in dry.headers) == (200, False), dry.text
    assert (head(director), service.services.registers.find_command("p_director", key)) == (before, None)
    real = sent(director, act, act.body, dry=False, Idempotency_Key=key)
    assert (real.status_code in (200, 201), "idempotent-replayed" in real.headers) == (True, False), real.text
    assert head(director) > before


@positioned
def test_it_is_overtaken_as_the_request_is(service: Service, made: Callable[[Caller], Act]):
    director = service.caller("director")
    act = made(director)
    dry, real = (sent(director, act, act.body, dry=dry, If_Match='"1"') for dry in (True, False))
    assert (dry.status_code, dry.json(), dry.headers["etag"]) == (412, real.json(), real.headers["etag"])
    held = sent(director, act, act.body, dry=True, If_Match=dry.headers["etag"])
    assert held.status_code == 200, held.text


@positioned
def test_what_is_no_position_is_refused_by_it_too(service: Service, made: Callable[[Caller], Act]):
    director = service.caller("director")
    act = made(director)
    for if_match in ("7", '"x"', ""):
        answer = sent(director, act, act.body, dry=True, If_Match=if_match)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_header"), if_match


@acts
def test_a_key_that_was_used_for_something_else_is_refused_by_it_too(service: Service, made: Callable[[Caller], Act]):
    director = service.caller("director")
    act, key = made(director), uuid4().hex
    assert sent(director, act, act.body, dry=False, Idempotency_Key=key).status_code in (200, 201)
    dry, real = (sent(director, act, act.other, dry=dry, Idempotency_Key=key) for dry in (True, False))
    assert (dry.status_code, dry.json()) == (real.status_code, real.json())
    assert real.json()["code"] == "key_reused"


@acts
def test_who_did_it_already_is_answered_as_the_request_would_be(service: Service, made: Callable[[Caller], Act]):
    director = service.caller("director")
    act, key = made(director), uuid4().hex
    first = sent(director, act, act.body, dry=False, Idempotency_Key=key)
    before = head(director)
    dry, again = (sent(director, act, act.body, dry=dry, Idempotency_Key=key) for dry in (True, False))
    assert (dry.status_code, dry.headers.get("idempotent-replayed")) == (200, again.headers.get("idempotent-replayed")), dry.text
    told, repeated = dry.json(), again.json()
    if "events" in told:
        assert told["events"] == repeated["events"] == first.json()["events"]
    for name in ("players", "records", "lines"):
        assert told.get(name) == repeated.get(name)
    assert told.get("position") == repeated.get("position")
    assert head(director) == before


@acts
def test_a_key_that_cannot_be_kept_is_refused_by_it_too(service: Service, made: Callable[[Caller], Act]):
    director = service.caller("director")
    answer = sent(director, (act := made(director)), act.body, dry=True, Idempotency_Key="x" * 201)
    assert (answer.status_code, answer.json()["where"]) == (400, "Idempotency-Key")


@pytest.mark.parametrize("happened", ["1512-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59"])
@pytest.mark.parametrize("name", ["a move", "a note", "points", "a round", "a withdrawal", "a tournament"])
def test_an_impossible_time_is_refused_by_it_too(service: Service, name: str, happened: str):
    director = service.caller("director")
    act = EVERY[name](director)
    body = json.dumps({**json.loads(act.body), "happened_at": happened})
    dry, real = (sent(director, act, body, dry=dry) for dry in (True, False))
    assert (dry.status_code, dry.json()) == (422, real.json())
    assert dry.json()["where"] == "happened_at"


def test_a_tournament_that_is_here_already_cannot_be_announced(service: Service):
    director = service.caller("director")
    act = NEW["a tournament"](director)
    body = json.dumps({**json.loads(act.body), "id": announced(director).rpartition("/")[2]})
    dry, real = (sent(director, act, body, dry=dry) for dry in (True, False))
    assert (dry.status_code, dry.json()) == (409, real.json())


def test_members_who_are_here_already_are_told_so(service: Service):
    director = service.caller("director")
    register(director, "here", "Anna")
    act = Act("/v1/players", '{"id": "here", "name": "Anna"}\n{"name": "Ben"}\n{"id": "new", "name": "Cleo"}', "", NDJSON)
    report = sent(director, act, act.body, dry=True).json()
    assert [line["player"] for line in report["players"]] == [None, None, "new"]
    assert [(line["error"] or {}).get("code") for line in report["players"]] == ["player_exists", None, None]
    assert (report["registered"], report["refused"], report["dry_run"]) == (2, 1, True)


def rotated_token(director: Caller) -> str:
    token = director.post("/v1/tokens", {"role": "viewer", "scope": "everything"}).json()["id"]
    assert director.post(f"/v1/tokens/{token}/rotation", {"grace": 60}).status_code == 201
    return f"/v1/tokens/{token}/rotation"


def erased_player(director: Caller) -> str:
    player = uuid4().hex[:12]
    register(director, player, "Anna")
    assert director.post(f"/v1/players/{player}/erasure", {"confirm": player}).status_code == 200
    return f"/v1/players/{player}/name"


REFUSED: dict[str, tuple[Callable[[Caller], str], str, object, str]] = {
    "another successor": (rotated_token, "POST", {"grace": 60}, "token_over"),
    "an erased name": (erased_player, "POST", {"name": "Ben"}, "player_erased"),
    "an overtaken wall": (lambda director: f"{announced(director)}/wall", "PUT", {"show": "standings"}, "stale_position"),
    "an unknown code": (lambda _: "/v1/codes/00000000", "DELETE", None, "unknown_code"),
    "words that are none": (lambda director: f"{announced(director)}/notes/77", "DELETE", None, "unknown_note"),
    "an address of ours": (
        lambda _: "/v1/webhooks",
        "POST",
        {"role": "viewer", "scope": "everything", "url": "https://127.0.0.1/"},
        "forbidden",
    ),
    "a confirmation of another": (lambda _: "/v1/players/p1/erasure", "POST", {"confirm": "p2"}, "not_confirmed"),
}


@pytest.mark.parametrize(("made", "method", "body", "code"), REFUSED.values(), ids=REFUSED)
def test_what_a_register_refuses_its_dry_run_refuses_too(
    service: Service, made: Callable[[Caller], str], method: str, body: object, code: str
):
    director = service.caller("director")
    path = made(director)
    dry, real = (director.call(method, f"{path}{query}", json=body, headers={"If-Match": '"9"'}) for query in ("?dry_run=true", ""))
    assert (dry.status_code, dry.json()) == (real.status_code, real.json())
    assert dry.json()["code"] == code


def named(director: Caller) -> Act:
    id = uuid4().hex[:12]
    register(director, id, "Anna")
    return Act(f"/v1/players/{id}/name", '{"name": "Anne", "alias": "A"}', '{"name": "Ann"}')


def boards(director: Caller) -> Act:
    body = {"round": 1, "board": 1, "deck": sorted(CASINO.bind({}, 2).deck)}
    return Act(f"{announced(director)}/boards", json.dumps(body), json.dumps({**body, "board": 2}))


def round_games(director: Caller) -> Act:
    tournament = announced(director)
    entered(director, tournament, 4)
    paired(director, tournament)
    return Act(f"{tournament}/rounds/1/games", "{}", '{"tables": ["1"]}')


REGISTERS = {
    "a name": (named, lambda act: act.address.removesuffix("/name")),
    "boards": (boards, lambda act: act.address),
    "games of a round": (round_games, lambda act: act.address.removesuffix("/games")),
}


@pytest.mark.parametrize(("made", "where"), REGISTERS.values(), ids=REGISTERS)
def test_what_is_no_event_can_be_tried_too(service: Service, made: Callable[[Caller], Act], where: Callable[[Act], str]):
    director = service.caller("director")
    act, key = made(director), uuid4().hex
    before = director.get(where(act)).json()
    dry = sent(director, act, act.body, dry=True, Idempotency_Key=key)
    assert (dry.status_code, director.get(where(act)).json(), before != dry.json()) == (200, before, True), dry.text
    real = sent(director, act, act.body, dry=False, Idempotency_Key=key)
    assert real.status_code in (200, 201), real.text
    again = sent(director, act, act.body, dry=True, Idempotency_Key=key)
    assert (again.status_code, again.headers["idempotent-replayed"]) == (200, "true")
    assert sent(director, act, act.other, dry=True, Idempotency_Key=key).json()["code"] == "key_reused"
