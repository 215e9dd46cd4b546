"""Who sees what: the laws over random tables and moves, and one example for each thing that was easy to get wrong."""

import random
from collections import Counter
from collections.abc import Callable, Mapping

from hypothesis import assume, given
from hypothesis import strategies as st

from domain.cards import HIDDEN, Card
from domain.effects import CardsMoved, DetailAnnounced, Effect, Effects, HandOpened, Known, MarkSet, Sight, SightSet, TurnPassed, ZoneAdded
from domain.sight import ARBITER, PUBLIC, Viewer, build_possible_table, masked, redact_effects, visible_from
from domain.table import Table, Zone, fold, pick_cards
from tests.each import each
from tests.laws import shuffled_for
from tests.strategies import COPIES, SETUP, UNIQUE, UNTOLD, VIEWERS, any_tables, histories, new_hands, sound_moves

OWNER, OTHER = Viewer(0), Viewer(1)


def table(**zones: Zone) -> Table:
    return Table(SETUP, zones, {}, "play", 0, (0,))


# What a zone shows


@each(
    ("sight", "owner", "other", "public"),
    [
        ("all", "ABC", "ABC", "ABC"),
        ("top", "??C", "??C", "??C"),
        ("owner", "ABC", "???", "???"),
        ("owner-top", "??C", "???", "???"),
        ("none", "???", "???", "???"),
    ],
)
def test_a_zone_shows_what_its_sight_says(sight: Sight, owner: str, other: str, public: str):
    before = table(a=Zone(sight, 0, ("A", "B", "C")))
    assert ["".join(masked(before, viewer).cards("a")) for viewer in (OWNER, OTHER, PUBLIC)] == [owner, other, public]


@each("sight", ["owner", "owner-top"])
def test_a_zone_for_its_owner_that_has_none_is_seen_by_nobody(sight: Sight):
    assert [visible_from(viewer, Zone(sight, None, ("A", "B"))) for viewer in VIEWERS] == [2, 2, 2]


@each("sight", ["all", "top", "owner", "owner-top", "none"])
def test_an_empty_zone_is_the_same_for_all(sight: Sight):
    empty = Zone(sight, 0)
    assert [masked(table(a=empty), viewer).zones["a"] for viewer in VIEWERS] == [empty] * 3


def test_a_seat_that_the_game_does_not_have_sees_what_the_public_sees():
    before = table(a=Zone("owner", 0, ("A",)), b=Zone("top", 1, ("B", "C")))
    assert masked(before, Viewer(7)) == masked(before, PUBLIC)


@each("viewer", [ARBITER, Viewer(0, open=True), Viewer("public", open=True)])
def test_an_arbiter_and_everybody_once_a_game_is_open_see_all(viewer: Viewer):
    before = table(a=Zone("none", None, ("A",)), b=Zone("owner", 1))
    moves = (CardsMoved(("A",), "a", "b"),)
    assert (masked(before, viewer), redact_effects(viewer, before, moves)) == (before, moves)


# A table that a viewer cannot tell from the true one


@given(any_tables(), st.randoms())
def test_an_imagined_table_looks_like_the_true_one_and_follows_from_what_is_seen(before: Table, chance: random.Random):
    deck = [card for zone in before.zones.values() for card in zone.cards]
    for viewer in VIEWERS:
        found = build_possible_table(before, viewer, sorted(deck))
        assert masked(found, viewer) == masked(before, viewer)
        assert Counter(card for zone in found.zones.values() for card in zone.cards) == Counter(deck)
        assert build_possible_table(shuffled_for(before, viewer, chance), viewer, sorted(deck)) == found


def test_where_more_lies_than_the_deck_holds_faces_stay_hidden():
    before = table(a=Zone("none", None, ("A", "B", "C")), b=Zone("all", None, ("D",)))
    assert build_possible_table(before, PUBLIC, ("A", "D")).cards("a") == ("A", "?", "?")


