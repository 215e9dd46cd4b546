"""Editions under which no hand is dealt any more: hands that were are played to their end and judged by them."""

import pytest

from domain.errors import Refused
from domain.games import EDITIONS, RULESETS
from domain.rules import Rulebook, Ruleset
from domain.sight import PUBLIC, masked
from domain.table import Table, fold
from replay.audit import audit
from tests import laws
from tests.domain.games.setups import TRIED
from tests.each import each
from tests.laws import Playout, play

OLDER = {f"{key} {edition}": ruleset for (key, edition), ruleset in EDITIONS.items() if ruleset is not RULESETS[key]}


def playout_of(ruleset: Ruleset, number: int, seed: str) -> Playout:
    set_up = TRIED[ruleset.key]().set_ups[number]
    return play(ruleset, ruleset.bind(dict(set_up.options), set_up.seats), seed, set_up.longest, set_up.rarely)


def test_every_edition_that_hands_were_dealt_under_is_kept():
    kept = {key: sorted(edition for other, edition in EDITIONS if other == key) for key in RULESETS}
    assert kept == {key: list(range(1, RULESETS[key].edition + 1)) for key in RULESETS}


@pytest.mark.parametrize("ruleset", OLDER.values(), ids=OLDER)
@pytest.mark.parametrize("number", [0, 3])
def test_a_game_of_an_older_edition_is_judged_by_that_edition(ruleset: Ruleset, number: int):
    playout = playout_of(ruleset, number, "sound")
    history = laws.history(playout)
    assert audit(history, EDITIONS).verdict == "sound"
    # By the newest one deals and moves of the first of Canasta would do something else; else only options, refusals and rulings are others.
    wrong = audit(history, {(ruleset.key, ruleset.edition): RULESETS[ruleset.key]})
    assert any(found.position > 1 for found in wrong.divergences) == ((ruleset.key, ruleset.edition) == ("canasta", 1))


@pytest.mark.parametrize("ruleset", OLDER.values(), ids=OLDER)
def test_a_game_of_an_older_edition_keeps_the_laws_of_the_table(ruleset: Ruleset):
    playout = playout_of(ruleset, 1, "laws")
    for law in (
        laws.cards_are_conserved,
        laws.the_game_ends,
        laws.whoever_is_to_act_has_a_move,
        laws.what_a_viewer_folds_is_what_he_would_see,
        laws.what_is_stored_is_what_was_played,
        laws.a_rewind_restores_the_table,
    ):
        assert list(law(playout)) == []


def test_the_law_of_refusals_finds_what_the_first_edition_of_the_trumpfspiel_told():  # QTR-7
    breaches = list(laws.a_refusal_knows_no_more_than_the_player(playout_of(EDITIONS["quartett-trumpf", 1], 1, "told")))
    assert any("choice_not_allowed" in breach and "card_not_in_hand" in breach for breach in breaches)


def test_in_the_first_edition_of_canasta_a_small_pile_is_covered():  # CAN-38
    pile = {}
    for edition in (1, 2):
        rulebook = EDITIONS["canasta", edition].bind({}, 2)
        table = fold(Table(rulebook.setup), rulebook.deal(Table(rulebook.setup), 0, list(rulebook.deck)))
        table = fold(table, rulebook.resolve(table, 1, {"type": "draw"}))
        table = fold(table, rulebook.resolve(table, 1, {"type": "discard", "card": "AS"}))
        pile[edition] = rulebook.view(masked(table, PUBLIC))["pile"]
    assert pile == {1: ("?", "AS"), 2: ("QH", "AS")}


def test_in_the_first_edition_of_the_trumpfspiel_it_was_asked_first_whether_the_card_is_there():  # QTR-7
    codes = {}
    for edition in (1, 2):
        rulebook = EDITIONS["quartett-trumpf", edition].bind({"deck_def": "metals"}, 2)
        table = fold(Table(rulebook.setup), rulebook.deal(Table(rulebook.setup), 1, list(rulebook.deck)))
        own, foreign = table.cards("hand:0")[0], table.cards("hand:1")[0]
        codes[edition] = [refused(rulebook, table, card) for card in (own, foreign)]
    assert codes == {1: ["choice_not_allowed", "card_not_in_hand"], 2: ["choice_not_allowed"] * 2}


@each(
    ("key", "edition", "option", "value"),
    [
        ("alcasan", 1, "extra_lay_right", "may"),
        ("alcasan", 1, "four_fit", "compared"),
        ("alcasan", 2, "four_fit", "compared"),
        ("canasta", 1, "first_upcard", "left"),
        ("canasta", 3, "first_upcard", "left"),
        ("casino", 1, "last_sweep", "not"),
        ("casino", 2, "last_sweep", "not"),
        ("quartett-trumpf", 1, "tie_break", "tied"),
        ("quartett-trumpf", 2, "tie_break", "tied"),
        ("quartett-trumpf", 3, "tuck", "free"),
    ],
)
def test_an_older_edition_knows_the_options_that_there_were(
    key: str, edition: int, option: str, value: str
):  # ALC-28, ALC-45, CNO-53, QTR-29, QTR-32
    older, newest = EDITIONS[key, edition], RULESETS[key]
    assert option in set(newest.bind({}, 4).setup.options) - set(older.bind({}, 4).setup.options)
    with pytest.raises(Refused) as found:
        older.bind({option: value}, 4)
    assert found.value.code == "bad_option"


def test_in_the_first_edition_of_alcasan_nobody_knew_how_to_decline():  # ALC-45
    codes = {}
    for edition in (1, 2):
        rulebook = EDITIONS["alcasan", edition].bind({}, 2)
        table = fold(Table(rulebook.setup), rulebook.deal(Table(rulebook.setup), 1, list(rulebook.deck)))
        for seat in (0, 1):
            move = next(rulebook.legal(table, seat))
            table = fold(table, rulebook.resolve(table, seat, move))
        found = laws.refusal(rulebook, table, 0, {"type": "decline"})
        codes[edition] = found and found.code
    assert codes == {1: "unknown_move", 2: "nothing_to_decline"}


def refused(rulebook: Rulebook, table: Table, card: str) -> str | None:
    refusal = laws.refusal(rulebook, table, 0, {"type": "announce", "category": "density", "card": card})
    return refusal.code if refusal else None
