"""Audits over HTTP of whatever lies in a real store of either kind, after somebody has tampered with it by SQL."""

from typing import Any
from uuid import UUID

import msgspec
import pytest

from deploy.stores.statements import Statements
from domain.events.base import text_ref_of
from domain.journal.snapshots import EVERY, decode_snapshot, encode_snapshot
from domain.player import player_stream
from domain.tournament.tournament import tournament_stream
from tests.api.conftest import Caller, Service
from tests.api.play import worked
from tests.api.tournament import announced, entered, opened, paired, scored
from tests.append_only import drop_triggers
from tests.deploy.stores.stores import sql_of


def allowing(service: Service) -> Statements:
    """The store's SQL, for one who may do everything."""
    drop_triggers(service.services.journal.store)
    return sql_of(service.services.journal.store)


def change_event(service: Service, stream: UUID, position: int, old: bytes, new: bytes) -> None:
    sql = allowing(service)
    where = "WHERE originator_id = ? AND originator_version = ?"
    at = (sql.to_column(stream), position)
    [(state,)] = sql.query(f"SELECT state FROM events {where}", at)
    assert bytes(state).count(old) == 1
    assert sql.change(f"UPDATE events SET state = ? {where}", (bytes(state).replace(old, new), *at)) == 1


def swap(service: Service, one: UUID, other: UUID) -> None:
    """Two whole streams, each under the id of the other."""
    sql, aside = allowing(service), UUID(int=99)
    for stream, id in ((one, aside), (other, one), (aside, other)):
        assert sql.change("UPDATE events SET originator_id = ? WHERE originator_id = ?", (sql.to_column(id), sql.to_column(stream)))


def audit_of(caller: Caller, path: str) -> dict[str, Any]:
    answer = caller.get(f"{path}/audit")
    assert answer.status_code == 200, answer.text
    assert (answer.headers["cache-control"], "etag" in answer.headers) == ("no-store", False)
    return dict(answer.json())


def found_in(caller: Caller, path: str) -> list[tuple[int, str]]:
    return [(one["position"], one["kind"]) for one in audit_of(caller, path)["divergences"]]


def a_tournament(service: Service) -> str:
    """Two rounds: one with a recorded game and an entered result, one that was drawn from them."""
    director, recorder = service.caller("director"), service.caller("recorder")
    night = announced(director, title="Club night", rounds=3)
    entered(recorder, night, 4)
    paired(director, night)
    games = opened(recorder, night)
    scored(director, games["1"], 30, 12)
    assert director.put(f"{night}/rounds/1/tables/2/result", {"points": [21, 14]}).status_code == 201
    assert director.post(f"{night}/rounds/1/closing", {}).status_code == 201
    paired(director, night)
    assert director.post(f"{night}/unpairing", {"reason": "somebody left"}).status_code == 201
    away = director.post(f"{night}/entries/4/withdrawal", {"reason": "ill", "from_round": 2, "back_from": 3})
    assert away.status_code == 201, away.text
    paired(director, night)
    return night


def id_of(path: str) -> str:
    return path.rpartition("/")[2]


def position_of(service: Service, stream: UUID, name: str) -> int:
    return next(one.position for one in service.services.journal.history(stream) if one.name == name)


def test_a_tournament_as_it_was_directed_is_sound(either_service: Service):
    night = a_tournament(either_service)
    stream = tournament_stream(id_of(night))
    events = either_service.caller("viewer").get(night).json()["position"]
    sound = {"kind": "tournament", "id": id_of(night), "stream": str(stream), "verdict": "sound", "events": events, "judged": events}
    expected = {**sound, "divergences": [], "unjudged": [], "remarks": []}
    assert audit_of(either_service.caller("recorder"), night) == expected


def test_swapped_points_of_a_result_are_found(new_service: Service):
    """They changed who won, and nothing said a word."""
    night, director = a_tournament(new_service), new_service.caller("director")
    stream = tournament_stream(id_of(night))
    position = position_of(new_service, stream, "result.entered/1")
    change_event(new_service, stream, position, b"[21,14]", b"[14,21]")
    assert found_in(director, night)[0] == (position + 1, "link")


