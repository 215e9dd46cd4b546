"""Reading: lists, tables at any position, histories, legal moves, sheets; what may be kept, and what not."""

import csv
import io
import json
from urllib.parse import quote

import pytest

from tests.api.conftest import Caller, Service, link, trailing
from tests.api.games.test_writing import dealt, first_card
from tests.api.play import worked

NEXT = 'rel="next"'


# Lists


def test_games_are_listed_newest_first_page_by_page(recorder: Caller):
    games = [recorder.open(tournament="pages") for _ in range(5)]
    first = recorder.get("/v1/games?tournament=pages&limit=2")
    second = recorder.get(link(first))
    third = recorder.get(link(second))
    assert [row["id"] for page in (first, second, third) for row in page.json()["items"]] == games[::-1]
    assert "link" not in third.headers
    assert third.json()["next"] is None


def test_every_filter_has_to_hold(recorder: Caller):
    game = recorder.open(tournament="filters", round=2, table="7", players=["f1", None])
    recorder.open(tournament="filters", round=3, table="7", players=["f1", None])
    found = recorder.get(
        "/v1/games?tournament=filters&round=2&table=7&player=f1&ruleset=casino&phase=no_hand&finished=false&opened_from=2020-01-01T00:00:00Z"
    )
    assert [row["id"] for row in found.json()["items"]] == [game]
    assert recorder.get("/v1/games?tournament=filters&opened_to=2020-01-01T00:00:00Z").json()["items"] == []


def test_a_list_waits_for_the_sequence_asked_for(recorder: Caller):
    sequence = recorder.post("/v1/games", {"ruleset": "casino", "seats": 2, "tournament": "fresh"}).json()["sequence"]
    assert len(recorder.get(f"/v1/games?tournament=fresh&min_sequence={sequence}").json()["items"]) == 1


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/{game}", "/v1/games/{game}/score-sheet"])
def test_a_sequence_to_come_is_refused(service: Service, path: str):
    recorder = service.caller("recorder")
    answer = recorder.get(path.format(game=recorder.open()) + "?min_sequence=1000000000")
    assert (answer.status_code, answer.json()["code"]) == (400, "ahead")


def test_who_has_written_reads_what_he_wrote(recorder: Caller):
    game = dealt(recorder)
    for seat in (0, 1, 0, 1):
        position = recorder.trail(game, seat, first_card(recorder, game, seat)).json()["position"]
        assert recorder.get(f"/v1/games/{game}").json()["position"] == position
        assert recorder.get(f"/v1/games/{game}/score-sheet").headers["etag"].startswith(f'"{position}.')


# Tables


def test_a_table_is_shown_as_it_lay_at_any_position(recorder: Caller):
    game = dealt(recorder)
    tables = [recorder.get(f"/v1/games/{game}/table").json()]
    for seat in (0, 1, 0):
        recorder.trail(game, seat, first_card(recorder, game, seat))
        tables.append(recorder.get(f"/v1/games/{game}/table").json())
    assert [recorder.get(f"/v1/games/{game}/table?position={position}").json() for position in (2, 3, 4, 5)] == tables
    assert recorder.get(f"/v1/games/{game}/table?position=1").json()["phase"] == "no_hand"


def test_a_table_is_shown_as_it_lay_at_a_moment(recorder: Caller):
    game = dealt(recorder)
    at = recorder.get(f"/v1/games/{game}/history").json()["events"][1]["at"]
    recorder.trail(game, 0, first_card(recorder, game))
    answer = recorder.get(f"/v1/games/{game}/table?at={quote(at)}")
    assert answer.headers["content-location"] == f"/v1/games/{game}/table?position=2&view=arbiter"
    early = recorder.get(f"/v1/games/{game}/table?at=2001-01-01T00:00:00Z")
    assert (early.status_code, early.json()["code"]) == (404, "unknown_position")


@pytest.mark.parametrize("path", ["table", "score-sheet", "legal-moves"])
def test_a_position_beyond_the_last_is_unknown(service: Service, path: str):
    recorder = service.caller("recorder")
    for position in (3, 2**31 - 1):
        answer = recorder.get(f"/v1/games/{dealt(recorder)}/{path}?position={position}")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_position")


