"""A tournament is read by nobody without a token until its director publishes it."""

from domain.events.tournament import Publication, ScheduleSet, TournamentEnded, TournamentPublished
from domain.tournament.publication import publish, set_schedule
from tests.domain.tournament.recorded import entries, plan, recorded, refusal
from tests.each import each


def test_a_tournament_is_not_published_by_itself():
    assert recorded(plan(), *entries(2)).publication == "no"


@each("publication", ["aliases", "names"])
def test_it_is_published_as_its_director_says_also_after_its_end(publication: Publication):
    over = recorded(plan(), *entries(2), TournamentEnded("finished", None))
    assert publish(over, publication) == TournamentPublished(publication)
    assert recorded(plan(), *entries(2), TournamentPublished(publication)).publication == publication


def test_publication_is_taken_back_and_nothing_is_said_twice():
    published = recorded(plan(), *entries(2), TournamentPublished("names"))
    assert publish(published, "no") == TournamentPublished("no")
    with refusal("published_so_already", publication="names"):
        publish(published, "names")


def test_rounds_begin_when_the_director_says_one_after_the_other():
    first, second = "2026-11-28T18:30:00Z", "2026-11-28T19:30:00Z"
    planned = recorded(plan(), ScheduleSet((first, second)))
    assert planned.starts == (first, second)
    assert set_schedule(planned, [second]) == ScheduleSet((second,))
    with refusal("scheduled_so_already"):
        set_schedule(planned, [first, second])
    for wrong in ([second, first], [first, first]):
        with refusal("schedule_falls", round=2):
            set_schedule(planned, wrong)
