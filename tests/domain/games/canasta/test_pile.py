"""Drawing, passing, discarding, and taking the pile."""

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, Plain, SightSet, TurnPassed, ZoneAdded
from domain.sight import PUBLIC, Viewer, masked
from tests.domain.games.canasta.positions import SEVEN_KINGS, SIX_KINGS, Position, groups
from tests.domain.games.positions import moved
from tests.each import each

OPEN = {0: "A: AS AS AH"}
"""Party 0 has a meld."""


# Drawing


def test_a_card_is_drawn_from_the_stock():  # CAN-15, CAN-16
    position = Position("9S", stock="5D 6D", phase="draw")
    assert position.play("draw") == (CardsMoved(("5D",), "stock", "hand:0"), TurnPassed("play", 0, (0,)))


def test_two_players_draw_one_card_too():  # CAN-15
    position = Position("9S", seats=2, phase="draw")
    assert moved(position.play("draw")) == [("5D", "stock", "hand:0")]


def test_nobody_draws_twice():  # CAN-15
    assert Position("9S 8S").refusal("draw") == ("already_drawn", "CAN-15")
    assert Position("9S 8S").taking_refused("4", "9S 8S") == ("already_drawn", "CAN-15")
    assert Position("9S 8S").refusal("pass") == ("already_drawn", "CAN-15")


def test_first_a_card_is_drawn():  # CAN-15
    position = Position("9S 8S", phase="draw")
    assert position.refusal("discard", card="9S") == ("not_drawn", "CAN-15")
    assert position.laying_refused("9: 9S") == ("not_drawn", "CAN-15")
    assert position.refusal("ask") == ("not_drawn", "CAN-15")


def test_an_empty_stock_cannot_be_drawn_from():  # CAN-16
    assert Position("9S", stock="", phase="draw").refusal("draw") == ("stock_empty", "CAN-16")


def test_red_threes_drawn_are_laid_and_replaced():  # CAN-11, CAN-12
    position = Position("9S", stock="3H 3D 7C 8C", turn=0, phase="draw")
    assert position.play("draw") == (
        CardsMoved(("3H",), "stock", "red:0"),
        CardsMoved(("3D",), "stock", "red:0"),
        CardsMoved(("7C",), "stock", "hand:0"),
        TurnPassed("play", 0, (0,)),
    )


def test_a_red_three_that_cannot_be_replaced_ends_the_hand():  # CAN-12, CAN-43
    position = Position("9S", stock="3H", phase="draw")
    position.play("draw")
    sheet = position.table.score.hands[0]
    assert (sheet.end, sheet.facts["out_seat"], position.table.cards("red:0")) == ("stock_exhausted", None, ("3H",))


def test_the_last_card_of_the_stock_is_drawn_like_any_other():  # CAN-18
    position = Position("9S", stock="5D", phase="draw")
    position.play("draw")
    position.play("discard", card="5D")
    assert (position.table.phase, position.table.turn) == ("draw", 1)


# Passing


def test_with_an_empty_stock_somebody_who_does_not_take_passes_and_the_hand_is_over():  # CAN-18, CAN-43
    position = Position("9S", stock="", phase="draw")
    position.play("pass")
    assert position.table.score.hands[0].end == "stock_exhausted"


def test_as_long_as_there_is_a_stock_nobody_passes():  # CAN-18
    assert Position("9S", stock="5D", phase="draw").refusal("pass") == ("stock_not_empty", "CAN-18")


def test_who_can_lay_the_top_card_off_may_not_pass():  # CAN-19
    position = Position("9S 8S", stock="", pile="4D AD", melds=OPEN, phase="draw")
    assert position.refusal("pass") == ("must_take", "CAN-19")
    position.take("A")
    assert position.held(0) == "9S 8S 4D"


