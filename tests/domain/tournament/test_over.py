"""When a round is over, and a tournament: what games wait for that open no earlier."""

from uuid import UUID

from domain.dispute import Docket, Standing
from domain.events import Event
from domain.events.game import GameOpened
from domain.events.tournament import ResultConfirmed, ResultEntered, RoundClosed, TableAdjourned, TableForfeited, TournamentEnded
from domain.game import Game
from domain.table import Table
from domain.tournament.over import is_round_over, is_tournament_over
from tests.domain.tournament.recorded import entries, paired, plan, recorded
from tests.domain.toy import TOY
from tests.each import each

BOTH = (plan(), *entries(4), paired(1, (1, 2), (3, 4)))


def game(number: int, table: str | None, phase: str = "game_over", ended: Standing | None = None, round: int = 1) -> Game:
    opened = GameOpened(TOY.bind({}, 2).setup, 1, (None, None), "round_over", "spring", round, table)
    return Game(UUID(int=number), 9, b"", opened, Table(opened.setup, phase=phase), docket=Docket(ended=ended))  # pyrefly: ignore[bad-argument-type]


OWN = game(1, "1")


def round_over(*others: Game, happened: tuple[Event, ...] = (), own: Game = OWN) -> bool:
    return is_round_over(own, others, recorded(*BOTH, *happened))


def test_a_round_is_over_when_its_last_table_is_done():
    assert not round_over()
    assert not round_over(game(2, "2", "play"))
    assert not round_over(game(2, "2", "hand_over"))
    assert round_over(game(2, "2"))
    assert round_over(game(2, "2", "play", "abandoned"))
    assert not round_over(game(2, "2"), own=game(1, "1", "play"))


def test_a_table_plays_all_its_games():
    assert not is_round_over(OWN, [game(2, "2")], recorded(plan(games=2), *BOTH[1:]))
    whole = [game(2, "2"), game(3, "1"), game(4, "2")]
    assert is_round_over(OWN, whole, recorded(plan(games=2), *BOTH[1:]))


def test_an_annulled_game_is_as_if_it_were_not_there():
    assert not round_over(game(2, "2", "play", "annulled"))
    assert round_over(game(2, "2", "play", "annulled"), game(3, "2"))


@each(
    "happened",
    [
        (ResultEntered(1, "2", (1, 0), None),),
        (TableForfeited(1, "2", (3,), None),),
        (ResultEntered(1, "2", (1, 0), 3), ResultConfirmed(1, "2", 4)),
    ],
)
def test_a_table_with_a_result_waits_for_no_game(happened: tuple[Event, ...]):
    assert round_over(happened=happened)


def test_a_result_that_nobody_has_confirmed_settles_nothing():
    assert not round_over(happened=(ResultEntered(1, "2", (1, 0), 3),))


def test_an_adjourned_table_is_still_to_be_played_also_after_the_round():
    adjourned = (TableAdjourned(1, "2", None), RoundClosed(1))
    assert not round_over(happened=adjourned)
    assert not round_over(game(2, "2", "hand_over"), happened=adjourned)
    assert round_over(game(2, "2"), happened=adjourned)


def test_a_game_that_a_ruling_took_up_again_is_played_again_also_after_the_round():
    closed = (RoundClosed(1),)
    assert not round_over(game(2, "2"), own=game(1, "1", "play"), happened=closed)


def test_a_game_at_no_table_that_was_paired_is_waited_for():
    assert not round_over(game(2, "2"), game(3, "9", "play"))
    assert round_over(game(2, "2"), game(3, "9"), game(4, None))


def test_of_a_tournament_that_is_not_known_here_the_games_alone_tell():
    assert is_round_over(OWN, [game(2, "2")], None)
    assert not is_round_over(OWN, [game(2, "2", "play")], None)
    assert is_round_over(game(1, "1", round=5), [game(2, "2", round=5)], recorded(*BOTH))


def test_a_cancelled_tournament_is_over_with_all_its_rounds():
    cancelled = (TournamentEnded("cancelled", None),)
    playing = game(1, "1", "play")
    assert round_over(own=playing, happened=cancelled)
    assert is_tournament_over(playing, recorded(*BOTH, *cancelled))


def test_a_tournament_is_over_when_it_has_ended():
    finished = recorded(*BOTH, RoundClosed(1), TournamentEnded("finished", None))
    assert not is_tournament_over(OWN, recorded(*BOTH, RoundClosed(1)))
    assert is_tournament_over(OWN, finished)
    assert not is_tournament_over(game(1, "1", "play"), finished)
    assert not is_tournament_over(OWN, None)
