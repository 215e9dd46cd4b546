"""What published rules of such decks tell, where this service plays alike. Only the facts are theirs."""

from tests.domain.games.quartett.positions import CLASSIC, TRUMPF, classic, dealt, said, trumpf

# periods: A1 4, A2 4, B2 6, B3 6; densities: A1 7.87, A2 8.96, B2 19.32, B3 21.45, C1 2.7, C2 1.74


def test_top_trumps_after_a_tie_the_same_player_chooses_again_and_the_winner_takes_the_middle_too():
    # Original instructions of Top Trumps, as on marz-kreations.com/Nostalgia/PlayingCards: all top cards go to the middle.
    position = trumpf("A1 B3 C3 C4 A4", "A2 C1 B1 B4 A3", "B2 C2 B1 B4 A3")
    position.play("announce", category="period")
    assert (position.table.turn, [lying["card"] for lying in position.view()["middle"]]) == (0, ["A1", "A2", "B2"])
    position.play("announce", category="density")
    assert position.stacks()[0] == "C3 C4 A4 A1 A2 B2 B3 C1 C2"


def test_supertrumpf_who_announced_before_the_tie_announces_the_next_value_whoever_was_tied():
    # kulturmeister.de/spielregeln: the player who announced names a value of his next card.
    position = trumpf("B2 B3 C3 C4", "A1 C1 B1 B4", "A2 C2 B1 B4")
    position.play("announce", category="period")
    assert (position.table.phase, position.table.turn) == ("announce", 0)


def test_trumpf_with_three_cards_one_chooses_after_the_value_was_announced_and_until_one_has_more():
    # kneipenaffe.de/die-spielregeln: the choice may be made after the others have read out a value.
    position = trumpf("A1 A2 A3 A4 C1", "B1 B2 B3", "C2 C3 C4 B4 C1")
    position.play("announce", category="density")
    assert [move["card"] for move in position.legal()] == ["B1", "B2", "B3"]
    position.play("reply", card="B3")
    assert {move["card"] for move in position.legal()} == {"B1"}


def test_trumpf_cards_that_are_left_over_are_put_away_face_down():
    # muenchner-kneipenquartett.de/spielregeln
    position, _ = dealt(TRUMPF.bind({}, 5), 0)
    assert (position.view()["hand_counts"], position.view()["set_aside"]) == ([6] * 5, ["H3", "H4"])


def test_quartets_are_eight_groups_of_four_and_dealt_equally():
    # en.wikipedia.org/wiki/Quartets_(card_game): 32 cards; who sits left of the dealer begins.
    position, _ = dealt(CLASSIC.bind({}, 4), 1)
    assert (position.view()["hand_counts"], position.table.turn) == ([8] * 4, 2)


def test_quartets_some_players_may_get_a_card_more():
    # de.wikipedia.org/wiki/Quartett_(Kartenspiel)
    position, _ = dealt(CLASSIC.bind({}, 3), 2)
    assert position.view()["hand_counts"] == [11, 11, 10]


def test_quartets_without_the_card_it_is_the_asked_players_turn():
    # en.wikipedia.org/wiki/Quartets_(card_game)
    position = classic("A1 B1", "A2 B2", "A3 B3")
    position.play("ask", target=1, card="A3")
    assert position.table.turn == 1


def test_quartets_who_has_no_card_left_is_out_and_the_left_neighbour_asks():
    # de.wikipedia.org/wiki/Quartett_(Kartenspiel)
    position = classic("B1 B2", "A1 A2 A3", "A4 B3", "B4", turn=1)
    effects = position.play("ask", target=2, card="A4")
    assert (said(effects)[-1], position.table.turn) == ((1, "out", None), 2)
