"""The directory of players: registering, finding, naming, merging, separating."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest

from tests.api.conftest import Caller, Service
from tests.api.people import act, merge, path, read, register
from tests.api.tournament import announced, paired
from tests.deploy.stores.stores import sql_of


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


_NUMBERS = iter(range(1, 10_000))


@pytest.fixture
def ids() -> Iterator[str]:
    """Ids that no other test of this file uses."""
    return (f"p-{number}" for number in _NUMBERS)


def found(caller: Caller, **query: Any) -> list[str]:
    return [player["id"] for player in caller.get("/v1/players", params=query).json()["items"]]


def test_who_registers_names_id_name_alias_and_club(recorder: Caller, ids: Iterator[str]):
    id = next(ids)
    answer = recorder.post("/v1/players", {"id": id, "name": "Anna Müller", "alias": "Falke", "club": "lehrte"})
    assert (answer.status_code, answer.headers["location"], answer.headers["etag"]) == (201, f"/v1/players/{id}", '"1"')
    [event] = answer.json()["events"]
    assert (event["name"], event["body"]) == ("player.registered/1", {"player": id, "club": "lehrte"})
    told = read(recorder, id)
    assert told == {
        "id": id,
        "shown": "Anna Müller",
        "name": "Anna Müller",
        "alias": "Falke",
        "objects_to_names": False,
        "club": "lehrte",
        "merged_into": None,
        "person": id,
        "erased": False,
        "registered_at": event["at"],
        "position": 1,
        "sequence": answer.json()["sequence"],
    }


def test_who_names_no_id_is_given_one(recorder: Caller):
    id = recorder.post("/v1/players", {"name": "Bert"}).json()["player"]
    assert UUID(id).version == 4
    assert read(recorder, id)["name"] == "Bert"


@pytest.mark.parametrize("id", ["GER 1017", "Müller?3#1", "100%", "Ä;ö,&=+", "日本"])
def test_an_id_may_be_anybodys_own(recorder: Caller, id: str):
    answer = recorder.post("/v1/players", {"id": id, "name": "Cora"})
    assert answer.status_code == 201
    assert recorder.get(answer.headers["location"]).json()["id"] == id


BAD = {
    "no name": ({}, "malformed_body", "$"),
    "a blank name": ({"name": " \t"}, "malformed_body", "name"),
    "a name on two lines": ({"name": "Anna\nMüller"}, "malformed_body", "name"),
    "an empty alias": ({"name": "Anna", "alias": ""}, "malformed_body", "alias"),
    "a name that turns what follows": ({"name": "Anna \u202egnal"}, "bad_name", "name"),
    "a name with a sign of C1": ({"name": "An\u0085na"}, "bad_name", "name"),
    "an alias that nobody sees": ({"name": "Anna", "alias": "Falke\u200b"}, "bad_name", "alias"),
    "a name of other blanks": ({"name": "\u00a0\u3000"}, "bad_name", "name"),
    "an id that turns what follows": ({"id": "p\u202e1", "name": "Anna"}, "bad_player_id", "id"),
    "an id with a slash": ({"id": "a/b", "name": "Anna"}, "bad_player_id", "id"),
    "an endless id": ({"id": "x" * 101, "name": "Anna"}, "malformed_body", "id"),
    "another field": ({"name": "Anna", "e-mail": "a@b.c"}, "malformed_body", "$"),
}


@pytest.mark.parametrize(("body", "code", "where"), BAD.values(), ids=BAD)
def test_what_cannot_be_registered_is_told(recorder: Caller, body: object, code: str, where: str):
    answer = recorder.post("/v1/players", body)
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, code, where)


def test_names_are_kept_in_composed_form(recorder: Caller, director: Caller, ids: Iterator[str]):
    id, apart, composed = next(ids), "Ame\u0301lie Mu\u0308ller", "Am\u00e9lie M\u00fcller"
    register(recorder, id, apart, alias=apart)
    assert (read(director, id)["name"], read(director, id)["alias"]) == (composed, composed)
    act(director, id, "name", {"name": f"{apart} II", "alias": apart})
    assert (read(director, id)["name"], read(director, id)["alias"]) == (f"{composed} II", composed)
    for body in ({"name": "Anna\u200b"}, {"name": "Anna", "alias": "\u2066x"}):
        assert act(director, id, "name", body).json()["code"] == "bad_name"


def test_an_id_is_registered_once(recorder: Caller, ids: Iterator[str]):
    id = next(ids)
    register(recorder, id, "Anna")
    answer = recorder.post("/v1/players", {"id": id, "name": "Bert"})
    assert (answer.status_code, answer.json()["code"]) == (409, "player_exists")
    assert answer.json()["detail"].startswith("A player with this id is here already.")
    assert read(recorder, id)["name"] == "Anna"


def test_the_same_key_registers_once_and_undoes_no_later_name(recorder: Caller, director: Caller):
    body, headers = {"name": "Anna"}, {"Idempotency-Key": "anna"}
    first = recorder.post("/v1/players", body, headers=headers)
    id = first.json()["player"]
    act(director, id, "name", {"name": "Anna Meier"})
    assert recorder.post("/v1/players", body, headers=headers).content == first.content
    assert read(recorder, id)["name"] == "Anna Meier"


def test_a_request_that_comes_again_makes_up_for_a_name_that_was_lost(service: Service, recorder: Caller):
    body, headers = {"name": "Anna"}, {"Idempotency-Key": "lost"}
    id = recorder.post("/v1/players", body, headers=headers).json()["player"]
    sql_of(service.services.registers).change("DELETE FROM people WHERE player = ?", (id,))  # as if the server had died between the two
    assert (read(recorder, id)["name"], read(recorder, id)["shown"]) == (None, "A player")
    recorder.post("/v1/players", body, headers=headers)
    assert read(recorder, id)["name"] == "Anna"


def test_a_player_of_whom_games_told_already_gets_his_name_later(recorder: Caller, ids: Iterator[str]):
    id = next(ids)
    game = recorder.open(players=[id, None])
    assert recorder.get(path(id)).status_code == 404
    register(recorder, id, "Anna")
    assert recorder.get(f"/v1/games/{game}").json()["players"] == [id, None]
    assert read(recorder, id)["shown"] == "Anna"


def test_an_unknown_player_is_named(recorder: Caller, director: Caller):
    assert recorder.get(path("nobody")).json()["detail"] == "There is no such player."
    for way, body in {"name": {"name": "x"}, "transfer": {"club": "x"}, "merger": {"into": "x"}, "separation": {}}.items():
        answer = act(director, "nobody", way, body)
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_player")
    assert act(director, "nobody", "erasure", {"confirm": "nobody"}).status_code == 404


# Names


def test_name_and_alias_change_without_an_event(service: Service, director: Caller, ids: Iterator[str]):
    id = next(ids)
    register(director, id, "Anna Müller", alias="Falke")
    before, head = director.get(path(id)), service.services.journal.head()
    answer = act(director, id, "name", {"name": "Anna Meier"})
    assert (answer.status_code, answer.json()["name"], answer.json()["alias"]) == (200, "Anna Meier", "Falke")
    answer = act(director, id, "name", {"alias": None})
    assert (answer.status_code, answer.json()["name"], answer.json()["alias"]) == (200, "Anna Meier", None)
    assert service.services.journal.head() == head
    again = director.get(path(id), headers={"If-None-Match": before.headers["etag"]})
    assert (again.status_code, again.json()["name"]) == (200, "Anna Meier")
    assert director.get(path(id), headers={"If-None-Match": again.headers["etag"]}).status_code == 304


def test_a_viewer_sees_the_alias_and_never_a_name(viewer: Caller, recorder: Caller, ids: Iterator[str]):
    one, other = next(ids), next(ids)
    register(recorder, one, "Quintus Verborgen", alias="Falke")
    register(recorder, other, "Quinta Verborgen")
    told = [read(viewer, id) for id in (one, other)]
    assert [(player["shown"], player["alias"]) for player in told] == [("Falke", "Falke"), ("A player", None)]
    assert "name" not in told[0]
    assert "Verborgen" not in viewer.get("/v1/players").text
    assert found(viewer, search="verborgen") == []
    assert sorted(found(recorder, search="verborgen")) == [one, other]


# Lists and search


def test_players_are_listed_newest_first_page_by_page(recorder: Caller, ids: Iterator[str]):
    some = [next(ids) for _ in range(5)]
    for id in some:
        register(recorder, id, "Anna", club="paged")
    assert found(recorder, club="paged") == some[::-1]
    first = recorder.get("/v1/players?club=paged&limit=3")
    assert first.headers["link"] == f'</v1/players?club=paged&limit=3&cursor={first.json()["next"]}>; rel="next"'
    rest = recorder.get(f"/v1/players?club=paged&limit=3&cursor={first.json()['next']}").json()
    assert [[one["id"] for one in page["items"]] for page in (first.json(), rest)] == [some[:1:-1], some[1::-1]]
    assert rest["next"] is None


def test_what_is_searched_is_found_by_any_words_page_by_page(recorder: Caller, ids: Iterator[str]):
    some = [next(ids) for _ in range(5)]
    for number, id in enumerate(some):
        register(recorder, id, "Zoë Überall", club="odd" if number % 2 else "even")
    assert found(recorder, search="UBER zoe") == sorted(some)
    assert found(recorder, search="ueberall", club="even") == sorted(some[::2])
    first = recorder.get("/v1/players?search=uberall&limit=2").json()
    second = recorder.get(f"/v1/players?search=uberall&limit=2&cursor={first['next']}").json()
    third = recorder.get(f"/v1/players?search=uberall&limit=2&cursor={second['next']}").json()
    assert [one["id"] for page in (first, second, third) for one in page["items"]] == sorted(some)
    assert third["next"] is None


@pytest.mark.parametrize("query", ["search=", "search=%25", "search=--", "cursor=x&search=a", "cursor=%C3%A4", "name=anna", "limit=0"])
def test_a_search_that_cannot_be_meant_is_refused(recorder: Caller, query: str):
    answer = recorder.get(f"/v1/players?{query}")
    assert answer.status_code in (400, 422)
    assert answer.json()["code"] in ("bad_parameter", "unknown_parameter", "bad_cursor")


def test_merged_and_erased_ones_can_be_left_out(director: Caller, ids: Iterator[str]):
    one, other, gone = (next(ids) for _ in range(3))
    for id in (one, other, gone):
        register(director, id, "Anna", club="sifted")
    merge(director, one, other)
    act(director, gone, "erasure", {"confirm": gone})
    assert found(director, club="sifted", merged="true") == [one]
    assert found(director, club="sifted", merged="false", erased="false") == [other]
    assert found(director, club="sifted", search="anna", merged="false") == [other]


def test_clubs_count_their_members(director: Caller, ids: Iterator[str]):
    one, other, third = (next(ids) for _ in range(3))
    for id in (one, other, third):
        register(director, id, "Anna", club="club a" if id != third else "club b")
    merge(director, one, other)

    def clubs(query: str = "") -> dict[str, int]:
        return {club["club"]: club["members"] for club in director.get(f"/v1/clubs{query}").json()["items"]}

    assert (clubs()["club a"], clubs()["club b"]) == (1, 1)
    first = director.get("/v1/clubs?limit=1")
    assert len(first.json()["items"]) == 1
    assert set(clubs(f"?cursor={first.json()['next']}")) == set(clubs()) - {first.json()["items"][0]["club"]}


# Transfers, mergers, separations


def test_a_transfer_is_recorded_and_read(director: Caller, ids: Iterator[str]):
    id = next(ids)
    register(director, id, "Anna", club="lehrte")
    answer = act(director, id, "transfer", {"club": "peine"}, headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.headers["etag"], answer.json()["events"][0]["body"]) == (201, '"2"', {"club": "peine"})
    assert read(director, id)["club"] == "peine"
    assert act(director, id, "transfer", {"club": None}).status_code == 201
    refused = act(director, id, "transfer", {"club": None}, headers={"Accept-Language": "de"})
    assert (refused.status_code, refused.json()["code"]) == (422, "same_club")
    assert refused.json()["detail"] == "Dieser Spieler ist schon in keinem Verein."


def test_who_decided_on_an_older_position_is_told_what_he_missed(director: Caller, ids: Iterator[str]):
    id = next(ids)
    register(director, id, "Anna")
    act(director, id, "transfer", {"club": "peine"})
    answer = act(director, id, "transfer", {"club": "lehrte"}, headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.json()["position"]) == (412, 2)
    assert [event["body"] for event in answer.json()["missed"]] == [{"club": "peine"}]


def test_a_merged_id_shows_the_person_and_a_separated_one_itself_again(director: Caller, viewer: Caller, ids: Iterator[str]):
    one, other = next(ids), next(ids)
    register(director, one, "A. Müller")
    register(director, other, "Anna Müller", alias="Falke")
    merge(director, one, other)
    told = read(director, one)
    assert (told["shown"], told["name"], told["merged_into"], told["person"]) == ("Anna Müller", "A. Müller", other, other)
    assert read(viewer, one)["shown"] == "Falke"
    assert act(director, one, "separation").status_code == 201
    told = read(director, one)
    assert (told["shown"], told["merged_into"], told["person"]) == ("A. Müller", None, one)


def test_who_is_merged_takes_along_whom_he_had_taken_in(director: Caller, ids: Iterator[str]):
    one, two, three = (next(ids) for _ in range(3))
    for id in (one, two, three):
        register(director, id, f"Name of {id}")
    merge(director, one, two)
    merge(director, two, three)
    assert [read(director, id)["person"] for id in (one, two, three)] == [three] * 3
    assert act(director, two, "separation").status_code == 201
    assert [read(director, id)["person"] for id in (one, two, three)] == [two, two, three]


def test_a_merger_that_cannot_be_is_refused_and_nothing_is_recorded(service: Service, director: Caller, ids: Iterator[str]):
    one, other = next(ids), next(ids)
    for id in (one, other):
        register(director, id, "Anna")
    merge(director, one, other)
    head = service.services.journal.head()
    refusals = [
        (one, "merger", {"into": one}, "merged_with_itself"),
        (one, "merger", {"into": other}, "player_merged"),
        (other, "merger", {"into": one}, "player_merged"),
        (other, "separation", {}, "not_merged"),
        (one, "transfer", {"club": "peine"}, "player_merged"),
        (one, "erasure", {"confirm": one}, "player_merged"),
    ]
    for id, way, body, code in refusals:
        answer = act(director, id, way, body)
        assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert act(director, other, "merger", {"into": "nobody"}).json()["detail"] == "There is no such player."
    assert service.services.journal.head() == head


def test_a_merger_under_a_key_that_comes_again_is_answered_again(director: Caller, ids: Iterator[str]):
    one, other = next(ids), next(ids)
    for id in (one, other):
        register(director, id, "Anna")
    answers = [act(director, one, "merger", {"into": other}, headers={"Idempotency-Key": f"merge {one}"}) for _ in range(2)]
    assert answers[0].status_code == 201
    assert answers[0].content == answers[1].content


def test_a_dry_run_of_a_transfer_merger_or_separation_says_what_would_be_recorded(director: Caller, ids: Iterator[str]):
    one, other, merged = next(ids), next(ids), next(ids)
    for id in (one, other, merged):
        register(director, id, "Anna")
    merge(director, merged, other)
    tried = {
        (one, "transfer"): ({"club": "peine"}, "player.transferred/1", {"club": "peine"}),
        (one, "merger"): ({"into": other}, "player.merged/1", {"into": other}),
        (merged, "separation"): ({}, "player.separated/1", {}),
    }
    for (id, way), (body, name, says) in tried.items():
        before = read(director, id)
        answer = director.post(f"/v1/players/{id}/{way}?dry_run=true", body)
        told = answer.json()
        assert (answer.status_code, told["player"], told["position"]) == (200, id, before["position"] + 1)
        assert [(one["name"], one["body"]) for one in told["events"]] == [(name, says)]
        assert read(director, id) == before
    assert director.post(f"/v1/players/{one}/merger?dry_run=true", {"into": one}).json()["code"] == "merged_with_itself"


def test_two_who_sat_at_one_table_are_merged_only_with_force(director: Caller, ids: Iterator[str]):
    ann, bert, alias = next(ids), next(ids), next(ids)
    for id in (ann, bert, alias):
        register(director, id, "Anna")
    merge(director, alias, ann)
    director.open(players=[alias, bert])
    for query in ("?dry_run=true", ""):
        refused = director.post(f"/v1/players/{bert}/merger{query}", {"into": ann})
        assert (refused.status_code, refused.json()["code"]) == (422, "sat_at_one_table")
    assert director.post(f"/v1/players/{bert}/merger?dry_run=true", {"into": ann, "force": True}).status_code == 200
    assert act(director, bert, "merger", {"into": ann, "force": True}).status_code == 201
    assert act(director, bert, "separation").status_code == 201


def test_two_who_were_paired_at_a_table_without_a_game_have_met(director: Caller, ids: Iterator[str]):
    ann, bert, cora = next(ids), next(ids), next(ids)
    for id in (ann, bert, cora):
        register(director, id, "Anna")
    path = announced(director, format="manual")
    assert director.post(f"{path}/entries", {"entries": [{"players": [id]} for id in (ann, bert, cora)]}).status_code == 201
    paired(director, path, [[1], [2]], byes=[3])
    assert act(director, ann, "merger", {"into": bert}).json()["code"] == "sat_at_one_table"
    assert director.post(f"/v1/players/{ann}/merger?dry_run=true", {"into": cora}).status_code == 200


# Who may


@pytest.mark.parametrize("role", ["recorder", "arbiter", "committee", "viewer", None])
def test_only_a_director_does_more_than_register(service: Service, role: str | None):
    caller = service.caller(role)
    bodies = {"name": {"name": "x"}, "transfer": {"club": "x"}, "merger": {"into": "x"}, "separation": {}, "erasure": {"confirm": "x"}}
    expected = 401 if role is None else 403
    assert {act(caller, "x", way, body).status_code for way, body in bodies.items()} == {expected}
    assert caller.get("/v1/players/x/data").status_code == expected


@pytest.mark.parametrize(("role", "status"), [("director", 201), ("recorder", 201), ("arbiter", 403), ("committee", 403), ("viewer", 403)])
def test_directors_and_recorders_register(service: Service, role: str, status: int):
    assert service.caller(role).post("/v1/players", {"name": "Anna"}).status_code == status


@pytest.mark.parametrize("role", ["director", "recorder", "arbiter", "committee"])
def test_officials_read_names(service: Service, recorder: Caller, ids: Iterator[str], role: str):
    id = next(ids)
    register(recorder, id, "Anna Müller")
    assert read(service.caller(role), id)["name"] == "Anna Müller"


def test_two_who_correct_different_fields_at_once_lose_none(director: Caller, ids: Iterator[str]):
    fields = {"name": "Anna Meier", "alias": "Falke", "objects_to_names": True}
    with ThreadPoolExecutor(len(fields)) as callers:
        for id in (next(ids) for _ in range(10)):
            register(director, id, "Anna")
            list(callers.map(lambda field: act(director, id, "name", dict([field])), fields.items()))  # noqa: B023  # done before the next
            told = read(director, id)
            assert {field: told[field] for field in fields} == fields
