"""Prepared boards over HTTP: decks that come in, that no answer tells, and that open with the last table."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from domain.games import RULESETS
from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.api.play import finish_hand
from tests.api.tournament import announced, entered, opened, paired

DECK: list[str] = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
HELD = ["2S", "3S", "8S", "9S"]
"""By seat 0 in Casino, where seat 1 deals."""
OTHER = DECK[::-1]
OF_CLUB = {"tournament": "club", "round": "1", "table": "1", "entrant": "1", "player": "p1", "number": "1"}
CHANCE = re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+Z|[0-9a-f]{16,}")
"""Times, and what is random."""
OTHER_FORMS = dict.fromkeys(("/history", "/replay"), ("application/json", "application/x-ndjson"))
OTHER_FORMS |= dict.fromkeys(("/score-sheet", "/standings", "/seating"), ("application/json", "text/html"))
CARD = re.compile(r"(?<![A-Za-z0-9])(10|[2-9TJQKA])[SHDC♠♥♦♣](?![A-Za-z0-9])")


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


def prepared(director: Caller, path: str, *numbers: int, deck: list[str] | None = None, **given: Any) -> Any:
    boards = [{"round": 1, "board": number, "deck": deck or DECK} for number in numbers]
    return director.post(f"{path}/boards", {"boards": boards, **given})


def two_tables(director: Caller, **wanted: Any) -> tuple[str, str, str]:
    """A tournament, and the games of its two tables in round 1."""
    path = announced(director, format="manual", **{"openness": "hand_over", **wanted})
    entered(director, path, 4)
    paired(director, path, [[1], [2]], [[3], [4]])
    games = opened(director, path)
    return path, games["1"], games["2"]


def deal(caller: Caller, game: str, board: int = 7, **given: Any) -> Any:
    return caller.post(f"/v1/games/{game}/hands", {"dealer": 1, "board": board, **given})


def played(recorder: Caller, game: str, board: int = 7) -> None:
    """Deals the board, and plays its hand to the end."""
    answer = deal(recorder, game, board)
    assert answer.status_code == 201, answer.text
    finish(recorder, game)


def finish(recorder: Caller, game: str) -> None:
    """Plays the hand to its end."""
    finish_hand(recorder, game, random.Random(game))


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


# Preparing


def test_a_board_is_prepared_and_no_answer_tells_its_deck(service: Service):
    director = service.caller("director")
    path = announced(director)
    id = path.rpartition("/")[2]
    done = director.post(f"{path}/boards", {"round": 2, "board": 7, "deck": DECK})
    assert (done.status_code, done.headers["location"]) == (201, f"{path}/boards")
    at = done.json()["boards"][0]["at"]
    seven = {"round": 2, "board": 7, "at": at, "by": "p_director", "dealt": False}
    assert done.json() == {"tournament": id, "boards": [seven]}
    prepared(director, path, 3, 1)
    for role in ("director", "recorder", "arbiter", "committee"):
        found = service.caller(role).get(f"{path}/boards")
        assert found.status_code == 200
        assert [(one["round"], one["board"]) for one in found.json()["boards"]] == [(1, 1), (1, 3), (2, 7)]
        assert CARD.findall(found.text) == []


def test_a_board_prepared_by_the_names_of_its_cards_is_dealt_like_one_by_their_codes(director: Caller):
    path, first, second = two_tables(director)
    names = RULESETS["casino"].about().words["de"]
    assert prepared(director, path, 7).status_code == 201
    assert prepared(director, path, 8, deck=[names[f"card.{card}"].upper() for card in DECK]).status_code == 201
    dealt = [deal(director, game, board).json()["events"][0]["body"]["effects"] for game, board in ((first, 7), (second, 8))]
    assert dealt[0] == dealt[1]


def test_a_list_with_a_deck_that_is_none_prepares_nothing(director: Caller):
    path = announced(director)
    boards = [{"round": 1, "board": 1, "deck": DECK}, {"round": 1, "board": 2, "deck": [*DECK[:-1], "2S"]}]
    answer = director.post(f"{path}/boards", {"boards": boards})
    assert (refusal(answer), answer.json()["rules"], answer.json()["index"]) == ((422, "bad_deck"), ["COM-16", "CNO-7"], 1)
    assert CARD.findall(answer.text) == []
    assert director.get(f"{path}/boards").json()["boards"] == []


@pytest.mark.parametrize("deck", [[], DECK[:-1], ["?"] * 52, [*DECK[:-1], "?"], "unknown", {"hand:0": ["3H"]}, 7, [["3H"]]])
def test_a_deck_is_the_whole_list_of_the_cards_of_the_ruleset(director: Caller, deck: Any):
    assert refusal(director.post(f"{announced(director)}/boards", {"round": 1, "board": 1, "deck": deck})) == (422, "bad_deck")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"round": 1, "board": 1},
        {"round": 0, "board": 1, "deck": DECK},
        {"round": 1, "board": 0, "deck": DECK},
        {"boards": []},
        {"round": 1, "boards": [{"round": 1, "board": 1, "deck": DECK}]},
        {"boards": [{"round": 1, "board": 1, "deck": DECK}, {"round": 1, "board": 1, "deck": OTHER}]},
    ],
)
def test_one_board_or_several_and_none_twice(director: Caller, body: Any):
    assert refusal(director.post(f"{announced(director)}/boards", body)) == (422, "malformed_body")


def test_a_board_that_is_there_is_replaced_only_on_an_explicit_word(service: Service):
    director = service.caller("director")
    path, game, _ = two_tables(director)
    prepared(director, path, 7)
    again = [prepared(director, path, 8, 7, deck=deck) for deck in (DECK, OTHER)]
    assert [refusal(one) for one in again] == [(409, "board_exists")] * 2
    assert again[0].json() == again[1].json()  # the same whether it was the same deck: nobody finds it by trying
    assert [one["board"] for one in director.get(f"{path}/boards").json()["boards"]] == [7]
    assert prepared(director, path, 8, 7, deck=OTHER, replace=True).status_code == 201
    assert deal(director, game).status_code == 201
    assert director.get(f"/v1/games/{game}/record").json()["hands"][0]["deck"] == OTHER


def test_a_board_that_was_dealt_anywhere_is_never_replaced(new_service: Service):
    director = new_service.caller("director")
    path, game, _ = two_tables(director)
    prepared(director, path, 7)
    assert deal(director, game).status_code == 201
    assert [one["dealt"] for one in director.get(f"{path}/boards").json()["boards"]] == [True]
    assert refusal(prepared(director, path, 8, 7, deck=OTHER, replace=True)) == (422, "board_dealt")
    assert [one["board"] for one in director.get(f"{path}/boards").json()["boards"]] == [7]
    assert refusal(prepared(director, path, 7)) == (409, "board_exists")


def test_only_a_director_prepares_boards_and_officials_alone_read_the_list(service: Service, director: Caller):
    path = announced(director)
    answers = [prepared(service.caller(role), path, 1) for role in ("recorder", "arbiter", "committee", "viewer", None)]
    assert [one.status_code for one in answers] == [403, 403, 403, 403, 401]
    assert service.caller("viewer").get(f"{path}/boards").status_code == 403


def test_boards_belong_to_a_tournament_that_goes_on(director: Caller):
    assert refusal(prepared(director, "/v1/tournaments/nowhere", 1)) == (404, "unknown_tournament")
    assert refusal(director.get("/v1/tournaments/nowhere/boards")) == (404, "unknown_tournament")
    path = announced(director)
    director.post(f"{path}/ending", {"how": "cancelled"})
    assert refusal(prepared(director, path, 1)) == (422, "tournament_ended")


def test_under_its_key_a_board_is_prepared_once_and_nothing_tells_whether_the_deck_was_the_same(new_service: Service):
    director, key = new_service.caller("director"), {"Idempotency-Key": "once"}
    path, game, _ = two_tables(director)
    board = {"round": 1, "board": 7, "deck": DECK, "replace": True}
    first, again, other = (director.post(f"{path}/boards", body, headers=key) for body in (board, board, {**board, "deck": DECK[::-1]}))
    assert (first.status_code, first.json()) == (201, again.json())
    assert (again.content, again.headers["idempotent-replayed"]) == (other.content, other.headers["idempotent-replayed"])
    assert refusal(director.post(f"{path}/boards", {**board, "board": 8}, headers=key)) == (422, "key_reused")
    assert (kept := new_service.services.registers.find_board(path.rpartition("/")[2], 1, 7)) is not None
    assert list(kept.deck) == DECK
    first, second = (director.post(f"/v1/games/{game}/hands", {"dealer": 1, "board": 7}, headers={"Idempotency-Key": "d"}) for _ in "12")
    assert (first.status_code, second.status_code, second.json()) == (201, 201, first.json())


# Dealing


def test_a_deal_names_its_board(new_service: Service):
    director = new_service.caller("director")
    path, game, _ = two_tables(director)
    prepared(director, path, 7)
    done = deal(new_service.caller("recorder"), game)
    body = done.json()["events"][0]["body"]
    assert (done.status_code, body["how"], body["board"], body["dealer"]) == (201, "prepared", 7, 1)
    assert director.get(f"/v1/games/{game}/table").json()["hands"][0] == HELD
    assert director.get(f"/v1/games/{game}/replay").json()["frames"][1]["caption"].startswith("Hand 1: seat 1 deals board 7. Open: ")
    assert director.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def test_a_deal_of_a_board_that_is_tried_shows_another_deck(director: Caller, recorder: Caller):
    path, game, _ = two_tables(director)
    prepared(director, path, 7)
    tried = recorder.post(f"/v1/games/{game}/hands?dry_run=true", {"dealer": 1, "board": 7})
    assert tried.status_code == 200
    assert tried.json()["events"][0]["body"]["effects"] != deal(recorder, game).json()["events"][0]["body"]["effects"]
    missing = recorder.post(f"/v1/games/{game}/hands?dry_run=true", {"dealer": 1, "board": 9})
    assert refusal(missing) == (404, "unknown_board")


def test_a_board_is_dealt_once_in_a_game_and_only_where_it_was_prepared(director: Caller, recorder: Caller):
    path, game, other = two_tables(director)
    assert refusal(deal(recorder, game)) == (404, "unknown_board")
    director.post(f"{path}/boards", {"round": 2, "board": 7, "deck": DECK})
    assert refusal(deal(recorder, game)) == (404, "unknown_board")
    prepared(director, path, 7)
    assert refusal(deal(recorder, recorder.open())) == (422, "no_boards_here")
    assert refusal(deal(recorder, recorder.open(tournament=path.rpartition("/")[2]))) == (422, "no_boards_here")
    played(recorder, game)
    assert refusal(recorder.post(f"/v1/games/{game}/hands", {"dealer": 0, "board": 7})) == (422, "board_played")
    assert deal(recorder, other).status_code == 201


@pytest.mark.parametrize("given", [{"deck": DECK}, {"fill": "sorted"}])
def test_a_board_stands_alone(director: Caller, given: dict[str, Any]):
    path, game, _ = two_tables(director)
    prepared(director, path, 7)
    assert refusal(deal(director, game, **given)) == (422, "malformed_body")


def test_a_record_of_it_is_played_again_anywhere(director: Caller, recorder: Caller):
    path, game, other = two_tables(director)
    prepared(director, path, 7)
    played(recorder, game)
    deal(recorder, other)
    full = director.get(f"/v1/games/{game}/record?full=true").json()
    assert (full["events"][1]["body"]["how"], full["events"][1]["body"]["board"]) == ("prepared", 7)
    simple = director.get(f"/v1/games/{game}/record").json()
    assert sorted(simple["hands"][0]) == ["dealer", "deck", "moves"]
    assert recorder.post("/v1/records?dry_run=true", simple).json()["recorded"] == 1
    assert director.post("/v1/records", full).json()["already"] == 1


# What viewers are told


def reads(service: Service, **names: str) -> list[str]:
    """Every address that can be read, of these games and this tournament."""
    found = []
    for path, operations in service.contract.document["paths"].items():
        names_in_path = re.findall(r"\{(\w+)\}", path)
        if "get" in operations and path.startswith("/v1/") and all(name in names for name in names_in_path):
            found.append(re.sub(r"\{(\w+)\}", lambda name: names[name.group(1)], path))
    game = f"/v1/games/{names['game']}"
    views = [f"{game}/{read}?position={position}" for read in ("table", "legal-moves", "score-sheet") for position in (1, 2, 3)]
    return [*found, *views, f"{game}/table?view=seat:0", f"{game}/replay?view=arbiter", f"{game}/record?full=true", "/v1/feed?after=0"]


def told_to(service: Service, role: str, *games: str, **names: str) -> dict[str, str]:
    """What every read tells, and the answer to a move that is tried; as JSON and line by line."""
    caller, found = service.caller(role), {}
    for game in games:
        for path in reads(service, game=game, **names):
            for accept in next((forms for end, forms in OTHER_FORMS.items() if path.endswith(end)), ("application/json",)):
                if path != "/v1/rulesets":
                    found[f"{accept} {path}"] = caller.get(path, headers={"Accept": accept}).text
        for view in ("seat:0", "arbiter"):
            trial = {"position": 2, "view": view, "moves": [{"seat": 0, "move": {"type": "trail", "card": DECK[0]}}]}
            found[f"{view} {game}"] = caller.post(f"/v1/games/{game}/branches", trial).text
    return found


def cards_in(told: dict[str, str]) -> dict[str, list[str]]:
    return {path: CARD.findall(text) for path, text in told.items() if CARD.search(text)}


def test_until_the_last_table_is_done_no_answer_tells_a_viewer_a_card(new_service: Service):
    director, recorder = new_service.caller("director"), new_service.caller("recorder")
    path, game, other = two_tables(director)
    names = {**OF_CLUB, "tournament": path.rpartition("/")[2]}
    prepared(director, path, 7)
    assert cards_in(told_to(new_service, "director", game, other, **names)).keys() == set()
    played(recorder, game)
    director.post(f"/v1/games/{game}/disputes", {"claim": "the 9S was played twice", "position": 3})
    director.post(f"/v1/games/{game}/rulings", {"dispute": 1, "decision": "stands", "reason": "the 9S lay there"})
    assert cards_in(told_to(new_service, "viewer", game, other, **names)) == {}
    assert cards_in(told_to(new_service, "director", game, **names)).keys() != set()
    deal(recorder, other)
    assert cards_in(told_to(new_service, "viewer", game, **names)) == {}


def test_two_evenings_that_differ_in_the_cards_of_a_board_are_told_alike(tmp_path: Path):
    told = []
    for number, deck in enumerate((DECK, [DECK[0], *OTHER[:-1]])):  # seat 0 holds the 2S in both
        with running(settings_of(tmp_path / str(number)), without_limits) as service:
            director = service.caller("director")
            path, game, other = two_tables(director, id="club", seed="s")
            prepared(director, path, 7, deck=deck)
            before = told_to(service, "viewer", game, other, **OF_CLUB)
            deal(director, game)
            assert director.trail(game, 0, "2S").status_code == 201
            told.append({**{f"before {path}": text for path, text in before.items()}, **told_to(service, "viewer", game, other, **OF_CLUB)})
    one, another = ({path: CHANCE.sub("…", text) for path, text in found.items()} for found in told)
    assert one == another


def test_games_of_a_board_open_when_the_last_table_is_done(new_service: Service):
    director, recorder, viewer = (new_service.caller(role) for role in ("director", "recorder", "viewer"))
    path, game, other = two_tables(director)
    prepared(director, path, 7)

    def cards(of: str = game) -> list[bool]:
        """Whether each read tells cards."""
        return [
            bool(CARD.search(viewer.get(f"/v1/games/{of}/{read}").text)) for read in ("table?position=2", "history", "replay", "record")
        ]

    played(recorder, game)
    assert cards() == [False] * 4
    deal(recorder, other)
    assert cards() == [False] * 4
    assert cards(other) == [True, True, True, False]  # the last table is watched like any other: what lies open is told
    finish(recorder, other)
    assert cards() == cards(other) == [True] * 4
    assert viewer.get(f"/v1/games/{game}/table?position=2").json()["hands"][0] == HELD
    assert viewer.get(f"/v1/games/{game}/record").json()["hands"][0]["deck"] == DECK


def test_they_open_no_earlier_than_the_game_itself(director: Caller, recorder: Caller, viewer: Caller):
    path, game, other = two_tables(director, openness="never")
    prepared(director, path, 7)
    for one in (game, other):
        played(recorder, one)
    table = viewer.get(f"/v1/games/{game}/table?position=2").json()
    assert (table["hands"], len(table["table"])) == ([["?"] * 4] * 2, 4)
    assert viewer.get(f"/v1/games/{game}/record").status_code == 403


def test_a_table_that_goes_back_into_the_board_closes_it_again(director: Caller, recorder: Caller, viewer: Caller):
    path, game, other = two_tables(director)
    prepared(director, path, 7)
    for one in (game, other):
        played(recorder, one)
    shown = viewer.get(f"/v1/games/{game}/table?position=2")
    assert recorder.post(f"/v1/games/{other}/rewinds", {"to": 3}).status_code == 201
    again = viewer.get(f"/v1/games/{game}/table?position=2", headers={"If-None-Match": shown.headers["etag"]})
    assert (again.status_code, again.json()["phase"]) == (200, "covered")
    assert shown.headers["cache-control"] == again.headers["cache-control"] == "no-cache"


def test_a_covered_hand_tells_what_it_brought_and_nothing_else(director: Caller, recorder: Caller, viewer: Caller):
    path, game, _ = two_tables(director)
    prepared(director, path, 7)
    deal(recorder, game)
    assert recorder.trail(game, 0, "2S").status_code == 201
    common = director.get(f"/v1/games/{game}/table").json()
    shown = ("ruleset", "options", "seats", "parties", "hand", "dealer", "totals", "winners")
    nothing: dict[str, Any] = {
        "phase": "covered",
        "turn": None,
        "to_act": [],
        "hands": [[], []],
        "hand_counts": [0, 0],
        "stock": [],
        "stock_count": 0,
    }
    assert viewer.get(f"/v1/games/{game}/table").json() == {**{name: common[name] for name in shown}, **nothing}
    dealt, move = viewer.get(f"/v1/games/{game}/history?after=1").json()["events"]
    assert (dealt["body"], move["body"]) == (
        {"dealer": 1, "edition": dealt["body"]["edition"], "how": "prepared", "effects": [["hand", 1, 1]], "board": 7},
        {"seat": 0, "move": None, "effects": []},
    )
    captions = [frame["caption"] for frame in viewer.get(f"/v1/games/{game}/replay").json()["frames"][1:]]
    assert captions == ["Hand 1: seat 1 deals board 7.", "Seat 0 makes a move."]
    finish(recorder, game)
    assert viewer.get(f"/v1/games/{game}/score-sheet").json()["hands"][0]["hand"] == 1
    assert viewer.get(f"/v1/games/{game}/replay?view=arbiter").status_code == 403


def test_words_about_it_wait_for_the_last_table_too(director: Caller, recorder: Caller, viewer: Caller):
    path, game, other = two_tables(director)
    prepared(director, path, 7)
    played(recorder, game)
    director.post(f"/v1/games/{game}/rulings", {"decision": "stands", "reason": "the 9S lay there"})

    def reasons() -> list[str | None]:
        book = [one for one in viewer.get("/v1/rulings").json()["items"] if one["game"] == game]
        return [viewer.get(f"/v1/games/{game}/disputes").json()["rulings"][0]["reason"], book[0]["reason"]]

    assert reasons() == [None, None]
    played(recorder, other)
    assert reasons() == ["the 9S lay there"] * 2


def test_officials_see_every_table_all_the_time(director: Caller, recorder: Caller, service: Service):
    path, game, _ = two_tables(director)
    prepared(director, path, 7)
    deal(recorder, game)
    tables = [service.caller(role).get(f"/v1/games/{game}/table").json()["hands"][0] for role in ("recorder", "arbiter", "director")]
    assert tables == [HELD] * 3
    seat = service.caller("arbiter").get(f"/v1/games/{game}/table?view=seat:0").json()["hands"]
    assert seat == [HELD, ["?"] * 4]
    assert service.caller("arbiter").get(f"/v1/games/{game}/table?view=public").json()["phase"] == "covered"


def test_statistics_count_no_moves_of_a_board_that_another_table_still_plays(director: Caller, recorder: Caller, viewer: Caller):
    path, first, second = two_tables(director, options={"target": 1})

    def count_moves() -> tuple[int, int]:
        told = viewer.get("/v1/statistics", params={"ruleset": "casino", "tournament": path.rpartition("/")[2]}).json()
        return told["games"], sum(one["count"] for one in told["items"] if one["figure"] == "move_type")

    assert prepared(director, path, 7).is_success
    played(recorder, first)
    deal(recorder, second)
    assert count_moves()[1] == 0
    finish(recorder, second)
    games, moves = count_moves()  # a game that is tied goes on
    assert moves == 48 * games
