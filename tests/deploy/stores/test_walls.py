"""Register of walls, on both databases."""

from deploy.stores.opening import OpenedEvents
from domain.tournament.publication import Wall, WallClock, WallPlan
from tests.deploy.stores.shared import events, journal_url, shared

__all__ = ["events", "journal_url", "shared"]  # fixtures

AT = "2026-11-21T20:00:00.000000Z"
NOTICE = Wall(1, WallPlan("notice", None, None, WallClock("break", AT)), "Soup is ready.", AT, "p_director")


def test_nothing_was_chosen_before_the_first_choice(events: OpenedEvents):
    assert events.wall("spring") == Wall(0, WallPlan("current"))


def test_a_wall_is_kept_whole_and_by_its_tournament(events: OpenedEvents):
    standings = Wall(1, WallPlan("standings", "table", 3, WallClock("round", None, 90), 8), None, AT, "p_other")
    assert (events.change_wall("spring", NOTICE), events.change_wall("autumn", standings)) == (True, True)
    assert (events.wall("spring"), events.wall("autumn")) == (NOTICE, standings)


def test_of_two_who_choose_on_the_same_version_one_is_told_that_he_is_late(events: OpenedEvents):
    assert [events.change_wall("spring", NOTICE) for _ in range(2)] == [True, False]
    second = Wall(2, WallPlan("tables"), None, AT, "p_other")
    assert [events.change_wall("spring", second) for _ in range(2)] == [True, False]
    assert events.wall("spring") == second


def test_words_that_were_on_the_wall_are_kept_nowhere(events: OpenedEvents):
    events.change_wall("spring", NOTICE)
    events.change_wall("spring", Wall(2, WallPlan("pairings"), None, AT, "p_director"))
    assert "Soup" not in str(events.query("SELECT * FROM walls"))
