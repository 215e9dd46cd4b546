"""A hand recorded over HTTP as a bystander sees it: nobody knows the stock, and the recorder sees no hand (COM-70 to COM-76)."""

import json
import re
from pathlib import Path
from typing import Any

from tests.api.conftest import Caller, Service, trailing
from tests.api.games.test_cases import SET_UP, START, only

CASES = Path(__file__).parents[2] / "cases"
CANASTA = CASES / "canasta" / "own-as-a-bystander-sees-it.json"
KNOWN = {"board": ["3H", "9C", "KD", "2S"]}
"""What lies on the table; seat 1 deals, so seat 0 plays first."""


def dealt(recorder: Caller, **more: Any) -> str:
    game = recorder.open()
    answer = recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": "unknown", "known": KNOWN, **more})
    assert answer.status_code == 201, answer.text
    return game


def table(caller: Caller, game: str, view: str = "arbiter") -> dict[str, Any]:
    found: dict[str, Any] = caller.get(f"/v1/games/{game}/table?view={view}").json()
    return found


def test_a_deal_is_refused_until_the_cards_that_everybody_sees_are_told(recorder: Caller):
    game = recorder.open()
    refused = recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": "unknown"})
    told = refused.json()
    assert (refused.status_code, told["code"], told["rules"]) == (422, "card_unknown", ["COM-73", "CNO-81"])
    assert told["asks"] == [{"zone": "board", "places": [0, 1, 2, 3]}]
    assert told["detail"].endswith('tell in "known": which cards go to "board" as numbers 1, 2, 3 and 4 with the deal.')


def test_unknown_cards_are_counted_for_who_sees_the_zone_and_are_hidden_to_everybody_else(recorder: Caller, viewer: Caller):
    game = dealt(recorder)
    seen = table(recorder, game)
    assert (seen["table"], seen["hands"]) == (["3H", "9C", "KD", "2S"], [["?"] * 4, ["?"] * 4])
    assert seen["unknown"] == {"stock": 40, "hand:0": 4, "hand:1": 4}
    assert table(recorder, game, "seat:1")["unknown"] == {"hand:1": 4}
    assert "unknown" not in table(viewer, game, "public")


def test_a_card_that_is_played_tells_itself(recorder: Caller, viewer: Caller):
    game = dealt(recorder)
    played = recorder.post(f"/v1/games/{game}/moves", trailing(0, "6S"))
    assert played.json()["events"][0]["body"]["effects"][:2] == [
        ["known", "hand:0", ["6S"]],
        ["moved", ["6S"], "hand:0", "board", False, True],
    ]
    assert table(recorder, game)["unknown"] == {"stock": 40, "hand:0": 3, "hand:1": 4}
    [frame] = viewer.get(f"/v1/games/{game}/replay?view=public&after=2").json()["frames"]
    assert frame["effects"][0] == ["moved", ["6S"], "hand:0", "board", False, True]


def test_what_is_told_beside_a_move_is_kept_with_it(recorder: Caller):
    game = dealt(recorder)
    beside = {"known": {"hand:0": ["6S", "7S"]}, "lacks": {"hand:1": ["TD"]}}
    [event] = recorder.post(f"/v1/games/{game}/moves", {**trailing(0, "6S"), **beside}).json()["events"]
    assert {name: event["body"][name] for name in beside} == beside
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def test_a_face_that_cannot_be_there_is_refused(recorder: Caller):
    game = dealt(recorder)
    refused = recorder.post(f"/v1/games/{game}/moves", {**trailing(0, "6S"), "known": {"hand:0": ["9C"]}}).json()
    assert (refused["code"], refused["rules"]) == ("card_impossible", ["COM-71"])
    assert refused["detail"] == (
        'The card 9♣ cannot lie in "hand:0": it is known to lie elsewhere. If that was told wrongly, go back to before it and record again.'
    )


def test_a_zone_of_which_nothing_can_be_told_is_refused_with_those_of_which_it_can(recorder: Caller):
    known = {"hand0": ["6S"]}
    of_deal = recorder.post(f"/v1/games/{recorder.open()}/hands", {"dealer": 1, "deck": "unknown", "known": known}).json()
    of_move = recorder.post(f"/v1/games/{dealt(recorder)}/moves", {**trailing(0, "6S"), "known": known}).json()
    assert of_deal["detail"] == 'No cards can be told of "hand0", but of: "board", "hand:0", "hand:1", "stock".'
    assert of_move["detail"] == 'No cards can be told of "hand0", but of: "board", "hand:0", "hand:1", "stock".'