@each(
    "position",
    [
        Position("9S 8S", stock="", pile="4D AD", melds=OPEN, phase="draw", pile_marks={"frozen": "2D"}),
        Position("9S 8S", stock="", pile="4D 3S", melds=OPEN, phase="draw"),
        Position("9S 8S", stock="", pile="4D KD", melds=OPEN, phase="draw"),
        Position("9S 8S", stock="", pile="4D AD", melds={1: "A: AS AS AH"}, phase="draw"),
        Position("9S", stock="", pile="AD", melds=OPEN, phase="draw", options={"one_card_pile": "forbidden"}),
        # One card would be left, and no canasta to go out with.
        Position("9S", stock="", pile="AD", melds=OPEN, phase="draw"),
    ],
    ids=["frozen", "blocked", "another rank", "the opponents' meld", "a pile of one card", "could not go on"],
)
def test_who_cannot_simply_lay_off_may_pass(position: Position):  # CAN-19
    assert position.play("pass")


# Discarding


def test_a_discard_ends_the_turn():  # CAN-15, CAN-17
    position = Position("9S 8S", marks={"opening": True, "question": "denied"})
    assert position.play("discard", card="9S") == (
        CardsMoved(("9S",), "hand:0", "pile", shown=True),
        MarkSet("opening", None),
        MarkSet("question", None),
        TurnPassed("draw", 1, (1,)),
    )


def test_the_turn_goes_around():  # CAN-10
    assert Position("9S", "8S", "7S", "6S 6D", turn=3).play("discard", card="6S")[-1] == TurnPassed("draw", 0, (0,))


def test_a_card_that_is_not_held_cannot_be_discarded():  # CAN-23
    assert Position("9S 8S").refusal("discard", card="7S") == ("card_not_in_hand", "CAN-23")


def test_a_wild_card_freezes_the_pile_once():  # CAN-17, CAN-28
    position = Position("2S 9S", "JK 9D")
    assert MarkSet("frozen", "2S", "pile") in position.play("discard", card="2S")
    position.play("draw")
    assert position.play("discard", card="JK") == (
        CardsMoved(("JK",), "hand:1", "pile", shown=True),
        SightSet("pile", "top"),
        TurnPassed("draw", 2, (2,)),
    )
    assert (position.view["pile_frozen"], position.view["pile_blocked"]) == (True, False)


def test_a_black_three_blocks_the_pile_for_the_next_player_only():  # CAN-17, CAN-28, CAN-33
    position = Position("3S 9S", "9D 8D")
    position.play("discard", card="3S")
    assert position.view["pile_blocked"] is True
    position.play("draw")
    position.play("discard", card="9D")
    assert position.view["pile_blocked"] is False  # pyrefly: ignore[unnecessary-comparison]  # moves lie between


# Taking


def test_the_pile_is_taken_with_the_top_card_going_to_its_meld():  # CAN-29, CAN-31, COM-50
    position = Position("QS QH 9S", pile="4D 5D QC", melds=OPEN, phase="draw")
    assert position.play("take", rank="Q", cards=["QS", "QH"]) == (
        ZoneAdded("meld:0:Q", "all", None),
        CardsMoved(("QC",), "pile", "meld:0:Q"),
        CardsMoved(("QS", "QH"), "hand:0", "meld:0:Q"),
        CardsMoved(("4D", "5D"), "pile", "hand:0"),
        SightSet("pile", "all"),
        TurnPassed("play", 0, (0,)),
    )
    assert position.held(0) == "9S 5D 4D"


def test_further_melds_may_be_laid_while_taking():  # CAN-29
    position = Position("QS QH 9S 9H 9D AD 7S 7H", pile="4D QC", melds=OPEN, phase="draw")
    position.take("Q", "QS QH", "9: 9S 9H 9D, A: AD")
    assert position.melds(0) == {"A": "AS AS AH AD", "Q": "QS QH QC", "9": "9S 9H 9D"}


def test_cards_of_the_pile_may_be_melded_in_the_same_turn():  # CAN-29
    position = Position("QS QH 9S 9H 8S 8H", pile="9C QC", melds=OPEN, phase="draw")
    position.take("Q", "QS QH")
    position.lay("9: 9S 9H 9C")
    assert position.held(0) == "8S 8H"


def test_as_first_meld_the_pile_needs_a_natural_pair():  # CAN-30
    position = Position("KS 2D AS AS AH", pile="KC", phase="draw")
    assert position.taking_refused("K", "KS 2D", "A: AS AS AH") == ("natural_pair_needed", "CAN-30")
    assert position.taking_refused("K", "KS", "A: AS AS AH") == ("natural_pair_needed", "CAN-30")