def test_who_sees_everything_imagines_nothing():
    before = table(a=Zone("none", None, ("B", "A")))
    assert build_possible_table(before, ARBITER, ("A", "B")) == before


def test_masking_twice_masks_once():
    before = table(a=Zone("top", None, ("A", "B")), b=Zone("owner", 1, ("C",)))
    assert masked(masked(before, OWNER), OWNER) == masked(before, OWNER)


def test_a_mask_hides_faces_and_nothing_else():
    before = Table(SETUP, {"a": Zone("none", 1, ("A",), {"value": 7})}, {"last": 1}, "play", 1, (1,))
    assert masked(before, OWNER) == Table(SETUP, {"a": Zone("none", 1, ("?",), {"value": 7})}, {"last": 1}, "play", 1, (1,))


# What is told of a move


def test_a_drawn_card_is_told_to_the_one_who_draws_it():
    before = table(stock=Zone("none", None, ("A", "B")), hand=Zone("owner", 0))
    moves = (CardsMoved(("B",), "stock", "hand"),)
    assert [redact_effects(viewer, before, moves) for viewer in VIEWERS] == [
        moves,
        (CardsMoved(("?",), "stock", "hand"),),
        (CardsMoved(("?",), "stock", "hand"),),
    ]


def test_a_card_that_lay_open_is_told_also_where_it_goes_into_the_dark():
    before = table(board=Zone("all", None, ("A",)), pile=Zone("none"))
    moves = (CardsMoved(("A",), "board", "pile"),)
    assert redact_effects(PUBLIC, before, moves) == moves


def test_a_card_that_is_shown_as_it_goes_is_told():
    before = table(hand=Zone("owner", 0, ("A", "B")), pile=Zone("none"))
    moves = (CardsMoved(("A",), "hand", "pile", shown=True),)
    assert redact_effects(PUBLIC, before, moves) == moves


def test_a_card_that_is_shown_once_is_told_in_the_whole_move():
    before = table(hand=Zone("owner", 0, ("A",)), board=Zone("none"), pile=Zone("none"))
    moves = (CardsMoved(("A",), "hand", "board"), CardsMoved(("A",), "board", "pile", shown=True))
    assert redact_effects(PUBLIC, before, moves) == moves


def test_the_second_card_of_a_pile_that_lies_open_for_an_instant_is_not_told():  # CAN-29
    before = table(pile=Zone("top", None, ("A", "B", "C")), meld=Zone("all"), hand=Zone("owner", 0))
    moves = (CardsMoved(("C",), "pile", "meld"), CardsMoved(("A", "B"), "pile", "hand"))
    assert redact_effects(OTHER, before, moves) == (CardsMoved(("C",), "pile", "meld"), CardsMoved(("?", "?"), "pile", "hand"))
    assert redact_effects(OWNER, before, moves) == moves


def test_of_three_cards_turned_together_only_the_last_is_told():  # CSC-14
    before = table(stock=Zone("none", None, ("A", "B", "C")), waste=Zone("top"))
    moves = (CardsMoved(("C", "B", "A"), "stock", "waste"),)
    assert redact_effects(OWNER, before, moves) == (CardsMoved(("?", "?", "A"), "stock", "waste"),)


def test_what_newly_lies_open_is_told_by_a_turn_up():  # CSC-22
    before = table(reserve=Zone("top", None, ("A", "B")), tier=Zone("all"))
    moves = (CardsMoved(("B",), "reserve", "tier"),)
    assert redact_effects(PUBLIC, before, moves) == (*moves, CardsMoved(("A",), "reserve", "reserve", shown=True))


def test_what_a_new_sight_opens_is_told_by_a_turn_up():  # CSC-20
    before = table(reserve=Zone("none", None, ("A", "B")))
    moves = (SightSet("reserve", "top"),)
    assert redact_effects(PUBLIC, before, moves) == (*moves, CardsMoved(("B",), "reserve", "reserve", shown=True))


