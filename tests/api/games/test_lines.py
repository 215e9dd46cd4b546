"""Moves as short lines: played, read, and written beside what was played."""

from typing import Any

import pytest

from tests.api.conftest import Caller
from tests.api.rulings.test_rulings import dealt

GERMAN = {"Accept-Language": "de"}


def alcasan(recorder: Caller) -> str:
    """Seat 0 holds 3 3 4 4 5 5, seat 1 4 4 5 5 6 6; each has to choose three open cards first."""
    game = recorder.open(ruleset="alcasan", seats=2)
    deck = ["1"] * 4 + ["2"] * 4 + ["3"] * 4 + ["4"] * 4
    answer = recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": deck, "fill": "sorted"})
    assert answer.status_code == 201, answer.text
    return game


def hand_of(recorder: Caller, game: str, seat: int) -> list[str]:
    return list(recorder.get(f"/v1/games/{game}/table").json()["hands"][seat])


def play(recorder: Caller, game: str, *lines: tuple[int, str], **given: Any) -> Any:
    return recorder.post(f"/v1/games/{game}/moves", {"moves": [{"seat": seat, "text": text} for seat, text in lines]}, **given)


def read(recorder: Caller, game: str, seat: int, text: str, **given: Any) -> Any:
    return recorder.call("GET", f"/v1/games/{game}/legal-moves", params={"seat": seat, "text": text}, **given).json()


def three(recorder: Caller, game: str, seat: int) -> str:
    return "".join(hand_of(recorder, game, seat)[:3])


def test_a_line_is_recorded_as_the_move_that_it_means(recorder: Caller):
    game = alcasan(recorder)
    cards = hand_of(recorder, game, 0)[:3]
    answer = recorder.post(f"/v1/games/{game}/moves", {"seat": 0, "text": "".join(cards)})
    assert answer.status_code == 201, answer.text
    [event] = answer.json()["events"]
    assert (event["name"], event["body"]["move"]) == ("move.played/1", {"type": "choose_open", "cards": sorted(cards)})


def test_several_lines_are_recorded_all_or_none(recorder: Caller):
    game = alcasan(recorder)
    mine, other = three(recorder, game, 0), three(recorder, game, 1)
    refused = play(recorder, game, (0, mine), (1, "§"))
    assert (refused.status_code, refused.json()["code"], refused.json()["index"], refused.json()["at"]) == (422, "line_unreadable", 1, 0)
    assert play(recorder, game, (0, mine), (1, other)).status_code == 201


def test_a_line_that_means_no_move_or_several_is_refused_with_what_it_may_mean(recorder: Caller):
    game = alcasan(recorder)
    answer = recorder.post(f"/v1/games/{game}/moves", {"seat": 0, "text": ""})
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "line_incomplete")
    assert {option["move"]["type"] for option in problem["options"]} == {"choose_open"}
    assert all(len(option["written"]) == 3 for option in problem["options"])


def test_what_the_rules_refuse_is_refused_with_their_code(recorder: Caller):
    game = dealt(recorder)
    answer = recorder.post(f"/v1/games/{game}/moves", {"seat": 1, "move": {"type": "trail", "card": "QC"}})
    by_line = recorder.post(f"/v1/games/{game}/moves", {"seat": 1, "text": "qc-"})
    assert by_line.status_code == answer.status_code == 422
    assert by_line.json()["code"] == answer.json()["code"] == "not_your_turn"


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"seat": 0, "text": "333", "move": {"type": "take"}}, "text"),
        ({"seat": 0, "text": "333", "known": {"hand:0": ["3"]}}, "text"),
        ({"seat": 0}, "move"),
        ({"text": "333"}, "seat"),
        ({"text": "333", "moves": [{"seat": 0, "text": "333"}]}, "moves"),
    ],
)
def test_a_move_is_json_or_a_line_and_not_both(recorder: Caller, body: dict[str, Any], where: str):
    answer = recorder.post(f"/v1/games/{alcasan(recorder)}/moves", body)
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, "malformed_body", where)


def test_letters_are_those_of_the_language(recorder: Caller):
    game = recorder.open(ruleset="alcasan", seats=2)
    assert recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": "unknown"}).status_code == 201
    german, english = read(recorder, game, 0, "fel", headers=GERMAN), read(recorder, game, 0, "fea")
    assert german["moves"][0] == english["moves"][0] == {"type": "choose_open", "cards": ["fire", "earth", "air"]}
    assert (german["written"][0], english["written"][0]) == ("FEL", "FEA")


def test_a_line_is_read_without_being_played(recorder: Caller):
    game = alcasan(recorder)
    cards = three(recorder, game, 0)
    found = read(recorder, game, 0, cards)
    assert found["moves"][0] == {"type": "choose_open", "cards": sorted(cards)}
    assert found["reading"] == {"reading": "move"}
    assert found["written"][0] == "".join(sorted(cards))
    assert [unit["card"] for unit in found["units"][0]] == sorted(cards)
    assert recorder.get(f"/v1/games/{game}").json()["position"] == 2


