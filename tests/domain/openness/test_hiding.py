"""At which positions cards lay on the table that not everybody may see."""

from domain.events.game import Openness
from domain.game import project
from domain.opening import OpennessContext
from tests.domain.openness.test_opening import AT, EVERYTHING, a_game
from tests.each import each
from tests.projections.histories import NOTHING


def hiding(openness: Openness, to: str = "second hand", around: OpennessContext = NOTHING) -> list[int]:
    """Of the positions of a game, each by itself."""
    game = a_game(openness, to=to).game
    return [position for position in range(1, game.position + 1) if game.hides(position, position, around)]


@each(
    ("openness", "to", "around", "positions"),
    [
        ("hand_over", "second hand", NOTHING, [5, 6]),
        ("game_over", "second hand", NOTHING, [2, 3, 4, 5, 6]),
        ("game_over", "abandoned", NOTHING, []),
        ("never", "abandoned", NOTHING, [2, 3, 4, 5, 6, 7]),
        ("never", "disclosed", NOTHING, []),
        ("round_over", "game over", NOTHING, [2, 3, 4, 5, 6, 7]),
        ("round_over", "game over", EVERYTHING, []),
        (AT, "second hand", NOTHING, [2, 3, 4, 5, 6]),
        (AT, "second hand", EVERYTHING, []),
    ],
)
def test_cards_are_hidden_from_the_deal_on_until_they_are_open(openness: Openness, to: str, around: OpennessContext, positions: list[int]):
    assert hiding(openness, to, around) == positions


@each(("first", "last", "hides"), [(1, 4, False), (4, 5, True), (1, 9, True), (6, 9, True), (5, 4, False), (7, 9, False)])
def test_a_range_hides_what_any_position_in_it_hides(first: int, last: int, hides: bool):
    assert a_game("hand_over").game.hides(first, last, NOTHING) == hides


def test_before_anything_was_dealt_nothing_is_hidden():
    game = project(None, a_game("never").history[:1])
    assert game
    assert not game.hides(1, 1, NOTHING)