def test_a_pile_opened_whole_is_told_whole():
    before = table(won=Zone("top", None, ("A", "B", "C")))
    moves = (SightSet("won", "all"),)
    assert redact_effects(PUBLIC, before, moves) == (*moves, CardsMoved(("A", "B", "C"), "won", "won", shown=True))


def test_what_a_new_sight_closes_was_seen_before_and_goes_untold():
    before = table(won=Zone("all", None, ("A",)))
    assert redact_effects(PUBLIC, before, (SightSet("won", "none"),)) == (SightSet("won", "none"),)


def test_a_pile_that_goes_whole_tells_only_its_top_even_if_it_holds_the_same_card_twice():
    before = table(pile=Zone("top", None, ("A", "B", "A")), hand=Zone("owner", 0))
    moves = (CardsMoved(("A", "B", "A"), "pile", "hand"),)
    assert redact_effects(PUBLIC, before, moves) == (CardsMoved(("?", "?", "A"), "pile", "hand"),)


def test_a_new_deck_is_told_face_down_and_its_cards_where_they_come_to_lie():
    moves: Effects = (
        HandOpened(1, 0),
        ZoneAdded("stock", "none", None, ("A", "B", "C")),
        ZoneAdded("hand", "owner", 0),
        CardsMoved(("C",), "stock", "hand"),
    )
    deck = ZoneAdded("stock", "none", None, ("?", "?", "?"))
    assert redact_effects(OWNER, Table(SETUP), moves) == (moves[0], deck, moves[2], moves[3])
    assert redact_effects(OTHER, Table(SETUP), moves) == (moves[0], deck, moves[2], CardsMoved(("?",), "stock", "hand"))


def test_a_zone_laid_in_the_open_is_told_as_it_stays():
    moves: Effects = (ZoneAdded("row", "all", None, ("A", "B")), CardsMoved(("B",), "row", "pile"))
    assert redact_effects(PUBLIC, table(pile=Zone("none")), moves) == (
        ZoneAdded("row", "all", None, ("A", "?")),
        CardsMoved(("?",), "row", "pile"),
    )


def test_the_cards_of_the_hand_before_are_not_told_when_a_new_one_begins():
    before = table(stock=Zone("none", None, ("A", "B")))
    moves = (HandOpened(2, 1), ZoneAdded("stock", "none", None, ("B", "A")))
    assert redact_effects(PUBLIC, before, moves) == (HandOpened(2, 1), ZoneAdded("stock", "none", None, ("?", "?")))


def test_what_is_no_card_is_told_to_everybody():
    moves = (DetailAnnounced(0, "asks"), MarkSet("pass", 2), TurnPassed("play", 1, (1,)))
    assert redact_effects(PUBLIC, table(), moves) == moves


def test_a_zone_in_which_equal_copies_changed_places_is_laid_anew():
    """The upper 4 goes beneath its twin and the twin away: the viewer cannot know that the one he saw is the one that stays."""
    before = table(a=Zone("top", None, ("4", "4")), b=Zone("all"))
    moves = (CardsMoved(("4",), "a", "a", under=True), CardsMoved(("4",), "a", "b"))
    assert redact_effects(PUBLIC, before, moves) == (*moves, ZoneAdded("a", "top", None, ("4",)))


def test_a_card_from_nowhere_takes_no_hidden_card_with_it():  # damaged history
    before = table(a=Zone("none", None, ("A", "B")), b=Zone("none", 1, (), {"sign": 1}))
    moves = (CardsMoved(("Z",), "a", "b"),)
    assert redact_effects(PUBLIC, before, moves) == (CardsMoved(("?",), "a", "b"), ZoneAdded("a", "none", None, ("?", "?")))


# The laws


COVERED = Viewer("public", covered=True)


def holds(before: Table, effects: Effects) -> None:
    after = fold(before, effects)
    for viewer in (*VIEWERS, COVERED):
        told = redact_effects(viewer, before, effects)
        assert masked(fold(masked(before, viewer), told), viewer) == masked(after, viewer)