def test_words_that_were_exchanged_are_found_and_no_digest_is_told(new_service: Service):
    night, director = a_tournament(new_service), new_service.caller("director")
    [title] = [one for one in new_service.services.journal.history(tournament_stream(id_of(night))) if one.position == 1]
    ref = text_ref_of(title.event)
    assert ref is not None
    assert allowing(new_service).change("UPDATE texts SET body = ? WHERE id = ?", ("Another night", ref.id)) == 1
    told = {"position": 1, "kind": "words", "recorded": f"text {ref.id}", "recomputed": "the words of this event"}
    assert audit_of(director, night)["divergences"] == [told]
    assert allowing(new_service).change("UPDATE texts SET body = NULL WHERE id = ?", (ref.id,)) == 1
    assert (found_in(director, night), audit_of(director, night)["remarks"]) == ([], [])  # erased


def test_of_words_whose_row_was_taken_away_the_audit_says_that_nothing_is_kept(new_service: Service):
    night, director = a_tournament(new_service), new_service.caller("director")
    ref = text_ref_of(new_service.services.journal.history(tournament_stream(id_of(night)))[0].event)
    assert ref is not None
    assert allowing(new_service).change("DELETE FROM texts WHERE id = ?", (ref.id,)) == 1
    told = {"position": 1, "text": "nothing is kept of the words of this event, not even that they were erased"}
    assert (audit_of(director, night)["verdict"], audit_of(director, night)["remarks"]) == ("sound", [told])


def test_words_of_a_game_are_held_against_their_digests_too(new_service: Service):
    director = new_service.caller("director")
    game = worked(new_service.caller("recorder"), "game-two-players-classic")
    assert director.post(f"/v1/games/{game}/notes", {"text": "he said eight"}).status_code == 201
    assert found_in(director, f"/v1/games/{game}") == []
    allowing(new_service).change("UPDATE texts SET body = ? WHERE body = ?", ("he said nine", "he said eight"))
    count = new_service.services.journal.game(UUID(game)).position
    assert found_in(director, f"/v1/games/{game}") == [(count, "words")]


def test_streams_swapped_under_each_others_ids_are_found(new_service: Service):
    director, recorder = new_service.caller("director"), new_service.caller("recorder")
    games = [worked(recorder, "game-two-players-classic"), worked(recorder, "game-royal-counting-order")]
    nights = [announced(director), announced(director)]
    for night in nights:
        entered(recorder, night, 2)
    for player in ("anna", "ben"):
        assert recorder.post("/v1/players", {"id": player, "name": player}).status_code == 201
        assert director.post(f"/v1/players/{player}/transfer", {"club": "peine"}).status_code == 201
    swap(new_service, *map(UUID, games))
    swap(new_service, *(tournament_stream(id_of(night)) for night in nights))
    swap(new_service, player_stream("anna"), player_stream("ben"))
    for path in (f"/v1/games/{games[0]}", f"/v1/games/{games[1]}"):
        assert [one for one in found_in(director, path) if one[1] != "snapshot"] == [(1, "stream")]
    for path in (*nights, "/v1/players/anna", "/v1/players/ben"):
        assert found_in(director, path) == [(1, "stream"), (1, "stream")]


def test_events_in_another_order_of_the_store_are_found(new_service: Service):
    director, recorder = new_service.caller("director"), new_service.caller("recorder")
    night = announced(director)
    entered(recorder, night, 3)
    stream, sql = tournament_stream(id_of(night)), allowing(new_service)
    rows = {
        position: (topic, bytes(state))
        for position, topic, state in sql.query(
            "SELECT originator_version, topic, state FROM events WHERE originator_id = ?", (sql.to_column(stream),)
        )
    }
    move = "UPDATE events SET originator_version = ? WHERE originator_id = ? AND originator_version = ?"
    for old, new in ((2, 99), (3, 2), (99, 3)):
        assert sql.change(move, (new, sql.to_column(stream), old)) == 1
    for position in (2, 3):
        write = "UPDATE events SET topic = ?, state = ? WHERE originator_id = ? AND originator_version = ?"
        assert sql.change(write, (*rows[position], sql.to_column(stream), position)) == 1
    # Each is at its position again, with its bytes; only the order of the whole store is another one.
    assert [kind for _, kind in found_in(director, night)] == ["sequence"]


