"""A deck that nobody chose over HTTP: by the recorder and the devices of the players, to the hand and to the secret."""

from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain.access import Grant, OfGame
from domain.effects import dealt_deck
from domain.events.game import HandDealt
from domain.games import EDITIONS, RULESETS
from domain.shuffling import TYPED, commitment_to_chance, commitment_to_secret, name_of_seat, seed_of, shuffled
from replay.audit import audit
from replay.record import parse, take_over
from tests.api.conftest import Caller, Service, add_token
from tests.api.play import a_legal_move
from tests.domain.fair import DICE, chance_of


def seat(service: Service, game: str, number: int) -> Caller:
    """The device of a seat."""
    name = f"seat {number} {len(service.services.registers.list_tokens())}"
    return replace(service.caller("viewer"), token=add_token(service.services, "player", name, Grant(OfGame(UUID(game)), seat=number)))


def opened(service: Service, **wanted: Any) -> str:
    return service.caller("recorder").open(shuffle="fair", **wanted)


def begun(service: Service, dice: int = 0, **wanted: Any) -> str:
    game = opened(service, **wanted)
    assert begin(service, game, dice).status_code == 201
    return game


def begin(service: Service, game: str, dice: int = 0, key: str | None = None) -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    return service.caller("recorder").post(f"/v1/games/{game}/shuffles", {"dealer": 1, "dice": dice}, headers=headers)


def join(device: Caller, game: str, number: int) -> Any:
    commitment = commitment_to_chance(name_of_seat(number), chance_of(number)).hex()
    return device.post(f"/v1/games/{game}/shuffles/joining", {"commitment": commitment})


def open_chance(device: Caller, game: str, number: int) -> Any:
    return device.post(f"/v1/games/{game}/shuffles/opening", {"chance": chance_of(number).hex()})


def throw(service: Service, game: str, dice: str = DICE) -> Any:
    return service.caller("recorder").post(f"/v1/games/{game}/shuffles/dice", {"dice": dice})


def shuffles(caller: Caller, game: str) -> Any:
    return caller.get(f"/v1/games/{game}/shuffles").json()


def play_out(service: Service, game: str) -> Any:
    """The hand to its end. Answers what the last move recorded."""
    recorder, chance = service.caller("recorder"), Random(4)
    while True:
        answer = recorder.post(f"/v1/games/{game}/moves", a_legal_move(recorder, game, chance)).json()
        if answer["phase"] != "play":
            return answer


def names(answer: Any) -> list[str]:
    return [event["name"] for event in answer.json()["events"]]


def test_devices_and_dice_deal_a_hand_whose_deck_follows(service: Service):
    game = begun(service, dice=8)
    devices = [seat(service, game, number) for number in (0, 1)]
    assert [join(device, game, number).status_code for number, device in enumerate(devices)] == [201, 201]
    assert [names(open_chance(device, game, number)) for number, device in enumerate(devices)] == [["shuffle.opened/1"]] * 2
    assert names(throw(service, game)) == ["shuffle.typed/1", "hand.dealt/1"]
    last = play_out(service, game)
    assert [event["name"] for event in last["events"]] == ["move.played/1", "shuffle.revealed/1"]

    [told] = shuffles(service.caller("arbiter"), game)["shuffles"]
    secret = bytes.fromhex(told["secret"])
    chances = [*((name_of_seat(number), chance_of(number)) for number in (0, 1)), (TYPED, DICE.encode())]
    due = shuffled(seed_of(secret, UUID(game), 2, chances), RULESETS["casino"].bind({}, 2).deck)
    history = service.services.journal.history(UUID(game))
    dealt = next(one.event for one in history if isinstance(one.event, HandDealt))
    assert (commitment_to_secret(secret).hex(), due) == (told["commitment"], dealt_deck(dealt.effects))
    assert (dealt.how, dealt.tries, dealt.dealer) == ("fair", 1, 1)
    assert audit(history, EDITIONS).verdict == "sound"


def test_steps_that_are_tried_bind_nobody_and_deal_nothing(service: Service):
    game, recorder = opened(service), service.caller("recorder")
    tried = recorder.post(f"/v1/games/{game}/shuffles?dry_run=true", {"dealer": 1, "dice": 8})
    assert (tried.status_code, tried.json()["events"][0]["body"]["commitment"]) == (200, "0" * 64)
    assert begin(service, game, dice=8).status_code == 201
    tried = recorder.post(f"/v1/games/{game}/shuffles/dice?dry_run=true", {"dice": DICE})
    assert (tried.status_code, names(tried), tried.json()["phase"]) == (200, ["shuffle.typed/1"], "no_hand")
    assert names(throw(service, game)) == ["shuffle.typed/1", "hand.dealt/1"]


