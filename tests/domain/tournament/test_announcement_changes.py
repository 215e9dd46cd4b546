"""What was announced, and the ratings, can be corrected until something is paired."""

from typing import Any

import pytest
from msgspec.structs import asdict, replace

from domain.errors import Refused, Unknown
from domain.events.base import TextRef
from domain.events.tournament import (
    EntryAccepted,
    EntryRated,
    EntryWithdrawn,
    LotsBound,
    LotsDrawn,
    PairingWithdrawn,
    RoundClosed,
    TournamentAnnounced,
    TournamentCorrected,
    TournamentEnded,
)
from domain.games import RULESETS
from domain.standings.plan import Scoring
from domain.tournament.announcement import AnnouncementInput, announce_tournament, correct_announcement, rate_entry
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_change_after_draw
from tests.domain.tournament.recorded import entries, paired, recorded, refusal
from tests.each import each

TITLE = TextRef("t1", "digest")


def proposal(**changed: Any) -> AnnouncementInput:
    given: dict[str, Any] = {
        "options": {},
        "seats": 2,
        "format": "swiss",
        "entrants": "parties",
        "scoring": Scoring("match_points"),
        "tie_breaks": ("buchholz",),
        "rounds": 3,
        "games": 1,
        "openness": "game_over",
    }
    return AnnouncementInput(**{**given, **changed})


def announced(**changed: Any) -> TournamentAnnounced:
    return announce_tournament(RULESETS["casino"], "spring", None, proposal(**changed), "seed")


def corrected(tournament: Tournament, ruleset: str = "casino", title: TextRef | None = None, **changed: Any) -> TournamentCorrected:
    return correct_announcement(tournament, RULESETS[ruleset], title, proposal(**changed))


def test_everything_but_id_and_seed_can_be_announced_otherwise():
    found = corrected(
        recorded(announced()),
        "canasta",
        TITLE,
        seats=4,
        format="manual",
        entrants="players",
        scoring=Scoring("points", bye="average"),
        tie_breaks=("wins", "lots"),
        rounds=None,
        games=2,
        openness="never",
    )
    after = recorded(announced(), found).plan
    assert after == replace(announced(), **asdict(found))
    assert (after.tournament, after.seed, after.ruleset, after.title) == ("spring", "seed", "canasta", TITLE)
    assert (after.parties, after.entrants, after.scoring.bye, after.rounds) == (((0, 2), (1, 3)), "players", "average", None)


@each(
    ("changed", "code"),
    [({"tie_breaks": ("lots", "wins")}, "lots_not_last"), ({"seats": 9}, "bad_seats"), ({"options": {"x": 1}}, "bad_option")],
)
def test_what_makes_no_sense_is_refused_as_when_it_is_announced(changed: dict[str, Any], code: str):
    with pytest.raises(Refused, match=f"^{code}$"):
        corrected(recorded(announced()), **changed)


def test_a_correction_corrects_something():
    with refusal("nothing_corrected"):
        corrected(recorded(announced()))


def test_after_a_draw_what_was_announced_holds_until_the_draw_is_taken_back():
    drawn = (announced(), *entries(2), paired(1, (1, 2)))
    with refusal("announcement_holds", round=1):
        corrected(recorded(*drawn), games=4)
    assert corrected(recorded(*drawn, PairingWithdrawn(1, None)), rounds=4).rounds == 4
    with refusal("tournament_ended"):
        corrected(recorded(announced(), TournamentEnded("cancelled", None)), rounds=4)


def test_after_a_draw_the_number_of_rounds_and_late_ratings_change_with_a_remark():
    before = recorded(announced(), *entries(2), paired(1, (1, 2)))
    more, rated = corrected(before, rounds=4), rate_entry(before, 1, 1600)
    assert more == corrected(recorded(announced()), rounds=4)
    assert warn_about_change_after_draw(before, more) == (Remark("rounds_after_draw", {"round": 1}),)
    assert warn_about_change_after_draw(before, rated) == (Remark("rated_after_draw", {"entrant": 1, "round": 1}),)
    assert warn_about_change_after_draw(recorded(announced(), *entries(2)), rated) == ()


def test_no_fewer_rounds_than_are_paired_and_no_rating_within_a_bracket():
    second = (*entries(2), paired(1, (1, 2)), RoundClosed(1), paired(2, (2, 1)))
    with refusal("more_rounds_paired", rounds=1, paired=2):
        corrected(recorded(announced(), *second), rounds=1)
    with refusal("announcement_holds", round=1):
        rate_entry(recorded(announced(format="knockout", tie_breaks=()), *entries(2), paired(1, (1, 2))), 1, 1600)


def test_what_the_lots_are_bound_to_stays_also_once_they_are_drawn():
    lots = LotsBound("c0" * 32, 8)
    plan = announce_tournament(RULESETS["casino"], "spring", None, proposal(), lots)
    assert recorded(plan, corrected(recorded(plan), rounds=4)).plan.lots == lots
    drawn = recorded(plan, *entries(2), LotsDrawn("s", "5e" * 32, "6 3 1 1 5 2 4 6"), paired(1, (1, 2)), PairingWithdrawn(1, None))
    assert corrected(drawn, rounds=4).rounds == 4
    with refusal("nothing_corrected"):
        corrected(drawn)


def test_entries_have_to_fit_what_is_announced_then():
    with refusal("entries_do_not_fit", entrants=(1, 2), needed=2):
        corrected(recorded(announced(), *entries(2)), seats=4, options={"partners": True})
    alone = corrected(recorded(announced(), *entries(2)), seats=4, options={"partners": True}, entrants="players", tie_breaks=())
    assert alone.entrants == "players"
    gone = (EntryWithdrawn(1, 1, None), EntryWithdrawn(2, 1, None))
    assert corrected(recorded(announced(), *entries(2), *gone), seats=4, options={"partners": True}).seats == 4


def test_nobody_may_come_too_late_for_what_is_announced_then():
    late = recorded(announced(), *entries(2), EntryAccepted(3, ("p3",), 3))
    with refusal("entries_come_later", entrants=(3,), round=2):
        corrected(late, rounds=2)
    with refusal("entries_come_later", entrants=(3,), round=1):
        corrected(late, format="knockout", tie_breaks=())
    assert corrected(late, rounds=None).rounds is None


def test_a_rating_is_corrected_or_taken_away():
    now = recorded(announced(), EntryAccepted(1, ("p1",), 1, 1500))
    assert rate_entry(now, 1, 1600) == EntryRated(1, 1600)
    assert recorded(announced(), EntryAccepted(1, ("p1",), 1, 1500), EntryRated(1, None)).entrant(1).rating is None
    with refusal("rated_so_already", entrant=1):
        rate_entry(now, 1, 1500)
    with pytest.raises(Unknown):
        rate_entry(now, 2, 1500)
