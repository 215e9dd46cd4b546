"""Wishes about draws: half-point byes, fixed tables, entrants kept apart, wanted pairings; and presence before a draw."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from domain.errors import Refused, Unknown
from domain.events.tournament import ClubsGrouped, PresenceChecked, WishKind, WishRecorded, WishWithdrawn
from domain.standings.plan import FORMATS
from domain.tournament.rounds import NOT_FOR_TABLES
from domain.tournament.state import Wish
from domain.tournament.tournament import Tournament


class WishInput(Struct, frozen=True):
    """A wish as a director proposes it. ``round``: without one the next round for half-point byes and pairings, every round for others."""

    kind: WishKind
    entrants: tuple[int, ...]
    round: int | None = None
    table: str | None = None


_LEAST: Mapping[WishKind, int] = {"half_bye": 1, "table": 1, "apart": 2, "meet": 2}
_MOST: Mapping[WishKind, int] = {"half_bye": 1, "table": 1, "meet": 2}
_ONE_ROUND: tuple[WishKind, ...] = ("half_bye", "meet")


def record_wish(tournament: Tournament, draft: WishInput) -> WishRecorded:
    """Return the wish. Raises ``Refused``."""
    tournament.check_open()
    _check_entrants(tournament, draft)
    round = tournament.next_round if draft.round is None and draft.kind in _ONE_ROUND else draft.round
    _check_round(tournament, round)
    _check_table(draft)
    wish = Wish(len(tournament.wishes) + 1, draft.kind, draft.entrants, round, draft.table)
    if round is not None:
        _check_present(tournament, wish, round)
    _check_new(tournament, wish)
    if wish.kind == "half_bye":
        _check_half_bye(tournament, draft.entrants[0])
    return WishRecorded(wish.number, wish.kind, wish.entrants, round, wish.table)


def _check_entrants(tournament: Tournament, draft: WishInput) -> None:
    for entrant in draft.entrants:
        tournament.entrant(entrant)
    count = len(set(draft.entrants))
    if count != len(draft.entrants) or not _LEAST[draft.kind] <= count <= _MOST.get(draft.kind, count):
        raise Refused("wish_entrants", problem=draft.kind)


def _check_round(tournament: Tournament, round: int | None) -> None:
    if round is None:
        return
    if round < tournament.next_round:
        raise Refused("round_is_paired", round=round, next=tournament.next_round)
    if tournament.plan.rounds is not None and round > tournament.plan.rounds:
        raise Refused("no_more_rounds", rounds=tournament.plan.rounds)


def _check_table(draft: WishInput) -> None:
    if (draft.table is None) == (draft.kind == "table"):
        raise Refused("table_not_named" if draft.table is None else "table_not_wished")
    if draft.table in NOT_FOR_TABLES:
        raise Refused("table_name_taken", tables=(draft.table,))


def _check_present(tournament: Tournament, wish: Wish, round: int) -> None:
    away = tuple(one for one in wish.entrants if not tournament.entrant(one).is_present(round))
    if away:
        raise Refused("not_to_be_paired", entrants=away, round=round)


def _check_new(tournament: Tournament, wish: Wish) -> None:
    """Raise ``Refused`` for a wish that stands already, or contradicts one of its kind."""
    for other in tournament.wishes:
        same_round = None in (other.round, wish.round) or other.round == wish.round
        shared = {*other.entrants} & {*wish.entrants}
        if other.withdrawn or other.kind != wish.kind or not same_round or not shared:
            continue
        if wish.kind != "apart" or {*wish.entrants} <= {*other.entrants}:
            raise Refused("wished_already", entrants=tuple(sorted(shared)), wish=other.number)


def _check_half_bye(tournament: Tournament, entrant: int) -> None:
    """Raise ``Refused`` for a second half-point bye, and where a missed round cannot be made up for by points."""
    rule = FORMATS[tournament.plan.format]
    if rule.all_meet or rule.loser_is_out:
        raise Refused("no_half_byes", format=tournament.plan.format)
    had = [bye.round for bye in tournament.byes if bye.half and bye.entrant == entrant]
    if had := [*had, *tournament.entrant(entrant).half_byes]:
        raise Refused("half_bye_had", entrant=entrant, round=had[0])


def withdraw_wish(tournament: Tournament, number: int) -> WishWithdrawn:
    """Return the withdrawal. Raises ``Refused``, also for a half-point bye of a round that is paired, and ``Unknown``."""
    tournament.check_open()
    if not 1 <= number <= len(tournament.wishes):
        raise Unknown("wish", number)
    wish = tournament.wishes[number - 1]
    if wish.withdrawn:
        raise Refused("wish_withdrawn", wish=number)
    if wish.kind == "half_bye" and wish.round is not None and wish.round < tournament.next_round:
        raise Refused("round_is_paired", round=wish.round, next=tournament.next_round)
    return WishWithdrawn(number)


def group_clubs(tournament: Tournament, club_of: Mapping[str, str]) -> tuple[ClubsGrouped, ...]:
    """Return the groups of entrants of the same club, if they are others than at the last draw; none where clubs are not kept apart.

    ``club_of``: by player.
    """
    members: defaultdict[str, list[int]] = defaultdict(list)
    for entrant in tournament.active(tournament.next_round) if tournament.rules.apart == "club" else ():
        for club in {club_of[player] for player in entrant.players(tournament.next_round) if player in club_of}:
            members[club].append(entrant.number)
    groups = tuple(sorted(tuple(group) for group in members.values() if len(group) > 1))
    return () if groups == tournament.clubs else (ClubsGrouped(groups),)


def check_groups(tournament: Tournament, groups: Sequence[Sequence[int]]) -> ClubsGrouped:
    """Return recorded groups as they may follow. Raises ``Unknown`` for an entrant who is not there."""
    for entrant in {one for group in groups for one in group}:
        tournament.entrant(entrant)
    return ClubsGrouped(tuple(sorted(tuple(sorted(group)) for group in groups)))


def check_presence(tournament: Tournament, absent: Iterable[int], round: int | None) -> PresenceChecked:
    """Return the change of presence: all who may play in the round are there, but for the ``absent``. ``round``: by default the next one.

    Entrants who withdrew stay away. Raises ``Refused``.
    """
    tournament.check_open()
    number = tournament.next_round if round is None else round
    _check_round(tournament, number)
    away = {*absent}
    candidates = {one.number: one for one in tournament.entrants if one.from_round <= number and not one.is_gone(number)}
    if strangers := tuple(sorted(away - candidates.keys())):
        raise Refused("not_to_be_paired", entrants=strangers, round=number)
    leaving = tuple(sorted(one for one in away if candidates[one].is_present(number)))
    coming = tuple(one for one in candidates if one not in away and not candidates[one].is_present(number))
    if not leaving and not coming:
        raise Refused("presence_unchanged", round=number)
    rule = FORMATS[tournament.plan.format]
    if leaving and (rule.loser_is_out or (rule.one_field and number == 1)):
        raise Refused("return_closed", entrant=leaving[0], format=tournament.plan.format)
    return PresenceChecked(number, leaving, coming)
