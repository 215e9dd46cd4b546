"""The standings of a tournament: who is in them, who has left, and which orders of the director hold."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.standings.outcome import Bye, Outcome
from domain.standings.standings import StandingsRow, standings
from domain.standings.tie_breaks import TieBreak
from domain.tournament.tournament import Tournament


def rank_entrants(
    tournament: Tournament,
    outcomes: Iterable[Outcome],
    byes: Iterable[Bye],
    *,
    round: int | None = None,
    tie_breaks: tuple[TieBreak, ...] | None = None,
) -> tuple[StandingsRow, ...]:
    """Return the standings. Outcomes and byes are those that count: of all rounds, or of the first ones up to ``round``. With other
    ``tie_breaks`` than the announced ones no order of the director holds.
    """
    last = len(tournament.rounds) if round is None else round
    entered = [one for one in tournament.entrants if not one.is_gone(one.from_round) and (round is None or one.from_round <= round)]
    withdrawn = [one.number for one in tournament.entrants if one.is_gone(last + 1)]
    plan = tournament.plan if tie_breaks is None else replace(tournament.plan, tie_breaks=tie_breaks)
    orders = tournament.orders if tie_breaks is None and last == len(tournament.rounds) else ()
    return standings(plan, [one.number for one in entered], outcomes, byes, withdrawn, orders)