def test_as_first_meld_the_top_card_counts_towards_the_worth():  # CAN-27, CAN-30
    position = Position("KS KH 5S 4S 4H", pile="5D 6D KC", phase="draw", minimums=(30, 50))
    effects = position.play("take", rank="K", cards=["KS", "KH"])
    assert DetailAnnounced(0, "initial_meld", {"party": 0, "points": 30, "minimum": 30}) in effects
    assert MarkSet("opening", True) in effects


def test_the_rest_of_the_pile_does_not_count_towards_the_worth():  # CAN-27
    position = Position("KS KH 5S 4S 4H", pile="AD KC", phase="draw", minimums=(50, 50))
    assert position.taking_refused("K", "KS KH") == ("initial_meld_too_low", "CAN-26", "CAN-27")


def test_an_open_pile_is_taken_with_a_natural_and_a_wild_card():  # CAN-31
    position = Position("QS 2D 9S 8S", pile="QC", melds=OPEN, phase="draw")
    position.take("Q", "QS 2D")
    assert position.melds(0)["Q"] == "QS 2D QC"


def test_two_wild_cards_are_too_many_with_the_top_card():  # CAN-22, CAN-31
    position = Position("QS 2D JK 9S", pile="QC", melds=OPEN, phase="draw")
    assert position.taking_refused("Q", "2D JK") == ("too_many_wilds", "CAN-22")


@each("named", ["", "QS", "2D"])
def test_without_a_meld_of_the_rank_two_cards_are_needed(named: str):  # CAN-31
    position = Position("QS 2D 9S 8S", pile="QC", melds=OPEN, phase="draw")
    assert position.taking_refused("Q", named) == ("two_cards_needed", "CAN-31")


@each("named", ["", "AD", "2D", "AD 2D"])
def test_on_a_meld_of_the_rank_the_top_card_is_laid_off_with_as_many_cards_as_you_like(named: str):  # CAN-31
    position = Position("AD 2D 9S 8S", pile="AC", melds=OPEN, phase="draw")
    position.take("A", named)
    assert position.view["melds"][0]["A"]["natural"] == 4 + named.count("AD")


def test_a_partner_has_opened_for_both():  # CAN-23, CAN-31
    position = Position("9S 8S", "7S", "QS 2D 9H 8H", pile="QC", melds=OPEN, phase="draw", turn=2)
    assert position.take("Q", "QS 2D")


def test_a_frozen_pile_needs_a_natural_pair_even_with_a_meld_of_the_rank():  # CAN-32
    position = Position("AD 2D 9S 8S", pile="2H AC", melds=OPEN, phase="draw", pile_marks={"frozen": "2H"})
    for named in ("", "AD", "AD 2D"):
        assert position.taking_refused("A", named) == ("pile_frozen", "CAN-32")


def test_with_a_natural_pair_more_may_go_along_and_the_pile_is_no_longer_frozen():  # CAN-28, CAN-32
    position = Position("AD AC 2D 9S 8S", pile="2H AC", melds=OPEN, phase="draw", pile_marks={"frozen": "2H"})
    assert MarkSet("frozen", None, "pile") in position.take("A", "AD AC 2D")
    assert position.melds(0) == {"A": "AS AS AH AD 2D AC AC"}
    assert (position.held(0), position.view["pile_frozen"]) == ("9S 8S 2H", False)


def test_a_blocked_pile_is_not_taken():  # CAN-33
    position = Position("QS QH 9S", pile="QC 3S", melds=OPEN, phase="draw")
    assert position.taking_refused("Q", "QS QH") == ("pile_blocked", "CAN-33")


def wild_top(**options: object) -> Position:
    return Position("QS QH 9S 9H 7S", pile="QC 2H", melds=OPEN, phase="draw", pile_marks={"frozen": "2H"}, options=options)