@given(st.data(), st.sampled_from((COPIES, UNIQUE, UNTOLD)))
def test_what_a_viewer_folds_is_what_he_would_see(data: st.DataObject, deck: tuple[Card, ...]):
    before = data.draw(any_tables(deck))
    holds(before, data.draw(sound_moves(before)))


@given(st.data())
def test_of_told_faces_a_viewer_reads_those_that_he_sees(data: st.DataObject):
    before = data.draw(any_tables(UNTOLD))
    effects = data.draw(sound_moves(before))
    for viewer in VIEWERS:
        for effect in redact_effects(viewer, before, effects):
            if isinstance(effect, Known):
                assert effect in seen_so_far(viewer, before, effects)


def seen_so_far(viewer: Viewer, before: Table, effects: Effects) -> list[Effect]:
    """Every telling, cut to the upper end that the viewer sees at that moment."""
    cut: list[Effect] = []
    for place, effect in enumerate(effects):
        if isinstance(effect, Known):
            zone = fold(before, effects[:place]).zones[effect.zone]
            seen = min(len(zone.cards) - visible_from(viewer, zone), len(effect.cards))
            cut += [Known(effect.zone, effect.cards[-seen:])] if seen else []
    return cut


@given(new_hands())
def test_what_a_viewer_folds_of_a_new_hand_is_what_he_would_see(effects: Effects):
    holds(Table(SETUP), effects)


@given(any_tables(), histories)
def test_what_a_viewer_folds_of_damaged_history_is_what_he_would_see(before: Table, effects: Effects):
    holds(before, effects)


@given(st.data())
def test_nothing_is_told_that_was_neither_seen_nor_shown(data: st.DataObject):
    before = data.draw(any_tables(UNIQUE))
    effects = data.draw(sound_moves(before))
    for viewer in VIEWERS:
        told = {
            card
            for effect in redact_effects(viewer, before, effects)
            if isinstance(effect, CardsMoved | ZoneAdded)
            for card in effect.cards
        }
        assert told - {HIDDEN} <= may_be_told(viewer, before, effects)


def may_be_told(viewer: Viewer, before: Table, effects: Effects) -> set[Card]:
    """Every face that the viewer sees before or after the move, or as it goes. Good for decks without copies only."""
    shown = {card for effect in effects if isinstance(effect, CardsMoved) and effect.shown for card in effect.cards}
    return shown | faces(masked(before, viewer)) | faces(masked(fold(before, effects), viewer))


def faces(seen: Table) -> set[Card]:
    return {card for zone in seen.zones.values() for card in zone.cards} - {HIDDEN}


@given(st.data())
def test_covered_no_face_no_mark_and_no_move_is_told(data: st.DataObject):
    before = data.draw(any_tables(UNIQUE))
    told = redact_effects(COVERED, before, data.draw(sound_moves(before)))
    assert not any(isinstance(effect, CardsMoved | ZoneAdded | SightSet | MarkSet | DetailAnnounced) for effect in told)
    assert masked(before, COVERED) == Table(before.setup, phase="covered", score=before.score)


@given(st.data())
def test_cards_that_he_cannot_see_change_nothing_that_a_viewer_is_told(data: st.DataObject):
    before = data.draw(any_tables(UNIQUE))
    effects = data.draw(sound_moves(before))
    viewer = data.draw(st.sampled_from(VIEWERS))
    hidden = sorted(set(UNIQUE) - may_be_told(viewer, before, effects))
    swap = dict(zip(hidden, data.draw(st.permutations(hidden)), strict=True))
    other = renamed(before, swap), tuple(renamed_effect(effect, swap) for effect in effects)
    assert redact_effects(viewer, *other) == redact_effects(viewer, before, effects)