def test_a_seat_that_does_not_exist_is_unknown(recorder: Caller):
    answer = recorder.get(f"/v1/games/{dealt(recorder)}/table?view=seat:2")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_seat")


# What may be kept


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/table",
        "/table?view=public",
        "/history",
        "/legal-moves",
        "/score-sheet",
        "/score-sheet?format=csv",
        "/score-sheet?format=html",
        "/record",
    ],
)
def test_who_holds_the_answer_is_told_that_it_stands_until_the_game_goes_on(service: Service, path: str):
    recorder = service.caller("recorder")
    game = dealt(recorder)
    first = recorder.get(f"/v1/games/{game}{path}")
    held = {"If-None-Match": f'W/"other", {first.headers["etag"]}'}
    again = recorder.get(f"/v1/games/{game}{path}", headers=held)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert again.headers["cache-control"] == first.headers["cache-control"] == "no-cache"
    recorder.trail(game, 0, first_card(recorder, game))
    assert recorder.get(f"/v1/games/{game}{path}", headers=held).status_code == 200


def test_different_views_and_formats_have_different_etags(recorder: Caller):
    game = dealt(recorder)
    paths = ["/table", "/table?view=public", "/table?view=seat:0", "/table?view=seat:1", "/table?position=1"]
    paths += ["/score-sheet", "/score-sheet?format=csv", "/score-sheet?format=html"]
    tags = [recorder.get(f"/v1/games/{game}{path}").headers["etag"] for path in paths]
    assert len(set(tags)) == len(tags)


def test_only_past_tables_of_a_game_that_is_open_for_good_may_be_kept_for_ever(service: Service):
    recorder, viewer, director = service.caller("recorder"), service.caller("viewer"), service.caller("director")
    closed, opened = dealt(recorder), worked(recorder, "game-two-players-classic")
    # A ruling may still go back in a game that is over.
    assert viewer.get(f"/v1/games/{opened}/table?position=5").headers["cache-control"] == "no-cache"
    last = director.post(f"/v1/games/{opened}/annulment", {"reason": "Two packs were mixed up."}).json()["position"]
    for caller in (recorder, viewer):
        past = caller.get(f"/v1/games/{opened}/table?position=5")
        assert past.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert past.headers["vary"] == "authorization, cookie"
        assert caller.get(f"/v1/games/{opened}/table").headers["cache-control"] == "no-cache"
        assert caller.get(f"/v1/games/{opened}/table?position={last}").headers["cache-control"] == "no-cache"
        assert caller.get(f"/v1/games/{closed}/table?position=1").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games",
        "/v1/games/{game}",
        "/v1/games/{game}/table",
        "/v1/games/{game}/history",
        "/v1/rulesets",
        "/health/live",
        "/docs",
        "/v1/games/{game}/nothing",
    ],
)
def test_head_is_answered_like_get_without_the_body(service: Service, path: str):
    recorder = service.caller("recorder")
    path = path.format(game=dealt(recorder))
    same = {"Request-Id": "asked-twice"}
    get, head = recorder.get(path, headers=same), recorder.call("HEAD", path, headers=same)
    assert (head.status_code, head.content, dict(head.headers)) == (get.status_code, b"", dict(get.headers))


# Histories


def test_a_history_is_read_page_by_page(recorder: Caller):
    game = worked(recorder, "hand-two-players-classic")
    path, events = f"/v1/games/{game}/history?limit=20", []
    while path:
        answer = recorder.get(path)
        events += answer.json()["events"]
        path = link(answer)
    assert [event["position"] for event in events] == list(range(1, 51))
    lines = recorder.get(f"/v1/games/{game}/history", headers={"Accept": "application/x-ndjson"})
    assert lines.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line) for line in lines.text.splitlines()] == events
    assert recorder.get(f"/v1/games/{game}/history?after=45", headers={"Accept": "application/x-ndjson"}).text.count("\n") == 5
    assert recorder.get(f"/v1/games/{game}/history?after=50").json()["events"] == []


# Legal moves


def test_legal_moves_are_paged_within_one_position(recorder: Caller):
    game = dealt(recorder)
    whole = recorder.get(f"/v1/games/{game}/legal-moves").json()
    first = recorder.get(f"/v1/games/{game}/legal-moves?limit=3")
    recorder.trail(game, 0, first_card(recorder, game))
    second = recorder.get(link(first)).json()
    assert (whole["seat"], whole["position"], whole["next"]) == (0, 2, None)
    assert first.json()["moves"] + second["moves"] == whole["moves"][: 3 + len(second["moves"])]
    assert second["position"] == 2
    assert recorder.get(f"/v1/games/{game}/legal-moves?position=2").json()["moves"] == whole["moves"]