def test_a_wild_card_on_top_goes_to_a_rank_that_the_player_chooses():  # CAN-34
    for rank, pair in (("Q", "QS QH"), ("9", "9S 9H")):
        position = wild_top()
        position.take(rank, pair)
        assert position.melds(0)[rank] == f"{pair} 2H"
    assert wild_top().taking_refused("A") == ("pile_frozen", "CAN-32")


def test_where_a_wild_card_may_not_be_taken_it_blocks():  # CAN-34
    position = wild_top(wild_top_take=False)
    assert position.taking_refused("Q", "QS QH") == ("pile_blocked", "CAN-34")
    assert position.view["pile_blocked"] is True


def test_a_pile_of_one_card_may_be_taken_with_one_card_unless_that_is_forbidden():  # CAN-35
    melds = {0: f"{SEVEN_KINGS}, A: AS AS AH"}
    assert Position("9S", pile="AD", melds=melds, phase="draw").take("A")
    forbidden: dict[str, object] = {"one_card_pile": "forbidden"}
    assert Position("9S", pile="AD", melds=melds, phase="draw", options=forbidden).taking_refused("A") == ("one_card_pile", "CAN-35")
    assert Position("9S", pile="4D AD", melds=melds, phase="draw", options=forbidden).take("A")
    assert Position("9S 8S", pile="AD", melds=melds, phase="draw", options=forbidden).take("A")


def test_cards_named_for_the_pile_are_held_as_often_as_named():  # CAN-23
    position = Position("QS QH 9S", pile="QC", melds=OPEN, phase="draw")
    assert position.taking_refused("Q", "QS QS") == ("card_not_in_hand", "CAN-23")
    assert position.taking_refused("Q", "QS QH", "9: 9H") == ("card_not_in_hand", "CAN-23")
    assert position.taking_refused("Q", "QS QC") == ("card_not_in_hand", "CAN-23")


@each(("rank", "rule"), [("2", "CAN-20"), ("JK", "CAN-20"), ("3", "CAN-24")])
def test_wild_cards_and_threes_are_no_rank_to_take_with(rank: str, rule: str):  # CAN-20, CAN-24
    position = Position("QS QH 9S", pile="QC", melds=OPEN, phase="draw")
    assert position.taking_refused(rank, "QS QH") == ("rank_not_meldable", rule)


def test_black_threes_are_not_laid_while_taking():  # CAN-24
    position = Position("QS QH 3S 3S 3C", pile="QC", melds={0: SEVEN_KINGS}, phase="draw")
    assert position.taking_refused("Q", "QS QH", "3: 3S 3S 3C") == ("rank_not_meldable", "CAN-24")


def test_the_top_card_joins_its_own_rank():  # CAN-29
    position = Position("9S 9H 9D 8S", pile="QC", melds=OPEN, phase="draw")
    assert position.taking_refused("9", "9S 9H") == ("top_card_not_used", "CAN-29")


def test_each_rank_is_named_once_while_taking():  # CAN-21
    position = Position("QS QH QD 9S", pile="QC", melds=OPEN, phase="draw")
    assert position.taking_refused("Q", "QS QH", "Q: QD") == ("duplicate_rank", "CAN-21")


def test_a_card_of_another_rank_does_not_go_with_the_top_card():  # CAN-20
    position = Position("QS 9H QD 9S", pile="QC", melds=OPEN, phase="draw")
    assert position.taking_refused("Q", "QS QD 9H") == ("rank_mismatch", "CAN-20")


def test_a_further_meld_needs_three_cards():  # CAN-20
    position = Position("QS QH 9H 9S", pile="QC", melds=OPEN, phase="draw")
    assert position.taking_refused("Q", "QS QH", "9: 9S 9H") == ("meld_too_small", "CAN-20")


def test_taking_may_not_leave_too_few_cards_to_go_on():  # CAN-38
    position = Position("QS QH", pile="QC", melds=OPEN, phase="draw")
    assert position.taking_refused("Q", "QS QH") == ("going_out_needs_canasta", "CAN-36", "CAN-38")
    position = Position("QS QH 8S", pile="QC", melds=OPEN, phase="draw")
    assert position.taking_refused("Q", "QS QH") == ("going_out_needs_canasta", "CAN-36", "CAN-38")
    assert Position("QS QH 8S", pile="4D QC", melds=OPEN, phase="draw").take("Q", "QS QH")