def test_every_card_that_is_asked_for_stands_in_the_sentence_in_either_language(recorder: Caller):
    game = recorder.open(ruleset="quartett-trumpf", seats=4)
    recorder.post(f"/v1/games/{game}/hands", {"dealer": 3, "deck": "unknown"})
    announced = {"seat": 0, "move": {"type": "announce", "category": "density"}}
    told = {
        language: recorder.post(f"/v1/games/{game}/moves", announced, headers={"Accept-Language": language}).json()["detail"]
        for language in ("en", "de")
    }
    assert told == {
        "en": 'Not every card that this act needs is known. Send the act again and tell in "known": '
        + ", ".join(f'which card lies in "hand:{seat}" at place 1 from the top' for seat in range(3))
        + ' and which card lies in "hand:3" at place 1 from the top.',
        "de": "Nicht jede Karte, auf die es hier ankommt, ist bekannt. Bitte noch einmal senden und in „known“ nennen: "
        + ", ".join(f"welche Karte in „hand:{seat}“ an Stelle 1 von oben liegt" for seat in range(3))
        + " und welche Karte in „hand:3“ an Stelle 1 von oben liegt.",
    }


def test_whether_a_seat_holds_a_card_is_asked_with_the_words_for_either_answer(recorder: Caller):
    game = recorder.open(ruleset="quartett-classic", seats=3)
    recorder.post(f"/v1/games/{game}/hands", {"dealer": 2, "deck": "unknown"})
    question = {"seat": 0, "move": {"type": "ask", "target": 1, "card": "A1"}}
    english, german = (
        recorder.post(f"/v1/games/{game}/moves", question, headers={"Accept-Language": language}).json() for language in ("en", "de")
    )
    assert english["asks"] == german["asks"] == [{"zone": "hand:1", "face": "A1"}]
    assert english["detail"].endswith('tell in "known": whether A1 lies in "hand:1" (if not, in "lacks").')
    assert german["detail"].endswith("in „known“ nennen: ob A1 in „hand:1“ liegt (wenn nicht, in „lacks“).")
    refused = recorder.post(f"/v1/games/{game}/moves", {**question, "lacks": {"hand:1": ["A1"]}}).json()
    assert (refused["turn"], refused["phase"]) == (1, "ask")


def test_beside_each_move_that_may_be_made_stands_what_has_to_be_told_with_it(recorder: Caller):
    game = recorder.open(ruleset="quartett-classic", seats=3)
    recorder.post(f"/v1/games/{game}/hands", {"dealer": 2, "deck": "unknown"})
    page = recorder.get(f"/v1/games/{game}/legal-moves?cards=A1&effects=true").json()
    assert [move["target"] for move in page["moves"]] == [1, 2]
    assert page["asks"] == [[{"zone": f"hand:{seat}", "face": "A1"}] for seat in (1, 2)]
    assert page["effects"] == [None, None]
    trails = recorder.get(f"/v1/games/{dealt(recorder)}/legal-moves?type=trail&limit=2").json()
    assert (trails["asks"], "effects" in trails) == ([[], []], False)
    known = recorder.open()
    recorder.deal(known)
    assert "asks" not in recorder.get(f"/v1/games/{known}/legal-moves").json()


