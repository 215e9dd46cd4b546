"""Hands that were dealt elsewhere: a board that the director prepared, and hands that somebody shows."""

import httpx
from playwright.sync_api import Page, expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.people import registered
from tests.pages.record.test_record import begun, chosen, opened, recording

WHOLE = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


def prepared(client: httpx.Client, name: str) -> str:
    """The game at the only table of a round for which board 7 lies ready."""
    done(client.post("/v1/tournaments", json={"id": name, "ruleset": "casino", "seats": 2, "format": "manual"}))
    for player in registered(client, f"{name}-ada", f"{name}-ben"):
        done(client.post(f"/v1/tournaments/{name}/entries", json={"players": [player]}))
    done(client.post(f"/v1/tournaments/{name}/rounds", json={"tables": [{"table": "1", "parties": [[1], [2]]}]}))
    done(client.post(f"/v1/tournaments/{name}/boards", json={"round": 1, "board": 7, "deck": WHOLE}))
    (table,) = done(client.post(f"/v1/tournaments/{name}/rounds/1/games", json={}))["tables"]
    return str(table["game"])


def answer(page: Page, asked: str, text: str) -> None:
    expect(page.locator("#will")).to_contain_text(asked)
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def test_a_board_is_dealt_by_its_number_and_one_that_is_not_there_is_asked_for_again(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = prepared(client, "one-board")
        page = recording(visitor, game)
        chosen(page, "A board")
        answer(page, "Which board?", "nine")
        expect(page.locator("#will")).to_contain_text("A number.")
        expect(page.locator("#line")).to_have_value("nine")
        page.locator("#line").fill("9")
        page.keyboard.press("Enter")
        expect(page.locator("#will")).to_contain_text("ada deals a prepared board")
        page.keyboard.press("Enter")
        answer(page, "Which board?", "7")
        expect(page.locator("#log li")).to_have_count(2)
        expect(page.locator("#will")).to_contain_text("What did")
        dealt = done(client.get(f"/v1/games/{game}/history"))["events"][-1]["body"]
        assert (dealt["how"], dealt["board"]) == ("prepared", 7)
    visitor.wrong.clear()  # browsers complain of the board that is not there


def test_a_hand_that_nobody_saw_is_left_out_and_no_card_is_typed_twice(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = opened(client)
        page = recording(visitor, game)
        chosen(page, "Type the hands")
        answer(page, "Nobody knows it The hand of anna", "")
        answer(page, "hand of ben", "as as kd 2c")
        expect(page.locator("#will")).to_contain_text("AS is there already.")
        page.locator("#line").fill("as kd 2c ?")
        page.keyboard.press("Enter")
        answer(page, "cards lie on the table", "qh qd 3c 4c")
        expect(page.locator("#log li").last).to_contain_text("Open: Q♥ Q♦ 3♣ 4♣.")
        table = done(client.get(f"/v1/games/{game}/table"))
        assert [sorted(hand) for hand in table["hands"]] == [["?"] * 4, ["2C", "?", "AS", "KD"]]
    visitor.wrong.clear()  # browsers complain of the refusal that asks for the table cards


def test_a_hand_may_hold_a_card_as_often_as_the_deck_does(visit: Visit, house: Served):
    with house.client() as client:
        game = begun(client, "canasta")
    page = recording(visit(secret=house.token), game)
    chosen(page, "Type the hands")
    answer(page, "hand of North", "as as as")
    expect(page.locator("#will")).to_contain_text("AS is there already.")
    page.locator("#line").fill("as as")
    page.keyboard.press("Enter")
    expect(page.locator("#will")).to_contain_text("hand of East")
    page.keyboard.type("as")
    expect(page.locator("#will")).to_contain_text("AS is there already.")


def test_hands_that_are_only_counted_are_told_by_their_worth_or_by_ranks(visit: Visit, house: Served):  # CAN-57
    melds = [{"rank": "K", "cards": ["KS", "KS", "KH", "KH", "KD", "KD", "KC"]}, {"rank": "A", "cards": ["AS", "AS", "AH", "AH"]}]
    with house.client() as client:
        game = str(done(client.post("/v1/games", json={"ruleset": "canasta", "seats": 4}))["game"])
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": 3, "deck": "unknown", "known": {"hand:1": ["3H"], "pile": ["4C"]}}))
        for move in ({"type": "draw"}, {"type": "meld", "melds": melds}):
            done(client.post(f"/v1/games/{game}/moves", json={"seat": 0, "move": move}))
        page = recording(visit(secret=house.token), game)
        page.keyboard.type("7c")
        page.keyboard.press("Enter")
        answer(page, "Which 11 cards does East still hold? Their ranks (k k 2) or what they are worth (145)", "145")
        answer(page, "does South still hold?", "100")
        answer(page, "does West still hold?", "k 2 * 9 9 8 8 7 7 6 6")
        expect(page.locator("#log li").last).to_contain_text("7♣")
        expect(page.locator("#log .grey")).to_have_count(0)  # what is grey is on its way
        sheet = done(client.get(f"/v1/games/{game}/score-sheet"))
        told = done(client.get(f"/v1/games/{game}/history"))["events"][-1]["body"]
    assert sheet["hands"][0]["rows"]["hand_cards"] == [-100, -285]
    assert (told["worth"], told["known"]) == (
        {"hand:1": 145, "hand:2": 100},
        {"hand:3": ["K", "2", "JK", "9", "9", "8", "8", "7", "7", "6", "6"]},
    )


def test_each_question_names_one_place_as_people_do_and_points_at_it_on_the_felt(visit: Visit, house: Served):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = begun(client, "cascades")
    page = recording(visitor, game)
    chosen(page, "Nobody knows the deck")
    answer(page, "Which card lies on top of the waste now?", "6sy")
    answer(page, "Which card begins the upper tier?", "2wl")
    expect(page.locator("#will")).to_contain_text("Cards are turned.")
    page.keyboard.press("Enter")
    expect(page.locator("#will")).to_contain_text("Which card lies on top of the waste now?")
    expect(page.locator(".asked")).to_have_attribute("data-zone", "waste")
    page.keyboard.type("3ly")
    page.keyboard.press("Enter")
    expect(page.locator("#log .grey")).to_have_count(0)
    expect(page.locator(".asked")).to_have_count(0)
    visitor.wrong.clear()  # browsers complain of the refusal that asks for the cards of the deal
