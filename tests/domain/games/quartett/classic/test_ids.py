"""Classic Quartett with a deck whose ids begin with the number (QDK-9)."""

from domain.effects import CardsMoved, DetailAnnounced
from tests.domain.games.quartett.decks import planes
from tests.domain.games.quartett.positions import Position, classic


def flying(*hands: str) -> Position:
    return classic(*hands, options={"deck_def": planes()})


def test_a_card_is_asked_for_by_the_id_of_the_deck_or_its_name():  # QKL-7
    for named in ("2A", "Swift"):
        position = flying("1A 1B", "2A 2B", "3A 3B")
        position.play("ask", target=1, card=named)
        assert position.view()["hands"][0] == ["1A", "2A", "1B"]


def test_what_would_be_an_id_elsewhere_is_the_name_that_it_is_here():  # QDK-3
    position = flying("2A 2B", "1A 1B", "3A 3B")
    position.play("ask", target=1, card="A1")
    assert position.view()["hands"][0] == ["2A", "1B", "2B"]
    assert position.refusal("ask", target=1, card="A2")[0] == "malformed_move"


def test_a_quartet_is_laid_down_and_told_by_its_letter():  # QKL-12
    position = flying("1A 2A 4A 1B", "3A 2B", "3B 4B")
    effects = position.play("ask", target=1, card="3A")
    assert CardsMoved(("1A", "2A", "3A", "4A"), "hand:0", "laid:0", shown=True) in effects
    assert DetailAnnounced(0, "quartet", "A") in effects
    assert position.view()["quartets"] == [["A"], [], []]


def test_who_holds_no_card_of_the_letter_cannot_ask_for_one():  # QKL-8
    assert flying("1A", "1B 2B", "3B").refusal("ask", target=1, card="1B") == ("group_not_held", ("QKL-8",))
    assert [move["card"] for move in flying("1A", "1B 2A", "3B").legal()] == ["2A", "2A", "3A", "3A", "4A", "4A"]