def test_a_hand_that_is_counted_is_asked_for_as_a_whole(recorder: Caller):
    case = json.loads(CANASTA.read_text(encoding="utf-8"))
    game, [hand] = recorder.open(**only(case, *SET_UP)), case["hands"]
    turned = recorder.post(f"/v1/games/{game}/hands", {"dealer": 0, "deck": "unknown", "known": {"pile": ["3H"]}}).json()
    assert turned["asks"] == [{"zone": "pile", "places": [1]}]
    assert turned["detail"].endswith('tell in "known": which card goes to "pile" as number 2 with the deal.')
    *moves, last = hand["moves"]
    assert recorder.post(f"/v1/games/{game}/hands", only(hand, *START)).status_code == 201
    assert recorder.post(f"/v1/games/{game}/moves", {"moves": moves}).status_code == 201
    english, german = (
        recorder.post(f"/v1/games/{game}/moves", only(last, "seat", "move"), headers={"Accept-Language": language}).json()
        for language in ("en", "de")
    )
    assert (
        english["asks"] == german["asks"] == [{"zone": f"hand:{seat}", "count": len(last["known"][f"hand:{seat}"])} for seat in (0, 2, 3)]
    )
    assert english["detail"].endswith('in "known": all 11 cards of "hand:0", all 11 cards of "hand:2" and all 7 cards of "hand:3".')
    assert german["detail"].endswith("nennen: alle 11 Karten in „hand:0“, alle 11 Karten in „hand:2“ und alle 7 Karten in „hand:3“.")


def test_a_card_of_a_deal_that_cannot_be_there_is_refused_with_zone_and_card(recorder: Caller):
    known = {"board": ["3H", "9C", "KD", "3H"]}
    deal = {"dealer": 1, "deck": "unknown", "known": known}
    answers = {
        language: recorder.post(f"/v1/games/{recorder.open()}/hands", deal, headers={"Accept-Language": language})
        for language in ("en", "de")
    }
    assert {(answer.status_code, answer.json()["code"]) for answer in answers.values()} == {(422, "card_impossible")}
    assert answers["en"].json()["detail"].startswith('The card 3♥ cannot lie in "board": it is known to lie elsewhere.')
    assert answers["de"].json()["detail"].startswith("Die Karte 3♥ kann nicht in „board“ liegen: Sie liegt bekanntlich woanders.")


def test_what_is_told_in_a_wrong_form_is_a_malformed_move(recorder: Caller):
    game = dealt(recorder)
    spoilt: tuple[object, ...] = ([], {"hand:0": "6S"}, {"hand:0": ["??"]}, {"hand:0": [6]})
    for wrong in spoilt:
        refused = recorder.post(f"/v1/games/{game}/moves", {**trailing(0, "6S"), "known": wrong}).json()
        assert (refused["code"], refused["rules"]) == ("malformed_move", ["COM-71", "CNO-80"]), wrong


def test_cards_are_told_between_two_moves_and_taken_back_with_a_rewind(recorder: Caller):
    game = dealt(recorder)
    tried = recorder.post(f"/v1/games/{game}/tellings?dry_run=true", {"known": {"hand:1": ["TD"]}})
    assert (tried.status_code, table(recorder, game)["unknown"]["hand:1"]) == (200, 4)
    told = recorder.post(f"/v1/games/{game}/tellings", {"known": {"hand:1": ["TD"]}})
    assert (told.status_code, told.json()["events"][0]["body"]) == (
        201,
        {"known": {"hand:1": ["TD"]}, "effects": [["known", "hand:1", ["TD"]]]},
    )
    assert table(recorder, game)["hands"][1] == ["?", "?", "?", "TD"]
    assert recorder.get(f"/v1/games/{game}?min_sequence={told.json()['sequence']}").json()["position"] == 3
    [frame] = recorder.get(f"/v1/games/{game}/replay?after=2", headers={"accept-language": "de"}).json()["frames"]
    assert frame["caption"] == "Genannt: 10♦."
    recorder.post(f"/v1/games/{game}/rewinds", {"to": 2})
    assert table(recorder, game)["hands"][1] == ["?"] * 4


def test_whether_a_move_would_be_legal_is_asked_with_what_is_told_beside_it(recorder: Caller):
    game = dealt(recorder)
    known = {"hand:0": ["6S", "6H", "6D", "6C"]}
    for path in ("moves?dry_run=true", "legal-moves"):
        asked = recorder.post(f"/v1/games/{game}/{path}", {**trailing(0, "7S"), "known": known}).json()
        assert asked["code"] == "card_not_in_hand"
    line = {"position": 2, "moves": [{**trailing(0, "6S"), "known": known}, trailing(1, "6H")]}
    tried = recorder.post(f"/v1/games/{game}/branches", line).json()
    assert [move["legal"] for move in tried["moves"]] == [True, False]
    assert tried["table"]["unknown"] == {"stock": 40, "hand:1": 4}


