"""What is asked for, as a person reads it (COM-73)."""

from domain.games import RULESETS
from domain.unknown_cards.asking import card_unknown
from tests.each import each

EN = 'Not every card that this act needs is known. Send the act again and tell in "known": '
DE = "Nicht jede Karte, auf die es hier ankommt, ist bekannt. Bitte noch einmal senden und in „known“ nennen: "


def asked(places: tuple[int, ...], language: str, *, of_deal: bool) -> str:
    return RULESETS["casino"].sentence(card_unknown({}, [{"zone": "stock", "places": places}], "CNO-81", of_deal=of_deal), language)


@each(
    ("places", "of_deal", "english", "german"),
    [
        ((0,), False, 'which card lies in "stock" at place 1 from the top.', "welche Karte in „stock“ an Stelle 1 von oben liegt."),
        (
            (0, 2),
            False,
            'which cards lie in "stock" at places 1 and 3 from the top.',
            "welche Karten in „stock“ an den Stellen 1 und 3 von oben liegen.",
        ),
        ((1,), True, 'which card goes to "stock" as number 2 with the deal.', "welche Karte beim Geben als Nummer 2 in „stock“ kommt."),
        (
            (0, 1),
            True,
            'which cards go to "stock" as numbers 1 and 2 with the deal.',
            "welche Karten beim Geben als Nummern 1 und 2 in „stock“ kommen.",
        ),
    ],
)
def test_one_card_is_asked_for_in_the_singular(places: tuple[int, ...], of_deal: bool, english: str, german: str):
    assert (asked(places, "en", of_deal=of_deal), asked(places, "de", of_deal=of_deal)) == (EN + english, DE + german)
