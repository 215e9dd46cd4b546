"""alcasan: declining the further lay (ALC-45)."""

from domain.effects import MarkSet, TurnPassed
from tests.domain.games.alcasan.positions import ALCASAN, MAY, Position, dealt
from tests.domain.games.positions import cards, moved, refusal_of


def after_a_removal(*hands: str, **lying: object) -> Position:
    return Position(*hands, extra=True, options=MAY, **lying)  # pyrefly: ignore[bad-argument-type]


def test_a_seat_declines_and_the_next_one_leads_to_the_empty_pile():
    position = after_a_removal("7 7 9", "2 5", stock="1 1")
    assert position.decline() == (MarkSet("extra_lay", None), TurnPassed("play", 1, (1,)))
    view = position.view
    assert (view["turn"], view["extra_lay"], view["pile"], view["effective"]) == (1, False, [], None)
    position.lay("2")


def test_the_seat_that_follows_makes_no_further_lay_so_it_may_lay_several():
    position = after_a_removal("7", "5 5")
    position.decline()
    position.lay("5 5")
    assert position.view["pile"] == ["5", "5"]


def test_nothing_is_drawn_even_with_fewer_than_three_cards():
    position = after_a_removal("7", "2", stock="1 3")
    assert (moved(position.decline()), position.view["hands"], position.view["stock"]) == ([], [["7"], ["2"]], ["1", "3"])


def test_a_seat_that_has_finished_is_passed_over():
    position = after_a_removal("7", "", "3", finished=(1,))
    position.decline()
    assert position.view["turn"] == 2


def test_open_and_face_down_cards_may_be_kept_as_well():
    for lying in ({}, {"open": [""]}):
        position = after_a_removal("", "1", **lying)
        position.decline()
        assert position.view["turn"] == 1


def test_declining_is_no_move_that_the_limit_counts():  # ALC-43
    position = Position("7 9", "1 2", extra=True, made=3, options={**MAY, "move_limit": 4})
    position.decline()
    assert (position.view["moves_made"], position.view["phase"]) == (3, "play")
    position.lay("1")
    assert position.view["phase"] == "game_over"


def test_who_does_not_decline_lays_a_single_card_as_ever():  # ALC-29
    position = after_a_removal("7 7 9", "1")
    assert position.refused("7 7") == ("single_card_only", ("ALC-29",))
    position.lay("7")
    assert position.view["turn"] == 1


def test_the_pile_is_not_taken_instead():
    assert after_a_removal("7 7 9", "1").taking_refused == ("must_lay", ("ALC-30",))
    assert after_a_removal("", "1", open=[""]).taking_refused == ("must_reveal", ("ALC-36",))


def test_without_a_further_lay_there_is_nothing_to_decline():
    assert Position("7", "1", pile="9", options=MAY).declining_refused == ("nothing_to_decline", ("ALC-45",))
    assert Position("7", "1", options=MAY).declining_refused == ("nothing_to_decline", ("ALC-45",))


def test_where_the_further_lay_is_a_duty_there_is_nothing_to_decline():
    assert Position("7", "1", extra=True).declining_refused == ("nothing_to_decline", ("ALC-45",))


def test_the_phase_is_looked_at_first():  # ALC-7
    rulebook, table, _ = dealt(2, 1, options=MAY)
    assert refusal_of(lambda: rulebook.resolve(table, 0, {"type": "decline"})) == ("wrong_phase", ("COM-26", "ALC-7", "ALC-13"))


def test_the_duty_is_the_default():  # ALC-4
    assert ALCASAN.bind({}, 2).setup.options["extra_lay_right"] == "must"


def test_a_removal_by_a_turned_card_can_be_followed_by_declining():  # ALC-36
    position = Position("", "1", open=[""], down=["fire 8 9"], pile="5", options=MAY)
    position.reveal(0)
    position.decline()
    assert (position.view["turn"], position.view["removed"]) == (1, list(cards("5 fire")))