def test_every_listed_move_may_be_told_with_its_line(recorder: Caller):
    game = alcasan(recorder)
    plain = recorder.get(f"/v1/games/{game}/legal-moves?seat=0").json()
    lined = recorder.get(f"/v1/games/{game}/legal-moves?seat=0&written=true").json()
    assert plain == {name: value for name, value in lined.items() if name not in ("written", "units")}
    assert len(lined["written"]) == len(lined["units"]) == len(lined["moves"])


def test_every_listed_move_may_be_told_as_the_sentence_that_is_said_of_it(recorder: Caller):
    game = alcasan(recorder)
    found = recorder.get(f"/v1/games/{game}/legal-moves?seat=0&said=true&effects=true&limit=1").json()
    recorder.post(f"/v1/games/{game}/moves", {"seat": 0, "move": found["moves"][0]})
    frame = recorder.get(f"/v1/games/{game}/replay?names=true&after=2").json()["frames"][0]
    assert found["said"][0] == frame["said"][: len(found["said"][0])]
    assert found["said"][0][0] == {"seats": [0], "words": "Seat 0"}


def test_a_line_is_read_alone(recorder: Caller):
    answer = recorder.get(f"/v1/games/{alcasan(recorder)}/legal-moves?seat=0&text=3&type=lay")
    assert (answer.status_code, answer.json()["where"]) == (400, "text")


def test_a_viewer_reads_no_line_of_a_game_that_is_not_open(recorder: Caller, viewer: Caller):
    assert viewer.get(f"/v1/games/{alcasan(recorder)}/legal-moves?seat=0&text=3").status_code == 403


def test_frames_show_the_full_form_to_whoever_is_told_the_move(recorder: Caller, viewer: Caller):
    game = alcasan(recorder)
    cards = three(recorder, game, 0)
    play(recorder, game, (0, cards))
    for caller in (recorder, viewer):
        opening, deal, chosen = caller.get(f"/v1/games/{game}/replay").json()["frames"]
        assert ("written" in opening, "written" in deal, chosen["written"]) == (False, False, "".join(sorted(cards)))


def test_a_record_may_hold_lines_in_english_letters(recorder: Caller):
    deck = {"deck": ["1"] * 4 + ["2"] * 4 + ["3"] * 4 + ["4"] * 4, "fill": "sorted"}
    game = alcasan(recorder)
    mine, other = three(recorder, game, 0), three(recorder, game, 1)
    record = {"ruleset": "alcasan", "seats": 2, "hands": [{"dealer": 1, **deck, "moves": [mine, {"seat": 1, "text": other}]}]}
    answer = recorder.post("/v1/records", record)
    assert answer.status_code == 201, answer.text
    played = recorder.get(f"/v1/games/{answer.json()['records'][0]['game']}/record").json()["hands"][0]["moves"]
    assert [move["move"] for move in played] == [{"type": "choose_open", "cards": sorted(cards)} for cards in (mine, other)]


@pytest.mark.parametrize("entry", [{"seat": 0, "text": 5}, {"seat": 0, "text": "1", "known": {}}, "x" * 301, 7])
def test_what_is_no_line_of_a_record_is_told_with_its_place(recorder: Caller, entry: object):
    record = {"ruleset": "alcasan", "seats": 2, "hands": [{"dealer": 1, "deck": "unknown", "moves": [entry]}]}
    answer = recorder.post("/v1/records", record)
    assert (answer.status_code, answer.json()["code"], answer.json()["where"][:24]) == (422, "malformed_record", "record.hands[0].moves[0]")


def test_names_of_cards_are_recorded_tried_and_judged_as_codes(recorder: Caller):
    game = dealt(recorder)
    move = {"type": "trail", "card": "Dame Kreuz"}
    trail = {"seat": 0, "move": {"type": "trail", "card": "KREUZ dame"}}
    judged = recorder.post(f"/v1/games/{game}/legal-moves", trail).json()
    tried = recorder.post(f"/v1/games/{game}/branches", {"position": 2, "moves": [trail]}).json()["moves"]
    listed = recorder.call("GET", f"/v1/games/{game}/legal-moves", params={"cards": "queen of clubs", "type": "trail"}).json()["moves"]
    line = read(recorder, game, 0, "queen of cl -")
    [event] = recorder.post(f"/v1/games/{game}/moves", trail).json()["events"]
    coded = {"type": "trail", "card": "QC"}
    assert [judged["move"], tried[0]["move"], *listed, *line["moves"], event["body"]["move"]] == [coded] * 5
    refused = recorder.post(f"/v1/games/{game}/moves", {"seat": 1, "text": "queen of"}).json()
    assert (refused["code"], refused["detail"].count("queen of ")) == ("line_incomplete", 4)
    assert recorder.post(f"/v1/games/{game}/moves", {"seat": 1, "move": move}).json()["code"] == "malformed_move"