def test_nobody_is_told_the_secret_before_the_cards_are_open(service: Service):
    game = begun(service, dice=8)
    throw(service, game)
    everybody = [service.caller(role) for role in ("director", "arbiter", "viewer")] + [seat(service, game, 0)]
    assert [shuffles(caller, game)["shuffles"][0]["secret"] for caller in everybody] == [None] * 4
    play_out(service, game)  # the game goes on, and opens when it is over
    arbiter, viewer, player = (shuffles(caller, game)["shuffles"][0]["secret"] for caller in everybody[1:])
    assert (arbiter is None, viewer, player) == (False, None, None)
    history = service.caller("viewer").get(f"/v1/games/{game}/history?limit=1000")
    assert arbiter not in history.text
    assert history.json()["events"][-1]["body"] == {"position": 2, "secret": None}


def test_where_hands_open_when_they_are_over_so_does_the_secret(service: Service):
    game = begun(service, dice=8, openness="hand_over")
    throw(service, game)
    assert shuffles(service.caller("viewer"), game)["shuffles"][0]["secret"] is None
    play_out(service, game)
    told = shuffles(service.caller("viewer"), game)["shuffles"][0]
    assert commitment_to_secret(bytes.fromhex(told["secret"])).hex() == told["commitment"]


def test_a_move_that_is_only_tried_tells_no_secret(service: Service):
    game = begun(service, dice=8, openness="hand_over")
    throw(service, game)
    recorder, chance = service.caller("recorder"), Random(4)
    while True:
        move = a_legal_move(recorder, game, chance)
        tried = recorder.post(f"/v1/games/{game}/moves?dry_run=true", move)
        assert names(tried) == ["move.played/1"]
        if "closed_hands" in tried.json():
            break
        recorder.post(f"/v1/games/{game}/moves", move)


def test_who_does_not_open_is_named_and_the_table_goes_on_anew(service: Service):
    game = begun(service)
    join(seat(service, game, 0), game, 0)
    join(seat(service, game, 1), game, 1)
    open_chance(seat(service, game, 0), game, 0)
    assert names(begin(service, game, 8)) == ["shuffle.committed/1", "shuffle.revealed/1"]
    throw(service, game)
    told = shuffles(service.caller("viewer"), game)["shuffles"]
    assert [(one["ended"], one["missing"], one["dealt"] is not None) for one in told] == [(True, [1], False), (False, [], True)]
    assert (
        service.caller("viewer")
        .get(f"/v1/games/{game}/replay")
        .json()["frames"][-1]["caption"]
        .startswith("Hand 1: seat 1 deals a deck that nobody chose (begun 2 times).")
    )


def test_a_repeated_request_begins_nothing_twice(service: Service):
    game = opened(service)
    first, again = (begin(service, game, 8, "shuffle 1") for _ in range(2))
    assert (first.status_code, first.content, again.headers["idempotent-replayed"]) == (201, again.content, "true")
    throw(service, game)
    late = begin(service, game, 8, "shuffle 1")
    assert (late.status_code, late.json()["position"]) == (201, 2)


def test_a_seat_gives_its_own_chance_and_no_other(service: Service):
    game = begun(service)
    strangers = [service.caller("viewer"), service.caller("recorder"), service.caller("director"), service.caller("arbiter")]
    assert [join(caller, game, 0).status_code for caller in strangers] == [403] * 4
    other = begun(service)
    assert join(seat(service, other, 0), game, 0).json()["code"] == "forbidden"
    assert open_chance(seat(service, game, 0), game, 0).json()["code"] == "not_joined"


@pytest.mark.parametrize("given", [{"deck": ["3H"], "fill": "sorted"}, {}, {"deck": "unknown"}, {"board": 1}])
def test_no_other_deck_is_dealt_in_such_a_game(service: Service, given: dict[str, Any]):
    game = opened(service)
    answer = service.caller("recorder").post(f"/v1/games/{game}/hands", {"dealer": 1, **given})
    assert answer.status_code == 422
    assert answer.json()["code"] == ("no_boards_here" if "board" in given else "shuffle_is_fair")


def test_in_other_games_decks_come_as_they_come(service: Service):
    game = service.caller("recorder").open()
    assert begin(service, game).json()["code"] == "no_fair_shuffle"
    assert shuffles(service.caller("viewer"), game) == {"game": game, "position": 1, "fair": False, "shuffles": []}


def test_an_abandoned_game_tells_what_it_was_dealt_from(service: Service):
    game = begun(service, dice=8)
    throw(service, game)
    answer = service.caller("director").post(f"/v1/games/{game}/abandonment", {})
    assert names(answer) == ["game.abandoned/1", "shuffle.revealed/1"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("", {"dealer": 1, "dice": 41}),
        ("", {"dealer": 1, "dice": -1}),
        ("/joining", {"commitment": "short"}),
        ("/joining", {"commitment": "A" * 64}),
        ("/opening", {"chance": "0" * 31}),
    ],
)
def test_what_has_not_the_right_form_is_refused(service: Service, path: str, body: dict[str, Any]):
    game = begun(service)
    caller = seat(service, game, 0) if path else service.caller("recorder")
    assert caller.post(f"/v1/games/{game}/shuffles{path}", body).json()["code"] == "malformed_body"