def test_players_as_they_were_directed_are_sound_and_a_changed_one_is_found(new_service: Service):
    director, recorder = new_service.caller("director"), new_service.caller("recorder")
    for player in ("anna", "ben", "cleo"):
        assert recorder.post("/v1/players", {"id": player, "name": player, "club": "lehrte"}).status_code == 201
    acts: tuple[tuple[str, dict[str, str]], ...] = (
        ("anna/transfer", {"club": "peine"}),
        ("anna/merger", {"into": "ben"}),
        ("anna/separation", {}),
        ("anna/merger", {"into": "ben"}),
    )
    for path, body in acts:
        assert director.post(f"/v1/players/{path}", body).status_code == 201
    assert director.post("/v1/players/ben/erasure", {"confirm": "ben"}).status_code == 200
    for player, events in (("anna", 6), ("ben", 5), ("cleo", 1)):
        found = audit_of(recorder, f"/v1/players/{player}")
        assert (found["id"], found["verdict"], found["judged"]) == (player, "sound", events)
    change_event(new_service, player_stream("anna"), 2, b'"peine"', b'"lehrt"')
    assert found_in(recorder, "/v1/players/anna") == [(3, "link")]


def test_a_changed_snapshot_changes_nothing_that_is_recorded_and_is_named(new_service: Service):
    recorder, journal = new_service.caller("recorder"), new_service.services.journal
    game = worked(recorder, "game-two-players-classic")
    id, sql = UUID(game), allowing(new_service)
    journal.snapshots.close()  # written by now
    [(row, last)] = journal.store.select_snapshots(id, journal.snapshots._form, EVERY, 2 * EVERY)
    kept = decode_snapshot(row.state, last)
    assert kept is not None
    score = kept.table.score
    hands = tuple(msgspec.structs.replace(hand, points=(500, 0), totals=(500, 0)) for hand in score.hands)
    table = msgspec.structs.replace(kept.table, score=msgspec.structs.replace(score, hands=hands))
    forged = encode_snapshot(msgspec.structs.replace(kept, table=table))
    assert sql.change("UPDATE snapshots SET state = ? WHERE position = ?", (forged, row.position)) == 1
    known = journal.game(id)
    journal._evict(id)
    assert journal.game(id) == known
    assert (row.position, "snapshot") in found_in(recorder, f"/v1/games/{game}")


def test_audits_of_tournaments_and_players_are_for_officials(new_service: Service):
    director = new_service.caller("director")
    night = announced(director)
    assert director.post("/v1/players", {"id": "anna", "name": "Anna"}).status_code == 201
    for path in (night, "/v1/players/anna"):
        refused = new_service.caller("viewer").get(f"{path}/audit")
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    for path, code in (("/v1/tournaments/none", "unknown_tournament"), ("/v1/players/none", "unknown_player")):
        answer = director.get(f"{path}/audit")
        assert (answer.status_code, answer.json()["code"]) == (404, code)


@pytest.mark.parametrize("name", ["round.closed/1", "player.parted/1"])
def test_an_event_of_another_kind_in_a_game_is_found(new_service: Service, name: str):
    recorder = new_service.caller("recorder")
    game = worked(recorder, "game-two-players-classic")
    sql = allowing(new_service)
    count = new_service.services.journal.game(UUID(game)).position
    sql.change("UPDATE events SET topic = ? WHERE originator_id = ? AND originator_version = ?", (name, sql.to_column(UUID(game)), count))
    assert found_in(recorder, f"/v1/games/{game}") == [(count, "unreadable")]