def test_what_may_be_played_from_an_unknown_hand_is_any_card_that_is_not_seen(recorder: Caller):
    game = dealt(recorder)
    page = recorder.get(f"/v1/games/{game}/legal-moves?seat=0&limit=48").json()
    assert [move["card"] for move in page["moves"]] == [
        rank + suit for suit in "SHDC" for rank in "AKQJT98765432" if rank + suit not in ("3H", "9C", "KD", "2S")
    ]


def test_a_game_with_unknown_cards_is_exported_and_imported_again(service: Service, recorder: Caller):
    game = dealt(recorder)
    recorder.post(f"/v1/games/{game}/moves", {**trailing(0, "6S"), "known": {"hand:0": ["6S", "7S"]}})
    recorder.post(f"/v1/games/{game}/tellings", {"known": {"hand:1": ["TD"]}})
    recorder.post(f"/v1/games/{game}/moves", trailing(1, "TD"))
    record = recorder.get(f"/v1/games/{game}/record").json()
    [hand] = record["hands"]
    assert hand["deck"] == ["?", "?", "3H", "9C", "?", "?", "?", "?", "KD", "2S", *["?"] * 42]
    assert hand["moves"] == [
        {**trailing(0, "6S"), "known": {"hand:0": ["6S", "7S"]}},
        {"known": {"hand:1": ["TD"]}},
        trailing(1, "TD"),
    ]
    answer = recorder.post("/v1/records", record)
    assert answer.status_code == 201, answer.text


def test_to_viewers_unknown_is_the_same_as_hidden_byte_for_byte(recorder: Caller, viewer: Caller):
    """The same hand, recorded with its full deck and as somebody sees it who watches."""
    case = json.loads((CASES / "casino" / "hand-two-players-classic.json").read_text(encoding="utf-8"))
    watched = json.loads((CASES / "casino" / "own-hand-recorded-with-nothing-known.json").read_text(encoding="utf-8"))
    games = [recorded(recorder, record) for record in (case, watched)]
    for path in ("table?view=public&position={}", "replay?view=public&after={}&limit=1", "score-sheet"):
        for position in range(1, 51):
            known, unknown = (viewer.get(f"/v1/games/{game}/{path.format(position)}").text for game in games)
            assert without_times(known, games[0]) == without_times(unknown, games[1])


def recorded(recorder: Caller, record: dict[str, Any]) -> str:
    [hand] = record["hands"]
    game = recorder.open(options=record.get("options", {}), openness="never")
    start = {name: hand[name] for name in ("dealer", "deck", "fill", "known") if name in hand}
    assert recorder.post(f"/v1/games/{game}/hands", start).status_code == 201
    assert recorder.post(f"/v1/games/{game}/moves", {"moves": hand["moves"]}).status_code == 201
    return game


def without_times(body: str, game: str) -> str:
    return re.sub(r'"(at|next|previous)":("[^"]*"|null),?', "", body.replace(game, "game"))


def test_a_seat_is_answered_from_what_it_sees_of_its_own_unknown_hand(recorder: Caller):  # COM-76
    """Whether it holds a card that another seat is known to hold nobody tells it."""
    game = dealt(recorder)
    recorder.post(f"/v1/games/{game}/tellings", {"known": {"hand:1": ["TD"]}})
    for card, legal in (("6S", True), ("TD", True), ("9C", False)):
        line = {"position": 3, "view": "seat:0", "moves": [trailing(0, card)]}
        answer = recorder.post(f"/v1/games/{game}/branches", line)
        assert answer.status_code == 200, answer.text
        [tried] = answer.json()["moves"]
        assert tried["legal"] is legal


# Hands that are only counted (CAN-57)

GOING_OUT = {"seat": 0, "move": {"type": "discard", "card": "7C"}}
RANKS = ["K", "2", "JK", "9", "9", "8", "8", "7", "7", "6", "6"]


