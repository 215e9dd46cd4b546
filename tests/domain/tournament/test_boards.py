"""Which prepared boards another table still plays: nobody is told of them until the last one is done."""

from uuid import UUID

from domain.dispute import Docket, Standing
from domain.events import Event
from domain.events.game import GameOpened
from domain.events.tournament import ResultEntered, RoundClosed, TableAdjourned, TableForfeited
from domain.game import Deal, DealSpan, Game
from domain.table import Table
from domain.tournament.publication import find_other_boards
from tests.domain.tournament.recorded import entries, paired, plan, recorded
from tests.domain.toy import TOY
from tests.each import each

SETUP = TOY.bind({}, 2).setup
BOTH = (plan(), *entries(4), paired(1, (1, 2), (3, 4)))
PLAYED, OPEN = frozenset[int](), frozenset({7})


def game(number: int, table: str | None, *boards: int, phase: str = "hand_over", ended: Standing | None = None) -> Game:
    """Each board in a hand of its own; the last one is played unless the phase says otherwise."""
    deals = tuple(Deal(position, 1, hand, board) for hand, (position, board) in enumerate(enumerate(boards, 2), 1))
    opened = GameOpened(SETUP, 1, (None, None), "hand_over", "t", 1, table)
    lying, stretches = Table(SETUP, phase=phase), tuple(DealSpan(deal.position, deal) for deal in deals)
    return Game(UUID(int=number), 9, b"", opened, lying, deals, (), Docket(ended=ended), stretches)  # pyrefly: ignore[bad-argument-type]


OWN = game(1, "1", 7)


def elsewhere(*others: Game, happened: tuple[Event, ...] = (), own: Game = OWN) -> frozenset[int]:
    return find_other_boards(own, others, recorded(*BOTH, *happened))


def test_a_board_is_played_until_the_last_table_is_done_with_it():
    assert elsewhere() == OPEN
    assert elsewhere(game(2, "2", phase="no_hand")) == OPEN
    assert elsewhere(game(2, "2", 3)) == OPEN
    assert elsewhere(game(2, "2", 7, phase="play")) == OPEN
    assert elsewhere(game(2, "2", 7)) == PLAYED
    assert elsewhere(game(2, "2", 7, 8, phase="play")) == PLAYED


def test_the_last_table_itself_keeps_nothing_from_anybody():
    assert elsewhere(game(2, "2", 7), own=game(1, "1", 7, phase="play")) == PLAYED


def test_each_board_is_looked_at_by_itself():
    assert elsewhere(game(2, "2", 8, 7, phase="play"), own=game(1, "1", 7, 8, 9)) == {7, 9}


def test_who_has_dealt_no_board_keeps_nothing():
    assert elsewhere(own=game(1, "1")) == PLAYED


@each(
    "happened",
    [
        (ResultEntered(1, "2", (1, 0), None),),
        (TableForfeited(1, "2", (3,), None),),
        (RoundClosed(1),),
    ],
)
def test_a_table_that_has_its_result_deals_no_board_any_more(happened: tuple[Event, ...]):
    assert elsewhere(happened=happened) == PLAYED
    assert elsewhere(game(2, "2", 7, phase="play"), happened=happened) == OPEN


def test_a_result_of_the_sides_waits_for_the_end_of_the_round():
    assert elsewhere(happened=(ResultEntered(1, "2", (1, 0), 3),)) == OPEN


def test_an_adjourned_table_may_still_deal_it_after_the_round():
    assert elsewhere(happened=(TableAdjourned(1, "2", None), RoundClosed(1))) == OPEN


def test_a_table_whose_games_are_over_deals_no_board_any_more():
    assert elsewhere(game(2, "2", 3, phase="game_over")) == PLAYED
    assert elsewhere(game(2, "2", 7, phase="play", ended="abandoned")) == PLAYED


def test_an_annulled_game_was_not_played():
    assert elsewhere(game(2, "2", 7, ended="annulled")) == OPEN


def test_a_game_of_the_round_at_no_table_of_it_counts_while_it_goes_on():
    done = game(2, "2", 7)
    assert elsewhere(done, game(3, "x", phase="no_hand")) == OPEN
    assert elsewhere(done, game(3, None, 7, phase="play")) == OPEN
    assert elsewhere(done, game(3, None, phase="game_over")) == PLAYED
    assert elsewhere(done, game(3, "x", phase="no_hand"), happened=(RoundClosed(1),)) == PLAYED


def test_another_game_of_the_same_table_is_no_other_table():
    assert elsewhere(game(2, "2", 7), game(3, "1", phase="no_hand")) == PLAYED


def test_where_the_tournament_is_not_known_the_games_say_it():
    assert find_other_boards(OWN, [game(2, "2", phase="no_hand")], None) == OPEN
    assert find_other_boards(OWN, [game(2, "2", 7)], None) == PLAYED
    assert find_other_boards(OWN, [], None) == PLAYED
