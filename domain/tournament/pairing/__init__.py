"""Pairing of a round: one module a format. Everything follows from the plan, its seed and the earlier rounds."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.errors import Refused
from domain.standings.plan import is_head_to_head
from domain.tournament.pairing import all_play_all, circular_schedules, groups, knockout, swiss
from domain.tournament.pairing.tables import DrawTask, Pairing
from domain.tournament.state import Entrant

__all__ = ["DrawTask", "Pairing", "draw"]


def draw(task: DrawTask) -> Pairing:
    """Return the pairings of a round; outcomes and byes of later rounds are passed over. A bracket and a schedule in which all meet heed no
    wishes.

    Raises ``Refused`` where the format has no pairing: too few entrants, a bracket that is not decided, pairings given by hand.
    """
    outcomes = tuple(outcome for outcome in task.outcomes if outcome.round < task.round)
    task = replace(task, outcomes=outcomes, byes=tuple(bye for bye in task.byes if bye.round < task.round))
    match task.plan.format:
        case "manual":
            raise Refused("paired_by_hand")
        case "knockout":
            return knockout.draw(task)
        case "swiss":
            return _pair_tables(task) or swiss.draw(task)
        case "round_robin":
            # A schedule where one is known for what was announced.
            return circular_schedules.draw(task) or _pair_tables(task) or all_play_all.draw(task)


def _pair_tables(task: DrawTask) -> Pairing | None:
    """Return the pairing of tables that are no duels; ``None`` where two meet at each table."""
    if len(task.plan.parties) == 1:
        return _pair_single(task.playing)
    return None if is_head_to_head(task.plan) else groups.draw(task)


def _pair_single(playing: Sequence[Entrant]) -> Pairing:
    """Return a pairing in which every entrant has a table alone."""
    if not playing:
        raise Refused("too_few_entrants", needed=1)
    return Pairing(tuple(((entrant.number,),) for entrant in playing))
