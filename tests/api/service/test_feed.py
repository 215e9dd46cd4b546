"""The feed: everything that is recorded, once and in order, for those who keep a copy or follow the service."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from domain.events import NAMES
from tests.api.conftest import Caller, Service, link, running, settings_of, trailing, without_limits
from tests.api.games.test_writing import dealt, first_card
from tests.api.tournament import announced, entered, opened, paired

NDJSON = {"Accept": "application/x-ndjson"}


def head(caller: Caller) -> int:
    return int(caller.get("/v1/feed?limit=1").json()["head"])


def pages(caller: Caller, path: str) -> Iterator[dict[str, Any]]:
    """From page to page, as the links lead."""
    while path:
        answer = caller.get(path)
        assert answer.status_code == 200, answer.text
        yield answer.json()
        path = link(answer)


def entries(caller: Caller, path: str) -> list[dict[str, Any]]:
    return [entry for page in pages(caller, path) for entry in page["entries"]]


def lines(answer: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.text.splitlines()]


# What it tells


def test_an_event_is_told_by_its_place_and_name_only(recorder: Caller, viewer: Caller):
    after = head(recorder)
    game = dealt(recorder)
    recorder.trail(game, 0, first_card(recorder, game))
    history = recorder.get(f"/v1/games/{game}/history").json()["events"]
    expected = [
        {"sequence": after + event["position"], "kind": "game", "id": game} | {name: event[name] for name in ("position", "name", "at")}
        for event in history
    ]
    for caller in (recorder, viewer):
        assert entries(caller, f"/v1/feed?after={after}") == expected


def test_players_are_told_by_their_ids_and_not_by_their_names(recorder: Caller, viewer: Caller):
    after = head(recorder)
    recorder.post("/v1/players", {"id": "feed-7", "name": "Zita Zilpzalp", "club": "nebel"})
    answer = viewer.get(f"/v1/feed?after={after}&kind=player")
    [entry] = answer.json()["entries"]
    assert (entry["player"], entry["name"], "Zita" in answer.text) == ("feed-7", "player.registered/1", False)


def test_it_takes_a_token(nobody: Caller):
    assert nobody.get("/v1/feed").status_code == 401


# Page by page


def test_pages_lead_from_the_first_event_to_the_newest(recorder: Caller):
    for _ in range(3):
        dealt(recorder)
    whole = entries(recorder, "/v1/feed?limit=1000")
    assert entries(recorder, "/v1/feed?limit=2") == whole
    assert [entry["sequence"] for entry in whole] == sorted({entry["sequence"] for entry in whole})
    assert len(whole) == len(lines(recorder.get("/v1/feed", headers=NDJSON)))


def test_who_goes_on_from_after_misses_nothing_and_gets_nothing_twice(recorder: Caller):
    after = head(recorder)
    game = dealt(recorder)
    first = recorder.get(f"/v1/feed?after={after}&limit=1000").json()
    assert recorder.get(f"/v1/feed?after={first['after']}").json() == {**first, "entries": []}
    recorder.trail(game, 0, first_card(recorder, game))
    second = recorder.get(f"/v1/feed?after={first['after']}").json()
    assert [entry["position"] for entry in first["entries"] + second["entries"]] == [1, 2, 3]


def test_lines_end_with_the_newest_event_and_the_link_goes_on_there(recorder: Caller):
    after = head(recorder)
    dealt(recorder)
    answer = recorder.get(f"/v1/feed?after={after}&limit=1", headers=NDJSON)
    assert lines(answer) == entries(recorder, f"/v1/feed?after={after}")
    dealt(recorder)
    assert lines(recorder.get(link(answer), headers=NDJSON)) == entries(recorder, link(answer))


def test_what_is_told_as_of_a_sequence_stays_what_it_is(recorder: Caller):
    dealt(recorder)
    as_of = head(recorder)
    before = entries(recorder, f"/v1/feed?as_of={as_of}&limit=3")
    dealt(recorder)
    assert entries(recorder, f"/v1/feed?as_of={as_of}&limit=3") == before
    assert lines(recorder.get(f"/v1/feed?as_of={as_of}", headers=NDJSON)) == before
    assert (before[0]["sequence"], before[-1]["sequence"]) == (1, as_of)


def test_who_has_read_up_to_a_sequence_is_not_kept_waiting_and_not_sent_back(recorder: Caller):
    dealt(recorder)
    newest, epoch = head(recorder), recorder.get("/v1/feed").json()["epoch"]
    for after, as_of in ((newest, newest), (newest, newest - 1), (newest, 0), (0, 0)):
        path = f"/v1/feed?after={after}&as_of={as_of}&wait=30"
        assert recorder.get(path).json() == {"entries": [], "after": after, "head": newest, "epoch": epoch}
        streamed = recorder.get(path, headers=NDJSON)
        assert (streamed.text, f"after={after}&" in link(streamed)) == ("", True)


# Filters


def test_of_a_name_all_events_are_told_and_no_others(recorder: Caller):
    after = head(recorder)
    games = [dealt(recorder) for _ in range(3)]
    for name in ("hand.dealt", "hand.dealt/1"):
        found = entries(recorder, f"/v1/feed?after={after}&name={name}&limit=2")
        assert [(entry["id"], entry["name"]) for entry in found] == [(game, "hand.dealt/1") for game in games]
    assert entries(recorder, f"/v1/feed?after={after}&name=game.annulled") == []
    assert len(entries(recorder, f"/v1/feed?after={after}&kind=game&name=game.opened")) == 3
    assert entries(recorder, f"/v1/feed?after={after}&kind=player") == []


def test_a_filter_that_finds_nothing_yet_goes_on_from_where_it_has_looked(recorder: Caller):
    dealt(recorder)
    page = recorder.get("/v1/feed?name=game.annulled").json()
    assert page == {"entries": [], "after": page["head"], "head": head(recorder), "epoch": page["epoch"]}


def test_a_rare_event_is_looked_for_bit_by_bit(recorder: Caller, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("domain.journal.feed.SEARCHED", 2)
    game = dealt(recorder)
    recorder.trail(game, 0, first_card(recorder, game))
    opened = [entry for entry in entries(recorder, "/v1/feed?limit=1000") if entry["name"] == "game.opened/1"]
    found = list(pages(recorder, "/v1/feed?name=game.opened"))
    assert [entry for page in found for entry in page["entries"]] == opened
    assert [] in [page["entries"] for page in found]
    assert lines(recorder.get("/v1/feed?name=game.opened", headers=NDJSON)) == opened


def a_tournament(director: Caller) -> tuple[str, list[str]]:
    """Its id, and the games of its two tables."""
    path = announced(director)
    entered(director, path, 4)
    paired(director, path, [[1], [2]], [[3], [4]])
    return path.rpartition("/")[2], list(opened(director, path).values())


def test_of_a_game_all_events_are_told_and_no_others(director: Caller):
    games = [dealt(director) for _ in range(2)]
    director.trail(games[0], 0, first_card(director, games[0]))
    for game, positions in zip(games, ([1, 2, 3], [1, 2]), strict=True):
        found = entries(director, f"/v1/feed?game={game}&limit=2")
        assert [(entry["id"], entry["position"]) for entry in found] == [(game, position) for position in positions]
        assert lines(director.get(f"/v1/feed?game={game}", headers=NDJSON)) == found
    (rest,) = entries(director, f"/v1/feed?game={games[0]}&name=move.played&kind=game")
    assert entries(director, f"/v1/feed?game={games[0]}&after={rest['sequence'] - 1}") == [rest]
    assert entries(director, f"/v1/feed?game={games[0]}&kind=player") == []
    assert entries(director, f"/v1/feed?game={uuid4()}") == []


def test_of_a_tournament_its_own_events_are_told_and_those_of_its_games(director: Caller):
    (first, games), (_, others) = a_tournament(director), a_tournament(director)
    director.deal(games[1])
    director.deal(others[0])
    director.post(f"/v1/tournaments/{first}/entries", {"entries": [{"players": ["late"]}]})
    whole = [entry for entry in entries(director, "/v1/feed?limit=1000") if entry["id"] in games or entry.get("tournament") == first]
    assert [entry["kind"] for entry in whole] == [*["tournament"] * 6, *["game"] * 3, "tournament"]
    assert entries(director, f"/v1/feed?tournament={first}&limit=2") == whole
    assert lines(director.get(f"/v1/feed?tournament={first}", headers=NDJSON)) == whole
    assert entries(director, f"/v1/feed?tournament={first}&kind=game") == whole[6:9]
    assert entries(director, f"/v1/feed?tournament={first}&name=hand.dealt") == whole[8:9]
    assert entries(director, f"/v1/feed?tournament={first}&game={games[1]}") == [one for one in whole if one["id"] == games[1]]
    assert entries(director, f"/v1/feed?tournament={first}&game={others[0]}") == []
    assert entries(director, "/v1/feed?tournament=never-announced") == []


def test_where_nothing_of_a_tournament_was_recorded_nobody_looks_for_it(director: Caller, monkeypatch: pytest.MonkeyPatch):
    tournament, games = a_tournament(director)
    for _ in range(3):
        dealt(director)
    director.deal(games[0])
    newest = head(director)
    director.get(f"/v1/games?tournament={tournament}&min_sequence={newest}")
    monkeypatch.setattr("domain.journal.feed.SEARCHED", 3)
    begins = entries(director, f"/v1/feed?tournament={tournament}&limit=1000")[0]["sequence"]
    first = director.get(f"/v1/feed?tournament={tournament}").json()
    assert (first["after"], len(first["entries"])) == (begins + 2, 3)
    after = director.get(f"/v1/feed?tournament={tournament}&after={newest - 2}").json()
    assert ([entry["name"] for entry in after["entries"]], after["after"]) == (["hand.dealt/1"], newest)


def test_what_the_index_of_games_does_not_know_yet_is_told_all_the_same(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        director = service.caller("director")
        tournament, games = a_tournament(director)
        service.services.projector.stop()
        director.deal(games[0])
        lot = opened_by_hand(director, tournament)
        found = entries(director, f"/v1/feed?tournament={tournament}&kind=game")
        assert [(entry["id"], entry["position"]) for entry in found] == [(games[0], 1), (games[1], 1), (games[0], 2), (lot, 1)]


def opened_by_hand(director: Caller, tournament: str) -> str:
    return director.open(tournament=tournament, round=1, table="3")


def test_a_name_that_no_event_has_is_refused(recorder: Caller):
    answer = recorder.get("/v1/feed?name=game.open")
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (400, "bad_parameter", "name")


# Waiting


@pytest.mark.parametrize("asked", ["after", "as_of", "min_sequence"])
@pytest.mark.parametrize("headers", [{}, NDJSON])
def test_a_sequence_that_is_not_recorded_is_refused(recorder: Caller, asked: str, headers: dict):
    answer = recorder.get(f"/v1/feed?{asked}=1000000000", headers=headers)
    assert (answer.status_code, answer.json()["code"], answer.json()["head"]) == (400, "ahead", head(recorder))


def test_who_has_written_reads_what_he_wrote(recorder: Caller):
    after = head(recorder)
    told = recorder.post("/v1/games", {"ruleset": "casino", "seats": 2}).json()
    [entry] = recorder.get(f"/v1/feed?after={after}&min_sequence={told['sequence']}").json()["entries"]
    assert (entry["sequence"], entry["id"]) == (told["sequence"], told["game"])


def test_who_waits_for_a_game_or_a_tournament_is_told_of_no_other(director: Caller):
    (tournament, games), other = a_tournament(director), dealt(director)
    after = head(director)
    with ThreadPoolExecutor() as threads:
        waiting = [
            threads.submit(director.get, f"/v1/feed?after={after}&wait=30&{filter}")
            for filter in (f"game={games[0]}", f"tournament={tournament}")
        ]
        director.trail(other, 0, first_card(director, other))
        director.deal(games[0])
        answers = [each.result().json() for each in waiting]
    assert [[(entry["id"], entry["sequence"]) for entry in answer["entries"]] for answer in answers] == [[(games[0], after + 2)]] * 2


@pytest.mark.parametrize("filtered", ["", "&name=game.opened"])
def test_who_waits_is_told_as_soon_as_something_that_he_wants_is_recorded(recorder: Caller, filtered: str):
    game = dealt(recorder)
    card, after = first_card(recorder, game), head(recorder)
    with ThreadPoolExecutor() as threads:
        waiting = [threads.submit(recorder.get, f"/v1/feed?after={after}&wait=30{filtered}", headers=accept) for accept in ({}, NDJSON)]
        recorder.trail(game, 0, card)
        recorder.open()
        page, streamed = [each.result() for each in waiting]
    name = "game.opened/1" if filtered else "move.played/1"
    assert (page.json()["entries"][0]["name"], lines(streamed)[0]["name"]) == (name, name)


def test_who_waits_in_vain_is_answered_when_the_time_is_up(recorder: Caller):
    newest = head(recorder)
    answer = recorder.get(f"/v1/feed?after={newest}&wait=1")
    assert answer.json() == {"entries": [], "after": newest, "head": newest, "epoch": answer.headers["kiebitz-epoch"]}


# While others write


def test_a_follower_misses_nothing_while_many_write(any_service: Service):
    recorder = any_service.caller("recorder")
    games = [dealt(recorder) for _ in range(4)]
    followed: list[dict[str, Any]] = []
    after, total = 0, 4 * (2 + 10)
    with ThreadPoolExecutor() as threads:
        writing = [threads.submit(plays, recorder, game, 10) for game in games]
        while len(followed) < total:
            page = recorder.get(f"/v1/feed?after={after}&limit=7&wait=30").json()
            followed += page["entries"]
            after = page["after"]
        for each in writing:
            each.result()
    assert followed == entries(recorder, "/v1/feed?limit=1000")
    assert [[entry["position"] for entry in followed if entry["id"] == game] for game in games] == [list(range(1, 13))] * 4


def plays(caller: Caller, game: str, moves: int) -> None:
    for number in range(moves):
        hands = caller.get(f"/v1/games/{game}/table").json()["hands"]
        answer = caller.post(f"/v1/games/{game}/moves", trailing(number % 2, hands[number % 2][0]))
        assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson", "text/event-stream"])
def test_an_id_that_is_no_sequence_is_refused_in_whatever_form(viewer: Caller, accept: str):
    answer = viewer.get("/v1/feed?as_of=0", headers={"Accept": accept, "Last-Event-ID": "seven"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_header")


def test_the_names_that_are_described_are_those_that_are_taken(service: Service, recorder: Caller):
    taken = service.contract.document["paths"]["/v1/feed"]["get"]["parameters"]
    [described] = [one["schema"]["enum"] for one in taken if one["name"] == "name"]
    assert {"game.opened", "game.opened/1", *NAMES.values()} <= set(described)
    assert {name: answer for name in described if (answer := recorder.get(f"/v1/feed?name={name}").status_code) != 200} == {}