def test_a_game_goes_to_another_store_as_it_is_and_stays_sound(service: Service):
    game = begun(service, dice=8)
    throw(service, game)
    play_out(service, game)
    record = service.caller("director").get(f"/v1/games/{game}/record?full=true").json()
    assert parse(record).ruleset == "casino"
    assert [one.name for one in take_over(record, EDITIONS).history] == [event["name"] for event in record["events"]]


def test_a_simple_record_claims_no_more_than_the_cards(service: Service):
    game = begun(service, dice=8)
    throw(service, game)
    play_out(service, game)
    record = service.caller("director").get(f"/v1/games/{game}/record").json()
    brought = service.caller("director").post("/v1/records", record).json()["records"][0]["game"]
    assert shuffles(service.caller("viewer"), brought)["fair"] is False


def test_the_sheet_says_how_often_a_deck_was_begun_and_who_did_not_open(service: Service):
    game = begun(service, players=["p0", "p1"])
    join(seat(service, game, 0), game, 0)
    begin(service, game, 8)
    throw(service, game)
    last = play_out(service, game)
    begin(service, game, 8)  # of the next hand nothing stands on the sheet yet
    viewer, sheet = service.caller("viewer"), f"/v1/games/{game}/score-sheet?min_sequence={last['sequence']}"
    assert viewer.get(sheet).json()["shuffles"] == [{"hand": 1, "tries": 2, "missing": [[0]]}]
    assert "1,,begun 2,fair_deck,," in viewer.get(f"{sheet}&format=csv").text
    page = viewer.get(f"{sheet}&format=html", headers={"Accept-Language": "de"}).text
    assert "Spiel 1: 2 × begonnen (nicht geöffnet: Platz 1)" in page


def test_a_sheet_of_decks_as_they_come_says_nothing_of_it(service: Service):
    game = service.caller("recorder").open()
    service.caller("recorder").deal(game)
    assert "shuffles" not in service.caller("viewer").get(f"/v1/games/{game}/score-sheet").json()


def page(caller: Caller, game: str) -> str:
    answer = caller.get(f"/g/{game}/shuffle", headers={"Accept": "text/html", "Accept-Language": "en"})
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_the_page_offers_to_each_what_is_his_to_do(service: Service):
    game = opened(service)
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    assert "Begin the shuffle" in page(recorder, game)
    assert "Nothing is being shuffled now." in page(viewer, game)
    begin(service, game, 8)
    first, second = seat(service, game, 0), seat(service, game, 1)
    assert "Take part" in page(first, game)
    assert "The 8 dice as they lie" in page(recorder, game)
    join(first, game, 0)
    assert "Continue without the others" in page(first, game)
    assert "The 8 dice as they lie" not in page(recorder, game)
    open_chance(first, game, 0)
    assert "You have given your chance." in page(first, game)
    assert "This shuffle continues without you." in page(second, game)
    throw(service, game)
    assert "Hand 1: begun 1 ×" in page(viewer, game)
    assert "not revealed" in page(viewer, game)


def test_the_page_of_another_game_claims_nothing(service: Service):
    assert "Nothing is claimed of them." in page(service.caller("viewer"), service.caller("recorder").open())


def test_a_tournament_opens_games_with_decks_that_nobody_chose(service: Service):
    director, plan = service.caller("director"), {"ruleset": "casino", "seats": 2, "format": "manual"}
    assert director.post("/v1/tournaments", {"id": "fair", **plan, "shuffle": "fair"}).status_code == 201
    for players in (["a"], ["b"]):
        director.post("/v1/tournaments/fair/entries", {"players": players})
    assert director.get("/v1/tournaments/fair").json()["shuffle"] == "fair"
    off, on = ({"shuffle": value} for value in (None, "fair"))
    assert [director.post("/v1/tournaments/fair/correction", body).status_code for body in (off, on)] == [201, 201]
    director.post("/v1/tournaments/fair/rounds", {"tables": [{"parties": [[1], [2]]}]})
    [table] = director.post("/v1/tournaments/fair/rounds/1/games", {}).json()["tables"]
    assert shuffles(director, table["game"])["fair"] is True
    begin(service, table["game"], 8)
    begin(service, table["game"], 8)
    desk = director.get("/t/fair/desk", headers={"Accept": "text/html", "Accept-Language": "de"})
    assert "Deck 2 × begonnen" in desk.text
    throw(service, table["game"])
    director.put("/v1/tournaments/fair/rounds/1/tables/1/result", {"points": [3, 2]})
    closed = director.post("/v1/tournaments/fair/rounds/1/closing", {})
    assert closed.status_code == 201
    history = [one["name"] for one in director.get(f"/v1/games/{table['game']}/history?limit=100").json()["events"]]
    assert history[-2:] == ["game.abandoned/1", "shuffle.revealed/1"]
    assert director.get("/v1/tournaments/fair/audit").json()["verdict"] == "sound"
