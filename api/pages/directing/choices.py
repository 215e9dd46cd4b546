"""The closed lists that forms offer: their members come from the domain, their words from the catalogue."""

from collections.abc import Mapping, Sequence
from typing import get_args

from domain.events.game import OpensWhen
from domain.events.tournament import HallNames, Publication
from domain.openness.chosen import lacking_for
from domain.standings.plan import FORMATS, Entrants, ScoredBy
from domain.standings.tie_breaks import TIE_BREAKS
from domain.texts import Texts
from domain.tournament.walls import ClockCounts, PairingsBy, Shown

CLOSED: Mapping[str, Sequence[str]] = {
    "plan.format": tuple(FORMATS),
    "plan.entrants": get_args(Entrants),
    "plan.by": get_args(ScoredBy),
    "plan.tie_break": tuple(TIE_BREAKS),
    "plan.openness": get_args(OpensWhen),
    "hall_names": get_args(HallNames),
    "publish": get_args(Publication),
    "wall.show": get_args(Shown),
    "wall.by": get_args(PairingsBy),
    "clock": get_args(ClockCounts),
}
"""By the beginning of their keys in the catalogue."""

Choice = tuple[str, str]


def choices(said: Texts) -> Mapping[str, Sequence[Choice]]:
    """Return each list as pairs of a member and what it is called."""
    return {name: [(one, said[f"{name}.{one}"]) for one in members] for name, members in CLOSED.items()}


def openness_of_a_game(said: Texts) -> Sequence[Choice]:
    """Return what can be chosen for a game that belongs to no tournament."""
    return [(one, says) for one, says in choices(said)["plan.openness"] if lacking_for(one, None, None) is None]  # type: ignore[arg-type]
