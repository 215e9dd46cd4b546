"""What an announcement may ask for: which scoring and which tie-breaks make sense at which tables."""

from collections.abc import Callable, Mapping
from itertools import pairwise

from domain.errors import Refused
from domain.events.tournament import TieBreak, TournamentAnnounced


def check_plan(plan: TournamentAnnounced) -> None:
    """Raises ``Refused``."""
    if plan.scoring.by == "match_points":
        _check_places(plan)
    if plan.format == "knockout":
        _check_knockout(plan)
    for index, name in enumerate(plan.tie_breaks):
        if name in plan.tie_breaks[:index]:
            raise Refused("tie_break_twice", tie_break=name)
        if not _MAKES_SENSE[name](plan):
            raise Refused(f"no_{name}")
    if "lots" in plan.tie_breaks[:-1]:
        raise Refused("lots_not_last")


def is_duel(plan: TournamentAnnounced) -> bool:
    """Whether two entrants meet at each table, so that what one wins the other loses."""
    return table_shape(plan) == (1, 1)


def table_shape(plan: TournamentAnnounced) -> tuple[int, ...]:
    """How many entrants make up each party at a table: ``(1, 1)`` two partnerships, ``(2, 2)`` players with changing partners."""
    return tuple(1 if plan.entrants == "parties" else len(party) for party in plan.parties)


def _check_places(plan: TournamentAnnounced) -> None:
    places = plan.scoring.places
    if len(plan.parties) == 1:
        raise Refused("solitaire_by_match_points")
    if len(places) != len(plan.parties):
        raise Refused("places_missing", places=len(places), parties=len(plan.parties))
    if any(worse > better for better, worse in pairwise(places)) or places[0] == places[-1]:
        raise Refused("places_rise", places=places)


def _check_knockout(plan: TournamentAnnounced) -> None:
    if not is_duel(plan):
        raise Refused("knockout_needs_duels")
    win = max(plan.scoring.places, default=0)
    if plan.scoring.by != "match_points" or plan.scoring.bye != win:
        raise Refused("knockout_by_match_points", win=win)


def _has_strength(plan: TournamentAnnounced) -> bool:
    """Whether the scores of opponents tell something: unless all meet all, partners change, or the best go on and the others do not."""
    several = len(plan.parties) > 1 and set(table_shape(plan)) == {1}
    return several and plan.scoring.by == "match_points" and plan.format in ("swiss", "manual")


_MAKES_SENSE: Mapping[TieBreak, Callable[[TournamentAnnounced], bool]] = {
    "direct_encounter": lambda plan: is_duel(plan) and plan.format != "knockout",
    "buchholz": _has_strength,
    "buchholz_cut_1": _has_strength,
    "sonneborn_berger": lambda plan: is_duel(plan) and plan.scoring.by == "match_points" and plan.format != "knockout",
    "score_difference": lambda plan: len(plan.parties) > 1,
    "points": lambda plan: plan.scoring.by == "match_points",
    "wins": lambda plan: len(plan.parties) > 1,
    "lots": lambda _: True,
}