def going_out(recorder: Caller) -> str:
    """A game of Canasta in which seat 0 can go out with its last card, and nobody knows the other hands."""
    game = recorder.open(ruleset="canasta", seats=4, options={"end": "hands", "hand_count": 1})
    recorder.post(f"/v1/games/{game}/hands", {"dealer": 3, "deck": "unknown", "known": {"hand:1": ["3H"], "pile": ["4C"]}})
    melds = [{"rank": "K", "cards": ["KS", "KS", "KH", "KH", "KD", "KD", "KC"]}, {"rank": "A", "cards": ["AS", "AS", "AH", "AH"]}]
    moves = [{"seat": 0, "move": move} for move in ({"type": "draw"}, {"type": "meld", "melds": melds})]
    assert recorder.post(f"/v1/games/{game}/moves", {"moves": moves}).status_code == 201
    return game


def test_hands_are_told_by_their_worth_and_the_record_holds_it(recorder: Caller, viewer: Caller):
    game = going_out(recorder)
    told = {"worth": {"hand:1": 145, "hand:2": 100}, "known": {"hand:3": RANKS}}
    assert recorder.post(f"/v1/games/{game}/moves", {**GOING_OUT, **told}).status_code == 201
    body = recorder.get(f"/v1/games/{game}/history").json()["events"][-1]["body"]
    assert {name: body[name] for name in told} == told
    sheet = viewer.get(f"/v1/games/{game}/score-sheet").json()
    assert sheet["hands"][0]["rows"]["hand_cards"] == [-100, -285]
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"
    record = recorder.get(f"/v1/games/{game}/record?full=false").json()
    assert record["hands"][0]["moves"][-1] == {**GOING_OUT, **told}


def test_the_worth_of_a_hand_is_told_between_two_moves_before_a_stop(recorder: Caller, director: Caller, viewer: Caller):  # COM-43
    game = going_out(recorder)
    path = f"/v1/games/{game}"
    told = {"worth": {"hand:0": 5, "hand:1": 145, "hand:2": 100, "hand:3": 140}}
    answer = recorder.post(f"{path}/tellings", told)
    assert answer.status_code == 201
    seen = viewer.get(f"{path}/history").json()["events"][-1]["body"]
    assert (seen["effects"], "worth" in seen) == ([], False)
    assert "worth" not in str(viewer.get(f"{path}/table").json())
    assert director.post(f"{path}/stoppage", {"reason": "The hall closes."}).status_code == 201
    sheet = viewer.get(f"{path}/score-sheet").json()
    assert sheet["hands"][0]["rows"]["hand_cards"] == [-105, -285]
    assert recorder.get(f"{path}/audit").json()["verdict"] == "sound"


def test_what_was_told_of_a_counted_hand_stands_in_the_caption_for_those_who_see_it(recorder: Caller, viewer: Caller):
    path = f"/v1/games/{going_out(recorder)}"
    assert recorder.post(f"{path}/tellings", {"worth": {"hand:1": 145}, "known": {"hand:3": ["JK"]}}).status_code == 201
    assert recorder.post(f"{path}/tellings", {"known": {"hand:2": ["K", "2"]}}).status_code == 201
    captions = {
        (caller, language): [
            frame["caption"] for frame in seen.get(f"{path}/replay", headers={"Accept-Language": language}).json()["frames"][-2:]
        ]
        for caller, seen in (("recorder", recorder), ("viewer", viewer))
        for language in ("en", "de")
    }
    assert captions == {
        ("recorder", "en"): ["Told: joker, and what is counted: 145.", "Told is what is counted: K 2."],
        ("recorder", "de"): ["Genannt: Joker, und was zählt: 145.", "Genannt wird, was zählt: K 2."],
        ("viewer", "en"): ["Cards are told.", "Cards are told."],
        ("viewer", "de"): ["Karten werden genannt.", "Karten werden genannt."],
    }


def test_a_telling_of_nothing_is_refused(recorder: Caller):
    answer = recorder.post(f"/v1/games/{going_out(recorder)}/tellings", {})
    assert (answer.status_code, answer.json()["code"], answer.json()["where"]) == (422, "malformed_body", "known")


def test_a_worth_that_the_hand_cannot_have_is_refused_in_words(recorder: Caller):
    game = going_out(recorder)
    refused = recorder.post(f"/v1/games/{game}/moves", {**GOING_OUT, "worth": {"hand:1": 146}}).json()
    assert (refused["code"], refused["rules"]) == ("card_impossible", ["COM-71", "CAN-57"])
    assert refused["detail"].startswith('No cards of "hand:1" can be worth or rank as it was told')