@given(st.data())
def test_copies_that_he_cannot_see_change_nothing_that_a_viewer_is_told(data: st.DataObject):
    """The cards are told apart in secret (``UNIQUE``) but have equal faces; other faces for the hidden ones, the same tale."""
    before = data.draw(any_tables(UNIQUE))
    effects = data.draw(sound_moves(before, 3))
    viewer = data.draw(st.sampled_from(VIEWERS))
    seen = may_be_told(viewer, before, effects)
    one = {card: data.draw(st.sampled_from("XYZ")) for card in UNIQUE}
    two = {card: one[card] if card in seen else data.draw(st.sampled_from("XYZ")) for card in UNIQUE}
    # A move names faces: it can only speak of the copy that the fold takes.
    assume(speaks_of_the_same_cards(before, effects, one) and speaks_of_the_same_cards(before, effects, two))
    tales = [
        redact_effects(viewer, renamed(before, face), tuple(renamed_effect(effect, face) for effect in effects)) for face in (one, two)
    ]
    assert tales[0] == tales[1]


def speaks_of_the_same_cards(before: Table, effects: Effects, face: Mapping[Card, Card]) -> bool:
    for effect in effects:
        if isinstance(effect, CardsMoved):
            lying = before.cards(effect.source)
            by_face = pick_cards(tuple(face[card] for card in lying), tuple(face[card] for card in effect.cards))
            if by_face != pick_cards(lying, effect.cards):
                return False
        before = fold(before, [effect])
    return True


def renamed(before: Table, names: Mapping[Card, Card]) -> Table:
    zones = {name: Zone(zone.sight, zone.owner, new(zone.cards, names), zone.marks) for name, zone in before.zones.items()}
    return Table(before.setup, zones, before.marks, before.phase, before.turn, before.to_act, before.score)


def renamed_effect(effect: Effect, names: Mapping[Card, Card]) -> Effect:
    match effect:
        case CardsMoved():
            return CardsMoved(new(effect.cards, names), effect.source, effect.target, effect.under, effect.shown)
        case ZoneAdded():
            return ZoneAdded(effect.zone, effect.sight, effect.owner, new(effect.cards, names))
    return effect


def new(cards: tuple[Card, ...], names: Mapping[Card, Card]) -> tuple[Card, ...]:
    return tuple(names.get(card, card) for card in cards)


# The laws have teeth


def effect_by_effect(viewer: Viewer, before: Table, effects: Effects) -> Effects:
    """A plausible redaction that leaks: each effect judged by itself."""
    told: Effects = ()
    for effect in effects:
        told += redact_effects(viewer, before, (effect,))
        before = fold(before, (effect,))
    return told


def everything(viewer: Viewer, before: Table, effects: Effects) -> Effects:
    return effects


@each("leaky", [effect_by_effect, everything])
def test_a_redaction_that_leaks_is_found(leaky: Callable[[Viewer, Table, Effects], Effects]):
    before = table(pile=Zone("top", None, ("A", "B", "C")), meld=Zone("all"), hand=Zone("owner", 0))
    effects = (CardsMoved(("C",), "pile", "meld"), CardsMoved(("A", "B"), "pile", "hand"))
    told = {card for effect in leaky(OTHER, before, effects) if isinstance(effect, CardsMoved) for card in effect.cards}
    assert not told - {HIDDEN} <= may_be_told(OTHER, before, effects)


def test_what_was_told_does_not_decide_in_which_order_piles_are_turned_up():
    opened = (SightSet("a", "all"), SightSet("b", "all"))
    known = redact_effects(PUBLIC, table(a=Zone("none", None, ("A",)), b=Zone("none", None, ("B",))), opened)
    told = redact_effects(
        PUBLIC, table(a=Zone("none", None, ("A",)), b=Zone("none", None, (HIDDEN,))), (*(Known("b", ("B",)),) * 2, *opened)
    )
    assert told == known == (*opened, CardsMoved(("A",), "a", "a", shown=True), CardsMoved(("B",), "b", "b", shown=True))