def test_every_legal_move_is_judged_legal(recorder: Caller):
    game = dealt(recorder)
    for move in recorder.get(f"/v1/games/{game}/legal-moves").json()["moves"]:
        assert recorder.post(f"/v1/games/{game}/legal-moves", {"seat": 0, "move": move}).json()["legal"]


def test_who_is_not_to_act_has_no_legal_move(recorder: Caller):
    assert recorder.get(f"/v1/games/{dealt(recorder)}/legal-moves?seat=1").json()["moves"] == []
    assert recorder.get(f"/v1/games/{recorder.open()}/legal-moves").json() | {"game": 0, "position": 0} == {
        "game": 0,
        "position": 0,
        "seat": None,
        "moves": [],
        "next": None,
    }


def test_why_a_move_is_refused_is_told_with_the_rules_and_their_texts(recorder: Caller):
    game = dealt(recorder)
    asked = {"seat": 0, "move": {"type": "capture", "card": first_card(recorder, game), "groups": []}}
    english = recorder.post(f"/v1/games/{game}/legal-moves", asked).json()
    german = recorder.post(f"/v1/games/{game}/legal-moves", asked, headers={"Accept-Language": "fr, de-AT;q=0.8"}).json()
    assert (english["legal"], english["code"]) == (False, "nothing_captured")
    assert english["rules"][0]["number"] == "CNO-21"
    assert english["rules"][0]["text"].startswith("To capture, name the groups")
    assert german["rules"][0]["text"].startswith("Wer fängt, nennt die Sätze")
    assert english["sentence"] != german["sentence"]
    assert recorder.get(f"/v1/games/{game}").json()["position"] == 2


def test_a_ruleset_tells_its_rules_in_the_language_of_the_caller(recorder: Caller):
    german = recorder.get("/v1/rulesets/canasta", headers={"Accept-Language": "de"})
    english = recorder.get("/v1/rulesets/canasta", headers={"Accept-Language": "en", "If-None-Match": german.headers["etag"]})
    told = [{rule["number"]: rule["text"] for rule in answer.json()["rules"]} for answer in (german, english)]
    assert [rules["CAN-33"] for rules in told] == ["Ein gesperrter Stapel wird nicht gekauft.", "A blocked pile is not taken."]
    assert (german.headers["content-language"], "accept-language" in german.headers["vary"]) == ("de", True)


def test_a_move_is_judged_as_it_would_have_been_at_a_position(recorder: Caller):
    game = dealt(recorder)
    move = trailing(0, first_card(recorder, game))
    recorder.post(f"/v1/games/{game}/moves", move)
    assert recorder.post(f"/v1/games/{game}/legal-moves", move).json()["code"] == "not_your_turn"
    assert recorder.post(f"/v1/games/{game}/legal-moves", {**move, "position": 2}).json()["legal"]


@pytest.mark.parametrize(
    ("wanted", "spoken"), [("de", "de"), ("de-CH, en;q=0.5", "de"), ("en, de", "en"), ("fr", "en"), ("", "en"), ("de;q=0, en", "en")]
)
def test_a_refusal_speaks_the_language_of_the_caller(service: Service, wanted: str, spoken: str):
    recorder = service.caller("recorder")
    answer = recorder.trail(recorder.open(), 0, "KC", headers={"Accept-Language": wanted})
    assert answer.headers["content-language"] == spoken
    assert "accept-language" in answer.headers["vary"]
    assert ("gegeben" in answer.json()["detail"]) == (spoken == "de")


# Sheets


