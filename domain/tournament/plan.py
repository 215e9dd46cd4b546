"""Validation of an announcement: which scoring and which tie-breaks make sense for which tables."""

from itertools import pairwise

from msgspec import UNSET

from domain.errors import Refused
from domain.events.tournament import TournamentAnnounced
from domain.standings.plan import FORMATS, is_head_to_head
from domain.standings.tie_breaks import TIE_BREAKS


def check_plan(plan: TournamentAnnounced) -> None:
    """Raise ``Refused`` if scoring, format and tie-breaks do not fit together."""
    if plan.scoring.by == "match_points":
        _check_places(plan)
    _check_draw(plan)
    if FORMATS[plan.format].loser_is_out:
        _check_knockout(plan)
    elif plan.third_place:
        raise Refused("third_place_needs_knockout")
    if plan.pairing and plan.pairing.late and FORMATS[plan.format].one_field:
        raise Refused("no_half_byes", format=plan.format)
    for index, name in enumerate(plan.tie_breaks):
        if name in plan.tie_breaks[:index]:
            raise Refused("tie_break_twice", tie_break=name)
        if not TIE_BREAKS[name].makes_sense(plan):
            raise Refused(f"no_{name}")
    if any(TIE_BREAKS[name].drawn for name in plan.tie_breaks[:-1]):
        raise Refused("lots_not_last")


def _check_places(plan: TournamentAnnounced) -> None:
    places = plan.scoring.places
    if len(plan.parties) == 1:
        raise Refused("solitaire_by_match_points")
    if len(places) != len(plan.parties):
        raise Refused("places_missing", places=len(places), parties=len(plan.parties))
    if any(worse > better for better, worse in pairwise(places)) or places[0] == places[-1]:
        raise Refused("places_rise", places=places)


def _check_draw(plan: TournamentAnnounced) -> None:
    draw, places = plan.scoring.draw, plan.scoring.places
    if draw is UNSET:
        return
    if plan.scoring.by != "match_points" or len(plan.parties) != 2:
        raise Refused("draw_needs_duels")
    if not places[-1] <= draw <= places[0]:
        raise Refused("draw_outside", draw=draw, win=places[0], loss=places[-1])


def _check_knockout(plan: TournamentAnnounced) -> None:
    if not is_head_to_head(plan):
        raise Refused("knockout_needs_duels")
    win = max(plan.scoring.places, default=0)
    if plan.scoring.by != "match_points" or plan.scoring.bye != win:
        raise Refused("knockout_by_match_points", win=win)
