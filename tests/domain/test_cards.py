"""Card codes and multisets of cards."""

from domain.cards import FRENCH_DECK, HIDDEN, append_missing_cards, copies_of, same_cards, without


def test_the_french_deck_has_52_different_cards():
    assert len(FRENCH_DECK) == len(set(FRENCH_DECK)) == 52


def test_the_french_deck_is_ordered_by_suit_then_from_ace_to_two():
    assert FRENCH_DECK[:13] == ("AS", "KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S", "5S", "4S", "3S", "2S")
    assert FRENCH_DECK[::13] == ("AS", "AH", "AD", "AC")


def test_no_card_is_called_what_a_hidden_card_is_called():
    assert HIDDEN not in FRENCH_DECK


def test_the_same_cards_may_come_in_any_order():
    assert same_cards(["7H", "2S", "7H"], ("7H", "7H", "2S"))


def test_copies_count():
    assert not same_cards(["7H"], ["7H", "7H"])


def test_the_copies_of_a_deck_are_counted_in_its_order():
    assert list(copies_of(("7H", "2S", "7H")).items()) == [("7H", 2), ("2S", 1)]


def test_of_equal_copies_the_first_ones_go():
    assert without(("7H", "2S", "7H", "7H"), ["7H", "7H"]) == ("2S", "7H")


def test_what_is_not_there_is_not_missed():
    assert without(("2S",), ["7H"]) == ("2S",)


def test_a_short_list_is_filled_with_the_rest_of_the_deck_in_its_order():  # COM-61
    assert append_missing_cards(["B", "A"], ("A", "A", "B", "C")) == ("B", "A", "A", "C")


def test_a_surplus_card_stays_in_a_filled_list_so_that_the_deck_can_be_refused():  # COM-61, COM-16
    assert append_missing_cards(["Z", "B"], ("A", "B")) == ("Z", "B", "A")
