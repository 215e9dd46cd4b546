"""Announcing: the ruleset binds options and seats, the format judges the rest."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.errors import Refused
from domain.events.tournament import LotsBound, TournamentAnnounced
from domain.games import RULESETS
from domain.standings.plan import Scoring, ScoringInput
from domain.tournament.announcement import AnnouncementInput, announce_tournament
from tests.each import each


def wanted(**changed: Any) -> AnnouncementInput:
    given: dict[str, Any] = {
        "options": {},
        "seats": 4,
        "format": "swiss",
        "entrants": "parties",
        "scoring": Scoring("match_points"),
        "tie_breaks": ("buchholz",),
        "rounds": 5,
        "games": 1,
        "openness": "game_over",
    }
    return AnnouncementInput(**{**given, **changed})


def test_effective_options_and_parties_come_from_the_ruleset():
    plan = announce_tournament(RULESETS["canasta"], "evening", None, wanted(options={"end": "hands", "hand_count": 2}), "seed")
    assert plan == TournamentAnnounced(
        tournament="evening",
        title=None,
        ruleset="canasta",
        options={**RULESETS["canasta"].bind({}, 4).setup.options, "end": "hands", "hand_count": 2},
        seats=4,
        parties=((0, 2), (1, 3)),
        format="swiss",
        entrants="parties",
        scoring=Scoring("match_points"),
        tie_breaks=("buchholz",),
        rounds=5,
        games=1,
        openness="game_over",
        seed="seed",
    )


@each(
    ("ruleset", "seats", "scoring"),
    [
        ("canasta", 4, Scoring("match_points", (2, 0), 2, ("bye", 0))),
        ("casino", 3, Scoring("match_points", (4, 2, 0), 4, ("bye", 0))),
        ("quartett-classic", 4, Scoring("match_points", (6, 4, 2, 0), 6, ("bye", 0))),
        ("cascades", 1, Scoring("points", bye="average", forfeit=("bye", 0))),
    ],
)
def test_the_default_scoring_fits_the_parties_of_a_table(ruleset: str, seats: int, scoring: Scoring):
    proposal = wanted(seats=seats, scoring=ScoringInput(), tie_breaks=())
    assert announce_tournament(RULESETS[ruleset], "evening", None, proposal, "seed").scoring == scoring


def test_of_a_scoring_only_what_nobody_named_gets_its_default():
    by_points = wanted(scoring=ScoringInput(by="points", forfeit=(3, 0)), tie_breaks=())
    assert announce_tournament(RULESETS["canasta"], "evening", None, by_points, "seed").scoring == Scoring(
        "points", (2, 0), "average", (3, 0)
    )
    by_places = wanted(scoring=ScoringInput(places=(3, 1)))
    assert announce_tournament(RULESETS["canasta"], "evening", None, by_places, "seed").scoring == Scoring(
        "match_points", (3, 1), 2, ("bye", 0)
    )


def test_tables_may_be_smaller_where_single_players_can_play_the_same_game_at_both():
    four = wanted(entrants="players", scoring=ScoringInput(), tie_breaks=("points",), smaller_tables=True)
    assert announce_tournament(RULESETS["quartett-classic"], "evening", None, four, "seed").smaller_tables
    for ruleset, proposal in (("canasta", four), ("casino", replace(four, options={"partners": True})), ("casino", replace(four, seats=2))):
        with pytest.raises(Refused, match=r"^no_smaller_tables$"):
            announce_tournament(RULESETS[ruleset], "evening", None, proposal, "seed")
    with pytest.raises(Refused, match=r"^no_buchholz$"):
        announce_tournament(RULESETS["quartett-classic"], "evening", None, replace(four, tie_breaks=("buchholz",)), "seed")


@each(
    ("changed", "code"),
    [
        ({"options": {"end": "never"}}, "bad_option"),
        ({"seats": 3}, "bad_seats"),
        ({"scoring": Scoring("match_points", (3, 1, 0))}, "places_missing"),
        ({"tie_breaks": ("lots", "buchholz")}, "lots_not_last"),
    ],
)
def test_what_does_not_fit_is_refused_by_the_ruleset_or_the_format(changed: dict[str, Any], code: str):
    with pytest.raises(Refused, match=f"^{code}$"):
        announce_tournament(RULESETS["canasta"], "evening", None, wanted(**changed), "seed")


def test_lots_are_bound_or_follow_from_a_seed_in_the_open():
    lots = LotsBound("c0" * 32, 8)
    plan = announce_tournament(RULESETS["canasta"], "evening", None, wanted(), lots)
    assert (plan.lots, plan.seed) == (lots, "")
    with pytest.raises(Refused, match=r"^dice_promise$"):
        announce_tournament(RULESETS["canasta"], "evening", None, wanted(), LotsBound("c0" * 32, 7))