def test_a_sheet_is_the_same_in_all_its_forms(service: Service):
    recorder = service.caller("recorder")
    game = worked(recorder, "hand-two-players-classic")
    sheet = recorder.get(f"/v1/games/{game}/score-sheet").json()
    answer = recorder.get(f"/v1/games/{game}/score-sheet", headers={"Accept": "text/csv"})
    lines = list(csv.DictReader(io.StringIO(answer.text)))
    assert answer.headers["content-type"].startswith("text/csv")
    assert [[int(line["party_0"]), int(line["party_1"])] for line in lines if line["row"] == "points"] == [
        hand["points"] for hand in sheet["hands"]
    ]
    page = recorder.get(f"/v1/games/{game}/score-sheet", headers={"Accept": "text/html,application/xhtml+xml", "Accept-Language": "de"})
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert '<html lang="de">' in page.text
    assert "<script" not in page.text
    assert f'<td class="number">{sheet["totals"][0]}</td>' in page.text


def test_the_sheet_of_a_past_position_is_folded_from_the_events(service: Service):
    recorder = service.caller("recorder")
    game = worked(recorder, "hand-two-players-classic")
    assert recorder.get(f"/v1/games/{game}/score-sheet?position=49").json()["hands"] == []
    assert recorder.get(f"/v1/games/{game}/score-sheet?position=50").json() == recorder.get(f"/v1/games/{game}/score-sheet").json()


@pytest.mark.parametrize("format", ["csv", "html"])
def test_a_past_sheet_names_who_sat_there_then(service: Service, format: str):
    recorder, director = service.caller("recorder"), service.caller("director")
    for name in ("p_first", "p_later", "p_other"):
        recorder.post("/v1/players", {"id": name, "name": name.title()})
    game = recorder.open(players=["p_first", "p_other"])
    recorder.deal(game)
    assert director.post(f"/v1/games/{game}/players", {"seat": 0, "player": "p_later"}).json()["position"] == 3

    def named(query: str) -> tuple[bool, bool, bool]:
        sheet = director.get(f"/v1/games/{game}/score-sheet?format={format}{query}").text
        return "P_First" in sheet, "P_Later" in sheet, "P_Other" in sheet

    assert [named("&position=2"), named("&position=3"), named("")] == [(True, False, True), (False, True, True), (False, True, True)]


def test_what_stands_on_a_page_is_text_and_nothing_else(recorder: Caller):
    game = recorder.open(players=["<script>alert(1)<\\script>", None], tournament='"><img src=x>')
    page = recorder.get(f"/v1/games/{game}/score-sheet?format=html").text
    assert "<script>" not in page
    assert "<img" not in page


def test_a_form_that_is_not_offered_is_not_acceptable(recorder: Caller):
    game = dealt(recorder)
    for path in ("score-sheet", "history"):
        answer = recorder.get(f"/v1/games/{game}/{path}", headers={"Accept": "image/png"})
        assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")


def test_the_format_of_the_query_goes_before_accept(recorder: Caller):
    answer = recorder.get(f"/v1/games/{dealt(recorder)}/score-sheet?format=json", headers={"Accept": "text/html"})
    assert answer.headers["content-type"] == "application/json"


# Rulesets


def test_a_ruleset_tells_all_that_a_form_needs(recorder: Caller):
    (short,) = [ruleset for ruleset in recorder.get("/v1/rulesets").json()["items"] if ruleset["key"] == "casino"]
    whole = recorder.get("/v1/rulesets/casino")
    assert {**whole.json(), **short} == whole.json()
    assert len(whole.json()["deck"]) == 52
    assert {"number": "CNO-1"}.items() <= {"number": whole.json()["rules"][0]["number"]}.items() or whole.json()["rules"]
    assert recorder.get("/v1/rulesets/casino", headers={"If-None-Match": whole.headers["etag"]}).status_code == 304


def test_a_ruleset_that_is_not_kept_is_unknown(recorder: Caller):
    assert recorder.get("/v1/rulesets/bridge").json()["code"] == "unknown_ruleset"


def test_the_printed_sheet_names_its_rows_in_the_language_of_the_reader(service: Service):
    recorder = service.caller("recorder")
    game = worked(recorder, "hand-two-players-classic")
    page = recorder.get(f"/v1/games/{game}/score-sheet?format=html", headers={"Accept-Language": "de"})
    words = recorder.get("/v1/rulesets/casino").json()["words"]["de"]
    assert page.headers["content-language"] == "de"
    for row in ("cards", "big_casino", "ace_spades"):
        assert f'<th scope="row">{words[f"row.{row}"]}</th>' in page.text
    assert (words["card.7D"], words["row.cards"]) == ("Karo 7", "Karten")
