"""Results of tables whose games were not recorded: entered and confirmed, forfeited, adjourned, and taken back.

The sides may act while the tournament runs. A director may correct a result after its end, too; the standings follow.
"""

from collections.abc import Iterable, Sequence

from msgspec import UNSET, UnsetType

from domain.errors import Refused
from domain.events.base import TextRef
from domain.events.tournament import ResultConfirmed, ResultEntered, ResultWithdrawn, TableAdjourned, TableForfeited
from domain.tournament.games import PersonOf, TableGame, keep_id
from domain.tournament.state import EnteredResult, RoundTable
from domain.tournament.tally import is_decided, list_last_words, list_pending_entrants, table_outcome
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark


def decide_result(
    tournament: Tournament, round: int, table: str, points: Sequence[int], played_at: str | UnsetType = UNSET
) -> ResultEntered:
    """Return a result by the director. It counts at once and goes before all others. Raises ``Refused``."""
    _check_not_cancelled(tournament)
    _check_points(tournament, tournament.table(round, table), points)
    return ResultEntered(round, table, tuple(points), None, played_at=played_at)


def enter_result(tournament: Tournament, round: int, table: str, points: Sequence[int], side: int) -> ResultEntered | ResultConfirmed:
    """Return a result by one side. The same points as another side entered confirm that result; others replace it. Where players enter
    results, points to which all other sides have held since count at once. Raises ``Refused``.
    """
    at = _open_table(tournament, round, table)
    _check_side(tournament, at, side)
    _check_points(tournament, at, points)
    if at.entered and at.entered.points == tuple(points):
        return confirm_result(tournament, round, table, side)
    return ResultEntered(round, table, tuple(points), side, _list_confirming(tournament, at, points, side) or UNSET)


def report_result(
    tournament: Tournament,
    round: int,
    table: str,
    points: Sequence[int],
    side: int,
    games: Iterable[TableGame] = (),
    person_of: PersonOf = keep_id,
) -> ResultEntered | ResultConfirmed:
    """Return a result by a player for their side, at a table that has none yet. Raises ``Refused``."""
    at = tournament.table(round, table)
    if not is_decided(at) and table_outcome(tournament, round, at, games, person_of).points is not None:
        raise Refused("result_stands", table=table)
    return enter_result(tournament, round, table, points, side)


def _list_confirming(tournament: Tournament, table: RoundTable, points: Sequence[int], side: int) -> tuple[int, ...]:
    """Return an entrant of each other party that holds to these points, though another side replaced them."""
    if not tournament.plan.own_results:
        return ()
    return tuple(party[0] for party, one in list_last_words(tournament, table) if one.points == tuple(points) and side not in party)


def warn_about_result(before: Tournament, said: ResultEntered) -> tuple[Remark, ...]:
    """Return remarks if the result contradicts the one that another side had entered, and if its points are probably a slip."""
    return (*_warn_about_conflict(before, said), *_warn_about_points(before, said))


def _warn_about_conflict(before: Tournament, said: ResultEntered) -> tuple[Remark, ...]:
    table = before.table(said.round, said.table)
    if said.side is None or table.entered is None or table.entered.points == said.points:
        return ()
    own = next(party for party in before.parties(table.seats) if said.side in party)
    others = tuple(side for side in table.entered.sides if side not in own)
    return (Remark("said_otherwise", {"table": table.name, "sides": others, "points": table.entered.points}),) if others else ()


_TARGETS = ("target", "target_score")
"""The options of rulesets that end a game at a number of points."""
_IMPLAUSIBLE = 100
"""So many times the target is beyond every game; a longer evening of several games has its own number of games."""


def _warn_about_points(before: Tournament, said: ResultEntered) -> tuple[Remark, ...]:
    target = next((before.plan.options[name] for name in _TARGETS if name in before.plan.options), None)
    most = max(said.points, key=abs)
    if not isinstance(target, int) or abs(most) <= target * before.plan.games * _IMPLAUSIBLE:
        return ()
    return (Remark("implausible_points", {"table": said.table, "target": target, "points": most}),)


def confirm_result(tournament: Tournament, round: int, table: str, side: int) -> ResultConfirmed:
    at = _open_table(tournament, round, table)
    _check_side(tournament, at, side)
    if at.entered is None:
        raise Refused("nothing_to_confirm", table=table)
    if side not in (one for party in _list_pending_parties(tournament, at, at.entered) for one in party):
        raise Refused("confirmed_already", table=table, side=side)
    return ResultConfirmed(round, table, side)


def forfeit_table(tournament: Tournament, round: int, table: str, absent: Sequence[int], reason: TextRef | None) -> TableForfeited:
    _check_not_cancelled(tournament)
    at = tournament.table(round, table)
    strangers = tuple(sorted(set(absent) - set(at.seats)))
    if strangers:
        raise Refused("not_at_this_table", table=table, entrants=strangers)
    return TableForfeited(round, table, tuple(dict.fromkeys(absent)), reason)


def record_adjourned_table(tournament: Tournament, round: int, table: str, reason: TextRef | None) -> TableAdjourned:
    at = _open_table(tournament, round, table)
    if at.adjourned:
        raise Refused("adjourned_already", table=table)
    return TableAdjourned(round, table, reason)


def withdraw_result(tournament: Tournament, round: int, table: str, reason: TextRef | None) -> ResultWithdrawn:
    """Return the withdrawal: from now on the recorded games of the table count again. Raises ``Refused``."""
    _check_not_cancelled(tournament)
    at = tournament.table(round, table)
    if not (at.entered or at.absent or at.adjourned):
        raise Refused("nothing_to_withdraw", table=table)
    return ResultWithdrawn(round, table, reason)


def _open_table(tournament: Tournament, round: int, name: str) -> RoundTable:
    """Return the table, if its sides may still enter a result: in a closed round only at adjourned tables. Raises ``Refused``."""
    tournament.check_open()
    table = tournament.table(round, name)
    if tournament.round(round).closed and not table.adjourned:
        raise Refused("round_closed", round=round)
    if is_decided(table):
        raise Refused("director_has_decided", table=name)
    return table


def _check_not_cancelled(tournament: Tournament) -> None:
    if tournament.ended and tournament.ended.how == "cancelled":
        tournament.check_open()


def _check_points(tournament: Tournament, table: RoundTable, points: Sequence[int]) -> None:
    needed = len(tournament.parties(table.seats))
    if len(points) != needed:
        raise Refused("points_per_party", table=table.name, needed=needed, given=len(points))


def _check_side(tournament: Tournament, table: RoundTable, side: int) -> None:
    if side not in table.seats:
        raise Refused("not_at_this_table", table=table.name, entrants=(side,))


def _list_pending_parties(tournament: Tournament, table: RoundTable, entered: EnteredResult) -> tuple[tuple[int, ...], ...]:
    first = list_pending_entrants(tournament, table, entered)
    return tuple(party for party in tournament.parties(table.seats) if party[0] in first)