@each(("covered", "legal"), [("KC", True), ("2C", True), ("4C", False)])
def test_where_it_matters_which_card_lies_covered_everybody_sees_it(covered: str, legal: bool):  # CAN-38, section 6
    position = Position("QS QH", pile=f"{covered} QC", melds={0: SIX_KINGS}, phase="draw")
    for viewer in (Viewer(0), Viewer(1), PUBLIC):
        assert position.rulebook.view(masked(position.table, viewer))["pile"] == (covered, "QC")
    takes = [move for move in position.rulebook.legal(masked(position.table, Viewer(0)), 0) if move["type"] == "take"]
    assert bool(takes) == legal
    if legal:
        assert position.take("Q", "QS QH")
    else:
        assert position.taking_refused("Q", "QS QH") == ("going_out_needs_canasta", "CAN-36", "CAN-38")


def test_a_pile_is_seen_whole_up_to_two_cards_and_again_when_it_was_taken():  # section 6
    position = Position("9S 9H QS QH AD", "8S 8H", pile="4D", melds=OPEN)
    assert seen(position) == ["4D"]
    position.play("discard", card="9S")
    assert seen(position) == ["4D", "9S"]
    position.play("draw")
    position.play("discard", card="8S")
    assert seen(position) == ["?", "?", "8S"]
    position = Position("QS QH 9S 8S", pile="4D 5D QC", melds=OPEN, phase="draw")
    position.take("Q", "QS QH")
    position.play("discard", card="9S")
    assert seen(position) == ["9S"]


def test_red_threes_do_not_count_among_the_two_cards():  # section 6
    assert seen(red_pile()) == ["3H", "3D", "QC"]


def seen(position: Position) -> list[str]:
    """The pile as the public sees it."""
    return list(position.rulebook.view(masked(position.table, PUBLIC))["pile"])


def test_taking_may_go_out():  # CAN-36, CAN-38
    position = Position("QS QH", pile="QC", melds={0: SEVEN_KINGS}, phase="draw")
    position.take("Q", "QS QH")
    assert (position.table.score.hands[0].end, position.table.score.hands[0].facts["out_seat"]) == ("went_out", 0)


def test_one_card_may_be_left_that_completes_a_canasta():  # CAN-37, CAN-38
    position = Position("QS QH KC", pile="QC", melds={0: SIX_KINGS}, phase="draw")
    position.take("Q", "QS QH")
    assert position.refusal("discard", card="KC") == ("going_out_needs_canasta", "CAN-36")
    position.lay("K: KC")
    assert position.table.score.hands[0].end == "went_out"


# Red threes in the pile


def red_pile(stock: str = "5D 6D 7D", melds: str = "A: AS AS AH", hand: str = "QS QH 9S", **options: object) -> Position:
    marks: dict[str, Plain] = {"frozen": "3H", "red_threes": 2}
    return Position(hand, pile="3H 3D QC", stock=stock, melds={0: melds}, phase="draw", pile_marks=marks, options=options)


def test_red_threes_of_the_pile_are_laid_and_replaced():  # CAN-13
    position = red_pile(hand="QS QH 9S 8S")
    assert position.play("take", rank="Q", cards=["QS", "QH"])[3:] == (
        CardsMoved(("3H", "3D"), "pile", "hand:0"),
        MarkSet("frozen", None, "pile"),
        MarkSet("red_threes", None, "pile"),
        CardsMoved(("3H",), "hand:0", "red:0"),
        CardsMoved(("5D",), "stock", "hand:0"),
        CardsMoved(("3D",), "hand:0", "red:0"),
        CardsMoved(("6D",), "stock", "hand:0"),
        TurnPassed("play", 0, (0,)),
    )


def test_the_replacement_may_be_a_red_three_itself():  # CAN-13
    position = red_pile(stock="3H 5D 6D", melds=SEVEN_KINGS)
    position.take("Q", "QS QH")
    assert (position.held(0), position.table.cards("red:0")) == ("9S 6D 5D", ("3H", "3H", "3D"))


