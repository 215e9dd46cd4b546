"""Import of an earlier tournament from a list of results: the events that record it, as if it had been played here, and its withdrawal.

Each event is decided like any other, on the tournament after the events before it. Only the announcement differs: a list may have tables of
any size, such as one table with everybody for a final ranking.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count
from uuid import UUID

from msgspec import Struct

from domain.errors import Refused
from domain.events import Event, Recorded, Stamp
from domain.events.base import TextRef
from domain.events.played import EARLIEST
from domain.events.tournament import TournamentAnnounced
from domain.rules import Ruleset
from domain.setup import Setup
from domain.standings.plan import ScoringInput
from domain.time_zones import UTC_ZONE, encode_time_zone
from domain.tournament.announcement import check_plan, check_time_zone
from domain.tournament.entries import accept_entry
from domain.tournament.publication import publish
from domain.tournament.ranking import order_tied
from domain.tournament.results import decide_result, withdraw_result
from domain.tournament.rounds import GivenTable, cancel_tournament, close_round, finish_tournament, pair_by_hand, reopen_tournament
from domain.tournament.tournament import Tournament, fold_event
from domain.tournament.wish_rules import check_presence

_DRAFT = UUID(int=0)
"""The stream of a tournament that is not recorded yet."""


class PastTable(Struct, frozen=True):
    """A table of an earlier tournament. ``round`` counts from 1; ``played_at`` is an ISO date; ``places``, where the list has them, may
    order parties of equal points.
    """

    round: int
    name: str
    played_at: str
    parties: tuple[tuple[str, ...], ...]
    points: tuple[int, ...]
    places: tuple[int, ...] | None = None


def announce_import(
    ruleset: Ruleset,
    id: str,
    title: TextRef | None,
    digest: str,
    parties: tuple[tuple[int, ...], ...],
    *,
    rounds: int | None,
    smaller_tables: bool,
    time_zone: str = UTC_ZONE,
) -> TournamentAnnounced:
    """Return the announcement. ``parties``: the seats at the largest table; ``digest``: the SHA-256 of the list. Raises ``Refused``."""
    check_time_zone(time_zone)
    seats = sum(map(len, parties))
    plan = TournamentAnnounced(
        tournament=id,
        title=title,
        ruleset=ruleset.key,
        options=_bind_defaults(ruleset, seats).options,
        seats=seats,
        parties=parties,
        format="manual",
        entrants="players",
        scoring=ScoringInput(by="points").fill_defaults(len(parties)),
        tie_breaks=(),
        rounds=rounds,
        games=1,
        openness="game_over",
        seed=digest,
        hall_names="names",
        time_zone=encode_time_zone(time_zone),
        smaller_tables=smaller_tables,
        imported=True,
    )
    check_plan(plan)
    return plan


def _bind_defaults(ruleset: Ruleset, seats: int) -> Setup:
    """Return the usual setup for so many seats; for a number that the game does not know, that of the smallest table."""
    for number in (seats, *range(1, 65)):
        try:
            return ruleset.bind({}, number).setup
        except Refused:
            continue
    raise Refused("bad_seats", seats=seats)


def seat_parties(sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the seats of parties of these sizes, one after the other."""
    seats = count()
    return tuple(tuple(next(seats) for _ in range(size)) for size in sizes)


def shape_of(table: PastTable) -> tuple[int, ...]:
    """Return the number of players of each party."""
    return tuple(map(len, table.parties))


def import_tournament(
    ruleset: Ruleset, id: str, title: TextRef | None, digest: str, tables: Sequence[PastTable], time_zone: str = UTC_ZONE
) -> list[Event]:
    """Return all events of the tournament, whose parties all have the same size. Raises ``Refused``."""
    shapes, rounds = sorted({shape_of(one) for one in tables}, key=len), max(one.round for one in tables)
    if len(sizes := {size for shape in shapes for size in shape}) > 1:
        raise Refused("parties_differ", sizes=tuple(sorted(sizes)))
    parties, smaller = seat_parties(shapes[-1]), len(shapes) > 1
    announced = announce_import(ruleset, id, title, digest, parties, rounds=rounds, smaller_tables=smaller, time_zone=time_zone)
    draft = _Draft(_after(None, announced), [announced])
    numbers = _enter_players(draft, tables)
    for round in range(1, rounds + 1):
        _play_round(draft, round, [one for one in tables if one.round == round], numbers)
    draft.add(finish_tournament(draft.now, (), None))
    if len(tables) == 1 and title is not None:
        _order_equals(draft, tables[0], numbers, title)
    return draft.events


def withdraw_import(tournament: Tournament, reason: TextRef | None) -> list[Event]:
    """Return the withdrawal of all results; the tournament counts as cancelled, and everybody may read it no more. Raises ``Refused``."""
    if not tournament.plan.imported:
        raise Refused("not_imported")
    if tournament.ended and tournament.ended.how == "cancelled":
        tournament.check_open()
    draft = _Draft(tournament, [])
    for round in tournament.rounds:
        for table in round.tables:
            if table.entered or table.absent or table.adjourned:
                draft.add(withdraw_result(draft.now, round.number, table.name, reason))
    if tournament.publication != "no":
        draft.add(publish(draft.now, "no"))
    if tournament.ended:
        draft.add(reopen_tournament(draft.now, reason))
    draft.add(cancel_tournament(draft.now, reason))
    return draft.events


class _Draft:
    """A tournament, with the events that are to be recorded."""

    def __init__(self, now: Tournament, events: list[Event]) -> None:
        self.now = now
        self.events = events

    def add(self, event: Event) -> None:
        self.now = _after(self.now, event)
        self.events.append(event)


def _after(now: Tournament | None, event: Event) -> Tournament:
    """Return the tournament after an event that is not recorded yet."""
    stream, position = (now.id, now.position + 1) if now else (_DRAFT, 1)
    return fold_event(now, Recorded(stream, position, "", Stamp(EARLIEST, ""), None, event, b""))


def _enter_players(draft: _Draft, tables: Sequence[PastTable]) -> dict[str, int]:
    """Enter every player from their first round on. Return the numbers of the entrants."""
    first: dict[str, int] = {}
    for table in sorted(tables, key=lambda one: one.round):
        for player in (player for party in table.parties for player in party):
            first.setdefault(player, table.round)
    for player, round in first.items():
        draft.add(accept_entry(draft.now, (player,), None, round))
    return {player: number for number, player in enumerate(first, 1)}


def _play_round(draft: _Draft, round: int, tables: Sequence[PastTable], numbers: Mapping[str, int]) -> None:
    given = [GivenTable(one.name, tuple(tuple(numbers[player] for player in party) for party in one.parties)) for one in tables]
    seated = {entrant for table in given for party in table.parties for entrant in party}
    if absent := {one.number for one in draft.now.active(round)} - seated:
        draft.add(check_presence(draft.now, absent, round))
    draft.add(pair_by_hand(draft.now, given, (), ()))
    for table in tables:
        draft.add(decide_result(draft.now, round, table.name, table.points, table.played_at))
    draft.add(close_round(draft.now, (), round))


def _order_equals(draft: _Draft, table: PastTable, numbers: Mapping[str, int], title: TextRef) -> None:
    """Order entrants of equal points as the list does, if it gives each party a place of its own. The title stands for the reason."""
    equal: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for party, points, place in zip(table.parties, table.points, table.places or (), strict=table.places is not None):
        equal[points] += [(place, numbers[player]) for player in party]
    for some in equal.values():
        if len({place for place, _ in some}) == len(some) > 1:
            draft.add(order_tied(draft.now, [number for _, number in sorted(some)], title, ()))
