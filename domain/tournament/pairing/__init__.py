"""Pairing of a round: one module a format. Everything follows from the plan, its seed and the earlier rounds."""

from collections.abc import Sequence

from domain.errors import Refused
from domain.events.tournament import TournamentAnnounced
from domain.standings.plan import Bye, Outcome, is_head_to_head
from domain.tournament.pairing import all_play_all, circular_schedules, groups, knockout, swiss
from domain.tournament.pairing.tables import NO_CONSTRAINTS, DrawConstraints, Pairing
from domain.tournament.state import Entrant

__all__ = ["Pairing", "draw"]


def draw(
    plan: TournamentAnnounced,
    entrants: Sequence[Entrant],
    outcomes: Sequence[Outcome],
    byes: Sequence[Bye],
    round: int,
    wishes: DrawConstraints = NO_CONSTRAINTS,
) -> Pairing:
    """Return the pairings of a round. ``entrants`` are all that ever entered; outcomes and byes of later rounds are passed over. A bracket
    and a schedule in which all meet heed no ``wishes``.

    Raises ``Refused`` where the format has no pairing: too few entrants, a bracket that is not decided, pairings given by hand.
    """
    outcomes = tuple(outcome for outcome in outcomes if outcome.round < round)
    byes = tuple(bye for bye in byes if bye.round < round)
    match plan.format:
        case "manual":
            raise Refused("paired_by_hand")
        case "knockout":
            return knockout.draw(plan, entrants, outcomes, byes, round)
        case "swiss":
            tables = _pair_tables(plan, entrants, outcomes, byes, round, wishes)
            return tables or swiss.draw(plan, entrants, outcomes, byes, round, wishes)
        case "round_robin":
            whole = _pair_by_schedule(plan, entrants, outcomes, round) or _pair_tables(plan, entrants, outcomes, byes, round, wishes)
            return whole or all_play_all.draw(entrants, outcomes, byes, round)


def _pair_by_schedule(plan: TournamentAnnounced, entrants: Sequence[Entrant], outcomes: Sequence[Outcome], round: int) -> Pairing | None:
    """Return the pairing of a tournament for which a schedule is known, if that is what was announced."""
    return circular_schedules.draw(plan, (entrant.number for entrant in entrants if entrant.plays(round)), outcomes, round)


def _pair_tables(
    plan: TournamentAnnounced,
    entrants: Sequence[Entrant],
    outcomes: Sequence[Outcome],
    byes: Sequence[Bye],
    round: int,
    wishes: DrawConstraints,
) -> Pairing | None:
    """Return the pairing of tables that are no duels; ``None`` where two meet at each table."""
    if len(plan.parties) == 1:
        return _pair_single(entrants, round)
    return None if is_head_to_head(plan) else groups.draw(plan, entrants, outcomes, byes, round, wishes)


def _pair_single(entrants: Sequence[Entrant], round: int) -> Pairing:
    """Return a pairing in which every entrant has a table alone."""
    playing = tuple(((entrant.number,),) for entrant in entrants if entrant.plays(round))
    if not playing:
        raise Refused("too_few_entrants", needed=1)
    return Pairing(playing)