def test_without_a_stock_play_goes_on_without_a_replacement():  # CAN-13
    position = red_pile(stock="", melds=SEVEN_KINGS)
    position.take("Q", "QS QH")
    assert (position.table.phase, position.held(0)) == ("play", "9S")


def test_red_threes_of_the_pile_may_be_without_replacement():  # CAN-13
    position = red_pile(melds=SEVEN_KINGS, pile_red_three_replaced=False)
    position.take("Q", "QS QH")
    assert (position.held(0), position.view["stock_count"]) == ("9S", 3)


def test_red_threes_of_the_pile_and_their_replacement_do_not_help_to_go_on():  # CAN-38
    assert red_pile().taking_refused("Q", "QS QH") == ("going_out_needs_canasta", "CAN-36", "CAN-38")


def test_who_gets_a_replacement_has_not_gone_out():  # CAN-13, CAN-36
    position = red_pile(melds=SEVEN_KINGS, hand="QS QH")
    position.take("Q", "QS QH")
    assert (position.table.phase, position.held(0)) == ("play", "6D 5D")


# A red three that was turned up and left


def red_top(hand: str = "QS QH 9S 8S", pile: str = "3H", **options: object) -> Position:
    """The pile begins with a red three, as it can where the first card turned up is left."""
    chosen = {"first_upcard": "left", **options}
    return Position(hand, pile=pile, phase="draw", melds=OPEN, pile_marks={"red_threes": 1}, options=chosen)


def listed(position: Position) -> set[object]:
    return {move["type"] for move in position.rulebook.legal(position.table, position.seat)}


def test_a_red_three_on_top_blocks_the_pile():  # CAN-8, CAN-33
    position = red_top()
    for rank in "Q3":
        assert position.taking_refused(rank, "QS QH") == ("pile_blocked", "CAN-8")
    assert listed(position) == {"draw"}


def test_nobody_must_take_a_red_three():  # CAN-8, CAN-19
    position = Position("9S 8S", pile="3H", stock="", phase="draw", melds=OPEN, options={"first_upcard": "left"})
    assert listed(position) == {"pass"}
    assert position.play("pass")


@each(("replaced", "held"), [(True, "9S 8S 5D"), (False, "9S 8S")])
def test_a_red_three_that_was_covered_later_is_laid_for_whoever_takes_the_pile(replaced: bool, held: str):  # CAN-8, CAN-13
    position = red_top(pile="3H QD", pile_red_three_replaced=replaced)
    position.take("Q", "QS QH")
    assert (position.held(0), position.table.cards("red:0"), position.melds(0)["Q"]) == (held, ("3H",), "QS QH QD")


def test_a_red_three_that_was_left_freezes_nothing():  # CAN-8, CAN-28
    position = red_top(pile="3H AD")
    position.take("A")
    assert position.table.cards("red:0") == ("3H",)


def test_the_checks_of_taking_come_in_their_order():  # CAN-52
    position = Position("QS 9H 9D 9S 2D", pile="2H 3S", phase="draw", pile_marks={"frozen": "2H"}, options={"one_card_pile": "forbidden"})
    assert position.refusal("take", rank="2", cards=["8S"], melds=groups("2: 2S"))[0] == "pile_blocked"
    position = Position("QS QH 9D 9S 2D", pile="2H QC", phase="draw", pile_marks={"frozen": "2H"})
    assert [
        position.taking_refused(rank, named, melds)[0]
        for rank, named, melds in (
            ("2", "8S", "2: 9S"),
            ("2", "9S", "2: 9D"),
            ("9", "9S", "9: 2D"),
            ("Q", "9S", "Q: 2D"),
            ("Q", "9S", "9: 9D"),
            ("Q", "QS", "9: 9D"),
            ("Q", "QS QH", "9: 9D"),
            ("Q", "QS QH", ""),
        )
    ] == [
        "card_not_in_hand",
        "rank_not_meldable",
        "top_card_not_used",
        "duplicate_rank",
        "rank_mismatch",
        "pile_frozen",
        "meld_too_small",
        "initial_meld_too_low",
    ]
